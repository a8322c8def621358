"""How much one match can hold, so that no match can grow until loading it takes long."""

from __future__ import annotations

from collections.abc import Sequence

from parlour import record
from parlour.errors import BadRecord
from parlour.match import Match
from parlour.service.errors import MatchFull

MOST_ACTIONS = 1000  # in one match
MOST_ROUND_MOVES = 300  # in one of its rounds: a replay shows each of them
MOST_MOVE_CHARACTERS = 16_000  # that all its moves may have; numbers without a limit grow long
MOST_TAG_CHARACTERS = 4_000  # that the tags of an imported record may have


def is_full(match: Match, lines: Sequence[str]) -> bool:
    """Whether no more can be done in a match with these lines, but to end it."""
    return (
        len(match.log) >= MOST_ACTIONS
        or len(match.round.moves) >= MOST_ROUND_MOVES
        or sum(map(len, lines)) >= MOST_MOVE_CHARACTERS
    )


def check_moves(moves: Sequence[str]) -> None:
    """MatchFull if a new match cannot begin with these moves."""
    if sum(map(len, moves)) > MOST_MOVE_CHARACTERS:
        raise MatchFull("these moves are more than a match can hold; begin earlier")


def check_record(text: str) -> None:
    """BadRecord if a text is longer than the record of any match that can be held, before any of it is replayed."""
    record.check_length(text)
    every = [line.strip() for line in text.split("\n")]
    end = every.index("") if "" in every else len(every)  # of the tags; those of an unfinished match are not all kept
    lines = [line for line in every[end:] if line]
    numbers = (line.partition(".")[0] for line in lines)  # each move has its number in the round
    longest = max((int(number) for number in numbers if number.isdecimal() and len(number) < 10), default=0)
    if len(lines) > MOST_ACTIONS or longest > MOST_ROUND_MOVES or sum(map(len, lines[:-2])) >= MOST_MOVE_CHARACTERS:
        raise _too_long()


def check_import(match: Match) -> None:
    """BadRecord if the match of a record is more than one can hold."""
    longest = max(len(round.moves) for round in match.rounds)
    # A last move may go beyond that, and a resignation may follow: what was exported here can be imported again.
    characters = sum(map(len, record.lines(match)[:-2]))
    if len(match.log) > MOST_ACTIONS or longest > MOST_ROUND_MOVES or characters >= MOST_MOVE_CHARACTERS:
        raise _too_long()
    if len(record.head(match)) > MOST_TAG_CHARACTERS:
        raise BadRecord(f"the tags of the record are too long; at most {MOST_TAG_CHARACTERS:,} characters together")


def _too_long() -> BadRecord:
    return BadRecord(
        f"the record is too long; at most {MOST_ACTIONS:,} lines below its tags, {MOST_ROUND_MOVES} moves in a "
        f"round, and {MOST_MOVE_CHARACTERS:,} characters of moves"
    )
