"""Exams: the question of every position that matters, and the diploma for answering them all."""

from __future__ import annotations

import os
import re
from datetime import date
from typing import Any

from parlour.errors import BadOptions, ParlourError, TooBig
from parlour.files import state_folder, write_whole
from parlour.game import Game
from parlour.installation import own_command
from parlour.limit import Limit
from parlour.rules import Rules
from parlour.score import Score, Value
from parlour.study import progress_file
from parlour.study.mastery import UNLOCKS, Diploma, Exam, LadderExam, count_questions, exam_key, ladder_of, make_diploma
from parlour.study.progress import Progress, SavedExam, with_exam
from parlour.terminal import narration, preferences
from parlour.terminal.exercise import ExerciseBoard, Prompt, Question, match_at
from parlour.terminal.keyboard import Keyboard, Quit
from parlour.terminal.puzzles import load_progress
from parlour.terminal.screen import ProgressLine
from parlour.terminal.session import command
from parlour.text import clip, counted
from parlour.view import PlayerNumber

EXAM_SECONDS = 60.0  # time limit for the preparation of an exam, and for the check of a strategy


def describe(exam: LadderExam, progress: Progress) -> str:
    """Return the options, the side and the length of an exam, and whether it was started or passed."""
    saved = progress.exams.get(exam.exam)
    state = "" if saved is None else f", passed on {saved.passed}" if saved.passed else ", begun"
    who = "you begin" if exam.side == 1 else "the other player begins"
    return f"{exam.options}; {who}: {counted(exam.questions, 'question')}{state}"


def offer_exams(game: Game, again: bool = False, keyboard: Keyboard | None = None) -> None:
    """Ask which exam of a game to take, and hold it; Quit if the person leaves.

    Raises:
        BadOptions: the game has no exams without options.
    """
    exams = ladder_of(game).exams
    if not exams:
        raise BadOptions(f"choose options for an exam in {game.title}; see: {own_command()} master {game.key} --help")
    progress, board = load_progress(), ExerciseBoard(keyboard)
    board.say(f"Exams in {game.title}", bold=True)
    board.screen.say([f"{each.number:>3}  {describe(each, progress)}" for each in exams])
    new = (each for each in exams if not progress.exams.get(each.exam, SavedExam((), "")).passed)
    usual = next(new, exams[0])
    choices = {str(each.number): each for each in exams} | {"": usual}

    def read(text: str) -> LadderExam:
        if text not in choices:
            raise ParlourError(f"there is no {clip(text)!r} here; type 1 to {len(exams)}, or ? for help")
        return choices[text]

    question = f"Which one? 1-{len(exams)}, Enter: {usual.number}, q: leave"
    exam: LadderExam = Prompt(board, lambda: board.ask_below(question), read).ask()
    ExamSession(board, exam.rules, exam.side, exam.questions).hold(again)


class ExamSession(Question):
    """An exam in progress, with its saved answers."""

    def __init__(
        self, board: ExerciseBoard, rules: Rules, side: PlayerNumber | None = None, total: int | None = None
    ) -> None:
        """Prepare an exam for the player ``side``, by default the one who wins, or player 1 in a drawn game.

        ``total`` is the number of questions, if it is known. Ctrl-C stops the preparation.

        Raises:
            TooBig: the exam can't be prepared in time.
            BadOptions: there is nothing to ask.
        """
        from parlour.solver import Solver

        self._solver = solver = Solver(rules)
        try:
            with ProgressLine("Preparing the exam") as shown:
                limit = Limit(EXAM_SECONDS, on_progress=shown)
                side = side or (2 if solver.value(rules.start, limit) is Value.LOSS else 1)
                self.total = total or count_questions(rules, side, lambda each: solver.score(each, limit), limit)
        except TooBig:
            raise TooBig(f"{rules.title} is too large for an exam; choose smaller options") from None
        except KeyboardInterrupt:
            print("Stopped.")
            raise Quit(130) from None
        self.title = narration.title(rules)
        if not self.total:
            raise BadOptions(f"there is nothing to master in {self.title}: no move can go wrong; choose other options")
        super().__init__(board, match_at(rules, (), side))
        self.key = exam_key(rules, side)
        self.secret = rules.game.display.secret(rules.packed)
        self.exam: Exam = Exam(rules, side, self._score)
        self._saved: tuple[str, ...] = ()  # the answers on the disk, even if they no longer fit the exam
        self._answers: tuple[str, ...] = ()  # the answers of this exam

    def _score(self, position: Any) -> Score:
        return self._solver.score(position, Limit(EXAM_SECONDS))

    def hold(self, again: bool) -> None:
        """Ask every question, from the first if ``again``, and show the diploma. Quit if the person leaves."""
        exam, board, saved = self.exam, self.board, load_progress().exams.get(self.key, SavedExam((), ""))
        self._saved = saved.answers
        if not again:
            try:
                exam.take(saved.answers)
                self._answers = saved.answers
            except ParlourError as error:
                self.exam = exam = Exam(exam.rules, exam.side, self._score)
                board.say(f"The saved answers no longer fit this exam, so it starts over: {error}.", "yellow")
        if saved.passed and exam.question() is None:
            self._graduate(saved.passed)
            board.say(f"You passed this exam on {saved.passed}. Take it again with --again.")
            return
        goal = "win" if exam.goal is Value.WIN else "hold the draw"
        who = "You begin" if exam.side == 1 else "The other player begins"
        board.say(f"An exam in {self.title}", bold=True)
        board.say(exam.rules.summary)
        board.say(
            f"{who}, and you can {goal} whatever the other player does. You will be asked about every position that "
            f"matters, once: about {counted(self.total, 'question')}. A mistake is explained and asked again. "
            "Leave when you like with quit."
        )
        if self._answers:
            mistakes = counted(exam.mistakes, "mistake")
            board.say(f"You have answered {exam.asked - exam.mistakes} of them, with {mistakes}.")
        try:
            self._ask_all()
        except (Quit, KeyboardInterrupt) as left:
            if isinstance(left, KeyboardInterrupt):
                board.interrupt()
            done = exam.asked - exam.mistakes
            board.say(f"{done} of about {self.total} answered. The exam resumes here next time.")
            raise
        self._graduate(date.today().isoformat())

    def _ask_all(self) -> None:
        exam, board = self.exam, self.board
        while (question := exam.question()) is not None:
            number = exam.asked - exam.mistakes + 1
            self.match = match_at(exam.rules, question.moves, exam.side)
            self.question = f"Question {number} of about {max(self.total, number)}."
            board.unhide()
            move = self.ask()
            marked = exam.answer(move)
            self._save(exam.kept_name(question.position, move))
            if not marked.right:
                best = exam.rules.spoken([marked.best])[0]
                self.refute(move, marked.refutation, f"The right move is {best}. The question comes back.")
                if self.secret and exam.mistakes == UNLOCKS:
                    self.remark("There is a short rule that wins here. Type secret to see it.")
            elif board.plain:
                board.tell("Right.", colour="green")
            else:
                self.remark(board.screen.style("Right.", "green", bold=True))

    def _save(self, name: str) -> None:
        """Save a marked answer; ParlourError if the exam was continued at another terminal."""
        with progress_file.changing() as change:
            known = change.progress.exams.get(self.key, SavedExam((), ""))
            if known.answers != self._saved:
                raise ParlourError("this exam is open at another terminal; leave one of them")
            self._saved = self._answers = (*self._answers, name)
            passed = date.today().isoformat() if self.exam.question() is None else known.passed
            change.progress = with_exam(change.progress, self.key, SavedExam(self._answers, passed))

    @command(
        "secret",
        help="the short rule that wins",
        when=lambda session: session.secret and session.exam.mistakes >= UNLOCKS,
    )
    def show_secret(self, text: str) -> None:
        self.remark(f"The secret: {self.secret}")

    @command("quit", "q", "b", "back", "exit", help="leave; the exam resumes here next time")
    def quit(self, text: str) -> None:
        raise Quit(0)

    def _graduate(self, day: str) -> None:
        """Show the diploma, and save it with the strategy."""
        name = preferences.load().name or "You"
        diploma = make_diploma(self.exam, {"by": name, "date": day})
        file = os.path.join(state_folder("diplomas"), re.sub(r"[^a-z0-9]+", "-", self.key.lower())[:150])
        text = print_diploma(diploma, name, day)
        write_whole(f"{file}.strategy", diploma.strategy.encode())
        write_whole(f"{file}.txt", text.encode())
        self.board.make_room()
        screen = self.board.screen
        screen.say(["", *text.splitlines(), ""])
        if diploma.secret:
            self.board.say(f"The secret: {diploma.secret}")
        screen.say([f"To print: {file}.txt", f"Your strategy: {file}.strategy"])
        screen.say([f"Anyone can check it: {own_command()} master --check FILE"])


def print_diploma(diploma: Diploma, name: str, day: str) -> str:
    """Return a diploma as text in a frame."""
    lines = [
        "",
        "PARLOUR",
        "Diploma",
        "",
        name,
        "",
        f"has proved how to {'win' if diploma.goal is Value.WIN else 'hold the draw'}",
        diploma.game,
        *([diploma.options] if diploma.options else []),
        f"as {'the player who begins' if diploma.side == 1 else 'the player who does not begin'},",
        "whatever the other player does.",
        "",
        f"{counted(diploma.answered, 'position')} answered, {counted(diploma.mistakes, 'mistake')} on the way;",
        f"{counted(diploma.positions, 'position')} in the strategy,",
        f"at most {counted(diploma.turns, 'move')} to the end.",
        "",
        day,
        "",
    ]
    inside = max(map(len, lines)) + 6
    rule = f"+{'-' * inside}+"
    return "\n".join([rule, *(f"|{line:^{inside}}|" for line in lines), rule, ""])
