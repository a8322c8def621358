"""Nobody wonders whether it hangs: what is said to those who wait."""

from __future__ import annotations

import pytest

from parlour.cli import screen
from parlour.cli.screen import ADVICE, LONG_SEARCH, Progress


def test_a_long_search_without_numba_says_once_what_would_help(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(screen, "can_compile", lambda: False)
    with Progress() as progress:
        for positions in (LONG_SEARCH - 1, LONG_SEARCH, 2 * LONG_SEARCH):
            progress(positions)
    assert capsys.readouterr().err == f"{ADVICE}\n"


def test_with_numba_nothing_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("numba")
    with Progress() as progress:
        progress(2 * LONG_SEARCH)
    assert capsys.readouterr().err == ""
