"""What is measured of a game under its options: one row of a sweep.

Every number is exact, or it is not there and the row says why. One may be sampled instead, the share of critical
decisions, and then it comes with an interval of confidence and says so.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from time import thread_time
from typing import Any, NamedTuple

from parlour.catalog import find_game
from parlour.errors import TooBig
from parlour.game import P
from parlour.lab.sampling import sample_decisions
from parlour.limit import Limit
from parlour.options import O, flag, read_words
from parlour.rules import Rules, read_rules
from parlour.solver import Solver
from parlour.solver.tables import stamp
from parlour.study.contest import ERROR, survey
from parlour.version import __version__

MEASURES = {
    "value": "who wins",
    "distance": "how soon",
    "first-moves": "which first moves keep the value",
    "decisions": "how many decisions are critical, and how many moves hold",
    "contest": "how it goes between equals who sometimes err",
}
DIGITS = 9  # of a fraction: what the order of additions could change is left out


class Method(NamedTuple):
    """What is measured, and how: the same for all rows of a file."""

    measures: tuple[str, ...] = tuple(MEASURES)
    error: float = ERROR  # how often each of two equal players errs
    games: int = 400  # that are sampled where not all positions can be looked at
    seed: int = 1  # of these games


class Budget(NamedTuple):
    """What a row may cost."""

    seconds: float
    memory: int  # bytes


class Task(NamedTuple):
    """A row that is to be measured, so small that it can be sent anywhere."""

    game: str  # its key
    options: str  # ``name=value`` words, all of them
    alike: int
    settings: Method
    budget: Budget


@dataclass(frozen=True, kw_only=True)
class Row:
    """A game under its options, measured; None: not asked for, or it did not fit, or there is no such number."""

    options: str  # ``name=value`` words, all of them
    alike: int = 1  # how many arrangements are this same game
    value: str | None = None  # with best play, for the player who begins: win, draw or loss
    distance: int | None = None  # turns until then, passes included; None for a draw
    first_moves: int | None = None  # that there are
    keeping_first_moves: int | None = None  # that keep the value
    kept_by: str | None = None  # the names of these
    positions: int | None = None  # with somebody to move, those with the same future counted once
    decisions_from: str | None = None  # "positions": all of them; "games": those met in sampled games
    decisions: int | None = None  # positions with more than one move
    critical: int | None = None  # decisions where some move loses value
    critical_share: float | None = None  # of the decisions
    critical_low: float | None = None  # where sampled: the interval that holds the share 95 times in 100
    critical_high: float | None = None
    holding: float | None = None  # moves that keep the value, on average over the decisions
    holding_low: float | None = None  # where sampled: the same for this number
    holding_high: float | None = None
    first: float | None = None  # between equals who sometimes err: how likely the player who begins wins
    drawn: float | None = None  # how likely nobody wins
    second: float | None = None  # how likely the other player wins
    turns: float | None = None  # how long a game takes, on average
    critical_turns: float | None = None  # turns at which some move loses value, on average
    measure: float | None = None  # how good a contest it is: the critical turns, times the openness
    unfinished: str | None = None  # what did not fit the budget and why: ``measure: reason``, one a line
    allowed_seconds: float = 0.0  # of the clock that it might take
    allowed_memory: int = 0  # bytes that the tables of one search might take
    seconds: float = 0.0  # of processor time that it took
    memory: int | None = None  # bytes that the process held at most; None where the system does not say
    command: str = ""  # that makes this row again
    version: str = ""  # of Parlour, which made it
    digest: str = ""  # of what it says about the game, with the rules and the settings; not of what it cost


COSTS = (
    "allowed_seconds",
    "allowed_memory",
    "seconds",
    "memory",
    "command",
    "version",
    "digest",
)  # fields that say nothing about the game


def measure(task: Task) -> Row:
    """Measure one row, within its budget; what does not fit is left out and named."""
    rules = read_rules(find_game(task.game), read_words(task.options))
    _forget_peak()
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

    def who_wins() -> dict[str, Any]:
        nonlocal solver
        solver = Solver(rules)
        return {"value": str(solver.value(rules.start, limit))}

    if attempt("value", who_wins) and solver is not None:
        if "distance" in wanted:
            part = _half(limit, last=wanted[-1] == "distance")
            attempt("distance", lambda: {"distance": solver.score(rules.start, part).plies})
        if "first-moves" in wanted:
            part = _half(limit, last=wanted[-1] == "first-moves")
            attempt("first-moves", lambda: _first_moves(solver, part))
        del solver  # and the memory that it holds
        if "decisions" in wanted or "contest" in wanted:
            _look_at_all(rules, task.settings, limit, attempt)
    else:
        unfinished += [f"{name}: it is not known who wins" for name in wanted if name != "value"]
    row = Row(
        options=task.options,
        alike=task.alike,
        **found,
        unfinished="\n".join(unfinished) or None,
        allowed_seconds=task.budget.seconds,
        allowed_memory=task.budget.memory,
        seconds=round(thread_time() - begun, 3),
        memory=_peak(),
        command=command_of(task),
        version=__version__,
    )
    return replace(row, digest=digest_of(row, stamp(rules), task.settings))


Attempt = Callable[[str, Callable[[], dict[str, Any]]], bool]


def _half(limit: Limit, last: bool) -> Limit:
    """Half of the time that is left, so that something is left to what comes next; all of it for the last."""
    return limit if last or limit.seconds is None else limit.part(limit.seconds_left / 2)


def _first_moves(solver: Solver[O, P], limit: Limit) -> dict[str, Any]:
    rules = solver.rules
    found = solver.analyse(rules.start, limit, distances=False)
    return {
        "first_moves": len(found.choices),
        "keeping_first_moves": len(found.keeping),
        "kept_by": " ".join(rules.names(found.keeping)),
    }


def _look_at_all(rules: Rules[O, P], settings: Method, limit: Limit, attempt: Attempt) -> None:
    """All positions where they fit, otherwise those that sampled games meet."""
    decisions = "decisions" in settings.measures
    part = _half(limit, last=not decisions)

    def look() -> dict[str, Any]:
        found = survey(rules, settings.error, part)
        told: dict[str, Any] = {"positions": found.positions}
        if decisions:
            told |= {"decisions_from": "positions", "decisions": found.decisions, "critical": found.critical}
            if found.decisions:
                told["critical_share"] = round(found.critical / found.decisions, DIGITS)
                told["holding"] = round(found.holding / found.decisions, DIGITS)
        if "contest" in settings.measures:
            contest = found.contest
            for name in ("first", "drawn", "second", "turns", "measure"):
                told[name] = round(getattr(contest, name), DIGITS) + 0.0  # SQLite knows no -0.0, and a digest does
            told["critical_turns"] = round(contest.critical, DIGITS)
        return told

    name = "contest" if "contest" in settings.measures else "positions"
    if not attempt(name, look) and decisions:
        seed = f"{settings.seed} {rules.title}"
        attempt("decisions", lambda: _sampled(rules, settings, seed, limit))


def _sampled(rules: Rules[O, P], settings: Method, seed: str, limit: Limit) -> dict[str, Any]:
    found = sample_decisions(rules, settings.error, settings.games, seed, limit)
    told: dict[str, Any] = {
        "decisions_from": "games",
        "decisions": found.decisions,
        "critical": found.critical,
    }
    for name, interval in (("critical", found.critical_share), ("holding", found.holding)):
        if interval is not None:
            told["critical_share" if name == "critical" else "holding"] = round(interval.estimate, DIGITS)
            told[f"{name}_low"] = round(interval.low, DIGITS)
            told[f"{name}_high"] = round(interval.high, DIGITS)
    return told


def command_of(task: Task) -> str:
    """The command that makes a row again."""
    usual = Method()
    words = [f"--{flag(name)} {text}" for name, text in read_words(task.options).items()]
    if task.settings.measures != usual.measures:
        words.append(f"--measure {','.join(task.settings.measures)}")
    for name in ("error", "games", "seed"):
        value = getattr(task.settings, name)
        if value != getattr(usual, name):
            words.append(f"--{name} {value}")
    words.append(f"--seconds {task.budget.seconds:g} --memory {task.budget.memory >> 20}")
    return f"parlour sweep {task.game} {' '.join(words)}"


def digest_of(row: Row, stamp: Mapping[str, object], settings: Method) -> str:
    """A digest of what a row says, of which rules and by which settings; what it cost is left out."""
    said = {name: value for name, value in asdict(row).items() if name not in COSTS}
    text = json.dumps([stamp_of_game(stamp), settings, said], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def stamp_of_game(stamp: Mapping[str, object]) -> dict[str, object]:
    """What rows must agree in to stand in one file: the game, its version and its rules, whatever the options."""
    return {name: value for name, value in stamp.items() if name != "options"}


# The memory that a process holds at most. Linux can forget the last peak, so that each row has its own.

PEAK = "VmHWM:"


def _forget_peak() -> None:
    with suppress(OSError), open("/proc/self/clear_refs", "w") as file:
        file.write("5")


def _peak() -> int | None:
    """Bytes; None where the system does not say."""
    with suppress(OSError), open("/proc/self/status") as file:
        for line in file:
            if line.startswith(PEAK):
                return int(line.split()[1]) << 10
    return None
