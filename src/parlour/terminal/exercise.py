"""Exercises at the prompt: a question, the refutation of a wrong move, hints and the answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from parlour.errors import ParlourError
from parlour.game import Move
from parlour.match import Match
from parlour.outcome import Outcome, Termination
from parlour.players import HUMAN
from parlour.rules import Rules
from parlour.setup import Setup
from parlour.study.puzzle import Exercise, Stage
from parlour.terminal import narration
from parlour.terminal.board import Board, usable_signs
from parlour.terminal.keyboard import Keyboard, Quit
from parlour.terminal.screen import at_terminal
from parlour.terminal.session import Session, command
from parlour.text import counted
from parlour.view import PlayerNumber

MAX_COMPLETIONS = 200  # moves that Tab completes
STEP, LAST_STEP = "(Enter: show why, s: skip) ", "(Enter: continue) "


def match_at(rules: Rules, moves: Sequence[int], side: PlayerNumber) -> Match:
    """Return a match after the given moves; the solver plays ``side``, where player 1 began, against a computer."""
    return Match.after(Setup(rules, players=(HUMAN, "perfect") if side == 1 else ("perfect", HUMAN)), moves)


class ExerciseBoard(Board):
    """The board of exercises; in plain mode with an empty line above and below."""

    def __init__(self, keyboard: Keyboard | None = None) -> None:
        super().__init__(keyboard or Keyboard(), plain=not at_terminal())
        self.terminal = at_terminal()

    def tell(self, first: str, *others: str, colour: str | None = None) -> None:
        """Add sentences that stay, the first in bold: in plain mode a line each, otherwise all above the next board."""
        if self.plain:
            self.say(first, colour, bold=True)
            for each in others:
                self.say(each)
        else:
            self.log(" ".join([self.screen.style(first, colour, bold=True), *others]))

    def keep(self, match: Match) -> None:
        """Write the board so that it stays, unless in plain mode."""
        self._write_log()
        if not self.plain:
            self._say(["", *self._table(match), ""])

    def copyable(self, text: str) -> None:
        """Write a line in one piece, even if it is wider than the terminal."""
        self._write_log()
        self._say([text], bold=True)

    def wants_more(self, question: str) -> bool:
        """Return whether a person at the terminal presses Enter; without a terminal False."""
        try:
            return self.terminal and Pause(self, lambda: self.ask_below(question)).ask()
        except Quit:
            return False

    def _table(self, match: Match) -> list[str]:
        table = super()._table(match)
        return ["", *table, ""] if self.plain else table


class Pause(Session):
    """A prompt at which Enter continues; anything else skips what follows."""

    def __init__(self, board: Board, draw: Callable[[], str]) -> None:
        super().__init__(board.keyboard)
        self._board, self._draw = board, draw

    def prompt(self, again: bool) -> str:
        return self._draw()

    def answer(self, text: str) -> bool:
        return not text.strip()

    def remark(self, text: str) -> None:
        self._board.remark(text)


class Question(Session):
    """The prompt for a move in a position."""

    match: Match
    text = ""  # the question, without the possible moves

    def __init__(self, board: ExerciseBoard) -> None:
        super().__init__(board.keyboard)
        self.board = board

    def prompt(self, again: bool) -> str:
        mark = "" if self.board.plain else f"You are {usable_signs().marks[0]}. "
        turn = narration.question(self.match, self.board.viewer(self.match))
        return self.board.ask(self.match, f"{self.text} {mark}{turn}.", about="? for help")

    def answer(self, text: str) -> Move | None:
        return self.match.read(text)

    def remark(self, text: str) -> None:
        self.board.remark(text)

    def refuse(self, text: str, error: ParlourError) -> None:
        self.board.refuse(text, error)

    def moves(self) -> list[str]:
        return self.match.rules.names(self.match.legal_moves[:MAX_COMPLETIONS])

    @command("help", "?", "h", help="what you can type")
    def show_help(self, text: str) -> None:
        possible = self.match.rules.spell(self.match.legal_moves)
        self.remark(f"Type a move. Possible now: {possible}\n\nYou can also type:\n{self.listed()}")

    @command("rules", help="the rules of this game")
    def show_rules(self, text: str) -> None:
        self.remark(self.match.rules.rules_text)

    @command("board", help="show the board again")
    def show_board(self, text: str) -> None:
        self.board.unhide()

    @command("quit", "q", "b", "back", "exit", help="leave")
    def quit(self, text: str) -> Any:
        raise Quit(0)

    def refute(self, move: int, line: Sequence[int], then: str) -> None:
        """Show the play that refutes a move, step by step at a terminal, and take it back; ``then`` ends the text."""
        board, name = self.board, self.match.rules.spoken([move])[0]
        ended, shown = self.match.copy(), self.match.copy()
        ended.play_all((move, *line))
        told = [f"No: {name} {'only draws' if ended.round_winner is None else 'loses'}."]
        if board.plain:
            board.tell(told[0], colour="yellow")

        def add(sentence: str) -> None:
            told.append(sentence)
            if board.plain:
                board.say(sentence)

        def pause(prompt: str) -> bool:
            draw = (lambda: prompt) if board.plain else lambda: board.ask(shown, " ".join(told), prompt)
            return Pause(board, draw).ask() is True

        shown.play(move)
        stepping = board.terminal
        for each in line:
            stepping = stepping and pause(STEP)
            shown.play(each)
            add(narration.move(shown, board.viewer(shown)))
        add(ending(shown))
        if stepping and not board.plain:
            pause(LAST_STEP)
        add(f"{name} is taken back. {then}")
        if not board.plain:
            board.tell(*told, colour="yellow")
        board.unhide()


def ending(match: Match) -> str:
    """Return how a game ended, as a sentence."""
    outcome = match.outcome or Outcome(None, Termination.DRAWN)  # a drawn round ends an exercise
    return narration.ending(match, outcome, narration.viewer_of(match))


class ExerciseResult(NamedTuple):
    """The result of an exercise."""

    tries: int  # 1: solved at the first; 0: given up
    hints: int

    def __str__(self) -> str:
        if not self.tries:
            return "Not solved this time."
        how = "at the first try" if self.tries == 1 else f"in {self.tries} tries"
        return f"Solved {how}, {counted(self.hints, 'hint') if self.hints else 'no hint'}."


class ExerciseSession(Question):
    """An exercise: one or more decisions of the solver, with the replies played in between."""

    stage: Stage

    def __init__(self, board: ExerciseBoard, exercise: Exercise) -> None:
        super().__init__(board)
        self.exercise = exercise
        self.match = match_at(exercise.rules, exercise.moves, exercise.side)
        self._tries, self._hints, self._rung = 1, 0, 0

    def solve(self) -> ExerciseResult:
        """Ask all decisions.

        Raises:
            Quit: the person leaves, or the input has ended.
        """
        board, match, rules = self.board, self.match, self.match.rules
        self.text = self.exercise.question
        for stage in self.exercise.stages:
            self.stage, self._rung = stage, 0
            board.unhide()
            move = self.ask() if self._tries else stage.answer
            played = []
            for each in (move, *stage.right[move]):
                match.play(each)
                played.append(narration.move(match, board.viewer(match)))
            if self._tries:
                board.tell("Right.", *played, colour="green")
            else:
                board.tell(f"The answer is {rules.spoken([move])[0]}.", *played)
            self.text = "Continue: again, only one move is right."
        board.keep(match)
        if rules.is_over(match.position):
            board.say(ending(match))
        elif self._tries:
            board.say("That settles it: from here more than one move is good enough.")
        return ExerciseResult(self._tries, self._hints)

    def answer(self, text: str) -> Move | None:
        """Return a right move; refute a wrong one."""
        move = self.match.read(text)
        if move in self.stage.right:
            return move
        self._tries += 1
        self.refute(move, self.stage.wrong[move], "Try again.")
        self.text = "Which move is right?"
        return None

    @command("hint", help="where to look; ask again for the move")
    def hint(self, text: str) -> None:
        from parlour.study.hints import FEWEST_FOR_REGION, region_of  # loads the solver

        self.text = "Which move is right?"
        match, right = self.match, list(self.stage.right)
        hints: list[str | None] = [None, None, f"It is {match.rules.spoken(right[:1])[0]}."]
        if len(right) > 1:
            hints[0] = f"{len(right)} of {len(match.legal_moves)} moves are right."
        if len(match.legal_moves) >= FEWEST_FOR_REGION and (region := region_of(match, right[0])):
            hints[1] = f"{'It is' if len(right) == 1 else 'One of them is'} {region[0]}."
        while self._rung < len(hints):
            hint, self._rung = hints[self._rung], self._rung + 1
            if hint:
                self._hints += 1
                self.remark(hint)
                return
        self.remark("You have already seen the move.")

    @command("answer", "give up", help="give up and see the answer")
    def give_up(self, text: str) -> Move:
        self._tries = 0
        return self.stage.answer
