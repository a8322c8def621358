"""A leaderboard as a picture. Needs the extra ``plots``."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill
from typing import Any

from parlour.errors import MissingExtra, ParlourError
from parlour.evals.chances import PERFECT, RANDOM
from parlour.evals.leaderboard import Run, by_terms
from parlour.evals.sums import MEASURES
from parlour.text import clip

SHOWN = ("points", "accuracy")  # side by side
NOT_TOLD = ("Date", "Creator", "Format", "Type")  # so that the same runs make the same file
ROW, HEAD, WIDTH = 0.32, 1.0, 9.0  # inches
TITLE_WIDTH = 100  # characters


def plot(path: str, runs: Sequence[Run], policy: str | None) -> None:
    """Points and accuracy of every run with their intervals, between random and perfect play.

    The same runs make the same file. MissingExtra without Matplotlib, ParlourError where the file cannot be one.
    """
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError as missing:
        raise MissingExtra("a plot needs Matplotlib", "plots") from missing
    groups = list(by_terms(runs))
    with mpl.rc_context({"svg.hashsalt": "parlour", "svg.fonttype": "none", "font.family": "sans-serif"}):
        height = sum(HEAD + ROW * len(same) for _, same in groups)
        figure = Figure(figsize=(WIDTH, height + 0.5), layout="constrained")
        rows = [len(same) + HEAD / ROW for _, same in groups]
        grid = figure.subplots(len(groups), len(SHOWN), squeeze=False, height_ratios=rows)
        for (terms, same), across in zip(groups, grid, strict=True):
            across[0].set_title(fill(f"{terms.told} ({terms.versions})", TITLE_WIDTH), loc="left", fontsize=9)
            for name, axes in zip(SHOWN, across, strict=True):
                _draw(axes, same, policy, name)
            across[-1].set_yticklabels([])
        try:
            figure.savefig(path, metadata=dict.fromkeys(NOT_TOLD) if path.endswith(".svg") else None)
        except ValueError as error:  # no such kind of picture
            raise ParlourError(f"cannot draw {clip(path)!r}: {clip(str(error))}") from None


def _draw(axes: Any, runs: Sequence[Run], policy: str | None, name: str) -> None:
    for place, run in enumerate(runs):
        under = policy or run.policy
        found = run.estimate(under, name)
        if found is not None:
            axes.plot([found.low, found.high], [place, place], color="tab:blue", linewidth=2)
            axes.plot([found.value], [place], "o", color="tab:blue")
        for word, mark in ((RANDOM, "x"), (PERFECT, "|")):
            expected = run.expected(under, name, word)
            if expected is not None:
                label = f"{word} play" if place == 0 else None
                axes.plot([expected], [place], mark, color="tab:gray", markersize=9, label=label)
    axes.set_yticks(range(len(runs)), [run.model for run in runs])
    axes.set_ylim(len(runs) - 0.4, -0.6)
    axes.set_xlim(-0.02, 1.02)
    axes.set_xlabel(MEASURES[name].about, fontsize=8)
    axes.legend(fontsize=7, loc="lower right")
