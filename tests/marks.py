"""Which of many cases a short run tries."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from parlour import catalog


def quickly(names: str, cases: Iterable[Any], *quick: Any, ids: Any = None) -> pytest.MarkDecorator:
    """Parametrize over these cases, of which only the quick ones are tried in a short run; all of them with --slow."""
    cases = list(cases)
    assert all(case in cases for case in quick)
    several = "," in names
    return pytest.mark.parametrize(
        names,
        [
            pytest.param(*(case if several else (case,)), marks=() if case in quick else pytest.mark.slow)
            for case in cases
        ],
        ids=ids,
    )


every_game = quickly("game", catalog.keys(), "sequence-builder")
