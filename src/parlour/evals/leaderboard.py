"""What the logs of several runs come to, side by side. Needs the extra ``evals``: logs are Inspect's."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import IO, Any, NamedTuple

from parlour.errors import MissingExtra, ParlourError
from parlour.evals.chances import PERFECT, RANDOM
from parlour.evals.counting import POLICIES
from parlour.evals.sums import MEASURES, Estimate, Sums, estimate, quotient, total
from parlour.text import clip


class Terms(NamedTuple):
    """What has to be the same for results to be compared."""

    task: str
    opponent: str
    disguise: str
    split: str
    legal_moves: bool

    @property
    def told(self) -> str:
        """In a few words."""
        listed = "legal moves listed" if self.legal_moves else "legal moves not listed"
        return f"{self.task} against {self.opponent}: {self.disguise}, {self.split}, {listed}"


class LoggedGame(NamedTuple):
    """A game of a run."""

    id: str  # of its instance
    counted: dict[str, Sums]  # by policy
    random: Sums  # what can be expected of it
    perfect: Sums
    record: str


class Run(NamedTuple):
    """A model's games under some terms."""

    terms: Terms
    model: str
    policy: str  # that was declared
    games: list[LoggedGame]
    unscored: int  # samples that came to nothing: an error, or the run was stopped

    def sums(self, policy: str) -> list[Sums]:
        """One for each instance, however often it was played, for those games depend on each other."""
        kept: dict[str, Sums] = {}
        for game in self.games:
            kept[game.id] = kept.get(game.id, Sums()).plus(game.counted[policy])
        return [*kept.values()]

    def estimate(self, policy: str, name: str) -> Estimate | None:
        """A score under a policy."""
        return estimate(self.sums(policy), name)

    def expected(self, policy: str, name: str, word: str) -> float | None:
        """What ``random`` or ``perfect`` play can expect of the same games."""
        kept = [game for game in self.games if game.counted[policy].games]
        return quotient(total(game.random if word == RANDOM else game.perfect for game in kept), name)


def read_runs(paths: Sequence[str]) -> list[Run]:
    """The runs in these logs, or in folders of logs; those of one model under the same terms are one.

    MissingExtra without Inspect, ParlourError if there is no log of ours.
    """
    try:
        from inspect_ai.log import list_eval_logs, read_eval_log
    except ImportError as missing:
        raise MissingExtra("a leaderboard needs Inspect", "evals") from missing
    runs: dict[tuple[Terms, str, str], Run] = {}
    files = list[str]()
    for path in paths:
        if "://" not in path and not Path(path).exists():  # without a known ending Inspect would not even look for it
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
        except Exception as error:  # whatever is wrong with a file, in any of the libraries that read it
            raise ParlourError(f"{clip(path)!r} is not a log of Inspect: {clip(str(error))}") from None
        run = _read_run(path, log)
        key = run.terms, run.model, run.policy
        same = runs.get(key)
        runs[key] = (
            run if same is None else same._replace(games=same.games + run.games, unscored=same.unscored + run.unscored)
        )
    if not any(run.games for run in runs.values()):
        raise ParlourError(f"no game in {clip(paths[0])!r} has a score; were the runs stopped?")
    return sorted((run for run in runs.values() if run.games), key=lambda run: (run.terms, run.model))


def _read_run(path: str, log: Any) -> Run:
    declared = log.eval.metadata or {}
    if declared.get("parlour") != 1:
        raise ParlourError(f"{clip(path)!r} is the log of another task: {clip(str(log.eval.task))}")
    opponent = (log.eval.task_args_passed or {}).get("opponent")
    games, unscored = list[LoggedGame](), 0
    for sample in log.samples or []:
        scores, metadata = sample.scores or {}, sample.metadata
        if sample.error or any(policy not in scores for policy in POLICIES):
            unscored += 1
            continue
        opponent = opponent or metadata.get("opponent")
        games.append(
            LoggedGame(
                str(sample.id),
                {policy: Sums(**scores[policy].value) for policy in POLICIES},
                Sums(**metadata[RANDOM]),
                Sums(**metadata[PERFECT]),
                (scores[declared["policy"]].metadata or {}).get("record", ""),
            )
        )
    terms = Terms(
        log.eval.task.removeprefix("parlour/"),
        opponent or PERFECT,
        declared["disguise"],
        declared["split"],
        declared["legal_moves"],
    )
    return Run(terms, log.eval.model, declared["policy"], games, unscored)


def by_terms(runs: Sequence[Run]) -> Iterator[tuple[Terms, list[Run]]]:
    """The runs that can be compared, those with the most points first."""
    for terms, same in groupby(runs, key=lambda run: run.terms):
        yield terms, sorted(same, key=lambda run: -(quotient(total(run.sums(run.policy)), "points") or 0))


def write_csv(file: IO[str], runs: Sequence[Run]) -> None:
    """Every score of every run under every policy, a line each."""
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
    """The record of every game as a file of its own; how many there are."""
    place, count = Path(folder), 0
    place.mkdir(parents=True, exist_ok=True)
    for run in runs:
        model = "".join(letter if letter.isalnum() or letter in "-." else "-" for letter in run.model)
        for game in filter(lambda game: game.record, run.games):
            count += 1
            name = f"{count:04}-{run.terms.task}-{model}.parlour"
            (place / name).write_text(game.record, encoding="utf-8")
    return count
