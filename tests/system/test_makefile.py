"""The Makefile's targets for players: what they say, and how they end."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import ROOT

pexpect = pytest.importorskip("pexpect")
pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
# Under `make test`, a make of our own would take itself for a part of that one.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}


@pytest.fixture
def venv(tmp_path: Path) -> Path:
    """An environment that is set up to play; its pip installs nothing."""
    place = tmp_path / "venv"
    (place / "bin").mkdir(parents=True)
    for name, script in {"python": "true", "parlour": f'exec {sys.executable} -m parlour "$@"'}.items():
        (place / "bin" / name).write_text(f"#!/bin/sh\n{script}\n")
        (place / "bin" / name).chmod(0o755)
    (place / ".play").touch()
    return place


def test_leaving_with_ctrl_c_is_no_error_of_make(venv: Path) -> None:
    child = pexpect.spawn(
        "make", ["play", f"VENV={venv}"], cwd=str(ROOT), env=ENVIRONMENT, encoding="utf-8", timeout=30
    )
    child.expect("Which game.*leave: ")
    child.send("\x03")
    child.expect(pexpect.EOF)
    assert "***" not in child.before
    child.close()


def test_other_failures_are_told(venv: Path) -> None:
    (venv / "bin" / "parlour").write_text("#!/bin/sh\nexit 3\n")
    done = subprocess.run(
        ["make", "play", f"VENV={venv}"], cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "Error 3" in done.stderr


@pytest.mark.parametrize("target", [".serve", ".servers"])
def test_a_long_installation_says_what_it_does(venv: Path, target: str) -> None:
    done = subprocess.run(
        ["make", f"{venv}/{target}", f"VENV={venv}"],
        cwd=ROOT,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("Setting up the server")
