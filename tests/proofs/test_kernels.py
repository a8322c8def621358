"""Every kernel of every game is compiled once, and loaded by the next process."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("numba")

from parlour import catalog
from tests.support.kernels import EVERYTHING, finish, start


def test_every_kernel_of_every_game_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLOUR_KERNELS", str(tmp_path / "kernels"))
    keys = list(catalog.keys())
    apart = [finish(start(EVERYTHING, key)) for key in keys]
    assert all(compiled > 0 for _, compiled in apart)
    together = finish(start(EVERYTHING, *keys))
    assert together == [[answer for answers, _ in apart for answer in answers], 0]
