"""A process that is forked, as some learners do with their environments, can use engines that its parent has used."""

from __future__ import annotations

import subprocess
import sys

import pytest

SCRIPT = """
import os, sys
from parlour import rules_of, tabulate
from parlour.batch.lockstep import Batch

def ask(key):
    rules = rules_of(key)
    batch = Batch(rules_of("double-up"), 3, runtime="wasm")
    batch.step(batch.random_moves())
    return len(tabulate(rules, runtime="wasm"))

assert ask("sequence-builder") == ask("sequence-builder")
child = os.fork()
if not child:
    sys.stdout.write(str(ask("sequence-builder") > 0 and ask("pyramid-challenge") > 0))  # the second is compiled here
    sys.stdout.flush()
    os._exit(0)
sys.exit(os.waitpid(child, 0)[1])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")
def test_a_fork_can_use_engines() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], check=False, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, "True"), done.stderr
