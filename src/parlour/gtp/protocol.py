"""What both halves of the protocol share: the commands, who is who, and the shape of lines and replies.

A command is a line, with a number before it if the sender likes. A reply is ``=`` or ``?``, the same number, and an
answer or the reason of a refusal; an empty line ends it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from parlour.errors import ParlourError
from parlour.text import clip
from parlour.view import PlayerNumber

PROTOCOL_VERSION = "2"
LONGEST_COMMAND = 2000  # characters of a command
LONGEST_COMMAND_NUMBER = 20  # digits before a command
LONGEST_REPLY = 1 << 16  # bytes

COLOURS = "bw"  # who begins a round, as black does in Go, and who does not
PLAYER_WORDS: dict[str, PlayerNumber] = {"1": 1, "b": 1, "black": 1, "2": 2, "w": 2, "white": 2}
GIVES_UP = "resign"  # instead of a move


class Command(NamedTuple):
    """What a command takes."""

    usage: str = "no arguments"
    least: int = 0  # arguments
    most: int = 0


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
NEEDED = ("game", "options", "clear_board", "play", "genmove")  # to play a match


class CommandLine(NamedTuple):
    """A command as it was sent."""

    number: str  # that comes back with the reply; empty where there is none
    words: list[str]
    is_too_long: bool


_UNPRINTED = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_NUMBER = re.compile(rf"[0-9]{{1,{LONGEST_COMMAND_NUMBER}}}(?= |$)", re.ASCII)


def read_line(text: str) -> CommandLine | None:
    """A line without remarks and what is not printed; None where nothing is left of it."""
    kept = text.partition("#")[0]
    shown = _UNPRINTED.sub("", kept.replace("\t", " ")).strip()
    if not shown:
        return None
    found = _NUMBER.match(shown)
    number = found[0] if found else ""
    return CommandLine(number, shown.removeprefix(number).split(), len(kept) > LONGEST_COMMAND)


def check_command(words: list[str]) -> tuple[str, list[str]]:
    """The command that words make, and its arguments; a ParlourError if they make none."""
    name, arguments = (words[0], words[1:]) if words else ("", [])
    if name not in COMMANDS:
        raise ParlourError(f"unknown command {clip(name)!r}; list_commands lists what there is")
    usage, least, most = COMMANDS[name]
    if not least <= len(arguments) <= most:
        raise ParlourError(f"{name} takes {usage}, not {clip(' '.join(arguments))!r}")
    return name, arguments


def show_reply(number: str, text: str, *, refused: bool = False) -> str:
    """A reply, with the empty line that ends it."""
    return f"{'?' if refused else '='}{number} {text}".rstrip() + "\n\n"


class Reply(NamedTuple):
    """What came back for a command."""

    number: str
    text: str
    refused: bool


_REPLY = re.compile(r"([=?])([0-9]*)(?:\s+(.*))?", re.DOTALL)


def read_reply(text: str) -> Reply | None:
    """A reply without the empty line that ends it; None where the text is none."""
    shape = _REPLY.fullmatch(text)
    return None if shape is None else Reply(shape[2], (shape[3] or "").strip(), shape[1] == "?")
