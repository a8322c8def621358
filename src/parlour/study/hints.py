"""Hints as a ladder: asked again at the same position, a hint tells one thing more.

1. how you stand: "You are winning."
2. how many of your moves keep that: "3 of 9 moves keep the win."
3. where to look: "One of them is between 11 and 20."
4. the move, and how soon it ends the game: "Play 12: it wins in 5 plies."

There it stays. A rung that would tell nothing is left out. ``hint_at`` gives any rung; a ``Ladder`` remembers which is
next. ``explain_move`` answers the other question: what is a move worth that somebody names, and which line of play
shows it?
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

from parlour import referee
from parlour.errors import GameOver, TooBig
from parlour.match import Match
from parlour.solver import Choice
from parlour.study.oracle import DRAW, LOSS, WIN, WORTH, Oracle, best_of, best_value, holding
from parlour.study.words import plies, told_line
from parlour.view import GRID

SECONDS = 10.0  # that a person waits for a hint at most
STANDING, COUNT, REGION, MOVE = 1, 2, 3, 4
FEWEST = 4  # moves there must be for a region to be worth telling


class Hint(NamedTuple):
    """One rung, with all that was told by the rungs below; None: not told yet, or there is nothing to tell."""

    rung: int
    text: str
    value: str  # "win", "draw" or "loss" for the player to move
    legal: int | None = None  # how many moves there are
    keeping: int | None = None  # how many of them keep the value
    region: str | None = None  # where to look
    move: int | None = None  # what to play
    plies: int | None = None  # until that ends the game


class Reason(NamedTuple):
    """What a move is worth, and the line of best play that follows it."""

    move: int
    value: str  # "win", "draw" or "loss" for the player who makes it
    keeps: bool  # no move is worth more
    plies: int | None  # until the game is over; None for a draw, or where it is not known
    line: list[int]  # after the move
    text: str


def hint_at(oracle: Oracle, match: Match, rung: int) -> Hint:
    """The hint at a rung, or at the next above it that tells something; GameOver, or what the oracle raises.

    The oracle is one for the options of this round.
    """
    if not match.legal:
        raise GameOver("the game is over: there is nothing to hint at")
    position = match.position
    if rung <= STANDING:
        value = oracle.value(position)
        return Hint(STANDING, _standing(match, value), value)
    choices = oracle.values(position)
    value, kept = best_value(choices), holding(choices)
    known = Hint(COUNT, "", value, len(choices), len(kept))
    if rung == COUNT and len(choices) > 1:
        return known._replace(text=_count(oracle, position, choices))
    try:
        choices = oracle.choices(position)
    except TooBig:  # the value is certain all the same
        if value == LOSS and len(choices) > 1:
            text = "Every move loses; which holds out longest could not be found out in time."
            return known._replace(rung=MOVE, text=text)
    best = best_of(choices)
    # What the region is about: the moves that keep the value, or where all do, the best of them.
    wanted = kept if value != LOSS and len(kept) < len(choices) else best
    region = _region(match, best[0]) if len(wanted) < len(choices) and len(choices) >= FEWEST else None
    if region is not None:
        where, inside = region
        known = known._replace(region=where)
        if rung <= REGION:
            return known._replace(rung=REGION, text=_where(where, wanted, inside))
    chosen = next(choice for choice in choices if choice.move == best[0])
    text = _move(match, chosen, len(choices), everything=len(best) == len(choices))
    return known._replace(rung=MOVE, text=text, move=chosen.move, plies=chosen.plies)


class Ladder:
    """The hints of one match. It remembers which rung was reached, and begins anew when anything is played."""

    def __init__(self, seconds: float = SECONDS, progress: Callable[[int], None] | None = None) -> None:
        self._seconds = seconds
        self._progress = progress
        self._known: dict[Any, Oracle] = {}  # by the options of the round
        self._at = -1  # how many actions the match had when the last hint was given
        self._rung = 0

    def hint(self, match: Match) -> Hint:
        """The next rung; TooBig, and the ladder stays where it was, if there is no exact answer in time."""
        if not match.legal:
            raise GameOver("the game is over: there is nothing to hint at")
        if self._at != len(match.log):
            self._at, self._rung = len(match.log), 0
        hint = hint_at(self._oracle(match), match, self._rung + 1)
        self._rung = hint.rung
        return hint

    def why(self, match: Match, text: str) -> Reason:
        """What the move that a text names is worth; what ``referee.read_move`` raises, or TooBig."""
        oracle = self._oracle(match)
        return explain_move(oracle, match, match.read(text))

    def _oracle(self, match: Match) -> Oracle:
        if match.options not in self._known:
            self._known[match.options] = Oracle(match.game, match.options, self._seconds, self._progress)
        return self._known[match.options]


def _standing(match: Match, value: str) -> str:
    if value == WIN:
        return "You are winning."
    if value == LOSS:
        return f"You are losing, but only if {match.names[1 - match.turn]} makes no mistake."
    return f"This {'round ' if match.game.rounds(match.options) is not None else ''}is a draw with best play."


def _count(oracle: Oracle, position: Any, choices: list[Choice]) -> str:
    value, kept, number = best_value(choices), holding(choices), len(choices)
    if len(kept) < number:
        return f"{len(kept):,} of {number:,} moves {'keeps' if len(kept) == 1 else 'keep'} the {value}."
    if value == DRAW:
        return f"{_all(number)} keep the draw: you cannot go wrong here."
    every = f"{_all(number)} {'lose' if value == LOSS else 'keep the win'}"
    try:
        best = best_of(oracle.choices(position))
    except TooBig:
        return f"{every}."
    if len(best) == number:
        return f"{every}, and equally soon."
    most = "holds out longest" if value == LOSS else "is the quickest"
    if len(best) > 1:
        most = "hold out longest" if value == LOSS else "are the quickest"
    return f"{every}; {len(best):,} of them {most}."


def _all(number: int) -> str:
    return "Both moves" if number == 2 else f"All {number:,} moves"


def _region(match: Match, move: int) -> tuple[str, list[int]] | None:
    """A part of the table in words that holds a move, and the moves in it; None if no part says less than the move.

    On a grid it is a row; elsewhere half of the moves in their own order.
    """
    legal = match.legal
    for group in match.game.view(match.moment):
        if group.shape == GRID:
            for number, row in enumerate(group.rows, 1):
                inside = [tile.move for tile in row if tile.move is not None and tile.move in legal]
                if move in inside:
                    return (f"in row {number}", inside) if len(inside) > 1 else None
    middle = len(legal) // 2
    half = legal[:middle] if legal.index(move) < middle else legal[middle:]
    first, last = (referee.name_move(match.game, match.options, end) for end in (half[0], half[-1]))
    return (f"between {first} and {last}", list(half)) if len(half) > 1 else None


def _where(region: str, wanted: list[int], inside: list[int]) -> str:
    if len(wanted) == 1:
        return f"It is {region}."
    return f"{'They are all' if set(wanted) <= set(inside) else 'One of them is'} {region}."


def _move(match: Match, choice: Choice, number: int, everything: bool) -> str:
    """``everything``: no move is better than another."""
    name = referee.name_move(match.game, match.options, choice.move)
    together = f"yours and {match.names[1 - match.turn]}'s counted together"
    play = f"Play {name}:" if number > 1 else f"{name} is your only move:"
    if everything and number > 1:
        play = f"No move is better than another. Play {name}:"
    if choice.value == DRAW:
        return f"{play} it keeps the draw."
    if choice.plies is None and choice.value == LOSS:
        return f"{play} it loses."
    if choice.plies is None:
        return f"{play} it keeps the win. How soon it wins could not be found out in time."
    if choice.plies == 1:
        return f"{play} it {'wins' if choice.value == WIN else 'loses'} at once."
    if choice.value == WIN:
        return f"{play} it wins in {plies(choice.plies)}, {together}."
    held = "holds out longest" if number > 1 and not everything else "loses"
    return f"{play} it {held}{',' if held != 'loses' else ' in'} {plies(choice.plies)}, {together}."


def explain_move(oracle: Oracle, match: Match, move: int) -> Reason:
    """What a legal move is worth, and the line of best play after it."""
    game, options, position = match.game, match.options, match.position
    after = game.play(options, position, move)
    choices = oracle.judged(position)
    line: list[int] = []
    with suppress(TooBig):  # the value is certain all the same
        line = oracle.line(after)
    by_move = {choice.move: choice for choice in choices}
    chosen, best, value = by_move[move], by_move[best_of(choices)[0]], best_value(choices)
    verdict = _verdict(referee.name_move(game, options, move), chosen, best, len(choices))
    proof = f"{told_line(game, options, match.names, 1 - match.turn, after, line)}." if line else ""
    text = f"{verdict} {proof}".rstrip()
    return Reason(move, chosen.value, WORTH[chosen.value] == WORTH[value], chosen.plies, line, text)


def _verdict(name: str, chosen: Choice, best: Choice, number: int) -> str:
    soon = "" if chosen.plies is None else " at once" if chosen.plies == 1 else f" in {plies(chosen.plies)}"
    outcome = {WIN: f"wins{soon}", DRAW: "only draws", LOSS: f"loses{soon}"}[chosen.value]
    if chosen.value != best.value:
        return f"{name} throws away the {best.value}: it {outcome}."
    if chosen.value == DRAW:
        return f"{name} keeps the draw."
    apart = 0 if chosen.plies is None or best.plies is None else abs(chosen.plies - best.plies)
    if chosen.value == WIN:
        quickest = f"; the quickest way takes {plies(best.plies)}" if apart and best.plies else ""
        return f"{name} keeps the win: it {outcome}{quickest}."
    if number == 1:
        return f"{name} {outcome}, and it is the only move."
    longest = f", and the longest resistance is {plies(best.plies)}" if apart and best.plies else ""
    return f"{name} {outcome}. {_all(number)} lose here{longest}."
