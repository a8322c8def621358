"""The pool of search processes: those that die, hang, or think for long, and what they answer."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from time import monotonic, process_time, sleep
from typing import Any

import pytest

from parlour import catalog, record
from parlour.documents.practice import MAX_TILES
from parlour.errors import (
    BadPosition,
    BadRecord,
    GameOver,
    IllegalMove,
    ParlourError,
    TooBig,
    UnknownPlayer,
    UnreadableMove,
)
from parlour.game import ONGOING
from parlour.limit import Limit
from parlour.match import Match
from parlour.service.errors import SearchFailed
from parlour.setup import Setup
from parlour.solver import Solver
from parlour.store.errors import Busy
from parlour.study.grades import make_report
from parlour.study.hints import Hints
from parlour.study.report import Report
from parlour.web import worker
from parlour.web.compression import gzip_document
from parlour.web.framing import frame
from parlour.web.messages import (
    AnswerMessage,
    CancelMessage,
    ChosenMove,
    DiplomaRequest,
    ErrorMessage,
    PositionQuestion,
    SheetRequest,
    SolveQuestion,
)
from parlour.web.pool import GIVE_UP_SECONDS, OWNER_SHARE, Pool
from parlour.web.wire import read
from parlour.writer import plain, write_json
from tests.support.eventually import eventually_async
from tests.support.naive import Textbook
from tests.support.pool import (
    MATCHES,
    PLAIN,
    SERVER,
    SOON,
    Asked,
    Starter,
    Unheard,
    alive,
    asked,
    begun,
    book,
    by,
    check_solution,
    chooses_as_at_the_terminal,
    given_up,
    in_order,
    large,
    larger,
    long_game,
    of,
    perfect,
    put,
    said_by,
    small,
    told_hint,
    with_plain_pool,
    with_pool,
)
from tests.support.questions import broad_question, practice_of
from tests.support.study_small import rules_of, small_games

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the server needs POSIX")


@small_games
def test_answers_agree_with_the_textbook(key: str, texts: dict[str, str]) -> None:
    rules = rules_of(key, texts)
    textbook, random = Textbook(rules), Random(3)

    async def work(pool: Pool) -> None:
        match = Match(Setup(rules), rules.options)
        ladder = Hints(match)
        while match.round_result == ONGOING:
            await check_solution(pool, match, textbook)
            hint = ladder.hint()
            assert vars(await pool.ask(of(match, "hint", rung=1))) == told_hint(match, hint)
            while hint.rung < 4:
                asked, hint = hint.rung + 1, ladder.hint()
                assert vars(await pool.ask(of(match, "hint", rung=asked))) == told_hint(match, hint)
            move = random.choice(match.legal_moves)
            word = rules.name(move)
            reason = ladder.why(word)
            assert vars(await pool.ask(of(match, "why", move=word))) == plain(reason)
            match.play(move)
        over = await pool.ask(of(match))
        assert (over.value, over.plies) == (str(textbook.worth(match.position).value), 0)
        assert (over.choices, over.line, over.to_move) == ([], [], None)
        made = make_report(match, seconds=60)
        assert await pool.ask(of(match, "report")) == read(Report, write_json(made).encode())
        with pytest.raises(GameOver):
            await pool.ask(of(match, "hint", rung=1))

    with_pool(work)


def test_answers_agree_with_the_solver_in_the_books_own_games() -> None:
    async def work(pool: Pool) -> None:
        for key in catalog.keys():
            solver = Solver(book(key).rules)
            for moves in (0, 3):
                match = book(key, moves)
                solution = await pool.ask(of(match))
                score = solver.score(match.position)
                assert (str(score.value), score.plies) == (solution.value, solution.plies), key
                found = [(choice.value, choice.plies) for choice in solution.choices]
                assert found == [(str(choice.value), choice.plies) for choice in solver.choices(match.position)]
                if solution.plies is not None:
                    assert len(solution.line) == solution.plies
                position = match.position
                for word in solution.line:
                    move = match.rules.read(position, word)
                    assert move in solver.best(position)
                    position = match.rules.play(position, move)

    with_pool(work)


def test_of_very_many_choices_the_first_are_told() -> None:
    match = book("double-up", limit="1000000")
    match.play_line(str(2**power) for power in range(1, 18))

    async def work(pool: Pool) -> None:
        solution = await pool.ask(of(match))
        assert len(solution.choices) == 1000
        assert solution.left_out == 2**17 - 1000
        score = Solver(match.rules).score(match.position)
        assert (str(score.value), score.plies) == (solution.value, solution.plies)
        for choice in solution.choices:
            assert choice.keeps == (choice.value == solution.value)
        begin = monotonic()
        with pytest.raises(TooBig):  # each is known at once, but there are so many
            await pool.ask(of(match, "hint", rung=2), seconds=0.02)
        assert monotonic() - begin < SOON
        assert "of 131,072 moves" in (await pool.ask(of(match, "hint", rung=2))).text

    with_pool(work)


def test_a_computer_chooses_as_at_the_terminal(run: Callable[..., Any], state: Path) -> None:
    """In three matches; ``tests/proofs/test_players.py`` has all of them."""
    for chosen in (MATCHES[0], *MATCHES[-2:]):
        chooses_as_at_the_terminal(run, state, *chosen)


def test_the_time_is_kept_and_the_process_too() -> None:
    async def work(pool: Pool) -> None:
        await pool.ask(small())
        processes = pool.processes
        for question in (large(), large(ask="hint", rung=1), large(ask="why", move="1")):
            begin = monotonic()
            with pytest.raises(TooBig, match=r"no exact answer within 0\.4 seconds; ask later in the game"):
                await pool.ask(question, seconds=0.4)
            assert 0.3 < monotonic() - begin < SOON
        begin = monotonic()
        graded = await pool.ask(of(long_game(), "report"), seconds=0.5)
        assert 0.4 < monotonic() - begin < SOON
        grades = [decision.grade for decision in graded.rounds[0].decisions]
        assert grades[0] == "ungraded"
        assert "kept" in grades or "lost" in grades
        assert await pool.ask(small(2)) == await pool.ask(small(2))
        assert pool.processes == processes

    with_plain_pool(work, workers=1)


def test_an_answer_that_was_hurried_is_not_remembered() -> None:
    question = of(long_game(), "report")

    async def work(pool: Pool) -> None:
        hurried = await pool.ask(question, seconds=0.2)
        begin = monotonic()
        again = await pool.ask(question, seconds=0.3)
        assert monotonic() - begin > 0.2
        assert (hurried.seconds, again.seconds) == (0.2, 0.3)

    with_plain_pool(work)


def test_a_process_that_does_not_listen_is_replaced() -> None:
    async def work(pool: Pool) -> None:
        task = await begun(pool, large(), seconds=60)
        (process,) = pool.processes
        os.kill(process, signal.SIGSTOP)
        begin = monotonic()
        await given_up(task)
        assert monotonic() - begin < GIVE_UP_SECONDS, "who gives up need not wait"
        await pool.ask(small())
        assert GIVE_UP_SECONDS - 0.1 < monotonic() - begin < SOON
        assert pool.processes != [process]
        assert not alive(process)

    with_plain_pool(work, workers=1)


def test_who_gives_up_frees_the_process() -> None:
    async def work(pool: Pool) -> None:
        for seed, question in enumerate((large(), larger())):
            task = await begun(pool, question, seconds=60)
            begin = monotonic()
            await given_up(task)
            await pool.ask(small(seed))
            assert monotonic() - begin < SOON

    with_pool(work, workers=1)


def test_progress_is_told_and_not_too_often() -> None:
    async def work(pool: Pool) -> None:
        told: list[int] = []
        with pytest.raises(TooBig):
            await pool.ask(large(), seconds=2, progress=told.append)
        assert told == sorted(told)
        assert 2 <= len(told) <= 9
        assert told[0] > 0

        def mistaken(positions: int) -> None:
            raise RuntimeError("a mistake of the caller's")

        other = asyncio.create_task(pool.ask(large(), seconds=1.1))
        with pytest.raises(RuntimeError, match="of the caller's"):
            await pool.ask(large(), seconds=1.1, progress=mistaken)
        with pytest.raises(TooBig):
            await other

    with_plain_pool(work)


def test_the_event_loop_stays_free() -> None:
    """It turns all the time and hardly works. (How long its longest pause was says more about the machine.)"""

    async def work(pool: Pool) -> None:
        turns = 0

        async def turn() -> None:
            nonlocal turns
            while True:
                await asyncio.sleep(0.01)
                turns += 1

        turning, worked = asyncio.create_task(turn()), process_time()
        questions = [larger(), *(of(by("perfect", catalog.find_game(key)), "choose") for key in catalog.keys())]
        asked = (pool.ask(question, seconds=3) for question in questions)
        await asyncio.gather(*asked, return_exceptions=True)
        await given_up(turning)
        assert turns > 50
        assert process_time() - worked < 1

    with_pool(work)


def test_equal_questions_are_answered_once() -> None:
    async def work(pool: Pool) -> None:
        begin = monotonic()
        asked = [asyncio.create_task(pool.ask(large(), seconds=SOON / 5)) for _ in range(6)]
        done = await asyncio.gather(*asked, return_exceptions=True)
        assert {type(error) for error in done} == {TooBig}
        assert len(set(map(id, done))) == 6, "an error for each"
        assert monotonic() - begin < SOON

    with_plain_pool(work, workers=1)


def test_of_two_processes_each_owner_has_one() -> None:
    async def work(pool: Pool) -> None:
        running = [await begun(pool, perfect(range=str(highest)), seconds=60) for highest in (30, 31)]
        begin: list[str] = []
        tasks = []
        for owner, highest in (("many", 32), ("many", 33), ("few", 34)):
            question, progress = perfect(range=str(highest)), lambda _, owner=owner: begin.append(owner)
            tasks.append(asyncio.create_task(pool.ask(question, owner=owner, seconds=60, progress=progress)))
            await asyncio.sleep(0)
        for task in running:
            await given_up(task)
        await eventually_async(lambda: len(begin) >= 2 and len(set(begin)) == 2)
        for task in tasks:
            await given_up(task)

    with_plain_pool(work, workers=3)


def test_proofs_leave_a_process_for_moves_that_need_none() -> None:
    async def work(pool: Pool) -> None:
        running = [await begun(pool, perfect(), owner="many", seconds=60)]
        more = [perfect(range=str(highest)) for highest in range(26, 35)]
        running += [asyncio.create_task(pool.ask(question, owner="many", seconds=60)) for question in more]
        await asyncio.sleep(0)
        for seed in range(3):
            match = by("level:1", limit=str(50 + seed))
            assert (await pool.ask(of(match, "choose"), owner="few")).move
        assert not any(task.done() for task in running)
        for task in running:
            await given_up(task)

    with_plain_pool(work, workers=2)


def test_moves_that_need_no_proof_leave_the_other_processes_to_study() -> None:
    """However many of them there are: a move is answered and the next one asked for, on and on."""

    async def work(pool: Pool) -> None:
        running = await begun(pool, large(), seconds=60)
        asked = 0

        async def play(number: int) -> None:
            nonlocal asked
            while True:
                asked += 1
                await pool.ask(of(by("random", limit=str(100 + asked)), "choose"), owner=f"many {number}")

        playing = [asyncio.create_task(play(number)) for number in range(8)]
        studying = asyncio.create_task(pool.ask(small(), owner="few"))
        await asyncio.sleep(0)
        await given_up(running)
        assert await studying
        assert not any(task.done() for task in playing)
        for task in playing:
            await given_up(task)

    with_plain_pool(work, workers=2)


def test_a_report_leaves_a_process_for_other_questions() -> None:
    reports = [of(book("increasing-differences", 100, seed, length="12", range="39"), "report") for seed in (1, 2)]

    async def work(pool: Pool) -> None:
        running = [await begun(pool, reports[0], owner="many", seconds=60)]
        running.append(asyncio.create_task(pool.ask(reports[1], owner="many", seconds=60)))
        await asyncio.sleep(0)
        for seed in range(3):
            assert await pool.ask(small(seed), owner="few")
        assert not any(task.done() for task in running)
        for task in running:
            await given_up(task)

    with_plain_pool(work, workers=3)


def test_an_answer_comes_even_if_the_process_dies() -> None:
    match = book("pyramid-challenge")
    score = Solver(match.rules).score(match.position)

    async def work(pool: Pool) -> None:
        task = asyncio.create_task(pool.ask(of(match)))
        await eventually_async(lambda: pool.processes)
        await asyncio.sleep(0.3)
        (process,) = pool.processes
        os.kill(process, signal.SIGKILL)
        answer = await task
        assert (answer.value, answer.plies) == (str(score.value), score.plies)
        (other,) = pool.processes
        assert other != process
        os.kill(other, signal.SIGKILL)  # while it has nothing to do
        assert await pool.ask(small())

    with_pool(work)


def test_a_question_that_kills_is_not_asked_for_ever() -> None:
    async def work(pool: Pool) -> None:
        task = await begun(pool, large(), seconds=60)
        (process,) = pool.processes
        os.kill(process, signal.SIGKILL)
        await eventually_async(lambda: pool.processes not in ([], [process]))
        os.kill(pool.processes[0], signal.SIGKILL)
        with pytest.raises(SearchFailed, match="broke off twice"):
            await task
        assert await pool.ask(small())

    with_plain_pool(work, workers=1)


def test_a_question_with_too_much_to_show_is_refused_and_no_process_dies_of_it() -> None:
    endless = practice_of((2**power for power in range(1, 60)), {"right": {str(2**60): []}, "wrong": {}})

    async def work(pool: Pool) -> None:
        await pool.ask(small())
        processes = pool.processes
        with pytest.raises(TooBig, match=f"more than {MAX_TILES:,} tiles"):
            await pool.ask(broad_question(), seconds=60)
        with pytest.raises(ParlourError, match="its moves are not the legal moves"):
            await pool.ask(endless, seconds=60)
        assert (await pool.ask(broad_question(lines=2), seconds=60)).turns
        assert pool.processes == processes

    with_pool(work, workers=1)


def test_practice_and_exams_leave_the_first_process_to_moves() -> None:
    exam: dict[str, Any] = {"game": "double-up", "number": 1, "answers": []}
    mistakes = of(book("double-up", 20, limit="8"), "mistakes")

    async def work(pool: Pool) -> None:
        sheet = SheetRequest(**exam)
        diploma = DiplomaRequest(**exam, name="Ann", date="2026-11-17")
        questions: list[Asked] = [mistakes, broad_question(lines=2), sheet, diploma]
        await asyncio.gather(*(pool.ask(question) for question in questions), return_exceptions=True)
        assert pool._processes[0] is None
        for process in pool.processes:
            os.kill(process, signal.SIGKILL)
        await eventually_async(lambda: not pool.processes)
        assert (await pool.ask(sheet)).count == 14, "it is remembered"
        assert not pool.processes

    with_pool(work, workers=3)


@pytest.mark.parametrize(("question", "how"), [(large(), "plain"), (larger(), "compiled")], ids=["plain", "compiled"])
def test_a_killed_server_leaves_nothing_behind(question: Asked, how: str) -> None:
    command = [sys.executable, "-c", SERVER, question.record, how, *PLAIN]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        (process,) = map(int, server.stdout.readline().split())
        assert alive(process)
        if how == "compiled":
            sleep(3)  # until it is compiled, on most machines
        assert alive(process)
        server.kill()
    deadline = monotonic() + SOON
    while alive(process):
        assert monotonic() < deadline, "it goes on thinking for nobody"
        sleep(0.02)


def complaints(errors: bytes) -> bytes:
    """What a process without wasmtime has written besides the line that says so."""
    return re.sub(rb"^parlour: searches run in pure Python, [^\n]*wasmtime cannot start[^\n]*\n", b"", errors)


def test_the_end_of_its_input_is_the_end_of_it(process: Starter) -> None:
    for question in (None, large()):
        one = process(*PLAIN)
        assert one.stdin is not None
        if question is not None:
            put(one, 1, question)
            assert said_by(one)["type"] == "progress"
        one.stdin.close()
        assert one.wait(SOON) == 0
        assert one.stderr is not None
        assert complaints(one.stderr.read()) == b""
        one.stdin = None


@pytest.mark.parametrize("rest", [b"\0", b"\0\0\0", b"\0\0\0\5{}", b"\0\0\0\2"])
def test_a_message_that_breaks_off_is_the_end_of_it(process: Starter, rest: bytes) -> None:
    one = process()
    put(one, 1, small())
    assert said_by(one)["type"] == "answer"
    out, err = one.communicate(rest, timeout=SOON)
    assert (one.returncode, out, err) == (0, b"", b"")


def test_ctrl_c_is_not_for_it(process: Starter) -> None:
    one = process(*PLAIN)
    put(one, 1, large())
    assert said_by(one)["type"] == "progress"
    one.send_signal(signal.SIGINT)
    assert said_by(one)["type"] == "progress"
    out, err = one.communicate(frame(CancelMessage(type="cancel", id=1)), timeout=SOON)
    assert complaints(err) == b""
    assert b"Traceback" not in out


def test_what_somebody_prints_is_no_answer(process: Starter) -> None:
    chatty = """
import os
from parlour import record
from parlour.web import worker
read = record.read_record
def talk(text):
    print("hello")
    os.write(1, b"hello again")
    return read(text)
record.read_record = talk
worker.main()
"""
    one = process("-c", chatty)
    put(one, 7, small())
    message = said_by(one)
    assert (message["type"], message["id"], message["complete"]) == ("answer", 7, True)
    _, err = one.communicate(timeout=SOON)
    assert b"hello again" in err


def test_a_full_memory_is_no_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "MOST_MEMORY", 4 << 20)
    monkeypatch.setattr("parlour.solver.solver.PLAIN_NODES", 1 << 30)  # WebAssembly makes do with any memory
    said: list[worker.Message] = []
    working = worker.Worker(said.append)
    working.answer(asked(1, larger(), 60))
    assert isinstance(said[-1], ErrorMessage)
    assert "MB of memory" in said[-1].message
    late = book("pyramid-challenge", 6, base="5", highest="20")
    (solver,) = working._solvers.values()
    with pytest.raises(TooBig, match="MB of memory"):  # or there would be nothing to see here
        solver.value(late.position, Limit(memory=4 << 20))
    working.answer(asked(2, of(late, "hint", rung=1), 60))
    assert isinstance(said[-1], AnswerMessage), said[-1]
    assert said[-1].id == 2


def test_owners_take_turns() -> None:
    """And whoever has just been answered is not the next, though he asked before the others came."""

    async def work(pool: Pool) -> None:
        running = await begun(pool, large(), owner="many", seconds=60)
        questions = [("many", small(seed)) for seed in range(4)] + [("few", small(seed)) for seed in range(4, 6)]
        assert await in_order(pool, questions, running) == ["few", "many", "few", "many", "many", "many"]
        running = await begun(pool, perfect(), owner="many", seconds=60)
        questions = [("many", of(by("perfect", limit=str(limit)), "prove")) for limit in range(20, 24)]
        questions.append(("few", small(7)))
        assert await in_order(pool, questions, running) == ["few", "many", "many", "many", "many"]

    with_plain_pool(work, workers=1)


def test_a_question_is_given_up_only_when_all_have_gone() -> None:
    async def work(pool: Pool) -> None:
        question = of(book("pyramid-challenge"))
        first, second, third = (asyncio.create_task(pool.ask(question)) for _ in range(3))
        await eventually_async(lambda: pool.processes)
        await asyncio.sleep(0.1)
        await given_up(first)
        await given_up(third)
        answer = await second
        assert answer.value in ("win", "draw", "loss")
        answer.choices.clear()
        assert (await pool.ask(question)).choices, "each has an answer of his own"

    with_pool(work)


def test_of_ones_own_questions_the_move_that_needs_a_proof_goes_before_study() -> None:
    async def work(pool: Pool) -> None:
        order: list[str] = []

        async def ask(question: Asked) -> None:
            await pool.ask(question, owner="one")
            order.append(question.ask)

        running = await begun(pool, large(), seconds=60)
        tasks = [asyncio.create_task(ask(small(seed))) for seed in range(2)]
        tasks.append(asyncio.create_task(ask(of(by("perfect"), "prove"))))
        await asyncio.sleep(0)
        await given_up(running)
        await asyncio.gather(*tasks)
        assert order == ["prove", "solve", "solve"]

    with_plain_pool(work, workers=2)


def test_study_leaves_a_process_for_moves() -> None:
    async def work(pool: Pool) -> None:
        running = [await begun(pool, large(), seconds=60)]
        running += [asyncio.create_task(pool.ask(small(seed), seconds=60)) for seed in range(3)]
        for _ in range(2):
            begin = monotonic()
            assert (await pool.ask(of(by("level:3"), "choose"))).move
            assert monotonic() - begin < SOON
        assert not any(task.done() for task in running)
        for task in running:
            await given_up(task)

    with_plain_pool(work, workers=2)


def test_who_leaves_the_queue_makes_room() -> None:
    async def work(pool: Pool) -> None:
        running = await begun(pool, large(), seconds=60)
        waiting = asyncio.create_task(pool.ask(small()))
        await asyncio.sleep(0)
        await given_up(waiting)
        instead = asyncio.create_task(pool.ask(small(2)))
        await asyncio.sleep(0)
        await given_up(running)
        assert await instead

    with_plain_pool(work, workers=1, waiting=1)


def test_without_the_time_for_distances_the_values_are_told() -> None:
    """Of a question so large that its distances take long; where exactly the time is up is the machine's business."""
    match = book("pyramid-challenge", 4, highest="14")
    expected = Solver(match.rules).choices(match.position)

    async def work(pool: Pool) -> None:
        for seconds in (0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 20):
            with suppress(TooBig):
                solution = await pool.ask(of(match), seconds=seconds)
                values = [choice.value for choice in solution.choices]
                assert values == [str(choice.value) for choice in expected]
                distances = [choice.plies for choice in solution.choices]
                if distances == [choice.plies for choice in expected]:
                    return
                assert not any(distances)
        raise AssertionError("no time was enough")

    with_pool(work)


def test_closing_is_quick_and_ends_everything() -> None:
    async def work() -> None:
        pool = Pool(workers=2)
        tasks = [await begun(pool, large(), seconds=60)]
        tasks.append(asyncio.create_task(pool.ask(small())))  # waits
        tasks.append(asyncio.create_task(pool.ask(of(by("random"), "choose"))))  # is being started
        await asyncio.sleep(0.01)
        processes = pool.processes
        begin = monotonic()
        await pool.close()
        assert monotonic() - begin < GIVE_UP_SECONDS
        errors = await asyncio.gather(*tasks, return_exceptions=True)
        assert {type(error) for error in errors} == {SearchFailed}
        assert not any(map(alive, processes))
        with pytest.raises(SearchFailed):
            await pool.ask(small())
        await pool.close()

    asyncio.run(work())
    asyncio.run(Pool().close())


def test_a_remembered_answer_is_not_touched() -> None:
    moves = [str(move) for move in range(2, 302)]
    question = PositionQuestion(game="double-up", options={"limit": "none"}, moves=moves, p1="Ann", p2="Ben")

    async def work(pool: Pool) -> None:
        answer = await pool.ask_json(question)
        assert await pool.ask_json(question) is answer
        assert len(answer.deflated) < len(answer.json) / 10
        assert gzip.decompress(gzip_document(answer)) == answer.json
        assert [tile["text"] for tile in json.loads(answer.json)["view"][0]["rows"][0]][-1] == "301"

    with_pool(work, workers=1)


def test_nobody_waits_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour.web.pool.LONGEST_WAIT_SECONDS", 0.2)

    async def work(pool: Pool) -> None:
        running = await begun(pool, large(), seconds=60)
        with pytest.raises(Busy, match=r"for 0\.2 seconds"):
            await pool.ask(small())
        assert not running.done()
        monkeypatch.undo()
        await given_up(running)
        assert await pool.ask(small())

    with_plain_pool(work, workers=1)


def test_errors_are_told_as_they_were() -> None:
    match = book(catalog.keys()[0], 3)
    endless = by("perfect", catalog.find_game("double-up"), limit="none")
    endless.play_line(["2", "3"])

    async def work(pool: Pool) -> None:
        async def refused(kind: type[ParlourError], question: Asked, words: str | None = None) -> None:
            with pytest.raises(kind, match=words) as caught:
                await pool.ask(question, seconds=2)
            assert type(caught.value) is kind

        for text, kind in (("x", UnreadableMove), ("999999", IllegalMove)):
            await refused(kind, of(match, "why", move=text))
            with pytest.raises(kind) as theirs:
                match.read(text)
            with pytest.raises(kind) as ours:
                await pool.ask(of(match, "why", move=text))
            assert str(ours.value) == str(theirs.value)
            assert (ours.value.reason, ours.value.legal) == (theirs.value.reason, theirs.value.legal)
            assert ours.value.problem == theirs.value.problem
        await refused(BadRecord, SolveQuestion(record="nonsense"), "this is not a Parlour record")
        await refused(BadPosition, of(match, position="x"))
        await refused(UnknownPlayer, of(by("human"), "choose"), "is a person")
        await refused(UnknownPlayer, of(by("engine:touch started"), "choose"), "no programs are started here")
        await refused(UnknownPlayer, of(by("nobody"), "choose"), "unknown player")
        assert await pool.ask(of(endless, "choose"), seconds=60) == ChosenMove(move=None, unproved=True)
        await refused(TooBig, of(endless), "need not end")
        await refused(TooBig, of(endless, "hint", rung=1), "need not end")
        await refused(SearchFailed, Unheard(record=record.write_record(match)))
        over = by("random")
        over.resign(2)
        await refused(GameOver, of(over, "choose"))
        assert len(pool.processes) == 2, "nobody died of it"

    with_plain_pool(work)


def test_what_was_answered_lately_is_remembered() -> None:
    async def work(pool: Pool) -> None:
        question = small()
        answer = await pool.ask(question)
        for process in pool.processes:
            os.kill(process, signal.SIGKILL)
        await eventually_async(lambda: not pool.processes)
        assert await pool.ask(question) == answer
        assert await pool.ask(small(), seconds=5) == answer
        assert not pool.processes

    with_pool(work)


def test_too_many_questions_are_refused() -> None:
    async def work(pool: Pool) -> None:
        running = await begun(pool, large(), seconds=60)
        waiting = asyncio.create_task(pool.ask(small()))
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await pool.ask(small(2))
        joined = asyncio.create_task(pool.ask(small()))  # an equal one has a place already
        move = asyncio.create_task(pool.ask(of(by("random"), "choose")))  # and moves have places of their own
        await asyncio.sleep(0)
        assert not joined.done()
        assert not move.done()
        await given_up(running)
        assert await waiting == await joined
        assert (await move).move
        assert await pool.ask(small(2))

    with_plain_pool(work, workers=1, waiting=1)


def test_moves_go_before_study() -> None:
    async def work(pool: Pool) -> None:
        order: list[str] = []

        async def ask(name: str, question: Asked) -> None:
            await pool.ask(question)
            order.append(name)

        running = await begun(pool, large(), seconds=60)
        tasks = [asyncio.create_task(ask("study", small(seed))) for seed in range(3)]
        await asyncio.sleep(0)
        tasks.append(asyncio.create_task(ask("move", of(by("random"), "choose"))))
        await asyncio.sleep(0)
        await given_up(running)
        await asyncio.gather(*tasks)
        assert order == ["move", "study", "study", "study"]

    with_plain_pool(work, workers=1)


def test_one_owner_cannot_fill_the_queue() -> None:
    async def work(pool: Pool) -> None:
        running = await begun(pool, large(), owner="many", seconds=60)
        waiting = [asyncio.create_task(pool.ask(small(seed), owner="many")) for seed in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await pool.ask(small(2), owner="many")
        waiting.append(asyncio.create_task(pool.ask(small(3), owner="few")))
        await asyncio.sleep(0)
        assert not any(task.done() for task in waiting)
        await given_up(running)
        assert all(await asyncio.gather(*waiting))

    with_plain_pool(work, workers=1, waiting=2 * OWNER_SHARE)


def test_what_cannot_be_an_answer_is_not_asked_for_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = """
import sys
sys.stdin.buffer.read(1)
open(sys.argv[1], "a").write("x")
sys.stdout.buffer.write(b"\\xff" * 12)
sys.stdout.buffer.flush()
sys.stdin.buffer.read()
"""
    started = tmp_path / "started"
    monkeypatch.setattr("parlour.web.pool._command", lambda: [sys.executable, "-c", script, str(started)])

    async def work(pool: Pool) -> None:
        with pytest.raises(SearchFailed, match="no answer that can be read"):
            await pool.ask(small())
        assert started.read_text() == "x"

    with_pool(work, workers=1)
