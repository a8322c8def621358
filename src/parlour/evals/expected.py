"""What random and perfect play can expect of an instance: exactly, over every game that can come of it."""

from __future__ import annotations

from typing import NamedTuple

from parlour.evals.chances import Chooser, chooser
from parlour.evals.known import Known
from parlour.evals.sums import Sums
from parlour.game import P
from parlour.options import O
from parlour.score import Value

POINTS = {Value.WIN: 1.0, Value.DRAW: 0.5, Value.LOSS: 0.0}


class Graded(NamedTuple):
    """A turn of a player, as it is counted."""

    decisions: int
    regret: int
    critical: int
    held: int


NOT_COUNTED = Graded(0, 0, 0, 0)


def grade(known: Known[O, P], position: P, move: int | None) -> Graded:
    """What a move gave away; None: the player forfeited the game instead.

    What counts is a turn with more than one move in a position that is not lost, and that somebody can still win.
    """
    before, legal = known.value(position), known.moves(position)
    if len(legal) < 2 or before is Value.LOSS or known.rules.settled(position):
        return NOT_COUNTED
    after = Value.LOSS if move is None else next(each.score.value for each in legal if each.move == move)
    critical = known.wrong(position) > 0
    return Graded(1, before - after, critical, critical and after == before)


def started(value: Value) -> Sums:
    """A game that has begun with a position of this value for the model."""
    return Sums(
        games=1,
        won_starts=float(value is Value.WIN),
        drawn_starts=float(value is Value.DRAW),
        lost_starts=float(value is Value.LOSS),
    )


def ended(start: Value, end: Value) -> Sums:
    """What the end of a game adds, which has begun with a position of this value for the model."""
    return Sums(
        points=POINTS[end],
        converted=float(start is Value.WIN and end is Value.WIN),
        saved=float(start is Value.DRAW and end is not Value.LOSS),
        escaped=float(start is Value.LOSS and end is not Value.LOSS),
    )


class _Prospect(NamedTuple):
    """What is added up position by position: how the game ends, and the turns of the model."""

    won: float
    drawn: float
    asked: float
    decisions: float
    regret: float
    critical: float
    held: float


def expect(known: Known[O, P], position: P, *, mine: bool, model: str, opponent: str) -> Sums:
    """What a graded player can expect of a game from a position on against another; ``mine``: it is to move."""
    seen: dict[tuple[P, bool], list[float]] = known.expected.setdefault((model, opponent), {})
    choose: dict[bool, Chooser[O, P]] = {True: chooser(model), False: chooser(opponent)}

    def follow(position: P, mine: bool) -> list[float]:
        found = seen.get((position, mine))
        if found is None:
            found = seen[position, mine] = look(position, mine)
        return found

    def look(position: P, mine: bool) -> list[float]:
        legal = known.moves(position)
        if not legal:
            value = known.value(position) if mine else known.value(position).for_opponent()
            return [*_Prospect(value is Value.WIN, value is Value.DRAW, 0, 0, 0, 0, 0)]
        chances = choose[mine](known, position)
        sums = [0.0] * len(_Prospect._fields)
        for move, after, _ in legal:
            chance = chances[move]
            if chance:
                for at, amount in enumerate(follow(after, not mine)):
                    sums[at] += chance * amount
                if mine and len(legal) > 1:
                    sums[2] += chance
                    for at, amount in enumerate(grade(known, position, move), 3):
                        sums[at] += chance * amount
        return sums

    found = _Prospect(*follow(position, mine))
    start = known.value(position) if mine else known.value(position).for_opponent()
    sums = started(start).plus(ended(start, Value.WIN), found.won).plus(ended(start, Value.DRAW), found.drawn)
    return sums._replace(
        asked=found.asked,
        readable=found.asked,
        legal=found.asked,
        decisions=found.decisions,
        regret=found.regret,
        critical=found.critical,
        held=found.held,
    )
