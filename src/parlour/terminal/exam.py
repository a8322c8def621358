"""Exams: the question of every position that matters, and the diploma for answering them all."""

from __future__ import annotations

import os
import re
from datetime import date

from parlour.errors import BadOptions, ParlourError, TooBig
from parlour.files import write_whole
from parlour.folders import state_folder
from parlour.game import Game
from parlour.installation import own_command
from parlour.limit import Limit
from parlour.options import options_in_words
from parlour.rules import Rules
from parlour.score import Value
from parlour.study import progress_file
from parlour.study.mastery import UNLOCKS, Exam, ExamQuestion, LadderExam, count_questions, exam_key, ladder_of
from parlour.study.progress import Progress, Sitting, with_sitting
from parlour.study.strategy import Strategy, write_strategy
from parlour.terminal import narration
from parlour.terminal.exercise import ExerciseBoard, Question, match_at
from parlour.terminal.keyboard import Keyboard, Quit
from parlour.terminal.puzzles import load_progress
from parlour.terminal.screen import ProgressLine
from parlour.terminal.session import Session, command
from parlour.text import counted
from parlour.view import PlayerNumber

EXAM_SECONDS = 60.0  # time limit for the preparation of an exam, and for the check of a strategy


class ExamChoice(Session):
    """The prompt for one of a game's exams."""

    def __init__(self, board: ExerciseBoard, exams: list[LadderExam], usual: int) -> None:
        super().__init__(board.keyboard)
        self._board, self._exams, self._usual = board, exams, usual

    def prompt(self, again: bool) -> str:
        return self._board.ask_below(f"Which one? (1-{len(self._exams)}, Enter: {self._usual}, q: leave)")

    def answer(self, text: str) -> LadderExam | None:
        number = text.strip() or str(self._usual)
        if number.isascii() and number.isdigit() and len(number) < 4 and 1 <= int(number) <= len(self._exams):
            return self._exams[int(number) - 1]
        self.remark(f"Type a number from 1 to {len(self._exams)}.")
        return None

    def remark(self, text: str) -> None:
        self._board.remark(text)


def describe(exam: LadderExam, progress: Progress) -> str:
    """Return the options, the side and the length of an exam, and whether it was started or passed."""
    sitting = progress.exams.get(exam.exam)
    state = "" if sitting is None else f", passed on {sitting.passed}" if sitting.passed else ", begun"
    who = "you begin" if exam.side == 1 else "the other player begins"
    return f"{exam.options}; {who}: {counted(exam.questions, 'question')}{state}"


def offer_exams(game: Game, name: str, again: bool = False, keyboard: Keyboard | None = None) -> int:
    """Ask which exam of a game to take, and hold it; return the exit code of the command.

    Raises:
        BadOptions: the game has no exams without options.
    """
    exams = ladder_of(game).exams
    if not exams:
        raise BadOptions(f"choose options for an exam in {game.title}; see: {own_command()} master {game.key} --help")
    progress, board = load_progress(), ExerciseBoard(keyboard)
    board.say(f"Exams in {game.title}", bold=True)
    for each in exams:
        board.screen.say([f"{each.number:>3}  {describe(each, progress)}"])
    sittings = [progress.exams.get(each.exam) for each in exams]
    usual = next((n for n, each in enumerate(sittings, 1) if each is None or not each.passed), 1)
    try:
        exam: LadderExam = ExamChoice(board, exams, usual).ask()
    except Quit as quit:
        return quit.exit_code
    return hold_exam(exam.rules, exam.side, name, again, exam.questions, board)


def hold_exam(
    rules: Rules,
    side: PlayerNumber | None,
    name: str,
    again: bool = False,
    total: int | None = None,
    board: ExerciseBoard | None = None,
) -> int:
    """Hold an exam, or resume it; return the exit code of the command.

    Args:
        rules: the game under its options.
        side: the student's player number; None: the side that wins, in a drawn game player 1.
        name: the student's name on the diploma.
        again: start over.
        total: the number of questions, if it is known.
        board: where to hold it.

    Raises:
        TooBig: the exam can't be prepared in time.
        BadOptions: there is nothing to ask.
    """
    board = board or ExerciseBoard()
    try:
        session = ExamSession(board, rules, side, total)
    except TooBig:
        raise TooBig(f"{rules.title} is too large for an exam; choose smaller options") from None
    if not session.total:
        title = narration.title(rules)
        raise BadOptions(f"there is nothing to master in {title}: no move can go wrong; choose other options")
    saved = load_progress().exams.get(session.key, Sitting((), ""))
    session.saved = saved.answers
    if not again:
        session.resume()
    if saved.passed and session.exam.question() is None:
        session.graduate(name, saved.passed)
        board.say(f"You passed this exam on {saved.passed}. Take it again with --again.")
        return 0
    session.introduce()
    try:
        session.ask_all()
    except Quit as quit:
        done = session.exam.asked - session.exam.mistakes
        board.say(f"{done} of about {session.total} answered. The exam resumes here next time.")
        return quit.exit_code
    session.graduate(name, date.today().isoformat())
    return 0


class ExamSession(Question):
    """An exam in progress, with its saved answers."""

    def __init__(self, board: ExerciseBoard, rules: Rules, side: PlayerNumber | None, total: int | None) -> None:
        """``total``: the number of questions, if it is known.

        Raises:
            TooBig: the exam can't be prepared in time.
        """
        from parlour.solver import Solver

        super().__init__(board)
        self.rules = rules
        self.secret = rules.game.display.secret(rules.packed)
        solver = Solver(rules)
        with ProgressLine("Preparing the exam") as shown:
            limit = Limit(EXAM_SECONDS, on_progress=shown)
            self.side: PlayerNumber = side or (2 if solver.value(rules.start, limit) is Value.LOSS else 1)
            self.total = total or count_questions(rules, self.side, lambda each: solver.score(each, limit), limit)
        self._score = lambda position: solver.score(position, Limit(EXAM_SECONDS))  # a new limit for each question
        self.key = exam_key(rules, self.side)
        self.saved: tuple[str, ...] = ()  # the answers on the disk, even if they no longer fit the exam
        self._begin(())

    def _begin(self, answers: tuple[str, ...]) -> None:
        exam: Exam = Exam(self.rules, self.side, self._score)
        exam.take(answers)
        self.exam, self._answers = exam, answers

    def resume(self) -> None:
        """Continue after the saved answers, or start over if they no longer fit."""
        try:
            self._begin(self.saved)
        except ParlourError as error:
            self.board.say(f"The saved answers no longer fit this exam, so it starts over: {error}.", "yellow")

    def introduce(self) -> None:
        board, exam = self.board, self.exam
        goal = "win" if exam.goal is Value.WIN else "hold the draw"
        who = "You begin" if self.side == 1 else "The other player begins"
        board.say(f"An exam in {narration.title(self.rules)}", bold=True)
        board.say(self.rules.summary)
        board.say(
            f"{who}, and you can {goal} whatever the other player does. You will be asked about every position that "
            f"matters, once: about {counted(self.total, 'question')}. A mistake is explained and asked again. "
            "Leave when you like with quit."
        )
        if self._answers:
            done = exam.asked - exam.mistakes
            board.say(f"You have answered {done} of them, with {counted(exam.mistakes, 'mistake')}.")

    def ask_all(self) -> None:
        """Ask until no question is left.

        Raises:
            Quit: the person leaves, or the input has ended.
            ParlourError: the exam was continued at another terminal.
        """
        exam = self.exam
        while (question := exam.question()) is not None:
            number = exam.asked - exam.mistakes + 1
            self.match = match_at(self.rules, question.moves, self.side)
            self.text = f"Question {number} of about {max(self.total, number)}."
            self.board.unhide()
            self._mark(question, self.ask())

    def _mark(self, question: ExamQuestion, move: int) -> None:
        exam, board = self.exam, self.board
        marked = exam.answer(move)
        self._save(exam.kept_name(question.position, move))
        if marked.right and board.plain:
            board.tell("Right.", colour="green")
        elif marked.right:
            self.remark(board.screen.style("Right.", "green", bold=True))
        else:
            best = self.rules.spoken([marked.best])[0]
            self.refute(move, marked.refutation, f"The right move is {best}. The question comes back.")
            if self.secret and exam.mistakes == UNLOCKS:
                self.remark("There is a short rule that wins here. Type secret to see it.")

    def _save(self, name: str) -> None:
        """Save a marked answer."""
        with progress_file.changing() as progress:
            known = progress[0].exams.get(self.key, Sitting((), ""))
            if known.answers != self.saved:
                raise ParlourError("this exam is open at another terminal; leave one of them")
            self.saved = self._answers = (*self._answers, name)
            passed = date.today().isoformat() if self.exam.question() is None else known.passed
            progress[0] = with_sitting(progress[0], self.key, Sitting(self._answers, passed))

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

    def graduate(self, name: str, day: str) -> None:
        """Show the diploma, and save it with the strategy."""
        strategy = self.exam.strategy({"by": name, "date": day})
        file = os.path.join(state_folder("diplomas"), re.sub(r"[^a-z0-9]+", "-", self.key.lower())[:150])
        write_whole(f"{file}.strategy", write_strategy(strategy).encode())
        text = diploma(strategy, name, day, self.exam.asked, self.exam.mistakes)
        write_whole(f"{file}.txt", text.encode())
        self.board.make_room()
        screen = self.board.screen
        screen.say(["", *text.splitlines(), ""])
        if self.secret:
            self.board.say(f"The secret: {self.secret}")
        screen.say([f"To print: {file}.txt", f"Your strategy: {file}.strategy"])
        screen.say([f"Anyone can check it: {own_command()} master --check FILE"])


def diploma(strategy: Strategy, name: str, day: str, asked: int, mistakes: int) -> str:
    """Return the text of a diploma, to be printed."""
    rules, wins = strategy.rules, strategy.claim.value is Value.WIN
    options = options_in_words(rules.options)
    lines = [
        "PARLOUR",
        "Diploma",
        "",
        name,
        "",
        f"has proved how to {'win' if wins else 'hold the draw'}",
        rules.game.title,
        *([options] if options else []),
        f"as {'the player who begins' if strategy.side == 1 else 'the player who does not begin'},",
        "whatever the other player does.",
        "",
        f"{counted(asked - mistakes, 'position')} answered, {counted(mistakes, 'mistake')} on the way;",
        f"{counted(len(strategy.answers), 'position')} in the strategy,",
        f"at most {counted(strategy.claim.plies or 0, 'move')} to the end.",
        "",
        day,
    ]
    inside = max(map(len, lines)) + 6
    rule = f"+{'-' * inside}+"
    return "\n".join([rule, *(f"|{line:^{inside}}|" for line in ["", *lines, ""]), rule, ""])
