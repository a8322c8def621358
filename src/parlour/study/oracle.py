"""What study asks the solver, with a limit to how long a person waits for an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import inf
from time import monotonic
from typing import Any, ClassVar

from parlour import referee
from parlour.errors import TooBig
from parlour.game import AnyGame
from parlour.solver import Choice, Solver, Standing
from parlour.solver.kernels import back
from parlour.solver.solution import MEMORY, standing_of

WIN, DRAW, LOSS = "win", "draw", "loss"
WORTH = {LOSS: -1, DRAW: 0, WIN: 1}  # the higher the better for the player to move
NAMES = {worth: value for value, worth in WORTH.items()}
A_FEW = 1000  # moves between two looks at the clock where nothing has to be searched


class Oracle:
    """Exact answers about the positions of one game under its options, or TooBig; never a guess."""

    memory: ClassVar[int] = MEMORY  # bytes that one may take; a process that keeps several sets it lower for all

    def __init__(
        self, game: AnyGame, options: Any, seconds: float, progress: Callable[[int], None] | None = None
    ) -> None:
        """``seconds`` is what one question may take, ``progress`` is told now and then how many positions it took.

        TooBig if the game need not end.
        """
        self.game = game
        self.options = options
        self._seconds = seconds
        self._until = inf  # when the time of all questions together is up
        self._deadline = 0.0  # of the present question
        self._progress = progress
        self.solver = Solver(game, options, memory=self.memory, progress=self._watch)

    def allow(self, seconds: float, progress: Callable[[int], None] | None, until: float) -> None:
        """Whatever is asked from now on may go on ``until`` the clock shows this, ``solver`` itself included.

        That is the end of so many ``seconds``, and a refusal says so. What is known already is told even after it.
        """
        self._seconds, self._progress = seconds, progress
        self._until = self._deadline = until

    def _watch(self, spent: int) -> None:
        if self._progress is not None:
            self._progress(spent)
        if monotonic() >= self._deadline:
            raise TooBig(f"no exact answer within {self._seconds:g} seconds; ask later in the game")

    def _begin(self) -> None:
        self._deadline = min(self._until, monotonic() + self._seconds)

    def value(self, position: Any) -> str:
        """ "win", "draw" or "loss" for the player to move."""
        self._begin()
        return NAMES[self.solver.value(position)]

    def values(self, position: Any, moves: Sequence[int] | None = None) -> list[Choice]:
        """Each of these moves, by default every legal one, with its value; the distances are more work."""
        self._begin()
        return [Choice(move, NAMES[-self.solver.value(after)], None) for move, after in self._each(position, moves)]

    def judged(self, position: Any, moves: Sequence[int] | None = None) -> list[Choice]:
        """Like ``values``, and with the distances if these can be had in time as well."""
        if self.game.theory is not None:  # then nothing is quicker than to ask for all of it
            return self.choices(position, moves)
        values = self.values(position, moves)
        try:
            return self.choices(position, moves)
        except TooBig:
            return values

    def worth(self, position: Any, move: int) -> str:
        """The value of one move for the player who makes it."""
        self._begin()
        return NAMES[-self.solver.value(self._after(position, move))]

    def standing(self, position: Any) -> Standing:
        """Value and distance."""
        self._begin()
        return self.solver.standing(position)

    def choices(self, position: Any, moves: Sequence[int] | None = None) -> list[Choice]:
        """Each of these moves, by default every legal one, with its value and its distance."""
        self._begin()
        if moves is None and self.game.theory is None:  # one answer for all, so that large work is seen to be large
            return self.solver.choices(position)
        found = self._each(position, moves)
        return [Choice(move, *standing_of(back(self.solver.score(after)))) for move, after in found]

    def line(self, position: Any, most: int = 60) -> list[int]:
        """A line of best play, until the game is over or nobody can win any more."""
        self._begin()
        line: list[int] = []
        for move in self.solver.line(position, most):
            if self.game.settled(self.options, position):
                break
            line.append(move)
            position = self._after(position, move)
        return line

    def _each(self, position: Any, moves: Sequence[int] | None) -> Iterator[tuple[int, Any]]:
        """Moves and where they lead."""
        if moves is None:
            moves = referee.legal_moves(self.game, self.options, position)
        for number, move in enumerate(moves):
            if number % A_FEW == A_FEW - 1:  # hundreds of thousands take their time even if each is known at once
                self._watch(0)
            yield move, self._after(position, move)

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
