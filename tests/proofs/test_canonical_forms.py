"""Canonical forms of larger games than those of tests/unit/games."""

from __future__ import annotations

import pytest

from tests.support.canonical_forms import check_forms


@pytest.mark.parametrize(("length", "highest"), [(4, 7), (5, 8), (8, 8), (3, 9)])
def test_canonical_forms_of_increasing_differences_are_found_by_exhaustive_search(length: int, highest: int) -> None:
    check_forms(length, highest)
