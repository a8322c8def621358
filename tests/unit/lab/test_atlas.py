"""The atlas: its squares against the rules, where they lie, and its file."""

from __future__ import annotations

import gzip
from math import factorial

import pytest

from parlour import catalog
from parlour.errors import BadArchive
from parlour.lab.atlas import (
    PER_LINE,
    SHADES,
    atlas,
    lay_out,
    read_atlas,
    shipped_map,
    shown,
    sweep_options,
    write_atlas,
)
from parlour.lab.measures import row_of
from parlour.lab.sweep import combine
from parlour.options import left_to_chance, show_words
from parlour.rules import read_rules
from tests.support.atlas import SMALL, drawn, is_what_the_rules_say, measured_again, without_costs

every_map = pytest.mark.parametrize("key", sorted(atlas()))


@every_map
def test_a_small_sample_is_what_the_rules_say(key: str) -> None:
    found = atlas()[key]
    for row in drawn(found, SMALL, 2):
        is_what_the_rules_say(found, row)


@pytest.mark.parametrize("key", sorted({*atlas()} - {"sequence-spot"}))  # every grid has thousands of positions
def test_a_sample_is_measured_again(key: str) -> None:
    found = atlas()[key]
    for row in drawn(found, 1_000, 2):
        assert measured_again(found, row) == without_costs(row)


@every_map
def test_the_map_has_every_game_that_its_options_make(key: str) -> None:
    game = catalog.find_game(key)
    wanted, squares = sweep_options(game), shipped_map(game).rows
    assert wanted is not None
    assert len(squares) >= 100
    if left_to_chance(game.options):  # every grid is the same game as exactly one square
        starts = {read_rules(game, row.options).start for row in squares}
        assert len(starts) == len(squares)
        assert sum(row.alike for row in squares) == factorial(9)
        return
    found = combine(game, wanted)
    assert {row.words for row in squares} == {show_words(rules.options) for rules in found.rules}
    assert {row.alike for row in squares} == {1}


@every_map
def test_who_wins_is_known_of_nearly_all_squares(key: str) -> None:
    found = atlas()[key]
    unknown = [row for row in found.rows if row.value is None]
    assert len(unknown) <= len(found.rows) / 20
    assert all(row.unfinished for row in unknown)


@every_map
def test_each_square_lies_once_and_under_its_headings(key: str) -> None:
    found = atlas()[key]
    places = []
    for chart in lay_out(found.game, found.rows):
        assert all(len(line) == len(chart.columns) for line in chart.places)
        assert len(chart.lines) == len(chart.places)
        for heading, line in zip(chart.lines, chart.places, strict=True):
            for column, place in zip(chart.columns, line, strict=True):
                if place is None:
                    continue
                places.append(place)
                options = found.rows[place].options
                if chart.across:
                    assert (options[chart.across], options[chart.down]) == (column, heading)
        if not chart.across:
            assert max(len(line) for line in chart.places) == PER_LINE
    assert sorted(places) == list(range(len(found.rows)))


def test_squares_that_follow_one_number_are_in_its_order() -> None:
    found = atlas()["double-up"]
    (chart,) = lay_out(found.game, found.rows)
    limits = [int(found.rows[place].options["limit"]) for line in chart.places for place in line if place is not None]
    assert limits == sorted(limits)
    assert chart.lines[:3] == ["3", "23", "43"]


def test_what_is_not_known_is_shown_as_nothing() -> None:
    row = row_of({"options": "limit=5", "unfinished": "value: too big"})
    assert {shown(row, shade) for shade in SHADES} == {("", None)}
    assert shown(row_of({"options": "limit=5", "value": "loss"}), "winner") == ("2", 0.0)
    assert shown(row_of({"options": "limit=5", "first_moves": 4, "keeping_first_moves": 3}), "first") == ("3", 0.75)


def test_the_best_contests_are_neither_short_nor_long() -> None:
    found = atlas()["double-up"]
    best = found.best_rows(400)
    assert [row.measure for row in best] == sorted((row.measure for row in best), reverse=True)
    assert {8 <= (row.turns or 0) <= 20 for row in best} == {True}
    known = [row for row in found.rows if row.measure is not None and 8 <= (row.turns or 0) <= 20]
    assert len(best) == len(known)


# The file.


def test_a_written_atlas_is_read_as_it_was() -> None:
    found = atlas()["sequence-spot"]
    data = write_atlas([found])
    again = read_atlas(data)["sequence-spot"]
    assert again == found
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
