"""The engines that are shipped are what their sources make."""

from __future__ import annotations

import pytest

from parlour import catalog
from parlour.engine import artefacts
from parlour.engine.build import build

pytest.importorskip("ziglang", reason="rebuilding an engine needs ziglang: the extra compile")


@pytest.mark.parametrize("key", catalog.keys())
def test_rebuilt_engines_have_the_same_bytes(key: str) -> None:
    for name, content in build(catalog.find_game(key)).items():
        assert content == (artefacts.FOLDER / name).read_bytes(), "make engine"
