"""``parlour master``: an exam that asks every position that matters, and a diploma that says what was proved."""

from __future__ import annotations

import os
import re
from datetime import date
from typing import NamedTuple

import click

from parlour import catalog
from parlour.cli.daily import load_progress
from parlour.cli.options import HELP, GameCommands, chosen_texts, game_options
from parlour.cli.proofs import strategy_text
from parlour.cli.solving import Desk, match_at, named
from parlour.errors import BadOptions, ParlourError, TooBig
from parlour.files import write_whole
from parlour.folders import state_folder
from parlour.game import Game
from parlour.installation import own_command
from parlour.limit import Limit
from parlour.options import flag, left_to_chance, options_in_words
from parlour.rules import Rules, read_rules
from parlour.score import Value
from parlour.study import progress as kept
from parlour.study import progress_file
from parlour.study.mastery import UNLOCKS, Exam, ExamQuestion, LadderExam, count_questions, exam_key, ladder_of
from parlour.study.progress import Progress, Sitting
from parlour.study.strategy import Strategy, check_strategy, read_strategy, write_strategy
from parlour.terminal.keyboard import Keyboard, Quit
from parlour.terminal.screen import ProgressLine, Screen
from parlour.text import cleaned, counted
from parlour.view import PlayerNumber

SECONDS = 60.0  # that preparing an exam, or checking a strategy, may take
WORDS = {
    "help": "what you can type",
    "rules": "the rules of this game",
    "board": "show the table again",
    "quit": "leave; the exam goes on here next time",
}
SECRET = {"secret": "the short rule that wins"}


class Paper(NamedTuple):
    """An exam before it is sat."""

    rules: Rules
    side: PlayerNumber

    @property
    def key(self) -> str:
        """Under which its answers are kept."""
        return exam_key(self.rules, self.side)

    def file(self, ending: str) -> str:
        """Where its diploma, or its strategy, is kept."""
        name = re.sub(r"[^a-z0-9]+", "-", self.key.lower())[:150]
        return os.path.join(state_folder("diplomas"), f"{name}.{ending}")


def _command(game: Game) -> click.Command:
    def run(side: str | None, again: bool, **given: str | None) -> int:
        texts = chosen_texts(given)
        if not texts and side is None:
            return offer_exams(game, again)
        rules = _rules(game, texts)
        return _examine(rules, _side(side), None, again)

    return click.Command(
        game.key,
        callback=run,
        help=f"Prove that you have mastered {game.title}: answer every position that matters.\n\n"
        "Without options the exams are listed, from the shortest to the longest.",
        short_help=f"Prove that you have mastered {game.title}.",
        params=[
            *game_options(game),
            click.Option(["--side"], type=click.Choice(["1", "2"]), help="who you are; 1 begins  [default: who wins]"),
            click.Option(["--again"], is_flag=True, help="begin anew what was begun or passed"),
        ],
        context_settings=HELP,
    )


class _MasterCommands(GameCommands):
    """One exam for each game, and an option that needs no game."""

    def __init__(self) -> None:
        super().__init__("master", _command, "Prove that you have mastered a game; get a diploma for it.")
        self.invoke_without_command, self.no_args_is_help = True, False
        self.params.append(click.Option(["--check"], metavar="FILE", help="check the strategy that an exam ended with"))
        self.callback = click.pass_context(_without_game)


def _without_game(context: click.Context, check: str | None) -> None:
    if check is not None and context.invoked_subcommand is not None:
        raise click.UsageError("--check needs a file and no game", context)
    if check is not None:
        _check(check)
    elif context.invoked_subcommand is None:
        _list_all()


master_command = _MasterCommands()


# What there is.


def _list_all() -> None:
    screen, progress = Screen(), load_progress()
    for game in catalog.list_games():
        if game.content.exams:
            screen.say([game.title], bold=True)
            screen.say([f"  {_offered(exam, progress)}" for exam in ladder_of(game).exams])
    screen.say(["", f"Sit one with: {own_command()} master GAME"])


def _offered(exam: LadderExam, progress: Progress) -> str:
    sitting = progress.exams.get(exam.exam)
    state = "" if sitting is None else f", passed on {sitting.passed}" if sitting.passed else ", begun"
    who = "you begin" if exam.side == 1 else "the other one begins"
    return f"{exam.options}; {who}: {counted(exam.questions, 'question')}{state}"


def _side(word: str | None) -> PlayerNumber | None:
    return None if word is None else 1 if word == "1" else 2


def offer_exams(game: Game, again: bool = False, keyboard: Keyboard | None = None) -> int:
    """Let somebody choose an exam of a game, and sit it; the exit code of the command."""
    exams = ladder_of(game).exams
    if not exams:
        raise BadOptions(f"choose options for an exam in {game.title}; see: {own_command()} master {game.key} --help")
    progress, desk = load_progress(), Desk(keyboard)
    desk.say(f"Exams in {game.title}", bold=True)
    for exam in exams:
        desk.screen.say([f"{exam.number:>3}  {_offered(exam, progress)}"])
    sittings = [progress.exams.get(exam.exam) for exam in exams]
    usual = next((n for n, each in enumerate(sittings, 1) if each is None or not each.passed), 1)
    while True:
        try:
            text = desk.read(f"Which one? 1-{len(exams)}, Enter: {usual}, q: leave: ") or str(usual)
        except Quit as left:
            return left.exit_code
        if text.isascii() and text.isdigit() and len(text) < 4 and 1 <= int(text) <= len(exams):
            exam = exams[int(text) - 1]
            return _examine(exam.rules, exam.side, exam.questions, again, desk)
        desk.say(f"Type a number from 1 to {len(exams)}.", "yellow")


def _rules(game: Game, texts: dict[str, str]) -> Rules:
    rules = read_rules(game, texts)
    open_ = [name for name in left_to_chance(game.options) if not rules.option_texts[name]]
    if open_:
        raise BadOptions(f"an exam leaves nothing to chance: choose --{flag(open_[0])}, or one of the exams listed")
    if rules.bounds is None:
        raise BadOptions("this game need not end under these options, so it has no exam")
    return rules


# The exam.


class _Hall:
    """One exam, and the answers that are kept of it."""

    def __init__(self, paper: Paper, total: int | None) -> None:
        """``total``: how many questions it has, where that is known; TooBig if it cannot be prepared in time."""
        from parlour.solver import Solver

        self.paper = paper
        solver = Solver(paper.rules)
        with ProgressLine("Preparing the exam") as shown:
            limit = Limit(SECONDS, on_progress=shown)
            self.total = total or count_questions(
                paper.rules, paper.side, lambda position: solver.score(position, limit), limit
            )
        self._score = lambda position: solver.score(position, Limit(SECONDS))  # people take their time
        self.kept: tuple[str, ...] = ()  # the answers on the disk, which need not lead anywhere any more
        self.begin(())

    def begin(self, answers: tuple[str, ...]) -> None:
        """Go to where these answers lead; ParlourError if they lead nowhere."""
        exam: Exam = Exam(self.paper.rules, self.paper.side, self._score)
        exam.take(answers)
        self.exam, self.answers = exam, answers

    def keep(self, name: str) -> None:
        """Keep one more answer, which the exam has marked; ParlourError if it goes on elsewhere meanwhile."""
        key = self.paper.key
        with progress_file.changing() as progress:
            known = progress[0].exams.get(key, Sitting((), ""))
            if known.answers != self.kept:
                raise ParlourError("this exam goes on at another terminal; leave one of them")
            self.kept = self.answers = (*self.answers, name)
            passed = date.today().isoformat() if self.exam.question() is None else known.passed
            progress[0] = kept.with_sitting(progress[0], key, Sitting(self.answers, passed))


def _examine(rules: Rules, side: PlayerNumber | None, total: int | None, again: bool, desk: Desk | None = None) -> int:
    """Sit an exam; the exit code of the command."""
    desk = desk or Desk()
    try:
        hall = _Hall(Paper(rules, side or _winner(rules)), total)
    except TooBig:
        raise TooBig(f"{rules.title} is too large for an exam; choose smaller options") from None
    paper = hall.paper
    if not hall.total:
        raise BadOptions(f"there is nothing to master in {named(rules)}: no move can go wrong; choose other options")
    sitting = load_progress().exams.get(paper.key, Sitting((), ""))
    hall.kept = sitting.answers
    if not again:
        _resume(desk, hall, sitting)
    if sitting.passed and hall.exam.question() is None:
        _graduate(desk, hall, sitting.passed)
        desk.say(f"You passed this on {sitting.passed}. Sit it once more with --again.")
        return 0
    _say_what_comes(desk, hall)
    try:
        _ask_all(desk, hall)
    except Quit as left:
        done = hall.exam.asked - hall.exam.mistakes
        desk.say(f"{done} of about {hall.total} answered; the exam goes on here next time.")
        return left.exit_code
    _graduate(desk, hall, date.today().isoformat())
    return 0


def _winner(rules: Rules) -> PlayerNumber:
    """The side that wins; of a drawn game the one that begins."""
    from parlour.solver import Solver

    return 2 if Solver(rules).value(rules.start, Limit(SECONDS)) is Value.LOSS else 1


def _resume(desk: Desk, hall: _Hall, sitting: Sitting) -> None:
    try:
        hall.begin(sitting.answers)
    except ParlourError as error:
        desk.say(f"What was kept of this exam can no longer be used, so it begins again: {error}.", "yellow")


def _say_what_comes(desk: Desk, hall: _Hall) -> None:
    rules, exam = hall.paper.rules, hall.exam
    goal = "win" if exam.goal is Value.WIN else "hold the draw"
    who = "You begin" if hall.paper.side == 1 else "The other player begins"
    desk.say(f"An exam in {named(rules)}", bold=True)
    desk.say(rules.summary)
    desk.say(
        f"{who}, and you can {goal} whatever the other player does. You are asked each position that matters once: "
        f"about {counted(hall.total, 'question')}. Mistakes are explained and come back. Leave when you like with quit."
    )
    if hall.answers:
        desk.say(f"You have answered {exam.asked - exam.mistakes} of them, with {counted(exam.mistakes, 'mistake')}.")


def _ask_all(desk: Desk, hall: _Hall) -> None:
    """Ask until no question is left; Quit if somebody gets up."""
    exam, rules, side = hall.exam, hall.paper.rules, hall.paper.side
    secret = rules.game.display.secret(rules.packed)
    while (question := exam.question()) is not None:
        match = match_at(rules, question.moves, side)
        number = exam.asked - exam.mistakes + 1
        desk.show(match, side)
        desk.say(f"Question {number} of about {max(hall.total, number)}. {desk.whose_move(match)}")
        words = {**WORDS, **(SECRET if secret and exam.mistakes >= UNLOCKS else {})}
        given = desk.ask_move(match, side, words)
        if given == "secret":
            desk.say(f"The secret: {secret}")
            continue
        _mark(desk, hall, question, int(given))
        if secret and exam.mistakes == UNLOCKS and "secret" not in words:
            desk.say("There is a short rule that wins here. Type secret if you want to know it.")


def _mark(desk: Desk, hall: _Hall, question: ExamQuestion, move: int) -> None:
    exam, rules, side = hall.exam, hall.paper.rules, hall.paper.side
    marked = exam.answer(move)
    hall.keep(exam.kept_name(question.position, move))
    if marked.right:
        desk.say("Right.", "green", bold=True)
        return
    best = rules.spoken([marked.best])[0]
    match = match_at(rules, question.moves, side)
    desk.refute(match, side, move, marked.refutation, f"The right move is {best}. The question comes back.")


# The end of it.


def _graduate(desk: Desk, hall: _Hall, day: str) -> None:
    """Say what was proved, and leave it in files."""
    from parlour.cli import preferences

    paper, name = hall.paper, preferences.load().name or "You"
    strategy = hall.exam.strategy({"by": name, "date": day})
    write_whole(paper.file("strategy"), write_strategy(strategy).encode())
    text = diploma(strategy, name, day, hall.exam.asked, hall.exam.mistakes)
    write_whole(paper.file("txt"), text.encode())
    desk.screen.say(["", *text.splitlines(), ""])
    if secret := paper.rules.game.display.secret(paper.rules.packed):
        desk.say(f"The secret: {secret}")
    desk.screen.say([f"To print: {paper.file('txt')}", f"Your strategy: {paper.file('strategy')}"])
    desk.screen.say([f"Anybody can check it: {own_command()} master --check FILE"])


def diploma(strategy: Strategy, name: str, day: str, asked: int, mistakes: int) -> str:
    """What was proved, by whom and when, to be printed."""
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


def _check(path: str) -> None:
    strategy = read_strategy(strategy_text(path))
    checked = check_strategy(strategy, Limit(SECONDS))
    side = f"Player {strategy.side}"
    does = "wins against every reply" if strategy.claim.value is Value.WIN else "holds the draw against every reply"
    found = f"{counted(checked.positions, 'position')}, {counted(checked.replies, 'reply', 'replies')}"
    click.echo(f"It holds: in {named(strategy.rules)}, {side} {does}, in at most {checked.plies} moves ({found}).")
    if strategy.notes:
        click.echo(", ".join(f"{cleaned(note)}: {cleaned(text)}" for note, text in strategy.notes.items()))
