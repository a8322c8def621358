"""The speed of batches as native code and in WebAssembly, beside the referee and pgx's tic-tac-toe, in one run.

    python bench/batch.py [--games 65536] [--repeats 12] [--without-pgx] [--pgx PYTHON] [--beside FOLDER]

``--beside`` names the source of another version of Parlour (its ``src``), which is measured in turns with this one.

Every batch plays moves that were drawn beforehand, all of them checked, and begins new games after finished ones. A
step is measured alone, with the masks and with the observations that a learner asks for after it. pgx steps through
moves drawn beforehand as well, inside one compiled loop, and makes masks and observations too. It is installed, with
JAX, into an environment of its own in a temporary folder, unless an interpreter is named that has it.

All are measured in turns, and of each step the best run counts. A cell is the processor time of one step of one game,
all threads together. In brackets: how many times as fast all threads are as the referee, which has one thread, and how
many times as fast as the other version.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from statistics import mean
from time import perf_counter, process_time
from typing import Any, NamedTuple

import numpy as np

from parlour import Batch, Rules, list_games, rules_of
from runtimes import LABELS, serve, started

STEPS = 48  # several games of each kind
REPEATS = 12
AIM_REFEREE, AIM_PGX = 1000, 5  # times as fast, with masks: what we aim at
LEAST_REFEREE, LEAST_PGX = 500, 3  # and what we allow ourselves
JUDGED = "increasing-differences"
KINDS: dict[str, tuple[str, ...]] = {
    "step alone": (),
    "with packed masks": ("packed_masks",),
    "with masks": ("masks",),
    "with masks and observations": ("masks", "observations"),
}

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
    """Seconds for each step of one game, measured one by one: most are short enough to be disturbed by nobody."""

    walls: tuple[float, ...]
    processors: tuple[float, ...]

    def best(self, other: Cost) -> Cost:
        if not self.walls:
            return other
        return Cost(tuple(map(min, self.walls, other.walls)), tuple(map(min, self.processors, other.processors)))

    @property
    def wall(self) -> float:
        return mean(self.walls)

    @property
    def processor(self) -> float:
        return mean(self.processors)

    @property
    def shown(self) -> str:
        return f"{1e-6 / self.wall:.0f} M/s | {self.processor * 1e9:.1f} ns"


NEVER_MEASURED = Cost((), ())


class Played(NamedTuple):
    """A batch at its start, and moves to play from there."""

    batch: Batch
    moves: list[np.ndarray]


def drawn(rules: Rules, games: int, **how: Any) -> Played:
    batch = Batch(rules, games, **how)
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
    walls, processors = [perf_counter()], [process_time()]
    for moves in played.moves:
        batch.step(moves)
        for ask in questions:
            ask()
        walls.append(perf_counter())
        processors.append(process_time())
    return Cost(*(tuple((np.diff(times) / len(batch)).tolist()) for times in (walls, processors)))


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
    return Cost(((perf_counter() - wall) / (count * STEPS),), ((process_time() - processor) / (count * STEPS),))


def dealt_rules(game: Any) -> Rules:
    return Batch(rules_of(game), 1, deals=1).deals[0]


@cache
def drawn_once(game: str, games: int) -> Played:
    return drawn(dealt_rules(game), games, compiled=True)


def replay_once(game: str, games: int, kind: str) -> Cost:
    """Measure one kind of step, in the process of the other version."""
    return replay(drawn_once(game, games), *KINDS[kind])


@contextmanager
def started_pgx(python: str | None, games: int) -> Iterator[Callable[[], Cost] | None]:
    """Yield a function that measures pgx once; None if it cannot be installed."""
    with tempfile.TemporaryDirectory() as folder:
        if python is None:
            python = str(Path(folder) / "bin" / "python")
            print("installing pgx into a temporary folder ...", flush=True)
            subprocess.run([sys.executable, "-m", "venv", folder], check=True)
            made = subprocess.run([python, "-m", "pip", "install", "--quiet", "pgx"], capture_output=True, check=False)
            if made.returncode:
                print("pgx cannot be installed here")
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
                print("pgx does not run here")
                yield None
                return
            print("pgx {} with JAX {}".format(*versions))

            def once() -> Cost:
                stdin.write("\n")
                stdin.flush()
                wall, processor = map(float, stdout.readline().split())
                return Cost((wall / (games * STEPS),), (processor / (games * STEPS),))

            yield once
            stdin.close()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=65_536)
    parser.add_argument("--without-pgx", action="store_true")
    parser.add_argument("--pgx", metavar="PYTHON", help="an interpreter that has pgx")
    parser.add_argument("--beside", metavar="FOLDER", help="the source of another version of Parlour")
    parser.add_argument("--repeats", type=int, default=REPEATS, help="of which the best counts")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)  # the process of the other version
    given = parser.parse_args()
    if given.serve:
        serve(globals())
        return
    from parlour.parallel import cores  # other versions may not have it

    threads = cores()  # the default of Batch
    failed = False
    print(f"| game | runtime | {' | '.join(KINDS)} | the referee |\n|---|---|{'---|' * len(KINDS)}---|")
    judged = {}
    for game in list_games():
        rules = dealt_rules(game)
        played = {runtime: drawn(rules, given.games, runtime=runtime) for runtime in ("native", "wasm")}
        costs = {(name, kind): NEVER_MEASURED for name in ("other", *played) for kind in KINDS}
        loop = NEVER_MEASURED
        with started(__file__, given.beside) as other:
            for _ in range(given.repeats):
                for kind, asked in KINDS.items():
                    if other is not None:
                        costs["other", kind] = costs["other", kind].best(
                            Cost(*other("replay_once", game.key, given.games, kind))
                        )
                    for runtime, each in played.items():
                        costs[runtime, kind] = costs[runtime, kind].best(replay(each, *asked))
                loop = loop.best(referee(played["native"]))
        for name in ("native", "wasm", *(["other"] if other else [])):
            cells = [f"{costs[name, kind].processor * 1e9:.1f} ns" for kind in KINDS]
            for place, kind in enumerate(KINDS):
                times = threads * loop.processor / costs[name, kind].processor
                beside = f", {costs['other', kind].processor / costs[name, kind].processor:.2f}" if other else ""
                cells[place] += f" ({times:,.0f}{beside})"
            print(
                f"| {game.title} | {LABELS[name]} | {' | '.join(cells)} | {loop.processor * 1e9:,.0f} ns |", flush=True
            )
        if game.key == JUDGED:
            ratio = threads * loop.processor / costs["native", "with masks"].processor
            judged = {"played": played["native"], "ratio": ratio}
    bounds = f"at least {LEAST_REFEREE:,}, the aim is {AIM_REFEREE:,}"
    print(f"\n{JUDGED} with masks: {judged['ratio']:,.0f} times the referee ({bounds})")
    failed |= judged["ratio"] < LEAST_REFEREE
    if not given.without_pgx:
        with started_pgx(given.pgx, given.games) as pgx:
            if pgx is not None:
                theirs, ours = NEVER_MEASURED, dict.fromkeys(KINDS, NEVER_MEASURED)
                for _ in range(given.repeats):
                    theirs = theirs.best(pgx())
                    for kind, asked in KINDS.items():
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
