"""Making puzzles: all positions of a game are looked at, and those that make good puzzles are kept and graded.

Positions with the same future count as one, and puzzles whose game trees are the same are of one kind: of each kind one
is kept. Its features are exact. How a move looks to random play is the mean result of all games that could follow if
both played at random; how it looks to somebody who looks ahead is the best that can be had within so many plies, with
random play behind them.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from random import Random
from typing import Any, Generic

import numpy as np

from parlour.catalog import list_games
from parlour.engine.packing import unpack
from parlour.engine.search import FLAGS, TOP
from parlour.game import MOVER_WINS, ONGOING, Move, P
from parlour.limit import Limit
from parlour.options import O
from parlour.rules import Rules
from parlour.score import Score, Value
from parlour.solver import tabulate
from parlour.study.archive import GRADE_OF_WEEKDAY, GRADES, Archive, rules_of_source, source_of
from parlour.study.archive_file import write_archive
from parlour.study.puzzle import AT_ONCE, FEWEST_MOVES, Features, Puzzle, Stage, compose, puzzle_id
from parlour.version import __version__
from parlour.workers import Workers

Array = np.ndarray[Any, Any]
SURE = 1 << 20  # a win at once as a number; a win in so many plies is as much less
DEEPEST_LOOK = 8  # plies that somebody looks ahead at most
NOT_SEEN = DEEPEST_LOOK + 2  # the depth of an answer that does not look best even then
BLUNDER = 1000  # what a move that loses value costs on the way to a position
TRAP_WEIGHT = 6.0  # of how good a wrong move looks, beside the plies that one has to look ahead
LEAST_DIFFICULTY = (1.0, 4.0, 5.5, 7.5, 9.5)  # of grade 1, 2, 3, 4 and 5
MANY_DECISIONS = 3  # a puzzle with more is not preferred to one with so many
YEARS = 11  # for which no daily puzzle comes again
WEEKS = YEARS * 53
WEEKLY = Counter(GRADE_OF_WEEKDAY)  # daily puzzles of each grade
UNPLACED = 0  # the number and the grade of a puzzle that is not in an archive yet
WHIM = 97  # below this number, what any other move costs: so that not all ways begin alike


class PositionGraph(Generic[O, P]):
    """The table of a game as arrays: a position has a place, in the order of a breadth-first search from the start.

    ``children[first[place]:first[place + 1]]`` are the places after its moves. Behind the positions there is one place
    for each way in which the game can be over.
    """

    def __init__(self, rules: Rules[O, P], limit: Limit | None = None) -> None:
        """Raises TooBig if there are more positions than the limit allows."""
        self.rules = rules
        self._table = table = tabulate(rules, limit)
        self.size = len(table)
        first, children = (np.array(numbers) for numbers in table.children(limit))
        order = _breadth_first(first, children, table.place(rules.start))
        self._keys = np.array(table.arrays()[0])[order]
        self._places = np.empty(self.size, np.int64)  # by place in the table
        self._places[order] = np.arange(self.size)
        counts = np.diff(first)[order]
        edges = np.repeat(first[:-1][order] - np.cumsum(counts) + counts, counts) + np.arange(len(children))
        ends = self.size - 1 + np.arange(MOVER_WINS + 1)  # by status
        found = children[edges]
        unfinished = self._places[np.maximum(found, 0)]
        self.children = np.where(found < 0, ends[np.maximum(-1 - found, 0)], unfinished).astype(np.int32)
        self.first = np.concatenate([[0], np.cumsum(counts), np.full(MOVER_WINS, len(children))])
        self._results = np.concatenate([np.full(self.size, ONGOING), np.arange(1, MOVER_WINS + 1)])
        self.open = np.arange(self.size)  # the places where something can be played
        self._begin = self.first[: self.size]
        self.parents = np.repeat(self.open.astype(np.int32), counts)
        assert rules.bounds is not None  # or there would be no table
        self._rounds = rules.bounds.plies + 1
        scores = np.array(table.arrays()[1])[order].astype(np.int64) >> FLAGS
        self.scores = self._ended(SURE, 0)
        self.scores[self.open] = scores + np.sign(scores) * (SURE - TOP)
        self.random = self._spread(self._ended(1.0, 0.0), self._mean)

    def position(self, place: int) -> P:
        """The position at a place where the game is not over."""
        return unpack(self.rules, int(self._keys[place]))

    def place(self, position: P) -> int:
        """The place of a position."""
        result = self.rules.result(position)
        return self.size - 1 + result if result != ONGOING else int(self._places[self._table.place(position)])

    def _ended(self, sure: float, unknown: float) -> Array:
        """For each place what a finished game is worth to the player to move."""
        worth = np.full(len(self._results), unknown)
        for result in range(1, MOVER_WINS + 1):
            worth[self.size - 1 + result] = sure * Value.of_result(result)
        return worth

    def _spread(self, worth: Array, step: Any) -> Array:
        """Carry what is known of the ends of games back to the start: no game is longer than the rounds are many."""
        for _ in range(self._rounds):
            before, worth = worth, worth.copy()
            worth[self.open] = step(before[self.children])
            if np.array_equal(worth, before):
                break
        return worth

    def _best(self, after: Array) -> Array:
        return np.maximum.reduceat(-after, self._begin)

    def _mean(self, after: Array) -> Array:
        return -np.add.reduceat(after, self._begin) / np.diff(self.first)[: self.size]

    def score(self, position: P) -> Score:
        """What a position is worth to the player to move."""
        return self._score(self.place(position))

    def _score(self, place: int) -> Score:
        number = int(self.scores[place])
        value = Value((number > 0) - (number < 0))
        return Score(value, None if value is Value.DRAW else SURE - abs(number))

    def looks(self) -> Iterator[Array]:
        """How each position looks to the player to move who looks 0, 1, 2 ... plies ahead, up to DEEPEST_LOOK."""
        look = self.random
        for _ in range(DEEPEST_LOOK + 1):
            yield look
            deeper = look.copy()
            deeper[self.open] = self._best(look[self.children])
            look = deeper

    def kinds(self) -> Array:
        """A number for each position; the same for two whose game trees are the same but for the names of the moves."""
        kinds = _scrambled((self._ended(1.0, 7.0) + 3).astype(np.uint64))

        def step(after: Array) -> Array:
            return _scrambled(np.add.reduceat(_scrambled(after), self._begin))  # in any order

        return self._spread(kinds, step)

    def costs(self) -> Array:
        """What the most natural way to each position costs: above all as few moves as possible that lose value."""
        values = np.sign(self.scores)
        lost = values[self.parents] > -values[self.children]
        edges = np.arange(len(self.children), dtype=np.uint64)
        price = lost * BLUNDER + (_scrambled(edges) % np.uint64(WHIM)).astype(np.int64)
        costs = np.full(len(self._results), np.iinfo(np.int64).max // 2)
        costs[0] = 0
        for _ in range(self._rounds):
            new = costs.copy()
            np.minimum.at(new, self.children, costs[self.parents] + price)
            if np.array_equal(new, costs):
                break
            costs = new
        self._price = price
        return costs

    def way_to(self, place: int, costs: Array, incoming: tuple[Array, Array]) -> tuple[int, ...]:
        """The moves of the most natural way to a position: those of a real game, whatever stands for its positions."""
        by_child, begin = incoming
        places = [place]
        while places[-1]:
            edges = by_child[begin[places[-1]] : begin[places[-1] + 1]]
            fits = edges[costs[self.parents[edges]] + self._price[edges] == costs[places[-1]]]
            places.append(int(self.parents[fits[0]]))
        rules, position = self.rules, self.rules.start
        moves: list[int] = []
        for after in places[-2::-1]:
            wanted = self.position(after)
            fitting = [m for m in rules.legal(position) if rules.canonical(rules.after(position, m)) == wanted]
            move = fitting[_whim(moves) % len(fitting)]
            moves.append(move)
            position = rules.after(position, move)
        return tuple(moves)

    def incoming(self) -> tuple[Array, Array]:
        """The edges in the order of the places they lead to, and where those of each place begin."""
        by_child = np.argsort(self.children, kind="stable")
        return by_child, np.searchsorted(self.children[by_child], np.arange(len(self._results) + 1))


def _breadth_first(first: Array, children: Array, start: int) -> Array:
    """The places of all positions in the order in which a breadth-first search from the start finds them."""
    seen = np.zeros(len(first) - 1, np.bool_)
    level = np.array([start])
    levels = []
    while len(level):
        seen[level] = True
        levels.append(level)
        counts = first[level + 1] - first[level]
        edges = np.repeat(first[level] - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())
        found = children[edges]
        found = found[found >= 0]
        found = found[~seen[found]]
        _, places = np.unique(found, return_index=True)
        level = found[np.sort(places)]
    return np.concatenate(levels)


def _scrambled(numbers: Array) -> Array:
    """Each number as another, by a mixing function whose outputs look unrelated (splitmix64)."""
    with np.errstate(over="ignore"):
        mixed = numbers.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return mixed ^ (mixed >> np.uint64(31))


def _whim(moves: list[int]) -> int:
    return int.from_bytes(hashlib.sha256(bytes(move % 256 for move in moves)).digest()[:4])


def find_puzzles(graph: PositionGraph[O, P]) -> Iterator[Puzzle]:
    """The puzzles that a game has under its options, one of each kind."""
    rules = graph.rules
    values = np.sign(graph.scores)
    keeps = -values[graph.children] == values[graph.parents]
    ended = graph._results[graph.children] != ONGOING
    plain = (graph.scores[graph.children] > 0) & (SURE - graph.scores[graph.children] < AT_ONCE)

    def per_position(edges: Array) -> Array:
        counts = np.zeros(len(values), dtype=np.int64)
        counts[graph.open] = np.add.reduceat(edges.astype(np.int64), graph._begin)
        return counts

    choices = np.diff(graph.first)
    is_puzzle = (
        (values >= 0)
        & (choices >= FEWEST_MOVES)
        & (per_position(keeps) == 1)
        & (per_position(keeps & ended) == 0)
        & (per_position(~keeps & ~plain) > 0)
    )
    kinds, costs, incoming = graph.kinds(), graph.costs(), graph.incoming()
    looks = list(graph.looks())
    found = np.flatnonzero(is_puzzle)
    found = found[np.lexsort((found, costs[found], kinds[found]))]
    one_of_each = found[np.unique(kinds[found], return_index=True)[1]]
    for place in one_of_each:
        moves = graph.way_to(int(place), costs, incoming)
        position = rules.position_after(moves)
        stages = compose(rules, position, graph.score)
        yield Puzzle(
            id=puzzle_id(rules, position),
            number=UNPLACED,
            rules=rules,
            moves=tuple(map(Move, moves)),
            goal=graph.score(position).value,
            stages=stages,
            grade=UNPLACED,
            features=_features(graph, looks, position, stages),
            kind=f"{int(kinds[place]):016x}",
        )


def _features(graph: PositionGraph[O, P], looks: list[Array], position: P, stages: Iterable[Stage]) -> Features:
    rules, start = graph.rules, position
    depths, traps, latest = [], [], []
    for stage in stages:
        places = {move: graph.place(rules.after(position, move)) for move in (stage.answer, *stage.wrong)}
        seen = NOT_SEEN
        for depth in range(DEEPEST_LOOK, -1, -1):
            wrong = max(-looks[depth][places[move]] for move in stage.wrong) if stage.wrong else -2.0
            if -looks[depth][places[stage.answer]] <= wrong + 1e-9:
                break
            seen = depth
        depths.append(seen)
        if stage.wrong:
            best = max(-graph.random[places[move]] for move in stage.wrong)
            traps.append(float(best + graph.random[places[stage.answer]]))
        latest.append(max((len(rest) + 1 for rest in stage.wrong.values()), default=0))
        for move in (stage.answer, *stage.then):
            position = rules.after(position, move)
    return Features(
        choices=rules.count_legal(start),
        decisions=len(depths),
        depth=max(depths),
        trap=round(max(traps), 3),
        latest=max(latest),
    )


def difficulty(features: Features) -> float:
    """How hard a puzzle is: the deeper one has to look, the more a wrong move looks better, the more there is to do."""
    return features.depth + TRAP_WEIGHT * features.trap + math.log2(features.choices) + features.decisions / 2


def grade_of(features: Features) -> int:
    """The grade of a puzzle, 1 to 5; 0 if it is too easy for any.

    From grade 2 on it tempts: at one decision at least a wrong move looks best to random play.
    """
    hard = difficulty(features)
    grade = sum(hard >= least for least in LEAST_DIFFICULTY)
    return min(grade, 1) if features.depth == 0 else grade


def choose(found: Iterable[tuple[Puzzle, int]], seed: int) -> list[tuple[Puzzle, int]]:
    """The puzzles of an archive with their grades, in the order of their numbers.

    ``found`` has each puzzle with the grade that none from its source exceeds. Of each kind one is taken. Every grade
    gets as many as the daily puzzle needs in YEARS years, from all games alike as far as they have them, those with
    more decisions first; the games take turns, in proportion to what each has in the grade.
    """
    random = Random(seed)
    kinds: set[str] = set()
    candidates: dict[int, dict[str, list[Puzzle]]] = {grade: {} for grade in GRADES}
    for puzzle, hardest in found:
        grade = min(grade_of(puzzle.features), hardest)
        if grade and puzzle.kind not in kinds:
            kinds.add(puzzle.kind)
            candidates[grade].setdefault(puzzle.rules.game.key, []).append(puzzle)
    placed = []
    for grade, by_game in candidates.items():
        shares = _fair_shares({game: len(puzzles) for game, puzzles in by_game.items()}, WEEKS * WEEKLY[grade])
        for game, puzzles in by_game.items():
            random.shuffle(puzzles)
            puzzles.sort(key=lambda puzzle: -min(puzzle.features.decisions, MANY_DECISIONS))
            taken = puzzles[: shares[game]]
            random.shuffle(taken)
            placed += [((place + 0.5) / len(taken), grade, game, puzzle) for place, puzzle in enumerate(taken)]
    placed.sort(key=lambda item: item[:3])
    return [(puzzle, grade) for _, grade, _, puzzle in placed]


def _fair_shares(supply: dict[str, int], wanted: int) -> dict[str, int]:
    """How many each gives, if all give the same as long as they have something left."""
    shares = dict.fromkeys(supply, 0)
    while wanted > sum(shares.values()) and shares != supply:
        each = max((wanted - sum(shares.values())) // len(supply), 1)
        for name in shares:
            shares[name] += min(each, supply[name] - shares[name], max(wanted - sum(shares.values()), 0))
    return shares


def make_archive(
    seed: int, workers: Workers, kept: Archive | None = None, tell: Callable[[str], None] = lambda line: None
) -> bytes:
    """The archive of puzzles from all games, as a file; ``tell`` hears of every source that was looked through.

    The puzzles of the archive that is ``kept`` stay what they are, and new ones come after them.
    """
    sources = [(game.key, source) for game in list_games() for source in game.content.puzzles]
    texts = [f"{key} {source.options}" for key, source in sources]
    by_source: list[list[tuple[Puzzle, int]]] = [[] for _ in sources]
    for place, (puzzles, positions) in workers.run(_look_through, texts):
        rules = rules_of_source(texts[place])
        by_source[place] = [(Puzzle(rules=rules, **rest), sources[place][1].hardest) for rest in puzzles]
        tell(f"{rules.title}: {len(puzzles):,} puzzles in {positions:,} positions")
    found = [puzzle for some in by_source for puzzle in some]
    archive = list(kept or ())
    known = {puzzle.kind for puzzle in archive} | {puzzle.id for puzzle in archive}
    for new, grade in choose(found, seed):
        if new.kind not in known and new.id not in known:
            archive.append(replace(new, number=len(archive) + 1, grade=grade))
    head = {
        "command": f"tools/make_puzzles.py --seed {seed}",
        "puzzles": len(archive),
        "seed": seed,
        "version": __version__,
    }
    return write_archive(head, sorted({source_of(puzzle.rules) for puzzle in archive}), archive)


def _look_through(source: str) -> tuple[list[dict[str, Any]], int]:
    """The puzzles of a source, without their rules, and how many positions it has: what one process tells another."""
    graph = PositionGraph(rules_of_source(source))
    puzzles = [puzzle for puzzle in find_puzzles(graph) if grade_of(puzzle.features)]
    fields = [{name: value for name, value in vars(puzzle).items() if name != "rules"} for puzzle in puzzles]
    return fields, graph.size
