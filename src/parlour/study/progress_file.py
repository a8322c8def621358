"""The progress of this device on the disk: one file in the state folder, for its owner alone.

Whoever changes it holds a lock, so that two terminals lose nothing of each other, and the file is replaced as a whole.
The one before it is kept beside it: where the file is damaged, that one counts, and the damaged one is set aside.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

from parlour.errors import ParlourError
from parlour.files import write_whole
from parlour.folders import make_private, state_folder
from parlour.study.progress import Progress, read_progress, write_progress

try:
    import fcntl
except ImportError:  # not on Windows: there the last of two terminals wins
    fcntl = None  # type: ignore[assignment]

FILE, PREVIOUS, LOCK = "progress.json", "progress-previous.json", "progress.lock"
MOST_BYTES = 10_000_000


class LoadedProgress(NamedTuple):
    """What was found on the disk."""

    progress: Progress
    complaint: str  # what was wrong with the file and what became of it; empty: nothing


def load() -> LoadedProgress:
    """What is kept; a damaged file is set aside, and the one before it counts."""
    with _locked():
        return _load()


def glance() -> Progress:
    """What is kept, for somebody who only passes by: nothing is mended, and what is damaged counts as nothing."""
    try:
        return read_file(os.path.join(state_folder(), FILE))
    except (OSError, ParlourError):
        return Progress()


@contextmanager
def changing() -> Iterator[list[Progress]]:
    """Change what is kept: the block replaces the only element of the list. Others wait meanwhile."""
    with _locked():
        here = [_load().progress]
        yield here
        _save(here[0])


def _load() -> LoadedProgress:
    path = os.path.join(state_folder(), FILE)
    try:
        return LoadedProgress(read_file(path), "")
    except FileNotFoundError:
        return LoadedProgress(Progress(), "")
    except ParlourError as error:
        aside = _set_aside(path)
        with suppress(OSError, ParlourError):
            progress = read_file(os.path.join(state_folder(), PREVIOUS))
            _save(progress, keep=False)
            return LoadedProgress(
                progress, f"your progress was damaged ({error}); it is now {aside}, and the copy before it counts"
            )
        return LoadedProgress(
            Progress(), f"your progress is damaged ({error}); it is now {aside}, and counting begins anew"
        )


def read_file(path: str) -> Progress:
    """The progress in a file; ParlourError if there is none in it."""
    with open(path, "rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ParlourError(f"this is not Parlour's progress: more than {MOST_BYTES:,} bytes")
    try:
        return read_progress(data.decode())
    except UnicodeDecodeError:
        raise ParlourError("this is not Parlour's progress: it is not text in UTF-8") from None


def _set_aside(path: str) -> str:
    """Give a damaged file a name of its own; that name."""
    number = 1
    while os.path.exists(aside := os.path.join(state_folder(), f"progress-damaged-{number}.json")):
        number += 1
    os.replace(path, aside)
    return aside


def _save(progress: Progress, *, keep: bool = True) -> None:
    folder = state_folder()
    path = os.path.join(folder, FILE)
    if keep and os.path.exists(path):
        spare = os.path.join(folder, f".{PREVIOUS}.new")
        with suppress(FileNotFoundError):
            os.unlink(spare)
        with suppress(OSError):  # a disk that knows no links keeps no copy
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
