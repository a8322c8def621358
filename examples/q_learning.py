"""A table learns Sequence Spot by playing against itself, and is asked about grids that it has never seen.

    python examples/q_learning.py [--plot FILE] [--seeds 5]

Q-learning as in the textbooks: the value of a move is what the game has brought, or else minus the value of the best
reply. 4,096 games are played at once in a Batch, each on one of 300 grids. A position knows of its grid only which
lines count, so what was learnt on one grid helps on another. Needs: pip install 'parlour[plots]'
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
from measuring import Curve, decisions_of, plot, tell

import parlour

GAMES, STEPS, LOOKS = 4096, 1200, 24
TRAINING_GRIDS, HELD_OUT_GRIDS = 300, 20
LEARNING_RATE = 0.3
EXPLORING = (1.0, 0.3)  # how often a move is random, at first and in the end
CELLS = 9
TERNARY = np.array([sum(3**cell for cell in range(CELLS) if board >> cell & 1) for board in range(1 << CELLS)])


class QTable:
    """The value of every move in every position; positions are found by their number."""

    def __init__(self) -> None:
        self.places = np.full(256, -1)  # of the sets of lines, in the order in which they were met
        self.values = np.zeros((0, CELLS + 1), np.float32)

    def number(self, fields: Any) -> Any:
        """The rows of these positions, with new ones where they are new."""
        mine, theirs, lines = fields
        for new in np.unique(lines[self.places[lines] < 0]):
            self.places[new] = len(self.values) // 3**CELLS
            self.values = np.concatenate([self.values, np.zeros((3**CELLS, CELLS + 1), np.float32)])
        return self.places[lines] * 3**CELLS + TERNARY[mine >> 1] + 2 * TERNARY[theirs >> 1]

    def best(self, rows: Any, legal: Any) -> tuple[Any, Any]:
        """The best moves, and what they are worth."""
        values = np.where(legal, self.values[rows], -np.inf)
        chosen = values.argmax(axis=1)
        return chosen, values[np.arange(len(rows)), chosen]


def learn(seed: int, held_out: list[Any]) -> Curve:
    rng = np.random.default_rng(seed)
    batch = parlour.Batch(parlour.rules_of("sequence-spot", deal="lively"), GAMES, seed=seed, deals=TRAINING_GRIDS)
    table = QTable()
    moves, shares = [], []
    for step in range(STEPS + 1):
        if step % (STEPS // LOOKS) == 0:
            answers = [d.share(table.best(table.number(d.fields), d.legal)[0]) for d in held_out]
            moves.append(step * GAMES)
            shares.append(float(np.mean(answers)))
        rows = table.number(batch.fields)
        chosen, _ = table.best(rows, batch.masks())
        often = EXPLORING[0] + (EXPLORING[1] - EXPLORING[0]) * step / STEPS
        chosen = np.where(rng.random(GAMES) < often, batch.random_moves(), chosen)
        told = batch.step(chosen)
        _, replies = table.best(table.number(batch.fields), batch.masks())  # of new games, where the last have ended
        goals = np.where(told.ended, told.rewards, -replies)
        table.values[rows, chosen] += LEARNING_RATE * (goals - table.values[rows, chosen])
    return Curve(moves, shares)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--plot", metavar="FILE", help="where to draw what was learnt, as SVG")
    parser.add_argument("--seeds", type=int, default=5)
    given = parser.parse_args()
    training = {rules for seed in range(1, given.seeds + 1) for rules in grids(seed, TRAINING_GRIDS)}
    unseen = [rules for rules in grids(1000, 40 * HELD_OUT_GRIDS) if rules not in training][:HELD_OUT_GRIDS]
    held_out = [decisions_of(rules) for rules in unseen]
    random_share = float(np.mean([decisions.random_share for decisions in held_out]))
    curves = [learn(seed, held_out) for seed in range(1, given.seeds + 1)]
    title = f"Q-learning, Sequence Spot: {HELD_OUT_GRIDS} grids that were never played"
    tell(title, curves, random_share)
    if given.plot:
        plot(given.plot, title, curves, random_share)


def grids(seed: int, count: int) -> tuple[parlour.Rules, ...]:
    """Lively grids, those that a batch with this seed plays on."""
    return parlour.Batch(parlour.rules_of("sequence-spot", deal="lively"), 1, seed=seed, deals=count).deals


if __name__ == "__main__":
    main()
