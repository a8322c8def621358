"""`parlour` as a process: closed and broken pipes, shells, named pipes, a full disk, and what it imports."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

import pytest

from parlour import catalog
from parlour.cli import matches
from parlour.text import clip
from tests.support import ROOT
from tests.support.command import Run, command
from tests.support.scripts import load_script

Runner = Callable[..., Run]

needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")


FINISHED = """\
[Parlour "1"]
[Game "double-up"]
[Version "1"]
[Options "limit=100"]
[Player1 "Ann Lee"]
[Player2 "Zoë"]
[Chooser1 "human"]
[Chooser2 "human"]
[First "1"]
[Seed "7"]
[Date "2026-11-15T19:00:00Z"]
[Result "0-1"]

1. 2
2. 4
3. 7
resign 1
"""


def one_line(text: str) -> str:
    """The only line of a diagnostic."""
    assert text.endswith("\n")
    assert text.count("\n") == 1, text
    return text[:-1]


def shell(line: str) -> subprocess.CompletedProcess[str]:
    script = line.replace("parlour", " ".join(command()))
    return subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, timeout=60, check=False, env=dict(os.environ)
    )


@needs_bash
def test_closed_standard_input(run: Runner) -> None:
    told = shell("parlour play double-up <&-")
    assert told.returncode == 1
    assert "Enter your selection:" in told.stdout
    assert one_line(told.stderr) == "Game 1 is saved. Resume it with: parlour resume 1"
    told = shell("parlour <&-")
    assert told.returncode == 0
    assert "Usage: parlour" in told.stdout
    told = shell("parlour import - <&-")
    assert told.returncode == 1
    assert "not a Parlour record" in one_line(told.stderr)


@needs_bash
@pytest.mark.parametrize(
    "line",
    [
        "parlour list | head -1",
        "parlour rules pyramid | head -1",
        "parlour play double-up --p1 random --p2 random --limit 100000 | head -1",
        "parlour play spot --p1 random --p2 random --json | head -1",
        "yes 2 | parlour play double-up | head -1",
        "parlour play double-up </dev/null | true",
        "parlour --help | true",
        "parlour play chess | true",
    ],
)
def test_a_reader_that_goes_away(line: str) -> None:
    told = shell(line)
    assert "Traceback" not in told.stderr
    assert "Exception" not in told.stderr
    assert "Broken" not in told.stderr


@needs_bash
@pytest.mark.parametrize("line", ["parlour list >&-", "parlour play double-up </dev/null >&-", "parlour games 2>&-",
                                  "parlour play chess 2>&-", "parlour --version >&- 2>&- <&-"])  # fmt: skip
def test_closed_output(line: str) -> None:
    told = shell(line)
    assert "Traceback" not in told.stderr


@needs_bash
def test_a_full_disk_is_one_line(tmp_path: Path) -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("there is no /dev/full here")
    told = shell("parlour list > /dev/full")
    assert told.returncode == 1
    assert "No space left" in one_line(told.stderr)


@pytest.mark.parametrize("key", catalog.keys())
def test_a_program_plays_a_whole_game(key: str) -> None:
    """It reads the turn events and answers each with a legal move, without waiting for anything else."""
    random = Random(7)
    with subprocess.Popen(
        command("play", key, "--json", "--seed", "2"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=dict(os.environ),
    ) as child:
        assert child.stdin
        assert child.stdout
        last: dict[str, Any] = {}
        plies = 0
        for line in child.stdout:
            last = json.loads(line)
            assert last["event"] in ("deal", "turn", "move", "pass", "round", "result")
            if last["event"] == "turn":
                chosen = random.choice(last["legal"])
                child.stdin.write(chosen + "\n")
                child.stdin.flush()
            elif last["event"] == "move":
                assert last["move"] == chosen
                plies += 1
        assert last["event"] == "result"
        assert plies > 0
    assert child.returncode == 0


def test_the_installed_command_is_the_same(run: Runner) -> None:
    script = Path(command()[0]).with_name("parlour")
    if not script.exists():
        pytest.skip("parlour is not installed as a command beside this Python")
    told = subprocess.run([script, "list"], capture_output=True, text=True, check=True, env=dict(os.environ))
    assert told.stdout == run("list").out


def test_a_pipe_with_a_name_is_read_if_somebody_writes(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with monkeypatch.context() as patched:
        patched.setattr(matches, "PIPE_TIMEOUT", 0.1)
        told = run("import", str(pipe))
    assert (told.err, told.code) == (
        f"parlour: the pipe {clip(str(pipe))!r} has no writer\n",
        1,
    )
    for text, code in ((FINISHED, 0), ("x" * 3_000_000, 1)):
        with subprocess.Popen(["sh", "-c", f"cat > {pipe}"], stdin=subprocess.PIPE) as writer:
            writing = Thread(target=writer.communicate, args=(text.encode(),))
            writing.start()
            told = run("import", str(pipe))
            writing.join(20)
        assert told.code == code, told.err
    assert told.err == f"parlour: {clip(str(pipe))!r} is too long for a Parlour record; at most 2,000,000 bytes\n"


def test_export_is_utf_8_whatever_the_terminal_speaks(run: Runner) -> None:
    run("import", "-", stdin=FINISHED)
    for encoding in ("ascii", "latin-1"):
        environment = {**os.environ, "PYTHONIOENCODING": encoding}
        told = subprocess.run(command("export", "1"), capture_output=True, env=environment, check=True)
        assert told.stdout == FINISHED.encode(), encoding


@needs_bash
def test_bash_takes_the_script(run: Runner, tmp_path: Path) -> None:
    """In a real bash: the script is sourced, and its function completes a line."""
    program = tmp_path / "parlour"
    program.write_text(f'#!/bin/sh\nexec {" ".join(command())} "$@"\n')
    program.chmod(0o755)
    script = """
        set -eu
        eval "$(parlour completion bash)"
        complete -p parlour
        COMP_WORDS=(parlour play dou)
        COMP_CWORD=2
        _parlour_completion parlour
        echo "${COMPREPLY[@]}"
    """
    told = subprocess.run(
        ["bash", "-c", script],
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"},
        check=False,
    )
    assert told.stderr == ""
    registered, found = told.stdout.splitlines()
    assert registered.startswith("complete ")
    assert registered.endswith("-F _parlour_completion parlour")
    assert found == "double-up"


def test_nothing_is_loaded_for_a_file_that_is_not_there(run: Runner) -> None:
    code = (
        "import sys\nsys.argv = ['parlour', 'play', 'double-up']\nfrom parlour.cli import main\n"
        "try: main()\nexcept SystemExit: pass\n"
        "print('tomllib' in sys.modules, 'parlour.cli.preferences' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], input="2\n", capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "False False"


@pytest.mark.skipif(shutil.which("groff") is None, reason="there is no groff here")
def test_a_man_page_is_what_man_reads(tmp_path: Path) -> None:
    load_script(ROOT / "tools" / "man_pages.py").write_man_pages(str(tmp_path))
    page = (tmp_path / "parlour-games.1").read_text()
    done = subprocess.run(
        ["groff", "-man", "-ww", "-Tutf8", "-P-cbou"], input=page, capture_output=True, text=True, check=True
    )
    assert done.stderr == "", "no warning"
    assert "PARLOUR GAMES(1)" in done.stdout
    assert "[OPTIONS] [ID]..." in done.stdout
    assert "\\" not in done.stdout
