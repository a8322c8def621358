"""Puzzles as questions to a model: find the only move, and the next, until the point is made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

from parlour.arguments import check_choice
from parlour.errors import BadArgument
from parlour.evals.counting import DROPPED, explain, turn_of_forfeit
from parlour.evals.dialogue import Asked
from parlour.evals.expected import started
from parlour.evals.instances import PUBLIC, SPLITS, seed_of, split_of
from parlour.evals.sums import Sums
from parlour.game import Move
from parlour.match import Match
from parlour.score import Value
from parlour.setup import Setup
from parlour.study.archive import Entry
from parlour.study.archive_file import archive
from parlour.study.puzzle import Puzzle, Stage
from parlour.view import PlayerNumber


@dataclass(frozen=True)
class PuzzleInstance:
    """A puzzle of the archive, by its number."""

    puzzle: int
    seed: str

    @property
    def id(self) -> str:
        """A name for it: the same for ever."""
        return f"puzzle-{self.puzzle}"

    @cached_property
    def _puzzle(self) -> Puzzle:
        return archive().find(str(self.puzzle))

    @property
    def game(self) -> str:
        """The game that it is of."""
        return self._puzzle.rules.game.key

    @property
    def player(self) -> PlayerNumber:
        """The player whose moves the model chooses."""
        return self._puzzle.side

    @property
    def value(self) -> Value:
        """What can be held: a win or a draw."""
        return self._puzzle.goal

    @property
    def opponent(self) -> str:
        """Who replies: with the moves that the archive has."""
        return "perfect"

    def begin(self, names: tuple[str, str], players: tuple[str, str], epoch: int = 1) -> Match:
        """A match that stands at the puzzle."""
        rules, seed = self._puzzle.rules, seed_of(self.seed, epoch)
        setup = Setup(rules, names, players, seed=seed, cap=1)
        return Match.after(setup, self._puzzle.moves, rules.options)

    @cached_property
    def _path(self) -> list[int]:
        """The moves that lead to the puzzle and through it."""
        return [*self._puzzle.moves, *self._puzzle.answer]

    def reply(self, match: Match, random: Random) -> int:
        """The reply that resists longest."""
        return self._path[len(match.round.moves)]

    def is_over(self, match: Match) -> bool:
        """Whether a wrong move was made, or the point is made."""
        played = len(match.round.moves)
        return match.outcome is not None or played >= len(self._path) or match.round.moves != self._path[:played]

    def count(self, match: Match, asked: Sequence[Asked], policy: str) -> Sums:
        """A puzzle that was answered, under a policy."""
        if policy == DROPPED and any(turn.first != "legal" for turn in asked):
            return Sums()
        lost_at = turn_of_forfeit(asked, policy)
        sums, right = started(self.value), 0
        for place, (turn, puzzle) in enumerate(zip(asked, self._puzzle.stages, strict=False)):
            move = None if place == lost_at else match.round.moves[turn.ply]
            sums = sums.plus(
                Sums(asked=1, readable=float(turn.first != "unreadable"), legal=float(turn.first == "legal"))
            ).plus(self._graded(puzzle, move))
            if move != puzzle.answer:
                break
            right += 1
        return sums.plus(self._solved(), float(right == len(self._puzzle.stages)))

    def explain(self, sums: Sums, match: Match, asked: Sequence[Asked], policy: str) -> str:
        """Return in words why a puzzle was counted like this."""
        return explain(sums, match, asked, policy, "solved" if sums.points else "not solved")

    def _graded(self, stage: Stage, move: int | None) -> Sums:
        if move == stage.answer:
            return Sums(decisions=1, critical=1, held=1)
        left = Value.LOSS if move is None else self._refuted(stage.wrong[Move(move)], move, stage)
        return Sums(decisions=1, critical=1, regret=float(self.value - left))

    def _refuted(self, line: tuple[int, ...], move: int, stage: Stage) -> Value:
        """What the model is left with after a wrong move: best play after it leads there."""
        rules, place = self._puzzle.rules, self._puzzle.stages.index(stage)
        before = sum(1 + len(each.then) for each in self._puzzle.stages[:place])
        position = rules.position_after([*self._path[: len(self._puzzle.moves) + before], move, *line])
        value = Value.of_result(rules.result(position))
        return value if len(line) % 2 else value.for_opponent()

    def _solved(self) -> Sums:
        """What it adds to have solved the puzzle."""
        won = self.value is Value.WIN
        return Sums(points=1, converted=float(won), saved=float(not won))

    def floor(self) -> Sums:
        """What a model can expect that plays any legal move."""
        whole, reached = started(self.value), 1.0
        for stage in self._puzzle.stages:
            choices = [stage.answer, *stage.wrong]
            for move in choices:
                each = self._graded(stage, move).plus(Sums(asked=1, readable=1, legal=1))
                whole = whole.plus(each, reached / len(choices))
            reached /= len(choices)
        return whole.plus(self._solved(), reached)

    def ceiling(self) -> Sums:
        """What a model can expect that plays perfectly."""
        stages = len(self._puzzle.stages)
        every = Sums(decisions=1, critical=1, held=1, asked=1, readable=1, legal=1)
        return started(self.value).plus(every, stages).plus(self._solved())

    def as_metadata(self) -> dict[str, Any]:
        """As JSON has it; ``read`` is the inverse."""
        return {"puzzle": self.puzzle, "seed": self.seed, "game": self.game, "grade": self._puzzle.grade}

    @classmethod
    def read(cls, metadata: dict[str, Any]) -> PuzzleInstance:
        """From what ``as_metadata`` has made, and whatever stands beside it."""
        return cls(metadata["puzzle"], metadata["seed"])


def make_puzzles(count: int, *, seed: str = "0", split: str = PUBLIC) -> list[PuzzleInstance]:
    """Return puzzles, as many of each game and grade; BadArgument if there is no such split, or are too few."""
    check_choice("split", split, SPLITS)
    random, puzzles = Random(f"{seed} {split} puzzles"), archive()
    kinds: dict[tuple[str, int], list[Entry]] = {}
    for entry in puzzles.entries:
        kinds.setdefault((entry.game, entry.grade), []).append(entry)
    left = [random.sample(entries, len(entries)) for _, entries in sorted(kinds.items())]
    found: list[PuzzleInstance] = []
    while len(found) < count:
        if not any(left):
            raise BadArgument(f"there are no {count:,} puzzles in the split {split}; {len(found):,} at most")
        for entries in left:
            while entries and len(found) < count:
                puzzle = puzzles.find(str(entries.pop().number))
                if split_of(puzzle.rules, puzzle.rules.position_after(puzzle.moves)) == split:
                    found.append(PuzzleInstance(puzzle.number, str(random.random())))
                    break
    return random.sample(found, count)
