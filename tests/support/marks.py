"""Which of many cases a short run tries. With --slow all of them are tried."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest

from parlour import catalog


def quickly(names: str, cases: Iterable[Any], *quick: Any, ids: Any = None) -> pytest.MarkDecorator:
    """Parametrize, as pytest does: a short run tries only the quick ones of these cases."""
    cases = list(cases)
    assert all(case in cases for case in quick)
    return _marked(names, cases, [case in quick for case in cases], ids)


def thinned(names: str | Sequence[str], cases: Iterable[Any], ids: Any = None) -> pytest.MarkDecorator:
    """Parametrize, as pytest does: a short run tries every third of these cases."""
    cases = list(cases)
    return _marked(names, cases, [place % 3 == 0 for place in range(len(cases))], ids)


def _marked(names: str | Sequence[str], cases: list[Any], quick: list[bool], ids: Any) -> pytest.MarkDecorator:
    several = not isinstance(names, str) or "," in names
    marked = [
        pytest.param(*(case if several else (case,)), marks=() if is_quick else pytest.mark.slow)
        for case, is_quick in zip(cases, quick, strict=True)
    ]
    return pytest.mark.parametrize(names, marked, ids=ids)


every_game = quickly("game", catalog.keys(), "sequence-builder")
