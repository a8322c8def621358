"""How fast Monte Carlo tree search is: the same source uncompiled and compiled, and OpenSpiel's C++, in one run.

Run it with: make bench. OpenSpiel is measured if it is installed (pip install open_spiel); nothing else needs it.
All times are of the processor, and the best of several rounds, so that others on the machine count for little.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.util import find_spec
from random import Random
from time import process_time

from parlour import catalog
from parlour.kernels import can_compile
from parlour.kernels.tree import Tree, TreeBuild
from parlour.rules import Rules

SIMULATIONS = 20_000
PLAIN_SIMULATIONS = 2_000
ROUNDS = 5


def rate(work: Callable[[], None], simulations: int) -> float:
    """Simulations in a second, at best."""
    times = []
    for _ in range(ROUNDS):
        begin = process_time()
        work()
        times.append(process_time() - begin)
    return simulations / min(times)


def tree_rate(rules: Rules, build: TreeBuild, simulations: int) -> float:
    def work() -> None:
        Tree(rules, rules.start, Random(1), simulations, build).simulate(simulations, 10**12)

    return rate(work, simulations)


def openspiel_rate() -> float:
    """OpenSpiel's own MCTS on tic-tac-toe: one random game for each simulation, nothing solved on the way."""
    import pyspiel

    game = pyspiel.load_game("tic_tac_toe")
    bot = pyspiel.MCTSBot(
        game, pyspiel.RandomRolloutEvaluator(1, 1), 1.4, SIMULATIONS, 1000, False, 1, False
    )  # exploration, simulations, MB, no solver, seed, not verbose
    return rate(lambda: bot.step(game.new_initial_state()), SIMULATIONS)


def main() -> None:
    if not can_compile():
        sys.exit("Numba is not installed: pip install 'parlour[fast]'")
    from parlour.kernels.compile import compiled_tree

    peer = openspiel_rate() if find_spec("pyspiel") else None
    print("| simulations a second, from the beginning | uncompiled | compiled | ratio | to OpenSpiel |")
    print("|---|---|---|---|---|")
    for key in catalog.keys():
        game = catalog.find_game(key)
        rules = Rules(game, game.deal(game.defaults, 1, Random(1)))
        build = compiled_tree(game)
        tree_rate(rules, build, 1)  # compiles
        plain, compiled = (
            tree_rate(rules, TreeBuild.plain(rules), PLAIN_SIMULATIONS),
            tree_rate(rules, build, SIMULATIONS),
        )
        beside = f"{compiled / peer:.1f}" if peer else ""
        print(f"| {game.title} | {plain / 1e6:.3f} M | {compiled / 1e6:.2f} M | {compiled / plain:.0f} | {beside} |")
    if peer:
        print(f"\nOpenSpiel's C++ on tic-tac-toe, {SIMULATIONS:,} simulations: {peer / 1e6:.2f} M")
    else:
        print("\nOpenSpiel is not installed, so there is nothing to compare with: pip install open_spiel")


if __name__ == "__main__":
    main()
