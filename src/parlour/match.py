"""A match: one game between two seats, round after round until it is decided.

A match is its set-up and the list of everything that was done, in order: moves, take-backs, deals, a resignation.
Replaying that list gives the same match, which is all that records and saved games rest on.
"""

from __future__ import annotations

import os
import re
import time
import unicodedata
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Generic, Literal, NamedTuple, overload

from parlour.errors import BadName, GameOver, NoNextRound, NothingToUndo, ParlourError
from parlour.game import DRAWN, MOVER_LOSES, MOVER_WINS, NO_CAP, ONGOING, PASS, Game, Moment, P
from parlour.options import O, OptionValue, left_to_chance, show_words
from parlour.outcome import Outcome
from parlour.rules import Move, Rules, is_pass, rules_of
from parlour.text import clip, counted

if TYPE_CHECKING:
    from random import Random

    from parlour.picture import Picture

SEED_BYTES = 16  # too many to try them all

MOVE, UNDO, RESIGN, FORFEIT, DEAL = "move", "undo", "resign", "forfeit", "deal"


class Action(NamedTuple, Generic[O]):
    """One thing that was done at the table.

    >>> import parlour
    >>> match = parlour.new_match("double-up")
    >>> match.play_line("2")
    >>> match.resign(1)
    Action(kind='resign', move=0, seat=1, options=None)
    >>> [action.kind for action in match.log]
    ['move', 'resign']
    """

    kind: str  # "move", "undo", "resign", "forfeit" or "deal"
    move: int = PASS  # of a MOVE
    seat: int = 0  # that did it
    options: O | None = None  # of a DEAL, with what was dealt


def new_seed() -> str:
    """A seed that nobody can guess, so that nobody knows what will be dealt."""
    return os.urandom(SEED_BYTES).hex()


def new_date() -> str:
    """The present moment, as records have it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


DEFAULT_NAMES = ("Player 1", "Player 2")
DEFAULT_PLAYERS = ("human", "human")


@dataclass(frozen=True)
class Setup(Generic[O, P]):
    """What is agreed before the first move. BadOptions or BadName if it makes no match.

    Most matches begin with ``new_match``; a set-up can also say who chooses the moves, and bound the rounds.

    >>> import parlour
    >>> rules = parlour.rules_of("sequence-spot")
    >>> setup = parlour.Setup(rules.game, rules.options, players=("human", "perfect"), cap=3)
    >>> parlour.Match(setup)
    <Match of Sequence Spot: Player 1 - Player 2, 0 moves, Player 1 to move>
    """

    game: Game[O, P]  # that is played
    options: O  # as chosen; what chance decides is dealt round by round
    names: tuple[str, str] = DEFAULT_NAMES  # of the players, by seat
    players: tuple[str, str] = DEFAULT_PLAYERS  # who chooses the moves of each seat
    first: int = 0  # the seat that begins
    seed: str = "0"  # every deal and every choice by chance follows from it
    cap: int = NO_CAP  # on the number of rounds, beside the game's own
    date: str = ""  # and time at which it began, as a record has it
    strict: bool = False  # whether a session at the terminal offers no hints and no undo

    def __post_init__(self) -> None:
        rules = Rules(self.game, self.options)
        object.__setattr__(self, "_rules", rules)  # for matches: they need not be made anew
        object.__setattr__(self, "options", rules.options)
        check_names(self.names)
        _check_seat(self.first)
        if not isinstance(self.cap, int) or self.cap < 1:
            raise ParlourError(f"a match cannot have {clip(repr(self.cap))} rounds; at least 1")
        if not (isinstance(self.players, tuple) and list(map(type, self.players)) == [str, str]):
            raise ParlourError(f"bad players {clip(repr(self.players))}; two words, like {DEFAULT_PLAYERS}")
        if not isinstance(self.strict, bool):
            raise ParlourError(f"bad strict {clip(repr(self.strict))}; True or False")
        if not isinstance(self.seed, str) or not isinstance(self.date, str):
            raise ParlourError(f"bad seed {clip(repr(self.seed))} or date {clip(repr(self.date))}; both are texts")

    def again(self, seed: str, players: tuple[str, str]) -> Setup[O, P]:
        """The same with another seed and other players, for whoever plays a great many; they are not checked."""
        other: Setup[O, P] = object.__new__(Setup)
        other.__dict__.update(self.__dict__, seed=seed, players=players)
        return other

    def random(self, *purpose: object) -> Random:
        """A source of chance for one purpose, the same each time the same is asked for."""
        from random import Random  # not needed before the first prompt of most games

        return Random(" ".join(map(str, (self.seed, *purpose))))


@dataclass
class Round(Generic[O, P]):
    """One deal and what was played on it.

    >>> import parlour
    >>> match = parlour.new_match("double-up", limit=20)
    >>> match.play_line("2 4")
    >>> match.round.moves, match.round.positions
    ([2, 4], [Position(last=1), Position(last=2), Position(last=4)])
    """

    rules: Rules[O, P]  # with everything dealt
    first: int  # the seat that began
    positions: list[P]  # from the start to now: one more than there are moves
    moves: list[int] = field(default_factory=list)  # that were played and not taken back

    @property
    def options(self) -> O:
        """The options of this round, everything dealt."""
        return self.rules.options

    def seat(self, ply: int) -> int:
        """Who plays the move at this place of the round, counted from 0."""
        return (self.first + ply) % 2


@overload
def new_match(
    game: str,
    /,
    *,
    names: tuple[str, str] | list[str] = DEFAULT_NAMES,
    first: int = 0,
    seed: int | str | None = None,
    **options: OptionValue,
) -> Match: ...
@overload
def new_match(
    game: Game[O, P],
    /,
    *,
    names: tuple[str, str] | list[str] = DEFAULT_NAMES,
    first: int = 0,
    seed: int | str | None = None,
    **options: OptionValue,
) -> Match[O, P]: ...


def new_match(
    game: str | Game[O, P],
    /,
    *,
    names: tuple[str, str] | list[str] = DEFAULT_NAMES,
    first: int = 0,
    seed: int | str | None = None,
    **options: OptionValue,
) -> Match | Match[O, P]:
    """Begin a match.

    Game and options are those of ``rules_of``; ``names`` are the two players' names, ``first`` is the seat that begins:
    0 for Player 1, 1 for Player 2. Every deal follows from the ``seed``; where none is given, a new one is made.

    >>> import parlour
    >>> match = parlour.new_match("sequence-builder", pool=12, names=("Ann", "Ben"))
    >>> match
    <Match of Sequence Builder: Ann - Ben, 0 moves, Ann to move>
    """
    if isinstance(game, Game):
        return _new_match(rules_of(game, **options), names, first, seed)
    return _new_match(rules_of(game, **options), names, first, seed)


def _new_match(
    rules: Rules[O, P], names: tuple[str, str] | list[str], first: int, seed: int | str | None
) -> Match[O, P]:
    check_new_names(names)
    chosen = new_seed() if seed is None else str(seed)
    setup = Setup(rules.game, rules.options, pair_of(names), first=first, seed=chosen)
    return Match(setup)


class Match(Generic[O, P]):
    """A match in progress; ``new_match`` begins one. Whatever changes it is checked by the referee.

    ``print`` shows the table, a notebook draws it, and ``log`` has everything that was done.

    >>> import parlour
    >>> match = parlour.new_match("increasing-differences", range=15, names=("Ann", "Ben"))
    >>> match.play_line("5 7 8 9 12 13")
    >>> print(match)
    Increasing Differences, length=4 range=15
    Numbers   1    2    3    4    .    6    .    .    .   (10)
             (11)  .    .   (14) (15)
    Ann      5 +3 8 +4 12 _
    Ben      7 +2 9 +4 13 _
    Ann to move
    >>> match.legal_names
    ['1', '2', '3', '4', '6']
    >>> match.play("15")
    Traceback (most recent call last):
        ...
    parlour.errors.IllegalMove: illegal move '15': 15 is only 3 away from 12; you need more than 4; legal: 1-4, 6
    >>> match.play("2")
    Action(kind='move', move=2, seat=0, options=None)
    >>> match.outcome
    Outcome(winner=0, how='won')
    """

    def __init__(self, setup: Setup[O, P], dealt: O | None = None) -> None:
        """A new match; ``dealt`` is the first deal where it is known already."""
        if not isinstance(setup, Setup):
            raise ParlourError(f"a set-up is needed, not {clip(repr(setup))}; new_match makes one and begins the match")
        self._setup = setup
        self.log: list[Action[O]] = []  # everything that was done, in order
        self.rounds: list[Round[O, P]] = []  # the last one is being played
        self.resigned: int | None = None  # the seat that gave up, or forfeited
        self._begin(self._deal(1) if dealt is None else dealt)

    def _deal(self, round: int) -> O:
        if not left_to_chance(self.game.options):
            return self._setup.options
        rules: Rules[O, P] = self._setup._rules  # type: ignore[attr-defined]
        return self.game.rounds.deal(rules.packed, round, self._setup.random("deal", round))

    def _begin(self, options: O) -> None:
        known: Rules[O, P] = self._setup._rules  # type: ignore[attr-defined]
        rules = known if options is known.options else Rules(self.game, options)
        self.rounds.append(Round(rules, (self._setup.first + len(self.rounds)) % 2, [rules.start]))

    def copy(self) -> Match[O, P]:
        """Another match that stands where this one stands, and goes on without it."""
        match = copy(self)
        match.log = self.log.copy()
        match.rounds = [Round(r.rules, r.first, r.positions.copy(), r.moves.copy()) for r in self.rounds]
        return match

    def __deepcopy__(self, memo: object) -> Match[O, P]:
        return self.copy()

    def at(self, step: int) -> Match[O, P]:
        """Another match that stands where this one stood after so many of its actions."""
        if not 0 <= step <= len(self.log):
            raise ParlourError(f"there is no step {step}; from 0 to {len(self.log)}")
        match = Match(self._setup, self.rounds[0].options)
        for action in self.log[:step]:
            match.repeat(action)
        return match

    def with_setup(self, setup: Setup[O, P]) -> Match[O, P]:
        """The same match under other names, players or seed; game, options and who begins stay as they are."""
        match = self.copy()
        match._setup = setup
        return match

    def reseat(self, names: tuple[str, str], players: tuple[str, str]) -> None:
        """Let others play on, in this very match; its record will name them and not those who sat there before."""
        self._setup = replace(self._setup, names=names, players=players)

    # Where the match stands.

    @property
    def setup(self) -> Setup[O, P]:
        """What was agreed before the first move."""
        return self._setup

    @property
    def game(self) -> Game[O, P]:
        """The game that is played."""
        return self._setup.game

    @property
    def names(self) -> tuple[str, str]:
        """What the players are called, by seat."""
        return self._setup.names

    @property
    def round(self) -> Round[O, P]:
        """The round that is being played."""
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
        """The position now, seen from the side of the player to move."""
        return self.rounds[-1].positions[-1]

    @property
    def moment(self) -> Moment[O, P]:
        """This round as the game's words need it."""
        round = self.round
        last = self.rules.name(round.moves[-1]) if round.moves else ""
        return Moment(self.rules.packed, self.position, tuple(round.moves), self.names, round.first, last)

    @property
    def turn(self) -> int:
        """The seat to move."""
        round = self.rounds[-1]
        return round.seat(len(round.moves))

    @property
    def result(self) -> int:
        """The result of the match for the player to move: ONGOING, MOVER_WINS, DRAWN or MOVER_LOSES.

        It agrees with ``outcome``: a resignation decides the match, and a drawn round that another can follow does not.

        >>> import parlour
        >>> match = parlour.new_match("double-up")
        >>> action = match.resign(0)
        >>> match.result == parlour.MOVER_LOSES, match.round_result == parlour.ONGOING
        (True, True)
        """
        outcome = self.outcome
        if outcome is None:
            return ONGOING
        if outcome.winner is None:
            return DRAWN
        return MOVER_WINS if outcome.winner == self.turn else MOVER_LOSES

    @property
    def round_result(self) -> int:
        """The result of this round on the board, for the player to move, whether or not a player has resigned."""
        round = self.rounds[-1]
        return round.rules.result(round.positions[-1])

    @property
    def legal(self) -> Sequence[int]:
        """The moves that may be played now; none when the round or the match is over."""
        return () if self.resigned is not None else self.rules.legal(self.position)

    @property
    def legal_names(self) -> list[str]:
        """The moves that may be played now, by their names."""
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
        """The seat that has won the match, by play or because the other one resigned; None if neither has."""
        outcome = self.outcome
        return None if outcome is None else outcome.winner

    @property
    def round_winner(self) -> int | None:
        """The seat that has won this round on the board; None if it is drawn, or not over."""
        result = self.round_result
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
        return self.resigned is None and self.round_result == DRAWN and not self.last_round

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended; None while it goes on."""
        if self.resigned is not None:
            return Outcome(1 - self.resigned, "forfeited" if self.log[-1].kind == FORFEIT else "resigned")
        result = self.round_result
        if result == ONGOING or (result == DRAWN and not self.last_round):
            return None
        if result != DRAWN:
            return Outcome(self.round_winner, "won")
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

    def steps_back(self, seats: Iterable[int]) -> int:
        """How many times to undo until the last choice of one of these seats is taken back; 0 where there is none.

        A choice is a move, a resignation, or to leave a round that nobody could win any more.
        """
        match, seats, steps = self.copy(), set(seats), 0
        while match.log and (match.resigned is not None or match.round.moves or len(match.rounds) > 1):
            resigned, moves, rounds = match.resigned, match.round.moves, len(match.rounds)
            passed = resigned is None and bool(moves) and moves[-1] == PASS
            match.undo()
            steps += 1
            if len(match.rounds) < rounds:
                chosen = not match.between_rounds
            else:
                chosen = not passed and (match.turn if resigned is None else resigned) in seats
            if chosen:
                return steps
        return 0

    # The table, for people.

    def __repr__(self) -> str:
        done = f"{counted(len(self.round.moves), 'move')}, {self.standing}"
        return f"<Match of {self.game.title}: {' - '.join(self.names)}, {self._which_round}{done}>"

    def __str__(self) -> str:
        return self._picture(self.names).text()

    def svg(self) -> str:
        """The table as an SVG document; a notebook shows it for a match."""
        return self._picture(_isolated(self.names)).svg()

    def card(self, terms: str = "") -> str:
        """The match as an SVG document of 1200 by 630, to be shown beside a link: who plays, the table, how it stands.

        ``terms`` stand below the name of the game.
        """
        return self._picture(_isolated(self.names)).card(self.game.title, terms)

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_html_(self) -> str:
        return self.svg()

    def _picture(self, names: tuple[str, str]) -> Picture:
        from parlour.picture import FramedMove, Picture  # few programs look at more than one

        outcome, moment = self.outcome, replace(self.moment, names=names)
        words = show_words(self.options)
        last = None
        if moment.moves:
            last = FramedMove(1 - self.turn, moment.moves[-1], moment.last_name)
        return Picture(
            title=", ".join(filter(None, [self.game.title, words, self._which_round.removesuffix(", ")])),
            view=self.rules.view(moment),
            legal=self.legal,
            name=self.rules.name,
            standing=f"{names[self.turn]} to move" if outcome is None else outcome.words(names),
            seat=self.turn if outcome is None else outcome.winner,
            last=last,
            names=names,
        )

    @property
    def _which_round(self) -> str:
        return f"round {len(self.rounds)}, " if len(self.rounds) > 1 else ""

    # What can be done. Each of these checks, changes nothing if it refuses, and logs what it did.

    def read(self, text: str) -> int:
        """The legal move that a text names; UnreadableMove, IllegalMove or GameOver if it names none."""
        if self.resigned is not None:
            raise GameOver("the game is over")
        return self.rules.read(self.position, text)

    def check_move(self, move: int | str) -> int:
        """The move, given as such or by its name; UnreadableMove, IllegalMove or GameOver if it may not be played."""
        if self.resigned is not None:
            raise GameOver("the game is over")
        rules, position = self.rounds[-1].rules, self.rounds[-1].positions[-1]
        if isinstance(move, str):
            return rules.read(position, move)
        checked = rules.check_move(position, move)
        rules.check_number(position, move)
        return checked

    def play(self, move: int | str) -> Action[O]:
        """Play a move, given as such or by its name.

        UnreadableMove, IllegalMove or GameOver if it may not be played.
        """
        move = self.check_move(move)
        round = self.rounds[-1]
        position = round.rules.after(round.positions[-1], move)
        action: Action[O] = Action(MOVE, move, round.seat(len(round.moves)))
        round.moves.append(move)
        round.positions.append(position)
        self.log.append(action)
        return action

    def play_line(self, words: str | Iterable[str]) -> None:
        """Play the moves that these words name, or the words of a text; a forced pass need not be among them.

        If one of them is refused, those before it have been played.
        """
        for word in words.split() if isinstance(words, str) else words:
            while self.stuck and not is_pass(word):
                self.play(PASS)
            self.play(word)

    def undo(self) -> Action[O]:
        """Take back the last thing that was done: a move, a pass, a deal, a resignation.

        It opens a match again that is over. NothingToUndo if nothing has been done.
        """
        if self.resigned is not None:
            self.resigned = None
        elif self.round.moves:
            self.round.moves.pop()
            self.round.positions.pop()
        elif len(self.rounds) > 1:
            self.rounds.pop()
        else:
            raise NothingToUndo("nothing has been played yet")
        return self._done(Action(UNDO, PASS, self.turn))

    def resign(self, seat: int, *, forfeit: bool = False) -> Action[O]:
        """Let a seat give the match up, or lose it by ``forfeit``: a player that does not play by the rules."""
        _check_seat(seat)
        if self.outcome is not None:
            raise GameOver("the game is over")
        self.resigned = seat
        return self._done(Action(FORFEIT if forfeit else RESIGN, PASS, seat))

    def next_round(self, dealt: O | None = None) -> Action[O]:
        """Deal the next round: after a drawn one, or when the players agree that nobody can win this one.

        NoNextRound if somebody can still win it, or if it is the last.
        """
        self.check_next_round()
        self._begin(self._deal(len(self.rounds) + 1) if dealt is None else dealt)
        return self._done(Action(DEAL, PASS, self.turn, self.options))

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
            return self.play(Move(action.move))
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


def check_match(match: Match[O, P]) -> Match[O, P]:
    """The match; ParlourError if it is something else."""
    if not isinstance(match, Match):
        raise ParlourError(f"a match is needed, not {clip(repr(match))}; new_match begins one")
    return match


def _isolated(names: tuple[str, str]) -> tuple[str, str]:
    """Names that are each a word of their own in any sentence, whichever way their script runs."""
    return f"\u2068{names[0]}\u2069", f"\u2068{names[1]}\u2069"


def _check_seat(seat: int) -> None:
    if type(seat) is not int or seat not in (0, 1):
        raise ParlourError(f"there is no seat {clip(repr(seat))}; 0 for Player 1 or 1 for Player 2")


LONGEST_NAME = 30  # characters


MAX_ACCENTS = 3  # combining marks on one letter; Vietnamese and Thai need two, vocalised Hebrew three
_BLANK = re.compile(r"\b(BLANK|FILLER|NULL NOTEHEAD)$")  # so end the names of characters that nothing is drawn for


def check_name(name: str) -> None:
    """BadName if a player cannot be called that in a record, old ones included; see ``check_new_name``."""
    if not isinstance(name, str):
        raise BadName(f"bad name {clip(repr(name))}; a name is a text")
    if not name.strip() or name != name.strip():
        raise BadName(f"bad name {clip(name)!r}; a name has at least one letter and no spaces around it")
    if len(name) > LONGEST_NAME:
        raise BadName(f"bad name {clip(name)!r}; at most {LONGEST_NAME} characters")
    if any(map(_hidden, _without_joiners(name))):
        raise BadName(f"bad name {clip(name)!r}; control characters do not show")


def check_new_name(name: str) -> None:
    """BadName if a player cannot take this name now.

    That is what ``check_name`` refuses, what looks empty, and letters under a pile of accents, which reaches into the
    lines above and below. Older versions let people take such names, so records may have them.
    """
    check_name(name)
    for character in name:
        if _is_blank(character):
            code, called = f"U+{ord(character):04X}", unicodedata.name(character).lower()
            raise BadName(f"bad name {clip(name)!r}; {code}, the {called}, does not show")
    if not any(unicodedata.category(character)[0] in "LNPS" for character in name):
        raise BadName(f"bad name {clip(name)!r}; marks without a letter do not show")
    accents = 0
    before = " "
    for character in _without_joiners(name):
        if unicodedata.category(character)[0] != "M":
            accents = 0
        elif before == " ":
            raise BadName(f"bad name {clip(name)!r}; an accent follows a letter")
        elif unicodedata.combining(character) or unicodedata.category(character) == "Me":
            accents += 1
            if accents > MAX_ACCENTS:
                raise BadName(f"bad name {clip(name)!r}; at most {MAX_ACCENTS} accents on one letter")
        before = character


def _is_blank(character: str) -> bool:
    """Whether it counts as a letter or a symbol in Unicode, and yet shows nothing."""
    return unicodedata.category(character)[0] in "LS" and bool(_BLANK.search(unicodedata.name(character, "")))


def _hidden(character: str) -> bool:
    return unicodedata.category(character)[0] in "CZ" and character != " "


def _without_joiners(name: str) -> str:
    """The name without the joiners that many scripts and emoji need between two characters; elsewhere they stay."""
    return re.sub(r"(?<=[^\s\u200c\u200d])[\u200c\u200d](?=[^\s\u200c\u200d])", "", name)


def pair_of(names: tuple[str, ...] | list[str]) -> tuple[str, str]:
    """Two players' names; BadName if they are not two."""
    if not isinstance(names, tuple | list) or len(names) != 2:
        raise BadName(f"bad names {clip(repr(names))}; a pair of them, like {DEFAULT_NAMES}")
    return names[0], names[1]


def check_new_names(names: tuple[str, ...] | list[str]) -> None:
    """BadName if the two players cannot take these names now; that they are called the same is for ``check_names``."""
    for name in pair_of(names):
        check_new_name(name)


def check_names(names: tuple[str, str]) -> None:
    """BadName if the two players cannot be called that in a record."""
    for name in pair_of(names):
        check_name(name)
    one, two = (_without_joiners(name).casefold() for name in names)
    if one == two:
        raise BadName(f"both players are called {names[0]!r}; give them different names")
