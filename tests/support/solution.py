"""The document of ``parlour solve --json``."""

from __future__ import annotations

from typing import Any


def check_solution(document: dict[str, Any], key: str) -> None:
    """Check the fields of a solution of a game's first position, and that they agree with each other."""
    about = ["game", "options", "moves", "position", "to_move"]
    assert list(document) == [*about, "value", "plies", "choices", "left_out", "line", "about"]
    assert document["game"] == key
    assert document["to_move"] == 1
    assert document["moves"] == []
    assert document["value"] in ("win", "draw", "loss")
    assert (document["plies"] is None) == (document["value"] == "draw")
    for choice in document["choices"]:
        assert list(choice) == ["move", "value", "plies", "keeps", "best", "line"]
        assert choice["plies"] is None or choice["plies"] == len(choice["line"]) + 1
    best = [choice for choice in document["choices"] if choice["value"] == document["value"]]
    assert best
    assert best == [choice for choice in document["choices"] if choice["keeps"]]
    assert [choice["plies"] for choice in best if choice["best"]]
    assert all((choice["plies"] == document["plies"]) == choice["best"] for choice in best)
    (quickest, *_) = [choice for choice in best if choice["best"]]
    whole = [quickest["move"], *quickest["line"]]
    assert document["line"] == whole[: len(document["line"])]
    assert len(document["line"]) == (document["plies"] or len(document["line"]))
    assert document["left_out"] == 0
    if document["value"] == "win":
        assert document["plies"] == min(choice["plies"] for choice in best)
