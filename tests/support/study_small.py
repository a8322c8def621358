"""The small games of tests/support/small.py as key and texts, for tests of the process pool."""

from __future__ import annotations

import pytest

from tests.support.small import FEW, rules_of

__all__ = ["rules_of", "small_games"]

small_games = pytest.mark.parametrize(("key", "texts"), [(game.key, game.texts) for game in FEW], ids=map(str, FEW))
