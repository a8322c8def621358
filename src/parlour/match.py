"""Matches: a set-up and a log of actions, which are moves, undos, deals and a resignation.

Replaying the log gives the same match; records and saved games rely on this.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, overload

from parlour.arguments import as_index, seed_text, several
from parlour.errors import BadArgument, GameOver, NoNextRound, NothingToUndo, TooBig
from parlour.game import NO_CAP, PASS, Game, Moment, Move, P, opponent, player_at
from parlour.names import DEFAULT_NAMES, check_new_names, pair_of
from parlour.notation import is_pass
from parlour.options import O, OptionValue, left_to_chance, show_words
from parlour.outcome import Outcome, Termination
from parlour.pickles import NUMBERING, upgrade_match
from parlour.rules import LISTED_MOVES, Rules, Status, as_rules
from parlour.secrets import new_seed
from parlour.setup import Setup, player_number
from parlour.text import clip, counted
from parlour.view import PlayerNumber

if TYPE_CHECKING:
    from parlour.picture import Picture

MOVE, UNDO, RESIGN, FORFEIT, DEAL = "move", "undo", "resign", "forfeit", "deal"


class Action(NamedTuple, Generic[O]):
    """An action of a match: a move, an undo, a resignation, a forfeit or a deal.

    >>> import parlour
    >>> match = parlour.new_match("double-up")
    >>> match.play_line("2")
    >>> match.resign(2)
    Action(kind='resign', move=0, player=2, options=None)
    >>> [action.kind for action in match.log]
    ['move', 'resign']
    """

    kind: str  # "move", "undo", "resign", "forfeit" or "deal"
    move: int = PASS  # the move of a "move"
    player: PlayerNumber = 1  # the player who acted
    options: O | None = None  # the options after a "deal", with everything dealt


@dataclass
class Round(Generic[O, P]):
    """A round: a deal and the moves played on it.

    >>> import parlour
    >>> match = parlour.new_match("double-up", limit=20)
    >>> match.play_line("2 4")
    >>> match.round.moves, match.round.positions
    ([2, 4], [Position(last=1), Position(last=2), Position(last=4)])
    """

    rules: Rules[O, P]  # the rules under the options of this round, with everything dealt
    first: PlayerNumber  # the player who began
    positions: list[P]  # the start and the position after each move
    moves: list[Move] = field(default_factory=list)  # the moves, without undone ones

    @property
    def options(self) -> O:
        """The options of this round, everything dealt."""
        return self.rules.options

    def player(self, ply: int) -> PlayerNumber:
        """Return the player of a ply of the round, counted from 0."""
        return player_at(self.first, ply)


@overload
def new_match(
    game: str,
    /,
    *,
    names: tuple[str, str] | list[str] = DEFAULT_NAMES,
    first: PlayerNumber = 1,
    seed: int | str | None = None,
    **options: OptionValue,
) -> Match: ...
@overload
def new_match(
    game: Game[O, P] | Rules[O, P],
    /,
    *,
    names: tuple[str, str] | list[str] = DEFAULT_NAMES,
    first: PlayerNumber = 1,
    seed: int | str | None = None,
    **options: OptionValue,
) -> Match[O, P]: ...


def new_match(
    game: str | Game[O, P] | Rules[O, P],
    /,
    *,
    names: tuple[str, str] | list[str] = DEFAULT_NAMES,
    first: PlayerNumber = 1,
    seed: int | str | None = None,
    **options: OptionValue,
) -> Match | Match[O, P]:
    """Begin a match.

    Game and options are those of ``rules_of``. ``names`` are the two players' names, and ``first`` is the player who
    begins, 1 or 2. Every deal follows from the ``seed``, which is random by default.

    >>> import parlour
    >>> match = parlour.new_match("sequence-builder", pool=12, names=("Ann", "Ben"))
    >>> match
    <Match of Sequence Builder: Ann - Ben, 0 moves, Ann to move>
    """
    check_new_names(names)
    chosen = new_seed() if seed is None else seed_text(seed)
    return Match(Setup(as_rules(game, options), pair_of(names), first=first, seed=chosen))


class Match(Generic[O, P]):
    """A match in progress; ``new_match`` begins one. The referee checks every action.

    ``print`` shows the board, a notebook draws it, and ``log`` has all actions.

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
    Action(kind='move', move=2, player=1, options=None)
    >>> match.outcome
    Outcome(winner=1, how=<Termination.WON: 'won'>)
    """

    def __init__(self, setup: Setup[O, P], dealt: O | None = None) -> None:
        """Begin a match; ``dealt`` is the first deal, if it is known."""
        if not isinstance(setup, Setup):
            raise BadArgument(f"a set-up is needed, not {clip(repr(setup))}; new_match makes one and begins the match")
        self._setup = setup
        self.log: list[Action[O]] = []  # all actions, in order
        self.rounds: list[Round[O, P]] = []  # the last one is being played
        self.resigned: PlayerNumber | None = None  # the player who gave up, or forfeited
        self._begin(self._deal(1) if dealt is None else dealt)

    @classmethod
    def after(cls, setup: Setup[O, P], moves: Iterable[int | str], dealt: O | None = None) -> Match[O, P]:
        """Return a new match after some moves; errors are those of ``play``."""
        match = cls(setup, dealt)
        match.play_all(moves)
        return match

    def _deal(self, round: int) -> O:
        if not left_to_chance(self.game.options):
            return self._setup.options
        return self.game.rounds.deal(self._setup.rules.packed, round, self._setup.random("deal", round))

    def _begin(self, options: O) -> None:
        known = self._setup.rules
        rules = known if options is known.options else Rules(self.game, options)
        self.rounds.append(Round(rules, player_at(self._setup.first, len(self.rounds)), [rules.start]))

    def copy(self) -> Match[O, P]:
        """Return an independent copy of the match."""
        match: Match[O, P] = Match.__new__(Match)
        match._setup, match.resigned = self._setup, self.resigned
        match.log = self.log.copy()
        match.rounds = [Round(r.rules, r.first, r.positions.copy(), r.moves.copy()) for r in self.rounds]
        return match

    def __eq__(self, other: object) -> bool:
        """Return whether two matches have the same set-up, first deal and log.

        >>> import parlour
        >>> match = parlour.new_match("double-up")
        >>> match == match.copy(), match == parlour.new_match("double-up", seed=match.setup.seed, limit=50)
        (True, False)
        """
        if not isinstance(other, Match):
            return NotImplemented
        mine, theirs = self.rounds[0].options, other.rounds[0].options
        return self.log == other.log and self._setup == other._setup and mine == theirs

    __hash__ = None  # type: ignore[assignment]  # a match changes

    def __copy__(self) -> Match[O, P]:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Match[O, P]:
        return self.copy()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, NUMBERING: 1}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state if state.pop(NUMBERING, None) else upgrade_match(state))

    def at(self, step: int) -> Match[O, P]:
        """Return a copy of the match after its first ``step`` actions."""
        number = as_index(step)
        if number is None or not 0 <= number <= len(self.log):
            raise BadArgument(f"there is no step {clip(repr(step))}; from 0 to {len(self.log)}")
        match = Match(self._setup, self.rounds[0].options)
        for action in self.log[:number]:
            match.repeat(action)
        return match

    def with_setup(self, setup: Setup[O, P]) -> Match[O, P]:
        """Return a copy with another set-up; errors are those of ``change_setup``."""
        match = self.copy()
        match.change_setup(setup)
        return match

    def change_setup(self, setup: Setup[O, P]) -> None:
        """Replace the set-up by one with other names, players, rounds or seed. The record has the new one only.

        Raises:
            BadArgument: this is not a set-up, or one with another game, other options or another player who begins.
        """
        old = self._setup
        if not isinstance(setup, Setup) or (setup.rules, setup.first) != (old.rules, old.first):
            needed = f"one of {old.rules.title} in which player {old.first} begins"
            raise BadArgument(f"bad set-up {clip(repr(setup))}; give {needed}")
        self._setup = setup

    # The state of the match.

    @property
    def setup(self) -> Setup[O, P]:
        """The agreement before the first move: rules, players, names, seed."""
        return self._setup

    @property
    def game(self) -> Game[O, P]:
        """The game that is played."""
        return self._setup.game

    @property
    def names(self) -> tuple[str, str]:
        """The names of player 1 and player 2."""
        return self._setup.names

    @property
    def round(self) -> Round[O, P]:
        """The current round."""
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
        """This round, for the texts of a game."""
        round = self.round
        last = self.rules.name(round.moves[-1]) if round.moves else ""
        return Moment(self.rules.packed, self.position, tuple(round.moves), self.names, round.first, last)

    @property
    def turn(self) -> PlayerNumber:
        """The player to move."""
        round = self.rounds[-1]
        return round.player(len(round.moves))

    @property
    def result(self) -> Status:
        """The result of the match for the player to move.

        It agrees with ``outcome``: a resignation decides the match, and a drawn round that another can follow does not.

        >>> import parlour
        >>> match = parlour.new_match("double-up")
        >>> action = match.resign(1)
        >>> match.result, match.round_result
        (<Status.MOVER_LOSES: 1>, <Status.ONGOING: 0>)
        """
        outcome = self.outcome
        if outcome is None:
            return Status.ONGOING
        if outcome.winner is None:
            return Status.DRAWN
        return Status.MOVER_WINS if outcome.winner == self.turn else Status.MOVER_LOSES

    @property
    def round_result(self) -> Status:
        """The result of this round on the board, for the player to move, whether or not a player has resigned."""
        round = self.rounds[-1]
        return round.rules.result(round.positions[-1])

    @property
    def legal_moves(self) -> Sequence[Move]:
        """The legal moves; empty when the round or the match is over."""
        return [] if self.resigned is not None else self.rules.legal(self.position)

    @property
    def legal_names(self) -> list[str]:
        """The names of the legal moves; TooBig for more than ``LISTED_MOVES``."""
        if self.rules.count_legal(self.position) > LISTED_MOVES:
            raise TooBig(f"more than {LISTED_MOVES:,} moves are too many to list: {self.rules.spell(self.legal_moves)}")
        return self.rules.names(self.legal_moves)

    @property
    def only_move(self) -> Move | None:
        """The only legal move; None if there is a choice."""
        legal = self.legal_moves  # may be too long to count
        return legal[0] if legal and legal[0] == legal[-1] else None

    @property
    def stuck(self) -> bool:
        """Whether the player to move can only pass."""
        legal = self.legal_moves
        return bool(legal) and legal[0] == PASS

    @property
    def winner(self) -> PlayerNumber | None:
        """The player who has won the match, by play or because the other one resigned; None if neither has."""
        outcome = self.outcome
        return None if outcome is None else outcome.winner

    @property
    def round_winner(self) -> PlayerNumber | None:
        """The player who has won this round on the board; None if it is drawn, or not over."""
        result = self.round_result
        if result in (Status.ONGOING, Status.DRAWN):
            return None
        return self.turn if result is Status.MOVER_WINS else opponent(self.turn)

    @property
    def is_over(self) -> bool:
        """Whether the match has ended; ``outcome`` has the result."""
        return self.outcome is not None

    @property
    def last_round(self) -> bool:
        """Whether this is the last round."""
        return len(self.rounds) >= min(self._setup.cap or NO_CAP, self.rules.max_rounds or 1)

    @property
    def between_rounds(self) -> bool:
        """Whether this round is drawn and another follows."""
        return self.resigned is None and self.round_result is Status.DRAWN and not self.last_round

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of the match; None while it is in progress."""
        if self.resigned is not None:
            return Outcome(
                opponent(self.resigned),
                Termination.FORFEITED if self.log[-1].kind == FORFEIT else Termination.RESIGNED,
            )
        result = self.round_result
        if result is Status.ONGOING or (result is Status.DRAWN and not self.last_round):
            return None
        if result is not Status.DRAWN:
            return Outcome(self.round_winner, Termination.WON)
        return Outcome(None, Termination.DRAWN if self.rules.max_rounds is None else Termination.UNDECIDED)

    @property
    def standing(self) -> str:
        """The player to move, or the outcome, as a short text."""
        outcome = self.outcome
        return f"{self.names[self.turn - 1]} to move" if outcome is None else outcome.words(self.names)

    def last_choice(self, players: Iterable[PlayerNumber]) -> int | None:
        """Return the ply of the last move, passes excluded, of one of these players; None without one."""
        round, players = self.round, set(players)
        plies = reversed(range(len(round.moves)))
        return next((ply for ply in plies if round.moves[ply] != PASS and round.player(ply) in players), None)

    def steps_back(self, players: Iterable[PlayerNumber]) -> int:
        """Return the number of undos that take back the last choice of one of these players; 0 without one.

        A choice is a move, a resignation, or leaving a round that neither player could win.
        """
        match, players, steps = self.copy(), set(players), 0
        while match.log and (match.resigned is not None or match.round.moves or len(match.rounds) > 1):
            resigned, moves, rounds = match.resigned, match.round.moves, len(match.rounds)
            passed = resigned is None and bool(moves) and moves[-1] == PASS
            match.undo()
            steps += 1
            if len(match.rounds) < rounds:
                chosen = not match.between_rounds
            else:
                chosen = not passed and (match.turn if resigned is None else resigned) in players
            if chosen:
                return steps
        return 0

    # Text and pictures.

    def __repr__(self) -> str:
        done = f"{counted(len(self.round.moves), 'move')}, {self.standing}"
        return f"<Match of {self.game.title}: {' - '.join(self.names)}, {self._which_round}{done}>"

    def __str__(self) -> str:
        return self._picture(self.names).text()

    def svg(self) -> str:
        """Return the board as an SVG document, which a notebook shows for a match."""
        return self._picture(_isolated(self.names)).svg()

    def card(self, terms: str = "") -> str:
        """Return a link preview, an SVG document of 1200 by 630 with the players, the board and the state of the match.

        ``terms`` is a text below the name of the game.
        """
        return self._picture(_isolated(self.names)).card(self.game.title, terms)

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_html_(self) -> str:
        return self.svg()

    def _picture(self, names: tuple[str, str]) -> Picture:
        from parlour.picture import FramedMove, Picture  # most programs draw nothing

        outcome, moment = self.outcome, replace(self.moment, names=names)
        words = show_words(self.options)
        last = None
        if moment.moves:
            last = FramedMove(opponent(self.turn), moment.moves[-1], moment.last_name)
        return Picture(
            title=", ".join(filter(None, [self.game.title, words, self._which_round.removesuffix(", ")])),
            view=self.rules.view(moment),
            legal=self.legal_moves,
            name=self.rules.name,
            standing=f"{names[self.turn - 1]} to move" if outcome is None else outcome.words(names),
            player=self.turn if outcome is None else outcome.winner,
            last=last,
            names=names,
        )

    @property
    def _which_round(self) -> str:
        return f"round {len(self.rounds)}, " if len(self.rounds) > 1 else ""

    # Actions. Each one is checked first and then logged; a refused action changes nothing.

    def read(self, text: str) -> Move:
        """Return the legal move with a name; UnreadableMove, IllegalMove or GameOver without one."""
        if self.resigned is not None:
            raise GameOver("the game is over")
        return self.rules.read(self.position, text)

    def check_move(self, move: int | str) -> Move:
        """Return a legal move given as a number or a text; see ``Rules.check_move``."""
        if self.resigned is not None:
            raise GameOver("the game is over")
        return self.rounds[-1].rules.check_move(self.rounds[-1].positions[-1], move)

    def play(self, move: int | str) -> Action[O]:
        """Play a move, given as a number or a text.

        Raises:
            UnreadableMove, IllegalMove, GameOver: it may not be played.
        """
        move = self.check_move(move)
        round = self.rounds[-1]
        position = round.rules.after(round.positions[-1], move)
        action: Action[O] = Action(MOVE, move, round.player(len(round.moves)))
        round.moves.append(move)
        round.positions.append(position)
        self.log.append(action)
        return action

    def play_line(self, words: str | Iterable[str]) -> None:
        """Play moves given by their names, in a list or a text; forced passes may be left out.

        If one of them is refused, the ones before it stay played.
        """
        for word in words.split() if isinstance(words, str) else several("moves", words):
            while self.stuck and not is_pass(word):
                self.play(PASS)
            self.play(self.read(word))

    def play_all(self, moves: Iterable[int | str]) -> None:
        """Play the moves of a list, passes included.

        If one of them is refused, the ones before it stay played.
        """
        for move in several("moves", moves, "give a list of them; play_line reads a text"):
            self.play(move)

    def undo(self) -> Action[O]:
        """Undo the last action: a move, a pass, a deal or a resignation. This reopens a finished match.

        Raises:
            NothingToUndo: the log is empty.
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

    def resign(self, player: PlayerNumber, *, forfeit: bool = False) -> Action[O]:
        """Resign for a player, or with ``forfeit`` declare the match lost by a breach of the rules."""
        player = player_number(player)
        if self.outcome is not None:
            raise GameOver("the game is over")
        self.resigned = player
        return self._done(Action(FORFEIT if forfeit else RESIGN, PASS, player))

    def next_round(self, dealt: O | None = None) -> Action[O]:
        """Deal the next round, after a drawn one or one that neither player can win.

        Raises:
            NoNextRound: a player can still win this round, or it is the last.
            GameOver: the match is over.
        """
        self.check_next_round()
        self._begin(self._deal(len(self.rounds) + 1) if dealt is None else dealt)
        return self._done(Action(DEAL, PASS, self.turn, self.options))

    def check_next_round(self) -> None:
        """Raise NoNextRound or GameOver if the next round cannot be dealt now."""
        if self.outcome is not None:
            raise GameOver("the game is over")
        if not self.between_rounds:
            if not self.rules.settled(self.position):
                raise NoNextRound("this round is not over: a player can still win it")
            if self.last_round:
                raise NoNextRound("this is the last round: play it out")

    def repeat(self, action: Action[O]) -> Action[O]:
        """Repeat an action of another match; BadArgument if it is not an action."""
        kind = action.kind if isinstance(action, Action) else None
        if kind == MOVE:
            return self.play(action.move)
        if kind == UNDO:
            return self.undo()
        if kind == DEAL:
            return self.next_round(action.options)
        if kind in (RESIGN, FORFEIT):
            return self.resign(action.player, forfeit=kind == FORFEIT)
        raise BadArgument(f"bad action {clip(repr(action))}; one of the log of a match is needed")

    def _done(self, action: Action[O]) -> Action[O]:
        self.log.append(action)
        return action


def check_match(match: Match[O, P]) -> Match[O, P]:
    """Return the match; BadArgument if it is something else."""
    if not isinstance(match, Match):
        raise BadArgument(f"a match is needed, not {clip(repr(match))}; new_match begins one")
    return match


def _isolated(names: tuple[str, str]) -> tuple[str, str]:
    """Wrap names in Unicode isolates, so that their writing direction does not affect the text around them."""
    return f"\u2068{names[0]}\u2069", f"\u2068{names[1]}\u2069"
