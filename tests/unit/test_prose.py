"""docs/check_prose.py finds mistakes that are planted here."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.support import ROOT


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("check_prose", ROOT / "docs" / "check_prose.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["check_prose"] = module  # where a NamedTuple looks for its annotations
    spec.loader.exec_module(module)
    return module


check_prose = load()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A directory laid out like the project, without a word in it."""
    for folder in ("docs", "src/parlour/games", "src/parlour/web/page"):
        (tmp_path / folder).mkdir(parents=True)
    return tmp_path


@pytest.mark.parametrize("rule", check_prose.read_rules(), ids=lambda rule: rule.example[:30])
def test_every_rule_finds_its_example_wherever_we_speak(rule: Any, project: Path) -> None:
    written = {
        "README.md": f"# Title\n\nFine words.\n\n- {rule.example}\n",
        "docs/play.md": f"| A | B |\n|---|---|\n| a | {rule.example} |\n",
        "src/parlour/games/chess.py": f'"""Rules.\n\n{rule.example}\n"""\n\nX = {rule.example!r}\n',
        "src/parlour/web/page/home.js": f"const x = html`<p>{rule.example}</p>`;\n",
    }
    for name, text in written.items():
        (project / name).write_text(text)
    found = [line.partition(": ")[0] for line in check_prose.findings(project)]
    assert set(found) == {
        "README.md:5",
        "docs/play.md:3",
        "src/parlour/games/chess.py:1",
        "src/parlour/games/chess.py:6",
        "src/parlour/web/page/home.js:1",
    }


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("README.md", "```console\n$ he is no player; who cannot go on\n```\n"),
        ("README.md", "Call it `ply` or `plies`: that is no longer said.\n"),
        ("README.md", "# Who can play\n\nWho can play here?\n"),
        ("docs/json.md", "It goes up with every ply.\n"),  # for programs
        ("src/parlour/match.py", "plies = 3  # what would do\nx = 'plies'\n"),
        ("src/parlour/web/page/chart.js", "// he is no player\nconst plies = ({ ply }) => ply > 3 ? ply : plies;\n"),
    ],
)
def test_code_and_good_english_are_let_alone(name: str, text: str, project: Path) -> None:
    (project / name).write_text(text)
    assert check_prose.findings(project) == []
