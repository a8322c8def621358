"""Tables: every position of a game with its score, made once and kept on disk.

A table answers for one game, version, set of options and solver, and is refused for any other. It is written beside its
place and moved there when it is complete, so nothing half-written is ever found, whoever else is writing it too.
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
from itertools import accumulate, chain
from operator import sub
from random import Random
from threading import get_ident
from typing import Any, NamedTuple

from parlour import referee
from parlour.errors import BadTable, TooBig
from parlour.game import ONGOING, AnyGame
from parlour.options import show_options
from parlour.solver.kernels import DEEPEST, FLAGS, MARK_BITS, STOPPED, TOP, sign
from parlour.solver.plain import PlainFill, fits
from parlour.solver.solution import COMPILED_CHUNK, MEMORY, PLAIN_BYTES, PLAIN_CHUNK, VALUES, can_compile

SOLVER_VERSION = 1  # goes up when the meaning of a table changes
LOW = 5  # how much lower than the truth an estimate tends to be in a large game
MAGIC = b"parlour table 1\n"
PLAIN_POSITIONS = 100_000  # tabulated as it stands before compiling pays
TABLE_BYTES = 16  # that a position takes in a compiled table at least half full


class Statistics(NamedTuple):
    """What a table says about its game. Positions are those where somebody is to move, mirror images counted once."""

    positions: int
    values: dict[str, int]  # positions by value for the player to move
    plies: dict[str, dict[int, int]]  # wins and losses by distance
    decisions: int  # positions with more than one move
    critical: int  # positions where some move loses value
    longest: int  # plies of the longest win


class TableOfScores:
    """Every position that play can reach from the start, with its score."""

    def __init__(self, game: AnyGame, options: Any, keys: array[int], marks: array[int]) -> None:
        """``keys`` are packed canonical positions in rising order."""
        self.game = game
        self.options = options
        self._keys = keys
        self._marks = marks

    def __len__(self) -> int:
        return len(self._keys)

    def score(self, position: Any) -> int:
        """As ``Solver.score`` says; KeyError for a position that play cannot reach."""
        key = pack(self.game, self.options, self.game.canonical(self.options, position))
        place = bisect_left(self._keys, key)
        if place == len(self._keys) or self._keys[place] != key:
            raise KeyError(position)
        return self._marks[place] >> FLAGS

    def items(self) -> Iterator[tuple[tuple[int, ...], int]]:
        """Every canonical position with its score."""
        for key, mark in zip(self._keys, self._marks, strict=True):
            yield unpack(self.game, self.options, key), mark >> FLAGS

    def statistics(self) -> Statistics:
        marks = Counter(self._marks)  # few different ones
        values = dict.fromkeys(("win", "draw", "loss"), 0)
        plies: dict[str, dict[int, int]] = {"win": {}, "loss": {}}
        decisions = critical = longest = 0
        for mark, count in sorted(marks.items(), key=lambda item: -abs(item[0] >> FLAGS)):
            score = mark >> FLAGS
            value = VALUES[sign(score)]
            values[value] += count
            decisions += count * (mark >> 1 & 1)
            critical += count * (mark & 1)
            if score:
                distance = TOP - abs(score)
                plies[value][distance] = plies[value].get(distance, 0) + count
                longest = max(longest, distance if score > 0 else 0)
        return Statistics(len(self), values, plies, decisions, critical, longest)


def tabulate(
    game: AnyGame,
    options: Any,
    *,
    memory: int = MEMORY,
    progress: Callable[[int], None] | None = None,
    compiled: bool | None = None,
) -> TableOfScores:
    """Search every position. TooBig, before it starts if that can be foreseen, if it does not fit the memory."""
    bounds = game.bounds(options)
    if bounds is None:
        raise TooBig("a game that need not end has no table; set a limit")
    if bounds.plies > DEEPEST:
        raise TooBig(f"a game of up to {bounds.plies:,} plies is too long to search; at most {DEEPEST:,}")
    start = game.start(options)
    able = compiled is not False and can_compile() and fits(game, options, MARK_BITS)
    if not (compiled and able):
        plain, foreseen = PlainFill(game, options), False
        while plain.fill(start, PLAIN_CHUNK) == STOPPED:
            if progress is not None:
                progress(len(plain))
            if len(plain) >= PLAIN_POSITIONS and able:
                break
            if len(plain) >= PLAIN_POSITIONS and not foreseen:
                _foresee(game, options, memory, PLAIN_BYTES)
                foreseen = True
            if len(plain) * PLAIN_BYTES > memory:
                raise TooBig(f"more than {len(plain):,} positions; {memory >> 20:,} MB of memory are allowed")
        else:
            return _from_dictionary(game, options, plain.known)
        del plain
    _foresee(game, options, memory, LOW * TABLE_BYTES)
    from parlour.solver.compile import CompiledFill

    search = CompiledFill(game, options, memory)
    while search.fill(start, COMPILED_CHUNK) == STOPPED:
        if progress is not None:
            progress(len(search))
    keys, marks = search.marks()
    return TableOfScores(game, options, array("q", keys.tobytes()), array("i", marks.tobytes()))


def _from_dictionary(game: AnyGame, options: Any, known: dict[Any, int]) -> TableOfScores:
    packed = sorted((pack(game, options, position), mark) for position, mark in known.items())
    try:
        keys = array("q", [key for key, _ in packed])
    except OverflowError:
        raise TooBig("positions under these options are too long for a table; choose smaller options") from None
    return TableOfScores(game, options, keys, array("i", [mark for _, mark in packed]))


def pack(game: AnyGame, options: Any, position: Any) -> int:
    """A position as one number: its fields in mixed radix, each below its bound."""
    bounds = game.bounds(options)
    assert bounds is not None
    key = 0
    for bound, value in zip(bounds.position, position, strict=True):
        key = key * bound + value
    return key


def unpack(game: AnyGame, options: Any, key: int) -> tuple[int, ...]:
    """The position that was packed."""
    bounds = game.bounds(options)
    assert bounds is not None
    values = []
    for bound in reversed(bounds.position):
        key, value = divmod(key, bound)
        values.append(value)
    return tuple(type(game.start(options))(*reversed(values)))


# How many positions there will be.


def estimate(game: AnyGame, options: Any) -> int:
    """About how many positions play can reach, from how often random games meet: the birthday paradox, ply by ply.

    Positions that random games prefer meet more often, so in a large game this is low, by a factor of a few.
    """
    few, met = _meetings(game, options, 3_000)
    return few if met else _meetings(game, options, 20_000)[0]


def _meetings(game: AnyGame, options: Any, walks: int) -> tuple[int, bool]:
    """The estimate from so many random games, and whether at every ply enough of them met to trust it."""
    random = Random(0)
    here: list[Any] = [game.start(options)] * walks
    total, met = 0.0, True
    while here:
        counts = Counter(game.canonical(options, position) for position in here)
        pairs = len(here) * (len(here) - 1) / 2
        meetings = sum(count * (count - 1) / 2 for count in counts.values())
        total += max(len(counts), pairs / max(meetings, 1))
        met = met and (meetings > 30 or len(here) < walks // 10)
        here = [game.play(options, p, random.choice(referee.legal_moves(game, options, p))) for p in here]
        here = [position for position in here if game.result(options, position) == ONGOING]
    return math.ceil(total), met


def _foresee(game: AnyGame, options: Any, memory: int, size: int) -> None:
    about = estimate(game, options)
    if about * size > memory:
        needed = about * size >> 20
        raise TooBig(f"about {about:,} positions or more need {needed:,} MB; {memory >> 20:,} MB of memory are allowed")


# Tables on disk.


def stamp(game: AnyGame, options: Any) -> dict[str, Any]:
    """What a table must agree with to be used: game, version, options, solver, and the very text of the rules."""
    source = inspect.getsource(sys.modules[game.moves.__module__])
    return {
        "game": game.key,
        "version": game.version,
        "options": show_options(options),
        "solver": SOLVER_VERSION,
        "rules": hashlib.sha256(source.encode()).hexdigest()[:16],
    }


def folder() -> str:
    """Where tables are kept: below the XDG cache directory, for they can be made again."""
    cache = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(cache):
        cache = os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(cache, "parlour", "tables")


def path_of(game: AnyGame, options: Any) -> str:
    words = [game.key, *(f"{name}-{text}" for name, text in show_options(options).items())]
    return os.path.join(folder(), "_".join(words).replace(",", "+") + ".table")


def save(table: TableOfScores, path: str) -> None:
    """Write a table: a line that says what it is, then the steps between rising keys, then the marks, compressed."""
    keys = table._keys
    steps = array("q", map(sub, keys, chain((0,), keys)))
    narrow = max(steps, default=0) < 2**31
    blocks = [zlib.compress(block.tobytes(), 1) for block in (array("i", steps) if narrow else steps, table._marks)]
    head = {
        **stamp(table.game, table.options),
        "positions": len(table),
        "wide": not narrow,
        "order": sys.byteorder,
        "blocks": [len(block) for block in blocks],
    }
    body = json.dumps(head).encode() + b"\n" + b"".join(blocks)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    scratch = f"{path}.{os.getpid()}-{get_ident()}.new"
    try:
        with open(scratch, "wb") as file:
            file.write(MAGIC + hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
            file.flush()
            os.fsync(file.fileno())
        os.replace(scratch, path)
    finally:
        if os.path.exists(scratch):
            os.unlink(scratch)


def load(game: AnyGame, options: Any, path: str) -> TableOfScores:
    """Read a table; BadTable if it is damaged or answers another question."""
    with open(path, "rb") as file:
        magic, checksum, body = file.readline(100), file.readline(100), file.read()
    if magic != MAGIC:
        raise BadTable(f"{path} is no table of scores")
    if hashlib.sha256(body).hexdigest().encode() + b"\n" != checksum:
        raise BadTable(f"{path} is damaged")
    line, _, data = body.partition(b"\n")
    head = json.loads(line)
    differing = [name for name, value in stamp(game, options).items() if head[name] != value]
    if differing:
        raise BadTable(f"{path} was made for another {differing[0]}")
    if head["order"] != sys.byteorder:
        raise BadTable(f"{path} was made on another kind of machine")
    cut = head["blocks"][0]
    steps = array("q" if head["wide"] else "i", zlib.decompress(data[:cut]))
    marks = array("i", zlib.decompress(data[cut:]))
    return TableOfScores(game, options, array("q", accumulate(steps)), marks)


def kept_table(game: AnyGame, options: Any, **how: Any) -> TableOfScores:
    """The table from disk, or made now and kept. A bad file is replaced; a disk that takes nothing is no matter."""
    path = path_of(game, options)
    try:
        return load(game, options, path)
    except (OSError, BadTable):
        table = tabulate(game, options, **how)
    with suppress(OSError):  # it can be made again
        save(table, path)
    return table
