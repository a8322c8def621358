"""All that can follow a position, and what each of it is worth: a small game as a whole."""

from __future__ import annotations

from typing import Generic, NamedTuple

from parlour.engine.plain import PlainFill
from parlour.engine.search import DEEPEST, FLAGS, STOPPED, unpack_score
from parlour.errors import TooBig
from parlour.game import P
from parlour.options import O
from parlour.rules import Rules
from parlour.score import Score, Value

MOST_POSITIONS = 2_000  # that may follow the beginning of an instance: a tenth of a second


class Move(NamedTuple, Generic[P]):
    """A legal move, where it leads, and what it is worth to the player who makes it."""

    move: int
    after: P
    score: Score


class Known(Generic[O, P]):
    """What every position is worth that can follow one; TooBig if these are too many."""

    def __init__(self, rules: Rules[O, P], position: P, most: int = MOST_POSITIONS) -> None:
        if rules.bounds is None or rules.bounds.plies > DEEPEST:
            raise TooBig("a game that need not end, or takes very long to, cannot be known as a whole; set a limit")
        self.rules = rules
        fill = PlainFill(rules, merged=False)  # canonical forms cost more here than they save
        self._entries = fill.table
        self._moves: dict[P, list[Move[P]]] = {}
        self._wrong: dict[P, int] = {}
        self.expected: dict[tuple[str, str], dict[tuple[P, bool], list[float]]] = {}  # kept for ``expect``
        if not rules.is_over(position) and fill.fill(position, most) == STOPPED:
            raise TooBig(f"more than {most:,} positions can follow")

    def __len__(self) -> int:
        return len(self._entries)

    def score(self, position: P) -> Score:
        """What a position is worth to the player to move."""
        entry = self._entries.get(position)
        if entry is not None:
            return unpack_score(entry >> FLAGS)
        value = Value.of_result(self.rules.result(position))
        return Score(value, None if value is Value.DRAW else 0)

    def value(self, position: P) -> Value:
        """A win, a draw or a loss for the player to move."""
        return self.score(position).value

    def moves(self, position: P) -> list[Move[P]]:
        """The legal moves; none when the game is over."""
        found = self._moves.get(position)
        if found is None:
            rules = self.rules
            pairs = ((move, rules.after(position, move)) for move in rules.legal(position))
            found = self._moves[position] = [Move(move, to, self.score(to).before_move()) for move, to in pairs]
        return found

    def wrong(self, position: P) -> int:
        """How many moves lose value here."""
        found = self._wrong.get(position)
        if found is None:
            value = self.value(position)
            found = self._wrong[position] = sum(move.score.value != value for move in self.moves(position))
        return found
