"""Thousands of games under the same rules, played in lock-step over NumPy arrays.

Every move is checked by the game's own rules. They run in pure Python while there is little work, then in WebAssembly,
and after much work as native code if there is a compiler. The runtime and the number of threads don't change the
results, because each game has its own random numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, TypeVar

from parlour.arguments import as_index, check_choice, whole_number
from parlour.batch.arrays import (
    Exact,
    Scorer,
    deal_arrays,
    first_states,
    has_score,
    is_dealt,
    make_deals,
    score_arrays,
    whole_numbers,
)
from parlour.batch.encoding import Encoding
from parlour.batch.kernels import KernelRunner
from parlour.engine import Runtime, chosen_runtime
from parlour.engine.lockstep import (
    CHECKED,
    FORFEIT,
    IGNORE,
    NEVER,
    NEXT_STEP,
    SAME_STEP,
    Games,
    ScoreArrays,
    StepResults,
)
from parlour.engine.search import MASK_BITS, compiles
from parlour.errors import BadArgument, BadPosition, IllegalMove, MissingExtra, MoveRefused, TooBig
from parlour.game import Game, P
from parlour.options import O, left_to_chance
from parlour.parallel import cores
from parlour.rules import Rules, as_rules
from parlour.score import Score
from parlour.text import clip
from parlour.view import PLAYERS

try:
    import numpy as np
except ImportError:  # then Batch() raises MissingExtra
    np = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

N = TypeVar("N", bound="np.generic")

INT64 = None if np is None else np.dtype(np.int64)
NO_PLAYER = -1  # the player of no game

Wrong = Literal["raise", "ignore", "forfeit"]
Autoreset = Literal["same_step", "next_step", "never"]
POLICIES: dict[Wrong, int] = {"raise": CHECKED, "ignore": IGNORE, "forfeit": FORFEIT}
AUTORESETS: dict[Autoreset, int] = {"same_step": SAME_STEP, "next_step": NEXT_STEP, "never": NEVER}


class BatchStep(NamedTuple):
    """The results of a step, with an entry for each game. The next step writes to the same arrays.

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
    ended: NDArray[np.bool_]  # games that ended in this step
    refused: NDArray[np.bool_]  # games whose move was illegal
    movers: NDArray[np.int8]  # the player who was to move, 1 or 2

    def by_player(self) -> NDArray[np.int8]:
        """Return the rewards of both players in two columns; their sum is 0."""
        first = self.rewards * (3 - 2 * self.movers)
        return np.stack([first, -first], axis=1)


class Scores(NamedTuple):
    """The exact values of the positions of a batch to the players to move.

    >>> import parlour
    >>> batch = parlour.Batch(parlour.rules_of("double-up", limit=30), 3)
    >>> batch.scores(parlour.tabulate)
    Scores(values=array([1, 1, 1], dtype=int8), plies=array([7, 7, 7], dtype=int16))
    """

    values: NDArray[np.int8]  # 1 for a win, 0 for a draw, -1 for a loss
    plies: NDArray[np.int16]  # plies until the end, if the winner hurries and the loser delays; -1 for a draw


class Batch(Generic[O, P]):
    """Many games under the same rules, with one move for each game in every step.

    Moves are the numbers that ``Rules`` uses. The caller moves for both players in turn, unless there is an
    ``opponent``. All arrays have an entry (or a row) for each game. Arrays that a batch returns are read-only views of
    its own memory, and the next call overwrites them: copy those that you need for longer, or pass an array as ``out``.
    Only one thread at a time may use a batch.

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
        """Create a batch with all games at their start. The ``seed`` determines everything that is random.

        ``wrong`` is the policy for illegal moves. ``raise``: the step raises IllegalMove, and nothing changes.
        ``ignore``: that game does not change, and ``refused`` marks it. ``forfeit``: the player who moved loses.

        ``autoreset`` is the time at which a new game replaces a finished one. ``same_step``: immediately, so that
        ``masks`` and ``observations`` show the new game, and ``final_observations`` the end of the old one.
        ``next_step``: in the next step, which plays no move there. ``never``: when ``reset`` is called; until then
        steps don't change the game. Moves for finished games are ignored.

        An ``opponent`` moves for the other player within each step, so that it is always your turn and rewards are
        yours. It is ``random``, or a function that computes exact scores, such as ``tabulate``, and then plays
        perfectly. ``player`` is your side: 1, who moves first, 2, or ``both``: 1 in even games and 2 in odd ones.

        If something is dealt at random before the first move, the batch makes ``deals`` deals, and every game draws
        one of them. ``threads`` is the number of threads, by default one for each core. ``runtime`` runs the rules in
        pure Python, in WebAssembly or as native code; None starts in Python and changes as the work grows.
        ``compiled`` is deprecated. These three change nothing but the speed.

        Raises:
            MissingExtra: NumPy is not installed.
            BadArgument: an argument is invalid, or native code is required and there is no C compiler.
            TooBig: games need not end, or their positions or moves don't fit into a machine word.
        """
        if np is None:
            raise MissingExtra("batches need NumPy", "batch")
        rules = as_rules(rules)
        self._size = whole_number("games", games, 1)
        self._policy = POLICIES[check_choice("wrong", wrong, tuple(POLICIES))]
        self._renewal = AUTORESETS[check_choice("autoreset", autoreset, tuple(AUTORESETS))]
        if opponent is not None and opponent != "random" and not callable(opponent):
            raise BadArgument(
                f"bad opponent {clip(repr(opponent))}; "
                "'random', or a function that computes exact scores, like parlour.tabulate"
            )
        self._opponent = opponent
        check_choice("player", player, (*PLAYERS, "both"))
        threads = cores() if threads is None else whole_number("threads", threads, 1)
        if runtime is not None:
            check_choice("runtime", runtime, ("python", "wasm", "native"))
        self._runner = KernelRunner(rules.game, self._size, threads, chosen_runtime(runtime, compiled))
        self._deal_count = whole_number("deals", deals, 1) if is_dealt(rules) else 1
        if rules.bounds is None:
            raise TooBig("games that need not end cannot be played in a batch; set a limit")
        self.rules = rules  # the rules of all games
        seed = whole_number("seed", seed)
        self.deals = make_deals(rules, self._deal_count, seed)  # the rules with everything dealt, one per deal
        if not compiles(self.deals[0]):
            raise TooBig(
                f"{rules.title} is too large for a batch: its positions have to fit into {MASK_BITS} bits, "
                f"and its moves be below {MASK_BITS} unless they are ranges"
            )
        bounds, start = rules.bounds, self.deals[0].start
        self.encoding = Encoding.of(self.deals[0])  # the encoding of observations
        size, zeros, to_memory = self._size, self._runner.zeros, self._runner.to_memory
        dealt, starts, openings = map(to_memory, deal_arrays(self.deals))
        self._games: Any = Games(  # NumPy arrays instead of the annotated lists
            moves=bounds.moves,
            deal_count=len(self.deals),
            dealt=dealt,
            starts=starts,
            openings=openings,
            deals=zeros(size, np.int64),
            fields=zeros(size * len(start), np.int64),
            masks=zeros(size, np.int64),
            states=to_memory(first_states(seed, size)),
            turns=zeros(size, np.int8),
            over=zeros(size, np.bool_),
            began=zeros(size, np.int64),
            movers=zeros(size, np.int8),
            finals=zeros(size * len(start), np.int64),
            waiting=zeros(size, np.int64),
        )
        self._clock = 0  # steps so far
        self._choices = to_memory(first_states(~seed, size))  # random states of the caller's moves
        self._results: Any = self._new_results()
        self._no_players = to_memory(np.full(size, NO_PLAYER, np.int8))  # the excluded player in each game: none
        self._players = self._no_players  # the caller's side in each game, if there is an opponent
        if opponent is not None:
            self._players = zeros(size, np.int8)
            self._players[:] = np.arange(size) % 2 + 1 if player == "both" else player
        self._offsets = to_memory(np.array(self.encoding.offsets[:-1], np.int64))
        self._make_views()
        self._begin(self._which(None))

    def _make_views(self) -> None:
        """Create the views and caches that are neither shared by copies nor pickled."""
        self._step = BatchStep(*map(_read_only, (*self._results, self._games.movers)))
        self._fields = _read_only(self._columns(self._games.fields))
        self._discarded: StepResults | None = None  # scratch arrays for results that are not reported
        self._tables: dict[Exact[O, P], ScoreArrays] = {}

    def __len__(self) -> int:
        return self._size

    def __repr__(self) -> str:
        return f"<Batch of {self._size:,} games of {self.rules.title}>"

    # State.

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
        """True for finished games that no new game has replaced."""
        return _read_only(self._games.over)

    @property
    def ages(self) -> NDArray[np.int64]:
        """The number of steps since each game began, including those with a refused move or none."""
        ages: NDArray[np.int64] = self._clock - self._games.began
        return ages

    def position(self, game: int) -> P:
        """Return the position of one game, for use with ``rules_at``."""
        rules = self.rules_at(game)
        return rules.position(self._games.fields.reshape(self._size, -1)[game])

    @property
    def dealt(self) -> NDArray[np.int64]:
        """The index of each game's deal in ``deals``."""
        return _read_only(self._games.deals)

    def rules_at(self, game: int) -> Rules[O, P]:
        """Return the rules of one game, with everything dealt."""
        place = as_index(game)
        if place is None or not 0 <= place < self._size:
            raise BadArgument(f"there is no game {clip(repr(game))}; from 0 to {self._size - 1}")
        return self.deals[int(self._games.deals[place])]

    def masks(self, out: NDArray[np.int8] | None = None) -> NDArray[np.int8]:
        """Return 1 for every legal move and 0 for the others, in a row of ``rules.bounds.moves`` for each game.

        In finished games only the pass (0) has a 1, so that a policy can sample from the masks; the next move there is
        ignored. ``over`` marks these games. ``out`` is a contiguous array of this shape and type to write to, which is
        then returned.

        Raises:
            BadArgument: ``out`` is anything else.
        """
        made = self._runner.to_output("masks", out, (self._size, self._games.moves), np.int8)
        self._runner.run("masks", self._games, made.reshape(-1))
        return _to_caller(made, out)

    def packed_masks(self, out: NDArray[np.uint8] | None = None) -> NDArray[np.uint8]:
        """Return the masks with eight moves in each number, the first in its lowest bit.

        The result equals ``numpy.packbits(masks, axis=1, bitorder="little")``.
        """
        made = self._runner.to_output("packed_masks", out, (self._size, -(-self._games.moves // 8)), np.uint8)
        self._runner.run("packed_masks", self._games, made.reshape(-1))
        return _to_caller(made, out)

    def observations(self, out: NDArray[np.int8] | None = None) -> NDArray[np.int8]:
        """Return the positions as zeros and ones from the side of the player to move; ``encoding`` has the columns."""
        return self._observe("observations", self._games.fields, out)

    def final_observations(self, out: NDArray[np.int8] | None = None) -> NDArray[np.int8]:
        """Return the last positions of games that ended in the last step and were replaced by new ones.

        Rows of other games are undefined.
        """
        return self._observe("final_observations", self._games.finals, out)

    @property
    def final_fields(self) -> NDArray[np.int64]:
        """The positions of ``final_observations``, laid out like ``fields``; columns of other games are undefined."""
        return _read_only(self._columns(self._games.finals))

    def _observe(self, name: str, fields: Any, out: NDArray[np.int8] | None) -> NDArray[np.int8]:
        width = self.encoding.width
        made = self._runner.to_output(name, out, (self._size, width), np.int8)
        self._runner.run("observe", fields, self._offsets, width, made.reshape(-1))
        return _to_caller(made, out)

    # Play.

    def reset(
        self,
        *,
        seed: int | None = None,
        games: ArrayLike | None = None,
        positions: Sequence[P] | NDArray[np.int64] | None = None,
        turns: ArrayLike = 1,
    ) -> None:
        """Begin new games: all of them, or those in ``games``, an array of numbers or bools.

        A ``seed`` requires a reset of all games; the same seed gives the same games. ``positions`` replace the start,
        one for each of the new games, and ``turns`` are the players to move there.

        Raises:
            BadPosition: play cannot lead to one of the positions; nothing is changed then.
            BadArgument: an argument is invalid; nothing is changed then.
        """
        which = self._which(games)
        chosen = np.flatnonzero(which)
        turns_there = self._check_turns(turns, len(chosen))
        placed = None if positions is None else self._check_positions(positions, len(chosen))
        if placed is None and (turns_there != 1).any():
            raise BadArgument("turns go with positions: at the start it is always the turn of player 1")
        if seed is not None and not which.all():
            raise BadArgument("a seed is for all games: leave out the seed, or reset all of them")
        if seed is not None:
            seed = whole_number("seed", seed)
            self.deals = make_deals(self.rules, self._deal_count, seed)
            states, choices = self._games.states, self._choices
            states[:], choices[:] = first_states(seed, self._size), first_states(~seed, self._size)
            self._games.dealt[:], self._games.starts[:], self._games.openings[:] = deal_arrays(self.deals)
            self._tables.clear()
        self._begin(which, None if placed is None else (chosen, placed, turns_there))

    def _begin(self, which: Any, given: tuple[Any, Any, Any] | None = None) -> None:
        self._runner.run("restart", self._games, which, self._clock)
        if given is not None:
            chosen, placed, turns = given
            self._columns(self._games.fields)[:, chosen] = placed.T
            self._games.turns[chosen] = turns
            self._games.masks[chosen] = 0
            for game in chosen:
                self._games.over[game] = self.deals[0].is_over(self.position(game))
        self._reply(self._unreported())

    def step(self, moves: ArrayLike) -> BatchStep:
        """Play one move in each game; ``wrong`` is the policy for illegal ones.

        Raises:
            IllegalMove: a move is illegal and the policy is ``raise``; nothing is changed then.
            BadArgument: the moves are not whole numbers, or not one for each game.
        """
        wanted = self._read_moves(moves)
        if self._policy == CHECKED:
            game = self._runner.run("first_wrong", self._games, wanted)
            if game >= 0:
                raise self._refusal(game, int(wanted[game]))
        renewal = self._renewal if self._opponent is None else min(self._renewal, NEXT_STEP)
        self._clock += 1
        self._runner.run("step", self._games, wanted, self._policy, renewal, self._clock, self._results)
        if self._opponent is not None:
            self._reply(self._results)
            if self._renewal == SAME_STEP and self._results.ended.any():
                self._runner.run("restart", self._games, self._results.ended, self._clock)
                self._reply(self._unreported())
        return self._step

    def _refusal(self, game: int, move: int) -> IllegalMove:
        try:
            self.rules_at(game).check_move(self.position(game), move)
        except MoveRefused as refused:
            return IllegalMove(f"game {game}: {refused.problem}", refused.reason, refused.legal)
        raise AssertionError("the referee allows a move that the batch refuses")

    def random_moves(self, out: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """Return a move for each game, all legal ones with the same probability; 0 in finished games."""
        made = self._runner.to_output("moves", out, (self._size,), np.int64)
        self._runner.run("random_moves", self._games, self._choices, self._no_players, made)
        return _to_caller(made, out)

    # Exact values.

    def scores(self, exact: Exact[O, P]) -> Scores:
        """Return the exact value of each position to the player to move.

        ``exact`` is ``tabulate`` or ``kept_table``, or ``Solver`` for games whose tables would be too large. It is
        called once for each deal.
        """
        zeros = self._runner.zeros
        values, plies = zeros(self._size, np.int8), zeros(self._size, np.int16)
        table = self._table(exact)
        if table is not None:
            self._check_known(self._runner.run("scores", self._games, table, values, plies))
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
        """Return a best move for each game: the quickest win, any draw, or the slowest loss; 0 in finished games.

        Equally good moves have the same probability. ``exact`` makes tables: ``tabulate`` or ``kept_table``.
        """
        made = self._runner.to_output("moves", out, (self._size,), np.int64)
        self._choose_perfectly(exact, self._choices, self._no_players, made)
        return _to_caller(made, out)

    def _unreported(self) -> StepResults:
        """Return scratch arrays for the results of replies outside a step."""
        if self._discarded is None:
            self._discarded = self._new_results()
        return self._discarded

    def _new_results(self) -> StepResults:
        zeros, size = self._runner.zeros, self._size
        return StepResults(zeros(size, np.int8), zeros(size, np.bool_), zeros(size, np.bool_))

    def _choose_perfectly(self, exact: Exact[O, P], states: Any, players: Any, out: Any) -> None:
        table = self._table(exact)
        if table is None:
            raise BadArgument("perfect play needs a table; parlour.tabulate and parlour.kept_table make one")
        self._check_known(self._runner.run("perfect_moves", self._games, states, players, table, out))

    def _check_known(self, game: int) -> None:
        if game >= 0:
            raise BadPosition(f"game {game}: the table does not have {self.position(game)}")

    def _table(self, exact: Exact[O, P]) -> ScoreArrays | None:
        """Return the scores of all deals in one table; None if ``exact`` makes no tables."""
        if not callable(exact):
            raise BadArgument(f"{clip(repr(exact))} computes no scores; parlour.tabulate does")
        if exact not in self._tables:
            table = score_arrays(exact, self.deals, self._runner.to_memory)
            if table is None:
                return None
            self._tables[exact] = table
        return self._tables[exact]

    # The opponent.

    def _reply(self, results: StepResults) -> None:
        """Play the opponent's moves, if there is one, in the games in which it is to move."""
        if self._opponent is None:
            return
        replies = self._runner.buffer("replies", (self._size,), np.int64)
        if callable(self._opponent):
            self._choose_perfectly(self._opponent, self._games.states, self._players, replies)
        else:
            self._runner.run("random_moves", self._games, self._games.states, self._players, replies)
        self._runner.run("reply", self._games, self._players, replies, results)

    # Copies.

    def copy(self) -> Batch[O, P]:
        """Return an independent copy, which draws the same random numbers as the original."""
        twin: Batch[O, P] = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._runner = self._runner.copy()
        twin._copy_arrays()
        twin._tables.update(self._tables)
        return twin

    def _copy_arrays(self) -> None:
        """Replace all arrays by copies in the memory of the kernels."""
        to_memory = self._runner.to_memory
        self._games = Games(*map(to_memory, self._games))
        self._results = StepResults(*map(to_memory, self._results))
        self._choices, self._offsets = to_memory(self._choices), to_memory(self._offsets)
        self._no_players, self._players = to_memory(self._no_players), to_memory(self._players)
        self._make_views()

    def __copy__(self) -> Batch[O, P]:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Batch[O, P]:
        return self.copy()

    def __getstate__(self) -> dict[str, Any]:
        views = "_step", "_fields", "_discarded", "_tables"
        return {name: value for name, value in self.__dict__.items() if name not in views}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._copy_arrays()

    # Arguments.

    def _read_moves(self, moves: ArrayLike) -> NDArray[np.int64]:
        ready = type(moves) is np.ndarray and moves.dtype is INT64 and moves.flags.c_contiguous
        wanted: NDArray[np.int64] = moves if ready else whole_numbers("moves", moves)  # type: ignore[assignment]
        if wanted.shape != (self._size,):
            raise BadArgument(f"bad moves of shape {wanted.shape}; give one for each of the {self._size} games")
        near: NDArray[np.int64] = self._runner.to_input("wanted", wanted)
        return near

    def _which(self, games: ArrayLike | None) -> Any:
        """Return the chosen games as an array of bools; None chooses all."""
        which = self._runner.zeros(self._size, np.bool_)
        if games is None:
            which[:] = True
            return which
        given = np.asarray(games)
        if given.dtype == np.bool_:
            if given.shape != (self._size,):
                raise BadArgument(f"bad games of shape {given.shape}; give one bool for each of the {self._size}")
            which |= given
            return which
        numbers = whole_numbers("games", games if given.size else np.zeros(0, np.int64))
        if numbers.ndim != 1 or ((numbers < 0) | (numbers >= self._size)).any():
            raise BadArgument(f"bad games {clip(str(games))}; give numbers from 0 to {self._size - 1}")
        which[numbers] = True
        return which

    def _check_positions(self, positions: Any, count: int) -> NDArray[np.int64]:
        if is_dealt(self.rules):
            missing = left_to_chance(self.rules.game.options)[0]
            raise BadArgument(f"positions cannot be given while the {missing} is dealt; give the {missing} as well")
        try:
            placed = [self.rules.position(map(int, position)) for position in positions]
        except TypeError:
            raise BadPosition(f"bad positions {clip(repr(positions))}; tuples like {tuple(self.rules.start)}") from None
        if len(placed) != count:
            raise BadArgument(f"{len(placed)} positions are given for {count} games")
        for position in dict.fromkeys(placed):
            self.rules.check_position(position)
            if callable(self._opponent) and not self.rules.is_over(position):
                table = self._table(self._opponent)
                if table is None or not has_score(table, self.rules, position):
                    raise BadPosition(
                        f"bad position {clip(str(tuple(position)))}; the opponent's table does not have it"
                    )
        return np.array(placed, np.int64).reshape(count, len(self.rules.start))

    def _check_turns(self, turns: ArrayLike, count: int) -> Any:
        players = whole_numbers("turns", turns)
        if players.shape not in ((), (count,)) or ((players != 1) & (players != 2)).any():
            raise BadArgument(f"bad turns {clip(str(turns))}; 1 or 2, or one of these for each game")
        return players


def _to_caller(made: NDArray[N], out: NDArray[N] | None) -> NDArray[N]:
    """Copy the result to ``out`` and return it; without ``out``, return a read-only view of the result."""
    if out is None:
        return _read_only(made)
    if made is not out:
        out[...] = made
    return out


def _read_only(array: NDArray[N]) -> NDArray[N]:
    view = array.view()
    view.flags.writeable = False
    return view
