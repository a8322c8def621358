"""What a game is: one record of pure functions over integers, and the words that go with them.

Three conventions hold for every game, and everything else is derived from them:

- **Players alternate, always.** Each move, a pass included, hands the turn over. So a position does not say whose
  turn it is: it is seen from the side of the player to move ("mine" and "theirs"), and ``play`` swaps the sides.
- **A move is a small int**; 0 is the pass, in every game.
- **What chance decides is dealt before the first move** and is part of the options from then on.

``moves``, ``play`` and ``result`` are plain Python over ints below 2**62 and use nothing but each other, so that they
can be compiled as they stand: no printing, no raising, no randomness, no objects but the NamedTuples declared here
and in the game's file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Generic, NamedTuple, NewType

from parlour.options import O, join_words
from parlour.view import PlayerNumber, View
from parlour.writer import about, document

SomePosition = NewType("SomePosition", tuple[int, ...])  # of a game that is known only when the program runs

if TYPE_CHECKING:
    from random import Random

    from typing_extensions import TypeVar

    P = TypeVar("P", bound=tuple[int, ...], default=SomePosition)  # a game's Position
else:
    from typing import TypeVar

    P = TypeVar("P", bound=tuple[int, ...])

PASS = 0  # the move that only hands the turn over
NO_CAP = 1 << 62  # rounds until somebody wins
REMARKS = "Good to know"  # the heading of advice and errata at the end of a game's rules

# What `result` answers, from the side of the player to move.
ONGOING = 0  # the game goes on
MOVER_LOSES = 1  # it is over, and the player to move has lost
DRAWN = 2  # it is over, and nobody has won
MOVER_WINS = 3  # it is over, and the player to move has won


class Moves(NamedTuple):
    """The moves that may be played: the set bits of ``mask``, or every number from ``low`` to ``high``."""

    mask: int
    low: int
    high: int


def marked(mask: int) -> Moves:
    """The moves whose bits are set."""
    return Moves(mask, 1, 0)


def between(low: int, high: int) -> Moves:
    """The moves from ``low`` to ``high``; none if there is nothing between them."""
    return Moves(0, low, high)


def count_moves(moves: Moves) -> int:
    """How many moves there are."""
    return popcount(moves.mask) if moves.mask else moves.high - moves.low + 1


def popcount(mask: int) -> int:
    """How many bits are set."""
    return mask.bit_count()


def mirrored(mask: int, width: int) -> int:
    """The lowest `width` bits in reverse order."""
    return int(f"{mask:0{width}b}"[::-1], 2)


class Bounds(NamedTuple):
    """How large a game can get under its options.

    >>> import parlour
    >>> parlour.rules_of("double-up", limit=30).bounds
    Bounds(moves=31, plies=29, position=(31,))
    """

    moves: int  # moves are below this number
    plies: int  # no game is longer than this
    position: tuple[int, ...]  # each field of a position is below its number here


@dataclass(frozen=True)
class Moment(Generic[O, P]):
    """A round in progress, as the words need it: the rules' position, how it came about, and who sits where.

    >>> import parlour
    >>> match = parlour.new_match("double-up", names=("Ann", "Ben"))
    >>> match.play_line("2 4 6")
    >>> match.moment.mover, match.moment.waiter, match.moment.taken(1)
    ('Ben', 'Ann', [2, 6])
    """

    options: O  # of the round, everything dealt
    position: P  # as it is now
    moves: tuple[int, ...]  # all that was played in this round
    names: tuple[str, str]  # of player 1 and player 2
    first: PlayerNumber  # the player who began this round
    last_name: str = ""  # what the last move is called

    def player(self, ply: int) -> PlayerNumber:
        """Return who plays the move at this place of the round, counted from 0."""
        return player_at(self.first, ply)

    @property
    def turn(self) -> PlayerNumber:
        """The player to move."""
        return self.player(len(self.moves))

    @property
    def mover(self) -> str:
        """The name of the player to move."""
        return self.names[self.turn - 1]

    @property
    def waiter(self) -> str:
        """The name of the player who has just moved."""
        return self.names[opponent(self.turn) - 1]

    def taken(self, player: PlayerNumber) -> list[int]:
        """What this player has played in this round, passes left out."""
        return [move for ply, move in enumerate(self.moves) if self.player(ply) == player and move != PASS]


def opponent(player: PlayerNumber) -> PlayerNumber:
    """Return the other player."""
    return 2 if player == 1 else 1


def player_at(first: PlayerNumber, ply: int) -> PlayerNumber:
    """Return who plays the move at a place of a round, counted from 0."""
    return opponent(first) if ply % 2 else first


Lines = list[str]


class ShownOnTable(str):
    """A line that only says what the table shows: whoever draws the table leaves it out."""


class Verdict(NamedTuple):
    """Why a round ended as it did, in a few words."""

    subject: (
        PlayerNumber | None
    )  # the player whose name, or "You", goes before the words; None: they are a sentence of their own
    text: str  # in the past tense and without a full stop: "completed 5, 8, 12, 2"


@document
class Variant:
    """Options worth trying beside the book's."""

    title: str = about("what it is called")
    options: dict[str, str] = about("the options that differ from the book's")
    why: str = about("what is interesting about it")
    character: str = about('what sort of contest it is: "short and sharp"; empty where that is not measured')

    @property
    def words(self) -> str:
        """The options as a record has them: ``length=6 range=14``."""
        return join_words(self.options)


class PuzzleSource(NamedTuple):
    """Options whose positions are looked through for puzzles."""

    options: str  # as a record has them: "length=6 range=13"
    hardest: int = 5  # the grade that none of them exceeds: where there is one idea, it is easy once one has it


class ExamSource(NamedTuple):
    """Options under which a side can be mastered: what has to be answered until it wins against everybody."""

    options: str  # as a record has them: "limit=20"
    side: int  # 1 for the player who begins
    questions: int  # that the exam has for somebody who answers with the quickest moves


class Example(NamedTuple):
    """A game worth watching to learn the rules."""

    moves: str  # "5 7 8"
    options: str = ""


class Step(NamedTuple):
    """One move of a lesson, with the sentence that goes with it; a forced pass is no step."""

    move: str  # what is played: "8"
    text: str  # of the learner: what to do, and why; of the other player: what their move means
    wrong: str = ""  # of the learner: a move that the rules forbid here, to be tried first


class Lesson(NamedTuple):
    """A first game, played by doing what it says: the learner begins, and wins with the last step."""

    steps: tuple[Step, ...]
    options: str = ""  # as a record has them: "limit=20"


# What a game need not bring itself.
def _no_objection(options: O) -> str | None:
    return None


def _nothing_impossible(options: O, position: P) -> str | None:
    return None


def _as_given(options: O, round: int, random: Random) -> O:
    return options


def _no_rounds(options: O) -> int | None:
    return None


def _never(options: O, position: P) -> bool:
    return False


def as_it_is(options: O, position: P) -> P:
    """The position itself."""
    return position


def number_name(options: O, move: int) -> str:
    """Most moves are called by their number."""
    return str(move)


def _no_lines(options: O, position: P, move: int) -> Lines:
    return []


def _no_opening(moment: Moment[O, P]) -> Lines:
    return []


def _prompt(moment: Moment[O, P]) -> Lines:
    return [f"{moment.mover}, your move: "]


def _expected(options: O, position: P) -> str:
    return "a move from the list"


def _announce(moment: Moment[O, P]) -> Lines:
    return [f"{moment.waiter} {'passes' if moment.moves[-1] == PASS else f'plays {moment.last_name}'}.", ""]


def _told(moment: Moment[O, P]) -> str:
    return "passed" if moment.moves[-1] == PASS else f"played {moment.last_name}"


def _needs(options: O, position: P) -> str:
    return ""


def _stuck(options: O, position: P) -> str:
    return "there is no move to make"


def _no_other_name(options: O, move: int) -> str:
    return ""


def _no_secret(options: O) -> str:
    return ""


def _verdict(moment: Moment[O, P], winner: PlayerNumber | None) -> Verdict:
    return Verdict(winner, "won the game") if winner is not None else Verdict(None, "Nobody has won")


def _ending(moment: Moment[O, P], winner: PlayerNumber | None) -> Lines:
    return ["The game is a draw." if winner is None else f"{moment.names[winner - 1]} wins!"]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Game(Generic[O, P]):
    """One game, whatever its options are: ``find_game`` finds it, ``rules_of`` chooses the options.

    Beside its name and its words it has the functions that make up its rules; ``CONTRIBUTING.md`` tells how to write
    one. ``games/`` holds one file for each.

    >>> import parlour
    >>> game = parlour.find_game("double-up")
    >>> game.title, game.defaults
    ('Double Up', Options(limit=100))
    """

    key: str  # file name = command-line word = URL segment = record tag
    title: str  # what people call it
    version: int  # goes up when a rule changes; records and tables carry it
    summary: str  # the rule in one sentence, under the book's own options
    summary_under: Callable[[O], str] | None = None  # the same under others, where it says something about them
    rules_text: str  # the rules in the players' language; what is good to know at their end
    known: str = ""  # what is proved about the book's own game, in one sentence
    example: Example | None = None  # a game worth watching to learn the rules
    lesson: Lesson | None = None  # the rules by doing them, in two minutes
    variants: tuple[Variant, ...] = ()  # options worth trying beside the book's, the best contest first
    quick: Variant | None = None  # which of them is played where one presses once; None: the book's own
    puzzles: tuple[PuzzleSource, ...] = ()  # where its puzzles come from
    atlas: tuple[str, ...] | None = None  # what its map in the atlas covers: ("length=2-10", "range=4-20"); None: none
    exams: tuple[ExamSource, ...] = ()  # what can be mastered, from the shortest exam to the longest
    secret: Callable[[O], str] = _no_secret  # the short rule that wins, where there is one: "leave 2, 5 and 11"
    options: type[O]  # what can be chosen, each option with its default
    check: Callable[[O], str | None] = _no_objection  # why these options together make no game, or None

    # Rules: pure, total on reachable positions, ints only.
    start: Callable[[O], P]
    moves: Callable[[O, P], Moves]  # asked only while the result is ONGOING, and then never empty
    play: Callable[[O, P, int], P]  # the caller has checked legality
    result: Callable[[O, P], int]
    bounds: Callable[[O], Bounds | None]  # None: a game under these options need not end
    can_draw: bool = True  # False: there is always a winner
    # Why play cannot lead to a position whose fields are within their bounds, or None: lower case, no full stop. What
    # play reaches passes, also from where `canonical` leads; of the rest, as much is refused as can be told.
    impossible: Callable[[O, P], str | None] = _nothing_impossible

    # Knowledge: what a game may add for the solver's sake; it changes no answer.
    canonical: Callable[[O, P], P] = as_it_is  # one position to stand for all with the same future; compiled as well
    outlook: Callable[[O, P], int] | None = (
        None  # how it looks for the mover: searched from the least; compiled as well
    )
    counted_once: str = ""  # which tables of play are one position to a table of scores: "mirror images"
    theory: Callable[[O, P], tuple[int, int, int]] | None = None  # result, plies, a best move: where a formula tells

    # Set-up and rounds, where chance has a part.
    deal: Callable[[O, int, Random], O] = _as_given  # settles what chance decides in round 1, 2, ...
    rounds: Callable[[O], int | None] = (
        _no_rounds  # a drawn round is followed by another, up to so many; None: a draw is a draw
    )
    settled: Callable[[O, P], bool] = _never  # nobody can win this round any more, though moves remain

    # Words.
    name: Callable[[O, int], str] = number_name  # one lower-case token for each move below bounds.moves but the pass
    refusal: Callable[[O, P, int], str]  # why a move is not allowed; where moves go by numbers, any that is typed
    expected: Callable[[O, P], str] = _expected  # what would be: "Please select ..."
    view: Callable[[Moment[O, P]], View]
    other_name: Callable[[O, int], str] = _no_other_name  # a second way to type a move, where there is one
    # The same in a few words, for a table that is drawn: it says nothing that can be seen there.
    told: Callable[[Moment[O, P]], str] = _told  # the move just played, to follow a name or "You": "took 8"
    needs: Callable[[O, P], str] = _needs  # what binds the player to move: "more than 3 away from 8"
    stuck: Callable[[O, P], str] = _stuck  # why the player to move can do nothing: a clause
    verdict: Callable[[Moment[O, P], PlayerNumber | None], Verdict] = _verdict  # as ``ending``
    # The book's own lines.
    refusing: Callable[[O, P, int], Lines] = _no_lines  # a move that is not allowed; none: ``refusal`` and ``expected``
    opening: Callable[[Moment[O, P]], Lines] = _no_opening
    prompt: Callable[[Moment[O, P]], Lines] = _prompt  # the last line is the prompt itself
    announce: Callable[[Moment[O, P]], Lines] = _announce  # the move just played
    ending: Callable[[Moment[O, P], PlayerNumber | None], Lines] = (
        _ending  # of a round that was played out; the winner or None
    )

    def __repr__(self) -> str:
        return f"<Game {self.key}>"

    @property
    def defaults(self) -> O:
        """The options of the book."""
        return self.options()


def list_moves(moves: Moves) -> Sequence[int]:
    """The moves in ascending order, as a sequence that knows its length and members without being written out."""
    if not moves.mask:
        return range(moves.low, moves.high + 1)
    mask, found = moves.mask, []
    while mask:
        lowest = mask & -mask
        found.append(lowest.bit_length() - 1)
        mask ^= lowest
    return found


def has_move(moves: Moves, move: int) -> bool:
    """Whether a move is one of these."""
    return move >= 0 and bool(moves.mask >> move & 1) if moves.mask else moves.low <= move <= moves.high


MOST_TAKEN_BACK = 1000  # moves, on all the ways together that are tried: a few hundredths of a second


def leads_back(
    game: Game[O, P],
    options: O,
    position: P,
    before: Callable[[O, P], Iterable[tuple[P, int]]],
    is_start: Callable[[P], bool] | None = None,
    alike: Iterable[P] = (),
) -> bool:
    """Whether moves can be taken back from a position until the start is reached; for ``impossible``.

    ``before`` names the positions that may have come just before one, each with the move that was played there. It may
    name too many: the rules decide which of them count. ``alike`` are positions that will do as well, because the
    first one stands for them in a table. The answer is also True where MOST_TAKEN_BACK moves do not settle it, so a
    position that play reaches is never turned down.
    """
    start, tried = game.start(options), 0
    seen: set[P] = set()
    for end in chain((position,), alike):
        tried += 1
        todo = [] if end in seen else [end]
        seen.add(end)
        while todo:
            here = todo.pop()
            if is_start(here) if is_start else here == start:
                return True
            for earlier, move in before(options, here):
                tried += 1
                if tried > MOST_TAKEN_BACK:
                    return True
                if (
                    earlier not in seen
                    and game.result(options, earlier) == ONGOING
                    and has_move(game.moves(options, earlier), move)
                    and game.play(options, earlier, move) == here
                ):
                    seen.add(earlier)
                    todo.append(earlier)
    return False
