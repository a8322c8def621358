"""The evaluation's tasks run by Inspect, and the scores that random and perfect play get. Needs inspect_ai."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval as evaluate

from parlour.evals.instances import POLICIES, RETRIES
from parlour.evals.metrics import MEASURES
from parlour.evals.tasks import TASKS


def run_task(
    task: str, model: Any, folder: Path, epochs: int = 1, message_limit: int | None = None, **parameters: Any
) -> Any:
    """Run a task with a model; return the log, which is also a file in the folder."""
    (log,) = evaluate(
        TASKS[task](**parameters),
        model=model,
        epochs=epochs,
        message_limit=message_limit,
        log_dir=str(folder),
        display="log",  # "none" draws tables that take a second
        log_format="eval",
    )
    assert log.status == "success", log.error
    return log


def metrics(log: Any, policy: str) -> dict[str, float]:
    (score,) = [score for score in log.results.scores if score.name == policy]
    return {name: metric.value for name, metric in score.metrics.items()}


def lands_on(found: dict[str, float], name: str, word: str) -> bool:
    """Return whether a score is within twice its interval of the expected one, as all but one in ten thousand are."""
    low, high = found[f"{name}_low"], found[f"{name}_high"]
    return low - (high - low) / 2 <= found[f"{name}_{word}"] <= high + (high - low) / 2


def is_at_the_ceiling(log: Any) -> None:
    """Compare scores that perfect play gets for certain exactly, and points, which take luck, within the interval."""
    for policy in POLICIES:
        found = metrics(log, policy)
        for name in ("regret", "accuracy", "legality", "readability", "conversion"):
            assert found[name] == pytest.approx(found[f"{name}_perfect"]), name
        assert lands_on(found, "points", "perfect")


def is_on_the_floor(log: Any) -> None:
    found = metrics(log, RETRIES)
    for name in ("points", "regret", "accuracy", "conversion", "escape"):
        assert lands_on(found, name, "random"), name
    assert found["points_random"] < found["points_perfect"]
    assert found["accuracy_high"] < found["accuracy_perfect"] == 1


def lands_where_expected(log: Any, word: str) -> None:
    """Compare every score of the whole suite with what random or perfect play can expect."""
    found = metrics(log, RETRIES)
    assert set(found) == {f"{name}{end}" for name in MEASURES for end in ("", "_low", "_high", "_random", "_perfect")}
    for name in MEASURES:
        assert lands_on(found, name, word), name


def solves_puzzles_by_chance(log: Any) -> None:
    found = metrics(log, RETRIES)
    for name in ("points", "accuracy", "regret"):
        assert lands_on(found, name, "random"), name
