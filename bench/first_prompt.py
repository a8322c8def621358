"""How long until the first prompt: `parlour play double-up < /dev/null` against `python -c pass`, side by side.

Run it with: make bench
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from time import perf_counter

REPEATS = 15
MOST = 8.0  # what we allow ourselves, as a multiple of a bare interpreter


def once(*command: str, **environment: str) -> float:
    """Wall time in seconds of one run of the interpreter with these arguments."""
    begin = perf_counter()
    subprocess.run(
        [sys.executable, *command],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env={**os.environ, **environment},
        check=False,
    )
    return perf_counter() - begin


def measure() -> tuple[float, float]:
    """The fastest run of each, in turns, so that both meet the same machine."""
    # Where Python may not keep bytecode the compiler would be measured; an installed package has its bytecode.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    bare, prompt = [], []
    with tempfile.TemporaryDirectory() as state:
        for _ in range(REPEATS):
            bare.append(once("-c", "pass"))
            prompt.append(once("-m", "parlour", "play", "double-up", XDG_STATE_HOME=state))
    return min(bare), min(prompt)


def main() -> None:
    bare, prompt = measure()
    print(f"python -c pass                        {bare * 1000:6.1f} ms")
    times = f"{prompt / bare:.1f} times (at most {MOST:g})"
    print(f"parlour play double-up < /dev/null    {prompt * 1000:6.1f} ms    {times}")
    sys.exit(prompt / bare > MOST)


if __name__ == "__main__":
    main()
