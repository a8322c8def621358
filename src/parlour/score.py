"""Scores of positions: the value, and the distance to the end.

Both are for one player, by default the one to move. A distance counts turns, passes included, while the winner hurries
and the loser delays. Programs call a turn a ply, as in chess.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Literal, NamedTuple, cast

from parlour.errors import BadArgument
from parlour.fields import record
from parlour.game import DRAWN, MOVER_LOSES, MOVER_WINS
from parlour.text import clip, counted

ValueWord = Literal["win", "draw", "loss"]  # a value as people and programs read it


class Value(IntEnum):
    """A win, a draw or a loss. The better one is the greater one.

    >>> from parlour import Value
    >>> Value.WIN > Value.DRAW, Value.WIN.for_opponent(), str(Value.DRAW), Value.read("loss")
    (True, <Value.LOSS: -1>, 'draw', <Value.LOSS: -1>)
    """

    LOSS = -1  # the other player wins
    DRAW = 0  # neither can win if the other plays well
    WIN = 1  # the player wins, whatever the other does

    @property
    def word(self) -> ValueWord:
        """``win``, ``draw`` or ``loss``."""
        return cast(ValueWord, self.name.lower())

    def __str__(self) -> str:
        return self.word

    def __format__(self, how: str) -> str:
        return format(str(self), how)  # a text wants the word and not the number

    def for_opponent(self) -> Value:
        """Return the same value or score for the other player."""
        return Value(-self)

    @classmethod
    def read(cls, text: str) -> Value:
        """Return the value with a name; BadArgument without one."""
        for value in cls:
            if str(value) == text:
                return value
        raise BadArgument(f"{_shown(text)} is not a value: win, draw or loss")

    @classmethod
    def of_result(cls, result: int) -> Value:
        """Return the value of a finished position to the player to move, given its status.

        Raises:
            BadArgument: this is not the status of a finished position.
        """
        found = {MOVER_LOSES: cls.LOSS, DRAWN: cls.DRAW, MOVER_WINS: cls.WIN}.get(result)
        if found is None:
            raise BadArgument(f"bad result {clip(repr(result))}; give the status of a finished position")
        return found


@record(
    value="the value: a win, a draw or a loss",
    plies="the turns of both players until the end; null for a draw, or if unknown",
)
class Score(NamedTuple):
    """A value and the distance to the end in turns; None for a draw, and where only the value is known.

    The better one is the greater one: the quicker of two wins, the slower of two losses. A win or a loss whose distance
    is not known counts as the worst of its kind.

    >>> from parlour import Score, Value
    >>> Score(Value.WIN, 3) > Score(Value.WIN, 5) > Score(Value.DRAW) > Score(Value.LOSS, 6) > Score(Value.LOSS, 2)
    True
    >>> str(Score(Value.WIN, 7)), str(Score(Value.LOSS, 1)), str(Score(Value.DRAW)), Score.read("win in 7 turns")
    ('win in 7 turns', 'loss in 1 turn', 'draw', Score(value=<Value.WIN: 1>, plies=7))
    >>> Score(Value.LOSS, 4).before_move()
    Score(value=<Value.WIN: 1>, plies=5)
    """

    value: Value
    plies: int | None = None

    def __str__(self) -> str:
        return str(self.value) if self.plies is None else f"{self.value} in {counted(self.plies, 'turn')}"

    def __format__(self, how: str) -> str:
        return format(str(self), how)

    def __lt__(self, other: tuple[object, ...]) -> bool:
        return self._order < other._order if isinstance(other, Score) else NotImplemented

    def __le__(self, other: tuple[object, ...]) -> bool:
        return self._order <= other._order if isinstance(other, Score) else NotImplemented

    def __gt__(self, other: tuple[object, ...]) -> bool:
        return self._order > other._order if isinstance(other, Score) else NotImplemented

    def __ge__(self, other: tuple[object, ...]) -> bool:
        return self._order >= other._order if isinstance(other, Score) else NotImplemented

    @property
    def _order(self) -> tuple[int, int]:
        if self.value is Value.WIN:
            return self.value, -_FARTHEST if self.plies is None else -self.plies
        return self.value, self.plies or 0

    def for_opponent(self) -> Score:
        """Return the same value or score for the other player."""
        return Score(self.value.for_opponent(), self.plies)

    def before_move(self) -> Score:
        """Return the score of a move that leaves this score to the opponent."""
        return Score(self.value.for_opponent(), None if self.plies is None else self.plies + 1)

    @classmethod
    def read(cls, text: str) -> Score:
        """Return the score in a text of ``str``, also of version 0.1.0; BadArgument for any other text."""
        if not isinstance(text, str):
            raise BadArgument(f"{_shown(text)} is not a score, like 'win in 7 turns' or 'draw'")
        value, _, distance = text.partition(" in ")
        number, _, unit = distance.partition(" ")
        score = cls(Value.read(value), int(number) if number.isdecimal() else None)
        if str(score) != f"{text.removesuffix(unit)}{_OLD_UNITS.get(unit, unit)}":
            raise BadArgument(f"{clip(text)!r} is not a score, like 'win in 7 turns' or 'draw'")
        return score


def _shown(given: object) -> str:
    """Return an argument for a message."""
    return repr(clip(given)) if isinstance(given, str) else clip(repr(given))


_FARTHEST = 1 << 30  # more turns than any distance
_OLD_UNITS = {"ply": "turn", "plies": "turns"}
