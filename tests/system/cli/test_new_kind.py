"""The new kind of player in CONTRIBUTING.md: one file, and everybody who deals with players finds it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import parlour
from parlour import players
from tests.support import ROOT
from tests.support.eventually import eventually
from tests.support.server import Server
from tests.support.terminal import ESCAPE

GREEDY = next(
    block
    for block in re.findall(r"```python\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(), re.DOTALL)
    if "KINDS" in block
)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a Parlour that has the new file among its players."""
    home = tmp_path_factory.mktemp("greedy")
    shutil.copytree(Path(parlour.__file__).parent, home / "parlour", ignore=shutil.ignore_patterns("__pycache__"))
    (home / "parlour" / "players" / "greedy.py").write_text(GREEDY)
    folders = {"XDG_STATE_HOME": str(home / "state"), "XDG_CONFIG_HOME": str(home / "config")}
    return {**os.environ, **folders, "PYTHONPATH": str(home), "LC_ALL": "C.UTF-8"}


def run(world: dict[str, str], *arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    told = subprocess.run(
        [sys.executable, "-m", "parlour", *arguments],
        input=typed,
        capture_output=True,
        text=True,
        env=world,
        check=False,
        timeout=60,
    )
    assert "Traceback" not in told.stderr
    return told


KNOWN = "human, random, greedy, level:1 to level:5, perfect, mcts:SIMULATIONS, engine:COMMAND"


def test_it_is_not_there_without_its_file() -> None:
    assert "greedy" not in players.known()


def test_help_tells_of_it(world: dict[str, str]) -> None:
    assert KNOWN in " ".join(run(world, "play", "double-up", "--help").stdout.split())


def test_a_refusal_tells_of_it(world: dict[str, str]) -> None:
    told = run(world, "play", "double-up", "--p2", "robot")
    assert (told.returncode, told.stderr) == (2, f"parlour: unknown player 'robot'; known players: {KNOWN}\n")
    assert run(world, "play", "double-up", "--p2", "greedy:3").returncode == 2


def test_the_shell_completes_it(world: dict[str, str]) -> None:
    asked = {"_PARLOUR_COMPLETE": "bash_complete", "COMP_WORDS": "parlour play double-up --p2 g", "COMP_CWORD": "4"}
    assert run({**world, **asked}).stdout == "plain,greedy\n"


def test_it_plays(world: dict[str, str]) -> None:
    told = run(world, "play", "double-up", "--limit", "8", "--p2", "greedy", "--json", typed="2\n8\n")
    events = [json.loads(line) for line in told.stdout.splitlines()]
    assert [event["move"] for event in events if event["event"] == "move"] == ["2", "4", "8"]


def test_it_takes_part_in_a_tournament(world: dict[str, str]) -> None:
    call = ("tournament", "double-up", "--players", "greedy,random", "--games", "4", "--jobs", "2", "--json")
    document = json.loads(run(world, *call).stdout)
    assert sorted(rating["player"] for rating in document["ratings"]) == ["greedy", "random"]
    assert {rating["games"] for rating in document["ratings"]} == {4}


def test_it_serves_as_an_engine(world: dict[str, str]) -> None:
    sent = "game double-up\nplay 2\ngenmove\n"
    assert run(world, "engine", "--player", "greedy", typed=sent).stdout.split("\n\n")[2] == "= 4"


def test_the_menu_offers_it(world: dict[str, str]) -> None:
    pexpect = pytest.importorskip("pexpect")
    child = pexpect.spawn(
        sys.executable, ["-m", "parlour"], env={**world, "TERM": "dumb"}, encoding="utf-8", timeout=30
    )
    try:
        child.expect("Which game.*: ")
        child.send("double\r")
        child.expect("Which one.*: ")
        child.send("against\r")
        child.expect("Against whom.*: ")
        assert re.search(r" 3  Greedy: takes all it can\s", ESCAPE.sub("", child.before))
        child.send("greedy\r")
        child.expect("Which one.*: ")
        child.send("\r")
        child.expect("What is your name.*: ")
        child.send("Ann\r")
        child.expect("Your turn.*> ")
        child.send("2\r")
        child.expect("Computer (doubled 2 to|took) 4")
    finally:
        child.close(force=True)


@pytest.fixture
def server(world: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server of that Parlour."""
    monkeypatch.setenv("PYTHONPATH", world["PYTHONPATH"])
    server = Server(f"sqlite:///{tmp_path}/web.sqlite3")
    yield server
    server.stop()


def test_the_web_offers_it_and_it_plays_there(server: Server) -> None:
    with server.client() as client:
        levels = client.get("/api/games").json()["levels"]
        assert [level["key"] for level in levels][:3] == ["random", "greedy", "level:1"]
        assert {"key": "greedy", "title": "Greedy", "nickname": "", "about": "takes all it can"} in levels
        wanted = {"game": "double-up", "level": "greedy", "first": "me"}
        made = client.post("/api/challenge/computer", json=wanted).json()
        match, headers = f"/api/matches/{made['id']}", {"Authorization": f"Bearer {made['seat']}"}
        assert client.post(f"{match}/move", json={"move": "2", "ply": 0}, headers=headers).status_code == 200
        eventually(lambda: client.get(match, headers=headers).json()["ply"] == 2, "the computer's move")
        assert client.get(f"{match}/record").text.endswith("\n1. 2\n2. 4\n")
        unknown = client.post("/api/challenge/computer", json={**wanted, "level": "robot"}).json()
        assert "random, greedy, level:1" in str(unknown)
