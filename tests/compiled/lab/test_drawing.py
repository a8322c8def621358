"""Maps of the atlas as pictures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from parlour.lab.atlas import SHADES, atlas, shown
from tests.support.command import Run

pytest.importorskip("matplotlib")
from parlour.lab.atlas import draw_map

every_map = pytest.mark.parametrize("key", sorted(atlas()))


@every_map
@pytest.mark.parametrize("shade", ["winner", "contest"])
def test_the_same_map_makes_the_same_picture(key: str, shade: str) -> None:
    found = atlas()[key]
    picture = draw_map(found, shade)
    assert draw_map(found, shade) == picture
    words = [text.strip() for text in ElementTree.fromstring(picture).itertext() if text.strip()]
    for row in found.rows:
        assert (shown(row, shade)[0] or "?") in words
    assert b"<dc:date>" not in picture
    assert b"<image" not in picture


def test_the_command_draws_maps(run: Callable[..., Run], tmp_path: Path) -> None:
    drawn = run("atlas", "double", "-o", str(tmp_path / "maps")).out.split()
    assert drawn == [str(tmp_path / "maps" / f"double-up-{shade}.svg") for shade in SHADES]
    assert all(Path(name).stat().st_size > 1000 for name in drawn)
