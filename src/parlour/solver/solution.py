"""Exact answers about positions: who wins, how soon, by which moves, along which line."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, NamedTuple, Protocol

from parlour import referee
from parlour.errors import BadPosition, TooBig
from parlour.game import MOVER_LOSES, ONGOING, AnyGame
from parlour.solver.kernels import DEEPEST, IMPOSSIBLE, STOPPED, TOP, back, finished, reply, sign
from parlour.solver.plain import PlainSearch, fits

VALUES = ("draw", "win", "loss")  # by sign

PLAIN_NODES = 150_000  # searched as it stands before compiling pays
PLAIN_CHUNK = 4_000  # nodes between two looks at the clock: about a twentieth of a second
COMPILED_CHUNK = 1 << 20
PLAIN_BYTES = 400  # that a position takes in a dictionary, about
NODES = 2_000_000_000  # that a question may cost by default
MEMORY = 3 << 30  # bytes that a table may take by default


class Standing(NamedTuple):
    """What a position is worth to the player to move."""

    value: str  # "win", "draw" or "loss"
    plies: int | None  # until the game is over, the winner hurrying and the loser delaying; None for a draw


class Choice(NamedTuple):
    """What a move is worth to the player who makes it; ``plies`` count from the position before it."""

    move: int
    value: str
    plies: int | None


def standing_of(score: int) -> Standing:
    """The value and the distance in a score."""
    return Standing(VALUES[sign(score)], TOP - abs(score) if score else None)


class Search(Protocol):
    """One way to search."""

    def at_least(self, position: Any, target: int, nodes: int) -> tuple[int, int]: ...


def can_compile() -> bool:
    """Whether Numba is installed (it comes with the extra ``fast``)."""
    return find_spec("numba") is not None


class Solver:
    """Exact answers about one game under its options. What it has found out it remembers."""

    def __init__(
        self,
        game: AnyGame,
        options: Any,
        *,
        nodes: int = NODES,
        memory: int = MEMORY,
        progress: Callable[[int], None] | None = None,
        compiled: bool | None = None,
    ) -> None:
        """``nodes`` bounds the work for one answer, ``progress`` is told now and then how many were spent on it.

        ``compiled``: True compiles at once, if it can be done; False never does; by default large work is compiled.
        TooBig if the game need not end: then there is nothing to be exact about. One thread at a time may ask.
        """
        bounds = game.bounds(options)
        if bounds is None:
            raise TooBig("a game that need not end has no value; set a limit")
        if bounds.plies > DEEPEST and game.theory is None:
            raise TooBig(f"a game of up to {bounds.plies:,} plies is too long to search; at most {DEEPEST:,}")
        self.game = game
        self.options = options
        self._nodes = nodes
        self._memory = memory
        self._progress = progress
        self._compile = compiled
        self._spent = 0  # nodes, for the present answer
        self._scores: dict[Any, int] = {}  # by canonical position
        self._search: Search | None = None
        self._plain = True

    def score(self, position: Any) -> int:
        """Value and distance in one number, as ``kernels`` defines it: the higher the better for the player to move."""
        self._spent = 0
        return self._score(position)

    def standing(self, position: Any) -> Standing:
        """What a position is worth to the player to move."""
        return standing_of(self.score(position))

    def choices(self, position: Any) -> list[Choice]:
        """What each legal move is worth, in the game's own order."""
        return [Choice(move, *standing_of(score)) for move, score in self.scores(position)]

    def scores(self, position: Any) -> list[tuple[int, int]]:
        """Each legal move with its score for the player who makes it."""
        self._spent = 0
        legal = referee.legal_moves(self.game, self.options, position)
        return [(move, back(self._score(self.game.play(self.options, position, move)))) for move in legal]

    def value(self, position: Any) -> int:
        """1 a win, 0 a draw, -1 a loss for the player to move: less work than the distance as well."""
        self._spent = 0
        known = self._at_once(position)
        if known is not None:
            return sign(known)
        if self._at_least(position, 1):
            return 1
        return 0 if self.game.can_draw and self._at_least(position, 0) else -1

    def best(self, position: Any) -> list[int]:
        """The moves of the highest score: the quickest wins, any draws, or the slowest losses."""
        most = self.score(position)
        legal = referee.legal_moves(self.game, self.options, position)
        return [move for move in legal if self.keeps(position, move, most)]

    def keeps(self, position: Any, move: int, score: int) -> bool:
        """Whether a move is worth at least a score: less work than what exactly it is worth."""
        self._spent = 0
        return self._less(self.game.play(self.options, position, move), reply(score))

    def line(self, position: Any, most: int = 60) -> list[int]:
        """A line of best play to the end, at most so long: each player takes a move of the highest score."""
        self._spent = 0
        moves: list[int] = []
        score = self._score(position)
        while len(moves) < most and self.game.result(self.options, position) == ONGOING:
            move = self._best_move(position, score)
            moves.append(move)
            position = self.game.play(self.options, position, move)
            score = 0 if score == 0 else -1 - score if score > 0 else 1 - score
        return moves

    def _best_move(self, position: Any, score: int) -> int:
        """The first move, or the theory's, that keeps a position's score."""
        if self.game.theory is not None:
            return self.game.theory(self.options, position)[2]
        legal = referee.legal_moves(self.game, self.options, position)
        for move in legal:
            if self._less(self.game.play(self.options, position, move), reply(score)):
                return move
        raise BadPosition("play cannot lead to this position")  # or some move would keep the score

    def _less(self, position: Any, target: int) -> bool:
        """The position's score is below the target."""
        known = self._at_once(position)
        return known < target if known is not None else not self._at_least(position, target)

    def _at_once(self, position: Any) -> int | None:
        """The score, where no search is needed."""
        result = self.game.result(self.options, position)
        if result != ONGOING:
            return finished(result)
        if self.game.theory is not None:
            outcome, plies, _ = self.game.theory(self.options, position)
            return plies - TOP if outcome == MOVER_LOSES else TOP - plies
        if self.game.settled(self.options, position):
            return 0
        return self._scores.get(self.game.canonical(self.options, position))

    def _score(self, position: Any) -> int:
        known = self._at_once(position)
        if known is None:
            known = self._scores[self.game.canonical(self.options, position)] = self._find(position)
        return known

    def _find(self, position: Any) -> int:
        """First who wins, then how soon: it is soon known that nobody wins at once, and each ply more costs more."""
        plies = 1
        if self._at_least(position, 1):
            while not self._at_least(position, TOP - plies):
                plies += 1
            return TOP - plies
        if self.game.can_draw and self._at_least(position, 0):
            return 0
        while self._at_least(position, plies + 1 - TOP):
            plies += 1
        return plies - TOP

    def _at_least(self, position: Any, target: int) -> bool:
        while True:
            search = self._searcher()
            allowed = min(PLAIN_CHUNK if self._plain else COMPILED_CHUNK, self._nodes - self._spent)
            answer, spent = search.at_least(position, target, allowed)
            self._spent += spent
            if answer == IMPOSSIBLE:
                raise BadPosition("play cannot lead to this position")
            if answer != STOPPED:
                return answer == 1
            if self._progress is not None:
                self._progress(self._spent)
            if isinstance(search, PlainSearch) and len(search.known) * PLAIN_BYTES > self._memory:
                raise TooBig(f"no exact answer within {self._memory >> 20:,} MB of memory; ask later in the game")
            if self._spent >= self._nodes:
                raise TooBig(
                    f"no exact answer within {self._nodes:,} positions searched; ask later in the game, or allow more"
                )

    def _searcher(self) -> Search:
        """The search to use now: plain at first, compiled once the work has grown and if it can be."""
        grown = self._spent >= PLAIN_NODES and self._compile is None
        if self._plain and (self._compile or grown):
            if can_compile() and fits(self.game, self.options, 1):
                from parlour.solver.compile import CompiledSearch

                self._search, self._plain = CompiledSearch(self.game, self.options, self._memory), False
            else:
                self._compile = False  # then not
        if self._search is None:
            self._search = PlainSearch(self.game, self.options)
        return self._search
