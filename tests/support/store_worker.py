"""A process that uses a store; started by the tests as ``worker.py TASK URL [ID [COUNT]]``."""

from __future__ import annotations

import os
import sys
from dataclasses import replace

from parlour.store import Store, open_store


def race(store: Store, id: str, count: int) -> None:
    """Win as many changes as possible until there are so many lines; say which."""
    print("ready", flush=True)
    sys.stdin.readline()
    while True:
        before = store.load(id)
        assert before is not None
        if len(before.lines) >= count:
            return
        line = f"{os.getpid()} {before.seq}"
        after = replace(before, seq=before.seq + 1, lines=(*before.lines, line))
        if store.replace(before, after):
            print(line, flush=True)


def write(store: Store, id: str) -> None:
    """Change a match for ever, two lines each time; say so each time."""
    match = store.load(id)
    assert match is not None
    while True:
        after = replace(match, seq=match.seq + 1, lines=(*match.lines, f"a{match.seq}", f"b{match.seq}"))
        assert store.replace(match, after)
        match = after
        print(match.seq, flush=True)


def visit(store: Store, id: str) -> None:
    """Sit down at both seats, and stay until killed."""
    store.begin_visit("one", id, 1)
    store.begin_visit("two", id, 2)
    print("ready", flush=True)
    sys.stdin.readline()


def main(task: str, url: str, *rest: str) -> None:
    if task == "open":
        import alembic.command  # noqa: F401  (so that what follows takes no longer than the migration)

        print("ready", flush=True)
        sys.stdin.readline()  # all at once
    store = open_store(url)
    if task == "race":
        race(store, rest[0], int(rest[1]))
    elif task == "write":
        write(store, rest[0])
    elif task == "visit":
        visit(store, rest[0])
    store.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
