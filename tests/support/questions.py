"""Questions to practise with, made for tests."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from parlour import catalog
from parlour.web.messages import PracticeRequest


def broad_question(lines: int = 300) -> PracticeRequest:
    """A question of 40 KB which the rules allow, and whose boards would take 120 MB to show."""
    last = 21
    wrong = {str(move): [str(move + more) for more in range(1, lines)] for move in range(last + 2, 2 * last + 1)}
    return practice_of(range(2, last + 1), {"right": {str(last + 1): []}, "wrong": wrong})


def practice_of(moves: Iterable[int], stage: dict[str, Any]) -> PracticeRequest:
    version = catalog.find_game("double-up").version
    head = {"game": "double-up", "version": version, "options": {"limit": "none"}, "goal": "win"}
    return PracticeRequest(question={**head, "moves": [str(move) for move in moves], "stages": [stage]})
