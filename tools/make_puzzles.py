"""Make the puzzle archive, src/parlour/study/puzzles.gz. Run it with: python tools/make_puzzles.py -o FILE

All positions of a game are scored, and those that make good puzzles are graded. Positions with the same canonical form
count once. Puzzles with the same game tree are of one kind, and the archive has one of each kind. The features of a
puzzle are exact. To random play a move looks as good as the mean result of all games that can follow. To a player who
looks N plies ahead it looks as good as the best result within N plies, with random play after them.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, Generic

import numpy as np

from parlour.catalog import list_games
from parlour.engine.search import FLAGS, TOP, unpack
from parlour.game import MOVER_WINS, ONGOING, Move, P
from parlour.limit import Limit
from parlour.options import O
from parlour.rules import Rules
from parlour.score import Score, Value
from parlour.solver import tabulate
from parlour.study.archive import GRADE_OF_WEEKDAY, GRADES, Archive, rules_of_source, source_of
from parlour.study.archive_file import read_archive, write_archive
from parlour.study.puzzle import MIN_MOVES, OBVIOUS_PLIES, Features, Puzzle, Stage, compose, puzzle_id
from parlour.version import __version__

Array = np.ndarray[Any, Any]
SURE = 1 << 20  # the score of an immediate win; a win in N plies is SURE - N
DEEPEST_LOOK = 8  # plies of look-ahead
NOT_SEEN = DEEPEST_LOOK + 2  # depth of an answer that no look-ahead shows to be best
BLUNDER = 1000  # cost of a losing move on the way to a position
TRAP_WEIGHT = 6.0  # weight of the best-looking wrong move, in plies of look-ahead
LEAST_DIFFICULTY = (1.0, 4.0, 5.5, 7.5, 9.5)  # lowest difficulty of grades 1 to 5
MANY_DECISIONS = 3  # more decisions than this give no preference
YEARS = 11  # years without a repeated daily puzzle
WEEKS = YEARS * 53
WEEKLY = Counter(GRADE_OF_WEEKDAY)  # daily puzzles of each grade per week
UNPLACED = 0  # number and grade of a puzzle that is not in an archive yet
JITTER = 97  # costs of other moves are below this: they vary, so that ways begin differently


class PositionGraph(Generic[O, P]):
    """The position table of a game as arrays, in breadth-first order from the start.

    ``children[first[place]:first[place + 1]]`` are the places after the moves of a position. After the positions comes
    one place for each final status.
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
        """Return the position at a place where the game is not over."""
        return unpack(self.rules, int(self._keys[place]))

    def place(self, position: P) -> int:
        """Return the place of a position."""
        result = self.rules.result(position)
        return self.size - 1 + result if result != ONGOING else int(self._places[self._table.place(position)])

    def _ended(self, sure: float, unknown: float) -> Array:
        """Return the value of each final place for the player to move, and ``unknown`` elsewhere."""
        worth = np.full(len(self._results), unknown)
        for result in range(1, MOVER_WINS + 1):
            worth[self.size - 1 + result] = sure * Value.of_result(result)
        return worth

    def _spread(self, worth: Array, step: Any) -> Array:
        """Propagate values from the ends of games to the start, one step per round."""
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
        """Return the score of a position for the player to move."""
        return self._score(self.place(position))

    def _score(self, place: int) -> Score:
        number = int(self.scores[place])
        value = Value((number > 0) - (number < 0))
        return Score(value, None if value is Value.DRAW else SURE - abs(number))

    def looks(self) -> Iterator[Array]:
        """Yield the estimates of all positions with 0, 1, ... DEEPEST_LOOK plies of look-ahead."""
        look = self.random
        for _ in range(DEEPEST_LOOK + 1):
            yield look
            deeper = look.copy()
            deeper[self.open] = self._best(look[self.children])
            look = deeper

    def kinds(self) -> Array:
        """Return a number for each position, equal for equal game trees whatever the moves are called."""
        kinds = _mixed((self._ended(1.0, 7.0) + 3).astype(np.uint64))

        def step(after: Array) -> Array:
            return _mixed(np.add.reduceat(_mixed(after), self._begin))  # in any order

        return self._spread(kinds, step)

    def costs(self) -> Array:
        """Return the cost of the most natural way to each position: the one with the fewest losing moves."""
        values = np.sign(self.scores)
        lost = values[self.parents] > -values[self.children]
        edges = np.arange(len(self.children), dtype=np.uint64)
        price = lost * BLUNDER + (_mixed(edges) % np.uint64(JITTER)).astype(np.int64)
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
        """Return the moves of the most natural way to a position, with canonical forms turned into a real game."""
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
            move = fitting[_jitter(moves) % len(fitting)]
            moves.append(move)
            position = rules.after(position, move)
        return tuple(moves)

    def incoming(self) -> tuple[Array, Array]:
        """Return the edges sorted by the places they lead to, and the first edge of each place."""
        by_child = np.argsort(self.children, kind="stable")
        return by_child, np.searchsorted(self.children[by_child], np.arange(len(self._results) + 1))


def _breadth_first(first: Array, children: Array, start: int) -> Array:
    """Return the places of all positions in breadth-first order from the start."""
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


def _mixed(numbers: Array) -> Array:
    """Return the numbers mixed by splitmix64."""
    with np.errstate(over="ignore"):
        mixed = numbers.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return mixed ^ (mixed >> np.uint64(31))


def _jitter(moves: list[int]) -> int:
    return int.from_bytes(hashlib.sha256(bytes(move % 256 for move in moves)).digest()[:4])


def find_puzzles(graph: PositionGraph[O, P]) -> Iterator[Puzzle]:
    """Yield the puzzles of a game under its options, one of each kind."""
    rules = graph.rules
    values = np.sign(graph.scores)
    keeps = -values[graph.children] == values[graph.parents]
    ended = graph._results[graph.children] != ONGOING
    plain = (graph.scores[graph.children] > 0) & (SURE - graph.scores[graph.children] < OBVIOUS_PLIES)

    def per_position(edges: Array) -> Array:
        counts = np.zeros(len(values), dtype=np.int64)
        counts[graph.open] = np.add.reduceat(edges.astype(np.int64), graph._begin)
        return counts

    choices = np.diff(graph.first)
    is_puzzle = (
        (values >= 0)
        & (choices >= MIN_MOVES)
        & (per_position(keeps) == 1)
        & (per_position(keeps & ended) == 0)
        & (per_position(~keeps & ~plain) > 0)
    )
    kinds, costs, incoming = graph.kinds(), graph.costs(), graph.incoming()
    looks = list(graph.looks())
    found = np.flatnonzero(is_puzzle)
    found = found[np.lexsort((found, costs[found], kinds[found]))]
    one_per_kind = found[np.unique(kinds[found], return_index=True)[1]]
    for place in one_per_kind:
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
    """Return the difficulty of a puzzle: it grows with look-ahead, traps, choices and decisions."""
    return features.depth + TRAP_WEIGHT * features.trap + math.log2(features.choices) + features.decisions / 2


def grade_of(features: Features) -> int:
    """Return the grade of a puzzle, 1 to 5, or 0 if it is too easy.

    From grade 2 on a wrong move looks best to random play in at least one decision.
    """
    hard = difficulty(features)
    grade = sum(hard >= least for least in LEAST_DIFFICULTY)
    return min(grade, 1) if features.depth == 0 else grade


def choose(found: Iterable[tuple[Puzzle, int]], seed: int) -> list[tuple[Puzzle, int]]:
    """Return the puzzles of an archive with their grades, in the order of their numbers.

    ``found`` has each puzzle with the highest grade of its source. One puzzle of each kind is taken. Every grade gets
    the puzzles that YEARS years of daily puzzles need, in equal shares from all games that have them, and those with
    more decisions first. The games take turns, in proportion to their shares.
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
    """Return the share of each game: equal shares as long as the supply lasts."""
    shares = dict.fromkeys(supply, 0)
    while wanted > sum(shares.values()) and shares != supply:
        each = max((wanted - sum(shares.values())) // len(supply), 1)
        for name in shares:
            shares[name] += min(each, supply[name] - shares[name], max(wanted - sum(shares.values()), 0))
    return shares


def make_archive(seed: int, processes: int | None, previous: Archive | None = None) -> bytes:
    """Return the archive of puzzles from all games, as a file, and report every source on standard error.

    The puzzles of the previous archive keep their numbers, and new ones come after them.
    """
    sources = [(game.key, source) for game in list_games() for source in game.content.puzzles]
    texts = [f"{key} {source.options}" for key, source in sources]
    found: list[tuple[Puzzle, int]] = []
    with ProcessPoolExecutor(processes) as pool:
        for text, (_, source), (puzzles, positions) in zip(texts, sources, pool.map(search_source, texts), strict=True):
            rules = rules_of_source(text)
            found += [(Puzzle(rules=rules, **fields), source.hardest) for fields in puzzles]
            print(f"{rules.title}: {len(puzzles):,} puzzles in {positions:,} positions", file=sys.stderr)
    archive = list(previous or ())
    known = {puzzle.kind for puzzle in archive} | {puzzle.id for puzzle in archive}
    for new, grade in choose(found, seed):
        if new.kind not in known and new.id not in known:
            archive.append(replace(new, number=len(archive) + 1, grade=grade))
    head = {
        "command": f"python tools/make_puzzles.py --seed {seed}",
        "puzzles": len(archive),
        "seed": seed,
        "version": __version__,
    }
    return write_archive(head, sorted({source_of(puzzle.rules) for puzzle in archive}), archive)


def search_source(source: str) -> tuple[list[dict[str, Any]], int]:
    """Return the fields of a source's puzzles, without the rules, and the number of its positions."""
    graph = PositionGraph(rules_of_source(source))
    puzzles = [puzzle for puzzle in find_puzzles(graph) if grade_of(puzzle.features)]
    fields = [{name: value for name, value in vars(puzzle).items() if name != "rules"} for puzzle in puzzles]
    return fields, graph.size


def main() -> None:
    parser = argparse.ArgumentParser(description="Make the puzzle archive from all games; it takes some minutes.")
    parser.add_argument("-o", "--output", required=True, type=Path, help="the file to write")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same file (default: 1)")
    parser.add_argument("--keep", type=Path, help="an archive whose puzzles keep their numbers")
    parser.add_argument("--processes", type=int, default=os.cpu_count(), help="default: one for each core")
    given = parser.parse_args()
    previous = read_archive(given.keep.read_bytes()) if given.keep else None
    data = make_archive(given.seed, given.processes, previous)
    given.output.write_bytes(data)
    print(f"{len(read_archive(data)):,} puzzles, {len(data):,} bytes: {given.output}")


if __name__ == "__main__":
    main()
