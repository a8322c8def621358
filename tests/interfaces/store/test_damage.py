"""A damaged file of SQLite: what it still tells of a match is as it was written, or refused; never shorter."""

from __future__ import annotations

from pathlib import Path

from parlour.store import open_store
from parlour.store.errors import DamagedMatch
from tests.support.damaged_files import PAGE, fill, read_damaged_copies
from tests.support.store import new_match


def test_most_of_a_damaged_file_goes_on(tmp_path: Path) -> None:
    written = fill(tmp_path / "x.db")
    data = bytearray((tmp_path / "x.db").read_bytes())
    page = data.rindex(b"35. 51") // PAGE * PAGE  # where lines are
    data[page : page + PAGE] = bytes(PAGE)
    (tmp_path / "x.db").write_bytes(data)
    store = open_store(f"sqlite:///{tmp_path}/x.db")
    lost = 0
    for id, match in written.items():
        try:
            assert store.load(id) == match
        except DamagedMatch:
            lost += 1
    assert 0 < lost < 10
    store.add(new_match("added"))
    assert store.load("added") == new_match("added")
    store.close()


def test_a_damaged_file_is_read_rightly_or_refused(tmp_path: Path) -> None:
    read_damaged_copies(tmp_path, 5)  # tests/proofs/test_damaged_files.py reads 600
