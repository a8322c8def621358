"""How many small changes of the code the tests notice: the mutation run of docs/mutants.md.

``mutmut`` changes one thing at a time (a ``<`` to a ``<=``, a number to the next, an argument to None) and runs the
tests that reach it. Which files it changes and which tests count stands in ``pyproject.toml``, how these are run in
``tests/mutation_run.py``. It passes over what is decorated, and so over all properties: therefore these are written
out first, as a plain function with ``name = property(name)`` after it.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import libcst as cst
from mutmut.mutation.diff_apply import get_diff_for_mutant
from mutmut.mutation.file_mutation import mutate_file_contents
from mutmut.stats import status_by_exit_code

ROOT = Path(__file__).resolve().parent.parent
SCENE = ROOT / "build" / "mutation"  # a copy of the project, where mutmut writes
BY_SAMPLE = {"src/parlour/solver/*": 4, "src/parlour/kernels/*": 4}  # of their mutants only every fourth is tried
NOTICED = ("killed", "timeout")
ENOUGH = 0.9  # of the mutants of a file that is tried as a whole


class DecoratorsWrittenOut(cst.CSTTransformer):
    """``@property def x`` becomes ``def x`` and ``x = property(x)``."""

    def leave_FunctionDef(  # noqa: N802  (libcst calls it so)
        self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef
    ) -> cst.FunctionDef | cst.FlattenSentinel[cst.BaseStatement]:
        if not updated_node.decorators:
            return updated_node
        name = decorated = updated_node.name.value
        for decorator in reversed(updated_node.decorators):
            decorated = f"{cst.Module([]).code_for_node(decorator.decorator)}({decorated})"
        plain = updated_node.with_changes(decorators=())
        return cst.FlattenSentinel([plain, cst.parse_statement(f"{name} = {decorated}")])


def set_the_scene() -> None:
    """Copy the project, with its decorators written out."""
    for part in ("src", "tests"):
        shutil.copytree(ROOT / part, SCENE / part, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)
    shutil.copy(ROOT / "pyproject.toml", SCENE)
    for path in mutated_files():
        written = cst.parse_module((ROOT / path).read_bytes()).visit(DecoratorsWrittenOut())
        (SCENE / path).write_bytes(written.bytes)


def mutated_files() -> list[str]:
    patterns = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mutmut"]["only_mutate"]
    return [str(path.relative_to(ROOT)) for pattern in patterns for path in sorted(ROOT.glob(pattern))]


def sampled(path: str) -> int:
    """Every how manieth mutant of a file is tried."""
    return next((step for pattern, step in BY_SAMPLE.items() if fnmatch(path, pattern)), 1)


def to_try() -> list[str]:
    """The names of all the mutants that count, or patterns of them."""
    names = []
    for path in mutated_files():
        module = path.removeprefix("src/").removesuffix(".py").replace("/", ".")
        if sampled(path) == 1:
            names.append(f"{module}.*")
        else:
            mutants = mutate_file_contents(path, (SCENE / path).read_text()).mutant_names
            names += [f"{module}.{name}" for name in mutants[:: sampled(path)]]
    return names


def results(path: str) -> dict[str, str]:
    """What became of each mutant of a file that was tried, by its name."""
    codes = json.loads((SCENE / "mutants" / f"{path}.meta").read_text())["exit_code_by_key"]
    return {name: status_by_exit_code[code] for name, code in codes.items() if code is not None}


def report() -> bool:
    """Print the score of every file; whether it is high enough everywhere."""
    good = True
    print(f"{'':44}{'tried':>7}{'noticed':>9}{'score':>9}")
    for whole in (True, False):
        tried = noticed = 0
        for path in (path for path in mutated_files() if (sampled(path) == 1) == whole):
            found = list(results(path).values())
            seen = sum(status in NOTICED for status in found)
            tried, noticed = tried + len(found), noticed + seen
            good = good and (not whole or seen >= ENOUGH * len(found))
            if found:
                print(f"{path:44}{len(found):7}{seen:9}{seen / len(found):9.1%}")
        if tried:
            print(f"{'all of these' if whole else 'by sample':44}{tried:7}{noticed:9}{noticed / tried:9.1%}\n")
    return good


def show_survivors() -> None:
    os.chdir(SCENE)
    for path in mutated_files():
        for name, status in results(path).items():
            if status not in NOTICED:
                print(f"{name}: {status}\n{get_diff_for_mutant(name, path=path)}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="try only these mutants, after a whole run: 'parlour.match.*'")
    parser.add_argument("--processes", type=int, default=os.cpu_count(), help="so many at once")
    parser.add_argument(
        "--survivors", action="store_true", help="show what the last run did not notice, and run nothing"
    )
    chosen = parser.parse_args()
    if chosen.survivors:
        show_survivors()
    else:
        if not chosen.names:
            shutil.rmtree(SCENE, ignore_errors=True)
        set_the_scene()
        mutmut = Path(sys.executable).with_name("mutmut")
        names = chosen.names or to_try()
        subprocess.run([mutmut, "run", "--max-children", str(chosen.processes), *names], cwd=SCENE, check=True)
    return 0 if report() else 1


if __name__ == "__main__":
    sys.exit(main())
