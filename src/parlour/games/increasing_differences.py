"""Each player builds a sequence of numbers in which every step is larger than the step before.

On your turn take one unused number from the pool you share and put it at the end of your own sequence. The step from
one of your numbers to the next, up or down, is their difference: your third number must differ from your second by
more than the second differs from the first, and so on. Your first number can be any, and so can your second.

Whoever first has the full number of numbers (4 unless you choose another length) wins. A player who has no valid
number on his turn loses at once, however long the sequences are. There are no draws.

Example: after 5 and 8 the difference is 3. 12 may follow (difference 4); after that 15 may not (only 3), but 2 may
(10).

Good to know
- A number that breaks the rule is refused and you choose again; it costs nothing.
- Numbers the other player needs are worth taking.
- At the book's sizes the player who begins can always win, whatever the first number is.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Annotated, NamedTuple

from parlour.game import (
    MOVER_LOSES,
    ONGOING,
    Bounds,
    Example,
    Game,
    Lines,
    Moment,
    Moves,
    ShownOnTable,
    Variant,
    leads_back,
    marked,
    mirrored,
    popcount,
)
from parlour.options import Number
from parlour.text import counted
from parlour.view import View, pool_of, sequence_of, spell


class Options(NamedTuple):
    length: Annotated[int, Number("numbers a sequence needs to win", 2, 30)] = 4
    range: Annotated[int, Number("the pool holds the numbers from 1 to this", 2, 60)] = 20


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


def moves(options: Options, position: Position) -> Moves:
    # Everything within the last difference of the last number is too near. An empty sequence bars only 0.
    low = max(position.last - position.gap, 0)
    high = min(position.last + position.gap, options.range)
    too_near = (2 << high) - (1 << low)
    return marked(position.pool & ~too_near)


def play(options: Options, position: Position, move: int) -> Position:
    gap = abs(move - position.last) if position.last else 0
    return Position(position.pool ^ (1 << move), position.their_last, position.their_gap, move, gap)


def result(options: Options, position: Position) -> int:
    placed = options.range - popcount(position.pool)
    if (placed + 1) // 2 == options.length:  # the numbers of the player who has just moved
        return MOVER_LOSES
    return ONGOING if moves(options, position).mask else MOVER_LOSES


def canonical(options: Options, position: Position) -> Position:
    """A position and its mirror image, x for range + 1 - x, have the same future: the smaller one stands for both."""
    pool, last, gap, their_last, their_gap = position
    turned = Position(
        mirrored(pool, options.range + 2),
        options.range + 1 - last if last else 0,
        gap,
        options.range + 1 - their_last if their_last else 0,
        their_gap,
    )
    if position.pool != turned.pool:
        return position if position.pool < turned.pool else turned
    if last != turned.last:
        return position if last < turned.last else turned
    return position if their_last < turned.their_last else turned


def taken_in_turn(options: Options, position: Position) -> tuple[int, int]:
    """How many numbers the player to move has taken, and how many the other one."""
    taken = options.range - popcount(position.pool)
    return taken // 2, (taken + 1) // 2


def before(options: Options, position: Position) -> Iterator[tuple[Position, int]]:
    """The positions that may have come before this one, and the move played there."""
    pool, last, gap, their_last, their_gap = position
    _, count = taken_in_turn(options, position)
    taken = [n for n in range(1, options.range + 1) if not pool >> n & 1 and n not in (last, their_last)]
    earlier = [(0, 0)] if count == 1 else []  # what their last number and difference may have been
    for number in taken if count > 1 else ():
        if abs(their_last - number) == their_gap:
            gaps = {0} if count == 2 else {abs(number - other) for other in taken if other != number}
            earlier += [(number, smaller) for smaller in gaps if smaller < their_gap]
    for number, smaller in earlier:
        yield Position(pool | 1 << their_last, number, smaller, last, gap), their_last


def impossible(options: Options, position: Position) -> str | None:
    pool, last, gap, their_last, their_gap = position
    if pool & 1:
        return "0 is no number of the pool"
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
        if bool(difference) != (amount > 1):
            return (
                f"{who} has taken {counted(amount, 'number')}, so the last difference cannot be {difference or 'none'}"
            )
    if last and last == their_last:
        return f"{last} cannot be the last number of both players"
    if not leads_back(GAME, options, position, before):
        return "the numbers taken do not make two sequences with growing differences that end like this"
    return None


def bounds(options: Options) -> Bounds:
    numbers = options.range + 1
    return Bounds(
        numbers, min(2 * options.length - 1, options.range), (2 << options.range, numbers, numbers, numbers, numbers)
    )


def refusal(options: Options, position: Position, move: int) -> str:
    if not 1 <= move <= options.range:
        return f"{move} is outside the range 1-{options.range}"
    if not position.pool >> move & 1:
        return f"{move} has been taken already"
    gap = abs(move - position.last)
    return f"{gap} is not greater than the previous difference {position.gap}"


def expected(options: Options, position: Position) -> str:
    if position.gap:
        return f"a number that differs from {position.last} by more than {position.gap}"
    return "any number from the pool"


def view(moment: Moment[Options, Position]) -> View:
    options, taken = moment.options, (moment.taken(0), moment.taken(1))
    sequences = (sequence_of(moment.names[seat], seat, taken[seat], options.length) for seat in (0, 1))
    return (pool_of(options.range, taken), *sequences)


def prompt(moment: Moment[Options, Position]) -> Lines:
    unused = [n for n in range(1, moment.options.range + 1) if moment.position.pool >> n & 1]
    return [f"Available Numbers: {spell(unused)}", "", f"{moment.mover}, select your number: "]


def announce(moment: Moment[Options, Position]) -> Lines:
    numbers = moment.taken(1 - moment.turn)
    lines = []
    if len(numbers) > 1:
        differences = [abs(b - a) for a, b in itertools.pairwise(numbers)]
        previous = differences[-2] if len(differences) > 1 else "N/A"
        lines = [f"Previous difference: {previous}", f"New difference: {differences[-1]}"]
    return [*lines, ShownOnTable(f"{moment.waiter} Sequence: {numbers}"), ""]


def ending(moment: Moment[Options, Position], winner: int | None) -> Lines:
    if len(moment.taken(1 - moment.turn)) == moment.options.length:
        return [f"Congratulations, {moment.waiter}! You've completed your sequence."]
    return [f"{moment.mover} has no valid number left and loses.", f"Congratulations, {moment.waiter}! You win."]


GAME = Game(
    key="increasing-differences",
    title="Increasing Differences",
    version=1,
    summary="Take numbers in turn, each step in your sequence larger than the last; the first full sequence wins.",
    rules_text=__doc__,
    known="The player who begins wins, whatever both first numbers are; it takes 7 turns.",
    example=Example("5 7 8 9 12 13 2", "range=15"),
    variants=(
        Variant(
            "Seven from fourteen",
            "length=7 range=14",
            "about 9 turns, 3 of which can decide the game; equals win 67 to 33",
        ),
        Variant(
            "Six from thirteen",
            "length=6 range=13",
            "about 8 turns, 3 of which can decide the game; equals win 69 to 31",
        ),
    ),
    options=Options,
    check=check,
    start=start,
    moves=moves,
    play=play,
    result=result,
    bounds=bounds,
    can_draw=False,
    impossible=impossible,
    refusal=refusal,
    expected=expected,
    view=view,
    prompt=prompt,
    announce=announce,
    ending=ending,
    canonical=canonical,
    counted_once="mirror images",
)
