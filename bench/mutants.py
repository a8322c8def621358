"""Mutation testing: how many small changes of the code the tests notice. docs/mutants.md has the results.

``mutmut`` changes one thing at a time (a ``<`` to a ``<=``, a number to the next, an argument to None) and runs the
tests that reach it, set up by ``tests/support/mutation_run.py``. It skips decorated functions, and with them all
properties. So decorators are written out first: a plain function, followed by ``name = property(name)``.
"""

from __future__ import annotations

import argparse
import hashlib
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
SCENES = ROOT / "build" / "mutation"  # copies of the project, in which mutmut writes
COVERAGE = ROOT / "build" / "coverage.json"  # written by `make coverage`
NOTICED = ("killed", "timeout")
LEFT_AS_THEY_ARE = ("classmethod", "overload", "staticmethod")  # mutmut handles these, or they have no body
SEED = "parlour 150"  # the seed of the samples
READ_BY_TESTS = ("Makefile", "README.md", "bench", "docs", "examples")  # paths that are copied besides src and tests


class Part(NamedTuple):
    """Files that are changed, and the tests that should notice."""

    name: str
    files: tuple[str, ...]
    tests: tuple[str, ...]
    left_out: tuple[str, ...] = ()  # tests that mean nothing here
    engines: bool = False  # the tests use the engines that are shipped; otherwise pure Python
    sample: int | None = None  # how many mutants are tried; None: all
    enough: float = 0.0  # the score that each file needs

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
            "tests/unit/contract",
            "tests/unit/games",
            "tests/unit/solver/test_forms.py",
            *(f"tests/unit/test_{name}.py" for name in ("library", "match", "picture", "reading_moves", "records")),
            *(f"tests/unit/test_{name}.py" for name in ("rules", "saves", "tournament", "view")),
        ),
        ("tests/unit/contract/test_every_game.py::test_the_rules_are_plain_functions_over_ints",),  # mutants are not
        enough=0.9,
    ),
    Part(
        "solver",
        (
            "src/parlour/engine/search.py",
            "src/parlour/solver/*.py",
        ),
        (
            "tests/unit/solver",
            "tests/unit/test_library.py",
            *(f"tests/compiled/solver/test_{name}.py" for name in ("solver", "tables")),
        ),
        ("tests/compiled/solver/test_solver.py::test_everything_works_without_wasmtime",),  # in another process
        engines=True,
        sample=150,
    ),
    Part("service", ("src/parlour/service/*.py",), ("tests/unit/service", "tests/interfaces/web"), sample=150),
    Part(
        "store",
        ("src/parlour/store/*.py",),
        ("tests/interfaces/store", "tests/system/store", "tests/unit/service"),  # the second has PostgreSQL
        sample=150,
    ),
    Part("web", ("src/parlour/web/*.py",), ("tests/interfaces/web",), sample=150),
)
# Plugins that thousands of runs can do without.
SPARED = (
    "anyio",
    "cacheprovider",
    "randomly",
    "rerunfailures",
    "schemathesis",
    "unraisableexception",
    "xdist",
)


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


def prepare(part: Part) -> None:
    """Copy the project, with decorators written out, and configure mutmut there."""
    for folder in ("src", "tests"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / folder, part.scene / folder, ignore=ignored, dirs_exist_ok=True)
    for name in READ_BY_TESTS:
        (part.scene / name).unlink(missing_ok=True)
        (part.scene / name).symlink_to(ROOT / name)
    for path in part.paths:
        written = cst.parse_module((ROOT / path).read_bytes()).visit(DecoratorsWrittenOut())
        (part.scene / path).write_bytes(written.bytes)
    settings = {
        "source_paths": ["src"],
        "only_mutate": part.paths,
        "also_copy": READ_BY_TESTS,
        "pytest_add_cli_args": ["-ptests.support.mutation_run", *(f"-pno:{plugin}" for plugin in SPARED)],
        "pytest_add_cli_args_test_selection": [*part.tests, *(f"--deselect={test}" for test in part.left_out)],
    }
    lines = [f"{name} = {json.dumps(value)}" for name, value in settings.items()]
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (part.scene / "pyproject.toml").write_text("\n".join([project, "[tool.mutmut]", *lines, ""]), encoding="utf-8")


def choose_sample(part: Part, size: int) -> list[str]:
    """The mutants that are tried. The choice depends on the names alone, so that it survives changes elsewhere."""
    names: list[str] = []
    for path in part.paths:
        module = path.removeprefix("src/").removesuffix(".py").replace("/", ".").removesuffix(".__init__")
        found = mutate_file_contents(path, (part.scene / path).read_text(encoding="utf-8")).mutant_names
        names += (f"{module}.{name}" for name in found)
    return sorted(names, key=lambda name: hashlib.sha256(f"{SEED} {name}".encode()).digest())[:size]


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
    environment = {**os.environ, "PARLOUR_ENGINES_OF_MUTANTS": "yes"} if part.engines else None
    command = [mutmut, "run", "--max-children", str(processes), *names]
    subprocess.run(command, cwd=part.scene, env=environment, check=True)


def run_all(parts: list[Part], processes: int, sample: int | None) -> None:
    for part in parts:
        shutil.rmtree(part.scene, ignore_errors=True)
        prepare(part)
        sizes = [size for size in (part.sample, sample) if size is not None]
        run(part, choose_sample(part, min(sizes)) if sizes else [], processes)


def run_again(parts: list[Part], wanted: Callable[[str, str], bool], processes: int) -> None:
    """Try once more, with the code and the tests as they are now, the mutants wanted by name and status."""
    for part in parts:
        tried = [item for path in part.paths for item in results(part, path).items()]
        names = [name for name, status in tried if wanted(name, status)]
        if names:
            prepare(part)
            run(part, names, processes)


def coverage_of(path: str) -> tuple[int, int] | None:
    """Lines that the tests run, of all lines; None without a coverage run."""
    if not COVERAGE.exists():
        return None
    found = json.loads(COVERAGE.read_text(encoding="utf-8"))["files"].get(path)
    return (found["summary"]["covered_lines"], found["summary"]["num_statements"]) if found else None


def report(parts: list[Part]) -> bool:
    """Print the table of docs/mutants.md; whether the scores are high enough everywhere."""
    good = True
    print("| File | Mutants | Tried | Noticed | Score | Lines run |\n|---|---:|---:|---:|---:|---:|")
    for part in parts:
        whole, lines = Counter[str](), Counter[str]()
        for path in part.paths:
            found = Counter(results(part, path).values())
            if covered := coverage_of(path):
                lines.update(run=covered[0], all=covered[1])
            if found:
                found["all"] = len(exit_codes(part, path))
                if part.sample is None:
                    good &= _show_score(f"`{path}`", found, covered) >= part.enough
                whole += found
        if whole:
            _show_score(f"**{part.name}**", whole, (lines["run"], lines["all"]) if lines else None)
    return good


def report_coverage() -> None:
    """Print the lines of each package that the unit and interfaces layers run."""
    if not COVERAGE.exists():
        return
    files = json.loads(COVERAGE.read_text(encoding="utf-8"))["files"]
    run, lines = Counter[str](), Counter[str]()
    for path, found in files.items():
        package = path.removeprefix("src/parlour/").rpartition("/")[0] or "modules of parlour itself"
        run[package] += found["summary"]["covered_lines"]
        lines[package] += found["summary"]["num_statements"]
    print("\n| Package | Lines | Run |\n|---|---:|---:|")
    for package in sorted(lines):
        if lines[package]:
            print(f"| {package} | {lines[package]:,} | {run[package] / lines[package]:.1%} |")


def _show_score(what: str, found: Counter[str], covered: tuple[int, int] | None) -> float:
    """Print a row, and return the share of mutants that were noticed."""
    tried, noticed = found.total() - found["all"], sum(found[status] for status in NOTICED)
    score = noticed / tried
    share = f"{covered[0] / covered[1]:.1%}" if covered and covered[1] else ""
    print(f"| {what} | {found['all']:,} | {tried:,} | {noticed:,} | {score:.1%} | {share} |")
    return score


def show_survivors(parts: list[Part]) -> None:
    """Print every change that was not noticed."""
    for part in parts:
        os.chdir(part.scene)
        for path in part.paths:
            for name, status in results(part, path).items():
                if status not in NOTICED:
                    print(f"{name}: {status}\n{get_diff_for_mutant(name, path=path)}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("patterns", nargs="*", help="try only these mutants, once more: 'parlour.match.*'")
    parser.add_argument("--part", action="append", choices=[part.name for part in PARTS], help="only this part")
    parser.add_argument("--sample", type=int, help="try at most so many mutants of a part")
    parser.add_argument("--quick", action="store_true", help="leave out the tests that take longest")
    parser.add_argument("--again", action="store_true", help="try once more what was not noticed, or only by time")
    parser.add_argument("--processes", type=int, default=os.cpu_count(), help="so many at once")
    parser.add_argument(
        "--survivors", action="store_true", help="show what the last run did not notice, and run nothing"
    )
    parser.add_argument("--report", action="store_true", help="show the scores of the last run, and run nothing")
    chosen = parser.parse_args()
    parts = [part for part in PARTS if not chosen.part or part.name in chosen.part]
    if chosen.quick:
        os.environ["PARLOUR_QUICK_MUTANTS"] = "yes"  # for tests/support/mutation_run.py
    if chosen.survivors:
        show_survivors(parts)
    elif chosen.report:
        pass
    elif chosen.again:
        run_again(parts, lambda _, status: status != "killed", chosen.processes)
    elif chosen.patterns:
        run_again(parts, lambda name, _: any(fnmatch(name, pattern) for pattern in chosen.patterns), chosen.processes)
    else:
        run_all(parts, chosen.processes, chosen.sample)
    good = report(parts)
    report_coverage()
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
