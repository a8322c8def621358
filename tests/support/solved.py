"""The table of lengths and ranges in docs/solved.md, and its comparison with the solver."""

from __future__ import annotations

import re

from parlour import catalog
from parlour.engine import Runtime
from parlour.rules import read_rules
from parlour.score import Value
from parlour.solver import Solver
from tests.support import ROOT


def frontier() -> dict[tuple[int, int], str]:
    """The table of lengths and ranges in docs/solved.md, cell by cell."""
    page = (ROOT / "docs" / "solved.md").read_text(encoding="utf-8")
    head, *lines = re.findall(r"^\| (.*) \|$", page[page.index("| range |") :].partition("\n\n")[0], re.MULTILINE)
    lengths = head.split(" | ")[1:]
    found = {}
    for line in lines:
        size, *cells = (cell.strip() for cell in line.split("|"))
        found |= {(int(n), int(size)): cell for n, cell in zip(lengths, cells, strict=True) if cell}
    return found


def confirm_frontier(most: int, runtime: Runtime, least: int = 2) -> None:
    """Solve every cell of the table with a range from `least` to `most`."""
    game = catalog.find_game("increasing-differences")
    for (length, size), cell in frontier().items():
        if least <= size <= most:
            rules = read_rules(game, {"length": str(length), "range": str(size)})
            solver = Solver(rules, runtime=runtime)
            best = sum(choice.value is Value.WIN for choice in solver.values(rules.start))
            assert cell == ("-" if not best else "all" if best == size else str(best)), (length, size)
