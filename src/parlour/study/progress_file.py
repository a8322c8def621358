"""The progress file of this device: one file in the state folder, readable by its owner alone.

A change holds a lock, so that two terminals never overwrite each other's changes, and replaces the file atomically. The
previous version is saved beside it. It replaces a damaged file, which is renamed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import NamedTuple

from parlour.errors import ParlourError
from parlour.files import make_private, state_folder, write_whole
from parlour.study.progress import Progress, read_progress, write_progress

try:
    import fcntl
except ImportError:  # Windows: the last of two terminals wins
    fcntl = None  # type: ignore[assignment]

FILE, PREVIOUS, LOCK = "progress.json", "progress-previous.json", "progress.lock"
MAX_BYTES = 10_000_000


class LoadedProgress(NamedTuple):
    """The progress on the disk."""

    progress: Progress
    warning: str  # the damage and its repair; empty if there was none


def load() -> LoadedProgress:
    """Load the progress; the previous version replaces a damaged file."""
    with _locked():
        return _load()


def peek() -> Progress:
    """Load the progress without repairs; a damaged file counts as empty."""
    try:
        return read_file(os.path.join(state_folder(), FILE))
    except (OSError, ParlourError):
        return Progress()


@dataclass
class ProgressChange:
    """The progress in a block of ``changing``."""

    progress: Progress


@contextmanager
def changing() -> Iterator[ProgressChange]:
    """Lock the saved progress, load it, and save it again after the block, which may replace it."""
    with _locked():
        change = ProgressChange(_load().progress)
        yield change
        _save(change.progress)


def _load() -> LoadedProgress:
    path = os.path.join(state_folder(), FILE)
    try:
        return LoadedProgress(read_file(path), "")
    except FileNotFoundError:
        return LoadedProgress(Progress(), "")
    except ParlourError as error:
        damage = f"your progress was damaged ({error}); it is now {_set_aside(path)}"
        with suppress(OSError, ParlourError):
            progress = read_file(os.path.join(state_folder(), PREVIOUS))
            _save(progress, backup=False)
            return LoadedProgress(progress, f"{damage}, and the previous version replaces it")
        return LoadedProgress(Progress(), f"{damage}, and your progress starts over")


def read_file(path: str) -> Progress:
    """Return the progress in a file; ParlourError if it holds none."""
    with open(path, "rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise ParlourError(f"this is not Parlour's progress: more than {MAX_BYTES:,} bytes")
    try:
        return read_progress(data.decode())
    except UnicodeDecodeError:
        raise ParlourError("this is not Parlour's progress: it is not text in UTF-8") from None


def _set_aside(path: str) -> str:
    """Rename a damaged file and return its new name."""
    number = 1
    while os.path.exists(aside := os.path.join(state_folder(), f"progress-damaged-{number}.json")):
        number += 1
    os.replace(path, aside)
    return aside


def _save(progress: Progress, *, backup: bool = True) -> None:
    folder = state_folder()
    path = os.path.join(folder, FILE)
    if backup and os.path.exists(path):
        spare = os.path.join(folder, f".{PREVIOUS}.new")
        with suppress(FileNotFoundError):
            os.unlink(spare)
        with suppress(OSError):  # file systems without hard links have no previous version
            os.link(path, spare)
            os.replace(spare, os.path.join(folder, PREVIOUS))
    write_whole(path, write_progress(progress).encode(), private=True)


@contextmanager
def _locked() -> Iterator[None]:
    path = os.path.join(state_folder(), LOCK)
    make_private(path)
    with open(path, "rb") as file:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
