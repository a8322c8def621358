"""``parlour atlas``: the best contests of a map, and maps of a sweep."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from parlour.lab.atlas import atlas
from tests.support.command import Run


def test_the_command_names_the_best_contests(run: Callable[..., Run]) -> None:
    told = run("atlas", "double", "--best", "3").out
    best = atlas()["double-up"].best_rows(3)
    limits = [row.options["limit"] for row in best]
    assert [line.split()[0] for line in told.splitlines()[3:6]] == limits
    assert f"parlour play double-up --limit {limits[0]}" in told


def test_the_table_fits_a_narrow_terminal(run: Callable[..., Run]) -> None:
    wide = run("atlas", "pyramid").out.splitlines()
    narrow = run("atlas", "pyramid", env={"COLUMNS": "80"}).out.splitlines()
    assert len(wide[2]) > 80
    assert max(map(len, narrow)) <= 80
    assert narrow[2].split()[:5] == wide[2].split()[:5]
    assert [line.split()[:3] for line in narrow[3:12]] == [line.split()[:3] for line in wide[3:12]]


def test_the_command_draws_a_sweep_and_refuses_what_is_none(run: Callable[..., Run], tmp_path: Path) -> None:
    sweep = tmp_path / "limits.sweep"
    run("sweep", "double", "--limit", "5-30", "--jobs", "1", "-o", str(sweep))
    assert "Double Up: 26 combinations" in run("atlas", "double", "--sweep", str(sweep)).out
    nonsense = tmp_path / "nonsense"
    nonsense.write_text("nonsense" * 1000)
    for words, said in (
        (["spot", "--sweep", str(sweep)], "is a sweep of Double Up, not of Sequence Spot"),
        (["double", "--sweep", str(nonsense)], "not the file of a sweep"),
        (["double", "--sweep", str(tmp_path / "missing")], "cannot open"),
    ):
        refused = run("atlas", *words)
        assert refused.code in (1, 2)
        assert said in refused.err
        assert refused.err.count("\n") == 1
