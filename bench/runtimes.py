"""The runtimes that the benches compare, and another version of Parlour measured beside this one.

The other version runs in a process of its own, with its source first on the path. It may be one that Numba compiled, if
Numba is installed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any, get_args

from parlour import ParlourError, catalog, playouts
from parlour.rules import Rules, read_rules

IS_OLD = find_spec("parlour.kernels") is not None  # a version with Numba
engine = import_module("parlour.kernels" if IS_OLD else "parlour.engine")
tree = import_module(f"{engine.__name__}.tree")
OTHER = "other"
LABELS = {"python": "Python", "wasm": "WebAssembly", "native": "native code", OTHER: "other version"}

Other = Callable[..., Any] | None


def set_up(word: str, **texts: str) -> Rules:
    """Return the rules of a game under these options, with everything dealt."""
    game = catalog.find_game(word)
    return Rules(game, game.rounds.deal(read_rules(game, texts).packed, 1, Random(1)))


def runtimes() -> tuple[str, ...]:
    """Return the runtimes of this version that work here."""
    found: tuple[str, ...] = get_args(engine.Runtime)
    try:
        if "native" in found:
            playouts(set_up("double-up"), 1, runtime="native")
    except ParlourError as error:
        print(f"native code is left out: {error}\n")
        return found[:-1]
    return found


def chosen(runtime: str) -> dict[str, Any]:
    """Return the argument of Solver and tabulate that chooses a runtime."""
    return {"compiled": runtime != "python"} if IS_OLD else {"runtime": runtime}


def tree_build(runtime: str, rules: Rules) -> Any:
    """Return what a Monte Carlo tree search needs to run in a runtime."""
    if runtime == "python":
        return tree.TreeBuild.plain(rules)
    if IS_OLD:
        return import_module("parlour.kernels.compile").compiled_tree(rules.game)
    return import_module("parlour.engine.sessions").compiled_tree(rules.game, runtime)


@contextmanager
def started(script: str, folder: str | None) -> Iterator[Other]:
    """Start a script with another version of Parlour; yield a function that calls a function of it by its name."""
    if folder is None:
        yield None
        return
    with subprocess.Popen(
        [sys.executable, script, "--serve"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": folder},
    ) as process:
        assert process.stdin
        assert process.stdout
        stdin, stdout = process.stdin, process.stdout

        def call(name: str, *arguments: Any) -> Any:
            print(json.dumps([name, *arguments]), file=stdin, flush=True)
            return json.loads(stdout.readline())

        yield call
        stdin.close()


def serve(functions: dict[str, Any]) -> None:
    """Call a function for each line of input: the other end of ``started``."""
    for line in sys.stdin:
        name, *arguments = json.loads(line)
        print(json.dumps(functions[name](*arguments)), flush=True)


def in_turns(
    work: Callable[..., float], *given: Any, among: tuple[str, ...], other: Other = None, rounds: int = 3
) -> dict[str, float]:
    """Return the least cost of some work in each runtime, and in the other version."""
    costs = defaultdict(list)
    for _ in range(rounds):
        for runtime in among:
            costs[runtime].append(work(runtime, *given))
        if other is not None:
            costs[OTHER].append(other(work.__name__, "wasm", *given))
    return {runtime: min(taken) for runtime, taken in costs.items()}


def print_head(first: str, among: tuple[str, ...], other: Other, *more: str) -> None:
    """Print the head of a table with a column for each runtime."""
    columns = [first, *more, *(LABELS[name] for name in (*among, *([OTHER] if other else [])))]
    print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}")


def print_row(first: str, costs: dict[str, float], shown: Callable[[float], str], *more: str) -> None:
    """Print a row; how many times as fast as the other version, or as Python, is in brackets."""
    base = OTHER if OTHER in costs else next(iter(costs))
    cells = [
        shown(cost) if name == base else f"{shown(cost)} ({_ratio(costs[base] / cost)})" for name, cost in costs.items()
    ]
    print(f"| {' | '.join([first, *more, *cells])} |", flush=True)


def _ratio(times: float) -> str:
    return f"{times:.{0 if times >= 10 else 2 if times >= 0.1 else 4}f}"
