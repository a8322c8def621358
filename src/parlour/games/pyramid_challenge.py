"""Build a pyramid of numbers: three at the bottom, two above them, one at the top.

On your turn, place one number in the next free place of your own pyramid: first the bottom level from left to right,
then the middle level, then the top. At the bottom you can place any number from 1 to 9. Above it, a number must be the
sum or the difference of the two directly below it, and again from 1 to 9: above 3 and 5 you may place 8 or 2.

The first player to complete a pyramid wins. If neither the sum nor the difference fits, you are stuck: you pass, now
and for the rest of the game, because the numbers below never change. If both players are stuck, the game is a draw.

Example: above 6 and 6 the sum, 12, is too large, and the difference, 0, is too small. That pyramid is stuck.

Good to know
- You may use a number any number of times, so in the book's game neither player can get in the other's way, and the
  first player only has to avoid getting stuck. Try --copies: it limits the copies of each number for both players
  together, so you can take the ones that the other player needs.
- The bottom can be wider, and the numbers can go higher than 9.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

from parlour.game import (
    DRAWN,
    MOVER_LOSES,
    ONGOING,
    PASS,
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
    ShownOnTable,
    Step,
    Variant,
    Verdict,
    marked,
    opponent,
)
from parlour.options import Number
from parlour.text import counted, joined
from parlour.view import PLAYERS, POOL, PYRAMID, Group, PlayerNumber, Tile, View


class Options(NamedTuple):
    base: Annotated[int, Number("how many numbers the bottom level has", 2, 10, said="{} at the bottom")] = 3
    highest: Annotated[int, Number("the largest number", 2, 60, said="numbers 1 to {}")] = 9
    copies: Annotated[
        int,
        Number(
            "how many of each number there are, for both players together",
            1,
            60,
            none=True,
            said="{} of each number",
            said_none="any number as often as you like",
        ),
    ] = 0


class Position(NamedTuple):
    """The counts and open numbers of both pyramids.

    Open numbers can still be built upon: those of the level in progress, and those to the right of it one level below.
    They are packed in base highest + 1, the newest in the lowest digit.
    """

    placed: int  # how many numbers the mover has placed
    open: int  # the mover's numbers that can still be built upon
    their_placed: int
    their_open: int
    tokens: int  # how many of each number are left, packed in base copies + 1; 0 where they are unlimited


def check(options: Options) -> str | None:
    if (options.copies + 1) ** options.highest > 2**62:
        most = next(n for n in range(options.copies, -1, -1) if (n + 1) ** options.highest <= 2**62)
        return (
            f"copies {options.copies} are too many with highest {options.highest}; at most {most}, or none for no limit"
        )
    return None


def start(options: Options) -> Position:
    return Position(0, 0, 0, 0, (options.copies + 1) ** options.highest - 1)


def cells(options: Options) -> int:
    """Return the number of cells in a pyramid."""
    return options.base * (options.base + 1) // 2


def place(options: Options, placed: int) -> tuple[int, int, int]:
    """Return the place of the next number: level from the bottom, index from the left, width of the level."""
    level, width = 0, options.base
    while width and placed >= width:
        placed -= width
        width -= 1
        level += 1
    return level, placed, width


def below(options: Options, placed: int, open: int) -> tuple[int, int]:
    """Return the two numbers below the next place, which must be above the bottom."""
    level, _, _ = place(options, placed)
    radix = options.highest + 1
    right = open // radix ** (options.base - level - 1)
    return right // radix, right % radix


def fitting(options: Options, placed: int, open: int, tokens: int) -> int:
    """Return the numbers that can be placed next, as a bit mask."""
    mask = (2 << options.highest) - 2
    if placed >= options.base:
        a, b = below(options, placed, open)
        mask &= 1 << abs(a - b) | 1 << min(a + b, options.highest + 1)
    if options.copies:
        for number in range(1, options.highest + 1):
            if tokens % (options.copies + 1) == 0:
                mask &= ~(1 << number)
            tokens //= options.copies + 1
    return mask


def moves(options: Options, position: Position) -> Moves:
    mask = fitting(options, position.placed, position.open, position.tokens)
    return marked(mask if mask else 1 << PASS)


def play(options: Options, position: Position, move: int) -> Position:
    if move == PASS:
        return Position(position.their_placed, position.their_open, position.placed, position.open, position.tokens)
    radix = options.highest + 1
    level, index, width = place(options, position.placed)
    open = position.open * radix + move
    if level:  # covers the number to the lower left, and at the end of a level also the last one below
        open %= radix ** (width if index == width - 1 else width + 1)
    tokens = position.tokens
    if options.copies:
        tokens -= (options.copies + 1) ** (move - 1)
    return Position(position.their_placed, position.their_open, position.placed + 1, open, tokens)


def result(options: Options, position: Position) -> int:
    if position.their_placed == cells(options):
        return MOVER_LOSES
    if fitting(options, position.placed, position.open, position.tokens):
        return ONGOING
    return ONGOING if fitting(options, position.their_placed, position.their_open, position.tokens) else DRAWN


def unpacked(options: Options, open: int) -> list[int]:
    """Return packed open numbers, the newest first."""
    numbers = []
    while open:
        open, number = divmod(open, options.highest + 1)
        numbers.append(number)
    return numbers


def impossible(options: Options, position: Position) -> str | None:
    placed, open, their_placed, their_open, tokens = position
    radix = options.highest + 1
    for who, count, packed in (("the player to move", placed, open), ("the other player", their_placed, their_open)):
        level, _, width = place(options, count)
        needed, numbers = width + 1 if level else count, unpacked(options, packed)
        if 0 in numbers:
            return f"{who} has a 0 in the pyramid"
        if len(numbers) != needed:
            return f"{who} has placed {count}, so {counted(needed, 'number')} can be built upon, not {len(numbers)}"
    if options.copies:
        used = sum(options.copies - left(options, tokens, number) for number in range(1, radix))
        if used != placed + their_placed:
            return (
                f"both pyramids have {counted(placed + their_placed, 'number')} together, but the supply lacks {used}"
            )
        numbers = unpacked(options, open) + unpacked(options, their_open)
        for number in set(numbers):
            shown, missing = numbers.count(number), options.copies - left(options, tokens, number)
            if shown > missing:
                return f"the pyramids show {number} {counted(shown, 'time')}, but the supply lacks {missing}"
    if their_placed > placed + 1 and fitting(options, placed, open, tokens):
        return "the player to move is behind by more than a turn, but a player who can place a number never passes"
    if placed > their_placed and fitting(options, their_placed, their_open, tokens):
        return "the player to move is ahead, but a player who can place a number never passes"
    return None


def bounds(options: Options) -> Bounds:
    full = cells(options)
    rows = (options.highest + 1) ** options.base
    tokens = (options.copies + 1) ** options.highest
    # A pass is always followed by a placement, because two stuck players end the game.
    return Bounds(options.highest + 1, 2 * (2 * full - 1), (full, rows, full + 1, rows, tokens))


def left(options: Options, tokens: int, number: int) -> int:
    """Return how many copies of a number are left."""
    for _ in range(number - 1):
        tokens //= options.copies + 1
    return tokens % (options.copies + 1)


def refusal(options: Options, position: Position, move: int) -> str:
    if not 1 <= move <= options.highest:
        return f"{move} is out of range: choose 1 to {options.highest}"
    if position.placed >= options.base:
        small, large = sorted(below(options, position.placed, position.open))
        if move not in (large + small, large - small):
            return f"{move} is neither {large} + {small} = {large + small} nor {large} - {small} = {large - small}"
    return f"{move} is used up: there {'was' if options.copies == 1 else 'were'} only {options.copies}"


def expected(options: Options, position: Position) -> str:
    if position.placed < options.base:
        return f"a number from 1 to {options.highest}" + (" that is left" if options.copies else "")
    a, b = below(options, position.placed, position.open)
    return f"the sum or the difference of {a} and {b}" + (", if it is left" if options.copies else "")


def levels(options: Options, numbers: list[int]) -> list[list[int]]:
    """Return the numbers of a pyramid by level, from the bottom."""
    rows, begin = [], 0
    for width in range(options.base, 0, -1):
        rows.append(numbers[begin : begin + width])
        begin += width
    return rows


def view(moment: Moment[Options, Position]) -> View:
    options = moment.options
    groups = []
    winner = opponent(moment.turn) if moment.position.their_placed == cells(options) else None
    for player in PLAYERS:
        rows = []
        for level, numbers in enumerate(levels(options, moment.taken(player))):
            empty = [Tile("")] * (options.base - level - len(numbers))
            rows.append((*(Tile(str(number), player, won=player == winner) for number in numbers), *empty))
        mine = player == moment.turn
        placed = moment.position.placed if mine else moment.position.their_placed
        open = moment.position.open if mine else moment.position.their_open
        note = next_numbers(options, placed, open, moment.position.tokens)
        groups.append(Group(moment.names[player - 1], PYRAMID, tuple(reversed(rows)), player, note))
    tiles = []
    for number in range(1, options.highest + 1):
        note = f"x{left(options, moment.position.tokens, number)}" if options.copies else ""
        tiles.append(Tile(str(number), None, number, note))
    return (*groups, Group("Numbers", POOL, (tuple(tiles),)))


def next_numbers(options: Options, placed: int, open: int, tokens: int) -> str:
    if placed == cells(options):
        return ""
    mask = fitting(options, placed, open, tokens)
    if not mask:
        return "stuck"
    numbers = [str(n) for n in range(1, options.highest + 1) if mask >> n & 1]
    return f"next: {joined(numbers, 'or')}" if placed >= options.base else ""


def told(moment: Moment[Options, Position]) -> str:
    if moment.moves[-1] == PASS:
        return "passed"
    *earlier, number = moment.taken(opponent(moment.turn))
    level, index, _ = place(moment.options, len(earlier))
    if not level:
        return f"placed {number}"
    a, b = levels(moment.options, earlier)[level - 1][index : index + 2]
    return f"placed {number} ({a} + {b})" if number == a + b else f"placed {number} ({max(a, b)} - {min(a, b)})"


def needs(options: Options, position: Position) -> str:
    if position.placed < options.base:
        return ""
    a, b = below(options, position.placed, position.open)
    return f"the sum or the difference of {a} and {b}"


def stuck(options: Options, position: Position) -> str:
    # The player is above the bottom: at the bottom a player is stuck only if no number is left, and the game is over.
    small, large = sorted(below(options, position.placed, position.open))
    clauses = []
    for sign, number in (("+", large + small), ("-", large - small)):
        wrong = "is less than 1" if not number else "is used up"
        if number > options.highest:
            wrong = f"is more than {options.highest}"
        clauses.append(f"{large} {sign} {small} = {number} {wrong}")
    return ", and ".join(clauses)


def verdict(moment: Moment[Options, Position], winner: PlayerNumber | None) -> Verdict:
    if winner is None:
        return Verdict(None, "Both players are stuck, and neither pyramid is complete")
    return Verdict(winner, "completed the pyramid")


def drawn(moment: Moment[Options, Position], player: PlayerNumber) -> Lines:
    options = moment.options
    size = len(str(options.highest))
    lines = [f"{moment.names[player - 1]}'s Pyramid:"]
    for level, numbers in reversed(list(enumerate(levels(options, moment.taken(player))))):
        row = [str(n) for n in numbers] + [""] * (options.base - level - len(numbers))
        lines.append(" " * (4 + level) + "".join(f"[{number:>{size}}]" for number in row))
    return [*map(ShownOnTable, lines), ""]


def position_name(options: Options, placed: int) -> str:
    level, index, width = place(options, placed)
    if width == 1:
        return "Top Level Position"
    name = "Bottom Level" if level == 0 else "Middle Level" if options.base == 3 else f"Level {level + 1}"
    return f"{name} Position {index + 1}"


def opening(moment: Moment[Options, Position]) -> Lines:
    return [
        "Welcome to Pyramid Challenge!",
        "",
        f"Player 1: {moment.names[0]}",
        f"Player 2: {moment.names[1]}",
        "",
        f"It's {moment.mover}'s turn.",
        "",
    ]


def prompt(moment: Moment[Options, Position]) -> Lines:
    options, position = moment.options, moment.position
    choice = f"Select a number from 1 to {options.highest}"
    if position.placed >= options.base:
        choice = f"Select {expected(options, position)}"
    return [*drawn(moment, moment.turn), f"{choice} for {position_name(options, position.placed)}:", "> "]


def announce(moment: Moment[Options, Position]) -> Lines:
    lines: Lines = []
    if moment.moves[-1] == PASS:
        lines.append(f"{moment.waiter} can place neither sum nor difference and passes.")
    else:
        lines += ["", *drawn(moment, opponent(moment.turn))]
    if moment.position.their_placed == cells(moment.options):
        return lines
    return [*lines, ShownOnTable(f"Turn ends. Switching to {moment.mover}."), ""]


def ending(moment: Moment[Options, Position], winner: PlayerNumber | None) -> Lines:
    if winner is None:
        return ["Both players are stuck, and nobody has completed a pyramid: the game is a draw."]
    return [f"{moment.names[winner - 1]} has filled all positions and wins the game!"]


GAME = Game(
    key="pyramid-challenge",
    title="Pyramid Challenge",
    version=1,
    options=Options,
    rules=GameRules(
        check=check, start=start, moves=moves, play=play, result=result, bounds=bounds, impossible=impossible
    ),
    display=Display(
        view=view,
        refusal=refusal,
        expected=expected,
        told=told,
        needs=needs,
        stuck=stuck,
        verdict=verdict,
        opening=opening,
        prompt=prompt,
        announce=announce,
        ending=ending,
    ),
    content=Content(
        summary="Be the first to complete a pyramid in which each number is the sum or difference of the two below it.",
        rules_text=__doc__,
        example=Example("4 5 7 2 3 6 3 7 4 8 7"),
        lesson=Lesson(
            (
                Step("4", "Each of you builds a pyramid. At the bottom you can place any number from 1 to 9."),
                Step("9", "They build their own pyramid from the same numbers."),
                Step("7", "You fill the bottom from left to right."),
                Step("9", "Two equal numbers side by side: watch what happens to them."),
                Step("3", "One more, and your bottom level is complete."),
                Step("9", "So is theirs."),
                Step("3", "Each number is the sum or difference of the two below it. 4 + 7 is too large.", wrong="5"),
                Step("4", "Above 7 and 3 only the difference fits: 10 is too large."),
                Step("7", "At the top, above 3 and 4, you can place 7 or 1."),
            ),
        ),
        variants=(
            Variant(
                title="Two of each, up to 7",
                options={"highest": "7", "copies": "2"},
                why="take what the other player needs: about 10 turns, 6 of them critical",
                character="every turn counts",
            ),
            Variant(
                title="Two of each, up to 8",
                options={"highest": "8", "copies": "2"},
                why="the same with more room: about 11 turns, 4 of them critical",
                character="a few turning points",
            ),
        ),
        known="The first player can win in 11 turns with any first number, because the pyramids never touch.",
        counted_once="those that differ only in covered numbers",
        puzzles=(
            PuzzleSource("highest=6 copies=2"),
            PuzzleSource("highest=7 copies=2"),
        ),
        exams=(
            ExamSource("base=2 highest=5 copies=1", 2, 12),
            ExamSource("base=3 highest=6 copies=2", 1, 18),
            ExamSource("base=3 highest=7 copies=2", 1, 51),
            ExamSource("base=3 highest=7 copies=2", 2, 166),
        ),
        atlas=("base=2-3", "highest=2-12", "copies=none,1-4"),
    ),
)
