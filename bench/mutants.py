"""How many small changes of the code the tests notice: the mutation run of docs/mutants.md.

``mutmut`` changes one thing at a time (a ``<`` to a ``<=``, a number to the next, an argument to None) and runs the
tests that reach it, as ``tests/support/mutation_run.py`` says. It passes over what is decorated, all properties too:
therefore a decorator is written out first, as a plain function with ``name = property(name)`` after it.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

import libcst as cst
from mutmut.mutation.diff_apply import get_diff_for_mutant
from mutmut.mutation.file_mutation import mutate_file_contents
from mutmut.stats import status_by_exit_code

ROOT = Path(__file__).resolve().parent.parent
SCENES = ROOT / "build" / "mutation"  # copies of the project, where mutmut writes
NOTICED = ("killed", "timeout")
LEFT_AS_THEY_ARE = ("classmethod", "overload", "staticmethod")  # decorators that mutmut knows, or that have no body


class Part(NamedTuple):
    """Files that are changed, and the tests that have to notice."""

    name: str
    files: tuple[str, ...]
    tests: tuple[str, ...]
    left_out: tuple[str, ...]  # tests that mean nothing here
    every: int = 1  # only every so manieth mutant is tried
    enough: float = 0.0  # the score that each of the files is to have

    @property
    def scene(self) -> Path:
        return SCENES / self.name

    @property
    def paths(self) -> list[str]:
        return [str(path.relative_to(ROOT)) for pattern in self.files for path in sorted(ROOT.glob(pattern))]


PARTS = (
    Part(
        "rules",
        ("src/parlour/games/*_*.py", "src/parlour/rules.py", "src/parlour/match.py", "src/parlour/record.py"),
        (
            "tests/unit/games",
            "tests/unit/contract",
            "tests/unit/solver/test_forms.py",
            "tests/unit/test_library.py",
            "tests/unit/test_match.py",
            "tests/unit/test_picture.py",
            "tests/unit/test_reading_moves.py",
            "tests/unit/test_records.py",
            "tests/unit/test_rules.py",
        ),
        (
            "unit/contract/test_every_game.py::test_the_rules_are_plain_functions_over_ints",  # mutants are not
            "unit/games/test_impossible_positions.py::test_the_command_refuses_in_one_line",
            "unit/games/test_impossible_positions.py::test_the_command_solves_what_stands_in_a_table",
        ),
        enough=0.9,
    ),
    Part(
        "solver",
        (
            "src/parlour/kernels/packing.py",
            "src/parlour/kernels/search.py",
            "src/parlour/solver/solver.py",
            "src/parlour/solver/tables.py",
        ),
        (
            "tests/unit/solver/test_claims.py",
            "tests/unit/solver/test_forms.py",
            "tests/unit/solver/test_solver.py",
            "tests/unit/solver/test_tables.py",
            "tests/unit/test_library.py",
        ),
        (),
        every=4,
    ),
)
# What pytest can do without, and what takes its time in thousands of runs.
SPARED = ("anyio", "cacheprovider", "logging", "schemathesis", "unraisableexception", "xdist")


class DecoratorsWrittenOut(cst.CSTTransformer):
    """``@property def x`` becomes ``def x`` and ``x = property(x)``."""

    def leave_FunctionDef(  # noqa: N802  (libcst calls it so)
        self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef
    ) -> cst.FunctionDef | cst.FlattenSentinel[cst.BaseStatement]:
        name = updated_node.name.value
        decorators = [cst.Module([]).code_for_node(decorator.decorator) for decorator in updated_node.decorators]
        if len(decorators) != 1 or decorators[0] in LEFT_AS_THEY_ARE:
            return updated_node
        plain = updated_node.with_changes(decorators=())
        return cst.FlattenSentinel([plain, cst.parse_statement(f"{name} = {decorators[0]}({name})")])


def set_the_scene(part: Part) -> None:
    """Copy the project, with decorators written out, and tell mutmut what to do."""
    for folder in ("src", "tests"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / folder, part.scene / folder, ignore=ignored, dirs_exist_ok=True)
    for path in part.paths:
        written = cst.parse_module((ROOT / path).read_bytes()).visit(DecoratorsWrittenOut())
        (part.scene / path).write_bytes(written.bytes)
    settings = {
        "source_paths": ["src"],
        "only_mutate": part.paths,
        "pytest_add_cli_args": [
            "-ptests.support.mutation_run",
            "-knot compiled",  # a mutant cannot be
            *(f"-pno:{plugin}" for plugin in SPARED),
        ],
        "pytest_add_cli_args_test_selection": [*part.tests, *(f"--deselect=tests/{test}" for test in part.left_out)],
    }
    lines = [f"{name} = {json.dumps(value)}" for name, value in settings.items()]
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (part.scene / "pyproject.toml").write_text("\n".join([project, "[tool.mutmut]", *lines, ""]), encoding="utf-8")


def sample(part: Part, every: int) -> list[str]:
    """The names of the mutants that are tried, if it is every so manieth of a file."""
    chosen: list[str] = []
    for path in part.paths:
        module = path.removeprefix("src/").removesuffix(".py").replace("/", ".")
        names = mutate_file_contents(path, (part.scene / path).read_text(encoding="utf-8")).mutant_names
        chosen += (f"{module}.{name}" for name in names[::every])
    return chosen


def exit_codes(part: Part, path: str) -> dict[str, int | None]:
    """How the tests of each mutant of a file ended, by its name; None if it was not tried."""
    found = part.scene / "mutants" / f"{path}.meta"
    return json.loads(found.read_text(encoding="utf-8"))["exit_code_by_key"] if found.exists() else {}


def results(part: Part, path: str) -> dict[str, str]:
    """What became of each mutant of a file that was tried, by its name."""
    return {name: status_by_exit_code[code] for name, code in exit_codes(part, path).items() if code is not None}


def run(part: Part, names: list[str], processes: int) -> None:
    """Try these mutants; without any names all of them."""
    mutmut = Path(sys.executable).with_name("mutmut")
    subprocess.run([mutmut, "run", "--max-children", str(processes), *names], cwd=part.scene, check=True)


def run_all(processes: int, every: int) -> None:
    for part in PARTS:
        shutil.rmtree(part.scene, ignore_errors=True)
        set_the_scene(part)
        most = max(every, part.every)
        run(part, [] if most == 1 else sample(part, most), processes)


def run_again(wanted: Callable[[str, str], bool], processes: int) -> None:
    """Try once more, with the code and the tests as they are now, what is wanted by name and by what became of it."""
    for part in PARTS:
        tried = [item for path in part.paths for item in results(part, path).items()]
        names = [name for name, status in tried if wanted(name, status)]
        if names:
            set_the_scene(part)
            run(part, names, processes)


def report() -> bool:
    """Print the score of every file; whether it is high enough everywhere."""
    good = True
    print(f"{'':44}{'mutants':>9}{'tried':>7}{'noticed':>9}{'by time':>9}{'score':>9}")
    for part in PARTS:
        whole = Counter[str]()
        for path in part.paths:
            found = Counter(results(part, path).values())
            if found:
                found["all"] = len(exit_codes(part, path))
                good &= _show_score(path, found) >= part.enough
                whole += found
        if whole:
            _show_score(part.name, whole)
            print()
    return good


def _show_score(what: str, found: Counter[str]) -> float:
    """Print a line of the report, and return the share of mutants that were noticed."""
    tried, noticed = found.total() - found["all"], sum(found[status] for status in NOTICED)
    score = noticed / tried
    print(f"{what:44}{found['all']:9}{tried:7}{noticed:9}{found['timeout']:9}{score:9.1%}")
    return score


def show_survivors() -> None:
    """Print every change that was not noticed."""
    for part in PARTS:
        os.chdir(part.scene)
        for path in part.paths:
            for name, status in results(part, path).items():
                if status not in NOTICED:
                    print(f"{name}: {status}\n{get_diff_for_mutant(name, path=path)}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("patterns", nargs="*", help="try only these mutants, once more: 'parlour.match.*'")
    parser.add_argument("--every", type=int, default=1, help="try only every so manieth mutant of a file")
    parser.add_argument("--quick", action="store_true", help="leave out the tests that take longest")
    parser.add_argument("--again", action="store_true", help="try once more what was not noticed, or only by time")
    parser.add_argument("--processes", type=int, default=os.cpu_count(), help="so many at once")
    parser.add_argument(
        "--survivors", action="store_true", help="show what the last run did not notice, and run nothing"
    )
    parser.add_argument("--report", action="store_true", help="show the scores of the last run, and run nothing")
    chosen = parser.parse_args()
    if chosen.quick:
        os.environ["PARLOUR_QUICK_MUTANTS"] = "yes"  # for tests/support/mutation_run.py
    if chosen.survivors:
        show_survivors()
    elif chosen.report:
        pass
    elif chosen.again:
        run_again(lambda _, status: status != "killed", chosen.processes)
    elif chosen.patterns:
        run_again(lambda name, _: any(fnmatch(name, pattern) for pattern in chosen.patterns), chosen.processes)
    else:
        run_all(chosen.processes, chosen.every)
    return 0 if report() else 1


if __name__ == "__main__":
    sys.exit(main())
