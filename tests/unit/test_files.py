"""Files that survive a crash: what is synced, in which order, and what a failed write leaves."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from parlour import saves
from parlour.files import write_whole
from parlour.match import new_match
from parlour.study import progress_file

POSIX = pytest.mark.skipif(os.name == "nt", reason="folders can't be synced there")


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was synced or put in place, in order."""
    steps: list[str] = []
    replace = os.replace

    def note_sync(descriptor: int) -> None:
        steps.append("synced folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "synced file")

    def note_replace(old: str, new: str) -> None:
        replace(old, new)
        steps.append(f"replaced {Path(new).name}")

    monkeypatch.setattr(os, "fsync", note_sync)
    monkeypatch.setattr(os, "replace", note_replace)
    return steps


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "parlour"


def save_progress() -> None:
    with progress_file.changing():
        pass


@POSIX
@pytest.mark.parametrize("write", [save_progress, lambda: saves.add(new_match("double-up"))], ids=["progress", "game"])
def test_the_folder_of_a_new_file_is_synced_last(steps: list[str], state: Path, write: Callable[[], object]) -> None:
    write()
    assert steps[0] == "synced file"
    assert steps[-1] == "synced folder"


@POSIX
def test_content_is_synced_before_the_file_is_replaced(steps: list[str], tmp_path: Path) -> None:
    write_whole(str(tmp_path / "file"), b"new")
    assert steps == ["synced file", "replaced file", "synced folder"]


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(descriptor: int) -> None:
        raise OSError("disk full")

    file = tmp_path / "file"
    file.write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="disk full"):
        write_whole(str(file), b"new")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("file", b"old")]


@POSIX
def test_a_link_stays_and_a_private_file_is_private(tmp_path: Path) -> None:
    target = tmp_path / "target"
    link = tmp_path / "link"
    link.symlink_to(target)
    write_whole(str(link), b"text", private=True)
    assert link.is_symlink()
    assert target.read_bytes() == b"text"
    assert target.stat().st_mode & 0o077 == 0
