"""A hundred thousand compiled steps of every game in a batch, each compared with the referee's."""

from __future__ import annotations

import pytest

pytest.importorskip("numba")

from parlour import Batch, catalog
from parlour.rules import rules_of
from tests.support.batch import played


@pytest.mark.parametrize("key", catalog.keys())
def test_a_hundred_thousand_batch_steps_are_the_referees(key: str) -> None:
    assert played(Batch(rules_of(key), 1000, seed=5, compiled=True, threads=2, deals=50), 100) > 1000
