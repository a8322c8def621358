"""Puzzles: positions in which exactly one move wins, or exactly one move holds the draw.

The other player answers the right move with the reply that resists longest. If again only one move keeps the value,
that is the next stage of the puzzle. The puzzle ends when several moves keep it or the game is over. Forced moves
are played for the solver.

`compose` builds a puzzle from exact scores, whether they come from a position table, a search or a test. The result
holds every answer and a refutation of every wrong move, so solving a puzzle needs no search.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from parlour.catalog import find_game
from parlour.errors import ParlourError
from parlour.fields import about, document, written
from parlour.game import ONGOING, Game, Move, P
from parlour.options import O, show_options
from parlour.rules import Rules, read_rules, show_position
from parlour.score import Score, Value
from parlour.text import clip
from parlour.view import PlayerNumber

MIN_MOVES = 3  # minimum number of legal moves at the first turn
OBVIOUS_PLIES = 2  # plies of an obvious mistake: the move and its refutation


@document
class Stage:
    """One decision of an exercise.

    >>> import parlour
    >>> stage = parlour.find_puzzle(1).stages[0]
    >>> stage.answer, stage.then, [*stage.wrong]
    (8, (9,), [9, 11, 12, 14])
    """

    right: Mapping[Move, tuple[Move, ...]] = about("each right move, with the play up to the next decision")
    wrong: Mapping[Move, tuple[Move, ...]] = about(
        "each wrong move, with the play that refutes it, to the end of the game"
    )

    @property
    def answer(self) -> Move:
        """The first right move; a puzzle has no other."""
        return next(iter(self.right))

    @property
    def then(self) -> tuple[Move, ...]:
        """The moves after the answer, up to the next decision or the end of the exercise."""
        return self.right[self.answer]


@document
class Exercise:
    """A position to solve, with every right move and a refutation of every wrong one.

    Its JSON is the entry of a progress file.
    """

    WRITTEN: ClassVar[tuple[str, ...]] = ("game", "version", "rules", "moves", "goal", "stages")

    rules: Rules[Any, Any] = about("all options as text, including the deal", name="options")
    moves: tuple[Move, ...] = about("the moves that lead to the position")
    goal: Value = about("the best achievable result: a win, or at least a draw")
    stages: tuple[Stage, ...] = about("the decisions, in order")

    @property
    @written
    def game(self) -> Game:
        """the name of the game"""
        return self.rules.game

    @property
    @written
    def title(self) -> str:
        """the title of the game"""
        return self.rules.game.title

    @property
    @written
    def version(self) -> int:
        """the version of the rules"""
        return self.rules.game.version

    @property
    @written
    def side(self) -> PlayerNumber:
        """the player to move, who solves it; player 1 began"""
        return 1 if len(self.moves) % 2 == 0 else 2

    @property
    @written
    def question(self) -> str:
        """the question as text"""
        can = "You can win." if self.goal is Value.WIN else "You can hold the draw."
        number = len(self.stages[0].right)
        return f"{can} {'Only one move does it' if number == 1 else f'{number} moves do it'}."


@document
class Features:
    """The features that determine the grade of a puzzle; all of them are exact.

    >>> import parlour
    >>> features = parlour.find_puzzle(1).features
    >>> features.choices, features.decisions, features.depth
    (5, 2, 1)
    """

    choices: int = about("the number of moves at the first turn")
    decisions: int = about("the number of turns of the solver")
    depth: int = about(
        "the number of turns of both players to look ahead until the answer looks best, at the hardest "
        "turn; 10: more than 8"
    )
    trap: float = about("the advantage of the best wrong move over the answer against random play, from -2 to 2")
    latest: int = about("the number of turns of both players until the last wrong move is refuted, counting that move")


@document
class Puzzle(Exercise):
    """A puzzle of the archive, with one right move at every stage.

    >>> import parlour
    >>> puzzle = parlour.find_puzzle(1)
    >>> match = parlour.new_match(puzzle.rules)
    >>> match.play_all(puzzle.moves)
    >>> print(puzzle.question, match.legal_names)
    You can win. Only one move does it. ['8', '9', '11', '12', '14']
    >>> puzzle.answer
    [8, 9, 3, 14]
    """

    WRITTEN: ClassVar[tuple[str, ...]] = (
        *("id", "number", "game", "rules", "moves", "side", "goal", "answer", "grade", "features", "kind"),
    )

    id: str = about("the digest of game, options and position; it never changes")
    number: int = about("the number in the archive, counted from 1; it never changes")
    grade: int = about("the grade, from 1 (easiest) to 5")
    features: Features = about("the features that determine the grade")
    kind: str = about("the digest of the game tree; no two puzzles of the archive share one")

    def __repr__(self) -> str:
        return f"<Puzzle {self.number} of {self.rules.game.title}: {self.question}>"

    def __hash__(self) -> int:
        return hash(self.id)

    @property
    @written
    def answer(self) -> list[Move]:
        """the solver's moves and the replies, the answer first"""
        return [move for stage in self.stages for move in (stage.answer, *stage.then)]


ScoreOf = Callable[[P], Score]  # score of an unfinished position for the player to move


def puzzle_id(rules: Rules[O, P], position: P) -> str:
    """Return the permanent ID of the puzzle in a position."""
    options = " ".join(f"{name}={text}" for name, text in show_options(rules.options).items())
    text = f"{rules.game.key} {rules.game.version} {options} {show_position(position)}"
    number = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])
    letters = "23456789abcdefghjkmnpqrstuvwxyz"  # without letters that look alike
    return "".join(letters[number // len(letters) ** place % len(letters)] for place in range(8))


def compose(rules: Rules[O, P], position: P, score: ScoreOf[P]) -> tuple[Stage, ...]:
    """Return the stages of the puzzle in a position, or none if it makes no puzzle.

    The position of a puzzle has three legal moves or more. Exactly one keeps the value, a win or a draw, and does not
    end the game. At least one wrong move is not refuted immediately.
    """
    goal = score(position).value
    if goal is Value.LOSS:
        return ()
    right = _right_moves(rules, position, goal, score)
    if len(right) != 1 or len(rules.legal(position)) < MIN_MOVES:
        return ()
    if rules.is_over(rules.after(position, right[0])):
        return ()
    wrong_moves = (move for move in rules.legal(position) if move != right[0])
    if all(_is_obvious(score_of_move(rules, position, move, score)) for move in wrong_moves):
        return ()
    stages = []
    while len(right) == 1:
        wrong = {
            move: best_play(rules, rules.after(position, move), score)
            for move in rules.legal(position)
            if move != right[0]
        }
        then, position = _until_next_turn(rules, rules.after(position, right[0]), goal, score)
        stages.append(Stage(right={right[0]: then}, wrong=wrong))
        right = [] if rules.is_over(position) else _right_moves(rules, position, goal, score)
    return tuple(stages)


def score_of_move(rules: Rules[O, P], position: P, move: int, score: ScoreOf[P]) -> Score:
    """Return the score of a move for the player who makes it."""
    after = rules.after(position, move)
    result = rules.result(after)
    return (score(after) if result == ONGOING else Score(Value.of_result(result), 0)).before_move()


def _is_obvious(score: Score) -> bool:
    """Return whether a wrong move with this score is refuted immediately."""
    return score.value is Value.LOSS and score.plies is not None and score.plies <= OBVIOUS_PLIES


def best_play(rules: Rules[O, P], position: P, score: ScoreOf[P]) -> tuple[Move, ...]:
    """Return best play from a position to the end, with the lowest of equal moves."""
    line = []
    while not rules.is_over(position):
        line.append(best_move(rules, position, score))
        position = rules.after(position, line[-1])
    return tuple(line)


def best_move(rules: Rules[O, P], position: P, score: ScoreOf[P]) -> Move:
    """Return the lowest move of the highest score."""
    return max(rules.legal(position), key=lambda move: (score_of_move(rules, position, move, score), -move))


def _stubborn_reply(rules: Rules[O, P], position: P, goal: Value, score: ScoreOf[P]) -> Move:
    """Return the reply that resists longest; of equal ones that with the fewest right answers, then the lowest."""

    def resistance(move: Move) -> tuple[Score, int, int]:
        after = rules.after(position, move)
        right = 0 if rules.is_over(after) else len(_right_moves(rules, after, goal, score))
        return score_of_move(rules, position, move, score), -right, -move

    return max(rules.legal(position), key=resistance)


def _right_moves(rules: Rules[O, P], position: P, goal: Value, score: ScoreOf[P]) -> list[Move]:
    """Return the moves that keep the value ``goal``."""
    return [move for move in rules.legal(position) if score_of_move(rules, position, move, score).value is goal]


def _until_next_turn(rules: Rules[O, P], position: P, goal: Value, score: ScoreOf[P]) -> tuple[tuple[Move, ...], P]:
    """Return the reply to the solver's move and all forced moves after it, and the position that they reach."""
    line: list[Move] = []
    while not rules.is_over(position):
        reply = _stubborn_reply(rules, position, goal, score)
        line.append(reply)
        position = rules.after(position, reply)
        if rules.is_over(position) or rules.count_legal(position) > 1:
            break
        forced = rules.legal(position)[0]
        line.append(forced)
        position = rules.after(position, forced)
    return tuple(line), position


def write_stages(stages: Sequence[Stage]) -> str:
    """Return the stages of a puzzle as one word, like ``5-7.8/3-1.2,4-``.

    A stage is the answer with its continuation, then each wrong move with its refutation.
    """

    def line(moves: Sequence[int]) -> str:
        return ".".join(map(str, moves))

    return "/".join(
        ",".join(f"{move}-{line(rest)}" for move, rest in (*stage.right.items(), *stage.wrong.items()))
        for stage in stages
    )


def read_stages(text: str) -> tuple[Stage, ...]:
    """Return the stages in a text from ``write_stages``; ValueError if there are none."""

    def move(digits: str) -> Move:
        return Move(int(digits))

    def moves(part: str) -> tuple[Move, ...]:
        return tuple(map(move, part.split("."))) if part else ()

    stages = []
    for word in text.split("/"):
        (answer, then), *wrong = (part.split("-") for part in word.split(","))
        refuted = {move(first): moves(rest) for first, rest in wrong}
        stages.append(Stage(right={move(answer): moves(then)}, wrong=refuted))
    return tuple(stages)


def read_exercise(given: Mapping[str, Any]) -> Exercise:
    """Return the exercise in an entry of a progress file, after checking that its moves are legal.

    Raises:
        ParlourError: the entry holds no exercise, or the rules have changed since.
    """
    try:
        game = find_game(str(given["game"]))
        if given["version"] != game.version:
            raise ParlourError(f"the rules of {game.title} have changed since")
        rules = read_rules(game, {str(name): str(text) for name, text in given["options"].items()})
        moves, position = _line(rules, rules.start, given["moves"])
        goal = Value.read(str(given["goal"]))
        stages = []
        for stage in given["stages"]:
            right, wrong = (_lines(rules, position, stage[name]) for name in ("right", "wrong"))
            given_moves = {*right, *wrong}
            # Counted first: all moves of an endless game would not fit into memory.
            if (
                len(given_moves) != rules.count_legal(position)
                or given_moves != set(rules.legal(position))
                or not right
            ):
                raise ParlourError("its moves are not the legal moves")
            stages.append(Stage(right=right, wrong=wrong))
            for move in (stages[-1].answer, *stages[-1].then):
                position = rules.after(position, move)
        if not stages:
            raise ParlourError("it has no stage")
        return Exercise(rules=rules, moves=tuple(moves), goal=goal, stages=tuple(stages))
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ParlourError(f"this question cannot be read: {clip(str(error))}") from None


def _lines(rules: Rules, position: Any, given: Mapping[str, Sequence[str]]) -> dict[Move, tuple[Move, ...]]:
    """Return each move with the moves after it, from their names."""
    lines = {}
    for name, rest in given.items():
        (move, *after), _ = _line(rules, position, [name, *rest])
        lines[move] = tuple(after)
    return lines


def _line(rules: Rules, position: Any, names: Sequence[str]) -> tuple[list[Move], Any]:
    """Return the moves with these names and the position after them."""
    moves = []
    for name in names:
        move = rules.read(position, str(name))
        moves.append(move)
        position = rules.play(position, move)
    return moves, position
