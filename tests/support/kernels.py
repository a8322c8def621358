"""Programs that count what Numba compiles, as processes."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

COUNTING = """
import json, sys
from numba.core import event

class Compilations(event.Listener):
    count = 0
    def on_start(self, event): self.count += 1
    def on_end(self, event): pass

compilations = Compilations()
event.register("numba:compile", compilations)
"""

EVERYTHING = (
    COUNTING
    + """
import numpy as np
import parlour
from parlour.kernels import compile
answers = []
for key in sys.argv[1:]:
    match = parlour.new_match(key, seed="1")
    rules = match.rules
    answers.append(compile.CompiledSearch(rules).at_least(match.position, 1, 20_000, 1 << 30))
    fill = compile.CompiledFill(rules)
    answers.append([fill.fill(match.position, 5_000), len(fill)])
    answers.append(compile.playout_kernel(rules.game)(rules.options, match.position, 100, 7))
print(json.dumps([answers, compilations.count]))
"""
)


def start(code: str, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(process: subprocess.Popen[str]) -> Any:
    told, complaint = process.communicate(timeout=120)
    assert (process.returncode, complaint) == (0, "")
    return json.loads(told)
