"""A small network learns Increasing Differences by policy gradient, and is asked about a pool that it has never seen.

    python examples/policy_gradient.py [--plot FILE] [--seeds 5]

A network of one hidden layer, written in NumPy, plays against itself in Batches, one for each size of the pool: 7, 8
and 10 numbers. Then it is asked about a pool of 9. The pool is told number by number, so a smaller one looks like a
larger one from which numbers are gone, and what was learnt on others can help. Its moves become more likely where the
game went better than it had expected, and less likely where it went worse. Needs: pip install 'parlour[plots]'
"""

from __future__ import annotations

import argparse
from typing import Any, NamedTuple

import numpy as np
from measuring import Curve, decisions_of, plot, tell

import parlour

LENGTH, TRAINING, HELD_OUT = 4, (7, 8, 10), 9
NUMBERS = max(TRAINING) + 1  # 0 stands for none
GAMES, UPDATES, LOOKS = 512, 360, 24  # games of each size between two updates
HIDDEN = 128
LEARNING_RATE = 3e-3
ENTROPY = 0.02  # how much it is worth to stay undecided
RANDOM_OPENING = 4  # up to so many moves of a game are random, so that there is something to see


def features(fields: Any) -> Any:
    """A position as a network likes it: which numbers are free, and both players' last numbers and steps, one-hot."""
    pool, *others = fields
    parts = [pool[:, None] >> np.arange(1, NUMBERS) & 1]
    parts += [np.eye(NUMBERS)[other] for other in others]
    return np.concatenate(parts, axis=1).astype(np.float32)


class Network:
    """One hidden layer; it tells how much it likes each move, and what it expects of the game. Learns by Adam."""

    def __init__(self, rng: np.random.Generator) -> None:
        width = features(np.zeros((5, 1), np.int64)).shape[1]
        self.weights = [
            rng.normal(0, width**-0.5, (width, HIDDEN)).astype(np.float32),
            np.zeros(HIDDEN, np.float32),
            np.zeros((HIDDEN, NUMBERS + 1), np.float32),
            np.zeros(NUMBERS + 1, np.float32),
        ]
        self.moments = [(np.zeros_like(weight), np.zeros_like(weight)) for weight in self.weights]
        self.updates = 0

    def think(self, seen: Any, legal: Any) -> tuple[Any, Any, Any]:
        """The hidden layer, how likely each move is, and what the game is expected to bring."""
        first, first_bias, second, second_bias = self.weights
        hidden = np.maximum(seen @ first + first_bias, 0)
        told = hidden @ second + second_bias
        likes = np.where(legal, told[:, :-1], -np.inf)
        likely = np.exp(likes - likes.max(axis=1, keepdims=True))
        return hidden, likely / likely.sum(axis=1, keepdims=True), np.tanh(told[:, -1])

    def learn(self, turns: Turns) -> None:
        hidden, likely, expected = self.think(turns.seen, turns.legal)
        every = np.arange(len(expected))
        better = turns.reward - expected
        # How the loss changes with what the last layer says: policy gradient, entropy, and the square of the surprise.
        slope = likely * better[:, None]
        slope[every, turns.chosen] -= better
        logs = np.log(np.maximum(likely, 1e-9))
        slope += ENTROPY * likely * (logs - (likely * logs).sum(axis=1, keepdims=True))
        surprise = -better * (1 - expected**2)
        back = np.concatenate([slope, surprise[:, None]], axis=1).astype(np.float32) / len(expected)
        down = (back @ self.weights[2].T) * (hidden > 0)
        self.follow([turns.seen.T @ down, down.sum(axis=0), hidden.T @ back, back.sum(axis=0)])

    def follow(self, slopes: list[Any]) -> None:
        self.updates += 1
        for weight, slope, (mean, square) in zip(self.weights, slopes, self.moments, strict=True):
            mean[...] += 0.1 * (slope - mean)
            square[...] += 0.001 * (slope**2 - square)
            size = np.sqrt(square / (1 - 0.999**self.updates)) + 1e-8
            weight[...] -= LEARNING_RATE * mean / (1 - 0.9**self.updates) / size


class Turns(NamedTuple):
    """What was seen, what could be chosen, what was, and what came of it for whoever chose."""

    seen: Any
    legal: Any
    chosen: Any
    reward: Any


def play(batch: parlour.Batch, network: Network, rng: np.random.Generator) -> Turns:
    """One game in each place of a batch, and the turns in which the network chose."""
    batch.reset()
    opening = rng.integers(0, RANDOM_OPENING + 1, len(batch))
    turns, results = [], np.zeros(len(batch))  # for Player 1
    ply = 0
    while not batch.over.all():
        going = ~batch.over
        seen, legal = features(batch.fields), padded(batch.masks())
        legal[~going, 0] = 1  # nothing is asked there, but a share of something is computed
        _, likely, _ = network.think(seen, legal)
        chosen = (likely.cumsum(axis=1) > rng.random((len(batch), 1))).argmax(axis=1)
        own = going & (ply >= opening)
        chosen = np.where(own, chosen, batch.random_moves())
        told = batch.step(chosen)
        results += told.by_player()[:, 0]
        turns.append((np.flatnonzero(own), seen[own], legal[own], chosen[own], ply % 2 + 1))
        ply += 1
    rewards = [results[games] * (1 if player == 1 else -1) for games, _, _, _, player in turns]
    return Turns(*(np.concatenate([turn[part] for turn in turns]) for part in (1, 2, 3)), np.concatenate(rewards))


def padded(masks: Any) -> Any:
    made = np.zeros((len(masks), NUMBERS), np.int8)
    made[:, : masks.shape[1]] = masks
    return made


def rules_with(numbers: int) -> parlour.Rules:
    return parlour.rules_of("increasing-differences", length=LENGTH, range=numbers)


def learn(seed: int, held_out: Any) -> Curve:
    rng = np.random.default_rng(seed)
    network = Network(rng)
    batches = [parlour.Batch(rules_with(numbers), GAMES, seed=seed, autoreset="never") for numbers in TRAINING]
    moves, shares, played = [], [], 0
    for update in range(UPDATES + 1):
        if update % (UPDATES // LOOKS) == 0:
            _, likely, _ = network.think(features(held_out.fields), padded(held_out.legal))
            moves.append(played)
            shares.append(held_out.share(likely.argmax(axis=1)))
        parts = [play(batch, network, rng) for batch in batches]
        turns = Turns(*(np.concatenate(part) for part in zip(*parts, strict=True)))
        network.learn(turns)
        played += len(turns.chosen)
    return Curve(moves, shares)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--plot", metavar="FILE", help="where to draw what was learnt, as SVG")
    parser.add_argument("--seeds", type=int, default=5)
    given = parser.parse_args()
    held_out = decisions_of(rules_with(HELD_OUT))
    curves = [learn(seed, held_out) for seed in range(1, given.seeds + 1)]
    title = f"Policy gradient, Increasing Differences: a pool of {HELD_OUT}, never played"
    tell(title, curves, held_out.random_share)
    if given.plot:
        plot(given.plot, title, curves, held_out.random_share)


if __name__ == "__main__":
    main()
