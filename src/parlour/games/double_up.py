"""Take turns extending one rising sequence. If you cannot, you lose.

The sequence begins with 1, which belongs to neither player. On your turn, add a number that is larger than the last
one and at most twice as large: after 5 you may choose 6, 7, 8, 9 or 10. No number may go beyond the limit, which is
100 unless you choose another.

If you cannot add a number, you lose, and the player who added the last one wins. There are no draws.

The first choice is always 2, because nothing else lies between 1 and its double.

Good to know
- The limit is ours. The rule book names none, and its game would never end: twice the last number is always allowed.
  With --limit none you play exactly the book's game, which ends only when a player resigns.
- The book also forbids numbers that were used before. The sequence only rises, so that never matters; the list is
  shown all the same.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

from parlour.game import (
    MOVER_LOSES,
    MOVER_WINS,
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
    between,
)
from parlour.options import Number, options_in_words
from parlour.view import LINE, POOL, Group, PlayerNumber, Range, Tile, View


class Options(NamedTuple):
    limit: Annotated[
        int,
        Number(
            "the largest number allowed; with none the game never ends",
            2,
            1_000_000,
            none=True,
            said="up to {}",
            said_none="without a limit",
        ),
    ] = 100


class Position(NamedTuple):
    last: int  # the last number of the sequence


def start(options: Options) -> Position:
    return Position(1)


def moves(options: Options, position: Position) -> Moves:
    double = 2 * position.last
    return between(position.last + 1, min(double, options.limit) if options.limit else double)


def play(options: Options, position: Position, move: int) -> Position:
    return Position(move)


def result(options: Options, position: Position) -> int:
    return MOVER_LOSES if position.last == options.limit else ONGOING


def bounds(options: Options) -> Bounds | None:
    return Bounds(options.limit + 1, options.limit - 1, (options.limit + 1,)) if options.limit else None


def impossible(options: Options, position: Position) -> str | None:
    # Every number can be reached in steps of 1.
    return None if position.last >= 1 else f"the sequence begins with 1, so its last number is never {position.last}"


def theory(options: Options, position: Position) -> tuple[int, int, int]:
    """The secret: leave your opponent the limit, or a number from which every move lets you do so.

    Call a number lost if the player who must move from it loses. The limit is lost: nothing can follow it. If a is
    lost, every n < a with 2n >= a is won, by moving to a. The largest n below those, (a - 1) // 2, is lost again:
    every move from it goes to one of n + 1 .. 2n, and 2n < a, so these are the won numbers just named. Hence the lost
    numbers are the limit L, (L - 1) // 2 and so on downwards, and all others are won.

    From a won number the winner moves to the next lost number above; a later one is out of reach, for it is more than
    twice as far. From a lost number every move leads to a won number below the next lost one. So every line of
    best play visits all lost numbers above, two turns each: from the k-th of them below the limit it takes 2k turns.
    """
    lost, plies = options.limit, 0
    while (lost - 1) // 2 >= position.last:
        lost, plies = (lost - 1) // 2, plies + 2
    if position.last == lost:
        return MOVER_LOSES, plies, position.last + 1
    return MOVER_WINS, plies + 1, lost


def secret(options: Options) -> str:
    lost = [options.limit]
    while lost[-1] > 4:
        lost.append((lost[-1] - 1) // 2)
    *numbers, limit = [str(number) for number in reversed(lost) if number > 1]
    return f"Leave the other player {', '.join(numbers)} and at last {limit}." if numbers else ""


def summary_under(options: Options) -> str:
    ending = "if you cannot, you lose" if options.limit else "without a limit it ends only when a player resigns"
    return f"Add a larger number to the sequence, at most twice the last one; {ending}."


def refusal(options: Options, position: Position, move: int) -> str:
    if move <= position.last:
        return f"{move} is not more than {position.last}, the last number"
    if move > 2 * position.last:
        return f"{move} is more than {2 * position.last}, the double of {position.last}"
    return f"{move} is more than {options.limit}, the limit"


def expected(options: Options, position: Position) -> str:
    allowed = moves(options, position)
    if allowed.low == allowed.high:
        return f"{allowed.low}, the only legal number"
    return f"a number from {allowed.low} to {allowed.high}"


def sequence(moment: Moment[Options, Position]) -> list[int]:
    return [1, *moment.moves]


def used(moment: Moment[Options, Position]) -> str:
    return "{" + ", ".join(map(str, sequence(moment))) + "}"


def choices(moment: Moment[Options, Position]) -> str:
    allowed = moves(moment.options, moment.position)
    if allowed.high - allowed.low >= 10:
        return f"[{allowed.low}, {allowed.low + 1}, ..., {allowed.high}]"
    return str(list(range(allowed.low, allowed.high + 1)))


def view(moment: Moment[Options, Position]) -> View:
    tiles = [Tile("1"), *(Tile(str(number), moment.player(ply)) for ply, number in enumerate(moment.moves))]
    allowed = moves(moment.options, moment.position)
    if allowed.high - allowed.low < 60:
        numbers = tuple(Tile(str(n), None, n) for n in range(allowed.low, allowed.high + 1))
    else:
        numbers = (Tile(f"{allowed.low} to {allowed.high}"),)
    if moment.moves and result(moment.options, moment.position) != ONGOING:
        tiles[-1] = tiles[-1]._replace(won=True)
    note = options_in_words(moment.options)
    choice = Range(allowed.low, allowed.high, moment.options.limit)
    return (Group("Sequence", LINE, (tuple(tiles),), None, note), Group("Next", POOL, (numbers,), range=choice))


def told(moment: Moment[Options, Position]) -> str:
    last, number = sequence(moment)[-2:]
    return f"doubled {last} to {number}" if number == 2 * last else f"took {number}"


def needs(options: Options, position: Position) -> str:
    highest = moves(options, position).high
    return f"at most twice {position.last}" if highest == 2 * position.last else f"at most {highest}, the limit"


def verdict(moment: Moment[Options, Position], winner: PlayerNumber | None) -> Verdict:
    return Verdict(moment.turn, f"could not go beyond {moment.options.limit}")


def opening(moment: Moment[Options, Position]) -> Lines:
    limit = moment.options.limit
    reminder = f"Limit: no number above {limit}" if limit else "Limit: none. This game ends only when somebody resigns"
    return ["Starting Number: 1", "Sequence: [1]", "Numbers Used: {1}", reminder, ""]


def prompt(moment: Moment[Options, Position]) -> Lines:
    return [
        f"{moment.mover}'s Turn:",
        f"Last Number (N): {moment.position.last}",
        f"Valid Numbers to Choose From: {choices(moment)}",
        "Enter your selection: ",
    ]


def announce(moment: Moment[Options, Position]) -> Lines:
    return [
        ShownOnTable(f"Sequence Updated: {sequence(moment)}"),
        ShownOnTable(f"Numbers Used Updated: {used(moment)}"),
        "",
    ]


def ending(moment: Moment[Options, Position], winner: PlayerNumber | None) -> Lines:
    return [f"{moment.mover} cannot make a valid move.", f"{moment.waiter} wins the game!"]


GAME = Game(
    key="double-up",
    title="Double Up",
    version=1,
    options=Options,
    rules=GameRules(
        start=start, moves=moves, play=play, result=result, bounds=bounds, can_draw=False, impossible=impossible
    ),
    search=SearchAids(theory=theory),
    display=Display(
        view=view,
        refusal=refusal,
        expected=expected,
        told=told,
        needs=needs,
        verdict=verdict,
        summary_under=summary_under,
        secret=secret,
        opening=opening,
        prompt=prompt,
        announce=announce,
        ending=ending,
    ),
    content=Content(
        summary="Add a larger number to the sequence, at most twice the last one; if you cannot, you lose.",
        rules_text=__doc__,
        example=Example("2 3 5 6 9 10 19 20", "limit=20"),
        lesson=Lesson(
            (
                Step("2", "The last number is 1. Take a larger one, at most twice as large: here only 2 fits."),
                Step("3", "After 2 there was a choice: 3 or 4."),
                Step("4", "The player who reaches 20, the limit, leaves the other one without a move.", wrong="7"),
                Step("6", "Any number from 5 to 8 was allowed."),
                Step(
                    "9", "Leave 9: they cannot get from there to 20 in one turn, but you will in the next.", wrong="5"
                ),
                Step("15", "Now you can reach 20: it is at most twice 15."),
                Step("20", "Take the last step."),
            ),
            "limit=20",
        ),
        variants=(
            Variant(
                title="Up to 300",
                options={"limit": "300"},
                why="a longer, nearly even game: about 14 turns, 8 of them critical",
                character="a long duel",
            ),
            Variant(
                title="Up to 1000",
                options={"limit": "1000"},
                why="longer still, nearly even: about 17 turns, 9 of them critical",
                character="a long duel",
            ),
            Variant(
                title="Without a limit",
                options={"limit": "none"},
                why="exactly the book's game: it ends only when a player resigns",
                character="",
            ),
        ),
        known="The first player can always win, by leaving the other player 2, 5, 11, 24, 49 and 100.",
        puzzles=tuple(
            PuzzleSource(f"limit={limit}", hardest=2) for limit in (12, 15, 18, 20, 22, 25, 28, 30, 33, 36, 40)
        ),
        exams=(
            ExamSource("limit=20", 2, 14),
            ExamSource("limit=50", 1, 42),
            ExamSource("limit=100", 1, 91),
        ),
        atlas=("limit=3-402",),
    ),
)
