"""On a system that is not POSIX: what needs it is missing, everything else works.

Nothing here runs on such a system. A program that is told beforehand what is not there comes close: modules that cannot
be imported, functions that ``os`` and ``signal`` do not have, directories that cannot be opened, and files that cannot
be renamed while they are open.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PRETEND = """
import os, signal, sys

for name in ("fcntl", "grp", "pty", "pwd", "readline", "resource", "termios", "tty"):
    sys.modules[name] = None
for name in ("fork", "getuid", "geteuid", "getpgid", "killpg", "nice", "setsid"):
    delattr(os, name)
for name in ("SIGHUP", "SIGKILL", "pthread_sigmask"):
    delattr(signal, name)

def unless_directory(path, *rest, os_open=os.open, **more):
    if os.path.isdir(path):
        raise PermissionError(13, "Permission denied", path)
    return os_open(path, *rest, **more)

def unless_open(source, target, os_replace=os.replace):
    held = {os.path.realpath(f"/proc/self/fd/{number}") for number in os.listdir("/proc/self/fd")}
    if held & {os.path.realpath(source), os.path.realpath(target)}:
        raise PermissionError(32, "The process cannot access the file because it is being used by another process")
    os_replace(source, target)

os.open, os.replace, os.rename = unless_directory, unless_open, unless_open
"""


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    if not os.path.isdir("/proc/self/fd"):
        pytest.skip("which files are open is looked up in /proc")
    return {"PATH": os.environ.get("PATH", ""), "XDG_STATE_HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)}


def run(code: str, environment: dict[str, str], text: str = "") -> subprocess.CompletedProcess[str]:
    """Run a program on such a system."""
    return subprocess.run(
        [sys.executable, "-c", PRETEND + code],
        input=text,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=environment,
        timeout=60,
        check=False,
    )


def parlour(words: str, environment: dict[str, str], text: str = "") -> subprocess.CompletedProcess[str]:
    return run(f"sys.argv = ['parlour', *{words.split()!r}]\nfrom parlour.cli import main\nmain()", environment, text)


def test_the_pretence_holds(environment: dict[str, str], tmp_path: Path) -> None:
    told = run("import fcntl", environment)
    assert told.stderr.splitlines()[-1].startswith("ModuleNotFoundError")
    (tmp_path / "a").touch()
    told = run(f"file = open({str(tmp_path / 'a')!r}); os.replace({str(tmp_path / 'a')!r}, 'b')", environment)
    assert told.stderr.splitlines()[-1].startswith("PermissionError")


def test_every_module_of_the_library_loads(environment: dict[str, str]) -> None:
    code = (
        "import parlour\n"
        "for name in parlour.__all__: getattr(parlour, name)\n"
        "print(parlour.solve(parlour.rules_of('double-up')))"
    )
    told = run(code, environment)
    assert (told.stdout, told.stderr, told.returncode) == ("win in 11 turns\n", "", 0)


def test_games_are_played_kept_and_gone_on_with(environment: dict[str, str]) -> None:
    told = parlour("play double-up --limit 30", environment, "2\n4\n")
    assert told.stderr == "Game 1 is saved. Resume it with: parlour resume 1\n"
    told = parlour("resume 1", environment, "6\n12\n14\n28\n30\n")
    assert "Player 1 wins the game!" in told.stdout
    assert (told.stderr, told.returncode) == ("", 0)
    told = parlour("export 1", environment)
    assert '[Result "1-0"]' in told.stdout
    assert told.stdout.endswith("7. 30\n")
    assert (told.stderr, told.returncode) == ("", 0)


def test_tables_are_kept(environment: dict[str, str], tmp_path: Path) -> None:
    code = "import parlour; print(len(parlour.kept_table(parlour.rules_of('double-up', limit=20))))"
    for _ in range(2):
        told = run(code, environment)
        assert (told.stdout, told.stderr) == ("19\n", "")
    assert [path.suffix for path in (tmp_path / "parlour" / "tables").iterdir()] == [".table"]


def test_players_meet_in_processes_of_their_own(environment: dict[str, str], tmp_path: Path) -> None:
    script = tmp_path / "meet.py"  # what is started reads it again
    code = "from parlour.cli import main\nif __name__ == '__main__': main()\n"
    script.write_text(PRETEND + code, encoding="utf-8")
    words = "tournament double-up --players random,perfect --games 4 --jobs 2 --seed 1 --option limit=20"
    told = subprocess.run(
        [sys.executable, str(script), *words.split()],
        capture_output=True,
        text=True,
        env=environment,
        timeout=60,
        check=False,
    )
    assert (told.stderr, told.returncode) == ("", 0)
    assert "perfect" in told.stdout


def test_a_program_of_somebody_s_is_refused_in_one_line(environment: dict[str, str]) -> None:
    told = parlour("play double-up --p1 random --p2 engine:true --seed 1", environment)
    assert told.stderr == "parlour: engine 'true' cannot be started: outside engines need a POSIX system\n"
