"""Messages name the command as it can be typed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from tests.support import ROOT


def test_commands_are_named_as_they_can_be_typed() -> None:
    script = shutil.which("parlour", path=os.path.dirname(sys.executable))
    if script is None:
        pytest.skip("there is no script beside this Python")
    environment = {**os.environ, "PATH": "/usr/bin:/bin"}
    for call, said in [
        (["games", "999"], "'{own} games' lists them"),
        (["rules", "spot"], "Play it: {own} play sequence-spot"),
        (["puzzles", "list"], "Solve one with: {own} puzzle"),
        (["games"], "Begin one with: {own} play GAME"),
    ]:
        told = subprocess.run([script, *call], cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        assert said.format(own=os.path.relpath(script, ROOT)) in told.stdout + told.stderr
