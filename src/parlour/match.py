"""A match: one game between two seats, round after round until it is decided.

A match is its set-up and the list of everything that was done, in order: moves, take-backs, deals, a resignation.
Replaying that list gives the same match, which is all that records and saved games rest on.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Generic, Literal, NamedTuple, overload

from parlour.errors import BadName, GameOver, NoNextRound, NothingToUndo, ParlourError
from parlour.game import DRAWN, MOVER_WINS, NO_CAP, ONGOING, PASS, Game, Moment, P
from parlour.options import O
from parlour.outcome import Outcome
from parlour.rules import Rules, is_pass
from parlour.text import clip

if TYPE_CHECKING:
    from random import Random

SEED_BYTES = 16  # too many to try them all

MOVE, UNDO, RESIGN, FORFEIT, DEAL = "move", "undo", "resign", "forfeit", "deal"


class Action(NamedTuple, Generic[O]):
    """One thing that was done at the table."""

    kind: str  # MOVE, UNDO, RESIGN, FORFEIT or DEAL
    move: int = PASS  # of a MOVE
    seat: int = 0  # that did it
    options: O | None = None  # of a DEAL, with what was dealt


def new_seed() -> str:
    """A seed that nobody can guess, so that nobody knows what will be dealt."""
    return os.urandom(SEED_BYTES).hex()


@dataclass(frozen=True)
class Setup(Generic[O, P]):
    """What is agreed before the first move. BadOptions or BadName if it makes no match."""

    game: Game[O, P]
    options: O  # as chosen; what chance decides is dealt round by round
    names: tuple[str, str] = ("Player 1", "Player 2")
    players: tuple[str, str] = ("human", "human")  # who chooses the moves of each seat
    first: int = 0  # the seat that begins
    seed: str = "0"  # every deal and every choice by chance follows from it
    cap: int = NO_CAP  # on the number of rounds, beside the game's own
    date: str = ""

    def __post_init__(self) -> None:
        Rules(self.game, self.options)
        check_names(self.names)
        if self.first not in (0, 1) or self.cap < 1:
            raise ParlourError(f"seat {self.first} cannot begin, or {self.cap} rounds are no match; 0 or 1, at least 1")

    def random(self, *purpose: object) -> Random:
        """A source of chance for one purpose, the same each time the same is asked for."""
        from random import Random  # not needed before the first prompt of most games

        return Random(" ".join(map(str, (self.seed, *purpose))))


@dataclass
class Round(Generic[O, P]):
    """One deal and what was played on it."""

    rules: Rules[O, P]  # with everything dealt
    first: int  # the seat that began
    positions: list[P]
    moves: list[int] = field(default_factory=list)

    @property
    def options(self) -> O:
        return self.rules.options

    def seat(self, ply: int) -> int:
        """Who plays the move at this place of the round, counted from 0."""
        return (self.first + ply) % 2


class Match(Generic[O, P]):
    """A match in progress. Whatever changes it is checked by the referee and added to ``log``."""

    def __init__(self, setup: Setup[O, P], dealt: O | None = None) -> None:
        """A new match; ``dealt`` is the first deal where it is known already."""
        self._setup = setup
        self.log: list[Action[O]] = []
        self.rounds: list[Round[O, P]] = []
        self.resigned: int | None = None  # the seat that gave up, or forfeited
        self._begin(self._deal(1) if dealt is None else dealt)

    def _deal(self, round: int) -> O:
        return self.game.deal(self._setup.options, round, self._setup.random("deal", round))

    def _begin(self, options: O) -> None:
        rules = Rules(self.game, options)
        self.rounds.append(Round(rules, (self._setup.first + len(self.rounds)) % 2, [rules.start]))

    def copy(self) -> Match[O, P]:
        """Another match that stands where this one stands, and goes on without it."""
        match = Match(self._setup, self.rounds[0].options)
        match.log = self.log.copy()
        match.rounds = [replace(r, positions=r.positions.copy(), moves=r.moves.copy()) for r in self.rounds]
        match.resigned = self.resigned
        return match

    def at(self, step: int) -> Match[O, P]:
        """Another match that stands where this one stood after so many of its actions."""
        match = Match(self._setup, self.rounds[0].options)
        for action in self.log[:step]:
            match.repeat(action)
        return match

    def with_setup(self, setup: Setup[O, P]) -> Match[O, P]:
        """The same match under other names, players or seed; game, options and who begins stay as they are."""
        match = Match(setup, self.rounds[0].options)
        for action in self.log:
            match.repeat(action)
        return match

    # Where the match stands.

    @property
    def setup(self) -> Setup[O, P]:
        return self._setup

    @property
    def game(self) -> Game[O, P]:
        return self._setup.game

    @property
    def names(self) -> tuple[str, str]:
        return self._setup.names

    @property
    def round(self) -> Round[O, P]:
        return self.rounds[-1]

    @property
    def rules(self) -> Rules[O, P]:
        """The game under the options of this round, everything dealt."""
        return self.rounds[-1].rules

    @property
    def options(self) -> O:
        """The options of this round, everything dealt."""
        return self.rounds[-1].rules.options

    @property
    def position(self) -> P:
        return self.rounds[-1].positions[-1]

    @property
    def moment(self) -> Moment[O, P]:
        """This round as the game's words need it."""
        round = self.round
        last = self.rules.name(round.moves[-1]) if round.moves else ""
        return Moment(self.options, self.position, tuple(round.moves), self.names, round.first, last)

    @property
    def turn(self) -> int:
        """The seat to move."""
        return self.round.seat(len(self.round.moves))

    @property
    def result(self) -> int:
        """Of this round, for the player to move."""
        return self.rules.result(self.position)

    @property
    def legal(self) -> Sequence[int]:
        """The moves that may be played now; none when the round or the match is over."""
        return () if self.resigned is not None else self.rules.legal(self.position)

    @property
    def legal_names(self) -> list[str]:
        """The same by their names."""
        return self.rules.names(self.legal)

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
        return len(self.rounds) >= min(self._setup.cap, self.rules.max_rounds or 1)

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
        return Outcome(None, "drawn" if self.rules.max_rounds is None else "undecided")

    @property
    def standing(self) -> str:
        """How the match stands, in a few words: who is to move, or how it ended."""
        outcome = self.outcome
        return f"{self.names[self.turn]} to move" if outcome is None else outcome.words(self.names)

    def last_choice(self, seats: Iterable[int]) -> int | None:
        """The place in this round of the last move that one of these seats chose: what a take-back goes back to."""
        round, seats = self.round, set(seats)
        plies = reversed(range(len(round.moves)))
        return next((ply for ply in plies if round.moves[ply] != PASS and round.seat(ply) in seats), None)

    # What can be done. Each of these checks, changes nothing if it refuses, and logs what it did.

    def read(self, text: str) -> int:
        """The legal move that a text names."""
        if self.resigned is not None:
            raise GameOver("the game is over")
        return self.rules.read(self.position, text)

    def play(self, move: int | str) -> Action[O]:
        """Play a move, given as such or by its name."""
        if self.resigned is not None:
            raise GameOver("the game is over")
        if isinstance(move, str):
            move = self.read(move)
        position = self.rules.play(self.position, move)
        action = Action[O](MOVE, move, self.turn)
        self.round.moves.append(move)
        self.round.positions.append(position)
        return self._done(action)

    def play_line(self, words: Iterable[str]) -> None:
        """Play the moves that these words name; a pass that is forced need not be among them."""
        for word in words:
            while self.stuck and not is_pass(word):
                self.play(PASS)
            self.play(word)

    def undo(self) -> Action[O]:
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

    def resign(self, seat: int, *, forfeit: bool = False) -> Action[O]:
        """Give the match up, or lose it by ``forfeit``: a player that does not play by the rules."""
        if self.outcome is not None:
            raise GameOver("the game is over")
        self.resigned = seat
        return self._done(Action(FORFEIT if forfeit else RESIGN, PASS, seat))

    def next_round(self, dealt: O | None = None) -> Action[O]:
        """Deal the next round: after a drawn one, or when the players agree that nobody can win this one."""
        self.check_next_round()
        options = self._deal(len(self.rounds) + 1) if dealt is None else dealt
        self._begin(options)
        return self._done(Action(DEAL, PASS, self.turn, options))

    def check_next_round(self) -> None:
        """NoNextRound, or GameOver, if the next round cannot be dealt now."""
        if self.outcome is not None:
            raise GameOver("the game is over")
        if not self.between_rounds:
            if not self.rules.settled(self.position):
                raise NoNextRound("this round is not over: somebody can still win it")
            if self.last_round:
                raise NoNextRound("this is the last round: play it out")

    def repeat(self, action: Action[O]) -> Action[O]:
        """Do again what was done in another match."""
        if action.kind == MOVE:
            return self.play(action.move)
        if action.kind == UNDO:
            return self.undo()
        if action.kind == DEAL:
            return self.next_round(action.options)
        return self.resign(action.seat, forfeit=action.kind == FORFEIT)

    def _done(self, action: Action[O]) -> Action[O]:
        self.log.append(action)
        return action


# What players are called.

PlayerNumber = Literal[1, 2]


@overload
def player_number(seat: int) -> PlayerNumber: ...
@overload
def player_number(seat: None) -> None: ...
@overload
def player_number(seat: int | None) -> PlayerNumber | None: ...
def player_number(seat: int | None) -> PlayerNumber | None:
    """What the player in a seat is called outside: 1 or 2. Seats are counted from 0, and nobody has none."""
    if seat is None:
        return None
    return 1 if seat == 0 else 2


@overload
def seat_of(player: int) -> int: ...
@overload
def seat_of(player: None) -> None: ...
def seat_of(player: int | None) -> int | None:
    """The seat of player 1 or 2, the inverse of ``player_number``."""
    return None if player is None else player - 1


LONGEST_NAME = 30


def check_name(name: str) -> None:
    """BadName if a player cannot be called that."""
    if not name.strip() or name != name.strip():
        raise BadName(f"bad name {clip(name)!r}; a name has at least one letter and no spaces around it")
    if len(name) > LONGEST_NAME:
        raise BadName(f"bad name {clip(name)!r}; at most {LONGEST_NAME} characters")
    if any(map(_hidden, _without_joiners(name))):
        raise BadName(f"bad name {clip(name)!r}; control characters do not show")


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
