"""The reference of the library on docs/python.md."""

from __future__ import annotations

import runpy

import parlour
from parlour import results
from tests.support import ROOT
from tests.support.schema import SCHEMA


def test_the_reference_is_current_and_has_every_public_name() -> None:
    made = runpy.run_path(str(ROOT / "docs" / "make_reference.py"))
    public = [*parlour.__all__, *results.__all__]
    assert sorted(name for names in made["SECTIONS"].values() for name in names) == sorted(public)
    assert (ROOT / "docs" / "python.md").read_text(encoding="utf-8") == made["page"](), "run make reference"


def test_the_schema_is_that_of_the_source() -> None:
    made = runpy.run_path(str(ROOT / "docs" / "make_schema.py"))["make"]()
    assert SCHEMA.read_text(encoding="utf-8") == made, "make schema"
