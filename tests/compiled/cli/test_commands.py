"""Commands whose searches are quick only when compiled."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from click.testing import CliRunner

from parlour import catalog
from parlour.engine.search import packs
from parlour.rules import Rules
from tests.support import ROOT
from tests.support.command import Run
from tests.support.scripts import load_script
from tests.support.solution import check_solution

Runner = Callable[..., Run]


def test_the_overview_of_a_game_is_six_numbers() -> None:
    overview = load_script(ROOT / "bench" / "overview.py")
    found = CliRunner().invoke(overview.main, ["double", "--seconds", "0.01"])
    assert (found.exit_code, found.stderr) == (0, "")
    first, _, title, *rows = found.stdout.splitlines()
    assert re.fullmatch(r"parlour rules double-up takes \d+\.\d times as long as python -c pass\.", first)
    assert title == "Double Up: limit=100"
    units = [re.fullmatch(r"  \S.*\S {2,}(\d+(?:\.\d+)?) (µs|ms|M/s)", row) for row in rows]
    assert [unit and unit[2] for unit in units] == ["µs", "ms", "M/s", "M/s", "M/s", "M/s"]
    assert all(float(unit[1]) > 0 for unit in units[:1] + units[2:] if unit)


def test_there_is_nothing_to_master_in_the_book_s_pyramid(run: Runner) -> None:
    done = run("master", "pyramid", "--base", "3")
    assert (done.code, done.out) == (2, "")
    assert "nothing to master" in done.err
    assert len(done.err.splitlines()) == 1


def test_too_big_to_tabulate_is_said_before_it_starts(run: Runner) -> None:
    told = run("tabulate", "inc", "--length", "12", "--range", "30", "--memory", "100")
    assert told.code == 1
    assert re.search(r"about [0-9,]+ positions or more need [0-9,]+ MB; 100 MB", told.err)
    assert len(told.err.splitlines()) == 1


@pytest.mark.parametrize("key", [game.key for game in catalog.list_games() if packs(Rules(game, game.defaults))])
def test_a_document_for_programs_at_the_book_s_sizes(run: Runner, key: str) -> None:
    check_solution(json.loads(run("solve", key, "--json").out), key)
