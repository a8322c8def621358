"""Larger samples of the atlas, checked against the rules and measured again."""

from __future__ import annotations

import pytest

from parlour.lab.atlas import atlas
from tests.support.atlas import LARGE, SMALL, drawn, is_what_the_rules_say, measured_again, without_costs

every_map = pytest.mark.parametrize("key", sorted(atlas()))


@every_map
def test_a_sample_is_what_the_rules_say(key: str) -> None:
    found = atlas()[key]
    most = {"sequence-spot": 5_200, "double-up": SMALL}.get(key, 400)  # of which minimax does not go too deep
    rows = drawn(found, most, 3)
    assert len(rows) == 3
    for row in rows:
        is_what_the_rules_say(found, row)


@every_map
def test_a_larger_sample_is_measured_again(key: str) -> None:
    found = atlas()[key]
    for row in drawn(found, LARGE, 8):
        assert measured_again(found, row) == without_costs(row)
