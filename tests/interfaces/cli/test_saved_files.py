"""The files of saved games: torn, stray, private, or nowhere to be written. Kills are in tests/system/cli."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from parlour import record, saves
from tests.support.command import Run

Runner = Callable[..., Run]


def test_a_torn_last_line_is_dropped_wherever_it_was_torn(run: Runner, state: Path) -> None:
    run("play", "spot", "--grid", "1,2,4,3,8,9,6,5,7", "--seed", "1", stdin="1,1\n1,2\nnext\n")
    file = state / "1.parlour"
    whole = file.read_bytes()
    last = whole.rstrip(b"\n").rfind(b"\n") + 1
    assert whole[last:].startswith(b"deal grid=")
    for cut in range(last, len(whole)):
        file.write_bytes(whole[:cut])
        assert len(saves.load(1).log) == 2, f"cut at byte {cut}"
    assert len(whole) - last > 10
    file.write_bytes(whole)
    assert len(saves.load(1).log) == 3


TAILS = [b"3", b"3.", b"3. ", b"3. 1", b"und", b"\x00\x00\x00", b"\xff\xfe", b"3. 9\r"]


@pytest.mark.parametrize("tail", TAILS)
def test_a_game_with_a_torn_last_line_goes_on(run: Runner, state: Path, tail: bytes) -> None:
    run("play", "double-up", stdin="2\n4\n")
    file = state / "1.parlour"
    with file.open("ab") as append:
        append.write(tail)
    assert "2 moves" in run("games", "--all").out
    resumed = run("resume", "1", stdin="8\n")
    assert resumed.code == 1
    assert "Last Number (N): 4" in resumed.out
    assert file.read_bytes().endswith(b"\n\n1. 2\n2. 4\n3. 8\n")


def test_stray_files_do_no_harm(run: Runner, state: Path) -> None:
    run("play", "double-up", stdin="2\n")
    for name in ["1.parlour.new", ".12345.new", "notes.txt", "x.parlour", "1.5.parlour", ".parlour", "-1.parlour"]:
        (state / name).write_text("left behind by a crash")
    assert len(json.loads(run("games", "--json").out)) == 1
    run("play", "double-up", "--limit", "2", stdin="2\n")
    assert run("resume", "1", stdin="3\n4\n").code == 1
    assert [game["id"] for game in json.loads(run("games", "--json").out)] == [2, 1]


@pytest.fixture
def nowhere(tmp_path: Path) -> dict[str, str]:
    """A state directory that cannot be made, because a file stands in its way."""
    (tmp_path / "file").write_text("")
    return {"XDG_STATE_HOME": str(tmp_path / "file" / "state")}


def test_a_game_that_cannot_be_saved_can_be_played(run: Runner, nowhere: dict[str, str]) -> None:
    told = run("play", "double-up", "--limit", "3", stdin="save\n2\nundo\n2\n3\n", env=nowhere)
    assert told.code == 0
    assert told.out.endswith("Player 2 wins the game!\n")
    assert "This game cannot be saved." in told.out
    assert told.err.startswith("parlour: this game cannot be saved: ")
    assert told.err.count("\n") == 1


def test_leaving_a_game_that_cannot_be_saved(run: Runner, nowhere: dict[str, str]) -> None:
    told = run("play", "double-up", stdin="2\n", env=nowhere)
    assert told.code == 1
    assert [line.split(":")[0] for line in told.err.splitlines()] == ["parlour", "This game was not saved."]


@pytest.mark.parametrize("words", [("games",), ("resume",), ("resume", "1"), ("export", "1"), ("replay", "1")])
def test_other_commands_say_where_they_looked(run: Runner, nowhere: dict[str, str], words: tuple[str, ...]) -> None:
    told = run(*words, env=nowhere)
    assert told.code == 1
    assert told.err.startswith("parlour: ")
    assert told.err.count("\n") == 1
    assert nowhere["XDG_STATE_HOME"] in told.err


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only for root")
def test_a_read_only_directory(run: Runner, state: Path) -> None:
    state.mkdir(parents=True)
    state.chmod(0o500)
    try:
        told = run("play", "double-up", "--limit", "2", stdin="2\n")
    finally:
        state.chmod(0o700)
    assert told.code == 0
    assert told.err.startswith("parlour: this game cannot be saved: ")
    assert told.err.count("\n") == 1


def test_a_relative_state_directory_does_not_count(run: Runner, tmp_path: Path) -> None:
    home = tmp_path / "home"
    run("play", "double-up", cwd=tmp_path, env={"XDG_STATE_HOME": "somewhere", "HOME": str(home)})
    assert not (tmp_path / "somewhere").exists()
    kept = home / ".local" / "state" / "parlour" / "games" / "1.parlour"
    assert record.read_record(kept.read_text()).game.key == "double-up"


def test_games_are_private(run: Runner, state: Path) -> None:
    run("play", "double-up")
    assert state.stat().st_mode & 0o077 == 0
