"""How far a learner has come, measured against exact values: what both examples need."""

from __future__ import annotations

import re
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import parlour

# What a move is worth that leaves the other player a finished game.
WORTH = {parlour.Status.MOVER_LOSES: 1, parlour.Status.DRAWN: 0, parlour.Status.MOVER_WINS: -1}


class Decisions(NamedTuple):
    """The positions of a game where something can go wrong: some moves keep the value, others lose some of it."""

    fields: Any  # of each position, a column each, as ``Batch.fields`` has them
    legal: Any  # 1 for each legal move, a row for each position
    keeping: Any  # 1 for each move that keeps the value

    def share(self, chosen: Any) -> float:
        """How many of the chosen moves, one for each position, keep the value."""
        return float(self.keeping[np.arange(len(chosen)), chosen].mean())

    @property
    def random_share(self) -> float:
        """The same for whoever chooses at random, on average."""
        return float((self.keeping.sum(axis=1) / self.legal.sum(axis=1)).mean())


def decisions_of(rules: parlour.Rules) -> Decisions:
    """All of them, by a search of every position that play can reach."""
    assert rules.bounds is not None
    table = parlour.tabulate(rules)
    found, legal, keeping = [], [], []
    todo, seen = [rules.start], {rules.start}
    while todo:
        position = todo.pop()
        worth = {}
        for move in rules.legal(position):
            child = rules.after(position, move)
            if rules.is_over(child):
                worth[move] = WORTH[rules.result(child)]
                continue
            worth[move] = -table.score(child).value
            if child not in seen:
                seen.add(child)
                todo.append(child)
        best = max(worth.values())
        if min(worth.values()) < best:
            found.append(position)
            legal.append(row(worth, rules.bounds.moves))
            keeping.append(row((move for move in worth if worth[move] == best), rules.bounds.moves))
    return Decisions(np.array(found, np.int64).T, np.stack(legal), np.stack(keeping))


def row(moves: Any, width: int) -> Any:
    made = np.zeros(width, np.int8)
    made[list(moves)] = 1
    return made


class Curve(NamedTuple):
    """What one run has learnt: after so many moves, such a share of decisions was right."""

    moves: list[int]
    shares: list[float]


def tell(title: str, curves: Sequence[Curve], random_share: float) -> None:
    """The result in words."""
    last = [curve.shares[-1] for curve in curves]
    print(title)
    print(f"at random  {random_share:6.1%} of the moves that matter keep the value")
    for seed, curve in enumerate(curves, 1):
        print(f"seed {seed}     {curve.shares[-1]:6.1%} after {curve.moves[-1]:,} moves")
    print(f"mean       {np.mean(last):6.1%}, from {min(last):.1%} to {max(last):.1%}; perfect play has 100.0%")


def plot(path: str, title: str, curves: Sequence[Curve], random_share: float) -> None:
    """The same as a picture, which comes out the same each time."""
    import matplotlib as mpl
    import matplotlib.pyplot as plt

    mpl.rcParams.update({"svg.hashsalt": "parlour", "svg.fonttype": "none", "font.family": "sans-serif"})
    figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
    for seed, curve in enumerate(curves, 1):
        label = "each of the seeds" if seed == 1 else None
        axes.plot(
            np.array(curve.moves) / 1000, np.array(curve.shares) * 100, "#174f66", alpha=0.55, lw=1.2, label=label
        )
    mean = np.mean([curve.shares for curve in curves], axis=0) * 100
    axes.plot(np.array(curves[0].moves) / 1000, mean, "#a5311c", lw=2.2, label="their mean")
    axes.axhline(100, color="#1c5140", lw=1.5, ls="--", label="perfect play (exact)")
    axes.axhline(random_share * 100, color="#5a5243", lw=1.5, ls=":", label="random play (exact)")
    axes.set(title=title, xlabel="moves played, in thousands", ylabel="moves that keep the value, %", ylim=(0, 104))
    axes.legend(loc="lower right", frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    drawn = StringIO()
    figure.savefig(drawn, format="svg")
    text = re.sub(
        r"<!DOCTYPE.*?>|<metadata>.*?</metadata>", "", drawn.getvalue(), flags=re.DOTALL
    )  # who, when, with what
    Path(path).write_text("".join(f"{line.rstrip()}\n" for line in text.splitlines() if line.strip()), encoding="utf-8")
    print(f"drawn: {path}")
