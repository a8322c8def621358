"""Saved games of the terminal: one record file each, under the XDG state directory.

Every action is on the disk before it is shown. Actions are appended to the file of an unfinished game; when the game
ends, the file is replaced atomically by one with the result. A line that a crash cut short is dropped.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from threading import get_ident
from typing import IO

from parlour import record
from parlour.errors import BadRecord, GameInUse, NoSuchRecord
from parlour.files import make_private, state_folder, sync_folder, write_synced
from parlour.installation import own_command
from parlour.match import Action, Match
from parlour.setup import DEFAULT_PLAYERS
from parlour.text import clip

try:
    import fcntl
except ImportError:  # Windows has no locks here, so a game can be opened twice
    fcntl = None  # type: ignore[assignment]

POSIX = fcntl is not None  # on Windows open files cannot be renamed, nor directories opened
SUFFIX = ".parlour"
PERSON = DEFAULT_PLAYERS[0]  # the kind of player at the keyboard
_PIPED_SUFFIX = ".piped"  # an empty file that marks a game played by a program through a pipe
_UNFINISHED_TAG = b'\n[Result "*"]\n'
_MAX_HEAD_BYTES = 20_000  # the tags of a record
_SCRATCH = re.compile(r"\.([0-9]+)-[0-9]+\.new")  # the name of a new game's scratch file: process ID, thread ID


def directory() -> str:
    """Return the folder of the saved games, and create it if necessary."""
    return state_folder("games")


def numbers() -> list[int]:
    """Return the numbers of all saved games, the oldest first."""
    names = (name.removesuffix(SUFFIX) for name in os.listdir(directory()) if name.endswith(SUFFIX))
    return sorted(int(name) for name in names if name.isascii() and name.isdigit())


def path_of(number: int) -> str:
    """Return the path of a saved game."""
    return os.path.join(directory(), f"{number}{SUFFIX}")


def find(word: str) -> int:
    """Return the number of a saved game given as a text.

    Raises:
        NoSuchRecord: no saved game has this number.
    """
    number = int(word) if word.isascii() and word.isdigit() and len(word) < 10 else -1
    if not os.path.exists(path_of(number)):
        raise no_such_record(word)
    return number


def no_such_record(word: str) -> NoSuchRecord:
    """Return the error for an unknown number of a saved game."""
    return NoSuchRecord(f"there is no saved game {clip(word)!r}; '{own_command()} games' lists them")


def complete_lines(data: bytes) -> bytes:
    """Return the data without a last line that a crash cut short; such a line was never confirmed."""
    return data[: data.rfind(b"\n") + 1]


def _decoded(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadRecord(f"line {line}: this is not text in UTF-8") from None


def text_of(number: int) -> str:
    """Return the record of a saved game as text."""
    with open(path_of(number), "rb") as file:
        return _decoded(complete_lines(file.read()))


def load(number: int) -> Match:
    """Return the match of a saved game."""
    return record.replay_record(text_of(number))


def all_games() -> Iterator[tuple[int, Match | BadRecord]]:
    """Yield the number of every saved game with its match or the error in its file, the newest first."""
    for number in reversed(numbers()):
        try:
            yield number, load(number)
        except BadRecord as error:
            yield number, error
        except OSError as error:
            yield number, BadRecord(f"it cannot be read: {error.strerror}")


def unfinished() -> Iterator[tuple[int, Match]]:
    """Yield the numbers and matches of unfinished games, the newest first, without replaying the finished ones."""
    for number in reversed(numbers()):
        with suppress(BadRecord, OSError):
            with open(path_of(number), "rb") as file:
                head = file.read(_MAX_HEAD_BYTES)
            if _UNFINISHED_TAG in head.replace(b"\r\n", b"\n"):
                match = load(number)
                if match.outcome is None:
                    yield number, match


def is_hidden(number: int, match: Match) -> bool:
    """Return whether lists of games leave out a game: a program played it through a pipe, or only computers did."""
    return PERSON not in match.setup.players or os.path.exists(_mark_of(number))


def delete(number: int) -> None:
    """Delete a saved game.

    Raises:
        GameInUse: it is open at a terminal.
    """
    with open(path_of(number), "rb") as file:
        try:
            if POSIX:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise _in_use(number) from None
        if POSIX:
            os.unlink(file.name)
    if not POSIX:
        os.unlink(path_of(number))
    with suppress(FileNotFoundError):
        os.unlink(_mark_of(number))
    sync_folder(directory())


def _mark_of(number: int) -> str:
    return os.path.join(directory(), f"{number}{_PIPED_SUFFIX}")


def _in_use(number: int) -> GameInUse:
    return GameInUse(f"game {number} is open at another terminal")


def add(match: Match, *, piped: bool = False) -> int:
    """Save a match under a new number, and return the number. ``piped`` games are hidden in lists of games."""
    scratch = os.path.join(directory(), f".{os.getpid()}-{get_ident()}.new")
    try:
        write_synced(scratch, record.write_record(match).encode(), private=True)
        number = max(numbers(), default=0)
        while True:
            number += 1
            try:
                os.link(scratch, path_of(number))  # fails if another process has just taken this number
                break
            except FileExistsError:
                continue
    finally:
        with suppress(FileNotFoundError):
            os.unlink(scratch)
    if piped:
        make_private(_mark_of(number))
    else:
        with suppress(FileNotFoundError):
            os.unlink(_mark_of(number))  # left by a deleted game with this number
    sync_folder(directory())
    return number


class SaveFile:
    """The file of an open match, locked against other processes."""

    def __init__(self, number: int, match: Match | None = None) -> None:
        """Open a saved game; ``match`` is given if it has just been added.

        Raises:
            GameInUse: it is open at another terminal.
        """
        self.number = number
        _clear_leftovers()
        self._file: IO[bytes] = open(path_of(number), "r+b")  # noqa: SIM115  (open and locked until close)
        try:
            if POSIX:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            make_private(path_of(number))
            if os.path.exists(_mark_of(number)):
                make_private(_mark_of(number))
            if match is None:
                data = complete_lines(self._file.read())
                match = record.replay_record(_decoded(data))
                self._file.truncate(len(data))
            self.match = match
            self._ended = match.outcome is not None
            self._file.seek(0, os.SEEK_END)
        except BlockingIOError:
            self._file.close()
            raise _in_use(number) from None
        except BaseException:
            self._file.close()
            raise

    def append(self, action: Action) -> None:
        """Write the last action of the match to the disk."""
        if self._ended:  # the result in the record has changed
            self.rewrite()
            return
        line = record.show_action(self.match, action, len(self.match.round.moves))
        self._file.write(f"{line}\n".encode())
        self._file.flush()
        os.fsync(self._file.fileno())
        if self.match.outcome is not None:
            self.rewrite()

    def rewrite(self) -> None:
        """Replace the file by the whole record of the match."""
        self._ended = self.match.outcome is not None
        path = path_of(self.number)
        scratch = path + ".new"
        write_synced(scratch, record.write_record(self.match).encode(), private=True)
        if not POSIX:
            self._file.close()
            os.replace(scratch, path)
            self._file = open(path, "r+b")  # noqa: SIM115  (as above)
        else:
            file = open(scratch, "r+b")  # noqa: SIM115  (as above)
            fcntl.flock(file, fcntl.LOCK_EX)
            os.replace(scratch, path)
            self._file.close()
            self._file = file
        sync_folder(directory())
        self._file.seek(0, os.SEEK_END)

    def close(self) -> None:
        """Close and unlock the file."""
        self._file.close()


def _clear_leftovers() -> None:
    """Delete scratch files left by killed processes."""
    if not POSIX:
        return
    for name in os.listdir(directory()):
        path = os.path.join(directory(), name)
        scratch = _SCRATCH.fullmatch(name)
        with suppress(OSError):  # in use, or deleted by another process
            if scratch is not None and not _is_alive(int(scratch[1])):
                os.unlink(path)
            elif name.endswith(f"{SUFFIX}.new"):
                with open(path.removesuffix(".new"), "rb") as game:  # locked while it is rewritten
                    fcntl.flock(game, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    if os.path.samestat(os.fstat(game.fileno()), os.stat(game.name)):
                        os.unlink(path)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # another user's process
        pass
    return True
