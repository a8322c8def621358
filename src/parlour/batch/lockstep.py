"""Thousands of games of one kind, played in lock-step over arrays of NumPy.

Every move is judged by the game's own rules: in pure Python while there is little work, then in WebAssembly, and as
native code if there is a compiler and much work. All of them give the same games, and so does any number of threads:
each game has random numbers of its own.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from random import Random
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, Protocol, TypeVar, get_type_hints

from parlour.batch.encoding import Encoding
from parlour.engine import Runtime, chosen_runtime
from parlour.engine.artefacts import NoEngine
from parlour.engine.lockstep import (
    CHECKED,
    FORFEIT,
    IGNORE,
    NEVER,
    NEXT_STEP,
    SAME_STEP,
    UNKNOWN,
    Games,
    Lockstep,
    ScoreArrays,
    Told,
    find_score,
    make_lockstep,
    plain_rows,
)
from parlour.engine.packing import MASK_BITS, compiles
from parlour.engine.search import FLAGS, rule_functions
from parlour.errors import BadPosition, IllegalMove, MissingExtra, MoveRefused, ParlourError, TooBig
from parlour.game import Game, P
from parlour.options import O, left_to_chance
from parlour.rules import Rules, as_index, as_rules
from parlour.score import Score
from parlour.text import clip
from parlour.view import PLAYERS

try:
    import numpy as np
except ImportError:  # then a batch says so when it is made
    np = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

log = logging.getLogger(__name__)

N = TypeVar("N", bound="np.generic")

PYTHON_STEPS = 1000  # game steps in pure Python before WebAssembly is started: about 20 ms
WASM_STEPS = 10_000_000  # before native code is built, which takes some seconds once
SHARE = 4096  # games that are worth a thread
INT64 = None if np is None else np.dtype(np.int64)
MAX_SHARED = 1 << 22  # games that fit into a memory of 4 GiB, with room for other batches
NOBODY = -1  # of no game

Wrong = Literal["raise", "ignore", "forfeit"]
Autoreset = Literal["same_step", "next_step", "never"]
POLICIES: dict[Wrong, int] = {"raise": CHECKED, "ignore": IGNORE, "forfeit": FORFEIT}
RENEWALS: dict[Autoreset, int] = {"same_step": SAME_STEP, "next_step": NEXT_STEP, "never": NEVER}


class Scorer(Protocol):
    """What knows the exact scores of a game's positions, such as a ``ScoreTable`` or a ``Solver``."""

    def score(self, position: Any, /) -> Score: ...


@dataclass
class _Work:
    """The work done so far; a batch shares it with its copies."""

    steps: int = 0  # game steps so far


class _PythonKernels:
    """The kernels in pure Python."""

    def __init__(self, game: Game[Any, Any]) -> None:
        rows = plain_rows(game.options, get_type_hints(game.rules.play)["return"])
        self._kernels: Lockstep = make_lockstep(rule_functions(game), rows)

    def zeros(self, shape: Any, dtype: Any) -> Any:
        return np.zeros(shape, dtype)

    def holds(self, array: Any) -> bool:
        return True

    def bind(self, name: str, arguments: tuple[Any, ...], records: Any) -> Callable[[int, int], int]:
        return partial(getattr(self._kernels, name), *arguments)


Exact = Callable[[Rules[O, P]], Scorer]  # finds out the scores of a game: tabulate, kept_table or Solver


class BatchStep(NamedTuple):
    """What a step of a batch led to, game by game. The next step writes into the same arrays.

    >>> import parlour
    >>> batch = parlour.Batch(parlour.rules_of("double-up", limit=3), 2)
    >>> step = batch.step([2, 2])
    >>> step = batch.step([3, 3])
    >>> step.ended, step.rewards
    (array([ True,  True]), array([1, 1], dtype=int8))
    >>> step.by_player()
    array([[-1,  1],
           [-1,  1]], dtype=int8)
    """

    rewards: NDArray[np.int8]  # 1 for a win of the player who was to move, -1 for a loss, 0 otherwise
    ended: NDArray[np.bool_]  # the game ended in this step
    refused: NDArray[np.bool_]  # the move was not allowed
    movers: NDArray[np.int8]  # the player who was to move, 1 or 2

    def by_player(self) -> NDArray[np.int8]:
        """Return the rewards of both players, a column each: what one wins the other loses."""
        first = self.rewards * (3 - 2 * self.movers)
        return np.stack([first, -first], axis=1)


class Scores(NamedTuple):
    """What the positions of a batch are worth to the players to move.

    >>> import parlour
    >>> batch = parlour.Batch(parlour.rules_of("double-up", limit=30), 3)
    >>> batch.scores(parlour.tabulate)
    Scores(values=array([1, 1, 1], dtype=int8), plies=array([7, 7, 7], dtype=int16))
    """

    values: NDArray[np.int8]  # 1 a win, 0 a draw, -1 a loss
    plies: NDArray[np.int16]  # to the end, if the winner hurries and the loser delays; -1 where nobody wins


class Batch(Generic[O, P]):
    """Many games under the same rules, each with one move in every step.

    Moves are the numbers that ``Rules`` has; whoever is to move is asked, so a batch is played by both players in turn,
    unless it has an ``opponent``. All arrays have a place (or a row) for each game. Those that a batch hands out are
    its own, can only be read, and change with the next call: copy what you want to keep, or say with ``out`` where to
    write. One thread at a time may use a batch.

    >>> import parlour
    >>> batch = parlour.Batch(parlour.rules_of("double-up", limit=6), 3, seed=1)
    >>> batch.step([2, 2, 2]).ended
    array([False, False, False])
    >>> batch.masks()
    array([[0, 0, 0, 1, 1, 0, 0],
           [0, 0, 0, 1, 1, 0, 0],
           [0, 0, 0, 1, 1, 0, 0]], dtype=int8)
    >>> batch.step([3, 4, 5])
    Traceback (most recent call last):
        ...
    parlour.errors.IllegalMove: game 2: illegal move '5': 5 is more than 4, the double of 2; legal: 3, 4
    >>> batch.step([3, 4, 4]).ended, batch.turns
    (array([False, False, False]), array([1, 1, 1], dtype=int8))
    >>> batch.step([6, 5, 6]).rewards
    array([1, 0, 1], dtype=int8)
    """

    def __init__(
        self,
        rules: str | Game[O, P] | Rules[O, P],
        games: int,
        *,
        seed: int = 1,
        wrong: Wrong = "raise",
        autoreset: Autoreset = "same_step",
        opponent: Literal["random"] | Exact[O, P] | None = None,
        player: Literal[1, 2, "both"] = 1,
        deals: int = 1024,
        threads: int | None = None,
        compiled: bool | None = None,
        runtime: Runtime | None = None,
    ) -> None:
        """So many games, all at their start. What chance decides in them follows from the ``seed``.

        ``wrong`` says what becomes of a move that is not allowed: with ``raise`` the whole step is refused with
        IllegalMove and nothing changes; with ``ignore`` that game stays as it is, and ``refused`` tells so; with
        ``forfeit`` whoever made it has lost.

        ``autoreset`` says when a new game follows one that has ended. ``same_step``: at once, so that ``masks`` and
        ``observations`` are those of the new game, and ``final_observations`` tells how the last one ended.
        ``next_step``: with the next step, which plays no move there. ``never``: when ``reset`` is asked to; until then
        steps leave the game as it is. Moves for games that are over are not looked at.

        An ``opponent`` plays the other side within each step, so that it is always your turn, and rewards are yours:
        ``random``, or a function such as ``tabulate`` that finds out the exact scores, for one that plays perfectly.
        ``player`` is you: 1, who begins, 2, or ``both``, so that you are player 2 in the games with odd numbers.

        Where something is left to chance before the first move, so many ``deals`` are made, and every game draws one of
        them. ``threads`` are as many as there are processors, unless told otherwise. ``runtime`` says where rules run:
        in pure Python, in WebAssembly or as native code; None starts in Python and changes with the amount of work.
        ``compiled`` is deprecated. All three change nothing but the time it takes.

        MissingExtra without NumPy, ParlourError if an argument is none of these, or native code is asked for and there
        is no C compiler, TooBig if the game need not end, or its positions or moves are too large for a machine word.
        """
        if np is None:
            raise MissingExtra("batches need NumPy", "batch")
        rules = as_rules(rules)
        self._size = games = _whole("games", games, 1)
        self._policy = POLICIES[_one_of("wrong", wrong, tuple(POLICIES))]
        self._renewal = RENEWALS[_one_of("autoreset", autoreset, tuple(RENEWALS))]
        if opponent is not None and opponent != "random" and not callable(opponent):
            raise ParlourError(
                f"bad opponent {clip(repr(opponent))}; 'random', or what finds out exact scores, like parlour.tabulate"
            )
        self._opponent = opponent
        _one_of("player", player, (*PLAYERS, "both"))
        self._threads = _processors() if threads is None else _whole("threads", threads, 1)
        if runtime is not None:
            _one_of("runtime", runtime, ("python", "wasm", "native"))
        self._set_runtime(rules.game, chosen_runtime(runtime, compiled))
        self._deal_count = _whole("deals", deals, 1) if _is_dealt(rules) else 1
        if rules.bounds is None:
            raise TooBig("games that need not end cannot be played in a batch; set a limit")
        self.rules = rules  # that all games are played by
        seed = _whole("seed", seed)
        self.deals = self._deal(seed)  # the same with everything dealt: each game is played by one of them
        if not compiles(self.deals[0]):
            raise TooBig(
                f"{rules.title} is too large for a batch: its positions have to fit into {MASK_BITS} bits, "
                f"and its moves be below {MASK_BITS} unless they are ranges"
            )
        bounds, start = rules.bounds, self.deals[0].start
        self.encoding = Encoding.of(self.deals[0])  # of observations
        zeros = self._memory.zeros
        self._games: Any = Games(  # its arrays are NumPy's
            moves=bounds.moves,
            deal_count=len(self.deals),
            dealt=self._held(_rows([dealt.packed for dealt in self.deals])),
            starts=self._held(_rows([dealt.start for dealt in self.deals])),
            openings=self._held(_openings(self.deals)),
            deals=zeros(games, np.int64),
            fields=zeros(games * len(start), np.int64),
            masks=zeros(games, np.int64),
            states=self._held(_first_states(seed, games)),
            turns=zeros(games, np.int8),
            over=zeros(games, np.bool_),
            began=zeros(games, np.int64),
        )
        self._clock = 0  # steps so far
        self._choices = self._held(_first_states(~seed, games))  # for the caller's moves; changes no deal and no reply
        self._told: Any = self._nothing_told()
        self._players = self._held(np.full(games, NOBODY, np.int8))
        if opponent is not None:
            self._players[:] = np.arange(games) % 2 + 1 if player == "both" else player
        self._make_room()
        self._begin(self._which(None))

    def _make_room(self) -> None:
        """What belongs to no other batch, and tells nothing about the games that they themselves do not."""
        told = self._told
        self._step = BatchStep(*map(_read_only, (told.rewards, told.ended, told.refused, told.movers)))
        self._fields = _read_only(self._columns(self._games.fields))
        self._pool: ThreadPoolExecutor | None = None
        self._room: dict[str, Any] = {}
        self._tables: dict[Any, ScoreArrays] = {}
        self._records: dict[int, Any] = {}  # the runtime's cache of flattened tuples

    def __len__(self) -> int:
        return self._size

    def __repr__(self) -> str:
        return f"<Batch of {self._size:,} games of {self.rules.title}>"

    # What there is to know.

    @property
    def fields(self) -> NDArray[np.int64]:
        """The positions: a row for each field, a column for each game."""
        return self._fields

    def _columns(self, fields: Any) -> Any:
        return fields.reshape(self._size, -1).T

    @property
    def turns(self) -> NDArray[np.int8]:
        """The player to move, 1 or 2."""
        return _read_only(self._games.turns)

    @property
    def over(self) -> NDArray[np.bool_]:
        """Which games are over, and wait for a new one."""
        return _read_only(self._games.over)

    @property
    def ages(self) -> NDArray[np.int64]:
        """The number of steps since each game began, those with a refused move or none included."""
        ages: NDArray[np.int64] = self._clock - self._games.began
        return ages

    def position(self, game: int) -> P:
        """The position of one game, as ``rules_at`` understands it."""
        rules = self.rules_at(game)
        return rules.position(int(value) for value in self._games.fields.reshape(self._size, -1)[game])

    @property
    def dealt(self) -> NDArray[np.int64]:
        """Which of the ``deals`` each game is played with."""
        return _read_only(self._games.deals)

    def rules_at(self, game: int) -> Rules[O, P]:
        """The rules of one game, with everything dealt."""
        if not 0 <= game < self._size:
            raise ParlourError(f"there is no game {clip(repr(game))}; from 0 to {self._size - 1}")
        return self.deals[int(self._games.deals[game])]

    def masks(self, out: NDArray[np.int8] | None = None) -> NDArray[np.int8]:
        """1 for every move that may be played, 0 for the others; a row of ``rules.bounds.moves`` for each game.

        Where the game is over, only the pass (0) has a 1: the next move there is ignored, and a policy that samples
        from the masks needs something to choose. ``over`` marks these games. ``out`` is an array to write
        into, which is returned: contiguous, of this shape and type. ParlourError if it is something else.
        """
        made = self._out("masks", out, (self._size, self._games.moves), np.int8)
        self._run("masks", self._games, made.reshape(-1))
        return _handed_out(made, out)

    def packed_masks(self, out: NDArray[np.uint8] | None = None) -> NDArray[np.uint8]:
        """The same with eight moves in each number, the first in its lowest bit.

        It is what ``numpy.packbits(masks, axis=1, bitorder="little")`` would make of ``masks``.
        """
        made = self._out("packed_masks", out, (self._size, -(-self._games.moves // 8)), np.uint8)
        self._run("packed_masks", self._games, made.reshape(-1))
        return _handed_out(made, out)

    def observations(self, out: NDArray[np.int8] | None = None) -> NDArray[np.int8]:
        """The positions as zeros and ones, told from the side of the player to move; ``encoding`` says how."""
        return self._observe("observations", self._games.fields, out)

    def final_observations(self, out: NDArray[np.int8] | None = None) -> NDArray[np.int8]:
        """The last positions of the games that ended in the last step, where new ones have begun since.

        Rows of other games mean nothing.
        """
        return self._observe("final_observations", self._told.finals, out)

    @property
    def final_fields(self) -> NDArray[np.int64]:
        """The same as ``fields`` has it; columns of other games mean nothing."""
        return _read_only(self._columns(self._told.finals))

    def _observe(self, name: str, fields: Any, out: NDArray[np.int8] | None) -> NDArray[np.int8]:
        width = self.encoding.width
        made = self._out(name, out, (self._size, width), np.int8)
        if "offsets" not in self._room:
            self._room["offsets"] = self._held(np.array(self.encoding.offsets[:-1], np.int64))
        self._run("observe", fields, self._room["offsets"], width, made.reshape(-1))
        return _handed_out(made, out)

    # Play.

    def reset(
        self,
        *,
        seed: int | None = None,
        games: ArrayLike | None = None,
        positions: Sequence[P] | NDArray[np.int64] | None = None,
        turns: ArrayLike = 1,
    ) -> None:
        """Begin new games: all, or those that ``games`` names, by their numbers or as an array of bools.

        A ``seed`` is for all games: the same one gives the same games. ``positions`` are first positions other than the
        start, one for each of those games, and ``turns`` the players who are to move there.

        Raises:
            BadPosition: play cannot lead to one of the positions; nothing is changed then.
            ParlourError: an argument is none of these; nothing is changed then.
        """
        which = self._which(games)
        chosen = np.flatnonzero(which)
        turns_there = self._check_turns(turns, len(chosen))
        placed = None if positions is None else self._check_positions(positions, len(chosen))
        if placed is None and (turns_there != 1).any():
            raise ParlourError("turns go with positions: at the start it is always the turn of player 1")
        if seed is not None and not which.all():
            raise ParlourError("a seed is for all games: leave out the seed, or reset all of them")
        if seed is not None:
            seed = _whole("seed", seed)
            self.deals = self._deal(seed)
            self._games.states[:] = _first_states(seed, self._size)
            self._choices[:] = _first_states(~seed, self._size)
            self._games.dealt[:] = _rows([dealt.packed for dealt in self.deals])
            self._games.starts[:] = _rows([dealt.start for dealt in self.deals])
            self._games.openings[:] = _openings(self.deals)
            self._tables.clear()
        self._begin(which, None if placed is None else (chosen, placed, turns_there))

    def _begin(self, which: Any, given: tuple[Any, Any, Any] | None = None) -> None:
        self._run("restart", self._games, which, self._clock, self._told.finals)
        if given is not None:
            chosen, placed, turns = given
            self._columns(self._games.fields)[:, chosen] = placed.T
            self._games.turns[chosen] = turns
            self._games.masks[chosen] = 0
            for game in chosen:
                self._games.over[game] = self.deals[0].is_over(self.position(game))
        self._reply(self._unheard())

    def step(self, moves: ArrayLike) -> BatchStep:
        """Play one move in each game: whole numbers, one for each. ``wrong`` says what happens if one is not allowed.

        ParlourError if they are no whole numbers, or more or fewer than there are games.
        """
        wanted = self._read_moves(moves)
        if self._policy == CHECKED:
            game = self._run("first_wrong", self._games, wanted)
            if game >= 0:
                raise self._refusal(game, int(wanted[game]))
        renewal = self._renewal if self._opponent is None else min(self._renewal, NEXT_STEP)
        self._clock += 1
        self._run("step", self._games, wanted, self._policy, renewal, self._clock, self._told)
        if self._opponent is not None:
            self._reply(self._told)
            if self._renewal == SAME_STEP and self._told.ended.any():
                self._run("restart", self._games, self._told.ended, self._clock, self._told.finals)
                self._reply(self._unheard())
        return self._step

    def _refusal(self, game: int, move: int) -> IllegalMove:
        try:
            self.rules_at(game).check_move(self.position(game), move)
        except MoveRefused as refused:
            return IllegalMove(f"game {game}: {refused.problem}", refused.reason, refused.legal)
        raise AssertionError("the referee allows what the batch refuses")

    def random_moves(self, out: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """A move for each game, every legal one as likely as the others; 0 where the game is over."""
        made = self._out("moves", out, (self._size,), np.int64)
        self._run("random_moves", self._games, self._choices, self._nobody(), made)
        return _handed_out(made, out)

    # Exact values.

    def scores(self, exact: Exact[O, P]) -> Scores:
        """What each position is worth to the player to move.

        ``exact`` finds out the scores of a game: ``tabulate`` or ``kept_table``, or ``Solver`` where no table would
        fit. It is asked once for each deal.
        """
        zeros = self._memory.zeros
        values, plies = zeros(self._size, np.int8), zeros(self._size, np.int16)
        table = self._table(exact)
        if table is not None:
            self._check_known(self._run("scores", self._games, table, values, plies))
            return Scores(values, plies)
        scorers: dict[Rules[O, P], Scorer] = {}
        found: dict[tuple[int, P], Score] = {}
        for game in range(self._size):
            key = int(self._games.deals[game]), self.position(game)
            if key not in found:
                rules = self.rules_at(game)
                if rules not in scorers:
                    scorers[rules] = exact(rules)
                found[key] = scorers[rules].score(key[1])
            score = found[key]
            values[game], plies[game] = score.value, -1 if score.plies is None else score.plies
        return Scores(values, plies)

    def perfect_moves(self, exact: Exact[O, P], out: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """A best move for each game: the quickest win, any draw, or the slowest loss; 0 where the game is over.

        Which of several is left to chance. ``exact`` makes a table of scores: ``tabulate`` or ``kept_table``.
        """
        made = self._out("moves", out, (self._size,), np.int64)
        self._choose_perfectly(exact, self._choices, self._nobody(), made)
        return _handed_out(made, out)

    def _nobody(self) -> Any:
        """Seats that never are to move."""
        if "nobody" not in self._room:
            self._room["nobody"] = self._held(np.full(self._size, NOBODY, np.int8))
        return self._room["nobody"]

    def _unheard(self) -> Told:
        """Return a place for results of a reply that are not reported."""
        if "unheard" not in self._room:
            self._room["unheard"] = self._nothing_told()
        told: Told = self._room["unheard"]
        return told

    def _nothing_told(self) -> Told:
        zeros, size = self._memory.zeros, self._size
        return Told(
            zeros(size, np.int8),
            zeros(size, np.bool_),
            zeros(size, np.bool_),
            zeros(size, np.int8),
            zeros(len(self._games.fields), np.int64),
            zeros(size, np.int64),
        )

    def _choose_perfectly(self, exact: Exact[O, P], states: Any, players: Any, out: Any) -> None:
        table = self._table(exact)
        if table is None:
            raise ParlourError("to play perfectly takes a table; parlour.tabulate and parlour.kept_table make one")
        self._check_known(self._run("perfect_moves", self._games, states, players, table, out))

    def _check_known(self, game: int) -> None:
        if game >= 0:
            raise BadPosition(f"game {game}: the table does not have {self.position(game)}")

    def _table(self, exact: Exact[O, P]) -> ScoreArrays | None:
        """The scores of all deals in one table; None if they come from something else than tables."""
        if not callable(exact):
            raise ParlourError(f"{clip(repr(exact))} finds out no scores; parlour.tabulate does")
        if exact not in self._tables:
            keys: list[Any] = []
            entries: list[Any] = []
            ends: dict[Rules[O, P], int] = {}
            for rules in self.deals:
                if rules not in ends:
                    table = exact(rules)
                    if not hasattr(table, "arrays"):
                        return None
                    for parts, made in zip((keys, entries), table.arrays(), strict=True):
                        parts.append(np.asarray(made))
                    ends[rules] = sum(len(made) for made in keys)
            begins = dict(zip(ends, (0, *ends.values()), strict=False))
            assert self.rules.bounds is not None
            self._tables[exact] = ScoreArrays(
                self._held(np.concatenate(keys).astype(np.int64)),
                self._held((np.concatenate(entries) >> FLAGS).astype(np.int16)),
                self._held(np.array([begins[rules] for rules in self.deals], np.int64)),
                self._held(np.array([ends[rules] for rules in self.deals], np.int64)),
                self._held(np.array(self.rules.bounds.position, np.int64)),
            )
        return self._tables[exact]

    # The opponent.

    def _reply(self, told: Told) -> None:
        """Let the opponent move, where there is one and it is their turn."""
        if self._opponent is None:
            return
        replies = self._out("replies", None, (self._size,), np.int64)
        if callable(self._opponent):
            self._choose_perfectly(self._opponent, self._games.states, self._players, replies)
        else:
            self._run("random_moves", self._games, self._games.states, self._players, replies)
        self._run("reply", self._games, self._players, replies, told)

    # Copies.

    def copy(self) -> Batch[O, P]:
        """Another batch that stands where this one stands, and goes on without it: the same chance, too."""
        twin: Batch[O, P] = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._games = Games(*map(self._held, self._games))
        twin._told = Told(*map(self._held, self._told))
        twin._choices = self._held(self._choices)
        twin._make_room()
        twin._tables.update(self._tables)
        return twin

    def __copy__(self) -> Batch[O, P]:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Batch[O, P]:
        return self.copy()

    # What is given.

    def _read_moves(self, moves: ArrayLike) -> NDArray[np.int64]:
        ready = type(moves) is np.ndarray and moves.dtype is INT64 and moves.flags.c_contiguous
        wanted: NDArray[np.int64] = moves if ready else _numbers("moves", moves)  # type: ignore[assignment]
        if wanted.shape != (self._size,):
            raise ParlourError(f"bad moves of shape {wanted.shape}; one for each of the {self._size} games would do")
        near: NDArray[np.int64] = self._near("wanted", wanted)
        return near

    def _near(self, name: str, array: Any) -> Any:
        """Return an array that kernels can use: this one, or a copy in their memory."""
        if self._can_use(array):
            return array
        near = self._out(name, None, array.shape, array.dtype)
        near[...] = array
        return near

    def _held(self, given: Any) -> Any:
        """Return a copy of an array in the memory of the kernels; a number as it is."""
        if isinstance(given, int):
            return given
        held = self._memory.zeros(given.shape, given.dtype)
        held[...] = given
        return held

    def _which(self, games: ArrayLike | None) -> Any:
        """The games that are named, as an array of bools."""
        which = self._memory.zeros(self._size, np.bool_)
        if games is None:
            which[:] = True
            return which
        given = np.asarray(games)
        if given.dtype == np.bool_:
            if given.shape != (self._size,):
                raise ParlourError(f"bad games of shape {given.shape}; one bool for each of the {self._size} would do")
            which |= given
            return which
        numbers = _numbers("games", games if given.size else np.zeros(0, np.int64))
        if numbers.ndim != 1 or ((numbers < 0) | (numbers >= self._size)).any():
            raise ParlourError(f"bad games {clip(str(games))}; numbers from 0 to {self._size - 1} would do")
        which[numbers] = True
        return which

    def _check_positions(self, positions: Any, count: int) -> NDArray[np.int64]:
        if _is_dealt(self.rules):
            missing = left_to_chance(self.rules.game.options)[0]
            raise ParlourError(f"positions cannot be given while the {missing} is dealt; give the {missing} as well")
        try:
            placed = [self.rules.position(map(int, position)) for position in positions]
        except TypeError:
            raise BadPosition(f"bad positions {clip(repr(positions))}; tuples like {tuple(self.rules.start)}") from None
        if len(placed) != count:
            raise ParlourError(f"{len(placed)} positions are given for {count} games")
        for position in dict.fromkeys(placed):
            self.rules.check_position(position)
            if callable(self._opponent) and not self.rules.is_over(position):
                table = self._table(self._opponent)
                if table is None or find_score(table, 0, self._key(position)) == UNKNOWN:
                    raise BadPosition(
                        f"bad position {clip(str(tuple(position)))}; the opponent's table does not have it"
                    )
        return np.array(placed, np.int64).reshape(count, len(self.rules.start))

    def _key(self, position: P) -> int:
        """Return the canonical form of a position as tables have it."""
        assert self.rules.bounds is not None
        key = 0
        for value, bound in zip(self.rules.canonical(position), self.rules.bounds.position, strict=True):
            key = key * bound + value
        return key

    def _check_turns(self, turns: ArrayLike, count: int) -> Any:
        players = _numbers("turns", turns)
        if players.shape not in ((), (count,)) or ((players != 1) & (players != 2)).any():
            raise ParlourError(f"bad turns {clip(str(turns))}; 1 or 2, or one of these for each game")
        return players

    def _out(self, name: str, out: Any, shape: tuple[int, ...], dtype: Any) -> Any:
        """The array to write into: the one that is given, or that of the batch."""
        if out is None:
            if name not in self._room:
                self._room[name] = self._memory.zeros(shape, dtype)
            return self._room[name]
        good = isinstance(out, np.ndarray) and out.dtype == dtype and out.shape == shape
        if not good or not (out.flags.c_contiguous and out.flags.writeable):
            kind = f"{out.dtype} array of shape {out.shape}" if isinstance(out, np.ndarray) else clip(repr(out))
            raise ParlourError(f"bad out: {kind}; a contiguous {np.dtype(dtype)} array of shape {shape} would do")
        return out if self._can_use(out) else self._out(name, None, shape, dtype)

    def _can_use(self, array: Any) -> bool:
        """Whether kernels can use an array where it is; those that may follow within the same call can, too."""
        return bool((not self._later and self._kernels.holds(array)) or self._memory.holds(array))

    # The work.

    def _deal(self, seed: int) -> tuple[Rules[O, P], ...]:
        rules = self.rules
        if not _is_dealt(rules):
            return (rules,)
        randoms = (Random(f"{seed} deal {number}") for number in range(self._deal_count))
        return tuple(Rules(rules.game, rules.game.rounds.deal(rules.packed, 1, random)) for random in randoms)

    def _set_runtime(self, game: Game[O, P], wanted: Runtime | None) -> None:
        """Choose the runtime, and where the arrays are: kernels in WebAssembly need them in a memory of their own."""
        self._work = _Work()
        self._kernels: Any = _python_kernels(game)
        self._memory: Any = self._kernels
        self._later: list[tuple[int, Any]] = []  # after how much work which kernels follow
        if wanted == "python":
            return
        shared = None if wanted == "native" or self._size > MAX_SHARED else _load_shared(game)
        if shared is not None:
            self._memory = shared
            self._later.append((0 if wanted else PYTHON_STEPS, lambda _: shared))
        if wanted != "wasm":
            load = _load_native if wanted is None else _require_native
            self._later.append((0 if wanted else WASM_STEPS, load))

    def _run(self, name: str, *arguments: Any) -> int:
        """Run a kernel over all games, in a share for each thread. Returns the lowest answer that is not -1, or -1."""
        while self._later and self._work.steps >= self._later[0][0]:
            (_, load), *self._later = self._later  # a new list, because copies share the old one
            self._kernels = load(self.rules.game) or self._kernels
            self._records = {}
        if self._later:
            self._work.steps += self._size
        run = self._kernels.bind(name, arguments, self._records)
        parts = 1
        if self._kernels is not _python_kernels(self.rules.game):
            parts = max(1, min(self._threads, self._size // SHARE))
        if parts == 1:
            return int(run(0, self._size))
        cuts = [self._size * part // parts // 64 * 64 for part in range(parts)] + [self._size]
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self._threads - 1, "parlour-batch")
        others = [self._pool.submit(run, cuts[part], cuts[part + 1]) for part in range(1, parts)]
        answers = [run(0, cuts[1]), *(other.result() for other in others)]
        return min((answer for answer in answers if answer >= 0), default=-1)


# Small things.


@cache
def _python_kernels(game: Game[Any, Any]) -> _PythonKernels:
    return _PythonKernels(game)


def _load_shared(game: Game[Any, Any]) -> Any:
    """Return the kernels in WebAssembly; None if there are none, or wasmtime does not work here."""
    try:
        from parlour.engine.shared import shared_kernels

        return shared_kernels(game)
    except Exception as error:  # on unusual systems the wheel installs without its library and fails in its own way
        level = logging.INFO if isinstance(error, NoEngine) and error.is_normal else logging.WARNING
        reason = " ".join(str(error).split())
        log.log(level, "parlour: batches run without WebAssembly, which takes longer: %s", reason)
        return None


def _load_native(game: Game[Any, Any]) -> Any:
    """Return the kernels as native code; None if there is no compiler."""
    with suppress(ParlourError):
        return _require_native(game)
    return None


def _require_native(game: Game[Any, Any]) -> Any:
    """Return the kernels as native code. ParlourError if there is no compiler."""
    from parlour.engine.native_batches import NativeKernels

    try:
        return NativeKernels(game)
    except NoEngine as error:
        raise ParlourError(f"no native code: {error}") from None


def _is_dealt(rules: Rules[O, P]) -> bool:
    """Whether chance has a part before the first move."""
    return any(not getattr(rules.options, name) for name in left_to_chance(rules.game.options))


def _rows(tuples: Sequence[tuple[int, ...]]) -> Any:
    return np.array(tuples, np.int64).reshape(-1)


def _openings(deals: Sequence[Rules[Any, Any]]) -> Any:
    """Return the mask of the legal moves at the start of each deal; 0 if there is none."""
    asked = (
        0 if dealt.is_over(dealt.start) else dealt.game.rules.moves(dealt.packed, dealt.start).mask for dealt in deals
    )
    return np.array(list(asked), np.int64)


def _first_states(seed: int, games: int) -> Any:
    """The first random state of each game: splitmix64, and never 0."""
    first = np.uint64((seed * 1_000_003 + 1) * 0x9E3779B97F4A7C15 % 2**64)
    state = first + np.arange(games, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    state = (state ^ state >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ state >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    state ^= state >> np.uint64(31)
    return np.maximum(state, np.uint64(1))


def _handed_out(made: NDArray[N], out: NDArray[N] | None) -> NDArray[N]:
    """Return an array of the batch's own as a read-only view, or the one that was given, filled."""
    if out is None:
        return _read_only(made)
    if made is not out:
        out[...] = made
    return out


def _read_only(array: NDArray[N]) -> NDArray[N]:
    view = array.view()
    view.flags.writeable = False
    return view


def _numbers(name: str, given: ArrayLike) -> NDArray[np.int64]:
    """Whole numbers as they are handed to compiled code; ParlourError if they are something else."""
    try:
        array = np.asarray(given)
    except ValueError:  # lists of different lengths
        raise ParlourError(f"bad {name} {clip(repr(given))}; whole numbers would do") from None
    if array.dtype.kind not in "iu":
        raise ParlourError(f"bad {name}: {array.dtype} is not a type of whole number")
    if array.dtype == np.uint64:
        array = np.minimum(array, np.uint64(2**63 - 1))
    return np.asarray(array, np.int64, order="C")


def _whole(name: str, given: int, least: int | None = None) -> int:
    whole = as_index(given)
    if whole is None or (least is not None and whole < least):
        bound = "" if least is None else f" of at least {least}"
        raise ParlourError(f"bad {name} {clip(repr(given))}; a whole number{bound} would do")
    return whole


def _one_of(name: str, given: Any, allowed: tuple[Any, ...]) -> Any:
    if given not in allowed or isinstance(given, bool):
        raise ParlourError(f"bad {name} {clip(repr(given))}; allowed: {', '.join(map(str, allowed))}")
    return given


def _processors() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
