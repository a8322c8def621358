"""What is kept of puzzles: streaks, grades, mistakes; and that nothing of it gets lost."""

from __future__ import annotations

import json
import stat
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.errors import ParlourError
from parlour.files import state_folder
from parlour.study import progress as kept
from parlour.study import progress_file
from parlour.study.archive import daily_number, day_of
from parlour.study.progress import Mistake, Progress, Result, SavedExam

TODAY = date(2027, 2, 16)
NUMBER = daily_number(TODAY)


def solved(*numbers: int, late: tuple[int, ...] = ()) -> Progress:
    """Daily puzzles solved on their own days, but for some that were solved a day late."""
    results = {n: Result(1, 0, (day_of(n) + timedelta(days=n in late)).isoformat()) for n in numbers}
    return Progress(daily=results)


@pytest.mark.parametrize(
    ("progress", "streak", "longest"),
    [
        (solved(), 0, 0),
        (solved(NUMBER), 1, 1),
        (solved(NUMBER - 1), 1, 1),  # today's can still be solved
        (solved(NUMBER - 2), 0, 1),
        (solved(NUMBER, NUMBER - 1, NUMBER - 2), 3, 3),
        (solved(NUMBER, NUMBER - 1, NUMBER - 2, late=(NUMBER - 1,)), 1, 1),
        (solved(NUMBER - 9, NUMBER - 8, NUMBER - 7, NUMBER), 1, 3),
        (solved(NUMBER + 3, NUMBER + 2), 2, 2),  # the clock was set back since
        (solved(NUMBER + 300, NUMBER, NUMBER - 1), 2, 2),  # it was wrong for a while
    ],
)
def test_a_streak_is_daily_puzzles_solved_one_after_the_other_on_their_own_days(
    progress: Progress, streak: int, longest: int
) -> None:
    found = kept.statistics(progress, TODAY)
    assert (found.streak, found.longest) == (streak, longest)


def test_what_was_given_up_counts_as_played_and_ends_a_streak() -> None:
    progress = solved(NUMBER - 2, NUMBER - 1)
    progress = kept.with_daily(progress, NUMBER, Result(0, 1, TODAY.isoformat()))
    found = kept.statistics(progress, TODAY + timedelta(days=1))
    assert (found.played, found.solved, found.streak, found.longest) == (3, 2, 0, 2)


def test_the_first_time_counts() -> None:
    progress = kept.with_daily(Progress(), 5, Result(0, 0, "2026-01-05"))
    assert kept.with_daily(progress, 5, Result(1, 0, "2026-01-06")).daily[5].tries == 0


def test_a_clock_that_went_back_is_noticed() -> None:
    assert kept.clock_went_back(solved(NUMBER), TODAY) is None
    assert kept.clock_went_back(solved(NUMBER), TODAY - timedelta(days=1)) == TODAY.isoformat()


CLEAN, HELPED, TWICE, GIVEN_UP = (Result(*each, "2027-01-01") for each in ((1, 0), (1, 1), (2, 0), (0, 0)))


@pytest.mark.parametrize(
    ("start", "results", "grade"),
    [
        (1, [CLEAN], 1),
        (1, [CLEAN, CLEAN], 2),
        (1, [CLEAN, CLEAN, CLEAN], 2),
        (1, [CLEAN] * 4, 3),
        (1, [CLEAN, HELPED, CLEAN], 1),
        (3, [TWICE, GIVEN_UP], 2),
        (3, [GIVEN_UP, HELPED, GIVEN_UP], 3),
        (3, [GIVEN_UP, CLEAN, GIVEN_UP], 3),
        (1, [GIVEN_UP] * 4, 1),
        (5, [CLEAN] * 4, 5),
    ],
)
def test_two_clean_ones_in_a_row_raise_the_grade_and_two_failed_ones_lower_it(
    start: int, results: list[Result], grade: int
) -> None:
    progress = Progress(grade=start)
    for number, result in enumerate(results):
        progress = kept.with_puzzle(progress, str(number), result)
    assert progress.grade == grade


def test_a_puzzle_met_before_changes_no_grade() -> None:
    progress = kept.with_puzzle(kept.with_puzzle(Progress(), "a", CLEAN), "a", CLEAN)
    assert (progress.grade, progress.run) == (1, 1)


def test_a_mistake_comes_back_until_it_sits() -> None:
    progress = kept.with_mistake(Progress(), "a", {}, TODAY)
    assert kept.due_mistakes(progress, TODAY) == ["a"]
    today, waits = TODAY, []
    while kept.due_mistakes(progress, today):
        progress = kept.with_practice(progress, "a", right=True, today=today)
        assert kept.due_mistakes(progress, today) == []
        if due := progress.mistakes["a"].due:
            waits.append((date.fromisoformat(due) - today).days)
            today = date.fromisoformat(due)
    assert waits == [1, 3, 7, 16, 35]
    assert progress.mistakes["a"].due == "", "it is known"
    again = kept.with_mistake(progress, "a", {}, today)
    assert kept.due_mistakes(again, today) == ["a"], "whoever makes it again begins anew"


def test_a_mistake_that_is_made_again_in_practice_begins_anew() -> None:
    progress = Progress(mistakes={"a": Mistake({}, 4, TODAY.isoformat())})
    progress = kept.with_practice(progress, "a", right=False, today=TODAY)
    assert progress.mistakes["a"] == Mistake({}, 0, "2027-02-17", "2027-02-16")


def test_a_mistake_that_was_practised_while_the_clock_was_wrong_is_due() -> None:
    """Nothing comes back later than after 35 days: what seems to was put off by a clock that was ahead."""
    progress = kept.with_mistake(Progress(), "a", {}, TODAY)
    ahead = kept.with_practice(progress, "a", right=True, today=TODAY + timedelta(days=900))
    assert kept.due_mistakes(ahead, TODAY) == ["a"]
    behind = kept.with_practice(progress, "a", right=True, today=TODAY - timedelta(days=900))
    assert kept.due_mistakes(behind, TODAY) == ["a"]
    latest = Progress(mistakes={"a": Mistake({}, 5, (TODAY + timedelta(days=35)).isoformat())})
    assert kept.due_mistakes(latest, TODAY) == []


def test_of_a_mistake_on_two_devices_what_was_practised_last_counts() -> None:
    learnt = Mistake({}, 5, "", "2027-02-10")
    made_again = Mistake({}, 0, "2027-02-16", "2027-02-16")
    together = kept.merged(Progress(mistakes={"a": learnt}), Progress(mistakes={"a": made_again}))
    assert together.mistakes == {"a": made_again}
    earlier = Mistake({}, 4, "2027-02-01", "2027-01-16")
    assert kept.merged(Progress(mistakes={"a": earlier}), Progress(mistakes={"a": learnt})).mistakes == {"a": learnt}


days = st.dates(date(2026, 1, 1), date(2029, 1, 1)).map(date.isoformat)
results = st.builds(Result, st.integers(0, 9), st.integers(0, 9), days)
ids = st.text("abcdefgh23456789", min_size=1, max_size=8)
mistakes = st.builds(
    Mistake, st.dictionaries(ids, ids, max_size=2), st.integers(0, 5), days | st.just(""), days | st.just("")
)
sittings = st.builds(SavedExam, st.lists(ids, max_size=4).map(tuple), days | st.just(""))
progresses = st.builds(
    Progress,
    st.dictionaries(st.integers(1, 40), results, max_size=12),
    st.dictionaries(ids, results, max_size=5),
    st.integers(1, 5),
    st.integers(-1, 1),
    st.dictionaries(ids, mistakes, max_size=3),
    st.dictionaries(ids, sittings, max_size=3),
    st.integers(0, 9),
)


@settings(max_examples=12)
@given(progresses)
def test_what_is_written_can_be_read(progress: Progress) -> None:
    assert kept.read_progress(kept.write_progress(progress)) == progress


@settings(max_examples=12)
@given(progresses, progresses)
def test_two_devices_together_lose_no_day(one: Progress, other: Progress) -> None:
    together = kept.merged(one, other)
    assert set(together.daily) == {*one.daily, *other.daily}
    assert set(together.puzzles) == {*one.puzzles, *other.puzzles}
    assert set(together.mistakes) == {*one.mistakes, *other.mistakes}
    assert set(together.exams) == {*one.exams, *other.exams}
    swapped = kept.merged(other, one)
    assert replace(together, looked=0) == replace(swapped, looked=0)
    assert kept.merged(together, other) == together, "to import twice changes nothing"


def test_the_browser_s_file_is_read() -> None:
    given = {
        "format": 1,
        "daily": {"412": {"tries": 2, "hints": 0, "date": "2027-02-16"}},
        "puzzles": {"6ags37gt": {"tries": 1, "hints": 0}},
        "grade": 2,
        "run": 1,
    }
    progress = kept.read_progress(json.dumps(given))
    assert progress == Progress({412: Result(2, 0, "2027-02-16")}, {"6ags37gt": Result(1, 0)}, 2, 1)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "7",
        '{"format": 2}',
        '{"format": 1, "daily": []}',
        '{"format": 1, "daily": {"x": {"tries": 1, "hints": 0, "date": "2027-02-16"}}}',
        '{"format": 1, "daily": {"1": {"tries": 1, "hints": 0, "date": "yesterday"}}}',
        '{"format": 1, "daily": {"1": {"tries": -1, "hints": 0, "date": "2027-02-16"}}}',
        '{"format": 1, "puzzles": {"a": 5}}',
        '{"format": 1, "exams": {"a": {"answers": 5, "passed": ""}}}',
        "[" * 100_000,
    ],
)
def test_what_is_no_progress_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(ParlourError, match="this is not Parlour's progress") as refused:
        kept.read_progress(text)
    assert "\n" not in str(refused.value)


def keep(progress: Progress) -> None:
    with progress_file.changing() as here:
        here.progress = progress


def test_the_file_is_for_its_owner_alone() -> None:
    keep(solved(1))
    keep(solved(1, 2))
    for path in Path(state_folder()).glob("progress*"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path


@pytest.mark.parametrize("damage", [b"", b"{", b"\xff\xfe", b'{"format": 1, "daily": 3}'])
def test_a_damaged_file_is_set_aside_and_the_one_before_it_counts(damage: bytes) -> None:
    keep(solved(1))
    keep(solved(1, 2))
    file = Path(state_folder()) / progress_file.FILE
    file.write_bytes(damage)
    progress, warning = progress_file.load()
    assert progress == solved(1)
    assert "progress-damaged-1.json" in warning
    assert (file.parent / "progress-damaged-1.json").read_bytes() == damage
    assert progress_file.load() == (solved(1), ""), "it is told once"


def test_where_there_is_no_copy_counting_begins_anew() -> None:
    (Path(state_folder()) / progress_file.FILE).write_text("rubbish")
    progress, warning = progress_file.load()
    assert progress == Progress()
    assert "starts over" in warning
