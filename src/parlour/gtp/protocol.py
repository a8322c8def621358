"""The commands of the protocol, and the formats of commands and replies.

A command is a line, optionally with a number before it. A reply consists of ``=`` or ``?``, the same number, an answer
or the reason for an error, and an empty line.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from parlour.errors import ParlourError
from parlour.text import clip
from parlour.view import PlayerNumber

PROTOCOL_VERSION = "2"
MAX_COMMAND = 2000  # characters of a command
MAX_NUMBER = 20  # digits before a command
MAX_REPLY = 1 << 16  # bytes of a reply

COLOURS = "bw"  # the first player is black, as in Go
PLAYER_WORDS: dict[str, PlayerNumber] = {"1": 1, "b": 1, "black": 1, "2": 2, "w": 2, "white": 2}
RESIGNATION = "resign"  # reply to genmove instead of a move


class Command(NamedTuple):
    """The arguments that a command takes."""

    usage: str = "no arguments"
    least: int = 0  # minimum number of arguments
    most: int = 0  # maximum number of arguments


COMMANDS = {
    "name": Command(),
    "version": Command(),
    "protocol_version": Command(),
    "list_commands": Command(),
    "known_command": Command("a command", 1, 1),
    "game": Command("the name of a game", 1, 1),
    "options": Command("words like NAME=VALUE, or nothing", 0, 100),
    "clear_board": Command(),
    "play": Command("a move, or 1 or 2 and a move", 1, 2),
    "undo": Command(),
    "genmove": Command("1, 2 or nothing", 0, 1),
    "legal": Command(),
    "value": Command(),
    "showboard": Command(),
    "quit": Command(),
}
REQUIRED = ("game", "options", "clear_board", "play", "genmove")  # commands that every player has to know


class CommandLine(NamedTuple):
    """A received command."""

    number: str  # repeated in the reply; empty if there is none
    words: list[str]
    is_too_long: bool


_CONTROL_CHARACTERS = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_NUMBER = re.compile(rf"[0-9]{{1,{MAX_NUMBER}}}(?= |$)", re.ASCII)


def read_line(text: str) -> CommandLine | None:
    """Parse a line without its comment and control characters; return None if nothing remains."""
    uncommented = text.partition("#")[0]
    line = _CONTROL_CHARACTERS.sub("", uncommented.replace("\t", " ")).strip()
    if not line:
        return None
    found = _NUMBER.match(line)
    number = found[0] if found else ""
    return CommandLine(number, line.removeprefix(number).split(), len(uncommented) > MAX_COMMAND)


def check_command(words: list[str]) -> tuple[str, list[str]]:
    """Return the command and its arguments. Raises ParlourError if they are not valid."""
    name, arguments = (words[0], words[1:]) if words else ("", [])
    if name not in COMMANDS:
        raise ParlourError(f"unknown command {clip(name)!r}; list_commands lists what there is")
    usage, least, most = COMMANDS[name]
    if not least <= len(arguments) <= most:
        raise ParlourError(f"{name} takes {usage}, not {clip(' '.join(arguments))!r}")
    return name, arguments


def show_reply(number: str, text: str, *, refused: bool = False) -> str:
    """Return a reply, including the empty line at its end."""
    return f"{'?' if refused else '='}{number} {text}".rstrip() + "\n\n"


class Reply(NamedTuple):
    """A reply to a command."""

    number: str
    text: str
    refused: bool


_REPLY = re.compile(r"([=?])([0-9]*)(?:\s+(.*))?", re.DOTALL)


def read_reply(text: str) -> Reply | None:
    """Parse a reply without the empty line at its end; return None if the text is not a reply."""
    shape = _REPLY.fullmatch(text)
    return None if shape is None else Reply(shape[2], (shape[3] or "").strip(), shape[1] == "?")
