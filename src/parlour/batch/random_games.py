"""Random games: one at a time, or many in one call of compiled code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from random import Random
from typing import TYPE_CHECKING

from parlour.arguments import whole_number
from parlour.engine import Compiled, Runtime, compiled_runtime
from parlour.engine.search import compiles, rule_functions
from parlour.engine.tree import make_playouts
from parlour.errors import BadArgument, TooBig
from parlour.fields import about, document, written
from parlour.game import ONGOING, Game, P, count_moves, list_moves
from parlour.options import O
from parlour.rules import Rules, as_rules
from parlour.text import clip

if TYPE_CHECKING:
    from threading import Event

MAX_THREADS = 1000
SLICE = 1000  # games between checks for an interruption
PLAIN_GAMES = 500  # games that take less time in pure Python than WebAssembly takes to load


def random_move(rules: Rules[O, P], position: P, random: Random) -> int:
    """Return a random legal move, all equally likely. The game must not be over."""
    moves = rules.game.rules.moves(rules.packed, position)
    return list_moves(moves)[random.randrange(count_moves(moves))]


def random_game(
    rules: str | Game[O, P] | Rules[O, P], position: P | None, random: Random
) -> Iterator[tuple[P, int | None]]:
    """Return each position of a random game with the move that is played there; the last, where it is over, with None.

    The game begins at a position; None is the start. The iterator may never end if the game need not end.

    Raises:
        UnknownGame: there is no such game.
        BadPosition: this is not a position of the game.
        BadArgument: ``random`` is not a ``random.Random``.

    >>> import parlour
    >>> from random import Random
    >>> rules = parlour.rules_of("double-up", limit=4)
    >>> list(parlour.random_game(rules, rules.start, Random(1)))[-1]
    (Position(last=4), None)
    """
    rules = as_rules(rules)
    begin = rules.start if position is None else position
    rules.result(begin)  # raises BadPosition
    if not isinstance(random, Random):
        raise BadArgument(f"bad random {clip(repr(random))}; give a random.Random, such as Random(1)")
    return _random_game(rules, begin, random)


def _random_game(rules: Rules[O, P], position: P, random: Random) -> Iterator[tuple[P, int | None]]:
    while rules.game.rules.result(rules.packed, position) == ONGOING:
        move = random_move(rules, position, random)
        yield position, move
        position = rules.game.rules.play(rules.packed, position, move)
    yield position, None


@document
class Playouts:
    """The results of many random games, for the player to move at their beginning.

    >>> import parlour
    >>> found = parlour.playouts(parlour.rules_of("double-up", limit=3), 50)
    >>> found
    Playouts(wins=0, draws=0, losses=50, placements=100, plies=100)
    """

    wins: int = about("wins of that player")
    draws: int = about("games without a winner")
    losses: int = about("losses of that player")
    placements: int = about("moves that were no passes")
    plies: int = about("moves and passes of all games together")

    @property
    @written
    def games(self) -> int:
        """games that were played"""
        return self.wins + self.draws + self.losses


def playouts(
    rules: str | Game[O, P] | Rules[O, P],
    games: int,
    *,
    position: P | None = None,
    seed: int = 1,
    threads: int = 1,
    runtime: Runtime | None = None,
) -> Playouts:
    """Play random games from a position, or from the start. The same seed and number of threads give the same games.

    ``runtime`` is as in ``Solver``.

    Raises:
        UnknownGame: there is no such game.
        BadArgument: fewer than 0 games, fewer than 1 thread or more than 1,000, or a seed that is not a whole number.
        BadPosition: play cannot lead to the position.
        TooBig: the game need not end.
        ParlourError: native code was asked for, and there is no C compiler.

    >>> import parlour
    >>> parlour.playouts(parlour.rules_of("double-up", limit=4), 100).games
    100
    """
    rules = as_rules(rules)
    games, seed = whole_number("games", games, 0), whole_number("seed", seed)
    threads = whole_number("threads", threads, 1)
    if threads > MAX_THREADS:
        raise BadArgument(f"bad threads {threads}; at most {MAX_THREADS:,}")
    if rules.bounds is None:
        raise TooBig("random games that need not end cannot be counted; set a limit")
    start = rules.start if position is None else position
    rules.check_position(start)
    shares = [games * (part + 1) // threads - games * part // threads for part in range(threads)]
    chosen = compiled_runtime(runtime, games > PLAIN_GAMES)
    run = (_compiled(rules.game, chosen) if chosen and compiles(rules) else None) or _plain(rules.game)
    from concurrent.futures import ThreadPoolExecutor  # imported late, because random moves do not need it
    from threading import Event

    stopped = Event()

    def play(part: int) -> list[int]:
        return run(rules.packed, start, _slices(shares[part], stopped), _first_state(seed, part))

    with ThreadPoolExecutor(threads) as pool:
        try:
            tallies = list(pool.map(play, range(threads)))
        except BaseException:  # such as Ctrl-C; the pool still waits for its threads
            stopped.set()
            raise
    wins, draws, losses, placements, plies = (sum(column) for column in zip(*tallies, strict=True))
    return Playouts(wins=wins, draws=draws, losses=losses, placements=placements, plies=plies)


def _slices(games: int, stopped: Event) -> Iterator[int]:
    """Split a number of games into slices, until the work is stopped."""
    for done in range(0, games, SLICE):
        if stopped.is_set():
            return
        yield min(SLICE, games - done)


def _first_state(seed: int, part: int) -> int:
    """Return the first random state of a thread, never 0 (splitmix64)."""
    state = (seed * 1_000_003 + part + 1) * 0x9E3779B97F4A7C15 % 2**64
    state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    state = (state ^ state >> 27) * 0x94D049BB133111EB % 2**64
    return state ^ state >> 31 or 1


@cache
def _plain(game: Game[O, P]) -> Callable[[O, P, Iterable[int], int], list[int]]:
    kernel = make_playouts(rule_functions(game))

    def run(options: O, start: P, slices: Iterable[int], state: int) -> list[int]:
        states, tally = [state], [0] * 5
        for games in slices:
            kernel(options, start, games, states, tally)
        return tally

    return run


def _compiled(game: Game[O, P], runtime: Compiled = "wasm") -> Callable[[O, P, Iterable[int], int], list[int]] | None:
    """Return the compiled kernel; None if it cannot run."""
    from parlour.engine.sessions import has_engine, playout_kernel

    return playout_kernel(game, runtime) if has_engine(game, runtime) else None
