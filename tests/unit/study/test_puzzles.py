"""The puzzles that come with Parlour, proved anew from the rules alone, and the rule by which one comes each day.

A sample is drawn anew in each run; PARLOUR_TEST_SEED=... draws the same again.
"""

from __future__ import annotations

import os
import zlib
from collections import Counter
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from functools import cache
from math import log2
from pathlib import Path
from random import Random
from typing import Any

import pytest

from parlour import catalog
from parlour.errors import BadArchive, NoSuchPuzzle
from parlour.game import DRAWN, MOVER_WINS, ONGOING, list_moves
from parlour.rules import Rules, read_rules
from parlour.score import Value
from parlour.study import archive as archives
from parlour.study.archive import Archive, archive, read_archive, write_archive
from parlour.study.making import PositionGraph, choose, find_puzzles, grade_of
from parlour.study.puzzle import Puzzle, compose, puzzle_id
from tests.support.naive import minimax, reachable

SEED = os.environ.get("PARLOUR_TEST_SEED") or str(Random().getrandbits(32))
MOST_POSITIONS = 60_000  # of a puzzle that is proved here: some seconds
LISTED = Path(__file__).with_name("puzzle_ids.txt")


class TooManyPositions(Exception):
    pass


class Truth:
    """What positions are worth to the player to move, by looking at all that can follow: nothing but the rules."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.known: dict[Any, tuple[int, int]] = {}  # value and plies

    def worth(self, position: Any) -> tuple[int, int]:
        if position not in self.known:
            if len(self.known) >= MOST_POSITIONS:
                raise TooManyPositions
            game, options = self.rules.game, self.rules.options
            result = game.result(options, position)
            if result != ONGOING:
                found = (0 if result == DRAWN else 1 if result == MOVER_WINS else -1, 0)
            else:
                after = [self.worth(game.play(options, position, m)) for m in list_moves(game.moves(options, position))]
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


def prove(puzzle: Puzzle) -> int:
    """Check all that a puzzle claims; how many positions that took. TooManyPositions if it would take too many."""
    rules, truth = puzzle.rules, Truth(puzzle.rules)
    position, goal = start_of(puzzle), int(puzzle.goal)
    assert goal in (0, 1)
    assert truth.worth(position)[0] == goal
    first = puzzle.turns[0]
    assert len(rules.legal(position)) >= 3
    assert not rules.is_over(rules.after(position, first.answer)), "it wins at once"
    assert any(truth.of_move(position, move) > (-1, 2) for move in first.wrong), "it merely stops an immediate loss"
    for number, turn in enumerate(puzzle.turns):
        assert truth.right(position, goal) == [turn.answer]
        assert sorted([turn.answer, *turn.wrong]) == list(rules.legal(position))
        for move, refutation in turn.wrong.items():
            check_refutation(truth, position, move, refutation, goal)
        position = rules.play(position, turn.answer)
        position = check_what_follows(truth, position, turn.then, goal)
        last = number == len(puzzle.turns) - 1
        assert last == (rules.is_over(position) or len(truth.right(position, goal)) > 1)
        assert rules.is_over(position) or len(rules.legal(position)) > 1, "what is forced is played"
    return len(truth.known)


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


def sample(wanted: int, games: list[str]) -> list[Puzzle]:
    """Puzzles of each of the games, in an order that is new in each run."""
    print(f"PARLOUR_TEST_SEED={SEED}")
    random = Random(SEED)
    found = []
    for game in games:
        entries = archive().select(game)
        found += [archive().find(entry.id) for entry in random.sample(entries, min(wanted, len(entries)))]
    return found


def prove_some(wanted: int) -> None:
    """In each game so many puzzles; those with too many positions to look at here are passed over."""
    for game in catalog.keys():
        proved = tried = 0
        for puzzle in sample(6 * wanted, [game]):
            tried += 1
            try:
                prove(puzzle)
            except TooManyPositions:
                continue
            proved += 1
            if proved == wanted:
                break
        assert proved >= min(wanted, len(archive().select(game))), f"{proved} of {tried} could be proved"


def test_a_sample_is_proved_by_an_independent_search() -> None:
    prove_some(6)


@pytest.mark.slow
def test_a_large_sample_is_proved_by_an_independent_search() -> None:
    prove_some(60)


def test_the_proof_finds_planted_errors() -> None:
    puzzle = next(p for p in sample(200, ["increasing-differences"]) if len(p.moves) >= 5 and len(p.turns) >= 2)
    prove(puzzle)
    first, *rest = puzzle.turns
    wrong_move, refutation = next(iter(first.wrong.items()))
    planted = [
        first._replace(answer=wrong_move, wrong={**first.wrong, first.answer: ()}),
        first._replace(wrong={**first.wrong, wrong_move: refutation[:-1]}),
        first._replace(wrong={move: line for move, line in first.wrong.items() if move != wrong_move}),
        first._replace(then=()),
    ]
    for turn in planted:
        with pytest.raises((AssertionError, ValueError)):
            prove(Puzzle(**{**vars(puzzle), "turns": (turn, *rest)}))
    with pytest.raises(AssertionError):
        prove(Puzzle(**{**vars(puzzle), "turns": puzzle.turns[:-1]}))


def test_every_way_to_a_puzzle_is_legal_and_every_id_is_the_digest_of_its_position() -> None:
    for puzzle in archive():
        assert puzzle_id(puzzle.rules, start_of(puzzle)) == puzzle.id


def test_features_are_what_they_say() -> None:
    """Random play and looking ahead, by going through everything that can follow a late puzzle."""
    checked = 0
    for puzzle in sample(60, catalog.keys()):
        if len(puzzle.moves) < 5:
            continue
        rules, position = puzzle.rules, start_of(puzzle)
        mean, look = random_play(rules), None
        depths, traps, latest = [], [], []
        for turn in puzzle.turns:
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
        choices, decisions, depth, trap, late = puzzle.features
        assert (choices, decisions) == (len(rules.legal(start_of(puzzle))), len(puzzle.turns))
        assert (depth, late) == (max(depths), max(latest))
        assert trap == pytest.approx(max(traps), abs=1e-3)
        checked += 1
        if checked == 25:
            return
    assert checked >= 10


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


def test_grades_are_by_difficulty_and_tempt_from_the_second_on() -> None:
    for puzzle in archive():
        choices, decisions, depth, trap, _ = puzzle.features
        hard = depth + 6 * trap + log2(choices) + decisions / 2
        grade = sum(hard >= least for least in (1, 4, 5.5, 7.5, 9.5))
        if puzzle.rules.game.key == "double-up":
            assert puzzle.grade == (min(grade, 2) if depth else 1)
        else:
            assert puzzle.grade == (grade if depth else 1)
        assert puzzle.grade == 1 or depth > 0


@pytest.mark.slow
def test_small_games_give_the_puzzles_that_the_definition_gives() -> None:
    """Over every raw position: those that are puzzles are found, one for each kind of tree, and no others."""
    for key, options in [
        ("increasing-differences", {"length": "5", "range": "9"}),
        ("sequence-builder", {"length": "5", "pool": "9", "increments": "1,2,4"}),
        ("pyramid-challenge", {"base": "2", "highest": "6", "copies": "1"}),
        ("sequence-spot", {"grid": "1,2,3,4,5,6,7,8,9"}),
        ("double-up", {"limit": "30"}),
    ]:
        rules = read_rules(catalog.find_game(key), options)
        score, tree = minimax(rules), game_tree(rules)

        wanted = {tree(position) for position in reachable(rules) if compose(rules, position, score)}
        found = list(find_puzzles(PositionGraph(rules)))
        trees = Counter()
        for puzzle in found:
            position = rules.start
            for move in puzzle.moves:
                position = rules.play(position, move)
            trees[tree(position)] += 1
            assert puzzle.turns == compose(rules, position, score)
        assert set(trees) == wanted
        assert set(trees.values()) <= {1}


def game_tree(rules: Rules) -> Any:
    """A number for the tree of what can follow: the same only where trees are the same but for the order of moves."""
    numbers: dict[Any, int] = {}

    @cache
    def tree(position: Any) -> int:
        if rules.is_over(position):
            shape: Any = ("over", rules.result(position))
        else:
            shape = tuple(sorted(tree(rules.after(position, move)) for move in rules.legal(position)))
        return numbers.setdefault(shape, len(numbers))

    return tree


# The archive.


def test_the_archive_has_what_a_reader_expects() -> None:
    held = archive()
    games = Counter(held.game_of(entry) for entry in held.entries)
    assert len(held) >= 4000
    assert set(games) == set(catalog.keys())
    assert max(games.values()) <= 0.4 * len(held)
    assert {entry.grade for entry in held.entries} == {1, 2, 3, 4, 5}
    assert {entry.grade for entry in held.select("double-up")} == {1, 2}
    assert len({puzzle.kind for puzzle in held}) == len({puzzle.id for puzzle in held}) == len(held)
    assert [entry.number for entry in held.entries] == list(range(1, len(held) + 1))
    assert len(archives_file()) < 1_000_000


def archives_file() -> bytes:
    return Path(archives.__file__).with_name(archives.FILE).read_bytes()


def test_numbers_once_given_never_change() -> None:
    listed = LISTED.read_text(encoding="ascii").split()
    assert [entry.id for entry in archive().entries[: len(listed)]] == listed


def test_a_puzzle_is_found_by_number_and_by_id() -> None:
    puzzle = archive().find("412")
    assert puzzle.number == 412
    assert (
        archive().find(puzzle.id)
        == archive().find(f" #{puzzle.number} ")
        == archive().find(puzzle.id.upper())
        == puzzle
    )


@pytest.mark.parametrize("word", ["0", "4000000", "-1", "aaaaaaaa", "", "😀", "1" * 5000, "1\n2"])
def test_what_there_is_no_puzzle_for_is_said(word: str) -> None:
    with pytest.raises(NoSuchPuzzle, match="there is no puzzle"):
        archive().find(word)


def test_a_damaged_archive_is_noticed() -> None:
    data = archives_file()
    random = Random(SEED)
    for _ in range(30):
        place = random.randrange(len(data))
        with pytest.raises(BadArchive):
            read_archive(data[:place])
        changed = bytearray(data)
        changed[place] ^= 1 << random.randrange(8)
        with suppress(BadArchive):
            assert [*read_archive(bytes(changed)).entries] == [*archive().entries]  # a bit of gzip's own head
    newer = zlib.compress(zlib.decompress(data, 31).replace(b'"format": 1', b'"format": 2', 1), wbits=31)
    with pytest.raises(BadArchive, match="format 2"):
        read_archive(newer)


def test_an_archive_is_written_as_it_was_read_and_a_new_edition_keeps_the_numbers() -> None:
    held = archive()
    head = {name: value for name, value in held.head.items() if name not in ("format", "sources", "sha256")}
    assert write_archive(head, held.sources, held) == archives_file()


def test_an_easy_puzzle_is_left_out_and_games_share_a_grade_fairly() -> None:
    graph = PositionGraph(read_rules(catalog.find_game("sequence-spot"), {"grid": "1,2,3,4,5,6,7,8,9"}))
    found = list(find_puzzles(graph))
    chosen = choose([(puzzle, 5) for puzzle in found], 1)
    assert {puzzle.kind for puzzle, _ in chosen} == {puzzle.kind for puzzle in found if grade_of(puzzle.features)}
    assert all(grade == 1 for _, grade in choose([(puzzle, 1) for puzzle in found], 1))
    assert choose([(puzzle, 5) for puzzle in found], 1) == chosen


# One a day.


def test_each_day_has_its_grade_and_its_number() -> None:
    assert archives.daily_number(date(2026, 1, 1)) == 1
    assert archives.daily_number(date(2027, 2, 16)) == 412
    assert archives.day_of(412) == date(2027, 2, 16)
    monday = date(2026, 11, 16)
    grades = [archive().daily(monday + timedelta(days=n)).grade for n in range(7)]
    assert grades == [1, 2, 2, 3, 3, 4, 5]


def test_nothing_comes_again_for_more_than_ten_years_and_no_kind_within_a_year() -> None:
    days = [date(2026, 1, 1) + timedelta(days=n) for n in range(4017)]  # eleven years
    puzzles = [archive().daily(day) for day in days]
    assert len({puzzle.number for puzzle in puzzles}) == len(puzzles)
    assert len({puzzle.kind for puzzle in puzzles}) == len(puzzles)
    later = [archive().daily(days[-1] + timedelta(days=n)).kind for n in range(1, 1500)]
    for place in range(len(later) - 366):
        assert later[place] not in later[place + 1 : place + 366]
    games = Counter(puzzle.rules.game.key for puzzle in puzzles[:365])
    assert set(games) == set(catalog.keys())


def test_the_rule_is_the_published_one() -> None:
    """The next puzzle of the grade of its weekday, counted day by day from the first."""
    taken = Counter[int]()
    by_grade = {grade: [entry.number for entry in archive().select(grade=grade)] for grade in range(1, 6)}
    for n in range(800):
        day = date(2026, 1, 1) + timedelta(days=n)
        grade = {0: 1, 1: 2, 2: 2, 3: 3, 4: 3, 5: 4, 6: 5}[day.weekday()]
        assert archive().daily(day).number == by_grade[grade][taken[grade]]
        taken[grade] += 1


def test_a_day_that_has_begun_somewhere_is_not_the_future() -> None:
    noon = datetime(2026, 11, 17, 12, 0, tzinfo=UTC)
    assert archives.newest_day(noon) == date(2026, 11, 18)
    assert archives.newest_day(datetime(2026, 11, 17, 9, 59, tzinfo=UTC)) == date(2026, 11, 17)
    assert archives.read_day("2026-11-18", noon) == date(2026, 11, 18)
    assert archives.read_day("#1", noon) == date(2026, 1, 1)
    for text, words in [
        ("2026-11-19", "is not out yet; the newest is for 2026-11-18"),
        ("2025-12-31", "the first was on 2026-01-01"),
        ("0", "the first was on"),
        ("2026-02-30", "is not a date like 2026-11-18"),
        ("yesterday", "is not a date"),
        ("999999", "is not out yet"),
        ("", "is not a date"),
    ]:
        with pytest.raises(NoSuchPuzzle, match=words):
            archives.read_day(text, noon)


def test_a_result_is_told_without_a_spoiler() -> None:
    assert archives.share_line(412, "Sequence Builder", 2, 0, 9) == (
        "Parlour daily 412, Sequence Builder: solved in 2 tries, no hint. Day 9 in a row."
    )
    assert (
        archives.share_line(1, "Double Up", 1, 3, 1) == "Parlour daily 1, Double Up: solved at the first try, 3 hints."
    )


def test_an_archive_without_puzzles_is_an_archive() -> None:
    empty = read_archive(write_archive({}, [], []))
    assert isinstance(empty, Archive)
    assert len(empty) == 0
