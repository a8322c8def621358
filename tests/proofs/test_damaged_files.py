"""Many damaged copies of a SQLite file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.damaged_files import read_damaged_copies


@pytest.mark.parametrize("count", [100, 110, 120, 130, 140])
def test_a_damaged_file_is_read_rightly_or_refused(tmp_path: Path, count: int) -> None:
    """The count is the seed as well."""
    read_damaged_copies(tmp_path, count)
