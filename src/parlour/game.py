"""Games: pure functions over integers, their texts, and the records that hold both.

Three conventions hold for every game, and everything else is derived from them:

- **Players alternate.** Each move, also a pass, ends the turn. A position does not say whose turn it is: it is seen
  from the side of the player to move ("mine" and "theirs"), and ``play`` swaps the sides.
- **A move is a small int**; 0 is the pass, in every game.
- **Chance comes before the first move**: a deal is part of the options.

``moves``, ``play`` and ``result`` are compiled from their Python source. They work on ints below 2**62 and the
NamedTuples declared here and in the game's file; they don't print, raise or use randomness.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, NewType, cast

from parlour.fields import about, document
from parlour.options import O, join_words, unpack_options
from parlour.view import PlayerNumber, View

Move = NewType("Move", int)  # the number of a move; a game names its moves
SomePosition = NewType("SomePosition", tuple[int, ...])  # a position of a game known only at run time

if TYPE_CHECKING:
    from random import Random

    from typing_extensions import TypeVar

    P = TypeVar("P", bound=tuple[int, ...], default=SomePosition)  # a game's Position
else:
    from typing import TypeVar

    P = TypeVar("P", bound=tuple[int, ...])

PASS = 0  # the move that only ends the turn
NO_CAP = 1 << 62  # no maximum number of rounds
REMARKS = "Good to know"  # the heading of advice and errata at the end of a game's rules

# The values of `result`, for the player to move.
ONGOING = 0  # the game is not over
MOVER_LOSES = 1  # it is over, and the player to move has lost
DRAWN = 2  # it is over without a winner
MOVER_WINS = 3  # it is over, and the player to move has won


class Moves(NamedTuple):
    """A set of moves: the set bits of ``mask``, or every number from ``low`` to ``high``."""

    mask: int
    low: int
    high: int


def marked(mask: int) -> Moves:
    """Return the moves whose bits are set."""
    return Moves(mask, 1, 0)


def between(low: int, high: int) -> Moves:
    """Return the moves from ``low`` to ``high``; none if ``low`` is larger."""
    return Moves(0, low, high)


def count_moves(moves: Moves) -> int:
    """Return the number of moves."""
    return popcount(moves.mask) if moves.mask else moves.high - moves.low + 1


def popcount(mask: int) -> int:
    """Return the number of set bits."""
    return mask.bit_count()


def mirrored(mask: int, width: int) -> int:
    """Return the lowest `width` bits in reverse order."""
    return int(f"{mask:0{width}b}"[::-1], 2)


class Bounds(NamedTuple):
    """The maximum size of a game under its options.

    >>> import parlour
    >>> parlour.rules_of("double-up", limit=30).bounds
    Bounds(moves=31, plies=29, position=(31,))
    """

    moves: int  # moves are below this number
    plies: int  # no game is longer than this
    position: tuple[int, ...]  # each field of a position is below its number here


@dataclass(frozen=True)
class Moment(Generic[O, P]):
    """A round in progress, for the texts of a game: the position, its history and the players.

    >>> import parlour
    >>> match = parlour.new_match("double-up", names=("Ann", "Ben"))
    >>> match.play_line("2 4 6")
    >>> match.moment.mover, match.moment.waiter, match.moment.taken(1)
    ('Ben', 'Ann', [2, 6])
    """

    options: O  # the packed options of the round, with everything dealt
    position: P  # the current position
    moves: tuple[int, ...]  # the moves of this round
    names: tuple[str, str]  # the names of player 1 and player 2
    first: PlayerNumber  # the player who began this round
    last_name: str = ""  # the name of the last move

    def player(self, ply: int) -> PlayerNumber:
        """Return the player of a ply of the round, counted from 0."""
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
        """Return the moves of a player in this round, without passes."""
        return [move for ply, move in enumerate(self.moves) if self.player(ply) == player and move != PASS]


def opponent(player: PlayerNumber) -> PlayerNumber:
    """Return the other player."""
    return 2 if player == 1 else 1


def player_at(first: PlayerNumber, ply: int) -> PlayerNumber:
    """Return the player of a ply of a round, counted from 0."""
    return opponent(first) if ply % 2 else first


Lines = list[str]


class ShownOnTable(str):
    """A line that repeats what a drawn board shows; renderers that draw the board leave it out."""


class Verdict(NamedTuple):
    """The reason for the end of a round, as a short text."""

    subject: PlayerNumber | None  # the subject of the text; None: the text is a sentence
    text: str  # a past tense without a full stop: "completed 5, 8, 12, 2"


@document
class Variant:
    """Suggested options of a game."""

    title: str = about("the title")
    options: dict[str, str] = about("the options that differ from the book's")
    why: str = about("the point of interest")
    character: str = about('the character of the contest: "short and sharp"; empty if it was not measured')

    @property
    def words(self) -> str:
        """The options in the format of a record: ``length=6 range=14``."""
        return join_words(self.options)


class PuzzleSource(NamedTuple):
    """Options whose positions are searched for puzzles."""

    options: str  # in the format of a record: "length=6 range=13"
    hardest: int = 5  # the highest grade; puzzles that share one idea get easy


class ExamSource(NamedTuple):
    """The options and side of an exam: its questions cover a winning strategy."""

    options: str  # in the format of a record: "limit=20"
    side: int  # 1 for the player who begins
    questions: int  # the number of questions for a player who always gives the quickest move


class Example(NamedTuple):
    """A game worth watching to learn the rules."""

    moves: str  # "5 7 8"
    options: str = ""


class Step(NamedTuple):
    """One move of a lesson and its sentence; forced passes are left out."""

    move: str  # the name of the move: "8"
    text: str  # an instruction to the learner, or a remark on the other player's move
    wrong: str = ""  # an illegal move that the learner tries first


class Lesson(NamedTuple):
    """A guided first game: the learner begins, and wins with the last step."""

    steps: tuple[Step, ...]
    options: str = ""  # in the format of a record: "limit=20"


# Defaults of the functions of a game.
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
    """Return the position itself."""
    return position


def number_name(options: O, move: int) -> str:
    """Return the number of a move as its name, as in most games."""
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
class GameRules(Generic[O, P]):
    """The rules of a game as functions of its options and a position, for the referee, the solver and the compiler.

    They are pure, use only ints and are total on reachable positions. They trust their arguments; ``Rules``, a game
    under chosen options, checks them.
    """

    check: Callable[[O], str | None] = _no_objection  # the reason why these options don't fit together, or None
    start: Callable[[O], P]  # the position before the first move
    moves: Callable[[O, P], Moves]  # the legal moves of an ONGOING position; never empty
    play: Callable[[O, P, int], P]  # the position after a legal move
    result: Callable[[O, P], int]  # ONGOING, MOVER_LOSES, DRAWN or MOVER_WINS
    bounds: Callable[[O], Bounds | None]  # the size limits of positions and games; None: the game need not end
    can_draw: bool = True  # False: every game has a winner
    settled: Callable[[O, P], bool] = _never  # whether neither player can still win this round, although moves remain
    # The reason why a position whose fields are within their bounds is inconsistent, or None: lower case, no full stop.
    # Must accept every position that play or `canonical` reaches; may accept some that play cannot reach.
    impossible: Callable[[O, P], str | None] = _nothing_impossible


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Rounds(Generic[O]):
    """The deal and the number of rounds; by default nothing is dealt, and a draw ends the game."""

    deal: Callable[[O, int, Random], O] = _as_given  # the options with the deal of round 1, 2, ...
    maximum: Callable[[O], int | None] = _no_rounds  # the most rounds while each is drawn; None: a draw ends the game


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class SearchAids(Generic[O, P]):
    """Optional knowledge for the solver; it makes answers faster and never changes them.

    ``canonical`` and ``outlook`` are compiled, like the rules.
    """

    canonical: Callable[[O, P], P] = as_it_is  # the canonical form, equal for positions with the same future
    outlook: Callable[[O, P], int] | None = None  # the mover's prospects, from 0 up; the lowest is searched first
    theory: Callable[[O, P], tuple[int, int, int]] | None = None  # result, plies and a best move by a formula


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Display(Generic[O, P]):
    """The look of a game: names of moves, the view, messages, and the lines of the rule book.

    Terminal, page and pictures use it. Only ``view`` and ``refusal`` are required.
    """

    view: Callable[[Moment[O, P]], View]  # the board as groups of tiles
    name: Callable[[O, int], str] = number_name  # one lower-case token for each move below bounds.moves but the pass
    other_name: Callable[[O, int], str] = _no_other_name  # a second text that is read as the move; empty: none

    # Messages.
    refusal: Callable[[O, P, int], str]  # the reason why a move is illegal; any number, in a game without ``name``
    expected: Callable[[O, P], str] = _expected  # the legal moves, to follow "Please select"
    # Short messages beside a drawn board; they don't repeat it.
    told: Callable[[Moment[O, P]], str] = _told  # the move just played, to follow a name or "You": "took 8"
    needs: Callable[[O, P], str] = _needs  # the constraint on the player to move: "more than 3 away from 8"
    stuck: Callable[[O, P], str] = _stuck  # the reason why the player to move has to pass: a clause
    verdict: Callable[[Moment[O, P], PlayerNumber | None], Verdict] = _verdict  # the reason for the end of a round

    # Facts that depend on the options.
    summary_under: Callable[[O], str] | None = None  # ``summary`` under other options than the book's, if it differs
    secret: Callable[[O], str] = _no_secret  # the short rule that wins, if there is one: "leave 2, 5 and 11"

    # The lines of the rule book, for pipes and plain terminals.
    opening: Callable[[Moment[O, P]], Lines] = _no_opening  # the lines before the first move
    prompt: Callable[[Moment[O, P]], Lines] = _prompt  # the lines before a move, the prompt itself last
    announce: Callable[[Moment[O, P]], Lines] = _announce  # the move just played
    refusing: Callable[[O, P, int], Lines] = _no_lines  # an illegal move; none: ``refusal`` and ``expected``
    ending: Callable[[Moment[O, P], PlayerNumber | None], Lines] = _ending  # the end of a round; the winner or None


@dataclass(frozen=True, kw_only=True, eq=False)
class Content:
    """Texts and examples for people who choose, learn or study a game.

    Only ``summary`` and ``rules_text`` are required.

    >>> import parlour
    >>> parlour.find_game("double-up").content.known
    'The first player can always win, by leaving the other player 2, 5, 11, 24, 49 and 100.'
    """

    summary: str  # the rule in one sentence, under the book's own options
    rules_text: str  # the rules in the players' language, advice and errata (REMARKS) at the end

    # For the menu and for learners.
    example: Example | None = None  # a game worth watching to learn the rules
    lesson: Lesson | None = None  # a guided first game of two minutes
    variants: tuple[Variant, ...] = ()  # options worth trying beside the book's, the best contest first
    quick: Variant | None = None  # the variant behind the button that starts a game; None: the book's own options

    # For students of the game.
    known: str = ""  # a proved fact about the book's own game, in one sentence
    counted_once: str = ""  # the positions that share a canonical form, in the players' words: "mirror images"
    puzzles: tuple[PuzzleSource, ...] = ()  # the options whose positions are searched for puzzles
    exams: tuple[ExamSource, ...] = ()  # the exams, from the shortest to the longest
    atlas: tuple[str, ...] | None = None  # the options on the atlas's map: ("length=2-10", "range=4-20"); None: no map


RECORDS: dict[str, type[Any]] = {
    "rules": GameRules,
    "rounds": Rounds,
    "search": SearchAids,
    "display": Display,
    "content": Content,
}


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Game(Generic[O, P]):
    """A game without chosen options: ``find_game`` returns it, and ``rules_of`` chooses the options.

    It has a record for each audience: ``rules``, ``rounds``, ``search``, ``display`` and ``content``. ``games/`` holds
    one file for each game, and ``CONTRIBUTING.md`` explains how to write one.

    >>> import parlour
    >>> game = parlour.find_game("double-up")
    >>> game.title, game.defaults
    ('Double Up', Options(limit=100))
    """

    key: str  # file name = command-line word = URL segment = record tag
    title: str  # the name of the game as people read it
    version: int  # the version of the rules in records and position tables; raised when a rule changes
    options: type[O]  # the options, each with its kind and default
    rules: GameRules[O, P]  # positions, moves and results
    rounds: Rounds[O] = field(default_factory=Rounds)  # chance and draws
    search: SearchAids[O, P] = field(default_factory=SearchAids)  # knowledge for the solver
    display: Display[O, P]  # the view, names of moves and messages
    content: Content  # summary, rules text, examples, variants and puzzles

    def __repr__(self) -> str:
        return f"<Game {self.key}>"

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a pickled game. Version 0.1.0 pickled all fields on one level."""
        if "content" not in state:
            state = state | {"maximum": state["rounds"]}
            for name, record in RECORDS.items():
                names = [each.name for each in fields(record) if each.name in state]
                state[name] = record(**{each: state[each] for each in names})
        for name in ("key", "title", "version", "options", *RECORDS):
            object.__setattr__(self, name, state[name])

    @property
    def defaults(self) -> O:
        """The book's options, as Python values."""
        return unpack_options(self.options())


def list_moves(moves: Moves) -> Sequence[Move]:
    """Return the moves in ascending order, as a range if they are one."""
    if not moves.mask:
        return cast(Sequence[Move], range(moves.low, moves.high + 1))
    mask, found = moves.mask, list[int]()
    while mask:
        lowest = mask & -mask
        found.append(lowest.bit_length() - 1)
        mask ^= lowest
    return cast(list[Move], found)


def has_move(moves: Moves, move: int) -> bool:
    """Return whether a set of moves has a move."""
    return move >= 0 and bool(moves.mask >> move & 1) if moves.mask else moves.low <= move <= moves.high
