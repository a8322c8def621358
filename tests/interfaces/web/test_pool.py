"""The pool of search processes: queues, memory, messages. tests/system/web has the tests that take longer."""

from __future__ import annotations

import asyncio
import gzip
import io
import os
import signal
import sys
from pathlib import Path
from random import Random

import pytest

from parlour import catalog, record
from parlour.documents.questions import (
    QUESTIONS,
    AnswerMessage,
    ChosenMove,
    ErrorMessage,
    Lane,
    MatchQuestion,
    ProgressMessage,
    SolveQuestion,
)
from parlour.documents.solution import Solution
from parlour.errors import (
    BadPosition,
    BadRecord,
    Busy,
    GameOver,
    IllegalMove,
    ParlourError,
    SearchFailed,
    TooBig,
    UnknownPlayer,
    UnreadableMove,
)
from parlour.web import worker
from parlour.web.compression import Encoded, GzipStream, encode, gzip_document
from parlour.web.framing import LARGEST_MESSAGE, frame, read_message, receive
from parlour.web.pool import OWNER_SHARE, Pool
from tests.support.pool import (
    Asked,
    Unheard,
    asked,
    begun,
    book,
    by,
    given_up,
    large,
    of,
    small,
    until,
    with_plain_pool,
    with_pool,
)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the server needs POSIX")


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
        over.resign(1)
        await refused(GameOver, of(over, "choose"))
        assert len(pool.processes) == 2, "nobody died of it"

    with_plain_pool(work)


def test_what_was_answered_lately_is_remembered() -> None:
    async def work(pool: Pool) -> None:
        question = small()
        answer = await pool.ask(question)
        for process in pool.processes:
            os.kill(process, signal.SIGKILL)
        await until(lambda: not pool.processes)
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


def test_an_answer_that_is_too_large_to_be_sent_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "LARGEST_ANSWER", 100)
    said: list[worker.Message] = []
    worker.Worker(said.append).answer(asked(1, small()))
    (refusal,) = said
    assert isinstance(refusal, ErrorMessage)
    assert refusal.error == "TooBig"
    assert "the answer would have more than" in refusal.arguments[0]


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


def test_a_kind_of_question_states_who_answers_it_how_long_and_whether_that_is_remembered() -> None:
    with pytest.raises(TypeError, match="Forgetful does not state remembered, seconds"):

        class Forgetful(MatchQuestion[Solution]):
            ask = "forgetful"
            answered_by = Solution
            lane = Lane.STUDY

    assert "forgetful" not in QUESTIONS
    quick = {kind for kind, question in QUESTIONS.items() if question.lane is Lane.QUICK}
    assert quick == {"choose", "qr", "line", "position", "replay", "import"}


def test_a_question_that_was_given_up_before_it_was_begun_is_not_searched() -> None:
    said: list[worker.Message] = []
    working = worker.Worker(said.append)
    working.cancel(2)
    working.answer(asked(2, large(), 60))
    working.answer(asked(3, small()))
    given_up, answered = said
    assert isinstance(given_up, ErrorMessage)
    assert (given_up.id, given_up.error, given_up.arguments) == (2, "SearchFailed", ["the question was given up"])
    assert isinstance(answered, AnswerMessage)


def test_only_a_few_games_are_remembered() -> None:
    said: list[worker.Message] = []
    working = worker.Worker(said.append)
    for id, limit in enumerate(range(10, 20), 1):
        working.answer(asked(id, of(book("double-up", limit=str(limit))), 5))
    assert len(working._solvers) == worker.MOST_SOLVERS
    assert [isinstance(message, AnswerMessage) and message.complete for message in said] == [True] * 10


def test_a_message_arrives_as_it_was_sent_in_whatever_pieces() -> None:
    sent = [
        ProgressMessage(type="progress", id=1, positions=2**40),
        AnswerMessage(type="answer", id=2, answer=Encoded(b'{"move":"\0\xff"}', b"\0\xff"), complete=False),
        ErrorMessage(type="error", id=3, error="TooBig", arguments=["x" * 70_000]),
    ]
    data = b"".join(map(frame, sent))
    expected = [
        {"type": "progress", "id": 1, "positions": 2**40},
        {"type": "answer", "id": 2, "answer": (b'{"move":"\0\xff"}', b"\0\xff"), "complete": False},
        {"type": "error", "id": 3, "error": "TooBig", "arguments": ["x" * 70_000]},
    ]
    stream = io.BytesIO(data)
    assert [read_message(stream) for _ in range(4)] == [*expected, None]

    async def work(size: int) -> None:
        reader = asyncio.StreamReader()

        async def feed() -> None:
            for start in range(0, len(data), size):
                reader.feed_data(data[start : start + size])
                await asyncio.sleep(0)
            reader.feed_eof()

        feeding = asyncio.create_task(feed())
        assert [await receive(reader) for _ in expected] == expected
        with pytest.raises(EOFError):
            await receive(reader)
        await feeding

    for size in (1000, 65536, len(data)):
        asyncio.run(work(size))


@pytest.mark.parametrize("size", [0, 100, 5_000, 70_000, 300_000])
def test_pieces_make_one_gzip_file(size: int) -> None:
    data, stream = Random(size).randbytes(size) + b"end", GzipStream()
    pieces = (stream.text(b"before\n"), stream.document(encode(data)), stream.text(data), stream.text(b"after\n"))
    assert gzip.decompress(stream.begin() + b"".join(pieces) + stream.end()) == b"before\n" + data + data + b"after\n"
    assert gzip.decompress(gzip_document(encode(data))) == data


def test_a_message_that_is_too_large_is_not_waited_for() -> None:
    async def work() -> None:
        reader = asyncio.StreamReader()
        reader.feed_data((1).to_bytes(4, "big") + LARGEST_MESSAGE.to_bytes(4, "big") + bytes(4))
        with pytest.raises(ValueError, match="too large"):
            await receive(reader)

    asyncio.run(work())
