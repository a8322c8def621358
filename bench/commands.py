"""Whole commands at the shell, with and without kept kernels, each beside `python -c pass`.

The tables of Increasing Differences are put beside a naive C++ program that does the same work, if its source
(`bench/naive.cpp`) and a compiler are there. What is measured is processor time, the least of a few runs taken in
turns; "wall" is the time on the clock of the same run.

Run it with: python bench/commands.py
"""

from __future__ import annotations

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

REPEATS = 3
NAIVE = Path(__file__).with_name("naive.cpp")
MOST_TIMES_NAIVE = 2.5  # what we allow ourselves for the table of length 4, range 20


class Cost(NamedTuple):
    """What a process took, in seconds; of two the cheaper is the less."""

    cpu: float
    wall: float


def once(command: list[str], **environment: str) -> Cost:
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), perf_counter()
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        text=True,
        capture_output=True,
        env={**os.environ, **environment},
        check=False,
    )
    wall, after = perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    return Cost(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, wall)


def parlour(words: str) -> list[str]:
    return [sys.executable, "-m", "parlour", *words.split()]


def play_a_game(state: str, key: str) -> None:
    """A random game, to be reported on."""
    once(parlour(f"play {key} --p1 random --p2 random --seed 1"), XDG_STATE_HOME=state)


def compiled_naive(home: str) -> str | None:
    """The naive program, compiled."""
    compiler = next((found for name in ("c++", "g++", "clang++") if (found := shutil.which(name))), None)
    if compiler is None or not NAIVE.exists():
        return None
    program = f"{home}/naive"
    subprocess.run([compiler, "-O3", "-march=native", "-std=c++17", str(NAIVE), "-o", program], check=True)
    return program


def main() -> None:
    for name in ("PYTHONDONTWRITEBYTECODE", "PARLOUR_KERNELS"):  # or the compiler of Python would be measured
        os.environ.pop(name, None)
    with tempfile.TemporaryDirectory() as home:
        bare = min(once([sys.executable, "-c", "pass"]) for _ in range(5 * REPEATS))
        print(f"python -c pass: {bare.cpu * 1000:.0f} ms of processor time\n")
        tables = [f"tabulate increasing-differences --length {length} --range 20" for length in (4, 5)]
        commands = [(f"solve {key}", home) for key in catalog.keys()]
        for key in catalog.keys():
            play_a_game(f"{home}/{key}", key)
            commands.append(("report 1", f"{home}/{key}"))
        commands += [(words, home) for words in tables]
        naive = compiled_naive(home)
        print("| command | cold | warm | wall | times `python -c pass` | times naive C++ |\n|---|---|---|---|---|---|")
        worst = 0.0
        for words, state in commands:
            folders = {"XDG_STATE_HOME": state, "XDG_CACHE_HOME": f"{home}/cache"}
            cold, runs, others = once(parlour(words), **folders), [], []
            for _ in range(REPEATS):
                shutil.rmtree(f"{home}/cache/parlour/tables", ignore_errors=True)  # only kernels are kept
                runs.append(once(parlour(words), **folders))
                if naive and words in tables:
                    others.append(once([naive, "table", *(word for word in words.split() if word.isdecimal())]))
            shutil.rmtree(f"{home}/cache", ignore_errors=True)
            warm, ratio = min(runs), ""
            if others:
                ratio = f"{warm.cpu / min(others).cpu:.1f}"
                worst = max(worst, warm.cpu / min(others).cpu) if words == tables[0] else worst
            shown = words if state == home else f"report of {Path(state).name}"
            times = f"{warm.cpu / bare.cpu:.0f}"
            print(
                f"| {shown} | {cold.cpu:.2f} s | {warm.cpu:.2f} s | {warm.wall:.2f} s | {times} | {ratio} |", flush=True
            )
    sys.exit(worst > MOST_TIMES_NAIVE)


if __name__ == "__main__":
    main()
