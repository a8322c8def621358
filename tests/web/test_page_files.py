"""The files of the page, as they lie in the package."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import pytest

import parlour.web

PAGE = Path(parlour.web.__file__).parent / "page"
PACKAGE = Path(__file__).parents[2] / "package.json"  # only where Parlour is developed
MODULES = sorted(path for path in PAGE.glob("*.js") if path.name != "early.js")
LONGEST = 300  # lines


def imports(name: str) -> set[str]:
    """The modules that a module imports before it runs, by their paths without the ending."""
    text = (PAGE / f"{name}.js").read_text("utf-8")
    return set(re.findall(r'^(?:import|\}) .*?from "\./(.+)\.js";$', text, re.MULTILINE))


def needs(name: str) -> set[str]:
    """Those and whatever they import, the module itself included."""
    found, new = {name}, {name}
    while new:
        new = {each for one in new for each in imports(one)} - found
        found |= new
    return found


def preloaded() -> dict[str, set[str]]:
    """What is fetched at once, by the first word of the address."""
    text = (PAGE / "early.js").read_text("utf-8")
    words = dict(re.findall(r'const (always|table) = "(.*)";', text))
    lists = re.findall(r'^    "?(\w*)"?: ["`](.*)["`],$', text, re.MULTILINE)
    lists += [("about", other) for other in re.findall(r'\?\? "(.*)";', text)]  # as all pages that are not listed
    named = {kind: set(names.replace("${table}", words["table"]).split()) for kind, names in lists}
    return {kind: names | set(words["always"].split()) for kind, names in named.items()}


def test_what_a_page_needs_is_fetched_at_once() -> None:
    pages = {"": "home", "play": "setup", "m": "match", "study": "study", "rules": "rules", "about": "others"}
    app = needs("app") - {"app"}  # the document itself asks for that one
    assert preloaded() == {kind: app | needs(name) for kind, name in pages.items()}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_no_module_is_too_long_to_be_read(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) < LONGEST


def test_the_libraries_are_what_their_table_says() -> None:
    table = (PAGE / "vendor" / "README.md").read_text("utf-8")
    rows = [[cell.strip(" `") for cell in row.split("|")[1:-1]] for row in table.splitlines() if row.startswith("| `")]
    assert {row[0] for row in rows} == {path.name for path in (PAGE / "vendor").glob("*.js")}
    for file, package, version, _, _, digest in rows:
        assert hashlib.sha256((PAGE / "vendor" / file).read_bytes()).hexdigest() == digest
        if PACKAGE.exists():  # their types have to be those of the same version
            assert json.loads(PACKAGE.read_text("utf-8"))["devDependencies"][package] == version
