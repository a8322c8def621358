"""The table at a terminal: lets two seats play a match to its end, and keeps every step of it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from time import monotonic
from typing import TYPE_CHECKING

from parlour import players
from parlour.cli.keyboard import Keyboard
from parlour.cli.screen import own_command
from parlour.cli.tellers import Teller
from parlour.errors import NothingToUndo, ParlourError, StrictGame
from parlour.game import PASS
from parlour.limit import Limit
from parlour.match import MOVE, Action, Match
from parlour.outcome import Outcome
from parlour.saves import Keeper
from parlour.turn import Player, take_turn, turns

if TYPE_CHECKING:
    from parlour.study.hints import Hints

WORDS = {
    "help": "what you can type",
    "rules": "the rules of this game",
    "board": "show the table again",
    "hint": "how you stand; ask again, and each time you are told a little more",
    "why": "what a move is worth and which play shows it: why, a space, the move",
    "undo": "take back the last move, and what the computer answered",
    "next": "go on to the next round, once nobody can win this one",
    "resign": "give the game up",
    "save": "say where this game is kept",
    "quit": "leave; the game is kept and can be resumed",
}
ALIASES = {"?": "help", "h": "help", "q": "quit", "exit": "quit"}
OFF_IN_STRICT = ("hint", "why", "undo")
COMPLETED_MOVES = 200  # that Tab offers at most


class Left(Exception):
    """Somebody got up in the middle of the game."""

    def __init__(self, exit_code: int) -> None:
        super().__init__(exit_code)
        self.exit_code = exit_code


class TerminalTable:
    """One match, two seats."""

    def __init__(
        self,
        match: Match,
        keeper: Keeper | None,
        teller: Teller,
        keyboard: Keyboard,
        *,
        strict: bool = False,
        seconds: float | None = None,
    ) -> None:
        """``strict``: nobody gets hints, and nothing is taken back. ``seconds`` for each move of a computer."""
        self.strict = strict
        self.seconds = seconds
        self._hints: Hints | None = None
        self._patience = _Patience()
        self.match = match
        self.keeper = keeper
        self.teller = teller
        self.keyboard = keyboard
        self.players = [players.load(word) for word in match.setup.players]
        self._has_rounds = match.rules.max_rounds is not None

    def play(self) -> Outcome:
        """Play to the end; Left if somebody gets up before."""
        try:
            return self._play_out()
        finally:
            for player in self.players:
                if player is not None:
                    player.close()

    def _play_out(self) -> Outcome:
        match = self.match
        if self.keeper and match.log:
            self.teller.resumed(match, self.keeper.number)
        else:
            self.teller.dealt(match, self.keeper.number if self.keeper else None)
        for seat in turns(match, self._end_round):
            player = self.players[seat]
            if match.stuck:
                self._play(PASS)
            elif player is not None:
                self._let_choose(player)
            else:
                self._ask()
        outcome = match.outcome
        assert outcome is not None  # or there would have been another turn
        self.teller.ended(match, outcome)
        return outcome

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

    def _let_choose(self, player: Player) -> None:
        """Let a computer move; one that fails to, or gives up, has lost."""
        match, before = self.match, self.match.moment
        with _told_after_a_second(f"{match.names[match.turn]} is thinking ..." if self.keyboard.terminal else ""):
            action, reason = take_turn(match, player, None if self.seconds is None else Limit(self.seconds))
        self._keep(action)
        if action.kind == MOVE:
            self.teller.computer_chose(match, before)
            self.teller.played(match)
        elif reason:
            self.teller.remarks(f"{match.names[action.seat]} forfeits: {reason}")

    def _next_round(self) -> None:
        self._keep(self.match.next_round())
        self.teller.dealt(self.match, None)

    def _ask(self) -> None:
        """Ask the person to move until something happens."""
        prompt = self.teller.asks(self.match)
        while True:
            text = self.keyboard.read_line(prompt, self._completions)
            if text is None:
                raise Left(0 if self.keyboard.terminal else 1)
            word = ALIASES.get(text.strip().lower(), text.strip().lower())
            head, _, rest = text.strip().partition(" ")
            if head.lower() == "why" and rest:
                word, text = "why", rest.strip()
            try:
                if word not in WORDS or (word == "next" and not self._has_rounds):
                    self._play(self.match.read(text))
                    return
                if self._obey(word, text):
                    return
            except ParlourError as error:
                self.teller.refuses(self.match, text, error)

    def _obey(self, word: str, text: str) -> bool:
        """Do what a word asks for; whether the table has changed."""
        if word == "quit":
            raise Left(0)
        if self.strict and word in OFF_IN_STRICT:
            raise StrictGame("this game is strict: there is no hint, no why and no undo")
        if word in ("hint", "why"):
            self._study(word, text)
            return False
        if word == "undo":
            self._undo()
        elif word == "next":
            self._next_round()
        elif word == "resign":
            if (
                self.keyboard.terminal
                and (self.keyboard.read_line("Give up this game? Type yes to confirm: ") or "").strip().lower() != "yes"
            ):
                self.teller.remarks("Then the game goes on.")
                return False
            self._keep(self.match.resign(self.match.turn))
        else:
            self._tell(word)
            return False
        return True

    def _tell(self, word: str) -> None:
        match = self.match
        if word == "board":
            self.teller.shows(match)
        elif word == "rules":
            self.teller.remarks(match.rules.rules_text)
        elif word == "save":
            number = self.keeper.number if self.keeper else None
            self.teller.remarks(
                "This game cannot be saved." if number is None
                else f"Saved as game {number}, and after every move. Go on later with: {own_command()} resume {number}"
            )  # fmt: skip
        else:
            legal = match.rules.spell(match.legal)
            words = "\n".join(f"- {word}: {WORDS[word]}" for word in self._words())
            self.teller.remarks(
                f"Select {match.rules.expected(match.position)}. Possible now: {legal}\n\n"
                f"You can also type:\n{words}\n\n"
                "In the table, what stands in brackets cannot be chosen now, and a dot is a number that is gone."
            )

    def _study(self, word: str, text: str) -> None:
        """Give a hint, or say why. Ctrl-C gives up the search for it, not the game."""
        match = self.match
        if word == "why" and text.strip().lower() == "why":
            example = match.rules.name(match.legal[0])
            self.teller.remarks(f"Which move do you mean? Type why and a move, for example: why {example}")
            return
        # Not before somebody asks: the first prompt is not to wait for it.
        from parlour.study.hints import HINT_SECONDS, Hints

        if self._hints is None:
            self._hints = Hints(match)
        self._patience.begin()
        limit = Limit(HINT_SECONDS, on_progress=self._patience if self.keyboard.terminal else None)
        try:
            if word == "hint":
                self.teller.hints(match, self._hints.hint(limit))
            else:
                self.teller.reasons(match, self._hints.why(text, limit))
        except KeyboardInterrupt:
            if not self.keyboard.terminal:
                raise
            sys.stdout.write("\n")
            self.teller.remarks("Given up. The game goes on.")

    def _undo(self) -> None:
        """Take back up to the last choice that a person made."""
        match = self.match
        people = [seat for seat, player in enumerate(self.players) if player is None]
        last = match.last_choice(people)
        if last is None:
            raise NothingToUndo(
                "there is no move of yours to take back" if match.round.moves else "nothing has been played yet"
            )
        gone = match.rules.names(match.round.moves[last:])
        for _ in gone:
            self._keep(match.undo())
        self.teller.took_back(match, gone)

    def _completions(self) -> list[str]:
        match = self.match
        return [*match.rules.names(match.legal[:COMPLETED_MOVES]), *self._words()]

    def _words(self) -> list[str]:
        """What can be typed besides moves."""
        off = {*(OFF_IN_STRICT if self.strict else ()), *(() if self._has_rounds else ("next",))}
        return [word for word in WORDS if word not in off]


@contextmanager
def _told_after_a_second(text: str) -> Iterator[None]:
    """Tell whoever waits for longer what is going on; nothing to those who read no text."""

    def tell() -> None:
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()

    timer = Timer(1, tell)
    timer.daemon = True
    if text:
        timer.start()
    try:
        yield
    finally:
        timer.cancel()


class _Patience:
    """Asks a person who waits for more than a second to be patient, once for each answer."""

    def __init__(self) -> None:
        self._since = 0.0
        self._asked = False

    def begin(self) -> None:
        self._since, self._asked = monotonic(), False

    def __call__(self, spent: int) -> None:
        if not self._asked and monotonic() - self._since > 1:
            self._asked = True
            sys.stderr.write("Thinking ... Ctrl-C gives up the hint, not the game.\n")
            sys.stderr.flush()
