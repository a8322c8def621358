"""Two heaps of counters; take as many as you like from one of them, or equally many from both.

On your turn you must take something. From one heap you may take any number of counters; if you take from both, it must
be the same number from each. Whoever takes the last counter wins; the player who finds both heaps empty has lost.

A move is called by what is taken from each heap: 3,0 takes three counters from the left heap, 2,2 takes two from each.

Example: with 2 and 1 counters left every move loses, since the other player can always take the rest.
"""

from typing import Annotated, NamedTuple

from parlour.game import (
    MOVER_LOSES,
    ONGOING,
    Bounds,
    Content,
    Display,
    Example,
    Game,
    GameRules,
    Moment,
    Moves,
    SearchAids,
    marked,
)
from parlour.options import Number
from parlour.view import LINE, POOL, Group, Tile, View


class Options(NamedTuple):
    left: Annotated[int, Number("counters in the left heap", 1, 40)] = 7
    right: Annotated[int, Number("counters in the right heap, no more than in the left", 1, 40)] = 6


class Position(NamedTuple):
    left: int  # counters in each heap
    right: int


def check(options: Options) -> str | None:
    if options.right > options.left:
        return f"the right heap cannot have {options.right}, more than the left with {options.left}"
    return None


def start(options: Options) -> Position:
    return Position(options.left, options.right)


def taking(options: Options, left: int, right: int) -> int:
    """The move that takes so many from each heap."""
    return left * (options.right + 1) + right


def moves(options: Options, position: Position) -> Moves:
    mask = 0
    for number in range(1, position.left + 1):
        mask |= 1 << taking(options, number, 0)
    for number in range(1, position.right + 1):
        mask |= 1 << taking(options, 0, number)
    for number in range(1, min(position.left, position.right) + 1):
        mask |= 1 << taking(options, number, number)
    return marked(mask)


def play(options: Options, position: Position, move: int) -> Position:
    return Position(position.left - move // (options.right + 1), position.right - move % (options.right + 1))


def result(options: Options, position: Position) -> int:
    return ONGOING if position.left or position.right else MOVER_LOSES


def bounds(options: Options) -> Bounds:
    heaps = (options.left + 1, options.right + 1)
    return Bounds(heaps[0] * heaps[1], options.left + options.right, heaps)


def canonical(options: Options, position: Position) -> Position:
    return Position(max(position.left, position.right), min(position.left, position.right))


def name(options: Options, move: int) -> str:
    return f"{move // (options.right + 1)},{move % (options.right + 1)}"


def refusal(options: Options, position: Position, move: int) -> str:
    left, right = divmod(move, options.right + 1)
    if left > position.left or right > position.right:
        return f"there are only {position.left} and {position.right} counters"
    return f"{left} and {right} are not the same number"


def view(moment: Moment[Options, Position]) -> View:
    taken = tuple(Tile(name(moment.options, move), moment.player(ply)) for ply, move in enumerate(moment.moves))
    mask = moves(moment.options, moment.position).mask
    possible = [move for move in range(mask.bit_length()) if mask >> move & 1]
    choices = tuple(Tile(name(moment.options, move), None, move) for move in possible)
    heaps = f"{moment.position.left} and {moment.position.right} left, take"
    return (Group("Taken", LINE, (taken,)), Group(heaps, POOL, (choices,)))


GAME = Game(
    key="wythoff",
    title="Wythoff",
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
    ),
    search=SearchAids(
        canonical=canonical,
    ),
    display=Display(
        view=view,
        name=name,
        refusal=refusal,
    ),
    content=Content(
        summary="Take any number of counters from one heap, or equally many from both; who takes the last wins.",
        rules_text=__doc__,
        example=Example("6,0 0,4 1,1 0,1", "left=7 right=6"),
        counted_once="those that differ only in which heap is which",
    ),
)
