"""Whole commands in a new environment as `make play` sets it up, each beside `python -c pass`, and its size.

    python bench/commands.py [--beside FOLDER]

``--beside`` names the source of another version of Parlour (its ``src``), which runs in the same environment, in turns
with this one. The position table of Increasing Differences is also made by a naive C++ program (`bench/naive.cpp`), if
there is a compiler.

Times are the least of a few runs: processor time, and the time on the clock. Nothing is cached between runs.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from parlour import catalog

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = 3
SLOW = 5.0  # seconds; a command that takes longer runs once
MAX_TIMES_NAIVE = 2.0  # the limit for the table of length 4, range 20
EIGHT = "increasing-differences --length 8 --range 17"  # Eight from seventeen
TABLES = [f"tabulate increasing-differences --length {length} --range 20" for length in (4, 5)]


class Cost(NamedTuple):
    """The time of a process, in seconds."""

    cpu: float
    wall: float


class Command(NamedTuple):
    """A command, and what it reads."""

    shown: str
    words: str
    typed: str = ""
    code: int = 0  # expected exit code


COMMANDS = [
    *(Command(f"solve {key}", f"solve {key}") for key in catalog.keys()),
    Command("report of a game of Eight from seventeen", "report 1"),
    Command("a perfect first reply in Eight from seventeen", f"play {EIGHT} --p2 perfect", "9\n", 1),
    *(Command(words, words) for words in TABLES),
]


def once(command: list[str], typed: str = "", code: int = 0, **environment: str) -> Cost:
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), perf_counter()
    done = subprocess.run(
        command, input=typed, text=True, capture_output=True, env={**os.environ, **environment}, check=False
    )
    wall, after = perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != code:
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    return Cost(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, wall)


def least(costs: list[Cost]) -> Cost:
    return Cost(min(cost.cpu for cost in costs), min(cost.wall for cost in costs))


def install(folder: Path) -> str:
    """Install Parlour as `make play` does; return the interpreter."""
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    python = str(folder / "bin" / "python")
    pip = [python, "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
    subprocess.run([*pip, "--constraint", ROOT / "constraints.txt", "--editable", ROOT], check=True)
    return python


def size(folder: Path) -> int:
    """Return the bytes of all files in a folder."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def compile_naive(folder: Path) -> str | None:
    """Compile the naive program; None if there is no compiler."""
    compiler = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        return None
    program, source = str(folder / "naive"), str(Path(__file__).with_name("naive.cpp"))
    subprocess.run([compiler, "-O3", "-march=native", "-std=c++17", source, "-o", program], check=True)
    return program


class Bench:
    """The commands of this version, and of another one."""

    def __init__(self, home: Path, beside: str | None) -> None:
        self._home = home
        self._python = install(home / "venv")
        self.size = size(home / "venv")
        self.bare = least([once([self._python, "-c", "pass"]) for _ in range(5 * ROUNDS)])
        self.versions = {"new": {}} | ({"other": {"PYTHONPATH": beside}} if beside else {})
        for name in self.versions:
            self._run(name, Command("", f"play {EIGHT} --p1 random --p2 random --seed 1"))

    def _run(self, name: str, command: Command) -> Cost:
        folders = {"XDG_STATE_HOME": f"{self._home}/{name}", "XDG_CACHE_HOME": f"{self._home}/cache"}
        words = [self._python, "-m", "parlour", *command.words.split()]
        try:
            return once(words, command.typed, command.code, **folders, **self.versions[name])
        finally:
            shutil.rmtree(self._home / "cache", ignore_errors=True)

    def costs(self, command: Command) -> dict[str, Cost]:
        """Return the least time of each version."""
        runs: dict[str, list[Cost]] = {name: [] for name in self.versions}
        if command.words == TABLES[1]:
            runs.pop("other", None)  # without Numba it would take an hour
        for number in range(ROUNDS + 1):  # the first one writes bytecode, and is counted only if it is slow
            for name, taken in runs.items():
                if number == 0 or taken[-1].cpu < SLOW:
                    taken.append(self._run(name, command))
        return {name: least(taken[1:] or taken) for name, taken in runs.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--beside", metavar="FOLDER", help="the source of another version of Parlour")
    given = parser.parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # or Python's own compiler would be measured
    worst = 0.0
    with tempfile.TemporaryDirectory() as folder:
        bench, naive = Bench(Path(folder), given.beside), compile_naive(Path(folder))
        print(
            f"installed: {bench.size / 1e6:.0f} MB; python -c pass: {bench.bare.cpu * 1000:.0f} ms of processor time\n"
        )
        head = ["command", "processor", "clock", "times `python -c pass`", "times naive C++"]
        head += ["other version: processor", "clock", "times as fast"] if given.beside else []
        print(f"| {' | '.join(head)} |\n|{'---|' * len(head)}")
        for command in COMMANDS:
            costs = bench.costs(command)
            new, ratio = costs["new"], ""
            if naive and command.words in TABLES:
                numbers = [word for word in command.words.split() if word.isdecimal()]
                times = new.cpu / least([once([naive, "table", *numbers]) for _ in range(ROUNDS)]).cpu
                worst, ratio = times if command.words == TABLES[0] else worst, f"{times:.1f}"
            cells = [f"{new.cpu:.2f} s", f"{new.wall:.2f} s", f"{new.cpu / bench.bare.cpu:.0f}", ratio]
            if other := costs.get("other"):
                cells += [f"{other.cpu:.2f} s", f"{other.wall:.2f} s", f"{other.cpu / new.cpu:.1f}"]
            print(f"| {command.shown} | {' | '.join(cells)} |", flush=True)
    sys.exit(worst > MAX_TIMES_NAIVE)


if __name__ == "__main__":
    main()
