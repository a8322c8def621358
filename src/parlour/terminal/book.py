"""The renderer for pipes: the rule book's own lines."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

from parlour.errors import MoveRefused, ParlourError, UnreadableMove
from parlour.game import opponent
from parlour.match import Match
from parlour.outcome import Outcome, Termination
from parlour.terminal import events, narration
from parlour.terminal.narration import Viewer
from parlour.terminal.screen import Screen, fit_prompt, prose_width, reflow
from parlour.text import clip, counted, sentence


class BookText:
    """The lines of the rule book, written one after the other."""

    confirms_pass = False

    def __init__(self) -> None:
        self.screen = Screen()

    def viewer(self, match: Match) -> Viewer:
        return Viewer(match.names)

    def prompt(self, match: Match, again: bool) -> str:
        *lines, prompt = match.game.display.prompt(match.moment)
        *before, prompt = fit_prompt(prompt)
        if not again:
            self.screen.say([*lines, *before])
        return prompt

    def thinking(self, match: Match) -> AbstractContextManager[None]:
        return nullcontext()

    def show(self, event: events.Event, match: Match) -> None:
        screen, display = self.screen, match.game.display
        match event:
            case events.Dealt():
                if len(match.rounds) > 1:
                    beginner = match.names[match.round.first - 1]
                    screen.say([f"Round {len(match.rounds)}. {beginner} begins.", ""], bold=True)
                screen.say(display.opening(match.moment))
            case events.Resumed(number):
                screen.say([f"Resuming game {number}: {narration.progress(match, self.viewer(match))}."], bold=True)
                screen.draw(match)
                screen.say([""])
            case events.Chose(before):
                *lines, prompt = display.prompt(before)
                screen.say([*lines, prompt + match.rules.name(match.round.moves[-1])])
            case events.Played():
                screen.say(display.announce(match.moment))
            case events.TookBack(moves):
                again = f"It is {match.names[match.turn - 1]}'s turn again."
                screen.say([f"{narration.taken_back(moves)} {again}", ""])
            case events.PlayedAgain(moves):
                screen.say([narration.played_again(moves), ""])
            case events.Refused(text, error):
                self._refuse(match, text, error)
            case events.Hinted(hint):
                self._remark(hint.text)
            case events.Remarked(text):
                self._remark(text)
            case events.BoardShown():
                screen.draw(match)
            case events.RoundEnded():
                screen.say([*display.ending(match.moment, match.round_winner), ""])
            case events.Ended(outcome):
                self._end(match, outcome)

    def _remark(self, text: str) -> None:
        self.screen.say(reflow(text, prose_width()))

    def _refuse(self, match: Match, text: str, error: ParlourError) -> None:
        if not isinstance(error, MoveRefused):
            self.screen.say([sentence(str(error)), ""], "yellow")
            return
        wrong = error.reason
        if isinstance(error, UnreadableMove):
            wrong = f"{clip(text)!r} names no move" if text.strip() else "You typed nothing"
        expected = match.rules.expected(match.position)
        lines = error.lines or [f"Invalid move! {sentence(wrong)}", f"Please select {expected}."]
        self.screen.say([*lines, f"Possible now: {error.legal}"], "yellow")

    def _end(self, match: Match, outcome: Outcome) -> None:
        if match.resigned is not None:
            loser, winner = match.names[match.resigned - 1], match.names[opponent(match.resigned) - 1]
            does = "resigns" if outcome.how == Termination.RESIGNED else "forfeits"
            self.screen.say([f"{loser} {does}. {winner} wins!"], bold=True)
            return
        self.screen.say(match.game.display.ending(match.moment, match.round_winner), bold=True)
        if outcome.how == Termination.UNDECIDED:
            self.screen.say([f"The match is undecided after {counted(len(match.rounds), 'round')}."], bold=True)
