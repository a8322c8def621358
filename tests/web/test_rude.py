"""A rude neighbour, in short: whatever one address does, nobody else is refused or kept waiting for long."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "bench" / "rude.py"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is one loopback address")
def test_no_attack_keeps_anybody_from_playing() -> None:
    done = subprocess.run([sys.executable, BENCH, "--short"], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stdout
