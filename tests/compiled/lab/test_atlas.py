"""The atlas: its squares against the rules, where they lie, its file, its pictures and its command.

Squares are drawn anew in each run; PARLOUR_TEST_SEED=... draws the same again.
"""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable
from fractions import Fraction
from math import factorial
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

from parlour import catalog
from parlour.errors import BadArchive
from parlour.lab.atlas import (
    SHADES,
    WIDE,
    Map,
    atlas,
    lay_out,
    read_atlas,
    shipped_map,
    shown,
    sweep_options,
    write_atlas,
)
from parlour.lab.combinations import combine
from parlour.lab.measures import COSTS, Budget, Method, Row, Task, measure
from parlour.options import left_to_chance, read_words, show_words
from parlour.rules import read_rules
from tests.support.command import Run
from tests.support.naive import minimax, truths
from tests.unit.study.test_contest import by_definition

SEED = os.environ.get("PARLOUR_TEST_SEED") or str(Random().getrandbits(32))
SMALL, LARGE = 80, 60_000  # positions of a square that is drawn
every_map = pytest.mark.parametrize("key", sorted(atlas()))


def drawn(found: Map, most: int, wanted: int) -> list[Row]:
    """Squares with so many positions at most, other ones in each run."""
    print(f"PARLOUR_TEST_SEED={SEED}")
    fitting = [row for row in found.squares if row.positions is not None and row.positions <= most]
    return Random(f"{SEED} {found.game.key} {most}").sample(fitting, min(wanted, len(fitting)))


def is_what_the_rules_say(found: Map, row: Row) -> None:
    """By a minimax and fractions that know nothing of the solver."""
    rules = read_rules(found.game, read_words(row.options))
    truth = minimax(rules)
    score = truth(rules.start)
    assert (row.value, row.distance) == (score.value.word, score.plies), row.options
    keeping = [m for m in rules.legal(rules.start) if -truth(rules.after(rules.start, m)).value == score.value]
    assert row.kept_by == " ".join(rules.names(keeping))
    first, drawn, turns, critical = map(float, by_definition(rules, Fraction(found.error).limit_denominator(1000)))
    assert [row.first, row.drawn, row.turns, row.critical_turns] == pytest.approx([first, drawn, turns, critical])
    assert row.measure == pytest.approx(critical * 2 * min(first, 1 - first - drawn), abs=1e-8)
    if not found.game.counted_once:
        every = truths(rules).values()
        assert (row.decisions, row.critical) == (sum(t.choice for t in every), sum(t.critical for t in every))


@every_map
def test_a_small_sample_is_what_the_rules_say(key: str) -> None:
    found = atlas()[key]
    for row in drawn(found, SMALL, 2):
        is_what_the_rules_say(found, row)


@pytest.mark.slow
@every_map
def test_a_sample_is_what_the_rules_say(key: str) -> None:
    found = atlas()[key]
    most = {"sequence-spot": 5_200, "double-up": SMALL}.get(key, 400)  # of which minimax does not go too deep
    rows = drawn(found, most, 3)
    assert len(rows) == 3
    for row in rows:
        is_what_the_rules_say(found, row)


def measured_again(found: Map, row: Row) -> dict[str, Any]:
    settings = Method(error=found.error)
    again = measure(Task(found.game.key, row.options, row.alike, settings, Budget(60, 1 << 30)))
    return {name: value for name, value in vars(again).items() if name not in COSTS}


@every_map
def test_a_sample_is_measured_again(key: str) -> None:
    found = atlas()[key]
    for row in drawn(found, 5_000, 2):
        assert measured_again(found, row) == {name: value for name, value in vars(row).items() if name not in COSTS}


@pytest.mark.slow
@every_map
def test_a_larger_sample_is_measured_again(key: str) -> None:
    found = atlas()[key]
    for row in drawn(found, LARGE, 8):
        assert measured_again(found, row) == {name: value for name, value in vars(row).items() if name not in COSTS}


@every_map
def test_the_map_has_every_game_that_its_options_make(key: str) -> None:
    game = catalog.find_game(key)
    wanted, squares = sweep_options(game), shipped_map(game).squares
    assert wanted is not None
    assert len(squares) >= 100
    if left_to_chance(game.options):  # every grid is the same game as exactly one square
        starts = {read_rules(game, read_words(row.options)).start for row in squares}
        assert len(starts) == len(squares)
        assert sum(row.alike for row in squares) == factorial(9)
        return
    found = combine(game, wanted)
    assert {row.options for row in squares} == {show_words(rules.options) for rules in found.rules}
    assert {row.alike for row in squares} == {1}


@every_map
def test_who_wins_is_known_of_nearly_all_squares(key: str) -> None:
    found = atlas()[key]
    unknown = [row for row in found.squares if row.value is None]
    assert len(unknown) <= len(found.squares) / 20
    assert all(row.unfinished for row in unknown)


@every_map
def test_each_square_lies_once_and_under_its_headings(key: str) -> None:
    found = atlas()[key]
    places = []
    for chart in lay_out(found.game, found.squares):
        assert all(len(line) == len(chart.columns) for line in chart.places)
        assert len(chart.lines) == len(chart.places)
        for heading, line in zip(chart.lines, chart.places, strict=True):
            for column, place in zip(chart.columns, line, strict=True):
                if place is None:
                    continue
                places.append(place)
                options = read_words(found.squares[place].options)
                if chart.across:
                    assert (options[chart.across], options[chart.down]) == (column, heading)
        if not chart.across:
            assert max(len(line) for line in chart.places) == WIDE
    assert sorted(places) == list(range(len(found.squares)))


def test_squares_that_follow_one_number_are_in_its_order() -> None:
    found = atlas()["double-up"]
    (chart,) = lay_out(found.game, found.squares)
    limits = [
        int(read_words(found.squares[place].options)["limit"])
        for line in chart.places
        for place in line
        if place is not None
    ]
    assert limits == sorted(limits)
    assert chart.lines[:3] == ["3", "23", "43"]


def test_what_is_not_known_is_shown_as_nothing() -> None:
    row = Row(options="limit=5", unfinished="value: too big")
    assert {shown(row, shade) for shade in SHADES} == {("", None)}
    assert shown(Row(options="limit=5", value="loss"), "winner") == ("2", 0.0)
    assert shown(Row(options="limit=5", first_moves=4, keeping_first_moves=3), "first") == ("3", 0.75)


def test_the_best_contests_are_neither_short_nor_long() -> None:
    found = atlas()["double-up"]
    best = found.best(400)
    assert [row.measure for row in best] == sorted((row.measure for row in best), reverse=True)
    assert {8 <= (row.turns or 0) <= 20 for row in best} == {True}
    known = [row for row in found.squares if row.measure is not None and 8 <= (row.turns or 0) <= 20]
    assert len(best) == len(known)


# The file.


def test_a_written_atlas_is_read_as_it_was() -> None:
    found = atlas()["sequence-spot"]
    data = write_atlas([found])
    again = read_atlas(data)["sequence-spot"]
    assert again == found._replace(squares=again.squares)
    assert [vars(row) for row in again.squares] == [vars(row) for row in found.squares]
    assert write_atlas([again]) == data


def test_a_damaged_atlas_is_refused() -> None:
    text = gzip.decompress(write_atlas([atlas()["sequence-spot"]])).decode()
    body = text.partition("\n")[2]
    for damaged in (
        b"nonsense",
        gzip.compress(text.encode())[:-20],
        gzip.compress(text[:-50].encode()),
        gzip.compress(text.replace('"draw"', '"win"', 1).encode()),
        gzip.compress(text.replace('"format": 1', '"format": 9', 1).encode()),
        gzip.compress(f"[]\n{body}".encode()),
    ):
        with pytest.raises(BadArchive):
            read_atlas(damaged)


# Pictures and the command.


@pytest.mark.slow
@every_map
@pytest.mark.parametrize("shade", ["winner", "contest"])
def test_the_same_map_makes_the_same_picture(key: str, shade: str) -> None:
    pytest.importorskip("matplotlib")
    from parlour.lab.drawing import draw_map

    found = atlas()[key]
    picture = draw_map(found, shade)
    assert draw_map(found, shade) == picture
    words = [text.strip() for text in ElementTree.fromstring(picture).itertext() if text.strip()]
    for row in found.squares:
        assert (shown(row, shade)[0] or "?") in words
    assert b"<dc:date>" not in picture
    assert b"<image" not in picture


def test_the_command_names_the_best_contests(run: Callable[..., Run]) -> None:
    told = run("atlas", "double", "--best", "3").out
    best = atlas()["double-up"].best(3)
    limits = [read_words(row.options)["limit"] for row in best]
    assert [line.split()[0] for line in told.splitlines()[3:6]] == limits
    assert f"parlour play double-up --limit {limits[0]}" in told


@pytest.mark.slow
def test_the_command_draws_maps(run: Callable[..., Run], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    drawn = run("atlas", "double", "-o", str(tmp_path / "maps")).out.split()
    assert drawn == [str(tmp_path / "maps" / f"double-up-{shade}.svg") for shade in SHADES]
    assert all(Path(name).stat().st_size > 1000 for name in drawn)


def test_the_command_draws_a_sweep_and_refuses_what_is_none(run: Callable[..., Run], tmp_path: Path) -> None:
    sweep = tmp_path / "limits.sweep"
    run("sweep", "double", "--limit", "5-30", "--jobs", "1", "-o", str(sweep))
    assert "Double Up: 26 squares" in run("atlas", "double", "--sweep", str(sweep)).out
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
