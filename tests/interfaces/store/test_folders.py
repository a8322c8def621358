"""Saved games, history and databases are readable by their owner alone, and leftovers are removed."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from parlour import saves
from parlour.cli.server import default_database
from parlour.files import make_private, state_folder
from parlour.store import open_store
from tests.support.command import Run
from tests.support.tabletop import begin

PLAY = ("play", "double-up")
NO_PROCESS = 2**22 + 1  # above the largest process ID that a system gives


@pytest.fixture(autouse=True)
def generous() -> Iterator[None]:
    """The usual umask, whatever the tests run under."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def modes(state: Path) -> dict[str, int]:
    """Of Parlour's folder and all in it."""
    folder = state.parent
    found = [folder, *folder.rglob("*")]
    return {str(path.relative_to(folder)): stat.S_IMODE(path.stat().st_mode) for path in found}


def assert_private(state: Path, *names: str) -> None:
    found = modes(state)
    assert set(names) <= set(found)
    for name, mode in found.items():
        assert mode == (0o700 if (state.parent / name).is_dir() else 0o600), name


def serve_a_moment(state: Path, *names: str) -> None:
    """Open the web's database as the server does, and look while it is open."""
    with closing(open_store(default_database())):
        assert_private(state, "web.sqlite3", "web.sqlite3-wal", "web.sqlite3-shm", *names)


def test_the_terminal_first_and_then_the_web(state: Path, run: Callable[..., Run]) -> None:
    run(*PLAY, stdin="2\n")
    assert_private(state, "games", "games/1.parlour")
    serve_a_moment(state, "games/1.parlour")


def test_the_web_first_and_then_the_terminal(state: Path, run: Callable[..., Run]) -> None:
    serve_a_moment(state)
    run(*PLAY, stdin="2\n3\n")
    assert_private(state, "web.sqlite3", "games/1.parlour")


def test_what_was_wider_before_is_narrowed(state: Path, run: Callable[..., Run]) -> None:
    run(*PLAY, stdin="2\n")
    serve_a_moment(state)
    for path in (state.parent, *state.parent.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    assert 0o755 in modes(state).values()
    run("resume", stdin="3\n")
    default_database()
    assert_private(state, "web.sqlite3", "games/1.parlour", "games/1.piped")


def test_a_record_that_is_written_anew_stays_private(state: Path) -> None:
    save = saves.SaveFile(saves.add(begin("double-up", limit=2)))
    save.append(save.match.play(2))
    save.close()
    assert_private(state, "games/1.parlour")


def test_what_is_narrower_is_left_so(tmp_path: Path) -> None:
    file = tmp_path / "x"
    file.write_text("x")
    file.chmod(0o400)
    make_private(str(file))
    assert stat.S_IMODE(file.stat().st_mode) == 0o400
    assert file.read_text() == "x"
    Path(state_folder()).chmod(0o500)
    assert stat.S_IMODE(os.stat(state_folder()).st_mode) == 0o500


def test_what_a_killed_process_left_is_cleared_at_the_next_start(state: Path) -> None:
    save = saves.SaveFile(saves.add(begin("double-up")))
    saves.add(begin("double-up"))
    leftovers = [state / "2.parlour.new", state / f".{NO_PROCESS}-140000.new"]
    kept = [
        state / "1.parlour.new",  # that game is open: this may be just about to take its place
        state / f".{os.getpid()}-140000.new",
        state / "x.parlour.new",  # no game of ours
        state / "2.parlour.old",
    ]
    for path in (*leftovers, *kept):
        path.write_text("")
    saves.SaveFile(2).close()
    assert not any(path.exists() for path in leftovers)
    assert all(path.exists() for path in kept)
    save.close()
    saves.SaveFile(1).close()
    assert not kept[0].exists()
    assert saves.numbers() == [1, 2]
