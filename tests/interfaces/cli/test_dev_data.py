"""Records, saved games and progress of the Parlour before results became documents (tests/fixtures/0.2-dev) are read.

`test_old_data.py` has those of version 0.1.0.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from parlour import record
from parlour.study import progress_file
from tests.support.command import Run
from tests.support.old_data import DEV

Runner = Callable[..., Run]
RECORDS = sorted((DEV / "records").iterdir())


@pytest.fixture
def saved(state: Path) -> Path:
    """A copy of what was saved then: games and progress."""
    shutil.copytree(DEV / "state" / "parlour", state.parent)
    return state


def test_every_record_is_listed_as_it_was(run: Runner, state: Path) -> None:
    state.mkdir(parents=True)
    for number, path in enumerate(RECORDS, 1):
        shutil.copy(path, state / f"{number}.parlour")
    assert json.loads(run("games", "--json").out) == json.loads((DEV / "records.json").read_text())


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_every_record_is_written_as_it_was(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert record.write_record(record.read_record(text)) == text


def test_saved_games_are_listed_as_they_were(run: Runner, saved: Path) -> None:
    found, before = json.loads(run("games", "--json").out), json.loads((DEV / "games.json").read_text())
    assert [game.pop("damaged", "")[:8] for game in found] == [game.pop("damaged", "")[:8] for game in before]
    assert found == before


@pytest.mark.parametrize(
    ("number", "typed", "end"),
    [
        pytest.param(2, "12\nresign\n", "\nresign 1\n", id="against a level"),
        pytest.param(3, "12\n8\n13\n9\n", "\n4. 12\n5. 8\n6. 13\n7. 9\n", id="a move cut short"),
        pytest.param(4, "resign\n", "\nresign 2\n", id="a deal cut short"),
        pytest.param(5, "3\n5\n2\n", "\n7. pass\n8. 3\n9. pass\n10. 5\n11. pass\n12. 2\n", id="passes"),
    ],
)
def test_a_saved_game_is_resumed(run: Runner, saved: Path, number: int, typed: str, end: str) -> None:
    done = run("resume", str(number), stdin=typed)
    assert done.code == 0, done.err
    assert (saved / f"{number}.parlour").read_text().endswith(end)


def test_a_damaged_game_is_found_and_salvaged(run: Runner, saved: Path) -> None:
    checked = run("check")
    assert checked.code == 1
    assert checked.out.startswith("game 6: line 15: illegal move '9'")
    assert checked.out.count("\n") == 2
    assert run("salvage", "6").code == 0


def test_progress_is_exported_as_it_was(run: Runner, saved: Path) -> None:
    text = (DEV / "state" / "parlour" / "progress.json").read_text()
    assert json.loads(run("daily", "--export", "-").out) == json.loads(text)
    told = run("daily", "--statistics").out
    assert "Daily puzzles played: 2\nSolved: 2, 1 of them at the first try\n" in told


def test_mistakes_and_exams_continue(run: Runner, saved: Path) -> None:
    ((exam, sitting),) = progress_file.load().progress.exams.items()
    assert sitting.answers == ("4", "10", "9")
    assert run("master", "double-up", "--limit", "20", stdin="9\nquit\n").code == 0
    assert progress_file.load().progress.exams[exam].answers == ("4", "10", "9", "9")
    assert len(progress_file.load().progress.mistakes) == 3
    practised = run("practise", stdin="4\nquit\n")  # where 3 was played, 4 wins
    assert practised.code == 0, practised.err
    assert sorted(mistake.box for mistake in progress_file.load().progress.mistakes.values()) == [0, 0, 1]
