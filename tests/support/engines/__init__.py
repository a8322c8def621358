"""Engines that are programs of their own, and what is left of them."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

from tests.support.eventually import eventually

RUNAWAY = Path(__file__).with_name("runaway.py")
STRANGER = Path(__file__).with_name("stranger.py")


def stranger(mode: str, log: Path | None = None) -> str:
    """The command of an engine that has nothing to do with Parlour."""
    return shlex.join([sys.executable, "-IS", str(STRANGER), mode, *([str(log)] if log else [])])


def running(group: int) -> list[str]:
    """The processes of a group that still run; those that only wait to be buried by the system do not."""
    if not Path("/proc/self/stat").exists():
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return []
        return ["some"]
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent, member = status.read_text().rpartition(")")[2].split()[:3]
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(member) == group and (state != "Z" or int(parent) == os.getpid()):
            found.append(status.parent.name)
    return found


def nothing_is_left(log: Path) -> bool:
    """Wait until the engine that wrote this log is gone with everything it started, zombies included."""
    group = int(log.read_text().split()[0])
    return eventually(lambda: not running(group), "the end of the engine", 5)


def commands(log: Path) -> list[str]:
    """What an engine was sent after the handshake, without the numbers."""
    return [line.partition(" ")[2] for line in log.read_text().splitlines()[1:] if "_command " not in line][1:]
