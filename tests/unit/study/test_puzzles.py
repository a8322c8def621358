"""The puzzles that come with Parlour, proved again from the rules alone, and the rule by which one comes each day."""

from __future__ import annotations

import random
import zlib
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from math import log2
from pathlib import Path

import pytest

from parlour import catalog
from parlour.errors import BadArchive, NoSuchPuzzle
from parlour.study import archive as archives
from parlour.study.archive import Archive
from parlour.study.archive_file import FILE, archive, read_archive, write_archive
from parlour.study.puzzle import Stage, puzzle_id
from tests.support.puzzles import check_features, prove, prove_some, sample, start_of

LISTED = Path(__file__).with_name("puzzle_ids.txt")


@pytest.mark.parametrize("game", catalog.keys())
def test_a_sample_of_puzzles_is_proved_by_an_independent_search(game: str) -> None:
    prove_some(game, 3, most=3000)


def test_the_proof_finds_planted_errors() -> None:
    puzzle = next(p for p in sample(200, "increasing-differences") if len(p.moves) >= 7 and len(p.stages) >= 2)
    prove(puzzle)
    first, *rest = puzzle.stages
    wrong_move, refutation = next(iter(first.wrong.items()))
    planted = [
        Stage(right={wrong_move: first.then}, wrong={**first.wrong, first.answer: ()}),
        replace(first, wrong={**first.wrong, wrong_move: refutation[:-1]}),
        replace(first, wrong={move: line for move, line in first.wrong.items() if move != wrong_move}),
        replace(first, right={first.answer: ()}),
    ]
    for stage in planted:
        with pytest.raises((AssertionError, ValueError)):
            prove(replace(puzzle, stages=(stage, *rest)))
    with pytest.raises(AssertionError):
        prove(replace(puzzle, stages=puzzle.stages[:-1]))


def test_every_way_to_a_puzzle_is_legal_and_every_id_is_the_digest_of_its_position() -> None:
    """Every fifth puzzle; tests/proofs/test_puzzles.py has all of them."""
    for puzzle in list(archive())[::5]:
        assert puzzle_id(puzzle.rules, start_of(puzzle)) == puzzle.id


@pytest.mark.parametrize("game", catalog.keys())
def test_the_features_of_a_puzzle_are_what_they_say(game: str) -> None:
    assert check_features(game, 1) >= 1


def test_grades_are_by_difficulty_and_tempt_from_the_second_on() -> None:
    for puzzle in archive():
        choices, decisions, depth, trap, _ = vars(puzzle.features).values()
        hard = depth + 6 * trap + log2(choices) + decisions / 2
        grade = sum(hard >= least for least in (1, 4, 5.5, 7.5, 9.5))
        if puzzle.rules.game.key == "double-up":
            assert puzzle.grade == (min(grade, 2) if depth else 1)
        else:
            assert puzzle.grade == (grade if depth else 1)
        assert puzzle.grade == 1 or depth > 0


# The archive.


def test_the_archive_has_what_a_reader_expects() -> None:
    held = archive()
    games = Counter(entry.game for entry in held.entries)
    assert len(held) >= 4000
    assert set(games) == set(catalog.keys())
    assert max(games.values()) <= 0.4 * len(held)
    assert {entry.grade for entry in held.entries} == {1, 2, 3, 4, 5}
    assert {entry.grade for entry in held.select("double-up")} == {1, 2}
    assert len({puzzle.kind for puzzle in held}) == len({puzzle.id for puzzle in held}) == len(held)
    assert [entry.number for entry in held.entries] == list(range(1, len(held) + 1))
    assert len(archives_file()) < 1_000_000


def archives_file() -> bytes:
    return Path(archives.__file__).with_name(FILE).read_bytes()


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
    for _ in range(12):
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
    noon = datetime(2026, 11, 17, 12, 0, tzinfo=UTC).timestamp()
    assert archives.newest_day(noon) == date(2026, 11, 18)
    assert archives.newest_day(noon - 121 * 60) == date(2026, 11, 17)
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
