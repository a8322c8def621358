"""Comparison of the runs in Inspect logs, as data and as a plot. Needs the extra ``evals``; plots need ``plots``."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from textwrap import fill
from typing import IO, Any, NamedTuple

from parlour.errors import MissingExtra, ParlourError
from parlour.evals.instances import POLICIES
from parlour.evals.metrics import MEASURES, PERFECT, RANDOM, Estimate, Sums, estimate, quotient, total
from parlour.text import clip

# Inspect's limits that end a game early or leave games out.
LIMITS = (
    "message_limit",
    "token_limit",
    "turn_limit",
    "time_limit",
    "working_limit",
    "cost_limit",
    "limit",
    "sample_id",
)
# Settings of a model's API that don't change what it answers.
TRANSPORT = {
    *("max_retries", "timeout", "attempt_timeout", "stream_idle_timeout", "max_connections", "adaptive_connections"),
    *("cache", "cache_prompt", "batch", "extra_headers"),
}


class Terms(NamedTuple):
    """The settings that comparable runs share; texts, because logs come from any version."""

    task: str
    opponent: str
    size: str  # the requested number of games; it changes their selection
    seed: str
    split: str
    disguise: str
    legal_moves: bool
    attempts: str
    declared_policy: str  # stated in the prompt
    limits: str  # Inspect's limits, such as "message limit 20"; empty: none
    task_version: str
    parlour: str  # the version of Parlour; empty in logs that don't have it

    @property
    def description(self) -> str:
        """A description in one line."""
        listed = "legal moves listed" if self.legal_moves else "legal moves not listed"
        tries = "1 attempt" if self.attempts == "1" else f"{self.attempts} attempts"
        kind = "puzzles" if self.task == "puzzles" else "games"
        parts = [f"{self.size} {kind} of seed {self.seed}", self.disguise, self.split, listed, tries]
        parts += filter(None, [f"policy {self.declared_policy}", self.limits])
        return f"{self.task} against {self.opponent}: {', '.join(parts)}"

    @property
    def versions(self) -> str:
        """The versions of Parlour and of the task."""
        return (
            f"{f'Parlour {self.parlour}' if self.parlour else 'an earlier Parlour'}, task version {self.task_version}"
        )


class LoggedGame(NamedTuple):
    """A game of a run."""

    id: str  # the instance
    counted: dict[str, Sums]  # the sums under each policy
    random: Sums  # the expected sums of random play
    perfect: Sums  # the expected sums of perfect play
    record: str


class Run(NamedTuple):
    """A model's games under the same terms."""

    terms: Terms
    model: str  # with its settings, if it has any: "openai/gpt (temperature=0.0)"
    games: list[LoggedGame]
    unscored: int  # samples without a score, after an error or a stopped run

    @property
    def policy(self) -> str:
        """The declared policy."""
        return self.terms.declared_policy

    def sums(self, policy: str) -> list[Sums]:
        """Return the sums by instance, because games of the same instance are not independent."""
        sums: dict[str, Sums] = {}
        for game in self.games:
            sums[game.id] = sums.get(game.id, Sums()).plus(game.counted[policy])
        return [*sums.values()]

    def estimate(self, policy: str, name: str) -> Estimate | None:
        """Return a metric under a policy."""
        return estimate(self.sums(policy), name)

    def expected(self, policy: str, name: str, word: str) -> float | None:
        """Return the expectation of ``random`` or ``perfect`` play in the same games."""
        counted = [game for game in self.games if game.counted[policy].games]
        return quotient(total(game.random if word == RANDOM else game.perfect for game in counted), name)


class UnfinishedLog(NamedTuple):
    """A log of a run that failed or was stopped."""

    path: str
    model: str
    status: str  # "started", "cancelled" or "error"
    games: int  # the number of games with a score


class Logs(NamedTuple):
    """The contents of several logs."""

    runs: list[Run]
    unfinished: list[UnfinishedLog]


def read_runs(paths: Sequence[str]) -> Logs:
    """Read the runs in logs or folders of logs. Runs of one model under the same terms are merged.

    Raises:
        MissingExtra: Inspect is not installed.
        ParlourError: a file is not a log of these tasks, or no game has a score.
    """
    try:
        from inspect_ai.log import list_eval_logs, read_eval_log
    except ImportError as missing:
        raise MissingExtra("a leaderboard needs Inspect", "evals") from missing
    runs: dict[tuple[Terms, str], Run] = {}
    files, unfinished = list[str](), list[UnfinishedLog]()
    for path in paths:
        if "://" not in path and not Path(path).exists():  # Inspect ignores missing files without a known suffix
            raise ParlourError(f"there is no file {clip(path)!r}")
        found = [log.name for log in list_eval_logs(path, descending=False)] if Path(path).is_dir() else [path]
        if not found:
            raise ParlourError(f"there is no log in {clip(path)!r}")
        files += found
    for path in files:
        try:
            log = read_eval_log(path)
        except FileNotFoundError:
            raise ParlourError(f"there is no file {clip(path)!r}") from None
        except Exception as error:  # any error of the libraries that read logs
            raise ParlourError(f"{clip(path)!r} is not a log of Inspect: {clip(str(error))}") from None
        run = _read_run(path, log)
        if log.status != "success":
            unfinished.append(UnfinishedLog(path, run.model, log.status, len(run.games)))
        key = run.terms, run.model
        same = runs.get(key)
        runs[key] = (
            run if same is None else same._replace(games=same.games + run.games, unscored=same.unscored + run.unscored)
        )
    if not any(run.games for run in runs.values()):
        raise ParlourError(f"no game in {clip(paths[0])!r} has a score; were the runs stopped?")
    return Logs(sorted((run for run in runs.values() if run.games), key=lambda run: run[:2]), unfinished)


def _read_run(path: str, log: Any) -> Run:
    declared = log.eval.metadata or {}
    if declared.get("parlour") != 1:
        raise ParlourError(f"{clip(path)!r} is the log of another task: {clip(str(log.eval.task))}")
    games, unscored = list[LoggedGame](), 0
    for sample in log.samples or []:
        scores, metadata = sample.scores or {}, sample.metadata
        if sample.error or any(policy not in scores for policy in POLICIES):
            unscored += 1
            continue
        games.append(
            LoggedGame(
                str(sample.id),
                {policy: Sums(**scores[policy].value) for policy in POLICIES},
                Sums(**metadata[RANDOM]),
                Sums(**metadata[PERFECT]),
                (scores[declared["policy"]].metadata or {}).get("record", ""),
            )
        )
    return Run(_terms(log.eval, declared), _model(log), games, unscored)


def _terms(spec: Any, declared: dict[str, Any]) -> Terms:
    given: dict[str, Any] = {**(spec.task_args or {})}
    limits = {name: getattr(spec.config, name, None) for name in LIMITS}
    return Terms(
        task=spec.task.removeprefix("parlour/"),
        opponent=str(given.get("opponent", PERFECT)),
        size=str(given.get("games", given.get("puzzles", "?"))),
        seed=str(given.get("seed", "?")),
        split=declared["split"],
        disguise=declared["disguise"],
        legal_moves=declared["legal_moves"],
        attempts=str(given.get("attempts", "?")),
        declared_policy=declared["policy"],
        limits=", ".join(f"{name.replace('_', ' ')} {value}" for name, value in limits.items() if value is not None),
        task_version=str(spec.task_version),
        parlour=str(declared.get("version", "")),
    )


def _model(log: Any) -> str:
    """Return a model's name with the settings that change its answers."""
    configs = (log.eval.model_generate_config, log.plan.config)
    settings: dict[str, Any] = {**(log.eval.model_args or {})}
    for config in configs:
        settings |= config.model_dump(exclude_none=True)
    text = ", ".join(f"{name}={value}" for name, value in sorted(settings.items()) if name not in TRANSPORT)
    return f"{log.eval.model} ({text})" if text else str(log.eval.model)


def by_terms(runs: Sequence[Run]) -> Iterator[tuple[Terms, list[Run]]]:
    """Group comparable runs, each group in descending order of points."""
    for terms, same in groupby(runs, key=lambda run: run.terms):
        yield terms, sorted(same, key=lambda run: -(quotient(total(run.sums(run.policy)), "points") or 0))


def write_csv(file: IO[str], runs: Sequence[Run]) -> None:
    """Write a line for each metric of each run under each policy."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([*Terms._fields, "model", "policy", "games", "score", *Estimate._fields, RANDOM, PERFECT])
    for run in runs:
        for policy in POLICIES:
            games = sum(game.counted[policy].games for game in run.games)
            for name in MEASURES:
                found = run.estimate(policy, name)
                if found is not None:
                    expected = [run.expected(policy, name, word) for word in (RANDOM, PERFECT)]
                    writer.writerow([*run.terms, run.model, policy, f"{games:g}", name, *found, *expected])


def write_records(folder: str, runs: Sequence[Run]) -> int:
    """Write the record of every game to its own file, and return the number of files."""
    place, count = Path(folder), 0
    place.mkdir(parents=True, exist_ok=True)
    for run in runs:
        model = "".join(letter if letter.isalnum() or letter in "-." else "-" for letter in run.model)
        for game in filter(lambda game: game.record, run.games):
            count += 1
            name = f"{count:04}-{run.terms.task}-{model}.parlour"
            (place / name).write_text(game.record, encoding="utf-8")
    return count


SHOWN = ("points", "accuracy")  # metrics of a plot, side by side
OMITTED_METADATA = ("Date", "Creator", "Format", "Type")  # for reproducible files
ROW, HEAD, WIDTH = 0.32, 1.0, 9.0  # inches
TITLE_WIDTH = 100  # characters


def plot(path: str, runs: Sequence[Run], policy: str | None) -> None:
    """Plot points and accuracy of every run with their intervals, and the expectations of random and perfect play.

    The same runs give the same file.

    Raises:
        MissingExtra: Matplotlib is not installed.
        ParlourError: the file type is not supported.
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
            across[0].set_title(fill(f"{terms.description} ({terms.versions})", TITLE_WIDTH), loc="left", fontsize=9)
            for name, axes in zip(SHOWN, across, strict=True):
                _draw(axes, same, policy, name)
            across[-1].set_yticklabels([])
        try:
            figure.savefig(path, metadata=dict.fromkeys(OMITTED_METADATA) if path.endswith(".svg") else None)
        except ValueError as error:  # an unknown file type
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
