"""A bar of chocolate is eaten from its upper right; whoever is left with the poisoned square a1 loses.

The bar has columns, called by letters, and rows, called by numbers: a1 is its lower left square, and it is poisoned. On
your turn choose a square that is still there, but not a1: it is eaten together with every square that is not below it
and not to the left of it. If nothing but a1 is left when it is your turn, you have lost.

Example: on a bar of two rows and two columns the first player eats b2. If the other one then eats a2, only a1 and b1
are left, the first player eats b1, and the other one is left with the poison.
"""

from typing import Annotated, NamedTuple

from parlour.game import MOVER_LOSES, ONGOING, Bounds, Content, Display, Example, Game, GameRules, Moment, Moves, marked
from parlour.options import Number
from parlour.view import GRID, Group, Tile, View


class Options(NamedTuple):
    columns: Annotated[int, Number("columns of the bar", 2, 8)] = 4
    rows: Annotated[int, Number("rows of the bar", 2, 8)] = 3


class Position(NamedTuple):
    left: int  # bit n: square n is still there; squares are counted from 0, row by row from below


def start(options: Options) -> Position:
    return Position((1 << options.columns * options.rows) - 1)


def moves(options: Options, position: Position) -> Moves:
    return marked((position.left & ~1) << 1)  # square n is move n + 1


def play(options: Options, position: Position, move: int) -> Position:
    column, row = (move - 1) % options.columns, (move - 1) // options.columns
    left = 0
    for square in range(options.columns * options.rows):
        if square % options.columns < column or square // options.columns < row:
            left |= position.left & 1 << square
    return Position(left)


def result(options: Options, position: Position) -> int:
    return MOVER_LOSES if position.left == 1 else ONGOING


def bounds(options: Options) -> Bounds:
    squares = options.columns * options.rows
    return Bounds(squares + 1, squares - 1, (1 << squares,))


def impossible(options: Options, position: Position) -> str | None:
    for square in range(options.columns * options.rows):
        below, beside = square - options.columns, square - 1 if square % options.columns else -1
        for other in (below, beside):
            if position.left >> square & 1 and other >= 0 and not position.left >> other & 1:
                return f"{name(options, square + 1)} cannot be left without {name(options, other + 1)}"
    return None if position.left else "a1 is never eaten"


def name(options: Options, move: int) -> str:
    return f"{'abcdefgh'[(move - 1) % options.columns]}{(move - 1) // options.columns + 1}"


def refusal(options: Options, position: Position, move: int) -> str:
    return "a1 is poisoned" if move == 1 else f"{name(options, move)} has been eaten already"


def view(moment: Moment[Options, Position]) -> View:
    options, left = moment.options, moment.position.left
    rows = []
    for row in reversed(range(options.rows)):
        squares = range(row * options.columns, (row + 1) * options.columns)
        rows.append(
            tuple(
                Tile(name(options, square + 1), None, square + 1 if square else None)
                if left >> square & 1
                else Tile("")
                for square in squares
            )
        )
    return (Group("Bar", GRID, tuple(rows)),)


GAME = Game(
    key="chomp",
    title="Chomp",
    version=1,
    options=Options,
    rules=GameRules(
        start=start,
        moves=moves,
        play=play,
        result=result,
        bounds=bounds,
        can_draw=False,
        impossible=impossible,
    ),
    display=Display(
        view=view,
        name=name,
        refusal=refusal,
    ),
    content=Content(
        summary="Eat a square of chocolate and all beyond it; who is left with the poisoned corner loses.",
        rules_text=__doc__,
        example=Example("b2 a2 b1", "columns=2 rows=2"),
    ),
)
