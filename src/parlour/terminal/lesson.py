"""A first game that teaches the rules. Its moves and sentences are data of the game (``Content.lesson``).

The learner follows instructions, tries an illegal move, sees the reason for each pass, and wins.
"""

from __future__ import annotations

from parlour.errors import MoveRefused
from parlour.game import PASS, Game, Lesson, Step
from parlour.match import Match
from parlour.options import read_words
from parlour.rules import read_rules
from parlour.setup import Setup
from parlour.terminal import narration
from parlour.terminal.board import Board, BoardSession
from parlour.terminal.keyboard import Keyboard, Quit
from parlour.terminal.narration import COMPUTER, Viewer
from parlour.text import clip
from parlour.view import PlayerNumber

LEARNER: PlayerNumber = 1
VIEWER = Viewer(("You", COMPUTER), LEARNER)


def begin_lesson(game: Game, lesson: Lesson) -> Match:
    """Return the match of a lesson before its first step."""
    rules = read_rules(game, read_words(lesson.options))
    return Match(Setup(rules, names=VIEWER.names))


def teach(game: Game, lesson: Lesson, keyboard: Keyboard) -> bool:
    """Play a lesson; return whether it was played to its end."""
    board = Board(keyboard, viewer=VIEWER)
    with keyboard.without_echo(board.draw_again):
        try:
            LessonSession(board, begin_lesson(game, lesson)).play(lesson)
        except Quit:
            return False
    return True


class LessonSession(BoardSession):
    """The prompt of a lesson."""

    def play(self, lesson: Lesson) -> None:
        """Go through the steps; Quit if the learner leaves."""
        match, board = self.match, self.board
        board.say(f"{match.game.title}: a first game", bold=True)
        board.say(match.rules.summary)
        board.say("")
        for step in lesson.steps:
            self._explain_passes()
            if match.turn == LEARNER:
                self._let_play(step)
            else:
                match.play(match.read(step.move))
                board.log(f"{narration.move(match, VIEWER)} {step.text}")
        board.show_end(match)
        board.say(narration.verdict(match, VIEWER))
        board.say("You win. That was every rule you need.", bold=True)

    def _let_play(self, step: Step) -> None:
        """Ask for the move of a step, and before it for the illegal move, if there is one."""
        self.wrong = self._name(step.wrong) if step.wrong else ""
        self.move, self.text = self._name(step.move), step.text
        self._ask_for_move()
        self.ask()

    def _ask_for_move(self) -> None:
        if self.wrong:
            self.question = f"{self.text} First try something illegal: type {self.wrong}, or press Enter."
        else:
            self.question = f"{self.text} Type {self.move}, or press Enter."

    def answer(self, text: str) -> bool | None:
        """Take the move of the step; refuse an illegal one and explain another."""
        match = self.match
        if match.stuck:
            return True
        if self.wrong:
            self._refuse(text or self.wrong)
            self.wrong, self.text = "", "Now the right move."
            self._ask_for_move()
            return None
        move = self._read(text or self.move)
        if move is None:
            self._refuse(text)
        elif move != self._read(self.move):
            self.remark(f"{clip(text)} is legal too, but this lesson plays {self.move}.")
        else:
            match.play(move)
            self.board.log(narration.move(match, VIEWER))
            return True
        return None

    def _explain_passes(self) -> None:
        """Explain and play forced passes."""
        match, board = self.match, self.board
        while match.stuck:
            name, why = VIEWER.name(match.turn), match.rules.stuck(match.position)
            passed_before = PASS in match.round.moves[len(match.round.moves) % 2 :: 2]
            if not passed_before:
                self.question = f"{name} cannot move: {why}. Press Enter to continue."
                self.ask()
            match.play(PASS)
            told = f"{name} {match.game.display.told(match.moment)}"
            board.log(f"{told} again." if passed_before else f"{told}: {why}.")

    def _read(self, text: str) -> int | None:
        """Return the move that a text names, if it is legal."""
        try:
            return self.match.read(text)
        except MoveRefused:
            return None

    def _refuse(self, text: str) -> None:
        try:
            self.match.read(text)
            self.remark(f"{clip(text)} would be legal.")
        except MoveRefused as refused:
            self.remark(f"No: {refused.reason}.")

    def _name(self, move: str) -> str:
        """Return the name of a move that a learner types: its other name, if it has one."""
        rules = self.match.rules
        moves = range(1, rules.bounds.moves) if rules.bounds else ()
        other = (rules.game.display.other_name(rules.packed, n) or move for n in moves if rules.name(n) == move)
        return next(other, move)
