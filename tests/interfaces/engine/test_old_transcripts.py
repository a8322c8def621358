"""Programs that talk to an engine of an earlier Parlour get the same replies today.

The transcripts are beside the other data of these versions; `make.py` in tests/fixtures/0.2-dev wrote them.
"""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from parlour.gtp.server import Engine, serve
from parlour.players import find_player
from tests.support.old_data import DEV, FIXTURES

PLAYERS = {"random": "random", "level": "level:3"}  # by the name of the transcript; the others have the perfect player
NAMES = sorted(path.stem for path in (DEV / "engine").iterdir())


def read_transcript(path: Path) -> tuple[list[str], list[str]]:
    """Return the commands of a transcript, and the reply to each."""
    talk = re.findall(r"^> (.*)\n((?:[^\n]+\n)+)\n", path.read_text(encoding="utf-8"), re.MULTILINE)
    return [command for command, _ in talk], [reply.rstrip("\n") for _, reply in talk]


def replies_to(commands: list[str], player: str) -> list[str]:
    """Return the replies of today's engine."""
    target = io.StringIO()
    source = io.BytesIO("".join(f"{command}\n" for command in commands).encode())
    serve(Engine(find_player(player), "1"), source, target)
    return target.getvalue().split("\n\n")[:-1]


@pytest.mark.parametrize("name", NAMES)
def test_every_reply_is_that_of_0_2_dev(name: str) -> None:
    commands, replies = read_transcript(DEV / "engine" / f"{name}.txt")
    assert replies_to(commands, PLAYERS.get(name, "perfect")) == replies


@pytest.mark.parametrize("name", NAMES)
def test_every_command_of_0_1_0_has_the_same_effect(name: str) -> None:
    """Which of several good moves the engine plays has changed since, and so have the reasons for refusals."""
    commands, replies = read_transcript(FIXTURES / "engine" / f"{name}.txt")
    played = [
        f"play {reply.removeprefix('= ')}" if command.startswith("genmove") and reply.startswith("=") else command
        for command, reply in zip(commands, replies, strict=True)
    ]
    expected = [
        "=" if command != sent else reply for command, sent, reply in zip(commands, played, replies, strict=True)
    ]
    found = replies_to(played, "perfect")
    assert [without_reason(reply) for reply in found] == [without_reason(reply) for reply in expected]


def without_reason(reply: str) -> str:
    """A reply without the reason for a refusal."""
    return reply.split(" ", 1)[0] if reply.startswith("?") else reply
