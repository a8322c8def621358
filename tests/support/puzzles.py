"""Puzzles proved from the rules alone, by a search that shares no code with the one that made them."""

from __future__ import annotations

from functools import cache
from random import sample as draw
from typing import Any

import pytest

from parlour.game import DRAWN, MOVER_WINS, ONGOING, list_moves
from parlour.rules import Rules
from parlour.score import Value
from parlour.study.archive_file import archive
from parlour.study.puzzle import Puzzle

MAX_POSITIONS = 60_000  # of a puzzle that is proved: some seconds


class TooManyPositions(Exception):
    pass


class Truth:
    """What positions are worth to the player to move, by looking at all that can follow: nothing but the rules."""

    def __init__(self, rules: Rules, most: int = MAX_POSITIONS) -> None:
        self.rules, self.most = rules, most
        self.known: dict[Any, tuple[int, int]] = {}  # value and plies

    def worth(self, position: Any) -> tuple[int, int]:
        if position not in self.known:
            if len(self.known) >= self.most:
                raise TooManyPositions
            game, options = self.rules.game, self.rules.packed
            result = game.rules.result(options, position)
            if result != ONGOING:
                found = (0 if result == DRAWN else 1 if result == MOVER_WINS else -1, 0)
            else:
                after = [
                    self.worth(game.rules.play(options, position, m))
                    for m in list_moves(game.rules.moves(options, position))
                ]
                found = max(((-value, plies + 1) for value, plies in after), key=self.order)
            self.known[position] = found
        return self.known[position]

    @staticmethod
    def order(worth: tuple[int, int]) -> tuple[int, int]:
        """A quick win is better than a slow one, and a slow loss than a quick one; all draws are alike."""
        value, plies = worth
        return value, -plies if value > 0 else plies if value < 0 else 0

    def of_move(self, position: Any, move: int) -> tuple[int, int]:
        value, plies = self.worth(self.rules.after(position, move))
        return -value, plies + 1

    def right(self, position: Any, goal: int) -> list[int]:
        return [move for move in self.rules.legal(position) if self.of_move(position, move)[0] == goal]


def start_of(puzzle: Puzzle) -> Any:
    position = puzzle.rules.start
    for move in puzzle.moves:
        position = puzzle.rules.play(position, move)  # which refuses what is not legal
    return position


def prove(puzzle: Puzzle, most: int = MAX_POSITIONS) -> None:
    """Check all that a puzzle claims.

    Raises:
        TooManyPositions: this would take more than `most` positions.
    """
    rules, truth = puzzle.rules, Truth(puzzle.rules, most)
    position, goal = start_of(puzzle), int(puzzle.goal)
    assert goal in (0, 1)
    assert truth.worth(position)[0] == goal
    first = puzzle.stages[0]
    assert len(rules.legal(position)) >= 3
    assert not rules.is_over(rules.after(position, first.answer)), "it wins at once"
    assert any(truth.of_move(position, move) > (-1, 2) for move in first.wrong), "it merely stops an immediate loss"
    for number, turn in enumerate(puzzle.stages):
        assert truth.right(position, goal) == [turn.answer]
        assert sorted([turn.answer, *turn.wrong]) == list(rules.legal(position))
        for move, refutation in turn.wrong.items():
            check_refutation(truth, position, move, refutation, goal)
        position = rules.play(position, turn.answer)
        position = check_what_follows(truth, position, turn.then, goal)
        last = number == len(puzzle.stages) - 1
        assert last == (rules.is_over(position) or len(truth.right(position, goal)) > 1)
        assert rules.is_over(position) or len(rules.legal(position)) > 1, "what is forced is played"


def check_refutation(truth: Truth, position: Any, move: int, refutation: tuple[int, ...], goal: int) -> None:
    """After a wrong move both play their best, to an end that is worse than the goal."""
    rules, side = truth.rules, -1
    value = truth.of_move(position, move)[0]
    assert value < goal
    position = rules.play(position, move)
    for reply in refutation:
        assert truth.order(truth.of_move(position, reply)) == truth.order(truth.worth(position))
        position, side = rules.play(position, reply), -side
    assert rules.is_over(position)
    assert side * truth.worth(position)[0] == value


def check_what_follows(truth: Truth, position: Any, moves: tuple[int, ...], goal: int) -> Any:
    """The reply resists longest; then whatever is forced."""
    for place, move in enumerate(moves):
        if place % 2:
            assert list(truth.rules.legal(position)) == [move]
        else:
            best = max(truth.order(truth.of_move(position, m)) for m in truth.rules.legal(position))
            assert truth.order(truth.of_move(position, move)) == best
        position = truth.rules.play(position, move)
    return position


def sample(wanted: int, game: str) -> list[Puzzle]:
    """Draw puzzles of a game: others in each run, the same with the same seed of pytest-randomly."""
    entries = archive().select(game)
    return [archive().find(entry.id) for entry in draw(entries, min(wanted, len(entries)))]


def prove_some(game: str, wanted: int, most: int = MAX_POSITIONS) -> None:
    """Prove a number of puzzles of a game; those with more than `most` positions are passed over."""
    entries, proved, tried = archive().select(game), 0, 0
    for entry in draw(entries, len(entries)):
        tried += 1
        try:
            prove(archive().find(entry.id), most)
        except TooManyPositions:
            continue
        proved += 1
        if proved == min(wanted, len(entries)):
            return
    raise AssertionError(f"{proved} of {tried} could be proved")


def check_features(game: str, wanted: int, late: int = 5) -> int:
    """Compare the features of late puzzles with random play and looking ahead; return how many were compared."""
    checked = 0
    entries = archive().select(game)
    for entry in draw(entries, len(entries)):
        puzzle = archive().find(entry.id)
        if len(puzzle.moves) < late and game != "double-up":
            continue
        rules, position = puzzle.rules, start_of(puzzle)
        mean, look = random_play(rules), None
        depths, traps, latest = [], [], []
        for turn in puzzle.stages:
            looks = looking_ahead(rules, mean)
            if turn.wrong:
                others = {move: -mean(rules.after(position, move)) for move in turn.wrong}
                traps.append(max(others.values()) + mean(rules.after(position, turn.answer)))
                latest.append(max(len(line) + 1 for line in turn.wrong.values()))
            seen = 10
            for depth in range(8, -1, -1):
                look = {move: -looks(rules.after(position, move), depth) for move in (turn.answer, *turn.wrong)}
                if any(look[move] >= look[turn.answer] - 1e-9 for move in turn.wrong):
                    break
                seen = depth
            depths.append(seen)
            for move in (turn.answer, *turn.then):
                position = rules.after(position, move)
        choices, decisions, depth, trap, late = vars(puzzle.features).values()
        assert (choices, decisions) == (len(rules.legal(start_of(puzzle))), len(puzzle.stages))
        assert (depth, late) == (max(depths), max(latest))
        assert trap == pytest.approx(max(traps), abs=1e-3)
        checked += 1
        if checked == wanted:
            break
    return checked


def random_play(rules: Rules) -> Any:
    """The mean result of all games that can follow, to the player to move."""

    @cache
    def mean(position: Any) -> float:
        result = rules.result(position)
        if result != ONGOING:
            return float(Value.of_result(result))
        after = [mean(rules.after(position, move)) for move in rules.legal(position)]
        return -sum(after) / len(after)

    return mean


def looking_ahead(rules: Rules, mean: Any) -> Any:
    @cache
    def look(position: Any, depth: int) -> float:
        if depth == 0 or rules.is_over(position):
            return float(mean(position))
        return max(-look(rules.after(position, move), depth - 1) for move in rules.legal(position))

    return look
