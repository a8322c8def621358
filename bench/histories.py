"""Many clients, many faults, and afterwards the question whether what they saw is possible: docs/histories.md.

``python -m bench.histories --minutes 10 --database postgresql`` plays for so long, prints what happened, and ends
with 1 if the history is impossible; it is then kept, as lines of JSON.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import secrets
import sys
from pathlib import Path

from tests.support.histories.faults import House
from tests.support.histories.run import play


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--clients", type=int, default=12)
    parser.add_argument("--servers", type=int, help="2 on PostgreSQL, 1 on SQLite, if left out")
    parser.add_argument("--seed", default=secrets.token_hex(4), help="of the clients' choices and of the faults")
    parser.add_argument("--fault", action="append", help="only faults of this kind; may be given several times")
    parser.add_argument("--keep", type=Path, help="where to keep the history, even if it is possible")
    asked = parser.parse_args()
    servers = asked.servers or (2 if asked.database == "postgresql" else 1)
    house = House(asked.database, servers, with_disk=True)
    try:
        if house.disk is not None and not house.disk.is_there:
            print("there is no C compiler, so the disk is neither full nor slow")
        print(f"{asked.database}, servers: {servers}, clients: {asked.clients}, seed {asked.seed}", flush=True)
        plan = itertools.cycle(asked.fault) if asked.fault else None
        result = asyncio.run(play(house, asked.seed, clients=asked.clients, seconds=asked.minutes * 60, plan=plan))
    finally:
        house.close()
    print("\n".join(result.lines()))
    if result.violations or asked.keep:
        kept = asked.keep or Path(f"history-{asked.seed}.jsonl")
        result.history.write(kept)
        print(f"the history is kept in {kept}")
    return 1 if result.violations else 0


if __name__ == "__main__":
    sys.exit(main())
