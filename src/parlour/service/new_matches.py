"""New matches: with a friend, with a computer, on one device, out of a record, and once more after one that is over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from time import time
from typing import NamedTuple

from parlour import catalog, players, record
from parlour.errors import GameOver, UnknownPlayer
from parlour.match import Match
from parlour.names import DEFAULT_NAMES, check_new_names
from parlour.players import HUMAN
from parlour.rules import Rules, read_rules
from parlour.secrets import hash_secret, new_secret, new_seed, secret_bytes
from parlour.service.capacity import check_import, check_moves, check_record
from parlour.service.commands import pass_while_stuck, stored_head
from parlour.service.loaded import COMPUTER, FRIEND, LOCAL, RECORD, LoadedMatch
from parlour.setup import Setup, new_date
from parlour.store import StoredMatch
from parlour.text import clip
from parlour.view import PLAYERS, PlayerNumber

ID_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # none that looks like another
ID_LENGTH = 10
MOST_DATE_CHARACTERS = 40  # that are taken over from the record of an unfinished match
FIRST: dict[str, PlayerNumber] = {"me": 1, "1": 1, "you": 2, "2": 2}  # the player who begins; anything else: a toss

Names = tuple[str | None, str | None]  # None: the usual one
SeatHashes = tuple[bytes | None, bytes | None]


class MatchRequest(NamedTuple):
    """What is to be played."""

    game: str
    options: Mapping[str, str]
    moves: tuple[str, ...] = ()  # already played
    key: str | None = None  # a secret of whoever asks: the same again is the same match, and not another


@dataclass(frozen=True)
class SeatedMatch:
    """A match, and the secrets of whoever made it or sat down at it. They are stored nowhere."""

    loaded: LoadedMatch
    seat: str | None  # None: nobody sits there
    invitation: str | None = None  # for the other seat


def new_id(key: str | None = None) -> str:
    """A public name for a match; out of a ``key`` always the same."""
    number, letters = int.from_bytes(secret_bytes(key, "id")), len(ID_LETTERS)
    return "".join(ID_LETTERS[number // letters**place % letters] for place in range(ID_LENGTH))


def is_id(text: str) -> bool:
    """Whether a match can go by this name."""
    return len(text) == ID_LENGTH and set(text) <= set(ID_LETTERS)


def match_with_friend(request: MatchRequest, name: str | None, first: str) -> SeatedMatch:
    """A match that waits for whoever takes the invitation."""
    seat, invitation = new_secret(request.key, "seat"), new_secret(request.key, "invitation")
    match = _begin(request, (name, None), (HUMAN, HUMAN), first)
    stored = _new(match, FRIEND, (hash_secret(seat), None), hash_secret(invitation), request.key)
    return SeatedMatch(LoadedMatch(stored, match, (1,)), seat, invitation)


def match_with_computer(request: MatchRequest, name: str | None, level: str, first: str) -> SeatedMatch:
    """A match with a computer in the other seat; UnknownPlayer if there is none of this level."""
    offered = [kind.word for kind in players.offered()]
    if level not in offered:
        raise UnknownPlayer(f"unknown level {clip(level)!r}; known levels: {', '.join(offered)}")
    seat = new_secret(request.key, "seat")
    match = _begin(request, (name, "Computer"), (HUMAN, level), first)
    stored = _new(match, COMPUTER, (hash_secret(seat), None), key=request.key)
    return SeatedMatch(LoadedMatch(stored, match, (1,)), seat)


def match_on_one_device(request: MatchRequest, names: Names, first: str) -> SeatedMatch:
    """A match in which one secret has both seats."""
    return _on_one_device(_begin(request, names, (HUMAN, HUMAN), first), request.key)


def match_of_record(text: str, key: str | None = None) -> SeatedMatch:
    """The match of a record; BadRecord if it is none.

    One that is over is taken as it is, to be looked at. Any other can be played on here: what was done in it stays, but
    whoever chose the moves then, people do now, for a record must not start programs; and what is dealt next follows
    from a new secret seed. The page has no strict games, so the match isn't one from here on.
    """
    check_record(text)
    match = record.read_record(text)
    if match.outcome is None:
        setup = match.setup
        date = setup.date[:MOST_DATE_CHARACTERS]
        match = match.with_setup(replace(setup, players=(HUMAN, HUMAN), seed=new_seed(), date=date, strict=False))
    check_import(match)
    if match.outcome is None:
        return _on_one_device(match, key)
    return SeatedMatch(LoadedMatch(_new(match, RECORD, (None, None), key=key), match), None)


def seated_import(id: str, kind: str, head: str, lines: tuple[str, ...], over: bool, seat: str | None) -> SeatedMatch:
    """The match of a record that ``match_of_record`` has made elsewhere, out of what it said of it."""
    match = record.read_record("\n".join((head, *lines)))
    owner = hash_secret(seat) if seat is not None else None
    stored = replace(_new(match, kind, (owner, owner)), id=id, head=head, lines=lines, over=over)
    return SeatedMatch(LoadedMatch(stored, match, () if seat is None else PLAYERS), seat)


def rematch_of(loaded: LoadedMatch) -> StoredMatch:
    """The same again: the same players with the same secrets, in each other's place."""
    stored, setup = loaded.stored, loaded.match.setup
    one, two = setup.names
    swapped = replace(
        setup,
        names=(
            DEFAULT_NAMES[0] if two == DEFAULT_NAMES[1] else two,
            DEFAULT_NAMES[1] if one == DEFAULT_NAMES[0] else one,
        ),
        players=(setup.players[1], setup.players[0]),
        seed=new_seed(),
        date=new_date(),
    )
    match = Match(swapped)
    pass_while_stuck(match)
    return _new(match, stored.kind, (stored.seat_hashes[1], stored.seat_hashes[0]))


def _begin(request: MatchRequest, names: Names, choosers: tuple[str, str], first: str) -> Match:
    game = catalog.find_game(request.game)
    options = read_rules(game, request.options).options
    called = (names[0] or DEFAULT_NAMES[0], names[1] or DEFAULT_NAMES[1])
    check_new_names(called)
    begins: PlayerNumber = FIRST.get(first) or PLAYERS[secret_bytes()[0] % 2]
    match = Match(Setup(Rules(game, options), called, choosers, begins, new_seed(), date=new_date()))
    match.play_line(request.moves)
    pass_while_stuck(match)
    check_moves(request.moves)
    if request.moves and match.outcome is not None:
        raise GameOver("the game is over after these moves: there is nothing left to play")
    return match


def _on_one_device(match: Match, key: str | None) -> SeatedMatch:
    seat = new_secret(key, "seat")
    stored = _new(match, LOCAL, (hash_secret(seat), hash_secret(seat)), key=key)
    return SeatedMatch(LoadedMatch(stored, match, PLAYERS), seat)


def _new(
    match: Match,
    kind: str,
    seat_hashes: SeatHashes,
    invitation_hash: bytes | None = None,
    key: str | None = None,
) -> StoredMatch:
    now = time()
    return StoredMatch(
        id=new_id(key),
        seq=1,
        kind=kind,
        head=stored_head(match),
        lines=tuple(record.lines(match)),
        seat_hashes=seat_hashes,
        invitation_hash=invitation_hash,
        offer="",
        rematch="",
        over=match.outcome is not None,
        created_at=now,
        changed_at=now,
    )
