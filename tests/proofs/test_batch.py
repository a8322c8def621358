"""A hundred thousand compiled steps of every game in a batch, each compared with the referee's."""

from __future__ import annotations

from typing import Any

import pytest

from parlour import Batch, catalog
from parlour.rules import rules_of
from tests.support.batch import played


@pytest.mark.parametrize("runtime", ["wasm", "native"])
@pytest.mark.parametrize("key", catalog.keys())
def test_a_hundred_thousand_batch_steps_are_the_referees(key: str, runtime: Any) -> None:
    assert played(Batch(rules_of(key), 1000, seed=5, runtime=runtime, threads=2, deals=50), 100) > 1000
