"""Rebuild the puzzle archive from all games, which takes some minutes.

python tools/make_puzzles.py -o FILE [--seed N] [--keep FILE] [--processes N]
"""

from __future__ import annotations

import click

from parlour.cli.files import write_whole
from parlour.study.archive_file import read_archive
from parlour.study.making import make_archive
from parlour.text import counted
from parlour.workers import cores, processes


@click.command()
@click.option("-o", "--output", metavar="FILE", required=True, help="the file to write")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="the same seed gives the same file")
@click.option("--keep", metavar="FILE", help="an archive whose puzzles keep their numbers; new ones come after them")
@click.option("--processes", "count", type=click.IntRange(1, 64), default=cores(), show_default="one for each core")
def main(output: str, seed: int, keep: str | None, count: int) -> None:
    """Rebuild the puzzle archive."""
    previous = None
    if keep is not None:
        with open(keep, "rb") as file:
            previous = read_archive(file.read())
    with processes(count) as workers:
        data = make_archive(seed, workers, previous, lambda line: click.echo(line, err=True))
    write_whole(output, data)
    click.echo(f"{counted(len(read_archive(data)), 'puzzle')}, {len(data):,} bytes: {output}")


if __name__ == "__main__":
    main()
