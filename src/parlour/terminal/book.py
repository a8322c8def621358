"""Who tells what happens at the table, and one of them: in the words of the rule book, for whoever reads from a pipe.

The others are ``drawn``, for people at a terminal, and ``json_lines``, for programs.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Protocol

from parlour.errors import MoveRefused, ParlourError, UnreadableMove
from parlour.game import Moment, opponent
from parlour.match import Match
from parlour.outcome import Outcome, Termination
from parlour.terminal.screen import Screen, fit_prompt, reflow, width
from parlour.text import clip, counted, sentence

if TYPE_CHECKING:
    from parlour.study.hints import Hint, Reason


class Teller(Protocol):
    """Tells what happens."""

    def names(self, match: Match) -> tuple[str, str]: ...  # the names shown for player 1 and player 2
    def dealt(self, match: Match, number: int | None) -> None: ...  # a round begins
    def resumed(self, match: Match, number: int) -> None: ...  # a match goes on where it was left
    def asks(self, match: Match, again: bool) -> str: ...  # somebody at the keyboard is to move; the prompt
    def asks_to_pass(self, match: Match) -> str | None: ...  # the same of one who can only pass; None: is not asked
    def thinks(self, match: Match) -> AbstractContextManager[None]: ...  # a computer does, until the block is left
    def computer_chose(self, match: Match, before: Moment) -> None: ...  # a computer has moved, and then ``played``
    def played(self, match: Match) -> None: ...  # a move or a pass
    def took_back(self, match: Match, moves: list[str]) -> None: ...
    def played_again(self, match: Match, moves: list[str]) -> None: ...  # what was taken back
    def refuses(self, match: Match, text: str, error: ParlourError) -> None: ...
    def hints(self, match: Match, hint: Hint) -> None: ...
    def reasons(self, match: Match, reason: Reason) -> None: ...  # what a move is worth
    def remarks(self, text: str) -> None: ...  # something beside the game
    def shows(self, match: Match) -> None: ...  # the table
    def round_ended(self, match: Match) -> None: ...
    def ended(self, match: Match, outcome: Outcome) -> None: ...


class TextTeller:
    """The rule book's own lines."""

    def __init__(self) -> None:
        self.screen = Screen()

    def names(self, match: Match) -> tuple[str, str]:
        return match.names

    def dealt(self, match: Match, number: int | None) -> None:
        if len(match.rounds) > 1:
            self.screen.say([f"Round {len(match.rounds)}. {match.names[match.round.first - 1]} begins.", ""], bold=True)
        self.screen.say(match.game.display.opening(match.moment))

    def resumed(self, match: Match, number: int) -> None:
        here = f"round {len(match.rounds)}, " if len(match.rounds) > 1 else ""
        moves = f"{here}{counted(len(match.round.moves), 'move')} played"
        self.screen.say([f"Game {number} goes on: {match.game.title}, {' - '.join(match.names)}, {moves}."], bold=True)
        self.shows(match)
        self.screen.say([""])

    def asks(self, match: Match, again: bool) -> str:
        *lines, prompt = match.game.display.prompt(match.moment)
        *before, prompt = fit_prompt(prompt)
        if not again:
            self.screen.say([*lines, *before])
        return prompt

    def asks_to_pass(self, match: Match) -> str | None:
        return None  # it is announced, and the game goes on

    def thinks(self, match: Match) -> AbstractContextManager[None]:
        return nullcontext()

    def computer_chose(self, match: Match, before: Moment) -> None:
        *lines, prompt = match.game.display.prompt(before)
        self.screen.say([*lines, prompt + match.rules.name(match.round.moves[-1])])

    def shows(self, match: Match) -> None:
        self.screen.draw(match)

    def played(self, match: Match) -> None:
        self.screen.say(match.game.display.announce(match.moment))

    def took_back(self, match: Match, moves: list[str]) -> None:
        self.screen.say([f"Taken back: {', '.join(moves)}. It is {match.names[match.turn - 1]}'s turn again.", ""])

    def played_again(self, match: Match, moves: list[str]) -> None:
        self.screen.say([f"Played again: {', '.join(moves)}.", ""])

    def refuses(self, match: Match, text: str, error: ParlourError) -> None:
        if not isinstance(error, MoveRefused):
            self.screen.say([sentence(str(error)), ""], "yellow")
            return
        wrong = error.reason
        if isinstance(error, UnreadableMove):
            wrong = f"{clip(text)!r} names no move" if text.strip() else "You typed nothing"
        expected = match.rules.expected(match.position)
        lines = error.lines or [f"Invalid move! {sentence(wrong)}", f"Please select {expected}."]
        self.screen.say([*lines, f"Possible now: {error.legal}"], "yellow")

    def hints(self, match: Match, hint: Hint) -> None:
        self.remarks(hint.text)

    def reasons(self, match: Match, reason: Reason) -> None:
        self.remarks(reason.text)

    def remarks(self, text: str) -> None:
        self.screen.say(reflow(text, min(width(), 80)))

    def round_ended(self, match: Match) -> None:
        self.screen.say([*match.game.display.ending(match.moment, match.round_winner), ""])

    def ended(self, match: Match, outcome: Outcome) -> None:
        if match.resigned is not None:
            loser, winner = match.names[match.resigned - 1], match.names[opponent(match.resigned) - 1]
            does = "resigns" if outcome.how == Termination.RESIGNED else "forfeits"
            self.screen.say([f"{loser} {does}. {winner} wins!"], bold=True)
            return
        self.screen.say(match.game.display.ending(match.moment, match.round_winner), bold=True)
        if outcome.how == Termination.UNDECIDED:
            rounds = counted(len(match.rounds), "round")
            self.screen.say([f"The match is undecided after {rounds}."], bold=True)
