"""Damaged SQLite files: what is still read of a match is as it was written, or refused; never shorter."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

from parlour.store import StoredMatch, open_store
from parlour.store.errors import BadDatabase, DamagedMatch
from tests.support.store import new_match

PAGE = 4096


def fill(path: Path) -> dict[str, StoredMatch]:
    """Sixty matches of up to 80 lines, in several pages of the file."""
    store = open_store(f"sqlite:///{path}")
    written = {}
    for number in range(60):
        lines = tuple(f"{ply}. {ply * 7 % 97}" for ply in range(1, 2 + number * 3 % 80))
        match = new_match(f"match{number:05}", lines=lines, offer="undo 1" if number % 2 else "")
        store.add(match)
        written[match.id] = match
    store.close()
    return written


def damaged(data: bytes, random: Random, count: int) -> Iterator[bytes]:
    """The file with a bit flipped, a byte or a few overwritten, a page emptied, or its end missing."""
    for number in range(count):
        copy = bytearray(data)
        place = random.randrange(len(copy)) if random.random() < 0.7 else random.randrange(PAGE)  # where the schema is
        page = place // PAGE * PAGE
        match number % 5:
            case 0:
                copy[place] ^= 1 << random.randrange(8)
            case 1:
                copy[place] = random.randrange(256)
            case 2:
                copy[place : place + 16] = random.randbytes(16)
            case 3:
                copy[page : page + PAGE] = bytes(PAGE)
            case 4:
                del copy[max(place, 1) :]
        yield bytes(copy[: len(data)])


def read_damaged_copies(folder: Path, count: int) -> None:
    """Read this many damaged copies of a database."""
    written = fill(folder / "whole.db")
    right = refused = 0
    file = folder / "damaged.db"
    for data in damaged((folder / "whole.db").read_bytes(), Random(count), count):
        for left in folder.glob("damaged.db*"):
            left.unlink()
        file.write_bytes(data)
        try:
            store = open_store(f"sqlite:///{file}")
        except BadDatabase as error:
            assert "\n" not in str(error)
            continue
        for id, match in written.items():
            try:
                assert store.load(id) == match
                right += 1
            except DamagedMatch as error:
                assert "\n" not in str(error)
                refused += 1
        store.close()
    assert right > refused > 0  # both were seen
