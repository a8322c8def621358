"""The documentation's commands: each one runs and writes what the page shows.

Conventions of the pages:

- A ``console`` block is a session at a shell: after ``$`` a command, below it exactly what it writes, on either stream.
  A line ``...`` stands for any lines. Each block is run in an empty directory, without saved games.
- A block with a file name after its language (``text evening.parlour``) is a file in that directory.
- ``make`` is not run, because it would run these tests; its targets have to exist.
- The commands of ``api.md`` need a server. ``tests/system/web/test_api_docs.py`` runs them in the same way.

Calls of ``parlour`` run in this process; the shell runs the README's commands and everything else.
"""

from __future__ import annotations

import importlib.util
import itertools
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support import ROOT
from tests.support.command import run_parlour
from tests.support.docs import DOCS, PAGES, README, SERVED, Block, agree, all_blocks, blocks, prose, steps

TARGETS = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
SHELL_ENVIRONMENT = ("PATH", "HOME", "XDG_STATE_HOME", "LC_ALL")
CALL = re.compile(
    r"""(?:(?P<feed>(?:printf|echo)\ [^|]*)\ \|\ )?   # typed input
    parlour\ (?P<arguments>[^|;<>$]*?)
    (?:\ \|\ (?P<filter>grep\ .*))?
    (?P<code>;\ echo\ "exit\ code\ \$\?")?""",
    re.VERBOSE,
)


# Commands.


def typed_by(feed: str | None) -> str:
    """Return the text that ``printf`` or ``echo`` writes."""
    if feed is None:
        return ""
    name, text = shlex.split(feed)
    return text.replace("\\n", "\n") if name == "printf" else f"{text}\n"


def filtered(lines: list[str], grep: str | None) -> list[str]:
    """Return the lines that a call of ``grep`` would pass on."""
    if grep is None:
        return lines
    *options, pattern = shlex.split(grep)[1:]
    assert options in ([], ["-E"]), grep
    return [line for line in lines if re.search(pattern if options else re.escape(pattern), line)]


def possible_outputs(command: str, here: Path, *, in_shell: bool) -> list[list[str]]:
    """Run a command; return its output lines. In process the order of the two streams is unknown: both orders."""
    call = None if in_shell or "--cluster" in command else CALL.fullmatch(command)
    if call is None:
        done = subprocess.run(
            ["sh", "-c", command],
            cwd=here,
            env={name: os.environ[name] for name in SHELL_ENVIRONMENT},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )
        return [done.stdout.splitlines()]
    run = run_parlour(*shlex.split(call["arguments"]), stdin=typed_by(call["feed"]), cwd=here)
    out, err = filtered(run.out.splitlines(), call["filter"]), run.err.splitlines()
    code = [f"exit code {run.code}"] if call["code"] else []
    return [[*out, *err, *code], [*err, *out, *code]]


def test_calls_of_parlour_are_taken_apart_as_a_shell_does() -> None:
    call = CALL.fullmatch(r"printf '2\n5\n' | parlour play double-up --json | grep -E 'move|result'")
    assert call
    assert (typed_by(call["feed"]), call["arguments"]) == ("2\n5\n", "play double-up --json")
    assert filtered(["a move", "a pass", "a result"], call["filter"]) == ["a move", "a result"]
    assert filtered(["a.c", "abc"], "grep a.c") == ["a.c"]
    assert typed_by('echo "1. e4 e5"') == "1. e4 e5\n"
    for other in ("parlour games > record.txt", "cat file | wc", "parlour list; rm file", "parlour play $GAME"):
        assert not CALL.fullmatch(other), other


@pytest.mark.parametrize(
    "block",
    [block for block in all_blocks("console") if block.page != SERVED],
    ids=lambda block: f"{block.page.name}:{block.line}",
)
def test_a_console_block_shows_what_its_commands_write(
    block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    for other in blocks(block.page):
        if other.file:
            (here / other.file).write_text(other.text, encoding="utf-8")
    monkeypatch.setenv("PATH", os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)]))
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "TERM"):
        monkeypatch.delenv(name)
    found = steps(block)
    assert found
    for step in found:
        if step.command.startswith("make"):
            assert set(step.command.split()[1:]) <= TARGETS, f"{step.command}: no such target in the Makefile"
            continue
        possible = possible_outputs(step.command, here, in_shell=block.page == README)
        if not any(agree(step.shown, lines) for lines in possible):
            shown, written = "\n".join(step.shown), "\n".join(possible[0])
            pytest.fail(
                f"{block.page.name}, the block at line {block.line}:\n"
                f"$ {step.command}\n--- the page shows\n{shown}\n--- but this is the output\n{written}",
                pytrace=False,
            )


# Figures.


def test_the_number_of_grids_without_an_arithmetic_line_is_right() -> None:
    """Counted grid by grid, without the code of the game."""
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    barren = sum(
        all(grid[a] + grid[c] != 2 * grid[b] for a, b, c in lines) for grid in itertools.permutations(range(1, 10))
    )
    for page in (ROOT / "README.md", DOCS / "rulings.md"):
        assert {f"{barren:,}", "362,880"} <= set(re.findall(r"[\d,]*\d", prose(page))), page.name


# The pictures.


def painter() -> Any:
    pytest.importorskip("pexpect", reason="there is no pseudo-terminal on this system")
    spec = importlib.util.spec_from_file_location("draw_picture", DOCS / "draw_picture.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_pictures_are_current() -> None:
    module = painter()
    assert {path.stem for path in (DOCS / "pictures").glob("*.svg")} == {*module.SCENES, "match"}
    for name in module.SCENES:
        drawn = (DOCS / "pictures" / f"{name}.svg").read_text(encoding="utf-8")
        assert drawn == module.draw(name), f"{name}.svg shows an old Parlour: run make picture"
        assert any(f"{name}.svg)" in prose(page) for page in PAGES), f"{name}.svg is shown nowhere"


def test_a_picture_needs_nothing_from_elsewhere() -> None:
    for path in (DOCS / "pictures").glob("*.svg"):
        text = path.read_text(encoding="utf-8").replace('xmlns="http://www.w3.org/2000/svg"', "")
        assert not re.search(r"https?:|@import|@font-face|url\(|<script|href", text), path.name


def test_pictures_of_the_page_are_pictures_and_shown() -> None:
    shown = {Path(name).name for page in PAGES for name in re.findall(r"!\[[^]]+\]\(([^)]+)\)", prose(page))}
    drawn = [*(DOCS / "pictures").iterdir(), *(DOCS / "plots").iterdir()]
    assert {path.name for path in drawn} == shown
    for path in (DOCS / "pictures").glob("*.png"):
        assert path.read_bytes().startswith(b"\x89PNG\r\n"), path.name


# What no file may hold.


def own_files() -> list[Path]:
    """Return the files that git tracks or would add."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    run = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [ROOT / name for name in run.stdout.splitlines() if (ROOT / name).is_file()]


# Package registries, and places on one machine. Written so that this file does not match.
FORBIDDEN = re.compile(
    r"[p]ypi\.org|[p]ythonhosted|[r]egistry\.npmjs|[i]ndex-url|[f]ile:///"
    r"|(?<![\w.$}])(?<!:/)/(?:[w]ork|[t]mp|[r]oot|[h]ome|[o]pt|[U]sers)/"
)


def test_no_file_names_a_package_registry_or_a_place_on_one_machine() -> None:
    for path in ("tmp", "work", "root"):
        assert FORBIDDEN.search(f"see /{path}/x")
        assert FORBIDDEN.search(f'"/{path}/x"')
    assert not FORBIDDEN.search("tests/tmp/x")
    for path in own_files():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        found = FORBIDDEN.search(text)
        assert not found, f"{path.relative_to(ROOT)}: {found[0]!r}" if found else ""
