"""What the pages for those who train programs show is what happens."""

from __future__ import annotations

import re

import pytest

from tests.support import ROOT
from tests.support.adapters import needed
from tests.support.docs import run_snippets

needed("pettingzoo")
needed("pyspiel")
needed("mcp")
needed("inspect_ai")

DOCS = ROOT / "docs"


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")  # of libraries that Inspect loads
@pytest.mark.parametrize("page", ["agents.md", "gg-bench.md"])
def test_the_page_is_true(page: str) -> None:
    run_snippets((DOCS / page).read_text(encoding="utf-8"), f"docs/{page}")


def test_the_plots_come_out_the_same_each_time() -> None:
    """No date, no address, no name that is new with each run."""
    for path in (DOCS / "plots").glob("*.svg"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"<metadata|<dc:|20\d\d-", text), path.name
        assert set(re.findall(r"https?://([^/\"]+)", text)) <= {"www.w3.org"}, path.name
