"""Every game and variant at windows of every size, played to a decided end: every screen fits and is complete."""

from __future__ import annotations

import pytest

from parlour import catalog
from tests.support.screens import check_screens
from tests.support.terminal import memory_terminals

pytest.importorskip("pyte")

VARIANTS = [
    (game.key, options) for game in catalog.list_games() for options in ("", *(v.words for v in game.content.variants))
]


@pytest.mark.parametrize(
    ("columns", "rows", "key", "options"),
    [
        pytest.param(*size, key, options, id=f"{key} {options} {size[0]}x{size[1]}")
        for size in ((80, 24), (40, 16), (120, 40))
        for key, options in VARIANTS
    ],
)
def test_every_screen_of_a_game(columns: int, rows: int, key: str, options: str) -> None:
    with memory_terminals() as terminal:
        check_screens(terminal, columns, rows, key, options)
