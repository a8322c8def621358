"""Advice that fits this installation: the command to type, and how to install what is missing."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import parlour
from tests.support import ROOT

PACKAGE = Path(parlour.__file__).parent
in_checkout = pytest.mark.skipif(PACKAGE.parent.parent != ROOT, reason="Parlour runs from elsewhere")
ASK = "from parlour.installation import *; print(install_command({extra!r})); print(make_command('serve'))"


def advice(extra: str, cwd: Path, package: Path = PACKAGE.parent) -> list[str]:
    """Return what a process in another folder would say."""
    told = subprocess.run(
        [sys.executable, "-c", ASK.format(extra=extra)],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(package)},
        capture_output=True,
        text=True,
        check=True,
    )
    return told.stdout.splitlines()


@in_checkout
@pytest.mark.parametrize("folder", [".", "docs", ".."])
def test_in_a_checkout_its_own_python_installs_from_it(folder: str) -> None:
    cwd = (ROOT / folder).resolve()
    python, *words, target = shlex.split(advice("fast", cwd)[0])
    assert words == ["-m", "pip", "install", "--editable"]
    assert target.endswith("[fast]")
    place = target.removesuffix("[fast]")
    assert place == "." or os.sep in place, "pip would take it for the name of a package"
    assert (cwd / place).resolve() == ROOT
    prefix = subprocess.run(
        [python, "-c", "import sys; print(sys.prefix)"], cwd=cwd, capture_output=True, text=True, check=True
    )
    assert prefix.stdout.strip() == sys.prefix


@in_checkout
@pytest.mark.skipif(Path(sys.prefix) != ROOT / ".venv", reason="this is not the environment of the Makefile")
def test_make_is_advised_in_its_own_environment() -> None:
    assert advice("web", ROOT)[1] == "make serve"
    assert advice("web", Path("/"))[1] == shlex.join(["make", "-C", str(ROOT).lstrip("/"), "serve"])
    hidden = "import sys; sys.modules['uvicorn'] = None; from parlour.cli import main; main()"
    told = subprocess.run(
        [sys.executable, "-c", hidden, "serve"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (told.returncode, told.stderr) == (1, "parlour: the page needs uvicorn; start it with: make serve\n")


ARCHIVE = Path("/downloads/parlour-0.1.0-py3-none-any.whl").as_uri()
ORIGINS: dict[str, tuple[dict[str, object] | None, str]] = {
    "an index": (None, "parlour[fast]"),
    "a folder": ({"url": Path("/source/of mine").as_uri(), "dir_info": {}}, "/source/of mine[fast]"),
    "a wheel": ({"url": ARCHIVE, "archive_info": {}}, f"parlour[fast] @ {ARCHIVE}"),
    "a repository": (
        {"url": "https://code.example/p.git", "vcs_info": {"vcs": "git", "commit_id": "c0ffee"}},
        "parlour[fast] @ git+https://code.example/p.git@c0ffee",
    ),
}


@pytest.mark.parametrize("origin", ORIGINS)
def test_elsewhere_it_is_installed_from_where_it_came(tmp_path: Path, origin: str) -> None:
    found, target = ORIGINS[origin]
    shutil.copytree(PACKAGE, tmp_path / "parlour", ignore=shutil.ignore_patterns("__pycache__", "page", "*.gz"))
    information = tmp_path / "parlour-0.1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: parlour\nVersion: 0.1.0\n")
    if found is not None:
        (information / "direct_url.json").write_text(json.dumps(found))
    install, make = advice("fast", tmp_path, tmp_path)
    assert shlex.split(install) == [sys.executable, "-m", "pip", "install", target]
    assert make == "None"


@in_checkout
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
