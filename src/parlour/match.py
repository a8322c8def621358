"""A match: one game between two seats, round after round until it is decided.

A match is its set-up and the list of everything that was done, in order: moves, take-backs, deals, a resignation.
Replaying that list gives the same match, which is all that records and saved games rest on.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from parlour import referee
from parlour.errors import BadName, GameOver, NoNextRound, NothingToUndo
from parlour.game import DRAWN, MOVER_WINS, NO_CAP, ONGOING, PASS, AnyGame, Moment

if TYPE_CHECKING:
    from random import Random

MOVE, UNDO, RESIGN, FORFEIT, DEAL = "move", "undo", "resign", "forfeit", "deal"


class Action(NamedTuple):
    """One thing that was done at the table."""

    kind: str  # MOVE, UNDO, RESIGN, FORFEIT or DEAL
    move: int = PASS  # of a MOVE
    seat: int = 0  # that did it
    options: tuple[int, ...] = ()  # of a DEAL


class Outcome(NamedTuple):
    """How a match ended."""

    winner: int | None  # the seat that won
    how: str  # "won", "resigned", "forfeited", "drawn" or "undecided" (the rounds are used up)


@dataclass(frozen=True)
class Setup:
    """What is agreed before the first move."""

    game: AnyGame
    options: Any  # as chosen; what chance decides is dealt round by round
    names: tuple[str, str] = ("Player 1", "Player 2")
    players: tuple[str, str] = ("human", "human")  # who chooses the moves of each seat
    first: int = 0  # the seat that begins
    seed: str = "0"  # every deal and every choice by chance follows from it
    cap: int = NO_CAP  # on the number of rounds, beside the game's own
    date: str = ""

    def random(self, *purpose: object) -> Random:
        """A source of chance for one purpose, the same each time the same is asked for."""
        from random import Random  # not needed before the first prompt of most games

        return Random(" ".join(map(str, (self.seed, *purpose))))


@dataclass
class Round:
    """One deal and what was played on it."""

    options: Any  # with everything dealt
    first: int
    positions: list[Any]
    moves: list[int] = field(default_factory=list)


class Match:
    """A match in progress. Whatever changes it is checked by the referee and added to ``log``."""

    def __init__(self, setup: Setup, dealt: tuple[int, ...] | None = None) -> None:
        """A new match; ``dealt`` is the first deal where it is known already."""
        self.setup = setup
        self.game = setup.game
        self.names = setup.names
        self.log: list[Action] = []
        self.rounds: list[Round] = []
        self.resigned: int | None = None
        self._begin(self._deal(1) if dealt is None else dealt)

    def _deal(self, round: int) -> Any:
        return self.game.deal(self.setup.options, round, self.setup.random("deal", round))

    def _begin(self, options: Any) -> None:
        first = (self.setup.first + len(self.rounds)) % 2
        self.rounds.append(Round(options, first, [self.game.start(options)]))

    # Where the match stands.

    @property
    def round(self) -> Round:
        return self.rounds[-1]

    @property
    def options(self) -> Any:
        """The options of this round, everything dealt."""
        return self.round.options

    @property
    def position(self) -> Any:
        return self.round.positions[-1]

    @property
    def moment(self) -> Moment[Any, Any]:
        return Moment(self.options, self.position, tuple(self.round.moves), self.names, self.round.first)

    @property
    def turn(self) -> int:
        """The seat to move."""
        return (self.round.first + len(self.round.moves)) % 2

    @property
    def result(self) -> int:
        """Of this round, for the player to move."""
        return self.game.result(self.options, self.position)

    @property
    def legal(self) -> Sequence[int]:
        """The moves that may be played now; none when the round or the match is over."""
        return () if self.resigned is not None else referee.legal_moves(self.game, self.options, self.position)

    @property
    def only_move(self) -> int | None:
        """The one legal move, where there is no choice."""
        legal = self.legal  # may be too long to count
        return legal[0] if legal and legal[0] == legal[-1] else None

    @property
    def stuck(self) -> bool:
        """The player to move can only pass."""
        legal = self.legal
        return bool(legal) and legal[0] == PASS

    @property
    def winner(self) -> int | None:
        """The seat that has won this round, if it is over and not drawn."""
        result = self.result
        if result in (ONGOING, DRAWN):
            return None
        return self.turn if result == MOVER_WINS else 1 - self.turn

    @property
    def last_round(self) -> bool:
        """No other round can follow this one."""
        return len(self.rounds) >= min(self.setup.cap, self.game.rounds(self.options) or 1)

    @property
    def between_rounds(self) -> bool:
        """This round is drawn and the next is to be dealt."""
        return self.resigned is None and self.result == DRAWN and not self.last_round

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended; None while it goes on."""
        if self.resigned is not None:
            return Outcome(1 - self.resigned, "forfeited" if self.log[-1].kind == FORFEIT else "resigned")
        if self.result == ONGOING or self.between_rounds:
            return None
        if self.winner is not None:
            return Outcome(self.winner, "won")
        return Outcome(None, "drawn" if self.game.rounds(self.options) is None else "undecided")

    def last_choice(self, seats: Iterable[int]) -> int | None:
        """The place in this round of the last move that one of these seats chose: what a take-back goes back to."""
        moves, seats = self.round.moves, set(seats)
        return next(
            (ply for ply in reversed(range(len(moves))) if moves[ply] != PASS and self.moment.seat(ply) in seats), None
        )

    # What can be done. Each of these checks, changes nothing if it refuses, and logs what it did.

    def read(self, text: str) -> int:
        """The legal move that a text names."""
        if self.resigned is not None:
            raise GameOver("the game is over")
        return referee.read_move(self.game, self.options, self.position, text)

    def play(self, move: int) -> Action:
        if self.resigned is not None:
            raise GameOver("the game is over")
        position = referee.play_move(self.game, self.options, self.position, move)
        action = Action(MOVE, move, self.turn)
        self.round.moves.append(move)
        self.round.positions.append(position)
        return self._done(action)

    def play_line(self, words: Iterable[str]) -> None:
        """Play the moves that these words name; a pass that is forced need not be among them."""
        for word in words:
            while self.stuck and not referee.is_pass(word):
                self.play(PASS)
            self.play(self.read(word))

    def undo(self) -> Action:
        """Take back the last move of this round, or the last pass."""
        if self.resigned is not None:
            raise GameOver("the game is over")
        if not self.round.moves:
            raise NothingToUndo(
                "nothing has been played yet" if len(self.rounds) == 1 else "nothing has been played in this round yet"
            )
        self.round.moves.pop()
        self.round.positions.pop()
        return self._done(Action(UNDO, PASS, self.turn))

    def resign(self, seat: int, *, forfeit: bool = False) -> Action:
        """Give the match up, or lose it by ``forfeit``: a player that does not play by the rules."""
        if self.outcome is not None:
            raise GameOver("the game is over")
        self.resigned = seat
        return self._done(Action(FORFEIT if forfeit else RESIGN, PASS, seat))

    def next_round(self, dealt: tuple[int, ...] | None = None) -> Action:
        """Deal the next round: after a drawn one, or when the players agree that nobody can win this one."""
        if self.outcome is not None:
            raise GameOver("the game is over")
        if not self.between_rounds:
            if not self.game.settled(self.options, self.position):
                raise NoNextRound("this round is not over: somebody can still win it")
            if self.last_round:
                raise NoNextRound("this is the last round: play it out")
        options = self._deal(len(self.rounds) + 1) if dealt is None else dealt
        self._begin(options)
        return self._done(Action(DEAL, PASS, self.turn, options))

    def repeat(self, action: Action) -> Action:
        """Do again what was done in another match."""
        if action.kind == MOVE:
            return self.play(action.move)
        if action.kind == UNDO:
            return self.undo()
        if action.kind == DEAL:
            return self.next_round(action.options)
        return self.resign(action.seat, forfeit=action.kind == FORFEIT)

    def _done(self, action: Action) -> Action:
        self.log.append(action)
        return action


LONGEST_NAME = 30


def check_name(name: str) -> None:
    """BadName if a player cannot be called that."""
    if not name.strip() or name != name.strip():
        raise BadName(f"bad name {referee.clip(name)!r}; a name has at least one letter and no spaces around it")
    if len(name) > LONGEST_NAME:
        raise BadName(f"bad name {referee.clip(name)!r}; at most {LONGEST_NAME} characters")
    if any(map(_hidden, _without_joiners(name))):
        raise BadName(f"bad name {referee.clip(name)!r}; control characters do not show")


def _hidden(character: str) -> bool:
    return unicodedata.category(character)[0] in "CZ" and character != " "


def _without_joiners(name: str) -> str:
    """The name without the joiners that many scripts and emoji need between two characters; elsewhere they stay."""
    return re.sub(r"(?<=[^\s\u200c\u200d])[\u200c\u200d](?=[^\s\u200c\u200d])", "", name)


def check_names(names: tuple[str, str]) -> None:
    """BadName if the two players cannot be called that."""
    for name in names:
        check_name(name)
    one, two = (_without_joiners(name).casefold() for name in names)
    if one == two:
        raise BadName(f"both players are called {names[0]!r}; give them different names")
