"""Limits on the size of a match, so that every match loads quickly."""

from __future__ import annotations

from collections.abc import Sequence

from parlour import record
from parlour.errors import BadRecord
from parlour.match import Match
from parlour.service.errors import MatchFull

MAX_ACTIONS = 1000  # actions in a match
MAX_ROUND_MOVES = 300  # moves in a round; a replay shows each of them
MAX_MOVE_CHARACTERS = 16_000  # characters of all moves; numbers without a limit grow long
MAX_TAG_CHARACTERS = 4_000  # characters of the tags of an imported record


def is_full(match: Match, lines: Sequence[str]) -> bool:
    """Return whether a match with these lines can only be ended."""
    return (
        len(match.log) >= MAX_ACTIONS
        or len(match.round.moves) >= MAX_ROUND_MOVES
        or sum(map(len, lines)) >= MAX_MOVE_CHARACTERS
    )


def check_moves(moves: Sequence[str]) -> None:
    """Raise MatchFull if a new match cannot begin with these moves."""
    if sum(map(len, moves)) > MAX_MOVE_CHARACTERS:
        raise MatchFull("these moves do not fit into a match; give fewer")


def check_record(text: str) -> None:
    """Raise BadRecord if a text is longer than the record of any match can be, before it is replayed."""
    record.check_length(text)
    stripped = [line.strip() for line in text.split("\n")]
    # The tags are not counted, because an unfinished match drops some of them.
    end = stripped.index("") if "" in stripped else len(stripped)
    lines = [line for line in stripped[end:] if line]
    numbers = (line.partition(".")[0] for line in lines)  # the number of the move in its round
    longest = max((int(number) for number in numbers if number.isdecimal() and len(number) < 10), default=0)
    if len(lines) > MAX_ACTIONS or longest > MAX_ROUND_MOVES or sum(map(len, lines[:-2])) >= MAX_MOVE_CHARACTERS:
        raise _too_long()


def check_import(match: Match) -> None:
    """Raise BadRecord if the match of a record is too large."""
    longest = max(len(round.moves) for round in match.rounds)
    # The last move may exceed the limit, and a resignation may follow it: every exported record can be imported.
    characters = sum(map(len, record.lines(match)[:-2]))
    if len(match.log) > MAX_ACTIONS or longest > MAX_ROUND_MOVES or characters >= MAX_MOVE_CHARACTERS:
        raise _too_long()
    if len(record.head(match)) > MAX_TAG_CHARACTERS:
        raise BadRecord(f"the tags of the record are too long; at most {MAX_TAG_CHARACTERS:,} characters together")


def _too_long() -> BadRecord:
    return BadRecord(
        f"the record is too long; at most {MAX_ACTIONS:,} lines below its tags, {MAX_ROUND_MOVES} moves in a "
        f"round, and {MAX_MOVE_CHARACTERS:,} characters of moves"
    )
