"""Examples of the pages and docstrings about Python that need NumPy."""

from __future__ import annotations

import doctest
import importlib

import pytest

from tests.support import ROOT
from tests.support.docs import run_snippets


def test_the_tour_is_true() -> None:
    tour = (ROOT / "docs" / "python.md").read_text(encoding="utf-8").partition("\n## Reference\n")[0]
    run_snippets(tour, "docs/python.md")


def test_the_page_about_batches_is_true() -> None:
    run_snippets((ROOT / "docs" / "batch.md").read_text(encoding="utf-8"), "docs/batch.md")


@pytest.mark.parametrize("module", ["parlour.batch.encoding", "parlour.batch.lockstep"])
def test_the_examples_of_batches_are_true(module: str) -> None:
    assert doctest.testmod(importlib.import_module(module), optionflags=doctest.ELLIPSIS).failed == 0
