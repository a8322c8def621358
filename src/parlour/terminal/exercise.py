"""Exercises at the prompt: a question, the refutation of a wrong move, hints and the answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

from parlour.game import Move
from parlour.match import Match
from parlour.outcome import Outcome, Termination
from parlour.players import HUMAN
from parlour.rules import Rules
from parlour.setup import Setup
from parlour.study.archive import describe_solution
from parlour.study.progress import Result
from parlour.study.puzzle import Exercise
from parlour.terminal import narration
from parlour.terminal.board import Board, BoardSession, usable_signs
from parlour.terminal.keyboard import Keyboard
from parlour.terminal.screen import at_terminal
from parlour.terminal.session import Session, command
from parlour.text import sentence
from parlour.view import PlayerNumber

MAX_COMPLETIONS = 200  # moves that Tab completes


def match_at(rules: Rules, moves: Sequence[int], side: PlayerNumber) -> Match:
    """Return a match after the given moves, in which a person plays ``side`` against a computer."""
    return Match.after(Setup(rules, players=(HUMAN, "perfect") if side == 1 else ("perfect", HUMAN)), moves)


class ExerciseBoard(Board):
    """The board of exercises; in plain mode with an empty line above and below."""

    def __init__(self, keyboard: Keyboard | None = None) -> None:
        super().__init__(keyboard or Keyboard(), plain=not at_terminal())

    def tell(self, first: str, *others: str, colour: str | None = None) -> None:
        """Add sentences that stay: in plain mode a line each, the first in bold; otherwise all above the next board."""
        if self.plain:
            self.say(first, colour, bold=True)
            for each in others:
                self.say(each)
        else:
            self.log(" ".join([first, *others]), colour)

    def copyable(self, text: str) -> None:
        """Write a line in one piece, even if it is wider than the terminal."""
        self._write_log()
        self._say([text], bold=True)

    def _board_lines(self, match: Match) -> list[str]:
        board = super()._board_lines(match)
        return ["", *board, ""] if self.plain else board


class Prompt(Session):
    """A question without moves; ``draw`` shows it and returns the prompt.

    ``read`` turns a line into the answer, by default whether it is just Enter.
    """

    def __init__(
        self, board: Board, draw: Callable[[], str], read: Callable[[str], Any] = lambda text: not text
    ) -> None:
        super().__init__(board.keyboard)
        self._board, self._draw, self._read = board, draw, read

    def prompt(self, again: bool) -> str:
        return self._draw()

    def answer(self, text: str) -> Any:
        return self._read(text.strip())

    def remark(self, text: str) -> None:
        self._board.remark(text)


def wants_more(board: ExerciseBoard, question: str) -> bool:
    """Return whether a person at a terminal presses Enter; Quit if they leave."""
    return at_terminal() and Prompt(board, lambda: board.ask_below(question)).ask() is True


class Question(BoardSession):
    """The prompt for a move in a position."""

    board: ExerciseBoard

    def prompt(self, again: bool) -> str:
        mark = "" if self.board.plain else f"You are {usable_signs().marks[0]}. "
        turn = narration.question(self.match, self.board.viewer(self.match))
        return self.board.ask(self.match, f"{self.question} {mark}{turn}.", about="? for help")

    def answer(self, text: str) -> Move | None:
        return self.match.read(text)

    def moves(self) -> list[str]:
        return self.match.rules.names(self.match.legal_moves[:MAX_COMPLETIONS])

    @command("help", "?", "h", help="what you can type")
    def show_help(self, text: str) -> None:
        possible = narration.legal_moves(self.match)
        self.remark(f"Type a move. Possible now: {possible}\n\nYou can also type:\n{self.help_text()}")

    def refute(self, move: int, line: Sequence[int], then: str) -> None:
        """Show the play that refutes a move, step by step on a drawn board; ``then`` ends the text."""
        board, shown, name = self.board, self.match.copy(), self.match.rules.spoken([move])[0]
        ended = self.match.copy()
        ended.play_all((move, *line))
        told = [f"No: {name} {'only draws' if ended.round_winner is None else 'loses'}."]
        step = Prompt(board, lambda: board.ask(shown, " ".join(told), "(Enter: show why, s: skip) "))
        last = Prompt(board, lambda: board.ask(shown, " ".join(told), "(Enter: continue) "))
        stepping = not board.plain
        shown.play(move)
        for each in line:
            stepping = stepping and step.ask()
            shown.play(each)
            told.append(narration.move(shown, board.viewer(shown)))
        told.append(ending(shown))
        if stepping:
            last.ask()
        if not board.plain:
            told = [told[0], told[-1]]  # the moves have been drawn
        board.tell(*told, f"{name} is taken back. {then}", colour="yellow")
        board.unhide()


def ending(match: Match) -> str:
    """Return how a game ended, as a sentence."""
    outcome = match.outcome or Outcome(None, Termination.DRAWN)  # a drawn round ends an exercise
    return narration.ending(match, outcome, narration.viewer_of(match))


class ExerciseSession(Question):
    """An exercise: one or more decisions, with the replies played in between."""

    def __init__(self, board: ExerciseBoard, exercise: Exercise) -> None:
        super().__init__(board, match_at(exercise.rules, exercise.moves, exercise.side), exercise.question)
        self._stages, self._stage = exercise.stages, exercise.stages[0]
        self._tries, self._hints, self._step = 1, 0, 0

    def solve(self) -> Result:
        """Ask all decisions.

        Raises:
            Quit: the person leaves, or the input has ended.
        """
        board, match = self.board, self.match
        for stage in self._stages:
            self._stage, self._step = stage, 0
            board.unhide()
            move = self.ask() if self._tries else stage.answer
            played = []
            for each in (move, *stage.right[move]):
                match.play(each)
                played.append(narration.move(match, board.viewer(match)))
            if self._tries:
                board.tell("Right.", *played, colour="green")
            else:
                board.tell(f"The answer is {match.rules.spoken([move])[0]}.", *played)
            self.question = "Continue: again, only one move is right."
        if not board.plain:
            board.show_end(match)
        if match.rules.is_over(match.position):
            board.say(ending(match))
        elif self._tries:
            board.say("That settles it: from here more than one move is good enough.")
        return Result(self._tries, self._hints, date.today().isoformat())

    def answer(self, text: str) -> Move | None:
        """Return a right move; refute a wrong one."""
        move = self.match.read(text)
        if move in self._stage.right:
            return move
        self._tries += 1
        self.refute(move, self._stage.wrong[move], "Try again.")
        self.question = "Which move is right?"
        return None

    @command("hint", help="where to look; ask again for the move")
    def hint(self, text: str) -> None:
        from parlour.study.hints import MIN_MOVES_FOR_REGION, region_of  # loads the solver

        match, right = self.match, list(self._stage.right)
        hints = []
        if len(right) > 1:
            hints.append(f"{len(right)} of {len(match.legal_moves)} moves are right.")
        if len(match.legal_moves) >= MIN_MOVES_FOR_REGION and (region := region_of(match, right[0])):
            hints.append(f"{'It is' if len(right) == 1 else 'One of them is'} {region[0]}.")
        hints.append(f"It is {match.rules.spoken(right[:1])[0]}.")
        if self._step == len(hints):
            self.remark("You have already seen the move.")
        else:
            self.remark(hints[self._step])
            self._step += 1
            self._hints += 1

    @command("answer", "give up", help="give up and see the answer")
    def give_up(self, text: str) -> Move:
        self._tries = 0
        return self._stage.answer


def describe(result: Result) -> str:
    """Return the result of an exercise, as a sentence."""
    return sentence(describe_solution(result.tries, result.hints) if result.solved else "not solved this time")
