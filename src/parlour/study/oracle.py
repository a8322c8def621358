"""What study asks the solver, with a limit to how long a person waits for an answer."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Any

from parlour import referee
from parlour.errors import TooBig
from parlour.game import AnyGame
from parlour.solver import Choice, Solver, Standing

WIN, DRAW, LOSS = "win", "draw", "loss"
WORTH = {LOSS: -1, DRAW: 0, WIN: 1}  # the higher the better for the player to move
NAMES = {worth: value for value, worth in WORTH.items()}


class Oracle:
    """Exact answers about the positions of one game under its options, or TooBig; never a guess."""

    def __init__(
        self, game: AnyGame, options: Any, seconds: float, progress: Callable[[int], None] | None = None
    ) -> None:
        """``seconds`` is what one question may take, ``progress`` is told now and then how many positions it took.

        TooBig if the game need not end.
        """
        self.game = game
        self.options = options
        self._seconds = seconds
        self._deadline = 0.0
        self._progress = progress
        self._solver = Solver(game, options, progress=self._watch)

    def _watch(self, spent: int) -> None:
        if self._progress is not None:
            self._progress(spent)
        if monotonic() >= self._deadline:
            raise TooBig(f"no exact answer within {self._seconds:g} seconds; ask later in the game")

    def _begin(self) -> None:
        self._deadline = monotonic() + self._seconds

    def value(self, position: Any) -> str:
        """ "win", "draw" or "loss" for the player to move."""
        self._begin()
        return NAMES[self._solver.value(position)]

    def values(self, position: Any) -> list[Choice]:
        """Each legal move with its value, the distances left out: they are more work."""
        self._begin()
        legal = referee.legal_moves(self.game, self.options, position)
        return [Choice(move, NAMES[-self._solver.value(self._after(position, move))], None) for move in legal]

    def judged(self, position: Any) -> list[Choice]:
        """Each legal move with its value, and with its distance if that can be had in time as well."""
        if self.game.theory is not None:  # then nothing is quicker than to ask for all of it
            return self.choices(position)
        values = self.values(position)
        try:
            return self.choices(position)
        except TooBig:
            return values

    def worth(self, position: Any, move: int) -> str:
        """The value of one move for the player who makes it."""
        self._begin()
        return NAMES[-self._solver.value(self._after(position, move))]

    def standing(self, position: Any) -> Standing:
        """Value and distance."""
        self._begin()
        return self._solver.standing(position)

    def choices(self, position: Any) -> list[Choice]:
        """Each legal move with its value and its distance."""
        self._begin()
        return self._solver.choices(position)

    def line(self, position: Any, most: int = 60) -> list[int]:
        """A line of best play, until the game is over or nobody can win any more."""
        self._begin()
        line: list[int] = []
        for move in self._solver.line(position, most):
            if self.game.settled(self.options, position):
                break
            line.append(move)
            position = self._after(position, move)
        return line

    def _after(self, position: Any, move: int) -> Any:
        return self.game.play(self.options, position, move)


def best_value(choices: list[Choice]) -> str:
    """What the position is worth in which these are the moves."""
    return max((choice.value for choice in choices), key=WORTH.__getitem__)


def holding(choices: list[Choice]) -> list[int]:
    """The moves that keep the value of the position."""
    value = best_value(choices)
    return [choice.move for choice in choices if choice.value == value]


def best_of(choices: list[Choice]) -> list[int]:
    """Among the moves that keep the value: the quickest wins, all draws, or the slowest losses."""
    value = best_value(choices)
    kept = [choice for choice in choices if choice.value == value]
    distances = [choice.plies for choice in kept if choice.plies is not None]
    if len(distances) < len(kept):  # draws, or not known
        return [choice.move for choice in kept]
    wanted = min(distances) if value == WIN else max(distances)
    return [choice.move for choice in kept if choice.plies == wanted]
