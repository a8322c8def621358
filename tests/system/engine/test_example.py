"""The engine in the shell that `docs/engine.md` shows: it is the file in `examples/`, and it plays as it says."""

from __future__ import annotations

import json
import re
import sys

import pytest

from tests.support import ROOT
from tests.support.command import run_parlour

EXAMPLE = ROOT / "examples" / "double_up.sh"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="engines need POSIX")


def test_the_page_shows_the_file() -> None:
    page = (ROOT / "docs" / "engine.md").read_text(encoding="utf-8")
    shown = re.search(r"^```sh double_up\.sh\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert shown
    assert shown[1] == EXAMPLE.read_text(encoding="utf-8")


def won_by_who_moves_from_1(limit: int) -> bool:
    """By looking at every move, from the limit down."""
    wins: dict[int, bool] = {}
    for number in range(limit, 0, -1):
        wins[number] = any(not wins[after] for after in range(number + 1, min(2 * number, limit) + 1))
    return wins[1]


def test_a_limit_of_either_kind_is_tried() -> None:
    assert [won_by_who_moves_from_1(limit) for limit in (2, 9, 30)] == [True, False, True]


@pytest.mark.parametrize("limit", [2, 9, 30])
@pytest.mark.parametrize("opponent", ["random", "perfect"])
def test_it_wins_what_is_won(limit: int, opponent: str) -> None:
    """In a real match, from the side that wins with best play."""
    engine = f"engine:sh {EXAMPLE}"
    first, second = (engine, opponent) if won_by_who_moves_from_1(limit) else (opponent, engine)
    run = run_parlour(
        "play", "double-up", "--limit", str(limit), "--p1", first, "--p2", second, "--seed", "7", "--json"
    )
    assert run.code == 0, run.err
    result = [json.loads(line) for line in run.out.splitlines()][-1]
    assert (result["event"], result["how"]) == ("result", "won"), result
    assert (first, second)[result["winner"] - 1] == engine
