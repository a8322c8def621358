"""Practice and mastery in real browsers: mistakes that come back, exams that end with a proof; no server needed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect

from parlour.solver import Solver
from parlour.study import progress as terminal
from parlour.study.mastery import Exam, find_exam
from parlour.study.progress import Mistake, Progress, Result, SavedExam
from tests.support.browser import DESKTOP, NARROW, STILL, Visit, Visitor, ask, barriers, installed, kept, too_wide
from tests.support.command import Run

Document = dict[str, Any]
DUE = """async (at) => {
  const [{ dueMistakes }, { progress }] = [await import(at), await import(at.replace("practising", "progress"))];
  return dueMistakes(progress());
}"""
EXAM = "double-up limit=20 side=2"


# Your mistakes.


def lost_game(client: httpx.Client, visitor: Visitor) -> str:
    """A game of Double Up on this device that both have thrown away: whoever leaves 4, 9 and 20 wins. Its address."""
    challenge = {"game": "double-up", "options": {"limit": "20"}, "moves": [*"23589", "18"], "first": "1"}
    made = client.post("/api/challenge/local", json=challenge).raise_for_status().json()
    seat = {"Authorization": f"Bearer {made['seat']}"}
    done = client.post(
        f"/api/matches/{made['id']}/move", json={"move": "20", "ply": made["state"]["ply"]}, headers=seat
    )
    assert done.raise_for_status().json()["status"] == "over"
    visitor.store(seats={made["id"]: made["seat"]})
    return f"/m/{made['id']}"


def test_turning_points_become_questions_that_come_back_without_the_server(
    visit: Visit,
    client: httpx.Client,
) -> None:
    visitor = visit(service_workers="allow", **STILL)
    visitor.expect_trouble("ERR_INTERNET_DISCONNECTED", "ERR_FAILED")
    page = visitor.arrive(lost_game(client, visitor))
    page.get_by_test_id("practise").click()
    page.wait_for_url("**/mistakes/*")
    expect(page.get_by_role("heading", level=1)).to_have_text("Your mistake")
    mistakes = kept(visitor)["mistakes"]
    today = date.today()
    # 3 was played where 4 wins, 5 where 4 was still to be had, and 8 where 9 was.
    assert [each["question"]["moves"] for each in mistakes.values()] == [["2"], ["2", "3"], ["2", "3", "5"]]
    assert {(each["box"], each["due"]) for each in mistakes.values()} == {(0, str(today))}
    installed(page)
    page.wait_for_load_state("networkidle")
    visitor.context.set_offline(True)
    visitor.arrive("/mistakes")
    expect(page.get_by_test_id("due")).to_have_text("3 mistakes to practise today.")
    page.get_by_test_id("practise-due").click()
    expect(visitor.status).to_contain_text("You can win. Only one move does it.")
    for question, wrong in zip(mistakes.values(), ("3", None, None), strict=True):
        (right,) = question["question"]["stages"][0]["right"]
        if wrong:
            visitor.play(wrong)
            expect(visitor.status).to_contain_text("Not that one.")
            page.get_by_test_id("skip").click()
        visitor.hurry()
        for stage in question["question"]["stages"]:
            (right,) = stage["right"]
            visitor.tile(right).wait_for()
            visitor.play(right)
        expect(visitor.status.locator(".result")).to_be_visible()
        expect(page.get_by_test_id("share")).to_contain_text("It comes back on ")
        page.get_by_test_id("next").click()
    expect(visitor.status).to_contain_text("That was all for today.")
    found = kept(visitor)["mistakes"].values()
    tomorrow = str(today + timedelta(days=1))
    assert [(each["box"], each["due"]) for each in found] == [(0, tomorrow), (1, tomorrow), (1, tomorrow)]
    read = terminal.read_progress(visitor.kept()["parlour.progress"])
    assert terminal.due_mistakes(read, today) == []
    assert len(terminal.due_mistakes(read, today + timedelta(days=1))) == 3


def test_both_sides_bring_a_mistake_back_on_the_same_days(visit: Visit) -> None:
    visitor = visit()
    visitor.expect_trouble("status of 400")  # it is no question that could be asked
    start = date(2027, 2, 16)
    ours = terminal.with_mistake(Progress(), "a", {"game": "double-up"}, start)
    visitor.store(progress=json.loads(terminal.write_progress(ours)))
    page = visitor.page
    clock = visitor.install_clock()
    clock.set_fixed_time(f"{start}T12:00:00")
    visitor.arrive("/mistakes")
    page.get_by_test_id("due").wait_for()
    module = page.evaluate("document.querySelector('link[href*=\"/practising.js\"]').href")
    random = Random(12)
    today = start
    for _ in range(40):
        clock.set_fixed_time(f"{today}T12:00:00")
        due = page.evaluate(DUE, module)
        assert due == terminal.due_mistakes(ours, today)
        if due:
            right = random.random() < 0.85
            ours = terminal.with_practice(ours, "a", right=right, today=today)
            page.evaluate("async ([at, right]) => (await import(at)).keepPractice('a', right)", [module, right])
            found = terminal.read_progress(page.evaluate("localStorage.getItem('parlour.progress')"))
            assert found.mistakes == ours.mistakes
        today += timedelta(days=random.choice([1, 2, 5, 30, -900, 900]))


def some_progress(random: Random) -> Progress:
    """A device on which this and that was done."""

    def day() -> str:
        return str(date(2026, 1, 1) + timedelta(days=random.randrange(40)))

    def result() -> Result:
        return Result(random.randrange(13), random.randrange(13), day())

    few = "abcd"
    return Progress(
        {random.randrange(1, 20): result() for _ in range(9)},
        {f"{random.choice(few)}2345678": result() for _ in range(3)},
        random.randrange(1, 6),
        0,
        {
            id: Mistake({"game": random.choice(few), "b": {"z": [1], "a": 2}}, random.randrange(6), due, day())
            for id in few
            if (due := random.choice(["", day()])) or id != "a"
        },
        {
            id: SavedExam(tuple(random.choices(["3", "10"], k=random.randrange(4))), random.choice(["", day()]))
            for id in random.sample(few, 3)
        },
    )


def test_both_sides_put_two_devices_together_alike(visit: Visit) -> None:
    visitor = visit()
    page = visitor.arrive("/puzzles")
    page.get_by_test_id("statistics").wait_for()
    random = Random(2027)
    for _ in range(60):
        one, other = some_progress(random), some_progress(random)
        found = ask(
            page,
            """(of, one, other) => {
              localStorage.setItem("parlour.progress", one);
              of.addProgress(of.readProgress(other));
              return localStorage.getItem("parlour.progress");
            }""",
            terminal.write_progress(one),
            terminal.write_progress(other),
        )
        assert terminal.read_progress(found) == terminal.merged(one, other)


# Exams.


def answers(exam: Exam) -> Iterator[str]:
    """What passes an exam of a game in which every position stands for itself alone."""
    while (question := exam.question()) is not None:
        move = exam.recommended(question.position)
        exam.answer(move)
        yield exam.rules.name(move)


@cache
def solver(game: str, number: int) -> Solver:
    """Solve the game of an exam, once for all its papers."""
    return Solver(find_exam(game, number).rules)


def paper(game: str = "double-up", number: int = 1) -> Exam:
    found = find_exam(game, number)
    return Exam(found.rules, found.side, solver(game, number).score)


def test_an_exam_from_the_door_to_a_strategy_that_the_terminal_checks(
    visit: Visit,
    run: Callable[..., Run],
    tmp_path: Path,
) -> None:
    visitor = visit(service_workers="allow", **STILL)
    visitor.expect_trouble("ERR_INTERNET_DISCONNECTED", "ERR_FAILED")
    page = visitor.arrive("/puzzles")
    page.get_by_test_id("to-master").click()
    page.get_by_test_id("exams-double-up").locator("a").first.click()
    expect(page.get_by_test_id("count")).to_have_text("14 questions")
    installed(page)
    page.wait_for_load_state("networkidle")
    visitor.context.set_offline(True)  # one request has brought all questions
    page.get_by_test_id("begin").click()
    exam = paper()
    for _ in range(3):  # the first question comes back after all others
        expect(page.get_by_test_id("tell-secret")).to_have_count(0)
        question = exam.question()
        assert question is not None
        (wrong, *_) = [
            move for move in exam.rules.legal(question.position) if not exam.is_right(question.position, move)
        ]
        best = exam.answer(wrong).best
        visitor.play(exam.rules.name(wrong))
        expect(visitor.status).to_contain_text("Not that one.")
        while page.get_by_test_id("skip").is_visible():
            page.get_by_test_id("step").click()
        expect(visitor.status).to_contain_text(f"Right is {best}. The question comes back.")
        page.get_by_test_id("step").click()
    page.get_by_test_id("tell-secret").click()
    expect(page.get_by_test_id("secret")).to_contain_text("Leave the other player 4, 9 and at last 20.")
    for number, name in enumerate(answers(exam), 1):
        expect(visitor.status).to_contain_text(f"Question {number} of about 14.")
        visitor.play(name)
    diploma = page.get_by_test_id("diploma")
    for words in ("Double Up", "up to 20", "who does not begin", "14 positions answered, 3 mistakes on the way"):
        expect(diploma).to_contain_text(words)
    expect(page.locator(".refusal")).to_contain_text("For the strategy the server is needed")
    visitor.context.set_offline(False)
    page.get_by_label("Your name").fill("Ann")
    expect(diploma).to_contain_text("Ann")
    with page.expect_download() as download:
        page.get_by_test_id("strategy").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    checked = run("master", "--check", str(file))
    assert checked.code == 0, checked.err
    assert checked.out.startswith("It holds: in Double Up (up to 20), Player 2 wins against every reply")
    assert "by: Ann" in checked.out
    page.emulate_media(media="print")
    expect(page.get_by_role("button", name="Print")).to_be_hidden()
    expect(diploma).to_be_visible()
    sitting = terminal.read_progress(visitor.kept()["parlour.progress"]).exams[EXAM]
    assert sitting.passed == date.today().isoformat()
    again = paper()
    again.take(sitting.answers)
    assert again.question() is None, "the terminal goes on from the same answers"


@pytest.mark.parametrize(("game", "number"), [("pyramid-challenge", 1), ("sequence-spot", 1), ("sequence-builder", 1)])
def test_page_and_terminal_ask_the_same_whatever_is_answered(visit: Visit, game: str, number: int) -> None:
    """By chance, right and wrong, in games with mirror images: what the page keeps leads the terminal along."""
    visitor = visit(**STILL)
    page = visitor.arrive(f"/master/{game}/{number}")
    page.get_by_test_id("begin").click()
    random = Random(number)
    for _ in range(60):
        page.wait_for_selector("[data-testid=diploma], [data-testid=skip], [data-testid=step], #status .whose")
        if page.get_by_test_id("diploma").is_visible():
            break
        if page.get_by_test_id("step").is_visible():
            page.locator("[data-testid=skip], [data-testid=step]").last.click()
            continue
        legal = visitor.glance()["legal"]
        visitor.play(random.choice(legal))
    (sitting,) = kept(visitor)["exams"].values()
    assert len(sitting["answers"]) > 5
    exam = paper(game, number)
    exam.take(sitting["answers"])  # a ParlourError if one of them answers something else
    standing = page.get_by_test_id("exam-standing")
    if standing.is_visible():
        answered, mistakes = map(int, re.findall(r"\d+", standing.inner_text())[::2])
        assert (exam.asked - exam.mistakes, exam.mistakes) == (answered, mistakes)


WALK = """async (place) => {
  const [{ Examining }, { sheet }] = [await import(`${place}examining.js`), await import(`${place}examapi.js`)];
  const fetched = (answers) => sheet("sequence-spot", "3", answers, { onProgress: () => {} });
  const exam = new Examining([await fetched([])]);
  for (let n = 0; !exam.isOver; n++) {
    const right = Object.keys(exam.question.right);
    if (!exam.answer(right[(n * 7) % right.length])) {
      exam.sheets = [...exam.sheets, await fetched(exam.answers)];
      exam.follow(exam.sheets.at(-1).begin);
    }
  }
  return [exam.answers, exam.sheets.length];
}"""


def test_an_exam_that_is_longer_than_a_sheet_goes_on_with_another(visit: Visit) -> None:
    page = visit().arrive("/master/sequence-spot/3")
    page.get_by_test_id("begin").wait_for()
    place = page.evaluate("document.querySelector('link[href*=\"/examining.js\"]').href.replace('examining.js', '')")
    found, sheets = page.evaluate(WALK, place)
    assert sheets > 1
    exam = paper("sequence-spot", 3)
    exam.take(found)
    assert (exam.question(), exam.mistakes) == (None, 0)
    exam.strategy({})  # which is checked against every reply


def test_an_exam_goes_on_in_another_tab_and_after_a_reload(visit: Visit) -> None:
    visitor = visit(**STILL)
    page = visitor.arrive("/master/double-up/1")
    page.get_by_test_id("begin").click()
    first, second, *_ = answers(paper())
    other = visitor.context.new_page()
    visitor.arrive("/master/double-up/1", other)
    other.get_by_test_id("begin").click()
    other.get_by_test_id("board").wait_for()
    visitor.play(first)
    expect(visitor.status).to_contain_text("Question 2")
    expect(other.locator("#status")).to_contain_text("The exam has gone on in another window")
    expect(other.locator("#status")).to_contain_text("Question 2")
    other.locator(f'main button[data-move="{second}"]').first.click()
    expect(visitor.status).to_contain_text("Question 3")
    page.reload()
    expect(page.get_by_test_id("exam-standing")).to_contain_text("You have answered 2 of them, with 0 mistakes.")
    assert kept(visitor)["exams"][EXAM]["answers"] == [first, second]


def test_answers_that_fit_no_more_are_told_and_stay_until_something_is_answered(visit: Visit) -> None:
    visitor = visit(**STILL)
    old = {"answers": ["77", "4"], "passed": "2026-01-05"}
    visitor.store(progress={"format": 1, "daily": {}, "puzzles": {}, "grade": 1, "exams": {EXAM: old}})
    page = visitor.arrive("/master")
    expect(page.get_by_test_id("exams-double-up")).to_contain_text("passed on 5 January 2026")
    page = visitor.arrive("/master/double-up/1")
    expect(page.get_by_test_id("said")).to_contain_text("can no longer be used, so it begins again")
    assert kept(visitor)["exams"][EXAM] == old
    page.get_by_test_id("begin").click()
    visitor.play("4")
    expect(visitor.status).to_contain_text("Question 2")
    assert kept(visitor)["exams"][EXAM] == {"answers": ["4"], "passed": "2026-01-05"}


def test_an_unknown_exam_or_mistake_is_not_here(visit: Visit) -> None:
    visitor = visit()
    for path in ("/master/double-up/99", "/master/chess/1", "/mistakes/nowhere1"):
        page = visitor.arrive(path)
        expect(page.get_by_role("heading", level=1)).to_have_text("Not here")


def test_damage_and_a_clock_that_went_back_are_told_and_cost_nothing_else(visit: Visit) -> None:
    visitor = visit()
    visitor.expect_trouble("status of 400")  # it is no question that could be asked
    later = str(date.today() + timedelta(days=400))
    good = {"question": {"game": "double-up", "moves": ["2"]}, "box": 2, "due": later, "date": later}
    damaged = {"format": 1, "mistakes": {"a": good, "b": {"box": "x"}}, "exams": {EXAM: 5}}
    visitor.store(progress=damaged)
    page = visitor.arrive("/mistakes")
    expect(page.get_by_test_id("damaged")).to_contain_text("set aside")
    expect(page.get_by_test_id("clock")).to_contain_text("Nothing is lost by it")
    expect(page.get_by_test_id("due")).to_have_text("1 mistake to practise today.")
    assert json.loads(visitor.kept()["parlour.progress-damaged"]) == damaged
    page.get_by_role("button", name="Forget it").click()
    expect(page.get_by_test_id("damaged")).to_have_count(0)


@pytest.mark.parametrize("device", [DESKTOP, NARROW], ids=["desktop", "phone"])
def test_the_pages_of_practice_have_no_barriers(visit: Visit, client: httpx.Client, device: Document) -> None:
    visitor = visit(device, **STILL)
    page = visitor.arrive(lost_game(client, visitor))
    visitor.press(page.get_by_test_id("practise"))
    page.wait_for_url("**/mistakes/*")
    page.get_by_test_id("board").wait_for()
    assert not too_wide(page)
    assert not barriers(page)
    for path, there in {
        "/mistakes": "practise-due",
        "/master": "exams-double-up",
        "/master/double-up/1": "begin",
    }.items():
        visitor.arrive(path)
        page.get_by_test_id(there).wait_for()
        assert not too_wide(page)
        assert not barriers(page)
    visitor.press(page.get_by_test_id("begin"))
    visitor.play("3")
    expect(page.get_by_test_id("step")).to_be_in_viewport()
    assert not barriers(page)
    visitor.press(page.get_by_test_id("skip"))
    exam = paper()
    exam.answer(3)
    for name in answers(exam):
        visitor.play(name)
    page.get_by_test_id("diploma").wait_for()
    assert not too_wide(page)
    assert not barriers(page)


def test_an_exam_by_keyboard_alone(visit: Visit) -> None:
    visitor = visit(**STILL)
    page = visitor.arrive("/master/double-up/1")
    page.get_by_test_id("begin").focus()
    page.keyboard.press("Enter")
    visitor.tile("3").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("step")).to_be_focused()
    page.keyboard.press("Escape")
    expect(visitor.status).to_contain_text("Question 1 of about 14")
    assert page.evaluate("document.activeElement.matches('.board button.tile')")
    assert any("took 3" in heard for heard in visitor.heard())
