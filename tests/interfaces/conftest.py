"""Which tests run with which database.

They run with SQLite. `PARLOUR_TEST_DATABASE=postgresql` runs with PostgreSQL those for which that makes a difference:
the tests that ask for `database_kind`, or for a fixture that does.
"""

from __future__ import annotations

import pytest

from tests.support.store import DATABASE, database_kind

__all__ = ["database_kind"]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if DATABASE == "sqlite":
        return
    here = config.rootpath / "tests" / "interfaces"
    others = [
        item
        for item in items
        if item.path.is_relative_to(here) and "database_kind" not in getattr(item, "fixturenames", ())
    ]
    config.hook.pytest_deselected(items=others)
    items[:] = [item for item in items if item not in others]
