"""The modules of players that a real command loads before its first prompt."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize(("word", "loaded"), [("human", []), ("random", ["parlour.players.random"])])
def test_only_whoever_plays_is_loaded_for_the_first_prompt(word: str, loaded: list[str]) -> None:
    code = (
        f"import sys\nfrom parlour.cli import main\nsys.argv = ['parlour', 'play', 'double-up', '--p2', '{word}']\n"
        "try: main()\nexcept SystemExit as left: assert left.code == 1\n"
        "print(*(name for name in sys.modules if name.startswith(('parlour.players.', 'parlour.solver'))))"
    )
    done = subprocess.run([sys.executable, "-c", code], input="", capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1].split() == loaded
