"""Exact values of positions: the winner, the distance, the best moves and lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, Generic, Protocol, TypeVar

from parlour.arguments import several, whole_number
from parlour.engine import Compiled, Runtime, chosen_runtime, compiled_runtime
from parlour.engine.plain import PlainSearch
from parlour.engine.search import (
    DEEPEST,
    IMPOSSIBLE,
    STOPPED,
    TOP,
    child_target,
    compiles,
    finished_score,
    from_child,
    pack_score,
    packs,
    sign,
    unpack_score,
)
from parlour.errors import BadArgument, BadPosition, TooBig
from parlour.fields import about, document, hidden, written
from parlour.game import MOVER_LOSES, ONGOING, Game, Move, P
from parlour.limit import Limit, limit_of, limit_within
from parlour.match import Match
from parlour.options import O, OptionValue
from parlour.rules import Rules, show_position
from parlour.score import Score, Value
from parlour.subject import rules_and_moves, rules_from
from parlour.text import clip

# Nodes searched in pure Python before WebAssembly is loaded, which costs as much as 8,000 nodes. Four in five searches
# with more than 2,000 nodes need more than 8,000, so an early change is faster on average (bench/crossover.py).
PLAIN_NODES = 2_000
UNPACKED_NODES = 10_000  # node limit for positions that don't fit into a machine word
UNPACKED_CHUNK = 400  # nodes between checks of the clock in such searches, which may be slow
MOVES_CHUNK = 1000  # moves between checks of the clock


@document
class Choice:
    """A move and its value for the player who makes it. Plies count from the position before the move.

    >>> import parlour
    >>> rules = parlour.rules_of("double-up", limit=10)
    >>> for choice in parlour.Solver(rules).choices(rules.position([4])):
    ...     print(rules.name(choice.move), choice.score)
    5 loss in 2 turns
    6 loss in 2 turns
    7 loss in 2 turns
    8 loss in 2 turns
    """

    move: Move = about("the move")
    value: Value = about("the value: a win, a draw or a loss")
    plies: int | None = about("the turns of both players until the end; null for a draw, or if unknown")

    @property
    def score(self) -> Score:
        """The value and distance of the move."""
        return Score(self.value, self.plies)


@document
class Analysis:
    """The exact value of a position and of its moves, as far as a limit allows.

    >>> import parlour
    >>> rules = parlour.rules_of("double-up", limit=30)
    >>> found = parlour.Solver(rules).analyse(rules.position([5]), line=True)
    >>> print(found.score, found.keeping, found.line)
    win in 5 turns [6] [6, 7, 14, 15, 30]
    """

    @property
    @written
    def game(self) -> Game:
        """the name of the game"""
        return self.rules.game

    rules: Rules[Any, Any] = about("all options as text, including the deal", name="options")
    position: tuple[int, ...] = hidden()  # the position

    @property
    @written(name="position")
    def position_text(self) -> str:
        """the name of the position"""
        return show_position(self.position)

    value: Value = about("the value for the player to move")
    plies: int | None = about(
        "the number of plies until the end, the winner hurrying and the loser delaying; null for a draw, or if unknown"
    )
    choices: Sequence[Choice] = about("the moves with their values")
    line: list[Move] | None = about("best play from here; null if unknown or not requested")

    def __repr__(self) -> str:
        return f"<Analysis of {self.rules.title}: {self.score}>"

    @property
    def score(self) -> Score:
        """The value and distance, without a distance if the limit did not allow it."""
        return Score(self.value, self.plies)

    @property
    def keeping(self) -> list[Move]:
        """The moves that preserve the value of the position, at any distance."""
        return [choice.move for choice in self.choices if choice.value == self.value]

    @property
    def best(self) -> list[Move]:
        """The quickest wins, all draws, or the slowest losses; without distances, all that preserve the value."""
        return [choice.move for choice in self.choices if (choice.value, choice.plies) == (self.value, self.plies)]


def solve(
    what: str | Game[O, P] | Rules[O, P] | Match[O, P],
    limit: Limit | None = None,
    /,
    *,
    seconds: float | None = None,
    **options: OptionValue,
) -> Score:
    """Return the value and distance of a match's position, or of the start of a game, for the player to move.

    A game and its options are as in ``new_match``. ``seconds`` bounds the work, beside the limit. For other positions
    and for several searches create a ``Solver``, which caches its results.

    Raises:
        UnknownGame: there is no such game.
        BadOptions: these options make no game, or come with a match.
        GameOver: a player of the match has resigned. A match that was played to its end has a score.
        TooBig: there is no answer within the limit.

    >>> import parlour
    >>> match = parlour.new_match("double-up", limit=30)
    >>> match.play_line("2 4 6")
    >>> print(parlour.solve(match))
    loss in 4 turns
    >>> print(parlour.solve("double-up", seconds=2))
    win in 11 turns
    """
    limit = limit_within(limit, seconds)
    rules, moves = rules_and_moves(what, options)
    return Solver(rules).score(rules.position_after(moves), limit)


Q_contra = TypeVar("Q_contra", bound=tuple[int, ...], contravariant=True)  # the positions that a search takes


class Search(Protocol[Q_contra]):
    """A search in one runtime."""

    chunk: int  # nodes between checks of the clock

    @property
    def needed_memory(self) -> int: ...
    def at_least(self, position: Q_contra, target: int, nodes: int, memory: int) -> tuple[int, int]: ...


class Solver(Generic[O, P]):
    """A solver for one game under its options. It caches its results.

    Every search takes a limit, and raises TooBig if there is no exact answer within it; partial results stay cached.
    Positions that play cannot reach raise BadPosition, as far as the game detects them. Only one thread at a time may
    use a solver.

    >>> import parlour
    >>> rules = parlour.rules_of("double-up", limit=30)
    >>> solver = parlour.Solver(rules)
    >>> print(solver.score(rules.start))
    win in 7 turns
    >>> rules.names(solver.line(rules.start))
    ['2', '3', '6', '7', '14', '15', '30']
    """

    def __init__(
        self,
        game: str | Game[O, P] | Rules[O, P],
        /,
        *,
        runtime: Runtime | None = None,
        compiled: bool | None = None,
        **options: OptionValue,
    ) -> None:
        """Create a solver. The game and its options are as in ``new_match``.

        By default small searches run in Python and large ones in WebAssembly. The ``runtime`` "python" or "wasm"
        selects one of them; without WebAssembly everything runs in Python. "native" compiles the game to native code
        once, which is faster; without a C compiler searches raise ParlourError. ``compiled`` is deprecated.

        Raises:
            UnknownGame: there is no such game.
            BadOptions: these options make no game.
            TooBig: the game need not end, so it has no value.
            ParlourError: there is no such runtime.
        """
        rules = rules_from(game, options)
        if rules.bounds is None:
            raise TooBig("a game that need not end has no value; set a limit")
        if rules.bounds.plies > DEEPEST and rules.game.search.theory is None:
            raise TooBig(f"a game of up to {rules.bounds.plies:,} turns is too long to search; at most {DEEPEST:,}")
        self.rules = rules  # the rules of the solved game
        self._runtime = chosen_runtime(runtime, compiled)
        compiled_runtime(self._runtime, large=False)  # raises an error for an unknown one
        self._packs = packs(rules)
        self._scores: dict[P, int] = {}  # key: canonical position
        self._search: Search[P] | None = None

    def __repr__(self) -> str:
        return f"<Solver of {self.rules.title}>"

    def score(self, position: P, limit: Limit | None = None) -> Score:
        """Return the value and distance of a position for the player to move."""
        self.rules.check_position(position)
        return unpack_score(self._score(position, limit_of(limit)))

    def value(self, position: P, limit: Limit | None = None) -> Value:
        """Return the value of a position for the player to move. This is less work than ``score``."""
        self.rules.check_position(position)
        return Value(self._value(position, limit_of(limit)))

    def choices(
        self, position: P, limit: Limit | None = None, moves: Sequence[int | str] | None = None
    ) -> list[Choice]:
        """Return the value and distance of each legal move, or of these moves, in the game's order."""
        limit = limit_of(limit)
        children = self._children(position, limit, moves)
        return [_choice(move, unpack_score(from_child(self._score(child, limit)))) for move, child in children]

    def values(self, position: P, limit: Limit | None = None, moves: Sequence[int | str] | None = None) -> list[Choice]:
        """Return the value of each legal move, or of these moves. This is less work than ``choices``."""
        limit = limit_of(limit)
        children = self._children(position, limit, moves)
        return [Choice(move=move, value=Value(-self._value(child, limit)), plies=None) for move, child in children]

    def analyse(
        self,
        position: P,
        limit: Limit | None = None,
        moves: Sequence[int | str] | None = None,
        *,
        distances: bool = True,
        line: bool = False,
    ) -> Analysis:
        """Return the value of a position and of each legal move, or of these moves.

        Requested distances and the line of best play are omitted if they do not fit the limit.

        Raises:
            TooBig: the values do not fit the limit.
        """
        limit = limit_of(limit)
        quick = distances and self.rules.game.search.theory is not None  # a formula yields value and distance together
        choices = (self.choices if quick else self.values)(position, limit, moves)
        if distances and not quick:
            with suppress(TooBig):
                choices = self.choices(position, limit, moves)
        if 0 < len(choices) == self.rules.count_legal(position):
            score = max(choice.score for choice in choices)
        else:
            score = Score(self.value(position, limit))
            with suppress(TooBig):
                score = self.score(position, limit) if distances else score
        best_play = None
        if line and not limit.time_is_up:
            with suppress(TooBig):
                best_play = self.line(position, limit)
        return Analysis(
            rules=self.rules,
            position=position,
            value=score.value,
            plies=score.plies,
            choices=choices,
            line=best_play,
        )

    def best(self, position: P, limit: Limit | None = None) -> list[Move]:
        """Return the moves of the highest score: the quickest wins, any draws, or the slowest losses."""
        limit = limit_of(limit)
        target = child_target(pack_score(self.score(position, limit)))
        return [
            move for move in self.rules.legal(position) if self._below(self.rules.after(position, move), target, limit)
        ]

    def keeps(self, position: P, move: int | str, score: Score | Value, limit: Limit | None = None) -> bool:
        """Return whether a legal move is worth at least a score or value. This is less work than its exact value.

        Raises:
            BadArgument: this is neither a score nor a value.
            UnreadableMove, IllegalMove, GameOver: the move may not be played.
        """
        move = self.rules.check_move(position, move)
        if isinstance(score, Value):
            score = Score(score)
        if not isinstance(score, Score):
            raise BadArgument(f"a score is needed, not {clip(repr(score))}; like Score(Value.WIN, 3) or Value.WIN")
        return self._below(self.rules.after(position, move), child_target(pack_score(score)), limit_of(limit))

    def line(self, position: P, limit: Limit | None = None, most: int = 60) -> list[Move]:
        """Return a line of best play with at most ``most`` moves.

        It ends when the game is over or neither player can win any more.
        """
        limit, most = limit_of(limit), whole_number("most", most, 0)
        self.rules.check_position(position)
        moves: list[Move] = []
        score = self._score(position, limit)
        while len(moves) < most and not self.rules.is_over(position) and not self.rules.settled(position):
            move = self._best_move(position, score, limit)
            moves.append(move)
            position = self.rules.after(position, move)
            score = 0 if score == 0 else -1 - score if score > 0 else 1 - score
        return moves

    def _children(self, position: P, limit: Limit, moves: Sequence[int | str] | None) -> Iterator[tuple[Move, P]]:
        """Yield the legal moves, or these moves, with the positions after them."""
        self.rules.check_position(position)
        chosen = None if moves is None else [self.rules.check_move(position, move) for move in several("moves", moves)]
        for number, move in enumerate(self.rules.legal(position) if chosen is None else chosen):
            if number % MOVES_CHUNK == MOVES_CHUNK - 1:  # there may be hundreds of thousands of moves
                limit.check()
            yield move, self.rules.after(position, move)

    def _best_move(self, position: P, score: int, limit: Limit) -> Move:
        """Return a move that preserves the score of a position: the theory's, or else the first one."""
        if self.rules.game.search.theory is not None:
            return Move(self.rules.game.search.theory(self.rules.packed, position)[2])
        for move in self.rules.legal(position):
            if self._below(self.rules.after(position, move), child_target(score), limit):
                return move
        # In every reachable position some move preserves the score.
        raise BadPosition("play cannot lead to this position")

    def _below(self, position: P, target: int, limit: Limit) -> bool:
        """Return whether the position's score is below the target."""
        known = self._known(position)
        return known < target if known is not None else not self._at_least(position, target, limit)

    def _known(self, position: P) -> int | None:
        """Return the score if it needs no search, otherwise None."""
        game, options = self.rules.game, self.rules.packed
        result = game.rules.result(options, position)
        if result != ONGOING:
            return finished_score(result)
        if game.search.theory is not None:
            outcome, plies, _ = game.search.theory(options, position)
            return plies - TOP if outcome == MOVER_LOSES else TOP - plies
        if game.rules.settled(options, position):
            return 0
        return self._scores.get(game.search.canonical(options, position))

    def _value(self, position: P, limit: Limit) -> int:
        known = self._known(position)
        if known is not None:
            return sign(known)
        if self._at_least(position, 1, limit):
            return 1
        return 0 if self.rules.game.rules.can_draw and self._at_least(position, 0, limit) else -1

    def _score(self, position: P, limit: Limit) -> int:
        known = self._known(position)
        if known is None:
            known = self._scores[self.rules.canonical(position)] = self._find(position, limit)
        return known

    def _find(self, position: P, limit: Limit) -> int:
        """Search the value first, then the distance ply by ply, because each ply costs more than the last."""
        plies = 1
        if self._at_least(position, 1, limit):
            while not self._at_least(position, TOP - plies, limit):
                plies += 1
            return TOP - plies
        if self.rules.game.rules.can_draw and self._at_least(position, 0, limit):
            return 0
        while self._at_least(position, plies + 1 - TOP, limit):
            plies += 1
        return plies - TOP

    def _at_least(self, position: P, target: int, limit: Limit) -> bool:
        begun = limit.spent
        while True:
            search = self._searcher(limit)
            chunk = search.chunk if self._packs else UNPACKED_CHUNK
            if limit.spent >= chunk:  # after many small searches
                self._check(limit, begun)
            if self._runtime is None:
                chunk = min(chunk, PLAIN_NODES - limit.spent)
            answer, spent = search.at_least(position, target, limit.allowance(chunk), limit.memory)
            limit.spend(spent)
            if answer == IMPOSSIBLE:
                raise BadPosition("play cannot lead to this position")
            if answer != STOPPED:
                return answer == 1
            self._check(limit, begun)
            limit.check_memory(search.needed_memory)

    def _check(self, limit: Limit, begun: int) -> None:
        """Raise TooBig or Cancelled if a search must stop; ``begun`` is the work spent before it."""
        try:
            limit.check()
            is_exhausted = not self._packs and limit.spent - begun >= UNPACKED_NODES
        except TooBig:
            if self._packs:
                raise
            is_exhausted = True  # report this reason, because a larger limit would not help
        if is_exhausted:
            raise TooBig(
                "positions of this game are too large for a table, so only its end can be solved; "
                "ask later in the game, or choose smaller options"
            )

    def _searcher(self, limit: Limit) -> Search[P]:
        """Return the current search: pure Python at first, WebAssembly after some work."""
        if self._search is None:
            self._search = PlainSearch(self.rules)
        chosen = compiled_runtime(self._runtime, limit.spent >= PLAIN_NODES)
        if chosen is not None:
            search = self._compiled_search(chosen)
            self._runtime = "python"  # decided once
            self._search = self._search if search is None else search
        return self._search

    def _compiled_search(self, runtime: Compiled) -> Search[P] | None:
        """Return a search in compiled code; None if it cannot run."""
        from parlour.engine.sessions import CompiledSearch, has_engine

        is_able = compiles(self.rules) and has_engine(self.rules.game, runtime)
        return CompiledSearch(self.rules, runtime) if is_able else None


def _choice(move: Move, score: Score) -> Choice:
    return Choice(move=move, value=score.value, plies=score.plies)


class ReproducibleSolver(Solver[O, P]):
    """A solver with the same nodes as pure Python, so that a node limit has the same effect on every machine."""

    def _compiled_search(self, runtime: Compiled) -> Search[P] | None:
        from parlour.engine.sessions import ExactSearch, has_engine

        is_able = compiles(self.rules) and has_engine(self.rules.game, runtime)
        return ExactSearch(self.rules, runtime) if is_able else None
