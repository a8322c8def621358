"""A sweep: a game measured under every combination of options, in one file.

A sweep can be interrupted at any moment and resumed: rows in the file are not measured again. The longest tasks start
first, so that all workers are busy until the end.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import nullcontext, suppress
from itertools import permutations, product
from math import exp, log, prod
from os import path
from random import Random
from statistics import StatisticsError, linear_regression
from typing import Any, NamedTuple

from parlour.arguments import as_index, whole_number
from parlour.batch import random_game
from parlour.errors import BadOptions, BadSweep, TooBig
from parlour.fields import about, document, written
from parlour.game import Game, P
from parlour.lab.measures import (
    DEFAULT_METHOD,
    MEASURES,
    Budget,
    Method,
    Row,
    Task,
    columns_of,
    digest_of,
    measure,
    stamp_of_game,
)
from parlour.lab.results import MEMORY, ROW_BYTES, Results, SweepHead
from parlour.limit import check_seconds
from parlour.options import O, OptionValue, declared, flag, left_to_chance, pack_options, show_words
from parlour.parallel import ProcessExecutor
from parlour.parallel import run as run_parallel
from parlour.rules import Rules, as_rules
from parlour.solver.tables import stamp
from parlour.study.contest import check_error
from parlour.text import clip, counted, did_you_mean, nearest
from parlour.version import __version__

MAX_COMBINATIONS = 1_000_000
LISTS = "several between commas, and ranges like 4-8"
SAMPLED_GAMES = 8  # random games to estimate the size of a game
MAX_SAMPLED_TURNS = 200


class Combinations(NamedTuple):
    """The games with every combination of options."""

    rules: list[Rules]
    alike: list[int]  # the number of arrangements that are each game; 1 if nothing is arranged
    left_out: int  # the number of combinations that make no game


def combine(game: Game, given: Mapping[str, Sequence[str]]) -> Combinations:
    """Return every combination of the given values; options without values have the default of the book.

    Arrangements that would be dealt at random are all included, once for each different game.

    Raises:
        BadOptions: a text is no value, no combination makes a game, or there are too many combinations.
    """
    values = [_values(game, name, given.get(name, ())) for name in declared(game.options)]
    count = prod(len(each) for each in values)
    if count > MAX_COMBINATIONS:
        raise BadOptions(f"{count:,} combinations; a sweep has at most {MAX_COMBINATIONS:,}")
    found = Combinations([], [], 0)
    left_out, reason = 0, ""
    for combination in product(*values):
        options: Any = game.options(*combination)  # type: ignore[arg-type]  # a NamedTuple
        made = 0
        for arranged, alike in _arrangements(game, options):
            try:
                rules = Rules(game, arranged)
            except BadOptions as error:
                reason = str(error)
                continue
            found.rules.append(rules)
            found.alike.append(alike)
            made += 1
        left_out += not made
    if not found.rules:
        raise BadOptions(f"none of {counted(left_out, 'combination')} makes a game: {reason}")
    return found._replace(left_out=left_out)


def _values(game: Game, name: str, texts: Sequence[str]) -> list[int]:
    kind = declared(game.options)[name]
    values: dict[int, None] = {}  # a set that preserves the order
    for text in texts:
        read = kind.read_several(text)
        if read is None:
            raise BadOptions(f"bad {flag(name)} {clip(text)!r}; allowed: {kind.allowed}; also {LISTS}")
        values |= dict.fromkeys(read)
    return list(values) or [getattr(pack_options(game.defaults), name)]


def _arrangements(game: Game[O, P], options: O) -> Iterator[tuple[O, int]]:
    """Yield options with everything dealt, once for each different game, and the number of its arrangements."""
    missing = [name for name in left_to_chance(game.options) if not getattr(options, name)]
    if not missing:
        yield options, 1
        return
    games: dict[P, tuple[O, int]] = {}
    for digits in permutations("123456789"):
        arranged: O = options._replace(**{missing[0]: int("".join(digits))})  # type: ignore[attr-defined]  # a NamedTuple
        if game.rules.check(arranged) is None:
            start = game.rules.start(arranged)
            first, alike = games.get(start, (arranged, 0))
            games[start] = first, alike + 1
    yield from games.values()


def estimate_work(rules: Rules[O, P]) -> float:
    """Estimate the work for a game: the logarithm of the size of its tree.

    Knuth's estimate (1975): the product of the numbers of moves along a random game, averaged over several.
    """
    random, total = Random(0), 0.0
    for _ in range(SAMPLED_GAMES):
        for turn, (position, move) in enumerate(random_game(rules, rules.start, random)):
            if move is None or turn >= MAX_SAMPLED_TURNS:
                break
            total += log(rules.count_legal(position))
    return total / SAMPLED_GAMES


DEFAULT_MEMORY = 3 << 30  # bytes for one row, if available
MEMORY_SHARE = 0.75  # the share of the free memory for a sweep
MIN_SECONDS = 0.001  # the minimum time of a row in the forecast


@document
class Sweep:
    """The results of a sweep.

    >>> import parlour
    >>> found = parlour.sweep("double-up", limit="5-7", measures=["value"])
    >>> found.rows[0].value, [row.words for row in found]
    (<Value.WIN: 1>, ['limit=5', 'limit=6', 'limit=7'])
    """

    game: Game = about("the name of the game")

    @property
    @written
    def game_version(self) -> int:
        """the version of its rules"""
        return self.game.version

    settings: Method = about("the method of measurement")
    left_out: int = about("the combinations of options that make no game")
    rows: list[Row] = about("one row for each combination of options")

    def __repr__(self) -> str:
        return f"<Sweep of {self.game.title}: {counted(len(self.rows), 'row')}>"

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)


def head_of(rules: Rules, settings: Method) -> SweepHead:
    """Return the head of the file of a sweep; the rules may have any of its options."""
    return SweepHead(stamp_of_game(stamp(rules)), settings, __version__)


def missing_tasks(
    game: Game, found: Combinations, settings: Method, budget: Budget, results: Results
) -> list[tuple[Task, float]]:
    """Return the tasks not yet in the file or unfinished with a smaller budget, largest estimated work first."""
    known = {row.words: row for row in results}
    tasks = []
    for rules, alike in zip(found.rules, found.alike, strict=True):
        words = show_words(rules.options)
        row = known.get(words)
        if row is None or (row.unfinished and _is_more(budget, row)):
            tasks.append((Task(game.key, words, alike, settings, budget), estimate_work(rules)))
    return sorted(tasks, key=lambda task: -task[1])


def _is_more(budget: Budget, row: Row) -> bool:
    """Return whether an unfinished row might fit this budget."""
    least = budget.seconds >= row.allowed_seconds and budget.memory >= row.allowed_memory
    return least and (budget.seconds, budget.memory) != (row.allowed_seconds, row.allowed_memory)


def run(tasks: list[Task], results: Results, executor: Executor | None, report: Callable[[int, Row], None]) -> None:
    """Measure all tasks and save each row immediately; ``report`` receives the task's index and its row."""
    for index, row in run_parallel(measure, tasks, executor):
        if (
            row.version != __version__
            or digest_of(columns_of(row), results.head.stamp, results.head.settings) != row.digest
        ):
            other = f"Parlour {row.version}, or other rules than Parlour {__version__} here"
            raise BadSweep(f"a worker has {other}; install the same everywhere")
        results.add(row)
        report(index, row)


class Forecast:
    """A forecast of the remaining time of a sweep.

    The logarithm of a row's time grows about linearly with its estimated work.
    """

    def __init__(self, guesses: list[float], budget: Budget, workers: int) -> None:
        self._left = dict(enumerate(guesses))
        self._done: list[tuple[float, float]] = []
        self._max_seconds = budget.seconds
        self._workers = workers

    def note(self, index: int, seconds: float) -> None:
        """Record the time of a finished row."""
        self._done.append((self._left.pop(index), log(max(seconds, MIN_SECONDS))))

    @property
    def seconds(self) -> float | None:
        """The remaining time in seconds; None before the first row is finished."""
        if not self._done:
            return None
        guesses, logarithms = zip(*self._done, strict=True)
        try:
            slope, base = linear_regression(guesses, logarithms)
        except StatisticsError:  # fewer than two rows, or all with the same estimate
            slope, base = 0.0, sum(logarithms) / len(logarithms)
        rows = (min(self._max_seconds, exp(min(50.0, slope * guess + base))) for guess in self._left.values())
        return sum(rows) / self._workers


class Machine(NamedTuple):
    """The number of parallel rows and the memory of each in bytes."""

    jobs: int
    memory: int


def share_memory(jobs: int, memory: int | None, free: int | None = None) -> Machine:
    """Divide the free memory among jobs; a given ``memory`` per job may reduce their number.

    Raises:
        TooBig: there is not enough memory for one job.
    """
    free = free_memory() if free is None else free
    if memory is None:
        return Machine(jobs, min(DEFAULT_MEMORY, int(free * MEMORY_SHARE) // jobs))
    if memory > free:
        raise TooBig(f"{memory >> 20:,} MB of memory are more than the {free >> 20:,} MB that are free")
    return Machine(max(1, min(jobs, free // memory)), memory)


def free_memory() -> int:
    """Return the free memory of this machine or container in bytes."""
    free = DEFAULT_MEMORY
    with suppress(OSError), open("/proc/meminfo") as file:
        free = next((int(line.split()[1]) << 10 for line in file if line.startswith("MemAvailable:")), free)
    group = "/sys/fs/cgroup/memory"
    with suppress(OSError, ValueError), open(f"{group}.max") as limit, open(f"{group}.current") as current:
        free = min(free, max(0, int(limit.read()) - int(current.read())))
    return free


def check_disk(file: str, rows: int) -> None:
    """Raise TooBig if the disk has no room for the rows."""
    if file == MEMORY:
        return
    folder = path.dirname(path.abspath(file))
    with suppress(OSError):
        free = shutil.disk_usage(folder).free
        if rows * ROW_BYTES > free:
            raise TooBig(f"{rows:,} rows take {rows * ROW_BYTES >> 20:,} MB; the disk has {free >> 20:,} MB free")


def sweep(
    game: str | Game | Rules,
    /,
    *,
    measures: str | Sequence[str] = tuple(MEASURES),
    error: float = DEFAULT_METHOD.error,
    games: int = DEFAULT_METHOD.games,
    seed: int = DEFAULT_METHOD.seed,
    seconds: float | None = 600,
    memory: int = DEFAULT_MEMORY,
    jobs: int = 1,
    executor: Executor | None = None,
    **ranges: OptionValue | Sequence[OptionValue],
) -> Sweep:
    """Measure a game under every combination of its options, and return a row for each.

    Each option is a value, a list of values, or a text with lists and ranges such as ``"4-8,10"``. A value of several
    numbers is a tuple: ``increments=(1, 2)`` or ``increments=[(1, 2), (1, 3)]``. The default of an option is that of
    the rules, or of the game. ``seconds`` and ``memory`` limit each row; measures that do not fit are named
    in its ``unfinished``. ``jobs`` is the number of processes. An ``executor`` replaces
    them: a ``concurrent.futures.Executor`` such as ``ProcessPoolExecutor(4)`` or Dask's ``client.get_executor()``.

    Raises:
        UnknownGame: there is no such game.
        BadOptions: a measure or an option is unknown, or no combination makes a game.
        BadArgument: another argument is not a number of its kind.
        NoWorkers: worker processes were killed.

    >>> import parlour
    >>> found = parlour.sweep("double-up", limit="5-7", measures=["value", "distance"])
    >>> [(row.words, str(row.value), row.distance) for row in found.rows]
    [('limit=5', 'win', 3), ('limit=6', 'win', 3), ('limit=7', 'loss', 4)]
    """
    rules = as_rules(game)
    which = rules.game
    for name in ranges:
        if name not in (kinds := declared(which.options)):
            near = did_you_mean(nearest(name, kinds))
            raise BadOptions(f"unknown option {clip(name)!r}{near}; known options: {', '.join(kinds)}")
    settings = Method(
        measures=check_measures([measures] if isinstance(measures, str) else measures),
        error=check_error(error),
        games=whole_number("games", games, 1),
        seed=whole_number("seed", seed),
    )
    budget, jobs = Budget(check_seconds(seconds), whole_number("memory", memory, 0)), whole_number("jobs", jobs, 1)
    known = {name: [text] for name, text in rules.option_texts.items() if text}
    found = combine(which, known | {name: _texts(name, given) for name, given in ranges.items()})
    tasks = [
        Task(which.key, show_words(rules.options), alike, settings, budget)
        for rules, alike in zip(found.rules, found.alike, strict=True)
    ]
    with ProcessExecutor(jobs) if jobs > 1 and executor is None else nullcontext(executor) as workers:
        rows = dict(run_parallel(measure, tasks, workers))
    return Sweep(game=which, settings=settings, left_out=found.left_out, rows=[rows[at] for at in sorted(rows)])


def _texts(name: str, given: object) -> list[str]:
    """Return the values of an option as texts; BadOptions if there are none, or one cannot be a value."""
    is_list = isinstance(given, Iterable) and not isinstance(given, str)
    if isinstance(given, tuple) and given and None not in map(as_index, given):
        is_list = False  # a tuple of numbers is one value
    texts = [_text(name, each) for each in (given if is_list else [given])]  # type: ignore[attr-defined]
    if not texts:
        raise BadOptions(f"bad {flag(name)} {clip(repr(given))}; at least one value is needed")
    return texts


def _text(name: str, value: object) -> str:
    if isinstance(value, str):
        return value
    if value is None:
        return "none"
    numbers = [as_index(each) for each in (value if isinstance(value, Iterable) else [value])]
    if None in numbers:
        raise BadOptions(f"bad {flag(name)} {clip(repr(value))}; give a number, a text or a list of them")
    return ",".join(map(str, numbers))


def check_measures(names: Sequence[str]) -> tuple[str, ...]:
    """Return measures in their usual order.

    Raises:
        BadOptions: one of them is unknown, or there are none.
    """
    known = f"known measures: {', '.join(MEASURES)}"
    if not isinstance(names, Sequence) or not names:
        raise BadOptions(f"bad measures {clip(repr(names))}; {known}")
    for name in names:
        if not isinstance(name, str) or name not in MEASURES:
            near = did_you_mean(nearest(str(name), MEASURES))
            raise BadOptions(f"unknown measure {clip(str(name))!r}{near}; {known}")
    return tuple(name for name in MEASURES if name in names)
