"""Exams at the terminal: asked, marked, kept, passed; and the strategy they end with stands against every reply."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from parlour import catalog
from parlour.files import state_folder
from parlour.game import ExamSource, Game
from parlour.options import read_words
from parlour.rules import Rules, read_rules
from parlour.solver import Solver
from parlour.study import progress as kept
from parlour.study import progress_file
from parlour.study.mastery import Exam, count_questions
from parlour.study.strategy import check_strategy, read_strategy
from parlour.view import PlayerNumber
from tests.support.command import Run
from tests.support.terminal import Person

Runner = Callable[..., Run]
Terminal = Callable[..., Person]

DOUBLE_UP = read_rules(catalog.find_game("double-up"), {"limit": "20"})
SHORT = 15  # questions; tests/proofs/test_exams.py counts those of every exam
EXAM = ["master", "double-up", "--limit", "20", "--side", "2"]
LADDER = [
    pytest.param(game, source, id=f"{game.key} {source.options} {source.side}")
    for game in catalog.list_games()
    for source in game.content.exams
    if source.questions <= SHORT and game.key != "sequence-builder"
]


def paper(rules: Rules = DOUBLE_UP, side: PlayerNumber = 2) -> Exam:
    return Exam(rules, side, Solver(rules).score)


def right_answers(exam: Exam) -> list[str]:
    """What passes an exam from where it is."""
    names = []
    while (question := exam.question()) is not None:
        move = exam.recommended(question.position)
        names.append(exam.rules.name(move))
        exam.answer(move)
    return names


def lines(*typed: str) -> str:
    return "".join(f"{each}\n" for each in typed)


def kept_exam() -> kept.SavedExam:
    (sitting,) = progress_file.load().progress.exams.values()
    return sitting


def test_every_game_has_a_ladder_from_a_dozen_questions_upwards() -> None:
    for game in catalog.list_games():
        questions = [source.questions for source in game.content.exams]
        assert questions == sorted(questions)
        assert questions[0] <= 40
        assert questions[-1] >= 90, f"{game.key} has no long exam"


@pytest.mark.parametrize(("game", "source"), LADDER)
def test_an_exam_has_as_many_questions_as_its_game_says(game: Game, source: ExamSource) -> None:
    rules = read_rules(game, read_words(source.options))
    side: PlayerNumber = 1 if source.side == 1 else 2
    assert count_questions(rules, side, Solver(rules).score) == source.questions


@pytest.mark.parametrize("limit", [3, 4, 5, 11, 20, 50, 100, 999])
def test_the_secret_of_a_game_wins(limit: int) -> None:
    """Whoever has been left one of its numbers loses, and nobody else does."""
    rules = read_rules(catalog.find_game("double-up"), {"limit": str(limit)})
    words = rules.game.display.secret(rules.packed).replace(".", " ").replace(",", " ").split()
    named = {int(word) for word in words if word.isdigit()}
    solver = Solver(rules)
    lost = {n for n in range(2, limit) if solver.value(rules.position([n])) < 0} | {limit}
    assert named == (lost if named else set())
    assert named or len(lost) == 1


def test_whoever_answers_everything_gets_a_diploma_and_a_strategy_that_holds(run: Runner, tmp_path: Path) -> None:
    run("config", "name", "Ann")
    done = run(*EXAM, stdin=lines(*right_answers(paper())))
    assert done.code == 0, done
    assert "about 14 questions" in done.out
    assert done.out.count("Right.") == 14
    for said in ("Ann", "Double Up", "up to 20", "the player who does not begin", "14 positions", str(date.today())):
        assert said in done.out.partition("Diploma")[2]
    assert "The secret: Leave the other player 4, 9 and at last 20." in done.out
    (file,) = Path(state_folder("diplomas")).glob("*.strategy")
    strategy = read_strategy(file.read_text())
    assert check_strategy(strategy).plies == strategy.claim.plies
    assert (strategy.rules, strategy.side) == (DOUBLE_UP, 2)
    checked = run("master", "--check", str(file))
    assert checked.code == 0
    assert checked.out.startswith("It holds: in Double Up (up to 20), Player 2 wins against every reply")
    assert "by: Ann" in checked.out
    (printable,) = Path(state_folder("diplomas")).glob("*.txt")
    assert printable.read_text() in done.out


def test_a_strategy_that_was_tampered_with_is_refused(run: Runner, tmp_path: Path) -> None:
    run(*EXAM, stdin=lines(*right_answers(paper())))
    (file,) = Path(state_folder("diplomas")).glob("*.strategy")
    text = file.read_text()
    for wrong in (
        text.replace('"side": 2', '"side": 1'),
        text[: len(text) // 2],
        "",
        "{}",
        text.replace(" 9\n", " 8\n"),
    ):
        (tmp_path / "wrong").write_text(wrong)
        done = run("master", "--check", str(tmp_path / "wrong"))
        assert done.code == 1
        assert done.out == ""
        assert len(done.err.splitlines()) == 1


def test_a_mistake_is_refuted_taught_and_comes_back(run: Runner) -> None:
    done = run(*EXAM, stdin=lines("3", *right_answers(paper())))
    assert "No: 3 loses." in done.out
    assert "You could not go beyond 20: Computer wins." in done.out
    assert "3 is taken back. The right move is 4. The question comes back." in done.out
    assert "1 mistake on the way" in done.out


def test_an_exam_goes_on_where_it_was_left(run: Runner) -> None:
    answers = right_answers(paper())
    first = run(*EXAM, stdin=lines("3", *answers[:5], "quit"))
    assert first.code == 0
    assert "5 of about 14 answered. The exam resumes here next time." in first.out
    assert kept_exam().answers == ("3", *answers[:5])
    assert "up to 20; the other player begins: 14 questions, begun" in run("master").out
    second = run(*EXAM, stdin=lines(*answers[5:]))
    assert "You have answered 5 of them, with 1 mistake." in second.out
    assert second.out.count("Right.") == 9
    assert kept_exam().passed == date.today().isoformat()
    third = run(*EXAM)
    assert third.code == 0
    assert f"You passed this exam on {date.today()}. Take it again with --again." in third.out
    again = run(*EXAM, "--again")
    assert again.code == 1, "the input ends before the exam does"
    assert "Question 1 of about 14." in again.out


def test_what_was_kept_of_an_exam_that_is_no_more_is_told_and_stays_until_something_is_answered(run: Runner) -> None:
    run(*EXAM, stdin=lines("4", "quit"))
    with progress_file.changing() as change:
        (key,) = change.progress.exams
        change.progress = kept.with_exam(change.progress, key, kept.SavedExam(("77",), "2026-01-05"))
    done = run(*EXAM, stdin=lines("quit"))
    assert "it starts over" in done.out
    assert kept_exam() == kept.SavedExam(("77",), "2026-01-05")
    run(*EXAM, stdin=lines("4", "quit"))
    assert kept_exam() == kept.SavedExam(("4",), "2026-01-05"), "what was passed once stays passed"


def test_the_secret_is_told_after_three_mistakes_and_not_at_the_door(run: Runner) -> None:
    secret = "The secret: Leave the other player 4, 9 and at last 20."
    early = run(*EXAM, stdin=lines("secret", "3", "3", "secret", "quit"))
    assert secret not in early.out
    done = run(*EXAM, stdin=lines("3", "secret", "quit"))
    assert "Type secret to see it." in done.out
    assert secret in done.out


def test_the_help_of_an_exam_names_cells_by_their_numbers(terminal: Terminal) -> None:
    person = terminal("master", "spot", "--grid", "2,7,6,9,5,1,4,3,8", "--side", "1")
    person.sees("Your turn: 1, 3-5 or 8.", "> ")
    person.types("help")
    person.sees("Possible now: 1, 3-5, 8", "> ")
    person.leaves("quit\r")


def test_a_game_offers_its_exams(run: Runner) -> None:
    done = run("master", "double-up", stdin=lines("9", "", "quit"))
    assert "type 1 to 3, or ? for help." in done.out
    assert "An exam in Double Up (up to 20)" in done.out


@pytest.mark.parametrize("key", catalog.keys())
def test_every_ladder_can_be_begun(run: Runner, key: str) -> None:
    done = run("master", key, stdin=lines("1", "help", "board", "quit"))
    assert done.code == 0, done
    assert "Question 1 of about" in done.out


def test_ctrl_c_stops_the_preparation(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("parlour.solver.Solver.value", interrupted)
    person = terminal(*EXAM[:-2])
    told, code = person.leaves()
    assert "Stopped." in told
    assert code == 130


def test_ctrl_c_at_a_question_says_that_the_exam_resumes(terminal: Terminal) -> None:
    person = terminal(*EXAM)
    person.sees("Question 1", "> ")
    told, code = person.leaves("\x03")
    assert "0 of about 14 answered. The exam resumes here next time." in told
    assert "Traceback" not in told
    assert code == 130


def test_two_terminals_do_not_mix_their_answers(terminal: Terminal, run: Runner) -> None:
    person = terminal(*EXAM)
    person.sees("Question 1", "> ")
    assert run(*EXAM, stdin=lines("4", "quit")).code == 0
    person.types("4")
    said, code = person.leaves()
    assert "this exam is open at another terminal" in said
    assert code == 1
    assert kept_exam().answers == ("4",)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["double-up", "--limit", "20", "--side", "1"], "the side of Player 1 is lost"),
        (["double-up", "--limit", "none"], "may never end"),
        (["double-up", "--limit", "nonsense"], "nonsense"),
        (["double-up", "--side", "3"], "'3'"),
        (["sequence-spot", "--side", "1"], "leaves nothing to chance: choose --grid"),
        (["pyramid", "--highest", "4"], "nothing to master"),
        (["chess"], "chess"),
        (["--check", "nowhere"], "nowhere"),
        (["--check", "x", "double-up"], "--check needs a file and no game"),
    ],
)
def test_what_cannot_be_is_one_clear_line(run: Runner, arguments: list[str], told: str) -> None:
    done = run("master", *arguments)
    assert done.code in (1, 2)
    assert done.out == ""
    assert told in done.err
    assert len(done.err.splitlines()) == 1
