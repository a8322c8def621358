"""``parlour bench``: it measures something, and says what."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from parlour.cli import bench
from tests.support.command import Run


def test_bench_of_a_game_in_pure_python_is_three_numbers(
    run: Callable[..., Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "STARTS", 1)
    monkeypatch.setattr(bench, "has_engine", lambda game: False)
    found = run("bench", "double", "--seconds", "0.01")
    assert (found.code, found.err) == (0, "")
    first, _, title, *rows = found.out.splitlines()
    assert re.fullmatch(r"parlour rules double-up takes \d+\.\d times as long as python -c pass\.", first)
    assert title == "Double Up: limit=100"
    units = [re.fullmatch(r"  \S.*\S {2,}(\d+(?:\.\d+)?) (µs|ms|M/s)", row) for row in rows]
    assert [unit and unit[2] for unit in units] == ["µs", "ms", "M/s"]
    assert units[0]
    assert float(units[0][1]) > 0


def test_what_is_no_game_is_refused(run: Callable[..., Run]) -> None:
    found = run("bench", "chess")
    assert (found.code, found.out) == (2, "")
    assert found.err.startswith("parlour: ")
    assert found.err.count("\n") == 1
