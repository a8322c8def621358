"""A flaky test is a finding: few tests may be rerun, each says why, and where data is kept none may."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.support import ROOT

MOST = 15
NEVER = ("store", "service", "histories")


def flaky_marks() -> Iterator[tuple[Path, dict[str, object]]]:
    """Every call of `pytest.mark.flaky` in the tests, with its arguments."""
    for path in sorted((ROOT / "tests").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if "mark.flaky" in text else ():
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.flaky":
                yield path, {str(word.arg): ast.literal_eval(word.value) for word in node.keywords}


def test_few_tests_are_marked_flaky_and_each_gives_a_reason() -> None:
    marks = list(flaky_marks())
    assert len(marks) <= MOST
    for path, words in marks:
        assert words.get("reason"), path
        assert words.get("reruns") in (1, 2), path


def test_no_test_of_kept_data_is_rerun() -> None:
    assert [path for path, _ in flaky_marks() if any(word in str(path.relative_to(ROOT)) for word in NEVER)] == []
