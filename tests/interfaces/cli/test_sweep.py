"""``parlour sweep``: one file, which any kill leaves whole, and which says no to what does not belong in it."""

from __future__ import annotations

import csv
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from parlour.engine.plain import PlainSearch
from parlour.errors import BadSweep, TooBig
from parlour.lab import results
from parlour.lab.measures import Budget
from parlour.lab.results import read_results
from parlour.lab.sweep import Forecast, check_disk, share_memory
from parlour.score import Value
from parlour.version import __version__
from tests.support.command import Run
from tests.support.schema import check
from tests.support.sweeps import rows_in

SMALL = ("sweep", "increasing-differences", "--length", "3-5", "--range", "4,7", "--jobs", "1")


def query(path: Path, sql: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection, connection:
        return connection.execute(sql).fetchall()


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory, run: Callable[..., Run]) -> Path:
    path = tmp_path_factory.mktemp("swept") / "rows.sqlite"
    done = run(*SMALL, "-o", str(path), "--csv", f"{path}.csv", "--json", f"{path}.json")
    assert done.code == 0, done.err
    assert "Increasing Differences: 5 rows, 1 combination left out as invalid" in done.out
    return path


def test_every_combination_has_a_row(swept: Path) -> None:
    """Who wins is what docs/solved.md has had since before there were sweeps."""
    found = {(row.words, row.value, row.keeping_first_moves) for row in rows_in(swept).values()}
    wins = {(3, 7): 7, (4, 7): 1, (5, 7): 1}
    losses = {(3, 4): 4, (4, 4): 4}
    assert found == {
        (f"length={length} range={size}", value, count)
        for value, games in ((Value.WIN, wins), (Value.LOSS, losses))
        for (length, size), count in games.items()
    }


def test_options_can_be_asked_for_in_sql(swept: Path) -> None:
    assert query(swept, "SELECT distance FROM rows WHERE option_length = 4 AND option_range = 7") == [(7,)]
    assert query(swept, "SELECT value FROM head WHERE name = 'version'") == [(json.dumps(__version__),)]


def test_csv_and_json_have_the_same_rows(swept: Path) -> None:
    with open(f"{swept}.csv", newline="") as file:
        table = list(csv.DictReader(file))
    document = json.loads(Path(f"{swept}.json").read_text())
    check(document, "Sweep")
    assert [row["digest"] for row in table] == [row["digest"] for row in document["rows"]]
    assert {row["digest"] for row in table} == {row.digest for row in rows_in(swept).values()}
    assert [(row["option_length"], row["option_range"]) for row in table] == [
        (row["options"]["length"], row["options"]["range"]) for row in document["rows"]
    ]


def test_the_command_of_a_row_makes_it_again(swept: Path, tmp_path: Path, run: Callable[..., Run]) -> None:
    row = rows_in(swept)["length=4 range=7"]
    assert run(*row.command.split()[1:], "-o", str(tmp_path / "again.sqlite")).code == 0
    (again,) = rows_in(tmp_path / "again.sqlite").values()
    assert (again.digest, again.command) == (row.digest, row.command)


def test_what_is_there_is_not_measured_again(swept: Path, run: Callable[..., Run]) -> None:
    before = query(swept, "SELECT * FROM rows")
    done = run(*SMALL, "-o", str(swept))
    assert "5 rows, 5 of them measured before" in done.out
    assert query(swept, "SELECT * FROM rows") == before


def test_a_row_that_did_not_fit_is_tried_again_with_more(
    tmp_path: Path, run: Callable[..., Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PlainSearch, "chunk", 100)
    path = tmp_path / "rows.sqlite"
    call = ("sweep", "sequence-builder", "--length", "4", "--measure", "value,distance", "--jobs", "1", "-o", str(path))
    assert "1 of them incomplete, for lack of time" in run(*call, "--seconds", "0").out
    assert "measured before" in run(*call, "--seconds", "0").out
    assert run(*call, "--seconds", "60").out.rstrip().endswith("1 row: " + str(path))
    (row,) = rows_in(path).values()
    assert (row.value, row.unfinished, row.allowed_seconds) == (Value.WIN, {}, 60)
    assert "measured before" in run(*call, "--seconds", "5").out


# What does not belong.


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--error", "0.1"), "was made with --error 0.2, not 0.1"),
        (("--measure", "value"), "was made with --measure value,distance,first-moves,decisions,contest, not value"),
        (("--seed", "2"), "was made with --seed 1, not 2"),
    ],
)
def test_a_file_of_other_settings_is_refused(
    swept: Path, more: tuple[str, ...], said: str, run: Callable[..., Run]
) -> None:
    before = swept.read_bytes()
    refused = run(*SMALL, *more, "-o", str(swept))
    assert (refused.code, refused.out) == (1, "")
    assert said in refused.err
    assert len(refused.err.splitlines()) == 1
    assert swept.read_bytes() == before


def test_a_file_of_another_game_or_version_is_refused(swept: Path, tmp_path: Path, run: Callable[..., Run]) -> None:
    assert "holds another game" in run("sweep", "double-up", "-o", str(swept)).err
    old = tmp_path / "old.sqlite"
    old.write_bytes(swept.read_bytes())
    query(old, "UPDATE head SET value = '\"0.0.1\"' WHERE name = 'version'")
    assert "was made by Parlour 0.0.1, and this is" in run(*SMALL, "-o", str(old)).err
    old.write_bytes(swept.read_bytes())
    query(old, "UPDATE head SET value = replace(value, '\"version\": 1', '\"version\": 7')")
    assert "holds another version of the game" in run(*SMALL, "-o", str(old)).err
    query(old, "PRAGMA user_version = 9")
    assert "has format 9, and this Parlour reads 1" in run(*SMALL, "-o", str(old)).err


def test_a_damaged_row_is_refused(swept: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.sqlite"
    bad.write_bytes(swept.read_bytes())
    query(bad, "UPDATE rows SET value = 'draw' WHERE option_range = 7 AND option_length = 4")
    with pytest.raises(BadSweep, match="'length=4 range=7' is damaged"):
        rows_in(bad)


def test_something_else_is_refused(tmp_path: Path, run: Callable[..., Run]) -> None:
    text, other = tmp_path / "text", tmp_path / "other.sqlite"
    text.write_text("not a database, but longer than its first page would be\n" * 100)
    query(other, "CREATE TABLE something (else_)")
    for path in (text, other):
        before = path.read_bytes()
        assert f"{path} is not the file of a sweep" in run(*SMALL, "-o", str(path)).err
        assert path.read_bytes() == before
    assert run(*SMALL, "-o", str(tmp_path / "nowhere" / "rows.sqlite")).err.startswith("parlour: cannot open")
    with pytest.raises(BadSweep, match="cannot"), read_results(str(tmp_path / "none.sqlite")):
        pass
    assert not (tmp_path / "none.sqlite").exists()


def test_two_sweeps_do_not_share_a_file(swept: Path, run: Callable[..., Run], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "LOCK_TIMEOUT", 0.01)
    with closing(sqlite3.connect(swept)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        assert "is in use; another sweep is writing to it" in run(*SMALL, "-o", str(swept)).err


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (("increasing-differences", "--length", "8-4"), "bad length '8-4'"),
        (("increasing-differences", "--length", "9", "--range", "4"), "none of 1 combination makes a game"),
        (("double-up", "--measure", "valeu"), "unknown measure 'valeu' (did you mean 'value'?)"),
        (("double-up", "--memory", "100000000"), "100,000,000 MB of memory are more than the"),
        (("double-up", "--error", "2"), "--error"),
        (("triple-up",), "triple-up"),
    ],
)
def test_a_sweep_that_makes_no_sense_is_one_line(
    call: tuple[str, ...], said: str, tmp_path: Path, run: Callable[..., Run]
) -> None:
    refused = run("sweep", *call, "-o", str(tmp_path / "rows.sqlite"))
    assert said in refused.err
    assert refused.code in (1, 2)
    assert len(refused.err.splitlines()) == 1
    assert not list(tmp_path.glob("rows*"))


# What the machine has room for.


def test_memory_is_shared_and_never_more_than_there_is() -> None:
    assert share_memory(4, None, free=8 << 30) == (4, 3 << 29)
    assert share_memory(2, None, free=64 << 30) == (2, 3 << 30)
    assert share_memory(4, 3 << 30, free=8 << 30) == (2, 3 << 30)
    with pytest.raises(TooBig, match="9,216 MB of memory are more than the 8,192 MB that are free"):
        share_memory(1, 9 << 30, free=8 << 30)


def test_a_sweep_too_large_for_the_disk_is_refused(tmp_path: Path) -> None:
    check_disk(str(tmp_path / "rows.sqlite"), 1_000)
    with pytest.raises(TooBig, match=r"rows take [\d,]+ MB; the disk has"):
        check_disk(str(tmp_path / "rows.sqlite"), 10**15)


def test_the_time_left_is_learnt_from_what_is_done() -> None:
    """Each row takes twice as long as the next smaller one: what is left after half of them is known."""
    guesses = [float(20 - place) for place in range(20)]
    seconds = [2.0**guess / 1000 for guess in guesses]
    forecast = Forecast(guesses, Budget(10_000.0, 1 << 30), workers=2)
    assert forecast.seconds is None
    for place in range(10):
        forecast.note(place, seconds[place])
    assert forecast.seconds == pytest.approx(sum(seconds[10:]) / 2, rel=0.01)
