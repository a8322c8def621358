"""A recorded match, step by step."""

from __future__ import annotations

import sys

from parlour.match import MOVE, Match
from parlour.terminal import narration
from parlour.terminal.board import Board, BoardSession
from parlour.terminal.keyboard import Keyboard, Quit
from parlour.terminal.narration import Viewer
from parlour.terminal.screen import Screen
from parlour.terminal.session import command
from parlour.text import clip


def replay(match: Match) -> None:
    """Step through a match at a terminal; write every step to a pipe or file."""
    title = f"{match.setup.game.title}: {' - '.join(match.setup.names)}"
    keyboard = Keyboard()
    if keyboard.terminal and sys.stdout.isatty():
        session = ReplaySession(match, Board(keyboard, viewer=Viewer(match.names)))
        session.board.say(title, bold=True)
        with keyboard.without_echo(session.board.draw_again):
            try:
                session.ask()
            except Quit:
                return
    else:
        _write_all(match, title)


def _write_all(match: Match, title: str) -> None:
    screen, here = Screen(), match.at(0)
    screen.say([title], bold=True)
    screen.say(["", "The beginning"], bold=True)
    screen.draw(here)
    for step, action in enumerate(match.log, 1):
        here.repeat(action)
        screen.say(["", f"{step}. {narration.action(here, action)}"], bold=True)
        screen.draw(here)
    screen.say(["", narration.standing(match)])


class ReplaySession(BoardSession):
    """The prompt of a replay."""

    def __init__(self, match: Match, board: Board) -> None:
        super().__init__(board, match.at(0))
        self._whole, self._step = match, 0

    def prompt(self, again: bool) -> str:
        match, step, steps = self._whole.at(self._step), self._step, len(self._whole.log)
        self.match = match
        caption = "The beginning"
        if step:
            last = match.log[-1]
            sentence = (
                narration.move(match, Viewer(match.names)) if last.kind == MOVE else f"{narration.action(match, last)}."
            )
            caption = f"{step}. {sentence}"
        self.board.caption(caption)
        end = f"{narration.standing(self._whole)} " if step == steps else ""
        keys = [
            ("Enter: next", step < steps),
            ("b: back", step),
            ("a number: go there", steps),
            (f"{'q' if step < steps else 'Enter'}: leave", True),
        ]
        self.question = f"{end}{step} of {steps}. {', '.join(key for key, works in keys if works)}"
        return super().prompt(again)

    def answer(self, text: str) -> None:
        word, steps = text.strip(), len(self._whole.log)
        if word.isascii() and word.isdigit() and len(word) < 10:
            self._step = min(int(word), steps)
        else:
            known = f"Type 0 to {steps}" if steps else "Type q to leave"
            self.remark(f"There is no step {clip(text)!r}. {known}, or ? for help.")

    @command("next", "", "n", help="the next step (Enter)")
    def go_forward(self, text: str) -> bool | None:
        if self._step == len(self._whole.log):
            return True
        self._step += 1
        return None

    @command("back", "b", help="the step before")
    def go_back(self, text: str) -> None:
        self._step = max(self._step - 1, 0)
