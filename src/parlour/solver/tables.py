"""Position tables: every position of a game with its score, computed once and saved on disk.

A saved table is valid for one game, version, set of options and solver. It is written atomically and has a checksum.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import math
import os
import sys
import zlib
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib.util import find_spec
from itertools import accumulate, chain
from operator import sub
from random import Random
from typing import TYPE_CHECKING, Any, Generic

from parlour.batch import random_game
from parlour.engine import Compiled, Runtime, chosen_runtime, compiled_runtime
from parlour.engine.plain import PLAIN_POSITIONS, POSITION_BYTES, PlainFill, PlainSearch
from parlour.engine.search import (
    DEEPEST,
    ENTRY_BITS,
    FLAGS,
    STOPPED,
    compiles,
    make_children,
    pack,
    packs,
    rule_functions,
    unpack,
    unpack_score,
)
from parlour.errors import BadPosition, BadTable, TooBig
from parlour.fields import about, document, written
from parlour.files import cache_folder, write_whole
from parlour.game import Game, P
from parlour.limit import Limit, limit_of, limit_within
from parlour.options import O
from parlour.rules import Rules, as_rules
from parlour.score import Score, Value
from parlour.text import clip, counted

if TYPE_CHECKING:
    from parlour.engine.sessions import CompiledFill

    Filled = PlainFill[O, P] | CompiledFill[O, P]

SOLVER_VERSION = 1  # incremented when the meaning of a table changes
ESTIMATE_FACTOR = 5  # typical ratio of the real size of a large game to its estimate
MAGIC = b"parlour table 1\n"
ENTRY_BYTES = 16  # bytes per position in a compiled table that is half full or more
FORESEEN_SHARE = 4  # the size is estimated when a table fills a quarter of the allowed memory
FORESEEN_POSITIONS = 100_000  # positions before the estimate in pure Python, where a full table takes minutes
NUMPY_POSITIONS = 50_000  # length of arrays from which loading NumPy is worthwhile


@document
class Statistics:
    """Statistics of a game's position table, over the positions with a player to move.

    Positions with the same canonical form are counted once; ``counted_once`` describes them.

    >>> import parlour
    >>> found = parlour.tabulate(parlour.rules_of("double-up", limit=10)).statistics()
    >>> found.positions, found.values[parlour.Value.LOSS], found.longest
    (9, 2, 3)
    """

    @property
    @written
    def game(self) -> Game:
        """the name of the game"""
        return self.rules.game

    rules: Rules[Any, Any] = about("all options as text, including the deal", name="options")
    positions: int = about("the number of positions")
    values: dict[Value, int] = about("the number of positions by value for the player to move")
    plies: dict[Value, dict[int, int]] = about("the number of wins and of losses by the plies until the end")
    decisions: int = about("positions with more than one move")
    critical: int = about("positions where some move loses value")
    longest: int = about("the plies of the longest win")

    @property
    @written
    def counted_once(self) -> str:
        """a description of the positions with the same canonical form, which are counted once; empty: there are none"""
        return self.rules.game.content.counted_once


class ScoreTable(Generic[O, P]):
    """Every position that play can reach from the start, with its score.

    >>> import parlour
    >>> table = parlour.tabulate(parlour.rules_of("double-up", limit=10))
    >>> for position, score in table.items():
    ...     if score.value is parlour.Value.LOSS:
    ...         print(position, score)
    Position(last=1) loss in 4 turns
    Position(last=4) loss in 2 turns
    """

    def __init__(self, rules: Rules[O, P], keys: array[int], entries: array[int]) -> None:
        """``keys`` are packed canonical positions in ascending order, ``entries`` their scores and flags."""
        self.rules = rules  # the rules of the tabulated game
        self._keys = keys
        self._entries = entries

    def __repr__(self) -> str:
        return f"<ScoreTable of {self.rules.title}, {counted(len(self), 'position')}>"

    def __len__(self) -> int:
        return len(self._keys)

    def __contains__(self, position: P) -> bool:
        return self._find(position) is not None

    def __iter__(self) -> Iterator[P]:
        """Iterate over all canonical positions."""
        return (unpack(self.rules, key) for key in self._keys)

    def score(self, position: P) -> Score:
        """Return the score for the player to move.

        Raises BadPosition if the game is over or the table lacks the position.
        """
        return unpack_score(self._entries[self.place(position)] >> FLAGS)

    def place(self, position: P) -> int:
        """Return the index of a position in the order of ``items``. Raises BadPosition as in ``score``."""
        place = self._find(position)
        if place is None:
            raise BadPosition(f"bad position {clip(repr(position))}; it is over, or play cannot lead to it")
        return place

    def _find(self, position: P) -> int | None:
        if self.rules.is_over(position):
            return None
        key = pack(self.rules, self.rules.canonical(position))
        place = bisect_left(self._keys, key)
        return place if place < len(self._keys) and self._keys[place] == key else None

    def arrays(self) -> tuple[array[int], array[int]]:
        """Return the packed canonical positions in ascending order, and their entries: scores and flags."""
        return self._keys, self._entries

    def items(self) -> Iterator[tuple[P, Score]]:
        """Iterate over all canonical positions and their scores."""
        for position, entry in zip(self, self._entries, strict=True):
            yield position, unpack_score(entry >> FLAGS)

    def children(self, limit: Limit | None = None) -> tuple[array[int], array[int]]:
        """Return ``first`` and the children of all positions, in the order of the legal moves.

        The children of position ``n`` are those from ``first[n]`` to before ``first[n + 1]``. A child is an index in
        this table, or -1 - status if the game is over.
        """
        limit = limit_of(limit)
        first, found, done = array("q", [0]), array("q"), 0
        run = _children_kernel(self.rules, self._keys)
        while done < len(self):
            before = done
            done, begins, children = run(done)
            offset = len(found)
            first.extend(begin + offset for begin in begins[1:])
            found.extend(children)
            limit.spend(done - before)
            limit.check()
        return first, found

    def statistics(self) -> Statistics:
        """Return the numbers of positions of each kind."""
        values = dict.fromkeys((Value.WIN, Value.DRAW, Value.LOSS), 0)
        plies: dict[Value, dict[int, int]] = {Value.WIN: {}, Value.LOSS: {}}
        decisions = critical = longest = 0
        for entry, count in sorted(_counts(self._entries).items(), key=lambda item: -abs(item[0] >> FLAGS)):
            score = unpack_score(entry >> FLAGS)
            values[score.value] += count
            decisions += count * (entry >> 1 & 1)
            critical += count * (entry & 1)
            if score.plies is not None:
                plies[score.value][score.plies] = plies[score.value].get(score.plies, 0) + count
                longest = max(longest, score.plies if score.value is Value.WIN else 0)
        return Statistics(
            rules=self.rules,
            positions=len(self),
            values=values,
            plies=plies,
            decisions=decisions,
            critical=critical,
            longest=longest,
        )


def tabulate(
    rules: str | Game[O, P] | Rules[O, P],
    limit: Limit | None = None,
    *,
    runtime: Runtime | None = None,
    compiled: bool | None = None,
    seconds: float | None = None,
) -> ScoreTable[O, P]:
    """Search every position, and return the table of scores.

    ``seconds`` bounds the work, beside the limit. ``runtime`` is as in ``Solver``; ``compiled`` is deprecated.

    Raises:
        UnknownGame: there is no such game.
        ParlourError: native code was asked for, and there is no C compiler.
        TooBig: the positions do not fit the limit, or an estimate shows that they will not.

    >>> import parlour
    >>> parlour.tabulate(parlour.rules_of("double-up", limit=20))
    <ScoreTable of Double Up: limit=20, 19 positions>
    """
    rules = as_rules(rules)
    limit = limit_within(limit, seconds)
    if rules.bounds is None:
        raise TooBig("a game that need not end has no table; set a limit")
    if rules.bounds.plies > DEEPEST:
        raise TooBig(f"a game of up to {rules.bounds.plies:,} turns is too long to search; at most {DEEPEST:,}")
    if not packs(rules):
        raise TooBig("positions under these options are too large for a table; choose smaller options")
    runtime = chosen_runtime(runtime, compiled)
    table: Filled[O, P] = PlainFill(rules)
    foreseen = False
    while True:
        chosen = compiled_runtime(runtime, len(table) > 0)
        if chosen is not None:
            runtime = "python"  # decided once
            table = _compiled_fill(rules, table, chosen)
        done, allowed = len(table), limit.allowance(table.chunk)
        stopped = table.fill(rules.start, allowed) == STOPPED
        limit.spend(len(table) - done or allowed)  # nodes may be spent without finding a position
        if not stopped:
            return ScoreTable(rules, *table.entries())
        limit.check()
        in_python = isinstance(table, PlainFill)
        large = len(table) >= FORESEEN_POSITIONS if in_python else table.needed_memory > limit.memory // FORESEEN_SHARE
        if large and not foreseen:
            _foresee(rules, limit, POSITION_BYTES if in_python else ESTIMATE_FACTOR * ENTRY_BYTES)
            foreseen = True
        if table.needed_memory > limit.memory:
            raise TooBig(f"more than {len(table):,} positions; {limit.memory >> 20:,} MB of memory are allowed")


def _compiled_fill(rules: Rules[O, P], plain: Filled[O, P], runtime: Compiled) -> Filled[O, P]:
    """Return a table in compiled code, or the plain one if it cannot run."""
    from parlour.engine.sessions import CompiledFill, has_engine

    is_able = compiles(rules, ENTRY_BITS) and has_engine(rules.game, runtime)
    return CompiledFill(rules, runtime) if is_able else plain


def _children_kernel(rules: Rules[O, P], keys: array[int]) -> Callable[[int], tuple[int, array[int], array[int]]]:
    """Return a function that lists the children of positions, beginning with a given index."""
    if len(keys) >= PLAIN_POSITIONS and compiles(rules, ENTRY_BITS):
        from parlour.engine.sessions import CompiledChildren, has_engine

        if has_engine(rules.game):
            return CompiledChildren(rules, keys).children
    kernel = make_children(rule_functions(rules.game))
    assert rules.bounds is not None
    room = max(PlainSearch.chunk, rules.bounds.moves)

    def run(place: int) -> tuple[int, array[int], array[int]]:
        first, out = array("q", [0]) * (len(keys) + 1), array("q", [0]) * room
        done = kernel(rules.packed, rules, keys, len(keys), place, first, out, room)
        return done, first[place : done + 1], out[: first[done]]

    return run


# Operations on arrays, with NumPy for long ones if it is installed.


def _numpy(numbers: array[int]) -> Any:
    if len(numbers) < NUMPY_POSITIONS or find_spec("numpy") is None:
        return None
    import numpy

    return numpy


def _counts(numbers: array[int]) -> dict[int, int]:
    """Return the number of occurrences of each number."""
    numpy = _numpy(numbers)
    if numpy is None:
        return Counter(numbers)
    found, counts = numpy.unique(numpy.frombuffer(numbers, f"i{numbers.itemsize}"), return_counts=True)
    return dict(zip(found.tolist(), counts.tolist(), strict=True))


def _steps(numbers: array[int]) -> array[int]:
    """Return the differences of adjacent numbers, after the first number."""
    numpy = _numpy(numbers)
    if numpy is None:
        return array("q", map(sub, numbers, chain((0,), numbers)))
    return array("q", numpy.diff(numpy.frombuffer(numbers, "i8"), prepend=0).tobytes())


def _sums(steps: array[int]) -> array[int]:
    """Return the cumulative sums."""
    numpy = _numpy(steps)
    if numpy is None:
        return array("q", accumulate(steps))
    return array("q", numpy.cumsum(numpy.frombuffer(steps, f"i{steps.itemsize}"), dtype="i8").tobytes())


def _narrowed(numbers: array[int]) -> array[int]:
    """Return the numbers with 32 bits each, or unchanged if one is too large."""
    numpy = _numpy(numbers)
    if max(numbers, default=0) >= 2**31 if numpy is None else numpy.frombuffer(numbers, "i8").max() >= 2**31:
        return numbers
    return array("i", numbers if numpy is None else numpy.frombuffer(numbers, "i8").astype("i4").tobytes())


# Estimates.


def estimate(rules: Rules[O, P]) -> int:
    """Estimate the number of reachable positions from collisions of random games, ply by ply (birthday paradox).

    Random games prefer some positions, so the estimate for a large game is too low by a small factor.
    """
    few, met = _meetings(rules, 3_000)
    return few if met else _meetings(rules, 20_000)[0]


def _meetings(rules: Rules[O, P], walks: int) -> tuple[int, bool]:
    """Return an estimate from random games, and whether there were enough collisions at every ply."""
    random = Random(0)
    games = [random_game(rules, rules.start, random) for _ in range(walks)]
    total, met = 0.0, True
    while games:
        going = [(game, position) for game in games for position, move in [next(game)] if move is not None]
        if not going:
            break
        counts = Counter(rules.canonical(position) for _, position in going)
        pairs = len(going) * (len(going) - 1) / 2
        meetings = sum(count * (count - 1) / 2 for count in counts.values())
        total += max(len(counts), pairs / max(meetings, 1))
        met = met and (meetings > 30 or len(going) < walks // 10)
        games = [game for game, _ in going]
    return math.ceil(total), met


def _foresee(rules: Rules[O, P], limit: Limit, size: int) -> None:
    about = estimate(rules)
    if about * size > limit.memory:
        needed, allowed = about * size >> 20, limit.memory >> 20
        raise TooBig(f"about {about:,} positions or more need {needed:,} MB; {allowed:,} MB of memory are allowed")


# Tables on disk.


def stamp(rules: Rules[O, P]) -> dict[str, object]:
    """Return the identity of a valid table: game, version, options, solver, and the source of the rules."""
    game = rules.game
    source = inspect.getsource(sys.modules[game.rules.moves.__module__])
    return {
        "game": game.key,
        "version": game.version,
        "options": rules.option_texts,
        "solver": SOLVER_VERSION,
        "rules": hashlib.sha256(source.encode()).hexdigest()[:16],
    }


def path_of(rules: Rules[O, P]) -> str:
    """Return the path of a table in the cache folder."""
    words = [rules.game.key, *(f"{name}-{text}" for name, text in rules.option_texts.items())]
    return os.path.join(cache_folder(), "tables", "_".join(words).replace(",", "+") + ".table")


def save(table: ScoreTable[O, P], path: str) -> None:
    """Write a table: a header line, the differences of the keys, and the entries, compressed."""
    steps = _narrowed(_steps(table._keys))
    blocks = [zlib.compress(block, 1) for block in (steps, table._entries)]
    head = {
        **stamp(table.rules),
        "positions": len(table),
        "wide": steps.typecode == "q",
        "order": sys.byteorder,
        "blocks": [len(block) for block in blocks],
    }
    body = json.dumps(head).encode() + b"\n" + b"".join(blocks)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    write_whole(path, MAGIC + hashlib.sha256(body).hexdigest().encode() + b"\n" + body)


def load(rules: Rules[O, P], path: str) -> ScoreTable[O, P]:
    """Read a table. Raises BadTable if it is damaged or belongs to other rules."""
    with open(path, "rb") as file:
        magic, checksum, body = file.readline(100), file.readline(100), file.read()
    if magic != MAGIC:
        raise BadTable(f"{path} is not a table of scores")
    if hashlib.sha256(body).hexdigest().encode() + b"\n" != checksum:
        raise BadTable(f"{path} is damaged")
    line, _, data = body.partition(b"\n")
    head = json.loads(line)
    differing = [name for name, value in stamp(rules).items() if head[name] != value]
    if differing:
        raise BadTable(f"{path} was made for another {differing[0]}")
    if head["order"] != sys.byteorder:
        raise BadTable(f"{path} was made on another kind of machine")
    cut = head["blocks"][0]
    steps = array("q" if head["wide"] else "i", zlib.decompress(data[:cut]))
    entries = array("i", zlib.decompress(data[cut:]))
    return ScoreTable(rules, _sums(steps), entries)


def kept_table(
    rules: str | Game[O, P] | Rules[O, P], limit: Limit | None = None, *, seconds: float | None = None
) -> ScoreTable[O, P]:
    """Return the table saved on disk, or make and save one; errors are those of ``tabulate``.

    A corrupt file is replaced, and write errors are ignored.

    >>> import parlour
    >>> print(parlour.kept_table(rules := parlour.rules_of("double-up", limit=20)).score(rules.start))
    loss in 6 turns
    """
    path, limit = path_of(rules := as_rules(rules)), limit_within(limit, seconds)
    try:
        return load(rules, path)
    except (OSError, BadTable):
        table = tabulate(rules, limit)
    with suppress(OSError):  # made again next time
        save(table, path)
    return table
