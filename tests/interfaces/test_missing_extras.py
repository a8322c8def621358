"""An adapter without its extra says in one line what to install, as an error of ours that is an ImportError as well."""

from __future__ import annotations

import importlib
import sys

import pytest

from parlour.errors import MissingExtra, ParlourError


@pytest.mark.parametrize(
    ("adapter", "library", "extra"),
    [
        ("pettingzoo", "pettingzoo", "rl"),
        ("gymnasium", "gymnasium", "rl"),
        ("gymnasium_vector", "gymnasium", "rl"),
        ("ggbench", "gymnasium", "rl"),
        ("openspiel", "pyspiel", "openspiel"),
        ("mcp", "mcp", "mcp"),
        ("mcp", "pydantic_core", "mcp"),
        ("pettingzoo", "numpy", "rl"),
    ],
)
def test_it_says_which_extra_to_install(
    adapter: str, library: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, f"parlour.adapters.{adapter}", raising=False)
    monkeypatch.setitem(sys.modules, library, None)  # so that importing it fails
    with pytest.raises(
        ImportError, match=rf"^this adapter needs \w+; install it with: .* -m pip install .*\[{extra}\]'$"
    ):
        importlib.import_module(f"parlour.adapters.{adapter}")


def test_pixels_need_pillow(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numpy")
    from parlour.adapters.pixels import draw

    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(MissingExtra, match="needs Pillow") as refused:
        draw("<svg/>")
    assert isinstance(refused.value, ParlourError)
    assert refused.value.extra == "rl"
