"""Mark three cells in a line. You win if their numbers go up or down in equal steps.

The numbers 1 to 9 lie in random order on a grid of three rows and three columns. Player 1 marks with X, Player 2 with
O. On your turn, mark one free cell. You win with three markers of your own in a straight line, across, down or
diagonally, if the numbers under them go up or down by the same amount each time: 2, 4, 6 does, and so does 9, 6, 3.
Any other line of three counts for nothing.

One grid is a round. If it fills up without a winner, a new one is dealt and the other player begins, until one of you
wins: there are no draws. You can limit the number of rounds; a match that reaches the limit is undecided.

Name a cell by its number, or by its row and column: 2,1 is the first cell of the second row.

Good to know
- On most grids no line can win at all. With --deal winnable every grid has at least one winning line, with --deal
  lively at least four.
- As soon as neither player can win a grid any more, the game says so, and you can start the next one.
- In the book's Example 2 Player 1 wins through a cell that Player 2 has marked. The book's own rule asks for "three of
  your markers", so here that is not a win, and play goes on.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Annotated, NamedTuple

from parlour.game import (
    DRAWN,
    MOVER_LOSES,
    NO_CAP,
    ONGOING,
    Bounds,
    Content,
    Display,
    Example,
    ExamSource,
    Game,
    GameRules,
    Lesson,
    Lines,
    Moment,
    Moves,
    PuzzleSource,
    Rounds,
    SearchAids,
    ShownOnTable,
    Step,
    Variant,
    Verdict,
    marked,
    opponent,
    popcount,
)
from parlour.options import Arrangement, Number, Word
from parlour.text import counted
from parlour.view import GRID, PLAYERS, Group, PlayerNumber, Tile, View

if TYPE_CHECKING:
    from random import Random


class Options(NamedTuple):
    grid: Annotated[int, Arrangement("the first grid, row by row; dealt at random if not given")] = 0
    deal: Annotated[
        int,
        Word(
            "any: all grids, equally likely; winnable: at least one winning line; lively: at least four",
            ("any", "winnable", "lively"),
            ("any grid", "grids with at least one winning line", "grids with at least four winning lines"),
        ),
    ] = 0
    max_rounds: Annotated[
        int,
        Number(
            "the number of grids after which the match is undecided",
            1,
            1000,
            none=True,
            said="undecided after grid {}",
            said_none="until a player wins",
        ),
    ] = 0


class Position(NamedTuple):
    mine: int  # bit n: the mover has marked cell n; cells are 1 to 9, row by row
    theirs: int
    lines: int  # bit i: the numbers of line i make an arithmetic sequence


CELLS = 0b1111111110
LINES = (
    0b0000001110, 0b0001110000, 0b1110000000,  # rows
    0b0010010010, 0b0100100100, 0b1001001000,  # columns
    0b1000100010, 0b0010101000,  # diagonals
)  # fmt: skip


def number(grid: int, cell: int) -> int:
    return int(str(grid)[cell - 1])


@cache  # some callers examine all 362,880 grids
def cells_of(line: int) -> tuple[int, ...]:
    return tuple(cell for cell in range(1, 10) if LINES[line] >> cell & 1)


def arithmetic(grid: int) -> int:
    """Return the lines of a grid whose numbers make an arithmetic sequence, as a bit mask."""
    digits, lines = [int(digit) for digit in str(grid)], 0
    for line in range(8):
        a, b, c = (digits[cell - 1] for cell in cells_of(line))
        if b - a == c - b:
            lines |= 1 << line
    return lines


NEEDED_LINES = (0, 1, 4)  # minimum number of arithmetic lines for each kind of deal


def is_dealt(options: Options, grid: int) -> bool:
    """Return whether a grid has enough arithmetic lines for the kind of deal."""
    return popcount(arithmetic(grid)) >= NEEDED_LINES[options.deal]


def deal(options: Options, round: int, random: Random) -> Options:
    grid = options.grid if round == 1 else 0
    while not grid or not is_dealt(options, grid):
        grid = int("".join(random.sample("123456789", 9)))
    return options._replace(grid=grid)


def check(options: Options) -> str | None:
    if options.grid and not is_dealt(options, options.grid):
        amount = popcount(arithmetic(options.grid))
        lines = counted(amount, "line") + " that can win" if amount else "no line that can win"
        kind = "winnable" if options.deal == 1 else "lively"
        return f"the given grid has {lines}, so it is not a {kind} deal; leave out one of the two options"
    return None


def rounds(options: Options) -> int:
    return options.max_rounds or NO_CAP


def start(options: Options) -> Position:
    return Position(0, 0, arithmetic(options.grid))


def moves(options: Options, position: Position) -> Moves:
    return marked(CELLS & ~(position.mine | position.theirs))


def play(options: Options, position: Position, move: int) -> Position:
    return Position(position.theirs, position.mine | (1 << move), position.lines)


def completed(position: Position) -> int:
    """Return the arithmetic line that the player who has just moved has completed; -1: none."""
    for line in range(8):
        if position.lines >> line & 1 and position.theirs & LINES[line] == LINES[line]:
            return line
    return -1


def result(options: Options, position: Position) -> int:
    if completed(position) >= 0:
        return MOVER_LOSES
    return DRAWN if position.mine | position.theirs == CELLS else ONGOING


def settled(options: Options, position: Position) -> bool:
    """Return whether no line can be completed: each holds both markers, or more free cells than turns are left."""
    free = CELLS & ~(position.mine | position.theirs)
    turns = popcount(free)
    for line in range(8):
        if position.lines >> line & 1:
            missing = popcount(LINES[line] & free)
            if not position.theirs & LINES[line] and missing <= (turns + 1) // 2:
                return False
            if not position.mine & LINES[line] and missing <= turns // 2:
                return False
    return True


def blocked(position: Position) -> int:
    """Return the lines that hold both markers, as a bit mask; neither player can complete them."""
    both = 0
    for line in range(8):
        if position.mine & LINES[line] and position.theirs & LINES[line]:
            both |= 1 << line
    return both


def canonical(options: Options, position: Position) -> Position:
    """Drop the lines that hold both markers."""
    return Position(position.mine, position.theirs, position.lines & ~blocked(position))


def impossible(options: Options, position: Position) -> str | None:
    mine, theirs, lines = position
    if (mine | theirs) & ~CELLS:
        return "there is no cell 0 in the grid"
    if mine & theirs:
        cell = (mine & theirs).bit_length() - 1
        return f"cell ({name(options, cell)}) cannot be marked by both players"
    if popcount(theirs) - popcount(mine) not in (0, 1):
        return (
            f"the player to move has {counted(popcount(mine), 'marker')} and the other one {popcount(theirs)}, "
            "but they mark cells in turn"
        )
    full = arithmetic(options.grid)
    if lines & ~full or full & ~lines & ~blocked(position):  # `canonical` drops blocked lines
        return "these are not the arithmetic lines of the grid"
    if completed(Position(theirs, mine, full)) >= 0:
        return "the player to move has completed a line, so the game was over before"
    return None  # two lines of five markers share a cell, which may have been the last move


def bounds(options: Options) -> Bounds:
    return Bounds(10, 9, (CELLS + 2, CELLS + 2, 256))


def name(options: Options, move: int) -> str:
    return f"{(move + 2) // 3},{(move + 2) % 3 + 1}"


def refusal(options: Options, position: Position, move: int) -> str:
    return f"the {number(options.grid, move)} at ({name(options, move)}) is marked already"


def expected(options: Options, position: Position) -> str:
    return "the number of a free cell"


MARKERS: dict[PlayerNumber, str] = {1: "X", 2: "O"}


def view(moment: Moment[Options, Position]) -> View:
    taken = (moment.taken(1), moment.taken(2))
    owners = {cell: player for player in PLAYERS for cell in taken[player - 1]}
    line = completed(moment.position)
    won = cells_of(line) if line >= 0 else ()
    tiles = [
        Tile(
            str(number(moment.options.grid, cell)),
            owners.get(cell),
            cell,
            MARKERS[owners[cell]] if cell in owners else "",
            cell in won,
        )
        for cell in range(1, 10)
    ]
    note = open_lines(moment) if line < 0 else ""
    return (Group("Grid", GRID, tuple(tuple(tiles[row : row + 3]) for row in (0, 3, 6)), None, note),)


def line_numbers(grid: int, line: int) -> str:
    return " ".join(str(number(grid, cell)) for cell in cells_of(line))


def open_lines(moment: Moment[Options, Position]) -> str:
    """Return the lines that a player can still complete, as a note."""
    options, position = moment.options, moment.position
    lines = [line for line in range(8) if position.lines >> line & 1]
    still = [line for line in lines if not settled(options, position._replace(lines=1 << line))]
    if not still:
        return "this grid can no longer be won"
    return "still open: " + ", ".join(line_numbers(options.grid, line) for line in still)


def other_name(options: Options, move: int) -> str:
    """Return the number in a cell."""
    return str(number(options.grid, move)) if options.grid else ""


def told(moment: Moment[Options, Position]) -> str:
    return f"marked {number(moment.options.grid, moment.moves[-1])}"


def verdict(moment: Moment[Options, Position], winner: PlayerNumber | None) -> Verdict:
    if winner is None:
        return Verdict(None, "The grid is full without a winner")
    a, b, c = (number(moment.options.grid, cell) for cell in cells_of(completed(moment.position)))
    return Verdict(winner, f"lined up {a}, {b}, {c}, in steps of {abs(b - a)}")


def drawn(moment: Moment[Options, Position]) -> Lines:
    """Return the grid as the book prints it, and the numbers that the markers hide."""
    options = moment.options
    shown = {cell: str(number(options.grid, cell)) for cell in range(1, 10)}
    hidden = []
    for ply, cell in enumerate(moment.moves):
        marker = MARKERS[moment.player(ply)]
        hidden.append(f"{marker} {shown[cell]} at ({name(options, cell)})")
        shown[cell] = marker
    rows = ["| " + " | ".join(shown[cell] for cell in range(row, row + 3)) + " |" for row in (1, 4, 7)]
    under = [f"Under the markers: {', '.join(hidden)}"] if hidden else []
    return [*map(ShownOnTable, ["Current Grid:", *rows, *under]), ""]


def opening(moment: Moment[Options, Position]) -> Lines:
    if settled(moment.options, moment.position):
        return ["This grid holds no arithmetic line: nobody can win it. Type next for a new grid.", ""]
    return []


def prompt(moment: Moment[Options, Position]) -> Lines:
    prompt = f"{moment.mover} ({MARKERS[moment.turn]}), select your cell (row and column): "
    return [*drawn(moment), prompt]


def announce(moment: Moment[Options, Position]) -> Lines:
    cell = name(moment.options, moment.moves[-1])
    lines: Lines = [f"{moment.waiter} placed an '{MARKERS[opponent(moment.turn)]}' on cell ({cell})"]
    before = moment.position._replace(
        mine=moment.position.theirs & ~(1 << moment.moves[-1]), theirs=moment.position.mine
    )
    if settled(moment.options, moment.position) and not settled(moment.options, before):
        lines.append(
            ShownOnTable("No line can be completed any more, by anyone. Type next for a new grid, or play on.")
        )
    return [*lines, ""]


def ending(moment: Moment[Options, Position], winner: PlayerNumber | None) -> Lines:
    if winner is None:
        return [*drawn(moment), "The grid is full, and nobody has formed an arithmetic sequence."]
    a, b, c = (number(moment.options.grid, cell) for cell in cells_of(completed(moment.position)))
    formed = f"has formed an arithmetic sequence with numbers {a}, {b}, {c} (common difference of {b - a:+d})"
    return [*drawn(moment), f"{moment.names[winner - 1]} {formed} and wins the game!"]


WINNABLE = Variant(
    title="Winnable grids",
    options={"deal": "winnable"},
    why="every grid has at least one winning line",
    character="",
)

# One grid for each possible set of two or more arithmetic lines, counting rotations and reflections as one.
PUZZLE_GRIDS = """
123456789 123654789 123849567 123864975 135468792 123456798 123456987 123458769 123465987
123468975 123548967 124357689 128543967 123457689 123458796 123465789 123468579 123468759
123468957 123648579 123648597 123746589 123849765 125849367 127543968 128345967 123456897
123457869 123457986 123459678 123465798 124357698 124357986 124358679
"""

GAME = Game(
    key="sequence-spot",
    title="Sequence Spot",
    version=1,
    options=Options,
    rules=GameRules(
        check=check,
        start=start,
        moves=moves,
        play=play,
        result=result,
        bounds=bounds,
        settled=settled,
        impossible=impossible,
    ),
    rounds=Rounds(deal=deal, maximum=rounds),
    search=SearchAids(canonical=canonical),
    display=Display(
        view=view,
        name=name,
        other_name=other_name,
        refusal=refusal,
        expected=expected,
        told=told,
        verdict=verdict,
        opening=opening,
        prompt=prompt,
        announce=announce,
        ending=ending,
    ),
    content=Content(
        summary="Be the first to mark three cells in a line whose numbers go up or down in equal steps.",
        rules_text=__doc__,
        example=Example("2,1 1,2 2,2 3,1 2,3", "grid=2,7,6,9,5,1,4,3,8"),
        lesson=Lesson(
            (
                Step(
                    "2,1",
                    "Mark three cells in a line whose numbers go up or down in equal steps. Aim for 9, 5, 1: mark 9.",
                ),
                Step("1,2", "A line of three counts only if its numbers fit: 2, 9, 4 down the left is worth nothing."),
                Step("2,2", "Mark the 5: 9 to 5 goes down by 4, and so does 5 to 1.", wrong="1,2"),
                Step("3,1", "They missed it: 1 is still free."),
                Step("2,3", "Complete the line."),
            ),
            "grid=2,7,6,9,5,1,4,3,8",
        ),
        variants=(
            Variant(
                title="Lively grids",
                options={"deal": "lively"},
                why="every grid has at least four winning lines",
                character="",
            ),
            WINNABLE,
        ),
        quick=WINNABLE,
        known="With best play every grid is drawn, and 6 grids in 10 cannot be won at all.",
        counted_once="those that differ only in lines that hold both markers",
        puzzles=tuple(PuzzleSource(f"grid={','.join(grid)}") for grid in PUZZLE_GRIDS.split()),
        exams=(
            ExamSource("grid=2,7,6,9,5,1,4,3,8", 1, 38),
            ExamSource("grid=1,2,3,4,5,6,7,8,9", 1, 50),
            ExamSource("grid=1,2,3,4,5,6,7,8,9", 2, 306),
        ),
        atlas=(),  # every pattern of lines that can win
    ),
)
