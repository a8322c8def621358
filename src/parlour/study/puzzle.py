"""What a puzzle is, and the proof that it is one.

In a puzzle you can win, or at least hold the draw, and exactly one move does it. The other player then answers with the
move that resists longest. If again one move alone keeps what you had, that is the next turn of the puzzle; where
several do, or the game is over, the point is made and the puzzle ends. Moves that are forced are played for you.

The proof is in the scores: `compose` asks for those of the positions it meets and knows nothing of where they come
from, a table, a search or an enumeration written for a test. What it returns holds every answer and a refutation of
every wrong move, so that solving a puzzle needs no solver.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from parlour.game import ONGOING, P
from parlour.options import O, show_options
from parlour.rules import Rules, show_position
from parlour.score import Score, Value
from parlour.view import PlayerNumber

FEWEST_MOVES = 3  # to choose from at the first turn
AT_ONCE = 2  # plies in which a wrong move is lost to see: this one and its refutation


class KeyTurn(NamedTuple):
    """One decision of a puzzle: the only move that keeps the value, what follows it, and what refutes the others."""

    answer: int
    then: tuple[int, ...]  # the reply and what is forced after it, up to the next turn or the end of the puzzle
    wrong: dict[int, tuple[int, ...]]  # best play after each wrong move, to the end of the game


class Features(NamedTuple):
    """What a puzzle is graded by."""

    choices: int  # moves to choose from at the first turn
    decisions: int  # turns
    depth: int  # turns that one has to look ahead until the answer looks best, at the hardest decision
    trap: float  # how much better the best wrong move looks than the answer to random play, from -2 to 2
    latest: int  # plies until the last of the wrong moves is refuted


@dataclass(frozen=True)
class Puzzle:
    """A puzzle of the archive."""

    number: int  # counted from 1, and never given again
    id: str  # a digest of game, options and position
    rules: Rules  # with everything dealt
    moves: tuple[int, ...]  # that lead to it
    goal: Value  # WIN or DRAW
    turns: tuple[KeyTurn, ...]
    grade: int  # from 1, the easiest, to 5
    kind: str  # a digest of the game tree: puzzles of one kind are the same but for the names of the moves
    features: Features

    @property
    def side(self) -> PlayerNumber:
        """Whose turn it is: 1 for the player who began."""
        return 1 if len(self.moves) % 2 == 0 else 2

    @property
    def answer(self) -> tuple[int, ...]:
        """The solver's moves and the replies, the answer first."""
        return tuple(move for turn in self.turns for move in (turn.answer, *turn.then))

    @property
    def question(self) -> str:
        """What is asked."""
        if self.goal is Value.WIN:
            return "You can win. Only one move does it."
        return "You can hold the draw. Only one move does it."


ScoreOf = Callable[[P], Score]  # what a position that is not over is worth to the player to move


def puzzle_id(rules: Rules[O, P], position: P) -> str:
    """The identity of a puzzle: it stays the same for ever."""
    options = " ".join(f"{name}={text}" for name, text in show_options(rules.options).items())
    text = f"{rules.game.key} {rules.game.version} {options} {show_position(position)}"
    number = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])
    letters = "23456789abcdefghjkmnpqrstuvwxyz"  # none that looks like another
    return "".join(letters[number // len(letters) ** place % len(letters)] for place in range(8))


def compose(rules: Rules[O, P], position: P, score: ScoreOf[P]) -> tuple[KeyTurn, ...]:
    """The turns of the puzzle that a position makes; none if it makes no puzzle.

    Among three moves or more exactly one keeps the value, which is a win or a draw; it does not win at once, and at
    least one of the wrong moves is not refuted at once.
    """
    goal = score(position).value
    if goal is Value.LOSS:
        return ()
    first = _right(rules, position, goal, score)
    if len(first) != 1 or len(rules.legal(position)) < FEWEST_MOVES:
        return ()
    if rules.is_over(rules.after(position, first[0])):
        return ()
    if all(is_plain(score_of_move(rules, position, move, score)) for move in rules.legal(position) if move != first[0]):
        return ()
    turns = []
    while True:
        right = _right(rules, position, goal, score)
        if len(right) != 1:
            break
        wrong = {
            move: best_play(rules, rules.after(position, move), score)
            for move in rules.legal(position)
            if move != right[0]
        }
        then, position = _until_next_turn(rules, rules.after(position, right[0]), goal, score)
        turns.append(KeyTurn(right[0], then, wrong))
        if rules.is_over(position):
            break
    return tuple(turns)


def score_of_move(rules: Rules[O, P], position: P, move: int, score: ScoreOf[P]) -> Score:
    """What a move is worth to the player who makes it."""
    after = rules.after(position, move)
    result = rules.result(after)
    return (score(after) if result == ONGOING else Score(Value.of_result(result), 0)).before_move()


def is_plain(score: Score) -> bool:
    """Whether a wrong move is refuted at once."""
    return score.value is Value.LOSS and score.plies is not None and score.plies <= AT_ONCE


def best_play(rules: Rules[O, P], position: P, score: ScoreOf[P]) -> tuple[int, ...]:
    """The moves from a position to the end if both play their best; of equal moves the lowest."""
    line = []
    while not rules.is_over(position):
        here = position
        move = max(rules.legal(here), key=lambda move: (score_of_move(rules, here, move, score), -move))
        line.append(move)
        position = rules.after(position, move)
    return tuple(line)


def stubborn_reply(rules: Rules[O, P], position: P, goal: Value, score: ScoreOf[P]) -> int:
    """The reply that resists longest; of equal ones the one that leaves the fewest right moves, then the lowest."""

    def resistance(move: int) -> tuple[Score, int, int]:
        after = rules.after(position, move)
        right = 0 if rules.is_over(after) else len(_right(rules, after, goal, score))
        return score_of_move(rules, position, move, score), -right, -move

    return max(rules.legal(position), key=resistance)


def _right(rules: Rules[O, P], position: P, goal: Value, score: ScoreOf[P]) -> list[int]:
    """The moves that keep a value."""
    return [move for move in rules.legal(position) if score_of_move(rules, position, move, score).value is goal]


def _until_next_turn(rules: Rules[O, P], position: P, goal: Value, score: ScoreOf[P]) -> tuple[tuple[int, ...], P]:
    """What follows the solver's move: the reply, and as long as the solver has no choice, what is forced."""
    line: list[int] = []
    while not rules.is_over(position):
        reply = stubborn_reply(rules, position, goal, score)
        line.append(reply)
        position = rules.after(position, reply)
        if rules.is_over(position) or rules.count_legal(position) > 1:
            break
        forced = rules.legal(position)[0]
        line.append(forced)
        position = rules.after(position, forced)
    return tuple(line), position


def write_turns(turns: Sequence[KeyTurn]) -> str:
    """Turns as one word: ``5-7.8/3-1.2,4-``: answer, what follows, wrong moves with their refutations."""

    def line(moves: Sequence[int]) -> str:
        return ".".join(map(str, moves))

    return "/".join(
        ",".join([f"{turn.answer}-{line(turn.then)}", *(f"{move}-{line(rest)}" for move, rest in turn.wrong.items())])
        for turn in turns
    )


def read_turns(text: str) -> tuple[KeyTurn, ...]:
    """The turns that `write_turns` has written; ValueError if it has not."""

    def moves(part: str) -> tuple[int, ...]:
        return tuple(map(int, part.split("."))) if part else ()

    turns = []
    for word in text.split("/"):
        (answer, then), *wrong = (part.split("-") for part in word.split(","))
        turns.append(KeyTurn(int(answer), moves(then), {int(move): moves(rest) for move, rest in wrong}))
    return tuple(turns)
