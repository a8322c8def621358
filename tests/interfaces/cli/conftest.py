"""Fixtures of the command-line tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.support.terminal import MemoryPerson


@pytest.fixture
def terminal() -> Iterator[Callable[..., MemoryPerson]]:
    """Starts `parlour` at a terminal in memory, of 80 columns and 24 rows unless told otherwise."""
    people: list[MemoryPerson] = []

    def sit_down(*arguments: str, columns: int = 80, rows: int = 24, **environment: str) -> MemoryPerson:
        person = MemoryPerson(arguments, {"PAGER": "", **environment}, columns, rows)
        people.append(person)
        return person

    yield sit_down
    for person in people:
        person.close()
