"""Build a rising sequence in small steps, from a pool of numbers that both players share.

On your turn, take an unused number from the pool and put it at the end of your own sequence. Your first number can be
anything; each later one must be exactly 1, 2 or 3 more than your last. After 5 you may take 6, 7 or 8, if they are
still there.

The first player with four numbers wins. If no number fits, you skip your turn, now and for the rest of the game: no
number ever comes back. When neither player can move, the longer sequence wins; equal lengths are a draw.

You can change the length, the pool and the steps: sequences of five, numbers up to 15, only steps of 2 or 3.

Good to know
- A number that breaks the rule is refused, and you choose again; it costs you nothing.
- You can block the other player by taking the numbers they need, as long as those fit your own sequence.
- The book's Example 2 refuses 8 after 5 as "too great a difference". By the book's own rule a step of 3 is allowed, and
  here it is.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

from parlour.game import (
    DRAWN,
    MOVER_LOSES,
    MOVER_WINS,
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
    SearchAids,
    ShownOnTable,
    Step,
    Variant,
    Verdict,
    marked,
    opponent,
    popcount,
)
from parlour.options import Number, Numbers
from parlour.text import counted, joined
from parlour.view import PLAYERS, PlayerNumber, View, pool_of, sequence_of, spell


class Options(NamedTuple):
    length: Annotated[int, Number("how many numbers a complete sequence has", 2, 30, said="sequences of {}")] = 4
    pool: Annotated[int, Number("the largest number in the pool", 2, 60, said="numbers 1 to {}")] = 20
    increments: Annotated[int, Numbers("the steps allowed from one number to the next", 1, 20, said="steps of {}")] = (
        0b1110
    )


class Position(NamedTuple):
    pool: int  # bit n: the number n is unused
    last: int  # the mover's last number; 0: none yet
    length: int  # how many numbers the mover has
    their_last: int
    their_length: int


def check(options: Options) -> str | None:
    smallest = (options.increments & -options.increments).bit_length() - 1
    needed = 1 + (options.length - 1) * smallest
    if options.pool < needed:
        return f"length {options.length} in steps of {smallest} needs a pool of at least {needed}, not {options.pool}"
    return None


def start(options: Options) -> Position:
    return Position((2 << options.pool) - 2, 0, 0, 0, 0)


def fitting(options: Options, pool: int, last: int) -> int:
    """Return the unused numbers that can follow `last`, as bits."""
    return pool & (options.increments << last) if last else pool


def moves(options: Options, position: Position) -> Moves:
    mask = fitting(options, position.pool, position.last)
    return marked(mask if mask else 1 << PASS)


def play(options: Options, position: Position, move: int) -> Position:
    pool, last, length, their_last, their_length = position
    if move == PASS:
        return Position(pool, their_last, their_length, last, length)
    return Position(pool ^ (1 << move), their_last, their_length, move, length + 1)


def result(options: Options, position: Position) -> int:
    pool, last, length, their_last, their_length = position
    if their_length == options.length:
        return MOVER_LOSES
    if fitting(options, pool, last) or fitting(options, pool, their_last):
        return ONGOING
    if length == their_length:
        return DRAWN
    return MOVER_WINS if length > their_length else MOVER_LOSES


def canonical(options: Options, position: Position) -> Position:
    """Drop the numbers below both last ones, because neither player can use them."""
    lower = min(position.last, position.their_last)
    return Position(
        position.pool >> lower << lower,
        position.last,
        position.length,
        position.their_last,
        position.their_length,
    )


def impossible(options: Options, position: Position) -> str | None:
    # Numbers below both last ones may be missing from the pool, because `canonical` drops them.
    pool, last, length, their_last, their_length = position
    if pool & 1:
        return "0 is not in the pool"
    for who, number, amount in (("the player to move", last, length), ("the other player", their_last, their_length)):
        if bool(number) != bool(amount):
            return f"{who} has taken {counted(amount, 'number')}, so the last one cannot be {number or 'none'}"
        if number and pool >> number & 1:
            return f"{number} is still in the pool, so it cannot be the last number of {who}"
    if last and last == their_last:
        return f"{last} cannot be the last number of both players"
    useless = max((1 << min(last, their_last)) - 2, 0)
    forgotten = useless & ~pool  # dropped, or taken
    placed, taken = length + their_length, options.pool - popcount(pool)
    if taken < placed or taken > placed + popcount(forgotten):
        return f"both sequences have {counted(placed, 'number')} together, but the pool lacks {taken}"
    if their_length > length + 1 and fitting(options, pool, last):
        return "the player to move is behind by more than a turn, but a player who can take a number never skips"
    if length > their_length and fitting(options, pool, their_last):
        return "the player to move is ahead, but a player who can take a number never skips"
    for number, amount in ((last, length), (their_last, their_length)):
        earlier = (
            n for n in range(1, number) if options.increments >> (number - n) & 1 and n not in (last, their_last)
        )
        if amount > 1 and all(pool >> n & 1 for n in earlier):
            return "the numbers taken do not make two sequences in allowed steps that end like this"
    return None


def bounds(options: Options) -> Bounds:
    numbers = options.pool + 1
    # A pass is always followed by a placement, because two stuck players end the game.
    placements = min(options.pool, 2 * options.length - 1)
    return Bounds(numbers, 2 * placements, (2 << options.pool, numbers, options.length, numbers, options.length + 1))


def summed(options: Options) -> str:
    """Return the allowed increments as a text: 1, 2 or 3."""
    allowed = [n for n in range(1, options.increments.bit_length()) if options.increments >> n & 1]
    return joined([str(n) for n in allowed], "or") if len(allowed) <= 5 else spell(allowed)


def summary_under(options: Options) -> str:
    return f"Take numbers, each {summed(options)} more than your last; complete your sequence first to win."


def refusal(options: Options, position: Position, move: int) -> str:
    if not 1 <= move <= options.pool:
        return f"{move} is out of range: choose 1 to {options.pool}"
    if not position.pool >> move & 1:
        return f"{move} is taken"
    step = move - position.last
    distance = f"{step} more than" if step > 0 else f"{-step} less than"
    return f"{move} is {distance} {position.last}; you need {summed(options)} more"


def expected(options: Options, position: Position) -> str:
    if position.last:
        return f"a number {needs(options, position)}"
    return "any number that is not taken"


def view(moment: Moment[Options, Position]) -> View:
    options, taken = moment.options, (moment.taken(1), moment.taken(2))
    ended = result(options, moment.position)
    winner = {MOVER_WINS: moment.turn, MOVER_LOSES: opponent(moment.turn)}.get(ended)
    sequences = (
        sequence_of(
            moment.names[player - 1],
            player,
            taken[player - 1],
            options.length,
            next_numbers(moment, taken[player - 1]),
            player == winner,
        )
        for player in PLAYERS
    )
    return (pool_of(options.pool, taken), *sequences)


def next_numbers(moment: Moment[Options, Position], numbers: list[int]) -> str:
    if not numbers:
        return ""
    mask = fitting(moment.options, moment.position.pool, numbers[-1])
    names = [str(n) for n in range(1, mask.bit_length()) if mask >> n & 1]
    return f"next: {joined(names, 'or')}" if names else "stuck"


def told(moment: Moment[Options, Position]) -> str:
    return "passed" if moment.moves[-1] == PASS else f"took {moment.moves[-1]}"


def needs(options: Options, position: Position) -> str:
    return f"{summed(options)} more than {position.last}" if position.last else ""


def stuck(options: Options, position: Position) -> str:
    wanted = [position.last + n for n in range(1, options.increments.bit_length()) if options.increments >> n & 1]
    taken = [str(n) for n in wanted if n <= options.pool]
    beyond = [str(n) for n in wanted if n > options.pool]
    clauses = [f"{joined(taken, 'and')} {'are' if len(taken) > 1 else 'is'} taken"] if taken else []
    if beyond:
        clauses.append(f"{joined(beyond, 'and')} {'are' if len(beyond) > 1 else 'is'} more than {options.pool}")
    return ", and ".join(clauses)


def verdict(moment: Moment[Options, Position], winner: PlayerNumber | None) -> Verdict:
    lengths = [len(moment.taken(player)) for player in PLAYERS]
    if winner is None:
        return Verdict(None, f"Neither player can move, and both sequences have {counted(lengths[0], 'number')}")
    if lengths[winner - 1] == moment.options.length:
        return Verdict(winner, f"completed {', '.join(map(str, moment.taken(winner)))}")
    longer, shorter = lengths[winner - 1], lengths[opponent(winner) - 1]
    return Verdict(winner, f"had the longer sequence, {longer} to {shorter}")


def available(moment: Moment[Options, Position]) -> str:
    unused = [str(n) for n in range(1, moment.options.pool + 1) if moment.position.pool >> n & 1]
    return f"Available Numbers: {' '.join(unused) or 'none'}"


def refusing(options: Options, position: Position, move: int) -> Lines:
    too_long = position.last and move - position.last >= options.increments.bit_length()
    if not too_long or not position.pool >> move & 1:
        return []  # the book shows no other refusal
    allowed = [str(n) for n in range(1, options.increments.bit_length()) if options.increments >> n & 1]
    steps = f"{', '.join(allowed[:-1])}, or {allowed[-1]}" if len(allowed) > 2 else " or ".join(allowed)
    return [
        f"Invalid move! The number {move} is too great a difference from {position.last}.",
        f"Please select a number that is greater by exactly {steps}.",
    ]


def opening(moment: Moment[Options, Position]) -> Lines:
    return [available(moment), ""]


def prompt(moment: Moment[Options, Position]) -> Lines:
    return [f"{moment.mover}, select your number: "]


def announce(moment: Moment[Options, Position]) -> Lines:
    if moment.moves[-1] == PASS:
        return [f"{moment.waiter} has no valid number and skips this turn.", ""]
    numbers = moment.taken(opponent(moment.turn))
    lines: Lines = [ShownOnTable(f"{moment.waiter}'s sequence: {numbers}")]
    return lines if len(numbers) == moment.options.length else [*lines, ShownOnTable(available(moment)), ""]


def ending(moment: Moment[Options, Position], winner: PlayerNumber | None) -> Lines:
    lengths = [len(moment.taken(player)) for player in PLAYERS]
    if winner is not None and lengths[winner - 1] == moment.options.length:
        return [f"{moment.names[winner - 1]} wins! Sequence: {moment.taken(winner)}"]
    lines = ["Neither player has a valid number left."]
    if winner is None:
        return [*lines, f"The game is a draw: both sequences have length {lengths[0]}."]
    longer, shorter = lengths[winner - 1], lengths[opponent(winner) - 1]
    return [
        *lines,
        f"{moment.names[winner - 1]} wins with the longer sequence, {longer} to {shorter}: {moment.taken(winner)}",
    ]


GAME = Game(
    key="sequence-builder",
    title="Sequence Builder",
    version=1,
    options=Options,
    rules=GameRules(
        check=check, start=start, moves=moves, play=play, result=result, bounds=bounds, impossible=impossible
    ),
    search=SearchAids(canonical=canonical),
    display=Display(
        view=view,
        refusal=refusal,
        expected=expected,
        told=told,
        needs=needs,
        stuck=stuck,
        verdict=verdict,
        summary_under=summary_under,
        opening=opening,
        prompt=prompt,
        announce=announce,
        refusing=refusing,
        ending=ending,
    ),
    content=Content(
        summary="Take numbers, each 1, 2 or 3 more than your last; complete your sequence first to win.",
        rules_text=__doc__,
        example=Example("5 7 6 10 9 13 12"),
        lesson=Lesson(
            (
                Step("10", "You both take numbers from one pool. Four numbers make a sequence; begin with any."),
                Step("18", "That is near the end of the pool, where few numbers can follow."),
                Step("12", "Each later number is 1, 2 or 3 more than your last: 11, 12 or 13."),
                Step("20", "Nothing can follow 20."),
                Step("13", "Again take at most 3 more than your last number.", wrong="16"),
                Step("15", "You can still move. Take your fourth number."),
            ),
        ),
        variants=(
            Variant(
                title="Leaps",
                options={"length": "10", "pool": "24", "increments": "2,3,5"},
                why="longer steps, longer sequences: about 15 turns, 7 of them critical",
                character="every turn counts",
            ),
            Variant(
                title="As far as you can",
                options={"length": "10", "pool": "18"},
                why="a distant goal in a small pool: about 10 turns, 6 of them critical",
                character="every turn counts",
            ),
        ),
        known="The first player wins with a first number up to 13, draws with 14 to 17 and loses with 18 to 20.",
        counted_once="those that differ only in numbers below both last ones",
        puzzles=(
            PuzzleSource("length=6 pool=16 increments=1,2,3,4,5,6"),
            PuzzleSource("length=6 pool=20 increments=1,2,3,4,5,6"),
            PuzzleSource("length=6 pool=20 increments=1,2,3,5,7"),
            PuzzleSource("length=7 pool=20 increments=1,2,4,5,7"),
            PuzzleSource("length=6 pool=18 increments=2,3,4,5,6"),
            PuzzleSource("length=8 pool=20 increments=2,3,5"),
            PuzzleSource("length=7 pool=20 increments=1,2,3,5,8"),
            PuzzleSource("length=8 pool=20 increments=1,2,4,5,7"),
        ),
        exams=(
            ExamSource("length=5 pool=12 increments=1,2,3,4", 1, 10),
            ExamSource("length=5 pool=14 increments=1,2,4", 1, 30),
            ExamSource("length=6 pool=12", 2, 37),
            ExamSource("length=6 pool=20", 2, 91),
            ExamSource("length=7 pool=16 increments=1,2,3,4", 1, 126),
        ),
        atlas=("length=2-10", "pool=4-24", "increments=1,2,3", "increments=2,3,5"),
    ),
)
