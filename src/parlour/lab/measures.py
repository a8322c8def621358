"""The measures of a game under its options: one row of a sweep.

Every number is exact, or it is missing and the row has the reason. The only samples are the decisions of a game with
too many positions: these come from games between equals who sometimes err, and have confidence intervals. The values of
moves are exact there too; only the selection of positions is random.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import astuple, fields, replace
from math import sqrt
from random import Random
from statistics import NormalDist
from time import thread_time
from typing import Any, NamedTuple

from parlour.catalog import find_game
from parlour.errors import TooBig
from parlour.fields import about, document
from parlour.game import Move, P
from parlour.limit import Limit
from parlour.options import O, flag, join_words, read_words
from parlour.rules import Rules, read_rules
from parlour.score import Value
from parlour.solver import Solver
from parlour.solver.tables import stamp
from parlour.study.contest import ERROR, survey
from parlour.version import __version__

CONFIDENCE = 0.95
DEVIATIONS = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)  # standard deviations on each side of a 95 % interval


class Interval(NamedTuple):
    """A sampled number with its 95 % confidence interval."""

    estimate: float
    low: float
    high: float


class Decisions(NamedTuple):
    """The decisions in sampled games."""

    decisions: int  # visited positions with more than one move
    critical: int  # decisions where some move loses value
    critical_share: Interval | None  # the share of critical decisions; None if there are no decisions
    holding: Interval | None  # moves that keep the value, on average over the decisions


def sample_decisions(rules: Rules[O, P], error: float, games: int, seed: str, limit: Limit) -> Decisions:
    """Return the decisions in games between equals who sometimes err.

    Raises:
        TooBig: the limit is used up, or the game need not end.
    """
    if rules.bounds is None:
        raise TooBig("a game that need not end cannot be measured; set a limit")
    random, solver = Random(seed), Solver(rules)
    known: dict[P, tuple[list[Move], list[Move]]] = {}  # legal moves and moves that keep the value
    met, critical, holding = [0] * games, [0] * games, [0] * games
    for game in range(games):
        position = rules.start
        while not rules.is_over(position):
            limit.check()
            if position not in known:
                found = solver.analyse(position, limit, distances=False)
                known[position] = [choice.move for choice in found.choices], found.keeping
            legal, keeping = known[position]
            if len(legal) > 1:
                met[game] += 1
                critical[game] += len(keeping) < len(legal)
                holding[game] += len(keeping)
            position = rules.after(position, random.choice(legal if random.random() < error else keeping))
    share, kept = _ratio(critical, met), _ratio(holding, met)
    return Decisions(sum(met), sum(critical), share and _of_share(share, games), kept and _of_mean(kept))


class _Ratio(NamedTuple):
    estimate: float
    variance: float  # the variance of the estimate
    decisions: int


def _ratio(parts: list[int], wholes: list[int]) -> _Ratio | None:
    """Estimate the ratio of two sums over games; None if the divisor is zero.

    The variance is that between games, because the decisions of one game are not independent.
    """
    count, games = sum(wholes), len(wholes)
    if not count:
        return None
    estimate = sum(parts) / count
    squares = sum((part - estimate * whole) ** 2 for part, whole in zip(parts, wholes, strict=True))
    return _Ratio(estimate, squares / count**2 * games / max(games - 1, 1), count)


def _of_share(ratio: _Ratio, games: int) -> Interval:
    """Return Wilson's interval for the equivalent number of independent decisions.

    If all decisions are alike, their dependence is unknown: each game counts as one decision.
    """
    share, variance, decisions = ratio
    free = min(share * (1 - share) / variance, decisions) if variance else games
    return Interval(share, *wilson(share, free))


def wilson(share: float, trials: float) -> tuple[float, float]:
    """Return Wilson's 95 % interval for a share of independent trials."""
    square = DEVIATIONS**2 / trials
    middle = (share + square / 2) / (1 + square)
    half = DEVIATIONS / (1 + square) * sqrt(max(share * (1 - share), 0) / trials + square / (4 * trials))
    return max(0.0, middle - half), min(1.0, middle + half)


def _of_mean(ratio: _Ratio) -> Interval:
    """Return the normal interval, from 1 up, because at least one move always keeps the value."""
    half = DEVIATIONS * sqrt(ratio.variance)
    return Interval(ratio.estimate, max(1.0, ratio.estimate - half), ratio.estimate + half)


MEASURES = {
    "value": "who wins",
    "distance": "how soon",
    "first-moves": "which first moves keep the value",
    "decisions": "how many decisions are critical, and how many moves hold",
    "contest": "how it goes between equals who sometimes err",
}
DIGITS = 9  # decimal places; the order of additions may change further ones


@document
class Method:
    """The method of a sweep, the same for all rows of a file."""

    measures: tuple[str, ...] = about("the measures: some of value, distance, first-moves, decisions and contest")
    error: float = about("the error rate of each of two equal players")
    games: int = about("the number of sampled games where there are too many positions to examine all")
    seed: int = about("the seed of the sampled games")


DEFAULT_METHOD = Method(measures=tuple(MEASURES), error=ERROR, games=400, seed=1)


class Budget(NamedTuple):
    """The limits of one row."""

    seconds: float
    memory: int  # bytes


class Task(NamedTuple):
    """A row to measure, small enough to send to any worker."""

    game: str  # the key of the game
    options: str  # all options as ``name=value`` words
    alike: int  # number of arrangements that are this same game
    settings: Method
    budget: Budget


@document
class Row:
    """The measures of a game under its options; null: not requested, not found within the budget, or undefined.

    >>> import parlour
    >>> row = parlour.sweep("double-up", limit=30, measures=["value", "distance"]).rows[0]
    >>> row.options, row.value, row.distance, row.positions
    ({'limit': '30'}, <Value.WIN: 1>, 7, None)
    """

    options: dict[str, str] = about("all its options")
    alike: int = about("the number of arrangements that are this same game; 1 if nothing is arranged")
    value: Value | None = about("the value with best play, for the player who begins")
    distance: int | None = about("the number of turns with best play, passes included; null for a draw")
    first_moves: int | None = about("the number of first moves")
    keeping_first_moves: int | None = about("the number of first moves that keep the value")
    kept_by: list[str] | None = about("the first moves that keep the value")
    positions: int | None = about("positions with a player to move, those with the same canonical form counted once")
    decisions_from: str | None = about("the source of the decisions: all `positions`, or sampled `games`")
    decisions: int | None = about("positions with more than one move, among these")
    critical: int | None = about("decisions where some move loses value")
    critical_share: float | None = about("the share of decisions at which some move loses value")
    critical_low: float | None = about("for a sample: the lower end of a 95 % interval of `critical_share`")
    critical_high: float | None = about("for a sample: the upper end of a 95 % interval of `critical_share`")
    holding: float | None = about("the number of moves that keep the value, on average over the decisions")
    holding_low: float | None = about("for a sample: the lower end of a 95 % interval of `holding`")
    holding_high: float | None = about("for a sample: the upper end of a 95 % interval of `holding`")
    first: float | None = about("between equals who sometimes err: the probability that the player who begins wins")
    drawn: float | None = about("between equals who sometimes err: the probability of a draw")
    second: float | None = about("between equals who sometimes err: the probability that the other player wins")
    turns: float | None = about("the number of turns in a game, on average")
    critical_turns: float | None = about("the number of turns at which some move loses value, on average")
    measure: float | None = about("the quality of the contest: the critical turns, times the openness")
    unfinished: dict[str, str] = about("measures that did not fit the budget, each with the reason")
    allowed_seconds: float = about("time limit by the clock")
    allowed_memory: int = about("memory limit for the tables of one search, in bytes")
    seconds: float = about("processor time used")
    memory: int | None = about("peak memory of the process in bytes; null where the system does not report it")
    command: str = about("the command that reproduces this row")
    version: str = about("the version of Parlour that measured it")
    digest: str = about("digest of the measured values, the rules and the settings; costs are left out")

    @property
    def words(self) -> str:
        """The options as ``name=value`` words."""
        return join_words(self.options)


FIELDS = tuple(field.name for field in fields(Row))
COSTS: Mapping[str, object] = {  # the fields that do not describe the game, with their defaults
    "allowed_seconds": 0.0,
    "allowed_memory": 0,
    "seconds": 0.0,
    "memory": None,
    "command": "",
    "version": "",
    "digest": "",
}


def columns_of(row: Row) -> dict[str, Any]:
    """Return the columns of a row in a file: each a number, a text or None.

    Options are ``name=value`` words, first moves are separated by blanks, and ``unfinished`` has a line
    ``measure: reason`` for each measure.
    """
    return {name: getattr(row, name) for name in FIELDS} | {
        "options": row.words,
        "value": None if row.value is None else row.value.word,
        "kept_by": None if row.kept_by is None else " ".join(row.kept_by),
        "unfinished": "\n".join(f"{name}: {reason}" for name, reason in row.unfinished.items()) or None,
    }


def row_of(columns: Mapping[str, Any]) -> Row:
    """Return the row in some columns of a file; columns may be missing."""
    known: dict[str, Any] = {**dict.fromkeys(FIELDS), "alike": 1, **COSTS, **columns}
    value, kept_by, unfinished = known["value"], known["kept_by"], known["unfinished"]
    reasons = (line.partition(": ") for line in (unfinished or "").splitlines())
    known |= {
        "options": read_words(known["options"]),
        "value": None if value is None else Value.read(value),
        "kept_by": None if kept_by is None else kept_by.split(),
        "unfinished": {name: reason for name, _, reason in reasons},
    }
    return Row(**known)


def measure(task: Task) -> Row:
    """Measure one row. Measures that do not fit the budget are listed in ``unfinished``."""
    rules = read_rules(find_game(task.game), read_words(task.options))
    _reset_peak()
    begun = thread_time()
    found: dict[str, Any] = {}
    unfinished: list[str] = []
    limit = Limit(task.budget.seconds, memory=task.budget.memory)

    def attempt(name: str, work: Callable[[], dict[str, Any]]) -> bool:
        try:
            found.update(work())
        except TooBig as error:
            unfinished.append(f"{name}: {str(error).partition(';')[0]}")
            return False
        return True

    wanted = [name for name in MEASURES if name in task.settings.measures]
    solver: Solver | None = None

    def find_value() -> dict[str, Any]:
        nonlocal solver
        solver = Solver(rules)
        return {"value": str(solver.value(rules.start, limit))}

    if attempt("value", find_value) and solver is not None:
        if "distance" in wanted:
            part = _half(limit, last=wanted[-1] == "distance")
            attempt("distance", lambda: {"distance": solver.score(rules.start, part).plies})
        if "first-moves" in wanted:
            part = _half(limit, last=wanted[-1] == "first-moves")
            attempt("first-moves", lambda: _first_moves(solver, part))
        del solver  # frees its memory
        if "decisions" in wanted or "contest" in wanted:
            _measure_positions(rules, task.settings, limit, attempt)
    else:
        unfinished += [f"{name}: it is not known who wins" for name in wanted if name != "value"]
    columns = found | {
        "options": task.options,
        "alike": task.alike,
        "unfinished": "\n".join(unfinished) or None,
        "allowed_seconds": task.budget.seconds,
        "allowed_memory": task.budget.memory,
        "seconds": round(thread_time() - begun, 3),
        "memory": _peak(),
        "command": command_of(task),
        "version": __version__,
    }
    row = row_of(columns)
    return replace(row, digest=digest_of(columns_of(row), stamp(rules), task.settings))


Attempt = Callable[[str, Callable[[], dict[str, Any]]], bool]


def _half(limit: Limit, last: bool) -> Limit:
    """Return half of the remaining time, or all of it for the last measure."""
    return limit if last or limit.seconds is None else limit.part(limit.seconds_left / 2)


def _first_moves(solver: Solver[O, P], limit: Limit) -> dict[str, Any]:
    rules = solver.rules
    found = solver.analyse(rules.start, limit, distances=False)
    return {
        "first_moves": len(found.choices),
        "keeping_first_moves": len(found.keeping),
        "kept_by": " ".join(rules.names(found.keeping)),
    }


def _measure_positions(rules: Rules[O, P], settings: Method, limit: Limit, attempt: Attempt) -> None:
    """Measure all positions if they fit the limit, otherwise those of sampled games."""
    decisions = "decisions" in settings.measures
    part = _half(limit, last=not decisions)

    def survey_all() -> dict[str, Any]:
        found = survey(rules, settings.error, part)
        columns: dict[str, Any] = {"positions": found.positions}
        if decisions:
            columns |= {"decisions_from": "positions", "decisions": found.decisions, "critical": found.critical}
            if found.decisions:
                columns["critical_share"] = round(found.critical / found.decisions, DIGITS)
                columns["holding"] = round(found.holding / found.decisions, DIGITS)
        if "contest" in settings.measures:
            contest = found.contest
            for name in ("first", "drawn", "second", "turns", "measure"):
                columns[name] = round(getattr(contest, name), DIGITS) + 0.0  # no -0.0: SQLite doesn't store it
            columns["critical_turns"] = round(contest.critical, DIGITS)
        return columns

    name = "contest" if "contest" in settings.measures else "positions"
    if not attempt(name, survey_all) and decisions:
        seed = f"{settings.seed} {rules.title}"
        attempt("decisions", lambda: _sampled(rules, settings, seed, limit))


def _sampled(rules: Rules[O, P], settings: Method, seed: str, limit: Limit) -> dict[str, Any]:
    found = sample_decisions(rules, settings.error, settings.games, seed, limit)
    columns: dict[str, Any] = {
        "decisions_from": "games",
        "decisions": found.decisions,
        "critical": found.critical,
    }
    for name, interval in (("critical", found.critical_share), ("holding", found.holding)):
        if interval is not None:
            columns["critical_share" if name == "critical" else "holding"] = round(interval.estimate, DIGITS)
            columns[f"{name}_low"] = round(interval.low, DIGITS)
            columns[f"{name}_high"] = round(interval.high, DIGITS)
    return columns


def command_of(task: Task) -> str:
    """Return the command that reproduces a row."""
    words = [f"--{flag(name)} {text}" for name, text in read_words(task.options).items()]
    if task.settings.measures != DEFAULT_METHOD.measures:
        words.append(f"--measure {','.join(task.settings.measures)}")
    for name in ("error", "games", "seed"):
        value = getattr(task.settings, name)
        if value != getattr(DEFAULT_METHOD, name):
            words.append(f"--{name} {value}")
    words.append(f"--seconds {task.budget.seconds:g} --memory {task.budget.memory >> 20}")
    return f"parlour sweep {task.game} {' '.join(words)}"


def digest_of(columns: Mapping[str, Any], stamp: Mapping[str, object], settings: Method) -> str:
    """Return a digest of the columns of a row, of the rules and of the settings; costs are left out."""
    measured = {name: value for name, value in columns.items() if name not in COSTS}
    text = json.dumps([stamp_of_game(stamp), astuple(settings), measured], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def stamp_of_game(stamp: Mapping[str, object]) -> dict[str, object]:
    """Return the part of a stamp that all rows of a file share: the game, its version and its rules."""
    return {name: value for name, value in stamp.items() if name != "options"}


def _reset_peak() -> None:
    """Reset the peak memory of the process, so that each row has its own; only Linux can."""
    with suppress(OSError), open("/proc/self/clear_refs", "w") as file:
        file.write("5")


def _peak() -> int | None:
    """Return the peak memory in bytes; None if the system does not report it."""
    with suppress(OSError), open("/proc/self/status") as file:
        for line in file:
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) << 10
    return None
