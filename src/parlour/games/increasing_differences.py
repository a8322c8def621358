"""Build a sequence of numbers in which every step is larger than the one before.

On your turn, take an unused number from the pool that both players share, and put it at the end of your own sequence.
Each step, up or down, must be larger than your last step: your third number must be farther from your second than your
second is from your first, and so on. Your first two numbers can be anything.

The first player to complete a sequence, 4 numbers unless you choose another length, wins. If it is your turn and no
number fits, you lose at once, however long the sequences are. There are no draws.

Example: from 5 to 8 the step is 3. Now 12 may follow, a step of 4. After that 15 may not, because it is only 3 away,
but 2 may: it is 10 away.

Good to know
- A number that breaks the rule is refused, and you choose again; it costs you nothing.
- A number that the other player needs is worth taking.
- With the book's sizes the first player can always win, with any first number.
"""

from __future__ import annotations

import itertools
from typing import Annotated, NamedTuple

from parlour.game import (
    MOVER_LOSES,
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
    SearchAids,
    ShownOnTable,
    Step,
    Variant,
    Verdict,
    marked,
    mirrored,
    opponent,
    popcount,
)
from parlour.options import Number
from parlour.text import counted
from parlour.view import PLAYERS, PlayerNumber, View, pool_of, sequence_of, spell


class Options(NamedTuple):
    length: Annotated[int, Number("how many numbers a complete sequence has", 2, 30, said="sequences of {}")] = 4
    range: Annotated[int, Number("the largest number in the pool", 2, 60, said="numbers 1 to {}")] = 20


class Position(NamedTuple):
    pool: int  # bit n: the number n is unused
    last: int  # the mover's last number; 0: none yet
    gap: int  # the mover's last difference; 0: none yet
    their_last: int
    their_gap: int


def check(options: Options) -> str | None:
    if options.length > options.range:
        return f"length {options.length} needs a range of at least {options.length}, not {options.range}"
    return None


def start(options: Options) -> Position:
    return Position((2 << options.range) - 2, 0, 0, 0, 0)


def too_near(options: Options, last: int, gap: int) -> int:
    """Return the numbers that the last difference bars, as bits; an empty sequence bars only 0."""
    low = last - gap if last > gap else 0
    high = last + gap if last + gap < options.range else options.range
    return (2 << high) - (1 << low)


def open_numbers(options: Options, position: Position) -> int:
    """Return the legal numbers, as bits."""
    return position.pool & ~too_near(options, position.last, position.gap)


def moves(options: Options, position: Position) -> Moves:
    return marked(open_numbers(options, position))


def play(options: Options, position: Position, move: int) -> Position:
    gap = abs(move - position.last) if position.last else 0
    return Position(position.pool ^ (1 << move), position.their_last, position.their_gap, move, gap)


def result(options: Options, position: Position) -> int:
    placed = options.range - popcount(position.pool)
    if (placed + 1) // 2 == options.length:  # the numbers of the player who has just moved
        return MOVER_LOSES
    return ONGOING if open_numbers(options, position) else MOVER_LOSES


# Canonical form. Positions are equivalent if they agree in three things: the numbers that a player may still reach, the
# distance that each player's next step must exceed, and the number of numbers that each player still needs.


def turned(options: Options, numbers: int) -> int:
    """Return the mirror image of a set of numbers: n becomes range + 1 - n."""
    return mirrored(numbers, options.range + 2)


def widened(options: Options, pool: int, mirror: int, last: int, gap: int) -> int:
    """Return the largest gap that bars the same numbers.

    It is one less than the distance of the nearest number that is not barred, or the range if all are barred. `mirror`
    is the mirror image of the pool.
    """
    if not last:
        return 0
    beyond = (pool >> last | mirror >> (options.range + 1 - last)) >> (gap + 1)  # the lowest bit: gap + 1 up or down
    return gap + popcount((beyond & -beyond) - 1) if beyond else options.range


def opened_above(options: Options, pool: int, last: int, gap: int, needed: int) -> int:
    """Return the places, taken or not, that a player can reach if the next step goes up.

    The next step reaches all places beyond the last difference. It opens all places below the last number, because they
    are farther away than the length of the step. A second step up opens the places below the first one. No other
    sequence of steps leads back to a barred place, because a step back always ends beyond the last number but one.
    """
    nearest = last + gap + 1
    places = (2 << options.range) - 2 >> nearest << nearest
    above = pool >> nearest
    if above and needed > 1:
        places |= (1 << last) - 2
        first = nearest + popcount((above & -above) - 1)
        if needed > 2 and pool >> (2 * first - last + 1):
            places |= (1 << first) - 2
    return places


def within_reach(options: Options, position: Position) -> int:
    """Return the places that either player can reach. The last differences must have been widened."""
    pool, last, gap, their_last, their_gap = position
    if not last or not their_last:  # the first number can be anything
        return (2 << options.range) - 2
    taken, top, mirror = options.range - popcount(pool), options.range + 1, turned(options, pool)
    needed, they_need = options.length - taken // 2, options.length - (taken + 1) // 2
    places = opened_above(options, pool, last, gap, needed)
    places |= opened_above(options, pool, their_last, their_gap, they_need)
    below = opened_above(options, mirror, top - last, gap, needed)
    return places | turned(options, below | opened_above(options, mirror, top - their_last, their_gap, they_need))


def with_wide_gaps(options: Options, position: Position) -> Position:
    """Return the position with both last differences widened."""
    pool, last, gap, their_last, their_gap = position
    mirror = turned(options, pool)
    gap = widened(options, pool, mirror, last, gap)
    their_gap = widened(options, pool, mirror, their_last, their_gap)
    return Position(pool, last, gap, their_last, their_gap)


def canonical(options: Options, position: Position) -> Position:
    """Widen the gaps, replace unreachable numbers, and take the smaller of the position and its mirror image.

    Unreachable numbers in the pool become the lowest unreachable ones. Their count is preserved, because it determines
    how many numbers each player needs.
    """
    wide = with_wide_gaps(options, position)
    pool, last, gap, their_last, their_gap = wide
    every, top, places = (2 << options.range) - 2, options.range + 1, within_reach(options, wide)
    useful, useless = pool & places, popcount(pool & ~places)
    taken = (1 << last | 1 << their_last) & every
    mirror = turned(options, useful)
    mirror_is_smaller = top - last < last or (last in (0, top - last) and top - their_last < their_last)
    if mirror < useful or (mirror == useful and mirror_is_smaller):
        useful, places, taken = mirror, turned(options, places), turned(options, taken)
        last, their_last = top - last if last else 0, top - their_last if their_last else 0
    out_of_reach = every & ~places & ~taken
    while useless and out_of_reach:
        lowest = out_of_reach & -out_of_reach
        useful |= lowest
        out_of_reach ^= lowest
        useless -= 1
    return Position(useful, last, gap, their_last, their_gap)


def outlook(options: Options, position: Position) -> int:
    """Prefer many legal numbers, then a long last step of the opponent."""
    return popcount(moves(options, position).mask) * 64 + position.their_gap


def taken_in_turn(options: Options, position: Position) -> tuple[int, int]:
    """Return how many numbers the player to move has taken, and how many the opponent."""
    taken = options.range - popcount(position.pool)
    return taken // 2, (taken + 1) // 2


def impossible(options: Options, position: Position) -> str | None:
    pool, last, gap, their_last, their_gap = position
    if pool & 1:
        return "0 is not in the pool"
    count, their_count = taken_in_turn(options, position)
    if count >= options.length:
        return f"{count + their_count} numbers are taken, but the game ends with {2 * options.length - 1} at the latest"
    for who, amount, number, difference in (
        ("the player to move", count, last, gap),
        ("the other player", their_count, their_last, their_gap),
    ):
        if bool(number) != bool(amount):
            return f"{who} has taken {counted(amount, 'number')}, so the last one cannot be {number or 'none'}"
        if number and pool >> number & 1:
            return f"{number} is still in the pool, so it cannot be the last number of {who}"
        # A player with one number has no last difference, unless `canonical` widened it: then it bars no number.
        barred = number and difference and pool & too_near(options, number, difference)
        if not difference if amount > 1 else difference and (not number or barred):
            return (
                f"{who} has taken {counted(amount, 'number')}, so the last difference cannot be {difference or 'none'}"
            )
    if last and last == their_last:
        return f"{last} cannot be the last number of both players"
    if result(options, position) != ONGOING:
        return None
    useful = pool & within_reach(options, with_wide_gaps(options, position))  # `canonical` replaces the others
    for amount, number, difference in ((count, last, gap), (their_count, their_last, their_gap)):
        if amount > 1 and not has_origin(options, position, useful, number, difference):
            return "the numbers taken do not make two sequences with growing differences that end like this"
    return None


def has_origin(options: Options, position: Position, useful: int, last: int, gap: int) -> bool:
    """Return whether a step of `gap`, or a shorter one that bars the same useful numbers, can have led to `last`."""
    for step in range(gap, 0, -1):
        places = [n for n in (last - step, last + step) if 1 <= n <= options.range]
        if any(not useful >> n & 1 and n not in (position.last, position.their_last) for n in places):
            return True
        if any(useful >> n & 1 for n in places):
            return False
    return False


def bounds(options: Options) -> Bounds:
    numbers = options.range + 1
    return Bounds(
        numbers, min(2 * options.length - 1, options.range), (2 << options.range, numbers, numbers, numbers, numbers)
    )


def refusal(options: Options, position: Position, move: int) -> str:
    if not 1 <= move <= options.range:
        return f"{move} is out of range: choose 1 to {options.range}"
    if not position.pool >> move & 1:
        return f"{move} is taken"
    away = abs(move - position.last)
    return f"{move} is only {away} away from {position.last}; you need more than {position.gap}"


def expected(options: Options, position: Position) -> str:
    if position.gap:
        return f"a number {needs(options, position)}"
    return "any number that is not taken"


def view(moment: Moment[Options, Position]) -> View:
    options, taken = moment.options, (moment.taken(1), moment.taken(2))
    sequences = (
        sequence_of(moment.names[player - 1], player, taken[player - 1], options.length, next_step(taken[player - 1]))
        for player in PLAYERS
    )
    return (pool_of(options.range, taken), *sequences)


def next_step(numbers: list[int]) -> str:
    return f"next step: more than {abs(numbers[-1] - numbers[-2])}" if len(numbers) > 1 else ""


def told(moment: Moment[Options, Position]) -> str:
    *earlier, number = moment.taken(opponent(moment.turn))
    if not earlier:
        return f"took {number}"
    step = number - earlier[-1]
    return f"took {number}, {abs(step)} {'more' if step > 0 else 'less'} than {earlier[-1]}"


def needs(options: Options, position: Position) -> str:
    return f"more than {position.gap} away from {position.last}" if position.gap else ""


def verdict(moment: Moment[Options, Position], winner: PlayerNumber | None) -> Verdict:
    numbers = moment.taken(opponent(moment.turn))
    if len(numbers) == moment.options.length:
        return Verdict(opponent(moment.turn), f"completed {', '.join(map(str, numbers))}")
    return Verdict(moment.turn, f"found no number {needs(moment.options, moment.position) or 'left'}")


def prompt(moment: Moment[Options, Position]) -> Lines:
    unused = [n for n in range(1, moment.options.range + 1) if moment.position.pool >> n & 1]
    return [f"Available Numbers: {spell(unused)}", "", f"{moment.mover}, select your number: "]


def announce(moment: Moment[Options, Position]) -> Lines:
    numbers = moment.taken(opponent(moment.turn))
    lines = []
    if len(numbers) > 1:
        differences = [abs(b - a) for a, b in itertools.pairwise(numbers)]
        previous = differences[-2] if len(differences) > 1 else "N/A"
        lines = [f"Previous difference: {previous}", f"New difference: {differences[-1]}"]
    return [*lines, ShownOnTable(f"{moment.waiter} Sequence: {numbers}"), ""]


def ending(moment: Moment[Options, Position], winner: PlayerNumber | None) -> Lines:
    if len(moment.taken(opponent(moment.turn))) == moment.options.length:
        return [f"Congratulations, {moment.waiter}! You've completed your sequence."]
    return [f"{moment.mover} has no valid number left and loses.", f"Congratulations, {moment.waiter}! You win."]


GAME = Game(
    key="increasing-differences",
    title="Increasing Differences",
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
    search=SearchAids(canonical=canonical, outlook=outlook),
    display=Display(
        view=view,
        refusal=refusal,
        expected=expected,
        told=told,
        needs=needs,
        verdict=verdict,
        prompt=prompt,
        announce=announce,
        ending=ending,
    ),
    content=Content(
        summary=(
            "Take numbers so that every step in your sequence is larger than the last; complete yours first to win."
        ),
        rules_text=__doc__,
        example=Example("5 7 8 9 12 13 2", "range=15"),
        lesson=Lesson(
            (
                Step("5", "You both take numbers from one pool. Four numbers make a sequence; begin with any."),
                Step("7", "That number is now gone for you as well."),
                Step("8", "Your second number can be anything. From 5 to 8 is a step of 3. Remember that step."),
                Step("9", "Each player has their own sequence, and their own last step."),
                Step("12", "Every step must be longer than your last one. Yours was 3, up or down.", wrong="10"),
                Step("13", "They have three numbers as well, so finish first."),
                Step("2", "You need a step of more than 4. It may go down: 12 to 2 is 10."),
            ),
            "range=15",
        ),
        variants=(
            Variant(
                title="Eight from seventeen",
                options={"length": "8", "range": "17"},
                why="longer sequences from fewer numbers: about 9 turns, 4 of them critical",
                character="short and sharp",
            ),
            Variant(
                title="Seven from fourteen",
                options={"length": "7", "range": "14"},
                why="slightly smaller: about 9 turns, 3 of them critical",
                character="short and sharp",
            ),
        ),
        known="The first player can win in 7 turns, whatever the first two numbers.",
        counted_once="mirror images and those that leave both players the same numbers",
        puzzles=(
            PuzzleSource("length=5 range=12"),
            PuzzleSource("length=6 range=12"),
            PuzzleSource("length=6 range=13"),
            PuzzleSource("length=7 range=13"),
            PuzzleSource("length=7 range=14"),
            PuzzleSource("length=8 range=14"),
        ),
        exams=(
            ExamSource("length=3 range=12", 1, 11),
            ExamSource("length=4 range=10", 1, 46),
            ExamSource("length=4 range=12", 1, 91),
            ExamSource("length=4 range=20", 1, 314),
        ),
        atlas=("length=2-10", "range=4-20"),
    ),
)
