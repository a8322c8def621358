"""New matches: with a friend, with a computer, on one device, from a record, and rematches."""

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

ID_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # no two look alike
ID_LENGTH = 10
MAX_DATE_CHARACTERS = 40  # maximum length of the date of an unfinished record; the rest is cut off
FIRST: dict[str, PlayerNumber] = {"me": 1, "1": 1, "you": 2, "2": 2}  # the player who begins; otherwise random

Names = tuple[str | None, str | None]  # None: the default name
SeatHashes = tuple[bytes | None, bytes | None]


class MatchRequest(NamedTuple):
    """The parameters of a new match."""

    game: str
    options: Mapping[str, str]
    moves: tuple[str, ...] = ()  # the first moves
    key: str | None = None  # the client's idempotency key: the same key gives the same match


@dataclass(frozen=True)
class SeatedMatch:
    """A match and the client's secrets, of which only hashes are stored."""

    loaded: LoadedMatch
    seat: str | None  # the secret of the client's seat; None: no seat
    invitation: str | None = None  # the secret for the other seat


def new_id(key: str | None = None) -> str:
    """Return a random id for a match; with a ``key``, always the same."""
    number, letters = int.from_bytes(secret_bytes(key, "id")), len(ID_LETTERS)
    return "".join(ID_LETTERS[number // letters**place % letters] for place in range(ID_LENGTH))


def is_id(text: str) -> bool:
    """Return whether a text has the form of an id."""
    return len(text) == ID_LENGTH and set(text) <= set(ID_LETTERS)


def match_with_friend(request: MatchRequest, name: str | None, first: str) -> SeatedMatch:
    """Return a new match with an invitation for the second player."""
    seat, invitation = new_secret(request.key, "seat"), new_secret(request.key, "invitation")
    match = _begin(request, (name, None), (HUMAN, HUMAN), first)
    stored = _new(match, FRIEND, (hash_secret(seat), None), hash_secret(invitation), request.key)
    return SeatedMatch(LoadedMatch(stored, match, (1,)), seat, invitation)


def match_with_computer(request: MatchRequest, name: str | None, level: str, first: str) -> SeatedMatch:
    """Return a new match against a computer. Raises UnknownPlayer for an unknown level."""
    offered = [kind.word for kind in players.offered()]
    if level not in offered:
        raise UnknownPlayer(f"unknown level {clip(level)!r}; known levels: {', '.join(offered)}")
    seat = new_secret(request.key, "seat")
    match = _begin(request, (name, "Computer"), (HUMAN, level), first)
    stored = _new(match, COMPUTER, (hash_secret(seat), None), key=request.key)
    return SeatedMatch(LoadedMatch(stored, match, (1,)), seat)


def match_on_one_device(request: MatchRequest, names: Names, first: str) -> SeatedMatch:
    """Return a new match in which one secret opens both seats."""
    return _on_one_device(_begin(request, names, (HUMAN, HUMAN), first), request.key)


def match_of_record(text: str, key: str | None = None) -> SeatedMatch:
    """Return the match of a record. Raises BadRecord if the text is not a valid record.

    A finished match is imported for viewing. An unfinished one can be resumed: people replace all players, because a
    record must not start programs, a new secret seed determines the next deals, and the match is no longer strict,
    because the page has no strict games.
    """
    check_record(text)
    match = record.read_record(text)
    if match.outcome is None:
        setup = match.setup
        date = setup.date[:MAX_DATE_CHARACTERS]
        match = match.with_setup(replace(setup, players=(HUMAN, HUMAN), seed=new_seed(), date=date, strict=False))
    check_import(match)
    if match.outcome is None:
        return _on_one_device(match, key)
    return SeatedMatch(LoadedMatch(_new(match, RECORD, (None, None), key=key), match), None)


def seated_import(id: str, kind: str, head: str, lines: tuple[str, ...], over: bool, seat: str | None) -> SeatedMatch:
    """Return the match of a record from the parts that ``match_of_record`` computed in another process."""
    match = record.read_record("\n".join((head, *lines)))
    owner = hash_secret(seat) if seat is not None else None
    stored = replace(_new(match, kind, (owner, owner)), id=id, head=head, lines=lines, over=over)
    return SeatedMatch(LoadedMatch(stored, match, () if seat is None else PLAYERS), seat)


def rematch_of(loaded: LoadedMatch) -> StoredMatch:
    """Return a rematch. The players keep their secrets and swap seats."""
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


def _begin(request: MatchRequest, names: Names, player_words: tuple[str, str], first: str) -> Match:
    game = catalog.find_game(request.game)
    options = read_rules(game, request.options).options
    full_names = (names[0] or DEFAULT_NAMES[0], names[1] or DEFAULT_NAMES[1])
    check_new_names(full_names)
    begins: PlayerNumber = FIRST.get(first) or PLAYERS[secret_bytes()[0] % 2]
    match = Match(Setup(Rules(game, options), full_names, player_words, begins, new_seed(), date=new_date()))
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
