"""The most important speeds on this machine, in half a minute.

    python bench/overview.py [GAME] [--seconds S]

Everything is measured at the book's sizes and in processor time, on one core unless stated otherwise.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import cycle
from random import Random
from time import perf_counter, process_time

import click

from parlour import catalog
from parlour.batch import playouts, random_game
from parlour.engine.search import compiles
from parlour.engine.sessions import has_engine
from parlour.game import Game, P
from parlour.match import Match
from parlour.options import O
from parlour.rules import Rules
from parlour.setup import Setup
from parlour.solver import Solver
from parlour.turn import take_turn

GAMES_IN_LOCK_STEP = 65_536
SIMULATIONS = 100_000  # for one move by MCTS
RANDOM_GAMES = 200_000  # in one call
STARTS = 5  # starts of a process to measure; the fastest counts


@click.command()
@click.argument("game", required=False)
@click.option(
    "--seconds",
    type=click.FloatRange(0.01, 60),
    default=0.5,
    show_default=True,
    help="length of each measurement, without compiling and loading",
)
def main(game: str | None, seconds: float) -> None:
    """Measure the speed of one GAME, or of all."""
    chosen = [catalog.find_game(game)] if game else catalog.list_games()
    click.echo(f"parlour rules {chosen[0].key} takes {_start(chosen[0]):.1f} times as long as python -c pass.")
    for each in chosen:
        rules = Match(Setup(Rules(each, each.defaults), seed="1")).rules  # what chance decides is dealt
        click.echo(f"\n{rules.title}")
        for what, measured in _measurements(rules, seconds):
            click.echo(f"  {what:<44} {measured:>12}")


def _start(game: Game) -> float:
    """Return how many times as long a short command takes as a program that does nothing."""

    def quickest(*arguments: str) -> float:
        taken = []
        for _ in range(STARTS):
            begun = perf_counter()
            subprocess.run(
                [sys.executable, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                check=False,
            )
            taken.append(perf_counter() - begun)
        return min(taken)

    return quickest("-m", "parlour", "rules", game.key) / quickest("-c", "pass")


def _measurements(rules: Rules[O, P], seconds: float) -> Iterator[tuple[str, str]]:
    """Measure one game; yield the names and results."""
    lines = [[move for _, move in random_game(rules, rules.start, Random(n)) if move is not None] for n in range(50)]
    setup = Setup(rules)

    def play(line: list[int]) -> int:
        rules.position_after(line)
        return len(line)

    turn = cycle(lines)
    yield "a move, checked by the referee", f"{1e6 / _rate(lambda: play(next(turn)), seconds):.1f} µs"

    def solve() -> int:
        Solver(rules).choices(rules.start)
        return 1

    solve()  # loads the engine
    yield "all choices at the start, exactly", f"{1000 / _rate(solve, seconds):.1f} ms"
    rate = _rate(lambda: playouts(rules, 200).placements, seconds)
    yield "random games in Python, placements", f"{rate / 1e6:.2f} M/s"
    if not (compiles(rules) and has_engine(rules.game)):
        return
    playouts(rules, RANDOM_GAMES)
    rate = _rate(lambda: playouts(rules, RANDOM_GAMES).placements, seconds)
    yield "random games in WebAssembly, placements", f"{rate / 1e6:.0f} M/s"
    from parlour.players import find_player

    player = find_player(f"mcts:{SIMULATIONS}")

    def think() -> int:
        match = Match(setup, rules.options)
        while match.only_move is not None:
            match.play(match.only_move)
        take_turn(match, player)
        return SIMULATIONS

    think()
    yield "MCTS, simulations", f"{_rate(think, seconds) / 1e6:.2f} M/s"
    from parlour.batch.lockstep import Batch

    batch = Batch(rules, GAMES_IN_LOCK_STEP, threads=1)

    def step() -> int:
        batch.step(batch.random_moves())
        batch.masks()
        return GAMES_IN_LOCK_STEP

    step()
    yield f"{GAMES_IN_LOCK_STEP:,} games in lock-step, steps", f"{_rate(step, seconds) / 1e6:.0f} M/s"


def _rate(work: Callable[[], int], seconds: float) -> float:
    """Return the units of work done per second of processor time; ``work`` returns how many it did."""
    done, begun = 0, process_time()
    while True:
        done += work()
        taken = process_time() - begun
        if taken >= seconds:
            return done / taken


if __name__ == "__main__":
    main()
