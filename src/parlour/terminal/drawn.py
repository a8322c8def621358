"""The renderer for people at a terminal: a short log of moves, and below it one compact board, redrawn in place.

A line of the log is an exchange: a move and the answer to it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from parlour.game import opponent
from parlour.match import Match
from parlour.options import unusual_in_words
from parlour.players import HUMAN
from parlour.terminal import events, narration
from parlour.terminal.board import ERASE_LINE, Board
from parlour.terminal.keyboard import Keyboard
from parlour.terminal.screen import terminal_size
from parlour.text import counted
from parlour.view import PlayerNumber

THINKING_DELAY = 0.3  # seconds before the notice that a computer is thinking


class DrawnBoard(Board):
    """The board of one person or two."""

    confirms_pass = True

    def __init__(self, keyboard: Keyboard, series: Series, plain: bool) -> None:
        super().__init__(keyboard, plain=plain)
        self._series = series
        self._welcomed = False

    def show(self, event: events.Event, match: Match) -> None:
        viewer = self.viewer(match)
        match event:
            case events.Dealt(number):
                self._deal(match, number)
            case events.Resumed(number):
                self._say([f"Resuming game {number}: {narration.progress(match, viewer)}."], bold=True)
                for back in reversed(range(min(2, len(match.round.moves)))):
                    earlier = match.copy()
                    for _ in range(back):
                        earlier.undo()
                    self._exchange.append((opponent(earlier.turn), narration.move(earlier, viewer)))
            case events.Chose():
                pass  # ``Played`` follows
            case events.Played():
                self._add_move(match)
            case events.TookBack(moves):
                self.log(narration.taken_back(moves))
            case events.PlayedAgain(moves):
                self.log(narration.played_again(moves))
            case events.Refused(text, error):
                self.refuse(text, error)
            case events.Hinted(hint):
                self.remark(hint.text)
            case events.Remarked(text):
                self.remark(text)
            case events.BoardShown():
                self.unhide()
            case events.RoundEnded():
                self.log(narration.verdict(match, viewer))
            case events.Ended(outcome):
                self.show_end(match)
                *lines, last = self._fit(narration.ending(match, outcome, viewer))
                self._say([*lines, self._with_right(last, self._score(match))], bold=True)

    def _deal(self, match: Match, number: int | None) -> None:
        beginner = narration.beginner(match, self.viewer(match))
        if len(match.rounds) > 1:
            self.log(f"Round {len(match.rounds)}: {beginner}.")
            return
        if self._welcomed:  # in an earlier game
            which = "Another game" if number is None else f"Game {number}"
            self._say(["", f"{which}: {beginner}."], bold=True)
            return
        self._welcomed = True
        self._say([match.game.title], bold=True)
        self._say(self._fit(match.rules.summary))
        chosen = unusual_in_words(match.setup.options)
        unusual = f"This game: {'; '.join(chosen)}. " if chosen else ""
        saved = "" if number is None else f"This is game {number}, saved as you play. "
        advice = "Type ? for everything you can type." if self.plain else ""  # otherwise it is beside the question
        self._say(self._fit(f"{unusual}{saved}{advice}"))
        self._say([""])

    def show_toss(self, match: Match) -> None:
        self._log.append(f"The coin has been tossed: {narration.beginner(match, self.viewer(match))}.")

    def _add_move(self, match: Match) -> None:
        player, viewer = opponent(match.turn), self.viewer(match)
        begins_line = match.round.first if viewer.own is None else viewer.own
        if player == begins_line or player in (mover for mover, _ in self._exchange):
            self._flush()
        self._exchange.append((player, narration.move(match, viewer)))
        if HUMAN not in match.setup.players and player != match.round.first:
            self._flush()
            self._write_log()

    def _about(self, match: Match) -> str:
        return "   ".join(filter(None, [super()._about(match), self._score(match)]))

    def _score(self, match: Match) -> str:
        viewer = self.viewer(match)
        return self._series.score(match, viewer.names, viewer.own or 1)

    def prompt(self, match: Match, again: bool) -> str:
        viewer = self.viewer(match)
        if match.stuck:
            self.keyboard.forget_typed()
            return self.ask(match, narration.forced_pass(match, viewer), "(Enter, or undo) > ")
        question = narration.question(match, viewer)
        if match.rules.settled(match.position) and not match.last_round:  # the board shows the reason
            question += ", or next for a new round"
        return self.ask(match, question, about="? for help")

    @contextmanager
    def thinking(self, match: Match) -> Iterator[None]:
        from threading import Event, Thread
        from time import monotonic

        name, begin, done = self.viewer(match).name(match.turn), monotonic(), Event()
        lines = [] if self.plain else self._lines(match, [])
        drawn = False

        def show() -> None:
            nonlocal drawn
            if done.wait(1.0 if self.plain else THINKING_DELAY):
                return
            if self.plain:
                self._say([f"{name} is thinking ... (Ctrl-C: move now)"])
                return
            self._erase()
            self._write_log()
            self._write(lines)
            drawn = True
            while True:
                seconds = int(monotonic() - begin)
                text = f"{name} is thinking ...{f' {seconds} s' if seconds else ''} (Ctrl-C: move now)"
                sys.stdout.write(f"{ERASE_LINE}{text[: terminal_size()[0] - 1]}")
                sys.stdout.flush()
                if done.wait(1.0):
                    return

        self._last = match, []
        thread = Thread(target=show, daemon=True)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()
            if drawn:
                sys.stdout.write(ERASE_LINE)


class Series:
    """The score of consecutive matches; the current one counts only while it is over."""

    def __init__(self) -> None:
        self._winners: list[str | None] = []  # the winners' names of earlier games; None for a draw
        self.same_begins = False  # whether the same player begins the next game
        self.next_opponent: str | None = None  # the next game's computer; None: the same

    def score(self, match: Match, names: tuple[str, str], own: PlayerNumber) -> str:
        """Return the score, ``own`` player first: ``You 2 : 1 Computer``; empty until a game has ended."""
        winners = [*self._winners, *_winner(match)]
        if not winners:
            return ""
        wins = [winners.count(name) for name in match.names]
        drawn = winners.count(None)
        text = f"{names[own - 1]} {wins[own - 1]} : {wins[opponent(own) - 1]} {names[opponent(own) - 1]}"
        return text + (f", {counted(drawn, 'draw')}" if drawn else "")

    def count(self, match: Match) -> None:
        """Add a finished match; called before the next one begins."""
        self._winners += _winner(match)


def _winner(match: Match) -> list[str | None]:
    """Return the winner's name, or None for a draw, in a list; an empty list before the end."""
    outcome = match.outcome
    if outcome is None:
        return []
    return [None if outcome.winner is None else match.names[outcome.winner - 1]]
