"""Search processes, without any: questions, messages, compression. tests/system/web has the pool itself."""

from __future__ import annotations

import asyncio
import gzip
import io
import sys
from random import Random

import pytest

from parlour.web import messages, worker
from parlour.web.compression import Encoded, GzipStream, encode, gzip_document
from parlour.web.framing import LARGEST_MESSAGE, frame, read_message, receive
from parlour.web.messages import (
    QUESTIONS,
    AnswerMessage,
    ErrorMessage,
    Lane,
    ProgressMessage,
)
from tests.support.pool import (
    asked,
    book,
    large,
    of,
    small,
)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the server needs POSIX")


def test_an_answer_that_is_too_large_to_be_sent_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "LARGEST_ANSWER", 100)
    said: list[worker.Message] = []
    worker.Worker(said.append).answer(asked(1, small()))
    (refusal,) = said
    assert isinstance(refusal, ErrorMessage)
    assert refusal.error == "TooBig"
    assert "the answer would have more than" in refusal.message


def test_every_kind_of_question_is_listed_and_states_who_answers_it_how_long_and_whether_that_is_remembered() -> None:
    declared = [kind for kind in vars(messages).values() if isinstance(kind, type) and "ask" in vars(kind)]
    assert set(QUESTIONS.values()) == set(declared)
    for kind in declared:
        assert {"answered_by", "lane", "seconds", "remembered"} <= vars(kind).keys(), kind
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
    assert (given_up.id, given_up.error, given_up.message) == (2, "SearchFailed", "the question was given up")
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
        ErrorMessage(type="error", id=3, error="TooBig", message="x" * 70_000, fields={}),
    ]
    data = b"".join(map(frame, sent))
    expected = [
        {"type": "progress", "id": 1, "positions": 2**40},
        {"type": "answer", "id": 2, "answer": (b'{"move":"\0\xff"}', b"\0\xff"), "complete": False},
        {"type": "error", "id": 3, "error": "TooBig", "message": "x" * 70_000, "fields": {}},
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
