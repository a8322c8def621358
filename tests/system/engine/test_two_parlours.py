"""Two Parlours play each other over the protocol, as processes, from the command line.

Every game is played over the protocol in tests/interfaces/engine, without processes.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from parlour import catalog, record, saves
from parlour.match import DEAL, Match
from parlour.players.engine import EnginePlayer
from parlour.rules import Rules
from parlour.setup import Setup
from parlour.view import PLAYERS, PlayerNumber
from tests.support.command import Run, command, run_parlour
from tests.support.engines import nothing_is_left, stranger
from tests.support.eventually import eventually
from tests.support.old_data import STATE


def served(*arguments: str) -> str:
    """The command of a Parlour that serves."""
    return shlex.join([sys.executable, "-m", "parlour", "engine", *arguments])


def events(run: Run) -> list[dict[str, Any]]:
    return [json.loads(line) for line in run.out.splitlines()]


@pytest.mark.parametrize("key", ["double-up", "sequence-spot"])
@pytest.mark.parametrize("first", PLAYERS)
def test_a_parlour_plays_for_either_seat(key: str, first: PlayerNumber) -> None:
    """Both seats of a whole match are played by one process each; our own referee watches."""
    game = catalog.find_game(key)
    match = Match(Setup(Rules(game, game.defaults), first=first, seed="3"))
    seats = [EnginePlayer(served("--player", "random", "--seed", str(seat))) for seat in (0, 1)]
    try:
        while match.outcome is None:
            if match.between_rounds:
                match.next_round()
            else:
                match.play(seats[match.turn - 1].choose(match, Random(1)))  # a pass is asked for, too
    finally:
        for seat in seats:
            seat.close()
    assert record.write_record(record.read_record(record.write_record(match))) == record.write_record(match)


@pytest.mark.parametrize("key", ["double-up", "sequence-spot"])
def test_two_parlours_from_the_command_line(key: str) -> None:
    told = run_parlour(
        *("play", key, "--json", "--seed", "1"),
        *("--p1", f"engine:{served('--player', 'random', '--seed', '1')}"),
        *("--p2", f"engine:{served('--player', 'random', '--seed', '2')}"),
    )
    assert (told.err, told.code) == ("", 0)
    assert events(told)[-1]["how"] in ("won", "drawn")
    assert not [event for event in events(told) if event["event"] == "remark"]


def test_several_rounds() -> None:
    """The first grid has no arithmetic line, so that the first round is drawn for certain."""
    told = run_parlour(
        *("play", "sequence-spot", "--grid", "1,2,4,3,8,9,6,5,7", "--json", "--seed", "1", "--first", "2"),
        *("--p1", f"engine:{served('--player', 'random', '--seed', '1')}", "--p2", "random"),
    )
    assert (told.err, told.code) == ("", 0)
    assert events(told)[-1]["round"] > 1
    assert events(told)[-1]["how"] == "won"
    match = saves.load(1)
    assert [action.kind for action in match.log].count(DEAL) == len(match.rounds) - 1 >= 1


@pytest.mark.parametrize(
    ("mode", "reason"),
    [
        ("dies", "ended with exit code 1: no licence found"),
        ("lies", "with '99999': 99999 is more than 2"),
        ("flood", "said 'xxx"),
    ],
)
def test_a_forfeit_at_the_command_line(mode: str, reason: str, state: Path) -> None:
    engine = f"engine:{stranger(mode)}"
    told = run_parlour("play", "double-up", "--p1", engine, "--p2", "random")
    assert (told.err, told.code) == ("", 0)
    words = " ".join(told.out.split())
    assert "Player 1 forfeits: engine '" in words
    assert reason in words
    assert told.out.endswith("Player 1 forfeits. Player 2 wins!\n")
    text = (state / "1.parlour").read_text()
    assert text.endswith("\nforfeit 1\n")
    assert '[Result "0-1"]' in text


def test_undo_against_an_engine(tmp_path: Path) -> None:
    log = tmp_path / "log"
    engine = f"engine:{stranger('good', log)}"
    told = run_parlour("play", "double-up", "--limit", "7", "--p2", engine, stdin="2\n4\nundo\n5\n7\n")
    assert told.code == 0
    assert "Taken back: 4, 5" in told.out
    assert "Player 1 wins the game!" in told.out
    sent = [line.partition(" ")[2] for line in log.read_text().splitlines()]
    assert sent[-10:] == [
        *("play b 2", "genmove w", "play b 4", "genmove w"),
        *("clear_board", "play b 2", "play w 3", "play b 5", "genmove w", "quit"),
    ]


def test_an_interrupt_while_an_engine_thinks(tmp_path: Path) -> None:
    log = tmp_path / "log"
    engine = f"engine:{stranger('hangs', log)}"
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command("play", "double-up", "--p1", engine, "--p2", "random"),
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
    ) as process:
        eventually(lambda: log.exists() and "genmove" in log.read_text(), "the question")
        process.send_signal(signal.SIGINT)
        _, diagnostics = process.communicate(timeout=20)
    assert process.returncode == 130
    assert diagnostics.decode() == "Game 1 is saved. Resume it with: parlour resume 1\n"
    assert nothing_is_left(log)


def test_a_game_of_0_1_0_against_an_engine_is_resumed(state: Path, tmp_path: Path) -> None:
    """The engine in its record is the command ``parlour``, which is the one under test here."""
    program = tmp_path / "bin" / "parlour"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m parlour "$@"\n')
    program.chmod(0o755)
    shutil.copytree(STATE / "parlour", state.parent)
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    told = run_parlour("resume", "8", stdin="4\nresign\n", env={"PATH": path})
    assert told.code == 0, told.err
    text = (state / "8.parlour").read_text()
    assert re.search(r"2\. 3\n3\. 4\n4\. [5-8]\nresign 1\n\Z", text), text
    assert '[Result "0-1"]' in text
