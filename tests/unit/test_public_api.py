"""What ``import parlour`` offers: these names and no others, each of them typed, documented and shown by an example."""

from __future__ import annotations

import ast
import doctest
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
from parlour import results
from parlour.errors import ParlourError
from tests.support import ROOT
from tests.support.docs import run_snippets
from tests.support.scripts import load_script

FLAGS = doctest.ELLIPSIS
PAGE = ROOT / "docs" / "python.md"
OBJECTS = {name: getattr(parlour, name) for name in parlour.__all__} | {
    name: getattr(results, name) for name in results.__all__
}
CALLABLE = {name: found for name, found in OBJECTS.items() if inspect.isroutine(found) or inspect.isclass(found)}


@pytest.fixture(autouse=True)
def nobodys_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))


# The names.


def test_there_is_no_other_name_than_those_and_the_modules() -> None:
    assert {*parlour.__all__, "results"} <= set(dir(parlour))
    besides = {name for name in dir(parlour) if not name.startswith("_")} - set(parlour.__all__)
    assert {name for name in besides if not isinstance(getattr(parlour, name), ModuleType)} <= {
        "annotations",
    }


def test_no_name_is_that_of_a_module() -> None:
    """Or it would depend on what was imported before which of the two it is."""
    source = Path(parlour.__file__).parent
    modules = {path.stem for path in source.iterdir()}
    assert not modules & set(parlour.__all__)


def test_a_type_checker_and_an_interpreter_see_the_same_names() -> None:
    script = load_script(ROOT / "tools" / "make_stub.py")
    text = script.STUB.read_text(encoding="utf-8")
    assert text == script.stub(), "run make reference"
    imports = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)]
    seen = {name.asname for node in imports for name in node.names}
    assert seen == {*parlour.__all__, *script.MODULES, "__version__"}


def test_no_name_is_listed_twice() -> None:
    names = [name for listed in parlour._NAMES.values() for name in listed]
    assert len(names) == len(set(names)) == len(parlour.__all__)


def test_names_are_loaded_when_they_are_used() -> None:
    code = "import parlour, sys; print(*sys.modules); parlour.Solver; print(*sys.modules)"
    environment = {"PYTHONPATH": str(Path(parlour.__file__).parents[1])}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    early, late = (set(line.split()) for line in run.stdout.splitlines())
    heavy = {"parlour.match", "parlour.record", "parlour.picture", "parlour.solver", "numpy", "wasmtime", "click"}
    assert not heavy & early
    assert "parlour.solver" in late


def test_a_name_that_is_not_there_is_said_to_be_missing() -> None:
    with pytest.raises(AttributeError, match="module 'parlour' has no attribute 'chess'"):
        parlour.chess  # type: ignore[attr-defined]  # noqa: B018
    assert not hasattr(parlour, "keys")


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


def test_everything_public_has_a_docstring_with_an_example() -> None:
    for name, found in CALLABLE.items():
        assert ">>> " in (found.__doc__ or ""), f"{name} has no example"
        assert not re.match(rf"{name}\(", found.__doc__ or ""), f"{name} has the docstring that Python made up"
        for member, thing in members(found) if inspect.isclass(found) else ():
            assert (thing.__doc__ or "").strip(), f"{name}.{member} has no docstring"


@pytest.mark.parametrize(
    "module",
    sorted({found.__module__ for found in CALLABLE.values() if not found.__module__.startswith("parlour.batch.")}),
)
def test_the_examples_are_true(module: str) -> None:
    result = doctest.testmod(sys.modules[module], optionflags=FLAGS)
    assert result.failed == 0


def test_what_the_readme_shows_is_true() -> None:
    run_snippets((ROOT / "README.md").read_text(encoding="utf-8"), "README.md")


def test_the_reference_has_every_public_name_and_no_other() -> None:
    reference = PAGE.read_text(encoding="utf-8").partition("\n## Reference\n")[2]
    assert sorted(re.findall(r"(?m)^#### `(\w+)", reference)) == sorted(OBJECTS), "run make reference"


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


def test_a_name_is_in_one_place_and_results_are_what_functions_return() -> None:
    assert not {*parlour.__all__} & {*results.__all__}
    assert isinstance(parlour.Hints(parlour.new_match("double-up")).hint(), results.Hint)
    assert isinstance(parlour.explain("double-up", limit=5), results.Explanation)
