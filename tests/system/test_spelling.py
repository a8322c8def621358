"""codespell, with our settings, finds a planted mistake."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import ROOT


def test_a_wrong_letter_is_found(tmp_path: Path) -> None:
    pytest.importorskip("codespell_lib")
    page = tmp_path / "README.md"
    command = [sys.executable, "-m", "codespell_lib", "--toml", str(ROOT / "pyproject.toml")]
    command += ["-D", "-", "-D", str(ROOT / "docs" / "words.txt"), str(page)]
    page.write_text("Take a number from the pool. Colour and centre are right.\n")
    assert subprocess.run(command, check=False, capture_output=True).returncode == 0
    page.write_text("Take a nubmer from the pool.\n")
    found = subprocess.run(command, check=False, capture_output=True, text=True)
    assert found.returncode != 0
    assert "nubmer ==> number" in found.stdout
