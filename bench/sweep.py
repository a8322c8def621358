"""How much faster two processes sweep than one, and what a cluster costs: ratios within one run.

    python bench/sweep.py          both
    python bench/sweep.py two      the same rows in one process and in two
    python bench/sweep.py cluster  jobs of a second, on a cluster of two processes on this machine

Other work on the machine makes a clock run on while nothing is done here, so what counts is processor time. A sweep in
two processes takes, where nobody else wants the cores, as long as the busier of the two works, and whoever gives them
their work besides. The ratio of the clock stands beside it; on a machine that is free they agree. What is lost between
two jobs of a worker is waiting, which no processor counts: there it is the clock, and the median of all jobs, so that
a pause of the machine's own does not matter. And part of what a cluster does it does by the clock: that is counted only
for as long as the jobs would have taken on free cores.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import defaultdict
from concurrent.futures import Executor
from itertools import pairwise
from statistics import median
from time import perf_counter, process_time, sleep, thread_time, time
from typing import NamedTuple

import psutil

from parlour import catalog
from parlour.lab.measures import DEFAULT_METHOD, Budget, Row, Task, measure
from parlour.lab.results import MEMORY, open_results
from parlour.lab.sweep import combine, head_of, missing_tasks
from parlour.parallel import LOCAL_CLUSTER, ProcessExecutor, dask_executor, run

LEAST_SPEED_UP = 1.8
MOST_OVERHEAD = 0.05
OPTIONS = {"length": ["4-8"], "range": ["13-17"]}  # half a minute of work or more, most of it in a few rows
JOBS = 40  # of a second
IDLE = 5  # seconds in which a cluster is watched that has nothing to do
BUDGET = Budget(600.0, 1 << 30)


class Worked(NamedTuple):
    """A job that is done: who did it, when it began and ended, and the processor time by then."""

    process: int
    begun: float
    ended: float
    before: float
    after: float
    row: Row | None = None


def measured(task: Task) -> Worked:
    begun, before = time(), process_time()
    row = measure(task)
    return Worked(os.getpid(), begun, time(), before, process_time(), row)


def a_second(number: int) -> Worked:
    """A second of processor time, spent as a search spends it: without a pause."""
    begun, before = time(), thread_time()
    while thread_time() - before < 1:
        number = (number * 1103515245 + 12345) % (1 << 31)
    return Worked(os.getpid(), begun, time(), before, thread_time())


def rows_of(executor: Executor | None, tasks: list[Task]) -> tuple[float, float, list[str]]:
    """The clock and the longest path in processor time, in seconds, and the digests."""
    begun, own = perf_counter(), process_time()
    found = [done for _, done in run(measured, tasks, executor)]
    clock, own = perf_counter() - begun, process_time() - own
    alone = {done.process for done in found} == {os.getpid()}
    busiest = 0.0 if alone else max(done.after for done in found)
    return clock, own + busiest, sorted(done.row.digest for done in found if done.row)


def two() -> bool:
    game = catalog.find_game("increasing-differences")
    found = combine(game, OPTIONS)
    with open_results(MEMORY, head_of(found.rules[0], DEFAULT_METHOD)) as results:
        tasks = [task for task, _ in missing_tasks(game, found, DEFAULT_METHOD, BUDGET, results)]
    rows_of(None, tasks[-2:])  # loads the engine
    clock, path, digests = rows_of(None, tasks)
    with ProcessExecutor(2) as pair:
        clock_of_two, path_of_two, digests_of_two = rows_of(pair, tasks)
    assert digests == digests_of_two
    print(f"{len(tasks)} rows: {path:.1f} s of processor time in one process,")
    print(f"{path_of_two:.1f} s on the longest path in two: {path / path_of_two:.2f} times as fast", end="")
    print(f" (by the clock {clock:.1f} s and {clock_of_two:.1f} s, {clock / clock_of_two:.2f} times)")
    return path / path_of_two >= LEAST_SPEED_UP


def spent() -> float:
    """Processor time of this process and of all that it has started."""
    family = [psutil.Process(), *psutil.Process().children(recursive=True)]
    return sum(times.user + times.system for times in (process.cpu_times() for process in family))


def on_a_cluster() -> bool:
    with dask_executor(LOCAL_CLUSTER, 2) as (executor, workers):
        list(run(a_second, range(4), executor))  # they have come, and know the job
        before = spent()
        sleep(IDLE)
        by_the_clock = (spent() - before) / IDLE  # what a cluster does that has nothing to do
        before, begun = spent(), perf_counter()
        found = [done for _, done in run(a_second, range(JOBS), executor)]
        besides, clock = spent() - before, perf_counter() - begun
    useful = sum(done.after - done.before for done in found)
    besides -= useful
    # On free cores it would have been over sooner, and so would what goes by the clock.
    by_the_job = max(0.0, besides - by_the_clock * clock)
    work = (by_the_job + by_the_clock * useful / workers) / useful
    by_worker: dict[int, list[Worked]] = defaultdict(list)
    for done in sorted(found, key=lambda done: done.begun):
        by_worker[done.process].append(done)
    gaps = [
        (later.begun - earlier.ended) / (later.ended - later.begun)
        for jobs in by_worker.values()
        for earlier, later in pairwise(jobs)
    ]
    waiting = median(gaps)
    print(
        f"{JOBS} jobs of a second on {len(by_worker)} workers of a cluster: {100 * work:.1f} % more processor time",
        end="",
    )
    print(f" for scheduler, client and workers together, and {100 * waiting:.1f} % of a job's time between two jobs")
    return max(work, waiting) <= MOST_OVERHEAD


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", nargs="?", choices=("two", "cluster"))
    what = parser.parse_args().what
    kept = [two() for _ in range(what != "cluster")] + [on_a_cluster() for _ in range(what != "two")]
    sys.exit(0 if all(kept) else "slower than it is to be")
