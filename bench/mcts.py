"""The speed of Monte Carlo tree search in every runtime, and of OpenSpiel's C++, in one run.

    python bench/mcts.py [--beside FOLDER]

``--beside`` names the source of another version of Parlour (its ``src``), which is measured in turns with this one.
OpenSpiel is measured if it is installed. All times are processor time, and the least of several rounds. In brackets:
how many times as fast as Python, or as the other version.
"""

from __future__ import annotations

import argparse
from importlib.util import find_spec
from random import Random
from time import process_time

from parlour import catalog
from runtimes import in_turns, print_head, print_row, runtimes, serve, set_up, started, tree, tree_build

SIMULATIONS = 20_000
PYTHON_SIMULATIONS = 2_000
ROUNDS = 5


def simulation(runtime: str, key: str) -> float:
    """Return the seconds of a simulation, from the beginning of a game."""
    rules, simulations = set_up(key), PYTHON_SIMULATIONS if runtime == "python" else SIMULATIONS
    build = tree_build(runtime, rules)
    begin = process_time()
    tree.Tree(rules, rules.start, Random(1), simulations, build).simulate(simulations, 10**12)
    return (process_time() - begin) / simulations


def openspiel() -> float:
    """Return the seconds of a simulation of OpenSpiel's MCTS on tic-tac-toe: one random game each, nothing solved."""
    import pyspiel

    game = pyspiel.load_game("tic_tac_toe")
    bot = pyspiel.MCTSBot(
        game, pyspiel.RandomRolloutEvaluator(1, 1), 1.4, SIMULATIONS, 1000, False, 1, False
    )  # exploration, simulations, MB, no solver, seed, not verbose
    begin = process_time()
    bot.step(game.new_initial_state())
    return (process_time() - begin) / SIMULATIONS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--beside", metavar="FOLDER", help="the source of another version of Parlour")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)  # the process of the other version
    given = parser.parse_args()
    if given.serve:
        return serve(globals())
    among = runtimes()
    peers = [openspiel() for _ in range(ROUNDS)] if find_spec("pyspiel") else []
    with started(__file__, given.beside) as other:
        print_head("simulations a second", among, other, "times OpenSpiel")
        for key in catalog.keys():
            in_turns(simulation, key, among=among, other=other, rounds=1)  # loads, or compiles
            costs = in_turns(simulation, key, among=among, other=other, rounds=ROUNDS)
            ratio = f"{min(peers) / min(costs[name] for name in among):.1f}" if peers else ""
            print_row(catalog.find_game(key).title, costs, lambda cost: f"{1e-6 / cost:.3g} M", ratio)
    if peers:
        print(f"\nOpenSpiel's C++ on tic-tac-toe, {SIMULATIONS:,} simulations: {1e-6 / min(peers):.2f} M")
    else:
        print("\nOpenSpiel is not installed: pip install open_spiel")
    return None


if __name__ == "__main__":
    main()
