"""What can be done to a match: commands, each of which makes a change out of a match as it was loaded.

A command reads no store and writes none, and leaves the loaded match as it is. It makes its checks in one order: who
asks (``rights``), whether this was done already, and then nothing changes; whether it answers the present ply; whether
the moment is right. Then it does its one thing to a copy of the match.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Protocol

from parlour import players, record
from parlour.errors import BadName, ParlourError
from parlour.game import PASS
from parlour.match import DEAL, MOVE, UNDO, Match
from parlour.names import DEFAULT_NAMES, check_new_name
from parlour.secrets import hash_secret, secret_fits
from parlour.service.errors import SeatTaken, SeatWrong
from parlour.service.loaded import LoadedMatch, Offer
from parlour.service.rights import (
    DEALING,
    DELETING,
    MOVING,
    RENAMING,
    RENEWING,
    RESIGNING,
    TAKING_BACK,
    check_ply,
    check_seq,
)
from parlour.store import StoredMatch
from parlour.view import PlayerNumber


@dataclass(frozen=True)
class Change:
    """What a match is to become."""

    match: Match  # as it stands afterwards
    offer: Offer | None = None  # that is pending then: any move puts an end to one
    joined: bytes | None = None  # the hash of the secret that takes the free seat and closes the invitation
    following: StoredMatch | None = None  # a new match, to be stored together with this one
    renewed: dict[PlayerNumber, bytes] = field(default_factory=dict)  # the hashes of new secrets
    deletes: bool = False  # nothing of the match is to be left

    def applied_to(self, loaded: LoadedMatch, now: float) -> StoredMatch:
        """The next state of the match as it is stored; ``now`` in seconds since 1970."""
        stored = loaded.stored
        return replace(
            stored,
            seq=stored.seq + 1,
            head=stored.head if self.match.setup is loaded.match.setup else stored_head(self.match),
            lines=(*stored.lines, *record.lines(self.match, since=loaded.ply)),
            seat_hashes=self._seat_hashes(stored.seat_hashes),
            invitation_hash=stored.invitation_hash if self.joined is None else None,
            offer="" if self.offer is None else str(self.offer),
            rematch=stored.rematch if self.following is None else self.following.id,
            over=self.match.outcome is not None,
            changed_at=now,
        )

    def _seat_hashes(self, known: tuple[bytes | None, bytes | None]) -> tuple[bytes | None, bytes | None]:
        if self.joined is not None:
            return (self.joined, known[1]) if known[0] is None else (known[0], self.joined)
        return self.renewed.get(1, known[0]), self.renewed.get(2, known[1])


class MatchCommand(Protocol):
    """One thing to be done to a match."""

    def apply_to(self, loaded: LoadedMatch) -> Change | None:
        """What comes of it; None if it was done already. A ParlourError if it cannot be done."""
        ...


def stored_head(match: Match) -> str:
    """The tags of a match at its beginning; how it ended is said by its lines."""
    return record.head(match.at(0))


def pass_while_stuck(match: Match) -> None:
    """Let whoever can only pass do so: nobody is asked for that."""
    while match.stuck:
        match.play(PASS)


@dataclass(frozen=True)
class Join:
    """Take the seat that an invitation is for. Whoever joins again with the same secret has it already."""

    invitation: str
    secret: str  # of the seat from now on
    name: str | None = None

    def apply_to(self, loaded: LoadedMatch) -> Change | None:
        stored, match = loaded.stored, loaded.match
        if any(secret_fits(self.secret, stored_hash) for stored_hash in stored.seat_hashes):
            return None
        if stored.invitation_hash is None:
            raise SeatTaken("somebody else has taken this seat already; you can watch")
        if not secret_fits(self.invitation, stored.invitation_hash):
            raise SeatWrong("this invitation does not fit the match; ask for the whole link")
        if self.name:
            match = _renamed(match, loaded.free_seats[0], self.name)
        return Change(match, joined=hash_secret(self.secret))


@dataclass(frozen=True)
class Play:
    """Play the move that a text names, as an answer to what was done so far. Sent twice, it is played once."""

    move: str
    ply: int

    def apply_to(self, loaded: LoadedMatch) -> Change | None:
        MOVING.check_holder(loaded)
        if self._was_played(loaded):
            return None
        check_ply(loaded, self.ply)
        MOVING.check_moment(loaded)
        return Change(_after_move(loaded.match, self.move))

    def _was_played(self, loaded: LoadedMatch) -> bool:
        """Whether this very move was played at this ply by whoever sends it again."""
        if not was_done(loaded, self.ply, MOVE) or loaded.match.log[self.ply].player not in loaded.seats:
            return False
        try:
            return loaded.match.at(self.ply).read(self.move) == loaded.match.log[self.ply].move
        except ParlourError:
            return False


@dataclass(frozen=True)
class TakeBack:
    """Take back up to one's last choice: at once, against a computer or on one device."""

    ply: int

    def apply_to(self, loaded: LoadedMatch) -> Change | None:
        TAKING_BACK.check_holder(loaded)
        if was_done(loaded, self.ply, UNDO):
            return None
        check_ply(loaded, self.ply)
        TAKING_BACK.check_moment(loaded)
        return Change(after_take_back(loaded.match, loaded.seats))


@dataclass(frozen=True)
class DealNextRound:
    """Deal the next round."""

    ply: int

    def apply_to(self, loaded: LoadedMatch) -> Change | None:
        DEALING.check_holder(loaded)
        if was_done(loaded, self.ply, DEAL):  # the other player was quicker, or it is sent twice
            return None
        check_ply(loaded, self.ply)
        DEALING.check_moment(loaded)
        return Change(after_deal(loaded.match))


@dataclass(frozen=True)
class Resign:
    """Give the match up."""

    player: PlayerNumber | None = None  # one of two players on one device; otherwise one's own

    def apply_to(self, loaded: LoadedMatch) -> Change | None:
        RESIGNING.check_holder(loaded)
        if loaded.match.resigned in loaded.seats:
            return None
        if self.player is not None and self.player not in loaded.seats:
            raise SeatWrong("this is not your seat to resign")
        RESIGNING.check_moment(loaded)
        match = loaded.match.copy()
        own = match.turn if match.turn in loaded.seats else loaded.seats[0]
        match.resign(own if self.player is None else self.player)
        return Change(match)


@dataclass(frozen=True)
class Rename:
    """Go by another name."""

    name: str
    player: PlayerNumber | None = None  # one of two players on one device; otherwise one's own
    seq: int | None = None  # of the state that this answers; None: of whichever

    def apply_to(self, loaded: LoadedMatch) -> Change | None:
        RENAMING.check_holder(loaded)
        player = loaded.seats[0] if self.player is None else self.player
        if player not in loaded.seats:
            raise SeatWrong("this is not your name to change")
        RENAMING.check_moment(loaded)
        if loaded.match.names[player - 1] == self.name:
            return None
        check_seq(loaded, self.seq)
        return Change(_renamed(loaded.match, player, self.name), loaded.offer)


@dataclass(frozen=True)
class RenewSeat:
    """Have another secret for one's seats; the one that was shown with the request fits none from then on."""

    secret: str

    def apply_to(self, loaded: LoadedMatch) -> Change | None:
        RENEWING.check_holder(loaded)
        RENEWING.check_moment(loaded)
        if all(secret_fits(self.secret, loaded.stored.seat_hash(player)) for player in loaded.seats):
            return None
        return Change(loaded.match, loaded.offer, renewed=dict.fromkeys(loaded.seats, hash_secret(self.secret)))


@dataclass(frozen=True)
class Delete:
    """Let nothing be left of the match: at once, by whoever needs to ask nobody."""

    def apply_to(self, loaded: LoadedMatch) -> Change | None:
        DELETING.check_holder(loaded)
        DELETING.check_moment(loaded)
        return Change(loaded.match, deletes=True)


# What computers do. Nobody's right is needed: only the server gives these commands.


@dataclass(frozen=True)
class ComputerMove:
    """Play the move that a computer has chosen at this ply; nothing if the match has gone on meanwhile."""

    move: str | None  # None: it resigns
    ply: int

    def apply_to(self, loaded: LoadedMatch) -> Change | None:
        if loaded.ply != self.ply or not loaded.computer_to_move:
            return None
        if self.move is not None:
            return Change(_after_move(loaded.match, self.move))
        match = loaded.match.copy()
        match.resign(match.turn)
        return Change(match)


@dataclass(frozen=True)
class ReplaceComputer:
    """Let an easier computer play on, for one that found no proof at this ply; the record says so."""

    failed: str
    ply: int

    def apply_to(self, loaded: LoadedMatch) -> Change | None:
        match = loaded.match
        turn = match.turn
        if loaded.ply != self.ply or not loaded.computer_to_move or match.setup.players[turn - 1] != self.failed:
            return None
        return Change(match.with_setup(players.hand_over(match.setup, turn)))


# What commands are made of.


def was_done(loaded: LoadedMatch, ply: int, kind: str) -> bool:
    """Whether this kind of action is what was done at this ply: then whoever asks for it again has it."""
    return 0 <= ply < loaded.ply and loaded.match.log[ply].kind == kind


def _after_move(match: Match, move: str) -> Match:
    match = match.copy()
    match.play(match.read(move))
    pass_while_stuck(match)
    return match


def after_take_back(match: Match, seats: tuple[PlayerNumber, ...]) -> Match:
    """The match without the last choice that one of these seats made, and without what followed it."""
    match = match.copy()
    last = match.last_choice(seats)
    for _ in match.round.moves[last:]:
        match.undo()
    return match


def after_deal(match: Match) -> Match:
    """The match with its next round dealt."""
    match = match.copy()
    match.next_round()
    pass_while_stuck(match)
    return match


def _renamed(match: Match, player: PlayerNumber, name: str) -> Match:
    check_new_name(name)
    if name in DEFAULT_NAMES and name != DEFAULT_NAMES[player - 1]:
        raise BadName(f"bad name {name!r}; the other player has that name")
    names = (name, match.names[1]) if player == 1 else (match.names[0], name)
    return match.with_setup(replace(match.setup, names=names))
