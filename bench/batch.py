"""How fast games go in lock-step: beside a Python loop over the referee, and beside pgx's tic-tac-toe, in one run.

    python bench/batch.py [--games 65536] [--without-pgx] [--pgx PYTHON]

Every batch plays moves that were drawn beforehand, all of them checked, with new games after the last ones; what is
measured is the step with the masks, and with the observations, that a learner asks for after it. pgx steps through
moves drawn beforehand as well, inside one compiled loop; its step makes masks and observations, too. It is installed,
with JAX, into an environment of its own in a temporary folder, or taken from the interpreter that is named.

Both are measured in turns, and of each the best run counts: a rate on the wall, with the threads that there are, and
the processor's time for one step, all threads together, which a busy machine disturbs less. The ratios are those of the
processor's time; beside the referee, which has one thread, as many times as there are threads.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter, process_time
from typing import NamedTuple

import numpy as np

from parlour import Batch, Rules, list_games, rules_of
from parlour.kernels import can_compile

STEPS = 48  # several games of each kind
REPEATS = 6
AIM_REFEREE, AIM_PGX = 1000, 5  # times as fast, with masks: what we aim at
LEAST_REFEREE, LEAST_PGX = 500, 3  # and what we allow ourselves
JUDGED = "increasing-differences"

PGX = """
import sys, time
import jax, pgx
from pgx.experimental import auto_reset

games, steps = int(sys.argv[1]), int(sys.argv[2])
env = pgx.make("tic_tac_toe")
step = jax.vmap(auto_reset(env.step, env.init))

def draw(state, key):
    chosen, dealt = jax.random.split(key)
    logits = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
    action = jax.random.categorical(chosen, logits, axis=-1)
    keys = jax.random.split(dealt, games)
    return step(state, action, keys), (action, keys)

def play(state, drawn):
    return step(state, *drawn), None

keys = jax.random.split(jax.random.PRNGKey(1), games)
start = jax.jit(jax.vmap(env.init))(keys)
drawn = jax.jit(lambda state, keys: jax.lax.scan(draw, state, keys)[1])(start, jax.random.split(keys[0], steps))
replay = jax.jit(lambda state, drawn: jax.lax.scan(play, state, drawn)[0])
jax.block_until_ready(replay(start, drawn))
print(pgx.__version__, jax.__version__, flush=True)
for line in sys.stdin:
    wall, processor = time.perf_counter(), time.process_time()
    jax.block_until_ready(replay(start, drawn))
    print(time.perf_counter() - wall, time.process_time() - processor, flush=True)
"""


class Cost(NamedTuple):
    """Seconds for one step of one game."""

    wall: float
    processor: float

    def best(self, other: Cost) -> Cost:
        return Cost(min(self.wall, other.wall), min(self.processor, other.processor))

    @property
    def shown(self) -> str:
        return f"{1e-6 / self.wall:.0f} M/s | {self.processor * 1e9:.1f} ns"


NEVER_MEASURED = Cost(float("inf"), float("inf"))


class Played(NamedTuple):
    """A batch at its start, and moves to play from there."""

    batch: Batch
    moves: list[np.ndarray]


def drawn(rules: Rules, games: int) -> Played:
    batch = Batch(rules, games, compiled=True)
    ahead, moves = batch.copy(), []
    for _ in range(STEPS):
        moves.append(ahead.random_moves(np.empty(games, np.int64)))
        ahead.step(moves[-1])
    return Played(batch, moves)


def replay(played: Played, *asked: str) -> Cost:
    batch = played.batch.copy()
    questions = [getattr(batch, name) for name in asked]
    for ask in questions:
        ask()
    wall, processor = perf_counter(), process_time()
    for moves in played.moves:
        batch.step(moves)
        for ask in questions:
            ask()
    steps = len(batch) * STEPS
    return Cost((perf_counter() - wall) / steps, (process_time() - processor) / steps)


def referee(played: Played, games: int = 200) -> Cost:
    """The same moves in some of the games, one by one: play, see whether it is over, list the legal moves."""
    count = min(games, len(played.batch))
    every_rules = [played.batch.rules_at(game) for game in range(count)]
    wall, processor = perf_counter(), process_time()
    for game, rules in enumerate(every_rules):
        position = rules.start
        for moves in played.moves:
            position = rules.play(position, int(moves[game]))
            if rules.is_over(position):
                position = rules.start
            list(rules.legal(position))
    return Cost((perf_counter() - wall) / (count * STEPS), (process_time() - processor) / (count * STEPS))


@contextmanager
def started_pgx(python: str | None, games: int) -> Iterator[Callable[[], Cost] | None]:
    """What measures pgx once; None if it cannot be had."""
    with tempfile.TemporaryDirectory() as folder:
        if python is None:
            python = str(Path(folder) / "bin" / "python")
            print("installing pgx into a temporary folder ...", flush=True)
            subprocess.run([sys.executable, "-m", "venv", folder], check=True)
            made = subprocess.run([python, "-m", "pip", "install", "--quiet", "pgx"], capture_output=True, check=False)
            if made.returncode:
                print("pgx cannot be had here, so nothing is put beside it")
                yield None
                return
        with subprocess.Popen(
            [python, "-c", PGX, str(games), str(STEPS)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as process:
            assert process.stdin
            assert process.stdout
            stdin, stdout = process.stdin, process.stdout
            versions = stdout.readline().split()
            if len(versions) != 2:
                print("pgx does not run here, so nothing is put beside it")
                yield None
                return
            print("pgx {} with JAX {}".format(*versions))

            def once() -> Cost:
                stdin.write("\n")
                stdin.flush()
                wall, processor = map(float, stdout.readline().split())
                return Cost(wall / (games * STEPS), processor / (games * STEPS))

            yield once
            stdin.close()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=65_536)
    parser.add_argument("--without-pgx", action="store_true")
    parser.add_argument("--pgx", metavar="PYTHON", help="an interpreter that has pgx")
    given = parser.parse_args()
    if not can_compile():
        sys.exit("Numba is not installed: pip install 'parlour[fast]'")
    kinds = {
        "step alone": (),
        "with packed masks": ("packed_masks",),
        "with masks": ("masks",),
        "with masks and observations": ("masks", "observations"),
    }
    failed = False
    print("| game | | steps | processor's time for a step | times the referee |\n|---|---|---|---|---|")
    judged = {}
    for game in list_games():
        played = drawn(Batch(rules_of(game), 1, deals=1).deals[0], given.games)
        costs = dict.fromkeys(kinds, NEVER_MEASURED)
        loop = NEVER_MEASURED
        for _ in range(REPEATS):
            for kind, asked in kinds.items():
                costs[kind] = costs[kind].best(replay(played, *asked))
            loop = loop.best(referee(played))
        for kind, cost in costs.items():
            ratio = played.batch._threads * loop.processor / cost.processor
            print(f"| {game.title} | {kind} | {cost.shown} | {ratio:,.0f} |", flush=True)
        rate = f"{1e-6 / loop.wall:.2f} M/s | {loop.processor * 1e9:,.0f} ns"
        print(f"| {game.title} | the referee, one by one | {rate} | 1 |")
        if game.key == JUDGED:
            judged = {"played": played, "ratio": played.batch._threads * loop.processor / costs["with masks"].processor}
    bounds = f"at least {LEAST_REFEREE:,}, the aim is {AIM_REFEREE:,}"
    print(f"\n{JUDGED} with masks: {judged['ratio']:,.0f} times the referee ({bounds})")
    failed |= judged["ratio"] < LEAST_REFEREE
    if not given.without_pgx:
        with started_pgx(given.pgx, given.games) as pgx:
            if pgx is not None:
                theirs, ours = NEVER_MEASURED, dict.fromkeys(kinds, NEVER_MEASURED)
                for _ in range(REPEATS):
                    theirs = theirs.best(pgx())
                    for kind, asked in kinds.items():
                        ours[kind] = ours[kind].best(replay(judged["played"], *asked))
                print("| beside pgx | steps | processor's time for a step | times pgx | on the wall |")
                print("|---|---|---|---|---|")
                print(f"| its tic-tac-toe | {theirs.shown} | 1 | 1 |")
                for kind, cost in ours.items():
                    ratio = theirs.processor / cost.processor
                    print(f"| {JUDGED} {kind} | {cost.shown} | {ratio:.1f} | {theirs.wall / cost.wall:.1f} |")
                ratio = theirs.processor / ours["with masks"].processor
                print(f"\n{ratio:.1f} times pgx with masks (at least {LEAST_PGX}, the aim is {AIM_PGX})")
                failed |= ratio < LEAST_PGX
    sys.exit(failed)


if __name__ == "__main__":
    main()
