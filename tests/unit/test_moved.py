"""docs/moved.md: every new path can be imported, and the old names are gone."""

from __future__ import annotations

import json
import pydoc
import re
from importlib import import_module

import pytest

from tests.support.docs import DOCS, section, table

PAGE = DOCS / "moved.md"
MOVED = [
    (name, new)
    for title in ("Moved under the same name", "Errors that moved")
    for names, _, new in table(section(PAGE, title))
    for name in names.replace(" and all other names", "").split(", ")
    if new != "parlour.evals.tasks"  # needs Inspect: tests/compiled/evals imports it
]
SUCCESSORS = re.findall(
    r"`(parlour[\w.]+)`", " ".join(row.rpartition(" | ")[2] for row in section(PAGE, "Renamed or gone").splitlines())
)


@pytest.mark.parametrize(("name", "path"), MOVED)
def test_a_moved_name_is_at_its_new_path(name: str, path: str) -> None:
    assert hasattr(import_module(path), name)


@pytest.mark.parametrize("path", SUCCESSORS)
def test_a_successor_exists(path: str) -> None:
    assert pydoc.locate(path) is not None


def test_definitions_of_the_schema_have_their_new_names() -> None:
    schema = json.loads((DOCS / "schema.json").read_text(encoding="utf-8"))["$defs"]
    served = set(re.findall(r"<!-- fields: (\w+)", (DOCS / "api.md").read_text(encoding="utf-8")))
    for old, new in table(section(PAGE, "Definitions of the JSON Schema")):
        assert len(old.split(", ")) == len(new.split(", "))
        assert not set(old.split(", ")) & set(schema)
        assert set(new.split(", ")) <= {*schema, *served, "PackedStep"}
