"""Measures the squares of the atlas and writes the file that is shipped: ``src/parlour/lab/atlas.gz``.

Run it with: make atlas

The sweeps stay in a folder, so that whatever stops this, the next run goes on; by default it is build/atlas. A square
that does not fit its seconds says so in the file; a run with more of them tries those again.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
from pathlib import Path

import parlour
from parlour.lab.atlas import read_map, sweep_command, write_atlas

FILE = Path(__file__).parent.parent / "src" / "parlour" / "lab" / "atlas.gz"
SECONDS = 240.0  # that a square may take


def main() -> None:
    parser = argparse.ArgumentParser(description="Make the atlas.")
    parser.add_argument("folder", nargs="?", type=Path, default=Path("build/atlas"))
    parser.add_argument("--seconds", type=float, default=SECONDS, help="that a square may take")
    parser.add_argument("--measured", action="store_true", help="measure nothing; use what is in the folder")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    maps = []
    for game in parlour.list_games():
        if game.content.atlas is None:
            continue
        path = given.folder / f"{game.key}.sweep"
        if not given.measured:
            words = shlex.split(sweep_command(game, given.seconds))[1:-1]  # without "parlour" and FILE
            subprocess.run([sys.executable, "-m", "parlour", *words, str(path)], check=True)
        maps.append(read_map(str(path), game))
    FILE.write_bytes(write_atlas(maps))
    squares = sum(len(each.rows) for each in maps)
    print(f"{FILE.name}: {squares} squares, {sum(each.left_out for each in maps)} of them not whole")


if __name__ == "__main__":
    main()
