"""The script that prints measures of the source, on small made-up sources."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support import ROOT
from tests.support.scripts import load_script

Report = Callable[..., list[str]]
COUNTS = load_script(ROOT / "tools" / "counts.py")
MAX_FRAGMENTS = 0  # lower these whenever `make counts` prints less
MAX_HOUSE_WORDS = 7


@pytest.fixture
def report(tmp_path: Path) -> Report:
    def write_and_report(**sources: str) -> list[str]:
        for name, source in sources.items():
            path = tmp_path / f"{name.replace('__', '/')}.py"
            path.parent.mkdir(exist_ok=True)
            path.write_text(source)
        return list(COUNTS.report(tmp_path))

    return write_and_report


def declared(name: str, fields: str) -> str:
    return f"class {name}:\n" + "".join(f"    {field}: int\n" for field in fields)


@pytest.mark.parametrize(
    ("one", "two", "twins"),
    [
        ("abcd", "abcd", 1),
        ("abc", "abc", 0),  # too few
        ("abcdef", "abcdxy", 1),  # 67 % of both
        ("abcdef", "abcdxyz", 0),  # 57 % of the larger one
        ("abcd", "wxyz", 0),
    ],
)
def test_twin_classes_share_most_fields(report: Report, one: str, two: str, twins: int) -> None:
    found = report(left=declared("Left", one), right=declared("Right", two))
    assert f"Twin classes: {twins}" in found
    if twins:
        assert found[1].startswith("  Left (left.py:1), Right (right.py:1): 4 of ")


def test_classes_of_one_file_are_no_twins(report: Report) -> None:
    assert "Twin classes: 0" in report(both=declared("Left", "abcd") + declared("Right", "abcd"))


POSITION = """
def reach(rules, moves):
    position = rules.start
    for move in moves:
        position = rules.play(position, move)
    return position
"""
MATCH = """
def reach(setup, moves):
    match = Match(setup)
    for move in moves:
        match.play(move)
    return match
"""


@pytest.mark.parametrize(
    ("source", "loops"),
    [
        (POSITION, 1),
        (MATCH, 1),
        (POSITION.replace("play", "after"), 1),
        (POSITION.replace("rules.start", "rules.middle"), 0),
        (POSITION.replace("position, move)", "position, 3)"), 0),
        (POSITION.replace("    return", "        print(move)\n    return"), 0),
        (MATCH.replace("Match(setup)", "setup.copy()"), 0),
        (MATCH.replace("match.play", "match.show"), 0),
    ],
)
def test_hand_loops_play_moves_from_the_start(report: Report, source: str, loops: int) -> None:
    found = report(walk=source)
    assert f"Hand loops that replay moves from the start: {loops}" in found
    assert ("  walk.py:4" in found) == bool(loops)


def test_lines_are_counted(report: Report) -> None:
    found = report(
        documents__card=declared("Card", "ab"),
        study="def card(x) -> list[Card]:\n    return [x]\n\n\ndef other(x) -> int:\n    return x\n",
        web__long="x = 1\n" * 601,
    )
    assert "Lines of documents/ and of converters: 3 + 2 = 5" in found
    assert "Modules above 600 lines: 1" in found
    assert "  web/long.py: 601" in found
    assert "Python without web/ service/ store/: 9 lines in 2 files" in found


def test_the_documented_measures_are_current() -> None:
    """Otherwise: make counts, and docs/architecture.md."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    now = {
        row[1].strip().partition(",")[0]: row[3].strip()
        for row in (line.split("|") for line in page.splitlines())
        if len(row) == 5
    }
    package = ROOT / "src" / "parlour"
    lines = [*COUNTS.report(package), *load_script(ROOT / "tools" / "subset.py").report(package)]
    counted = {line.partition(":")[0]: line.partition(":")[2] for line in lines if not line.startswith(" ")}
    assert counted["Twin classes"].strip() == now["twin classes"]
    assert (
        counted["Hand loops that replay moves from the start"].strip()
        == now["hand-written loops that play moves from the start"]
    )
    assert counted["Lines of documents/ and of converters"].endswith(
        f"= {now['lines of `documents/` and of converters']}"
    )
    assert counted["Modules above 600 lines"].strip() == now["modules above 600 lines"]
    places = int(counted["Places outside the portable subset"].split()[0])
    assert places == int(now["places outside the portable subset"])


def test_fragments_and_house_words_are_found(report: Report) -> None:
    found = report(
        chess="# That is a sentence. Nobody minds.\n# which goes on here\nMOST = 3  # of them, that is\n",
        web__page="# that the page has\n",
    )
    assert found[-4:] == [
        "Fragments in comments without web/: 1",
        "  chess.py:3",
        "House words without web/: 1",
        "  chess.py:1: Nobody",
    ]


def test_fragments_and_house_words_become_fewer() -> None:
    lines = COUNTS.report(ROOT / "src" / "parlour")
    counted = {line.partition(":")[0]: line.partition(": ")[2] for line in lines if not line.startswith(" ")}
    assert int(counted["Fragments in comments without web/"]) <= MAX_FRAGMENTS
    assert int(counted["House words without web/"]) <= MAX_HOUSE_WORDS
