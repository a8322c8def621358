"""The walk-through in CONTRIBUTING.md: one new file in games/ is a game, with nothing else edited."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import parlour

ROOT = Path(__file__).parent.parent
SOURCE = re.search(r"```python\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(), re.DOTALL)[1]  # type: ignore[index]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a Parlour that has the new file among its games."""
    home = tmp_path_factory.mktemp("sixth")
    shutil.copytree(Path(parlour.__file__).parent, home / "parlour", ignore=shutil.ignore_patterns("__pycache__"))
    (home / "parlour" / "games" / "countdown.py").write_text(SOURCE)
    return {**os.environ, "PYTHONPATH": str(home), "XDG_STATE_HOME": str(home / "state")}


def parlour_says(world: dict[str, str], *arguments: str, typed: str = "") -> str:
    run = subprocess.run(
        [sys.executable, "-m", "parlour", *arguments],
        input=typed,
        capture_output=True,
        text=True,
        env=world,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_it_fits_one_short_file() -> None:
    assert len(SOURCE.splitlines()) < 150


def test_it_is_listed_with_its_rules_and_options(world: dict[str, str]) -> None:
    assert "countdown" in parlour_says(world, "list")
    rules = parlour_says(world, "rules", "count")
    assert "never as many as the other player has just taken" in " ".join(rules.split())
    assert "--heap: counters in the heap" in rules


def test_it_can_be_played_at_once(world: dict[str, str]) -> None:
    # 4 counters: 1, then not 1 but 2, then not 2 but 1, and nothing is left.
    told = parlour_says(world, "play", "countdown", "--heap", "4", typed="1\n1\n2\n1\n")
    assert "Invalid move! 1 has just been taken." in told
    assert told.rstrip().endswith("Player 1 wins!")
    assert "1. 1\n2. 2\n3. 1\n" in parlour_says(world, "export", "1")
    assert "Countdown" in parlour_says(world, "replay", "1")


def test_the_computer_plays_it(world: dict[str, str]) -> None:
    assert "wins!" in parlour_says(world, "play", "countdown", "--p1", "random", "--p2", "random", "--seed", "1")


def test_it_passes_the_contract(world: dict[str, str]) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "tests/contract"],
        cwd=ROOT,
        env=world,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout
    assert "passed" in run.stdout


def test_a_game_that_breaks_the_contract_is_found_out(world: dict[str, str]) -> None:
    path = Path(world["PYTHONPATH"]) / "parlour" / "games" / "countdown.py"
    path.write_text(SOURCE.replace("return Bounds(4, options.heap,", "return Bounds(4, options.heap // 4,"))
    try:
        run = subprocess.run(
            [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "tests/contract", "-k", "bounds"],
            cwd=ROOT,
            env=world,
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        path.write_text(SOURCE)
    assert run.returncode == 1, run.stdout
