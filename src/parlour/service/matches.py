"""The match service: sets up matches, seats players, and sees that what they do is stored before anyone hears of it.

Every change goes the same way: load the match, replay it through the referee, do the one thing, write it on condition
that nobody was quicker; if somebody was, look again. So there is no match in memory that could differ from the one in
the store, several processes can share one store, and a process can be killed at any moment.

A seat is a secret, of which only the SHA-256 is kept. Everything here is synchronous; the routes call it from threads.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, NamedTuple

from parlour import catalog, players, record, referee
from parlour.errors import (
    BadName,
    BadRecord,
    Busy,
    GameOver,
    MatchFull,
    MatchWaiting,
    NoOffer,
    NoSuchMatch,
    NothingToUndo,
    NotOnOffer,
    NotYourTurn,
    OfferPending,
    SeatNeeded,
    SeatTaken,
    SeatWrong,
    StaleMove,
    UnknownPlayer,
)
from parlour.game import PASS
from parlour.match import DEAL, MOVE, UNDO, Match, Setup, check_name, check_names
from parlour.players import HUMAN
from parlour.service.loaded import LoadedMatch
from parlour.store import IdTaken, Lifetimes, Store, StoredMatch

FRIEND, COMPUTER, LOCAL, RECORD = "friend", "computer", "local", "record"
NEXT, REMATCH = "next", "rematch"  # what can be offered, besides UNDO
LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # of public names: none that looks like another
PUBLIC_LENGTH = 10
SECRET_BYTES = 16
MOST_ACTIONS = 1000  # in one match
MOST_PLIES = 300  # in one of its rounds: a replay shows each of them
MOST_TEXT = 16_000  # characters that all its moves may have; numbers without a limit grow long
LONGEST_DATE = 40  # characters of it that are kept of a record
TRIES = 20  # to write a change while others write theirs
USUAL_NAMES = ("Player 1", "Player 2")


class MatchRequest(NamedTuple):
    """What a match is to be."""

    game: str
    options: Mapping[str, str]
    moves: tuple[str, ...] = ()  # already played


def digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()


def fits(secret: str, kept: bytes | None) -> bool:
    """Whether this is the secret whose digest is kept; takes as long for any wrong one."""
    return kept is not None and hmac.compare_digest(digest(secret), kept)


class MatchService:
    """All matches of one store."""

    def __init__(self, store: Store, lifetimes: Lifetimes | None = None) -> None:
        self.store = store
        self.lifetimes = lifetimes or Lifetimes()

    # Looking.

    def load(self, id: str, secret: str | None = None) -> LoadedMatch:
        """A match as it stands; NoSuchMatch, or SeatWrong if the secret fits no seat of it."""
        kept = self.store.load(id) if len(id) == PUBLIC_LENGTH and set(id) <= set(LETTERS) else None
        if kept is None:
            raise NoSuchMatch(f"no match goes by the name {referee.clip(id)!r}; it may have expired")
        match = record.read("\n".join((kept.head, *kept.lines)))
        return LoadedMatch(kept, match, self._seats(kept, secret))

    def export(self, id: str) -> tuple[LoadedMatch, str]:
        """The match and its record. As long as it goes on, what will be dealt is not to be read from it."""
        loaded = self.load(id)
        if loaded.match.outcome is not None:
            return loaded, record.write(loaded.match)
        hidden = loaded.match.with_setup(replace(loaded.match.setup, seed="secret until the match is over"))
        return loaded, record.write(hidden)

    def _seats(self, kept: StoredMatch, secret: str | None) -> tuple[int, ...]:
        if secret is None:
            return ()
        mine = tuple(seat for seat in (0, 1) if fits(secret, kept.seat_hashes[seat]))
        if not mine:
            raise SeatWrong("this secret fits no seat of the match; without one you can watch")
        return mine

    def seats_present(self, id: str) -> frozenset[int]:
        """The seats whose players have a page open."""
        return self.store.seats_present(id)

    def expires_at(self, kept: StoredMatch) -> float:
        waiting, playing, over = self.lifetimes
        return kept.changed_at + (over if kept.over else waiting if kept.invitation_hash else playing)

    def can(self, loaded: LoadedMatch) -> list[str]:
        """What the players of these seats may do now."""
        kept, match, you = loaded.stored, loaded.match, loaded.seats
        status = loaded.status
        if not you:
            return []
        able = ["rename"]
        room = not _full(loaded)
        if status == "playing" and match.turn in you and not loaded.computer_to_move and room:
            able.append("move")
        if status in ("playing", "between"):
            able.append("resign")
        alone = kept.kind != FRIEND
        mine = room and match.resigned is None and match.last_choice(you) is not None
        settled = status == "playing" and match.game.settled(match.options, match.position) and not match.last_round
        if room and (status == "between" or (alone and settled)):
            able.append("next")
        if alone:
            if mine:
                able.append("undo")
            if status == "over":
                able.append("rematch")
        elif kept.offer:
            _, by = kept.offer.split()
            able += ["withdraw"] if int(by) - 1 in you else ["accept", "decline"]
        else:
            if mine and status == "playing":
                able.append("offer undo")
            if settled and room:
                able.append("offer next")
            if status == "over" and not kept.rematch:
                able.append("offer rematch")
        return able

    # Making matches.

    def invite(self, request: MatchRequest, name: str | None, first: str) -> tuple[LoadedMatch, str, str]:
        """An open challenge: the match, the challenger's secret and the invitation's."""
        seat, invitation = _secret(), _secret()
        match = self._set_up(request, (name, None), (HUMAN, HUMAN), first)
        loaded = self._add(match, FRIEND, (digest(seat), None), digest(invitation))
        return replace(loaded, seats=(0,)), seat, invitation

    def against_computer(
        self, request: MatchRequest, name: str | None, level: str, first: str
    ) -> tuple[LoadedMatch, str]:
        """A match with a computer in the other seat."""
        known = [kind.word for kind in players.offered()]
        if level not in known:
            raise UnknownPlayer(f"unknown level {referee.clip(level)!r}; known levels: {', '.join(known)}")
        seat = _secret()
        match = self._set_up(request, (name, "Computer"), (HUMAN, level), first)
        return replace(self._add(match, COMPUTER, (digest(seat), None)), seats=(0,)), seat

    def on_one_device(
        self, request: MatchRequest, names: tuple[str | None, str | None], first: str
    ) -> tuple[LoadedMatch, str]:
        """A match in which one secret has both seats."""
        seat = _secret()
        match = self._set_up(request, names, (HUMAN, HUMAN), first)
        return replace(self._add(match, LOCAL, (digest(seat), digest(seat))), seats=(0, 1)), seat

    def from_record(self, text: str) -> tuple[LoadedMatch, str | None]:
        """The match of a record: to be looked at, or played on here if it is not over."""
        read = record.read(text)
        longest = max(len(round.moves) for round in read.rounds)
        # A last move may go beyond that, and a resignation may follow: what was exported here can be imported again.
        moves = sum(map(len, record.lines(read)[:-2]))
        if len(read.log) > MOST_ACTIONS or longest > MOST_PLIES or moves >= MOST_TEXT:
            raise BadRecord(
                f"the record is too long; at most {MOST_ACTIONS:,} lines below its tags, {MOST_PLIES} moves in a "
                f"round, and {MOST_TEXT:,} characters of moves"
            )
        # Whoever chose the moves then, people do from here on: a record must not start programs. What is dealt next is
        # nobody's to know. All tags are written anew from what was read, of which only the date can be of any length.
        date = read.setup.date[:LONGEST_DATE]
        setup = replace(read.setup, players=(HUMAN, HUMAN), seed=_seed(), date=date)
        match = Match(setup, read.rounds[0].options)
        for action in read.log:
            match.repeat(action)
        if match.outcome is not None:
            return self._add(match, RECORD, (None, None)), None
        seat = _secret()
        return replace(self._add(match, LOCAL, (digest(seat), digest(seat))), seats=(0, 1)), seat

    def _set_up(
        self, request: MatchRequest, names: tuple[str | None, str | None], kinds: tuple[str, str], first: str
    ) -> Match:
        game = catalog.load(request.game)
        options = referee.choose_options(game, request.options)
        called = (names[0] or USUAL_NAMES[0], names[1] or USUAL_NAMES[1])
        check_names(called)
        begins = {"me": 0, "1": 0, "you": 1, "2": 1}.get(first, secrets.randbelow(2))
        match = Match(Setup(game, options, called, kinds, begins, _seed(), date=_now()))
        match.play_line(request.moves)
        _pass(match)
        if sum(map(len, request.moves)) > MOST_TEXT:
            raise MatchFull("these moves are more than a match can hold; begin earlier")
        if request.moves and match.outcome is not None:
            raise GameOver("the game is over after these moves: there is nothing left to play")
        return match

    def _add(
        self, match: Match, kind: str, seats: tuple[bytes | None, bytes | None], invitation: bytes | None = None
    ) -> LoadedMatch:
        while True:
            kept = self._new(match, kind, seats, invitation)
            try:
                self.store.add(kept)
            except IdTaken:  # another match has this name
                continue
            return LoadedMatch(kept, match)

    def _new(
        self, match: Match, kind: str, seats: tuple[bytes | None, bytes | None], invitation: bytes | None = None
    ) -> StoredMatch:
        now = time.time()
        return StoredMatch(
            id="".join(secrets.choice(LETTERS) for _ in range(PUBLIC_LENGTH)),
            seq=1,
            kind=kind,
            head=_head(match, match.setup),
            lines=tuple(record.lines(match)),
            seat_hashes=seats,
            invitation_hash=invitation,
            offer="",
            rematch="",
            over=match.outcome is not None,
            created_at=now,
            changed_at=now,
        )

    # Changing them.

    def _change(
        self,
        id: str,
        secret: str | None,
        step: Callable[[LoadedMatch], dict[str, Any] | None],
        also: list[StoredMatch] | None = None,
    ) -> LoadedMatch:
        """Do one thing to a match. ``step`` does it to the match and gives what else is to be kept; None: nothing."""
        also = [] if also is None else also
        for _ in range(TRIES):
            also.clear()
            loaded = self.load(id, secret)
            changed = step(loaded)
            if changed is None:
                return loaded
            kept, match, you = loaded.stored, loaded.match, loaded.seats
            after = replace(
                kept,
                seq=kept.seq + 1,
                lines=tuple(record.lines(match)),
                over=match.outcome is not None,
                changed_at=time.time(),
                **changed,
            )
            if self.store.replace(kept, after, also[0] if also else None):
                return LoadedMatch(after, match, you)
        raise Busy("too many changes to this match at once; try again")

    def join(self, id: str, invitation: str, name: str | None, seat: str | None) -> tuple[LoadedMatch, str]:
        """Take the seat that an invitation is for. Whoever joins again with the same ``seat`` has it already."""
        secret = seat or _secret()

        def step(loaded: LoadedMatch) -> dict[str, Any] | None:
            kept, match = loaded.stored, loaded.match
            if seat is not None and any(fits(seat, held) for held in kept.seat_hashes):
                return None
            if kept.invitation_hash is None:
                raise SeatTaken("somebody else has taken this seat already; you can watch")
            if not fits(invitation, kept.invitation_hash):
                raise SeatWrong("this invitation does not fit the match; ask for the whole link")
            free = kept.seat_hashes.index(None)
            seats = tuple(digest(secret) if place == free else held for place, held in enumerate(kept.seat_hashes))
            return {"invitation_hash": None, "seat_hashes": seats, **(_renamed(match, free, name) if name else {})}

        loaded = self._change(id, None, step)
        return replace(loaded, seats=self._seats(loaded.stored, secret)), secret

    def play(self, id: str, secret: str | None, text: str, ply: int) -> LoadedMatch:
        """Play the move that a text names, as an answer to what was done so far. Sent twice, it is played once."""

        def step(loaded: LoadedMatch) -> dict[str, Any] | None:
            match, you = loaded.match, loaded.seats
            _need(you)
            if self._played(loaded, text, ply):
                return None
            _up_to_date(loaded, ply)
            if match.turn not in you:
                raise NotYourTurn(f"it is {match.names[match.turn]}'s turn")
            match.play(match.read(text))
            _pass(match)
            return {"offer": ""}

        return self._change(id, secret, step)

    def _played(self, loaded: LoadedMatch, text: str, ply: int) -> bool:
        """Whether this very move was played at this place by whoever sends it again."""
        kept, match, you = loaded.stored, loaded.match, loaded.seats
        if not 0 <= ply < len(match.log) or match.log[ply].kind != MOVE or match.log[ply].seat not in you:
            return False
        before = record.read("\n".join((kept.head, *kept.lines[:ply])))
        try:
            return before.read(text) == match.log[ply].move
        except ValueError:
            return False

    def computer_plays(self, id: str, text: str | None, ply: int) -> LoadedMatch:
        """The computer's move, or its resignation; nothing if the match has gone on meanwhile."""

        def step(loaded: LoadedMatch) -> dict[str, Any] | None:
            match = loaded.match
            if len(match.log) != ply or not loaded.computer_to_move:
                return None
            if text is None:
                match.resign(match.turn)
            else:
                match.play(match.read(text))
                _pass(match)
            return {"offer": ""}

        return self._change(id, None, step)

    def computer_stands_in(self, id: str, ply: int, failed: str) -> LoadedMatch:
        """A computer found no move in time: from here on an easier one plays, and the record says so."""

        def step(loaded: LoadedMatch) -> dict[str, Any] | None:
            match = loaded.match
            if len(match.log) != ply or not loaded.computer_to_move or match.setup.players[match.turn] != failed:
                return None
            kinds = list(match.setup.players)
            kinds[match.turn] = players.find(kinds[match.turn]).stand_in
            match._setup = replace(match.setup, players=(kinds[0], kinds[1]))
            return {"head": _head(match, match.setup)}

        return self._change(id, None, step)

    def undo(self, id: str, secret: str | None, ply: int) -> LoadedMatch:
        """Take back up to one's last choice: at once, against a computer or on one device."""

        def step(loaded: LoadedMatch) -> dict[str, Any] | None:
            _need(loaded.seats)
            if loaded.stored.kind == FRIEND:
                raise NotOnOffer("a take-back needs your friend's consent: offer it")
            if _done(loaded, ply, UNDO):
                return None
            _up_to_date(loaded, ply, over=True)
            _take_back(loaded.match, loaded.seats)
            return {}

        return self._change(id, secret, step)

    def next_round(self, id: str, secret: str | None, ply: int) -> LoadedMatch:
        """Deal the next round."""

        def step(loaded: LoadedMatch) -> dict[str, Any] | None:
            _need(loaded.seats)
            if _done(loaded, ply, DEAL):  # the other player was quicker, or it is sent twice
                return None
            _up_to_date(loaded, ply, between=True)
            if loaded.stored.kind == FRIEND and not loaded.match.between_rounds:
                raise NotOnOffer("this round is not over: going on to the next needs your friend's consent, offer it")
            _deal(loaded.match)
            return {"offer": ""}

        return self._change(id, secret, step)

    def resign(self, id: str, secret: str | None, who: int | None) -> LoadedMatch:
        """Give the match up; ``who``: which of two people on one device."""

        def step(loaded: LoadedMatch) -> dict[str, Any] | None:
            match, you = loaded.match, loaded.seats
            _need(you)
            if match.resigned in you:
                return None
            if loaded.waiting:
                raise MatchWaiting("nobody has joined yet: there is nothing to resign")
            if who is not None and who not in you:
                raise SeatWrong("this is not your seat to resign")
            seat = who if who is not None else match.turn if match.turn in you else you[0]
            match.resign(seat)
            return {"offer": ""}

        return self._change(id, secret, step)

    def rename(self, id: str, secret: str | None, name: str, who: int | None) -> LoadedMatch:
        """Go by another name."""

        def step(loaded: LoadedMatch) -> dict[str, Any] | None:
            _need(loaded.seats)
            seat = loaded.seats[0] if who is None else who
            if seat not in loaded.seats:
                raise SeatWrong("this is not your name to change")
            return None if loaded.match.names[seat] == name else _renamed(loaded.match, seat, name)

        return self._change(id, secret, step)

    # Offers: one at a time, and any move puts an end to it.

    def offer(self, id: str, secret: str | None, kind: str, ply: int) -> LoadedMatch:
        """Ask the other player for something. If he asks for the same already, it is agreed."""
        also: list[StoredMatch] = []

        def step(loaded: LoadedMatch) -> dict[str, Any] | None:
            kept, match, you = loaded.stored, loaded.match, loaded.seats
            _need(you)
            if kept.kind != FRIEND:
                raise NotOnOffer("nobody needs to be asked here: just do it")
            mine = f"{kind} {you[0] + 1}"
            if kept.offer == mine or (kind == REMATCH and kept.rematch):  # offered already, or accepted
                return None
            _up_to_date(loaded, ply, over=True, between=True, adds=kind != REMATCH)
            if kept.offer == f"{kind} {2 - you[0]}":
                return self._agree(loaded, kind, 1 - you[0], also)
            if kept.offer:
                raise OfferPending("another offer is pending: answer it or withdraw it first")
            if kind == UNDO and match.last_choice(you) is None:
                raise NothingToUndo("there is no move of yours to take back")
            if f"offer {kind}" not in self.can(loaded):
                over = loaded.status != "playing"
                raise NotOnOffer(
                    {
                        UNDO: f"the {'round' if match.between_rounds else 'game'} is over: nothing can be taken back",
                        NEXT: "there is no need to ask for the next round now"
                        if over
                        else "this round is not over: somebody can still win it",
                        REMATCH: "a rematch can be offered when the game is over",
                    }[kind]
                )
            return {"offer": mine}

        return self._change(id, secret, step, also)

    def answer(self, id: str, secret: str | None, kind: str, answer: str, ply: int) -> LoadedMatch:
        """Accept, decline or withdraw the pending offer.

        Its kind is named, and the ply: so that none is mistaken for another, or for the same one made later.
        """
        also: list[StoredMatch] = []

        def step(loaded: LoadedMatch) -> dict[str, Any] | None:
            kept, you = loaded.stored, loaded.seats
            _need(you)
            by = you[0] if answer == "withdraw" else 1 - you[0]
            agreed = {UNDO: UNDO, NEXT: DEAL}.get(kind, "")
            if answer == "accept" and (_done(loaded, ply, agreed) or (kind == REMATCH and kept.rematch)):
                return None  # accepted already
            if answer != "accept" and not kept.offer and ply == len(loaded.match.log):
                return None  # there is none any more, which is what was wanted
            _up_to_date(loaded, ply, over=True, between=True, adds=kind != REMATCH)
            if kept.offer != f"{kind} {by + 1}":
                whose = "of yours " if answer == "withdraw" else ""
                raise NoOffer(f"no such offer {whose}is pending: it was withdrawn, answered or overtaken by a move")
            return self._agree(loaded, kind, by, also) if answer == "accept" else {"offer": ""}

        return self._change(id, secret, step, also)

    def _agree(self, loaded: LoadedMatch, kind: str, by: int, also: list[StoredMatch]) -> dict[str, Any]:
        if kind == UNDO:
            _take_back(loaded.match, (by,))
        elif kind == NEXT:
            _deal(loaded.match)
        else:
            return {"offer": "", **self._follow(loaded, also)}
        return {"offer": ""}

    def rematch(self, id: str, secret: str | None) -> LoadedMatch:
        """The same again with the seats swapped: at once, against a computer or on one device."""
        also: list[StoredMatch] = []

        def step(loaded: LoadedMatch) -> dict[str, Any] | None:
            _need(loaded.seats)
            if loaded.stored.rematch:
                return None
            if loaded.stored.kind == FRIEND:
                raise NotOnOffer("a rematch needs your friend's consent: offer it")
            if loaded.match.outcome is None:
                raise NotOnOffer("the game is not over: finish it, or resign")
            return self._follow(loaded, also)

        return self._change(id, secret, step, also)

    def _follow(self, loaded: LoadedMatch, also: list[StoredMatch]) -> dict[str, Any]:
        """The match after this one: the same players with the same secrets, in each other's place."""
        kept, setup = loaded.stored, loaded.match.setup
        names = tuple(
            USUAL_NAMES[seat] if setup.names[1 - seat] == USUAL_NAMES[1 - seat] else setup.names[1 - seat]
            for seat in (0, 1)
        )
        swapped = replace(
            setup,
            names=names,  # type: ignore[arg-type]
            players=(setup.players[1], setup.players[0]),
            seed=_seed(),
            date=_now(),
        )
        match = Match(swapped)
        _pass(match)
        also.append(self._new(match, kept.kind, (kept.seat_hashes[1], kept.seat_hashes[0])))
        return {"rematch": also[-1].id}


def _now() -> str:
    """The present moment, as records have it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _secret() -> str:
    return secrets.token_urlsafe(SECRET_BYTES)


def _seed() -> str:
    return str(secrets.randbits(32))


def _need(you: tuple[int, ...]) -> None:
    if not you:
        raise SeatNeeded("you are watching; this is for the players, whose secret goes with the request")


def _full(loaded: LoadedMatch) -> bool:
    """No more can be done in this match, but to end it."""
    kept, match = loaded.stored, loaded.match
    text = sum(map(len, kept.lines))
    return len(match.log) >= MOST_ACTIONS or len(match.round.moves) >= MOST_PLIES or text >= MOST_TEXT


def _done(loaded: LoadedMatch, ply: int, kind: str) -> bool:
    """Whether this kind of thing is what was done at this ply: then whoever asks for it again has it."""
    log = loaded.match.log
    return 0 <= ply < len(log) and log[ply].kind == kind


def _up_to_date(loaded: LoadedMatch, ply: int, *, over: bool = False, between: bool = False, adds: bool = True) -> None:
    """Refuse what comes too late, too early, or too often.

    ``over``, ``between``: it may be done then as well; ``adds``: it makes the match longer.
    """
    match = loaded.match
    if loaded.waiting:
        raise MatchWaiting("nobody has joined yet: send the invitation, the game begins when it is opened")
    if ply != len(match.log):
        raise StaleMove(f"the match has gone on since: it is at ply {len(match.log)}, this answers ply {ply}")
    if match.outcome is not None and not over:
        raise GameOver("the game is over")
    if match.between_rounds and not (between or over):
        raise GameOver("this round is over: go on to the next")
    if adds and _full(loaded):
        raise MatchFull("a match can hold no more moves and take-backs than this; resign it or begin another")


def _pass(match: Match) -> None:
    """A person is not asked for a pass: it is made at once, and shown as what it is."""
    while match.stuck:
        match.play(PASS)


def _take_back(match: Match, seats: tuple[int, ...]) -> None:
    """Take back up to the last choice that one of these seats made."""
    if match.resigned is not None:
        raise GameOver("the game is over: it was resigned")
    last = match.last_choice(seats)
    if last is None:
        raise NothingToUndo("there is no move of yours to take back")
    for _ in match.round.moves[last:]:
        match.undo()


def _deal(match: Match) -> None:
    match.next_round()
    _pass(match)


def _head(match: Match, setup: Setup) -> str:
    """The tags of a match at its beginning; the result is the store's to say."""
    return record.head(Match(setup, match.rounds[0].options))


def _renamed(match: Match, seat: int, name: str) -> dict[str, Any]:
    check_name(name)
    names = tuple(name if place == seat else other for place, other in enumerate(match.names))
    if name in USUAL_NAMES and name != USUAL_NAMES[seat]:
        raise BadName(f"bad name {name!r}; that is what the other seat is called")
    check_names(names)  # type: ignore[arg-type]
    renamed = replace(match.setup, names=names)  # type: ignore[arg-type]
    match._setup = renamed
    return {"head": _head(match, renamed)}


def expired(lifetimes: Lifetimes) -> str:
    """How long matches are kept, in words."""

    def days(seconds: float) -> str:
        number = round(seconds / 86400)
        return "a day" if number == 1 else f"{number} days"

    return (
        f"An invitation that nobody takes is kept for {days(lifetimes.waiting)}, an unfinished match for "
        f"{days(lifetimes.playing)} after anything last happened in it, a finished one for {days(lifetimes.over)}."
    )
