"""What ``import parlour`` offers: these names and no others, each of them typed, documented and shown by an example."""

from __future__ import annotations

import ast
import doctest
import importlib.util
import inspect
import itertools
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import parlour
from parlour.errors import ParlourError
from tests.support import ROOT
from tests.support.docs import run_snippets

PAGE = ROOT / "docs" / "python.md"
FLAGS = doctest.ELLIPSIS
OBJECTS = {name: getattr(parlour, name) for name in parlour.__all__}
CALLABLE = {name: found for name, found in OBJECTS.items() if inspect.isroutine(found) or inspect.isclass(found)}


@pytest.fixture(autouse=True)
def nobodys_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))


# The names.


def test_the_public_names_are_these() -> None:
    assert parlour.__all__ == [
        "DRAWN",
        "MOVER_LOSES",
        "MOVER_WINS",
        "ONGOING",
        "PASS",
        "Account",
        "Action",
        "BadName",
        "BadOptions",
        "BadPosition",
        "BadRecord",
        "Batch",
        "BatchStep",
        "Bounds",
        "Cancelled",
        "Chances",
        "Choice",
        "Contest",
        "Decision",
        "Encoding",
        "EngineFailed",
        "Exploitability",
        "Game",
        "GameOver",
        "Group",
        "Hint",
        "Hints",
        "IllegalMove",
        "LastChance",
        "Limit",
        "Line",
        "Match",
        "MissingExtra",
        "Moment",
        "Move",
        "MoveRefused",
        "NoNextRound",
        "NothingToUndo",
        "Outcome",
        "ParlourError",
        "Player",
        "PlayerKind",
        "Playouts",
        "Reason",
        "Report",
        "Resignation",
        "Resigned",
        "Round",
        "RoundReport",
        "Rules",
        "Score",
        "ScoreTable",
        "Scores",
        "Setup",
        "Solver",
        "Statistics",
        "Tile",
        "TooBig",
        "Turn",
        "TurningPoint",
        "UnknownGame",
        "UnknownPlayer",
        "UnreadableMove",
        "Value",
        "View",
        "explain",
        "find_game",
        "find_player",
        "kept_table",
        "list_games",
        "list_player_kinds",
        "make_report",
        "measure_contest",
        "measure_exploitability",
        "new_match",
        "play_out",
        "playouts",
        "random_game",
        "read_record",
        "rules_of",
        "solve",
        "tabulate",
        "take_turn",
        "write_record",
    ]


def test_there_is_no_other_name_than_those_and_the_modules() -> None:
    assert set(parlour.__all__) <= set(dir(parlour))
    besides = {name for name in dir(parlour) if not name.startswith("_")} - set(parlour.__all__)
    assert {name for name in besides if not isinstance(getattr(parlour, name), ModuleType)} <= {
        "TYPE_CHECKING",
        "annotations",
    }


def test_no_name_is_that_of_a_module() -> None:
    """Or it would depend on what was imported before which of the two it is."""
    source = Path(parlour.__file__).parent
    modules = {path.stem for path in source.iterdir()}
    assert not modules & set(parlour.__all__)


def test_a_type_checker_and_an_interpreter_see_the_same_names() -> None:
    tree = ast.parse(Path(parlour.__file__).read_text(encoding="utf-8"))
    seen: dict[str, str] = {}
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.ImportFrom)
            and node.module
            and node.module.startswith("parlour.")
            and node.module != "parlour.version"
        ):
            seen |= {name.name: node.module for name in node.names}
    assert set(seen) == set(parlour.__all__)
    late = {name: module for module, names in parlour._LOADED_WHEN_ASKED_FOR.items() for name in names}
    assert late.items() <= seen.items()


def test_a_name_that_is_not_there_is_said_to_be_missing() -> None:
    with pytest.raises(AttributeError, match="module 'parlour' has no attribute 'chess'"):
        parlour.chess  # type: ignore[attr-defined]  # noqa: B018
    assert not hasattr(parlour, "keys")


def test_what_is_heavy_is_loaded_when_it_is_asked_for() -> None:
    code = (
        "import sys, parlour\n"
        "early = set(sys.modules)\n"
        "match = parlour.new_match('double-up'); match.play_line('2 3'); str(match), match.svg(), dir(parlour)\n"
        "later = set(sys.modules)\n"
        "parlour.Solver, parlour.tabulate, parlour.playouts\n"
        "print(*(name for name in early if name.startswith('parlour.')), file=sys.stderr)\n"
        "heavy = {'numpy', 'numba', 'click', 'asyncio', 'concurrent.futures', 'sqlite3', 'parlour.solver'}\n"
        "print(early & heavy, later & heavy, {'numpy', 'numba'} & set(sys.modules), 'parlour.solver' in sys.modules)\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "set() set() set() True\n"
    assert "parlour.picture" not in run.stderr.split()


# The documentation.


def members(found: type) -> Iterator[tuple[str, object]]:
    """The methods and properties that a class has of its own."""
    for name, member in vars(found).items():
        if name.startswith("_") or name in getattr(found, "__dataclass_fields__", ()):
            continue
        if inspect.isroutine(member) or isinstance(member, property | classmethod | staticmethod):
            yield name, member
        elif hasattr(member, "func"):  # a property that is kept
            yield name, member.func


@pytest.mark.parametrize("name", CALLABLE)
def test_everything_public_has_a_docstring(name: str) -> None:
    found = OBJECTS[name]
    assert (found.__doc__ or "").strip(), f"{name} has no docstring"
    assert not re.match(rf"{name}\(", found.__doc__ or ""), f"{name} has the docstring that Python made up"
    if inspect.isclass(found):
        for member, thing in members(found):
            assert (thing.__doc__ or "").strip(), f"{name}.{member} has no docstring"


@pytest.mark.parametrize("name", CALLABLE)
def test_everything_public_has_an_example(name: str) -> None:
    assert ">>> " in (OBJECTS[name].__doc__ or ""), f"{name} has no example"


@pytest.mark.parametrize("module", sorted({found.__module__ for found in CALLABLE.values()}))
def test_the_examples_are_true(module: str) -> None:
    result = doctest.testmod(sys.modules[module], optionflags=FLAGS)
    assert result.failed == 0


def test_the_tour_is_true() -> None:
    tour = PAGE.read_text(encoding="utf-8").partition("\n## Reference\n")[0]
    run_snippets(tour, "docs/python.md")


def test_the_page_about_batches_is_true() -> None:
    run_snippets((ROOT / "docs" / "batch.md").read_text(encoding="utf-8"), "docs/batch.md")


def test_what_the_readme_shows_is_true() -> None:
    run_snippets((ROOT / "README.md").read_text(encoding="utf-8"), "README.md")


def reference() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_reference", ROOT / "docs" / "make_reference.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_the_reference_is_current_and_has_every_public_name() -> None:
    made = reference()
    assert sorted(name for names in made.SECTIONS.values() for name in names) == sorted(parlour.__all__)
    assert PAGE.read_text(encoding="utf-8") == made.page(), "run make reference"


def test_the_reference_says_something_about_every_field() -> None:
    lines = PAGE.read_text(encoding="utf-8").partition("\n## Reference\n")[2].splitlines()
    said = [line for line in lines if line]
    silent = [line for line, after in itertools.pairwise(said) if line.startswith("####") and after[0] == "#"]
    assert silent == []


def test_the_picture_of_the_tour_is_current() -> None:
    match = parlour.new_match("increasing-differences", range=15, names=("Ann", "Ben"))
    match.play_line("5 7 8 9 12")
    drawn = (ROOT / "docs" / "pictures" / "match.svg").read_text(encoding="utf-8")
    assert drawn == match.svg() + "\n", "run make picture"


def test_every_refusal_can_be_caught_by_the_library_s_own_names() -> None:
    """The ones that only a server or a terminal makes are in parlour.errors."""
    for name, found in OBJECTS.items():
        if inspect.isclass(found) and issubclass(found, ParlourError):
            assert found.__module__ == "parlour.errors", name
