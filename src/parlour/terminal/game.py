"""A session at a terminal: two players play a match to its end, and every action is saved."""

from __future__ import annotations

import sys
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING

from parlour import players
from parlour.errors import NothingToUndo, ParlourError, StrictGame, TooBig, UnknownPlayer
from parlour.game import PASS, opponent
from parlour.installation import own_command
from parlour.limit import Limit
from parlour.match import DEAL, MOVE, UNDO, Action, Match
from parlour.outcome import Outcome
from parlour.saves import Keeper, path_of
from parlour.terminal.book import Teller
from parlour.terminal.keyboard import Keyboard, Left
from parlour.text import sentence
from parlour.turn import Player, Turn, take_turn, turns
from parlour.view import PlayerNumber

if TYPE_CHECKING:
    from parlour.study.hints import Hints
    from parlour.terminal.background import Thinker

WORDS = {
    "help": "what you can type",
    "rules": "the rules of this game",
    "board": "show the table again",
    "moves": "the moves so far",
    "hint": "how you stand; each time you ask again, a little more",
    "why": "what a move is worth, and the play that proves it: why and the move, as in why 7",
    "undo": "take back your last move, and what the computer answered",
    "redo": "play again what you have taken back",
    "next": "go on to the next round, once nobody can win this one",
    "level": "play on against another computer: level 2, level random, level perfect",
    "swap": "change sides with the computer",
    "resign": "give the game up",
    "save": "say where this game is kept",
    "quit": "leave; the game is kept and can be resumed",
}
ALIASES = {"?": "help", "h": "help", "q": "quit", "exit": "quit"}
WITH_MORE = ("why", "level")  # words that something may follow
OFF_IN_STRICT = ("hint", "why", "undo", "redo", "level", "swap")
COMPLETED_MOVES = 200  # that Tab offers at most
PATIENCE = 60.0  # seconds that a computer may think about a move while a person watches, unless told otherwise
AT_ONCE = 0.5  # seconds for a move that somebody does not want to wait for


class TerminalTable:
    """A match between two players at a terminal."""

    def __init__(
        self,
        match: Match,
        keeper: Keeper | None,
        teller: Teller,
        keyboard: Keyboard,
        *,
        watched: bool = False,
        strict: bool = False,
        seconds: float | None = None,
    ) -> None:
        """``watched``: by people at a terminal, who can hurry a computer, and for whom another one stands in.

        ``strict``: no hints and no undo, as if the match were a strict one. ``seconds`` for each move of a computer.
        """
        self.watched = watched
        self.strict = strict or match.setup.strict
        self.seconds = seconds
        self._hints: Hints | None = None
        self._patience = _Patience()
        self._thinker: Thinker | None = None
        self._undone: list[list[Action]] = []  # what each undo took back, in the order it was played
        self.match = match
        self.keeper = keeper
        self.teller = teller
        self.keyboard = keyboard
        self.players = [players.load(word) for word in match.setup.players]
        self._has_rounds = match.rules.max_rounds is not None

    def play(self) -> Outcome:
        """Play to the end; Left if somebody gets up before."""
        match = self.match
        if self.keeper and match.log:
            self.teller.resumed(match, self.keeper.number)
        else:
            self.teller.dealt(match, self.keeper.number if self.keeper else None)
        return self.play_on()

    def play_on(self) -> Outcome:
        """Go on at once, for one after the end was taken back."""
        match = self.match
        try:
            for turn in turns(match, self._end_round):
                player = self.players[turn - 1]
                if match.stuck:
                    self._pass(player)
                elif player is not None:
                    self._let_choose(player)
                else:
                    self._ask(self.teller.asks(match, False))
        finally:
            self._close_players()
        outcome = match.outcome
        assert outcome is not None  # or there would have been another turn
        self.teller.ended(match, outcome)
        return outcome

    def _close_players(self) -> None:
        for player in self.players:
            if player is not None:
                player.close()

    def _end_round(self) -> None:
        """Tell that a round was drawn, and deal the next."""
        self.teller.round_ended(self.match)
        self._next_round()

    def _keep(self, action: Action) -> None:
        if self.keeper:
            self.keeper.keep(action)

    def _play(self, move: int) -> None:
        self._keep(self.match.play(move))
        self.teller.played(self.match)

    def _pass(self, player: Player | None) -> None:
        """Let the one who can only pass do so; a person who sits there is told why, and says when to go on."""
        prompt = self.teller.asks_to_pass(self.match) if player is None else None
        if prompt is None:
            self._play(PASS)
        else:
            self._ask(prompt)

    # Computers.

    def _let_choose(self, player: Player) -> None:
        """Let a computer move; one that fails to, or gives up, has lost."""
        match, before = self.match, self.match.moment
        try:
            turn = self._turn(player)
        except KeyboardInterrupt:
            if not self.watched or not match.steps_back(self._people):
                raise
            self._undo()
            return
        if turn is None:
            return
        action, reason = turn
        self._keep(action)
        if action.kind == MOVE:
            self.teller.computer_chose(match, before)
            self.teller.played(match)
        elif reason:
            self.teller.remarks(f"{match.names[action.player - 1]} forfeits: {reason}")

    def _turn(self, player: Player) -> Turn | None:
        """What a computer does in its turn; None: another one takes its place from here on."""
        match = self.match
        if not self.watched:
            return take_turn(match, player, None if self.seconds is None else Limit(self.seconds))
        from parlour.terminal.background import CtrlC, Thinker  # not needed before a computer is to move

        limit = Limit(PATIENCE if self.seconds is None else self.seconds)
        with CtrlC(limit) as ctrl_c:  # which is not to come between a move and its way to the disk
            self._thinker = self._thinker or Thinker()
            here = match.copy()
            try:
                with self.teller.thinks(match):
                    turn = self._thinker.think(lambda: take_turn(here, player, limit), limit, ctrl_c)
                match.repeat(turn.action)
                return turn
            except TooBig as error:
                reason = str(error).partition(";")[0]  # without the advice to programs
                if ctrl_c.pressed > 1:
                    raise KeyboardInterrupt from None
                kind = players.find_kind(match.setup.players[match.turn - 1])
                if limit.hurried or not kind.needs_proof:
                    return self._move_at_once(kind.stand_in)
            finally:
                if self._thinker.abandoned:
                    self._thinker = None
                    self._load_players()  # what the abandoned one knows, it is still busy with
        setup = players.hand_over(match.setup, match.turn)
        easier = players.find_kind(setup.players[match.turn - 1])
        self._reseat(match.names, setup.players)
        self.teller.remarks(f"{sentence(reason)} {_spoken(easier)} plays on in its place.")
        return None

    def _move_at_once(self, word: str) -> Turn:
        """What somebody else would do in this one turn, without thinking long."""
        kind = players.find_kind(word)
        player = players.find_player(word)
        try:
            turn = take_turn(self.match, player, Limit(AT_ONCE))
        except TooBig:
            return self._move_at_once(kind.stand_in)
        finally:
            player.close()
        self.teller.remarks(f"That was {_spoken(kind)}'s move: there was no time for a better one.")
        return turn

    def _load_players(self) -> None:
        self._close_players()
        self.players = [players.load(word) for word in self.match.setup.players]

    def _reseat(self, names: tuple[str, str], words: tuple[str, str]) -> None:
        for word in words:
            players.check_start(word)
        self.match.change_setup(replace(self.match.setup, names=names, players=words))
        if self.keeper:
            self.keeper.keep_seats()
        self._load_players()

    @property
    def has_computer(self) -> bool:
        """One person plays against one computer."""
        return len(self._people) == 1

    @property
    def _people(self) -> list[PlayerNumber]:
        return players.people_of(self.match.setup)

    # People.

    def _next_round(self) -> None:
        self._keep(self.match.next_round())
        self.teller.dealt(self.match, None)

    def _ask(self, prompt: str) -> None:
        """Ask the person to move, or to pass, until something happens."""
        match = self.match
        while True:
            text = self.keyboard.read_line(prompt, self._completions)
            if text is None:
                raise Left(0 if self.keyboard.terminal else 1)
            word, rest = read_word(text)
            try:
                if word in WORDS and (word != "next" or self._has_rounds):
                    if self.obey(word, rest):
                        return
                elif word == "report":
                    self._defer_report()
                else:
                    move = PASS if match.stuck and not text.strip() else match.read(text)
                    self._undone.clear()
                    self._play(move)
                    return
            except ParlourError as error:
                self.teller.refuses(match, rest if word == "why" and rest else text, error)
            prompt = (match.stuck and self.teller.asks_to_pass(match)) or self.teller.asks(match, True)

    def obey(self, word: str, rest: str = "") -> bool:
        """Do what a word asks for; whether the table has changed. A ParlourError if it cannot be done."""
        if word == "quit":
            raise Left(0)
        if self.strict and word in OFF_IN_STRICT:
            raise StrictGame("this game is strict: there is no hint, no why, no undo and no other computer")
        if word in ("hint", "why"):
            self._study(word, rest)
        elif word == "undo":
            self._undo()
            return True
        elif word == "redo":
            self._redo()
            return True
        elif word == "next":
            self._undone.clear()
            self._next_round()
            return True
        elif word == "level":
            self._change_level(rest)
        elif word == "swap":
            self._swap()
            return True
        elif word == "resign":
            return self._resign()
        else:
            self._tell(word)
        return False

    def _resign(self) -> bool:
        if self.keyboard.terminal:
            answer = self.keyboard.read_line("Give up this game? y or n: ")
            if (answer or "").strip().lower() not in ("y", "yes"):
                self.teller.remarks("The game goes on.")
                return False
        self._undone.clear()
        self._keep(self.match.resign(self.match.turn))
        return True

    def _tell(self, word: str) -> None:
        match = self.match
        if word == "board":
            self.teller.shows(match)
        elif word == "rules":
            self.teller.remarks(match.rules.rules_text)
        elif word == "moves":
            self.teller.remarks(self._moves_so_far())
        elif word == "save":
            number = self.keeper.number if self.keeper else None
            self.teller.remarks(
                "This game cannot be saved." if number is None
                else f"Saved as game {number} after every move, in {path_of(number)}. "
                f"Resume it with: {own_command()} resume {number}"
            )  # fmt: skip
        else:
            self._help()

    def _defer_report(self) -> None:
        """Say when the report comes, and how to see it before the end."""
        now = "" if self.strict or not self.keeper else f" To see it now: {own_command()} report {self.keeper.number}"
        self.teller.remarks(f"The report comes when the game is over.{now}")

    def _help(self) -> None:
        match = self.match
        legal = match.rules.spell(match.legal_moves)
        words = "\n".join(f"- {word}: {WORDS[word]}" for word in self._words())
        told = f"Select {match.rules.expected(match.position)}. Possible now: {legal}\n\nYou can also type:\n{words}"
        if not self.watched:
            told += (
                "\n\nIn the table, what stands in brackets cannot be chosen now, and a dot is a number that is gone."
            )
        self.teller.remarks(told)

    def _moves_so_far(self) -> str:
        match, round = self.match, self.match.round
        if not round.moves:
            return "Nothing has been played yet." if len(match.rounds) == 1 else "This round has just begun."
        names = self.teller.names(match)
        return ", ".join(
            f"{names[round.player(ply) - 1]}: {self._called(move)}" for ply, move in enumerate(round.moves)
        )

    def _called(self, move: int) -> str:
        """What a person calls a move: by the number on the table, where it has another name as well."""
        return self.match.rules.spoken([move])[0]

    def _study(self, word: str, text: str) -> None:
        """Give a hint, or say why. Ctrl-C gives up the search for it, not the game."""
        match = self.match
        if word == "why" and not text:
            example = self._called(match.legal_moves[0])
            self.teller.remarks(f"Which move? Type why and the move, for example: why {example}")
            return
        # Not before somebody asks: the first prompt is not to wait for it.
        from parlour.study.hints import HINT_SECONDS, STANDING, Hints

        if self._hints is None:
            self._hints = Hints(match)
        self._hints.names = self.teller.names(match)
        self._patience.begin()
        limit = Limit(HINT_SECONDS, on_progress=self._patience if self.keyboard.terminal else None)
        try:
            if word == "hint":
                hint = self._hints.hint(limit)
                if hint.rung == STANDING and match.rules.settled(match.position) and not match.last_round:
                    hint = replace(hint, text=f"{hint.text} Type next to go on to the next round.")
                self.teller.hints(match, hint)
            else:
                self.teller.reasons(match, self._hints.why(match.read(text), limit))
        except KeyboardInterrupt:
            if not self.keyboard.terminal:
                raise
            self.teller.remarks("Given up. The game goes on.")
        finally:
            self._patience.end()

    def _undo(self) -> None:
        """Take back up to the last choice that a person made."""
        match = self.match
        steps = match.steps_back(self._people)
        if not steps:
            raise NothingToUndo(
                "there is no move of yours to take back" if _standing(match.log) else "nothing has been played yet"
            )
        gone = _standing(match.log)[-steps:]
        names = [self._named(action) for action in gone]
        for _ in gone:
            self._keep(match.undo())
        self._undone.append(gone)
        self.teller.took_back(match, names)

    def _redo(self) -> None:
        """Play again what the last undo took back."""
        if not self._undone:
            raise NothingToUndo("nothing was taken back that could be played again")
        gone = self._undone.pop()
        for action in gone:
            self._keep(self.match.repeat(action))
        self.teller.played_again(self.match, [self._named(action) for action in gone])

    def _named(self, action: Action) -> str:
        if action.kind == MOVE:
            return self._called(action.move) if self.watched else self.match.rules.name(action.move)
        return "the next round" if action.kind == DEAL else "the resignation"

    def _change_level(self, text: str) -> None:
        """Let another computer play on; without a text, list them."""
        word = self.read_level(text)
        if word is not None:
            match = self.match
            player = opponent(self._people[0])
            self._reseat(match.names, players.with_player(match.setup, player, word).players)
            self.teller.remarks(f"{_spoken(players.find_kind(word))} takes over from here.")

    def read_level(self, text: str, now: str | None = None) -> str | None:
        """Return the word of the computer that a text names; without a text, list them and return None.

        ``now`` is the present choice, if it isn't the computer at the board.

        Raises:
            UnknownPlayer: there is no such computer, or no computer plays in this match.
        """
        if not self.has_computer:
            raise UnknownPlayer("there is no computer at this table whose level could change")
        if not text:
            title = players.find_kind(now or self.match.setup.players[opponent(self._people[0]) - 1]).title
            words = ", ".join(kind.word.removeprefix("level:") for kind in players.offered())
            self.teller.remarks(f"You play against {title}. Type level and one of these: {words}")
            return None
        word = f"level:{text}" if text.isdigit() else text.lower()
        players.find_player(word)
        return word

    def _swap(self) -> None:
        match = self.match
        if not self.has_computer:
            raise UnknownPlayer("there is no computer at this table to change sides with")
        names, words = match.names, match.setup.players
        self._reseat((names[1], names[0]), (words[1], words[0]))
        self._undone.clear()
        self.teller.remarks("You have changed sides; the record has you both as you sit now.")

    def _completions(self) -> list[str]:
        match = self.match
        return [*match.rules.names(match.legal_moves[:COMPLETED_MOVES]), *self._words()]

    def _words(self) -> list[str]:
        """What can be typed besides moves."""
        off = {*(OFF_IN_STRICT if self.strict else ()), *(() if self._has_rounds else ("next",))}
        if not self.has_computer:
            off |= {"level", "swap"}
        return [word for word in WORDS if word not in off]


def read_word(text: str) -> tuple[str, str]:
    """What was typed as a word and what follows it, where something may; lower case, and aliases resolved."""
    word = text.strip().lower()
    head, _, rest = text.strip().partition(" ")
    if head.lower() in WITH_MORE:
        return head.lower(), rest.strip()
    return ALIASES.get(word, word), ""


def _spoken(kind: players.PlayerKind) -> str:
    """What a kind of computer is called in the middle of a sentence, where its nickname would be in the way."""
    return kind.title.removesuffix(f", {kind.nickname}")


def _standing(log: list[Action]) -> list[Action]:
    """The actions that were not taken back."""
    standing: list[Action] = []
    for action in log:
        if action.kind == UNDO:
            standing.pop()
        else:
            standing.append(action)
    return standing


class _Patience:
    """Tells a person who waits for more than a second that there will be an answer, and how to do without it."""

    TEXT = "Thinking ... Ctrl-C gives up the hint, not the game."

    def __init__(self) -> None:
        self._since = 0.0
        self._asked = False

    def begin(self) -> None:
        self._since, self._asked = monotonic(), False

    def __call__(self, spent: int) -> None:
        if not self._asked and monotonic() - self._since > 1:
            self._asked = True
            sys.stderr.write(self.TEXT)
            sys.stderr.flush()

    def end(self) -> None:
        if self._asked:
            sys.stderr.write("\r" + " " * len(self.TEXT) + "\r")
            sys.stderr.flush()
