"""Commands: pure functions from a loaded match to a change.

A command does not access the store and does not modify the loaded match. It first checks the client's seat
(``rights``). If the command has been executed before, nothing changes. Then it checks the ply and the moment, and
changes a copy of the match.
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
    """A change of a match."""

    match: Match  # the match after the change
    offer: Offer | None = None  # the pending offer after the change; a move cancels it
    joined: bytes | None = None  # the hash of the secret for the free seat; closes the invitation
    following: StoredMatch | None = None  # the rematch, stored in the same transaction
    renewed: dict[PlayerNumber, bytes] = field(default_factory=dict)  # the hashes of new secrets
    deletes: bool = False  # whether the match is deleted

    def applied_to(self, loaded: LoadedMatch, now: float) -> StoredMatch:
        """Return the next stored state of the match; ``now`` is in seconds since 1970."""
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
    """A command for a match."""

    def apply_to(self, loaded: LoadedMatch) -> Change | None:
        """Return the change, or None if the command was executed before. Raises ParlourError if it is refused."""
        ...


def stored_head(match: Match) -> str:
    """Return the tags of a match at its beginning; its lines have the outcome."""
    return record.head(match.at(0))


def pass_while_stuck(match: Match) -> None:
    """Play all forced passes."""
    while match.stuck:
        match.play(PASS)


@dataclass(frozen=True)
class Join:
    """Take the seat of an invitation. Joining again with the same secret changes nothing."""

    invitation: str
    secret: str  # the new secret of the seat
    name: str | None = None

    def apply_to(self, loaded: LoadedMatch) -> Change | None:
        stored, match = loaded.stored, loaded.match
        if any(secret_fits(self.secret, stored_hash) for stored_hash in stored.seat_hashes):
            return None
        if stored.invitation_hash is None:
            raise SeatTaken("another player has taken this seat already; you can watch")
        if not secret_fits(self.invitation, stored.invitation_hash):
            raise SeatWrong("this invitation does not fit the match; ask for the whole link")
        if self.name:
            match = _renamed(match, loaded.free_seats[0], self.name)
        return Change(match, joined=hash_secret(self.secret))


@dataclass(frozen=True)
class Play:
    """Play a move, given by its name, at a ply. Idempotent."""

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
        """Return whether the client has played this move at this ply before."""
        if not was_done(loaded, self.ply, MOVE) or loaded.match.log[self.ply].player not in loaded.seats:
            return False
        try:
            return loaded.match.at(self.ply).read(self.move) == loaded.match.log[self.ply].move
        except ParlourError:
            return False


@dataclass(frozen=True)
class TakeBack:
    """Take back the client's last choice. Needs no consent against a computer or on one device."""

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
        if was_done(loaded, self.ply, DEAL):  # the other player or an earlier request was faster
            return None
        check_ply(loaded, self.ply)
        DEALING.check_moment(loaded)
        return Change(after_deal(loaded.match))


@dataclass(frozen=True)
class Resign:
    """Resign the match."""

    player: PlayerNumber | None = None  # a player on a shared device; None: the client

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
    """Change a player's name."""

    name: str
    player: PlayerNumber | None = None  # a player on a shared device; None: the client
    seq: int | None = None  # the expected state of the match; None: any

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
    """Replace the secret of the client's seats. The old one becomes invalid."""

    secret: str

    def apply_to(self, loaded: LoadedMatch) -> Change | None:
        RENEWING.check_holder(loaded)
        RENEWING.check_moment(loaded)
        if all(secret_fits(self.secret, loaded.stored.seat_hash(player)) for player in loaded.seats):
            return None
        return Change(loaded.match, loaded.offer, renewed=dict.fromkeys(loaded.seats, hash_secret(self.secret)))


@dataclass(frozen=True)
class Delete:
    """Delete the match. Only for clients that need no consent."""

    def apply_to(self, loaded: LoadedMatch) -> Change | None:
        DELETING.check_holder(loaded)
        DELETING.check_moment(loaded)
        return Change(loaded.match, deletes=True)


# Commands of the server for computers. They need no permission.


@dataclass(frozen=True)
class ComputerMove:
    """Play the move that a computer chose at this ply. Does nothing if the match has changed since."""

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
    """Replace a computer that found no proof at this ply by an easier one, and record the change."""

    failed: str
    ply: int

    def apply_to(self, loaded: LoadedMatch) -> Change | None:
        match = loaded.match
        turn = match.turn
        if loaded.ply != self.ply or not loaded.computer_to_move or match.setup.players[turn - 1] != self.failed:
            return None
        return Change(match.with_setup(players.hand_over(match.setup, turn)))


# Helpers.


def was_done(loaded: LoadedMatch, ply: int, kind: str) -> bool:
    """Return whether an action of this kind was done at this ply, so that a repeated command changes nothing."""
    return 0 <= ply < loaded.ply and loaded.match.log[ply].kind == kind


def _after_move(match: Match, move: str) -> Match:
    match = match.copy()
    match.play(match.read(move))
    pass_while_stuck(match)
    return match


def after_take_back(match: Match, seats: tuple[PlayerNumber, ...]) -> Match:
    """Return the match before the last choice of these seats."""
    match = match.copy()
    last = match.last_choice(seats)
    for _ in match.round.moves[last:]:
        match.undo()
    return match


def after_deal(match: Match) -> Match:
    """Return the match with its next round dealt."""
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
