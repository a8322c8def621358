"""The board of a game as groups of tiles, for every renderer.

A tile has a text, an owner and the move made by choosing it. Renderers choose colours and layout; the referee knows
which moves are legal.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Final, Literal, NamedTuple

from parlour.fields import record

PlayerNumber = Literal[1, 2]
PLAYERS: Final[tuple[PlayerNumber, PlayerNumber]] = (1, 2)

Shape = Literal["pool", "line", "grid", "pyramid"]
POOL: Final = "pool"
LINE: Final = "line"
GRID: Final = "grid"
PYRAMID: Final = "pyramid"


class Tile(NamedTuple):
    """One number, or one empty place.

    >>> import parlour
    >>> match = parlour.new_match("double-up")
    >>> match.play_line("2")
    >>> sequence, pool = match.rules.view(match.moment)
    >>> sequence.rows[0][-1], pool.rows[0][0].move
    (Tile(text='2', owner=1, move=None, note='', won=False), 3)
    """

    text: str  # the text on the tile; empty for an empty place
    owner: PlayerNumber | None = None  # the owner
    move: int | None = None  # the move made by choosing the tile
    note: str = ""  # a remark beside it: the step to it, or the copies left
    won: bool = False  # whether it is one of those that won the round


@record(
    low="the smallest legal number",
    high="the largest legal number; less than `low` if there is none",
    limit="the largest number that can ever be legal; null: there is none",
)
class Range(NamedTuple):
    """A range of numbers that are moves; it may be too long for a tile each."""

    low: int
    high: int
    limit: int | None = None


class Group(NamedTuple):
    """Tiles that belong together, in rows, the top row first.

    >>> import parlour
    >>> match = parlour.new_match("double-up", names=("Ann", "Ben"))
    >>> for group in match.rules.view(match.moment):
    ...     print(group.title, group.shape, [tile.text for tile in group.rows[0]])
    Sequence line ['1']
    Next pool ['2']
    """

    title: str  # the title above the group
    shape: Shape  # POOL, LINE, GRID or PYRAMID
    rows: tuple[tuple[Tile, ...], ...]  # the tiles; a pool or a line has one row
    owner: PlayerNumber | None = None  # the owner
    note: str = ""  # a note on the whole group: "next step: more than 3"
    range: Range | None = None  # the numbers to choose from, in a pool


View = tuple[Group, ...]  # the groups on the board


def pool_of(highest: int, taken: tuple[list[int], list[int]]) -> Group:
    """Return a pool of the numbers from 1 to `highest`, each its own move, with those that players have taken."""
    owners = {number: player for player in PLAYERS for number in taken[player - 1]}
    return Group("Numbers", POOL, (tuple(Tile(str(n), owners.get(n), n) for n in range(1, highest + 1)),))


def sequence_of(
    name: str, player: PlayerNumber, numbers: list[int], length: int, note: str = "", won: bool = False
) -> Group:
    """Return a player's sequence with the step to each number and its empty places.

    A complete sequence has won the round; ``won`` marks others.
    """
    won = won or len(numbers) == length
    steps = ["", *(f"{b - a:+d}" for a, b in itertools.pairwise(numbers))]
    tiles = [Tile(str(number), player, None, step, won) for number, step in zip(numbers, steps, strict=False)]
    return Group(name, LINE, (tuple(tiles + [Tile("")] * (length - len(tiles))),), player, "" if won else note)


def spell(numbers: Iterable[int]) -> str:
    """Return rising numbers as a text with runs of three and more shortened, as in the books: 1-4, 6, 7, 9-20."""
    if isinstance(numbers, range) and numbers and numbers[0] + 1 < numbers[-1]:  # may be too long to count
        return f"{numbers[0]}-{numbers[-1]}"
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(
        f"{low}-{high}" if low + 1 < high else ", ".join(map(str, range(low, high + 1))) for low, high in runs
    )
