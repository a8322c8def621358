"""Pawns march across a board and capture on their way; the first to reach the other side wins.

The player who begins has the lower rows of the board and moves up, the other one has the upper rows and moves down. On
your turn move one of your pawns one square forward, straight or diagonally. Straight ahead the square must be free. A
diagonal step may also land on a pawn of the other player, which is captured and leaves the board.

Whoever first has a pawn on the last row, seen from his own side, wins; and so does whoever captures all pawns of the
other player. There is always a move, and there are no draws.

A move is called by the square it comes from and the square it goes to: a2-b3. Columns have letters, rows have numbers,
and a1 is the lower left square.
"""

from typing import Annotated, NamedTuple

from parlour.game import (
    MOVER_LOSES,
    ONGOING,
    Bounds,
    Content,
    Display,
    Game,
    GameRules,
    Moment,
    Moves,
    marked,
    opponent,
    popcount,
)
from parlour.options import Number
from parlour.view import GRID, POOL, Group, Tile, View


class Options(NamedTuple):
    columns: Annotated[int, Number("columns of the board", 2, 8)] = 8
    rows: Annotated[int, Number("rows of the board", 3, 8)] = 8
    pawns: Annotated[int, Number("rows of pawns that each player has", 1, 2)] = 2


class Position(NamedTuple):
    mine: int  # bit n: a pawn of the mover is on square n; squares are counted from 0, row by row from below
    theirs: int
    up: int  # 1: the mover moves up


def check(options: Options) -> str | None:
    if 2 * options.pawns >= options.rows:
        return f"rows {options.rows} leave no room between {options.pawns} rows of pawns on either side"
    return None


def squares(options: Options) -> int:
    return options.columns * options.rows


def home(options: Options, up: int) -> int:
    """Where the pawns of a player stand at the start."""
    pawns = (1 << options.columns * options.pawns) - 1
    return pawns if up else pawns << squares(options) - options.columns * options.pawns


def goal(options: Options, up: int) -> int:
    """The row that a player wants to reach."""
    row = (1 << options.columns) - 1
    return row << squares(options) - options.columns if up else row


def start(options: Options) -> Position:
    return Position(home(options, 1), home(options, 0), 1)


def moves(options: Options, position: Position) -> Moves:
    mask = 0
    for origin in range(squares(options)):
        row = origin // options.columns + (1 if position.up else -1)
        if position.mine >> origin & 1 and 0 <= row < options.rows:
            for aside in (-1, 0, 1):
                column = origin % options.columns + aside
                target = row * options.columns + column
                taken = position.mine if aside else position.mine | position.theirs
                if 0 <= column < options.columns and not taken >> target & 1:
                    mask |= 1 << 1 + origin * squares(options) + target
    return marked(mask)


def play(options: Options, position: Position, move: int) -> Position:
    origin, target = (move - 1) // squares(options), (move - 1) % squares(options)
    return Position(position.theirs & ~(1 << target), position.mine ^ 1 << origin ^ 1 << target, 1 - position.up)


def result(options: Options, position: Position) -> int:
    reached = position.theirs & goal(options, 1 - position.up)
    return MOVER_LOSES if reached or not position.mine else ONGOING


def bounds(options: Options) -> Bounds:
    board = 1 << squares(options)
    steps = 2 * options.columns * options.pawns * (options.rows - 1)
    return Bounds(1 + squares(options) ** 2, steps, (board, board, 2))


def impossible(options: Options, position: Position) -> str | None:
    mine, theirs, up = position
    if mine & theirs:
        return f"there are two pawns on {square_name(options, (mine & theirs).bit_length() - 1)}"
    if max(popcount(mine), popcount(theirs)) > options.columns * options.pawns:
        return f"nobody has more than {options.columns * options.pawns} pawns"
    if not theirs:
        return "the player who has just moved has a pawn"
    if mine & goal(options, up):
        return "the player to move has reached the other side, so the game was over before"
    return None


def square_name(options: Options, square: int) -> str:
    return f"{'abcdefgh'[square % options.columns]}{square // options.columns + 1}"


def name(options: Options, move: int) -> str:
    origin, target = (move - 1) // squares(options), (move - 1) % squares(options)
    return f"{square_name(options, origin)}-{square_name(options, target)}"


def refusal(options: Options, position: Position, move: int) -> str:
    origin, target = (move - 1) // squares(options), (move - 1) % squares(options)
    if not position.mine >> origin & 1:
        return f"you have no pawn on {square_name(options, origin)}"
    if position.mine >> target & 1:
        return f"your own pawn is on {square_name(options, target)}"
    if target // options.columns - origin // options.columns != (1 if position.up else -1):
        return f"a pawn moves one row {'up' if position.up else 'down'}"
    if target % options.columns == origin % options.columns:
        return f"{square_name(options, target)} is not free, and a pawn captures only diagonally"
    return "a pawn moves straight ahead or to a column beside its own"


def expected(options: Options, position: Position) -> str:
    return "one of your pawns and where it goes, like a2-b3"


def view(moment: Moment[Options, Position]) -> View:
    options, position = moment.options, moment.position
    rows = []
    for row in reversed(range(options.rows)):
        tiles = []
        for square in range(row * options.columns, (row + 1) * options.columns):
            owner = None
            if (position.mine | position.theirs) >> square & 1:
                owner = moment.turn if position.mine >> square & 1 else opponent(moment.turn)
            tiles.append(Tile(square_name(options, square), owner, None, "" if owner is None else "XO"[owner - 1]))
        rows.append(tuple(tiles))
    mask = moves(options, position).mask if position.mine else 0
    choices = tuple(Tile(name(options, move), None, move) for move in range(mask.bit_length()) if mask >> move & 1)
    return (Group("Board", GRID, tuple(rows)), Group("Moves", POOL, (choices,)))


GAME = Game(
    key="breakthrough",
    title="Breakthrough",
    version=1,
    options=Options,
    rules=GameRules(
        check=check,
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
        expected=expected,
    ),
    content=Content(
        summary="Move pawns forward and capture diagonally; the first on the other side of the board wins.",
        rules_text=__doc__,
    ),
)
