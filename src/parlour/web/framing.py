"""Messages between the server and its worker processes.

Twelve bytes for three lengths, then a message as JSON, and after it the answer that belongs to it: as JSON and
compressed, as it is sent to the client, and is not decoded on the way.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any, BinaryIO

from parlour.web.compression import Encoded
from parlour.writer import write_json

LENGTH_BYTES = 4
HEAD_BYTES = 3 * LENGTH_BYTES
LARGEST_ANSWER = 16 << 20  # bytes of JSON; a process refuses to send more
LARGEST_MESSAGE = 2 * LARGEST_ANSWER + (1 << 20)  # bytes, with the answer in both forms


def frame(message: object) -> bytes:
    """Return a message as it is sent."""
    fields = {**vars(message)}
    answer = fields.pop("answer", None)
    attached = answer if isinstance(answer, Encoded) else Encoded(b"")
    text = write_json(fields, compact=True).encode("utf-8", "surrogatepass")  # json.loads reads it like this
    parts = text, *attached
    return b"".join((*(len(part).to_bytes(LENGTH_BYTES, "big") for part in parts), *parts))


def read_message(stream: BinaryIO) -> dict[str, Any] | None:
    """The next message of a stream; None where the stream ends or breaks off."""
    head = stream.read(HEAD_BYTES)
    length = sum(_lengths(head))
    data = stream.read(length)
    return _message(head, data) if len(head) == HEAD_BYTES and len(data) == length else None


async def receive(stream: asyncio.StreamReader) -> dict[str, Any]:
    """The next message of a stream; EOFError if there is none, ValueError if it is too large."""
    head = await stream.readexactly(HEAD_BYTES)
    length = sum(_lengths(head))
    if length > LARGEST_MESSAGE:
        raise ValueError(f"a message of {length:,} bytes is too large")
    return _message(head, await stream.readexactly(length))


def _lengths(head: bytes) -> list[int]:
    return [int.from_bytes(head[at : at + LENGTH_BYTES], "big") for at in range(0, HEAD_BYTES, LENGTH_BYTES)]


def _message(head: bytes, data: bytes) -> dict[str, Any]:
    first, second, _ = _lengths(head)
    message: dict[str, Any] = json.loads(data[:first])
    if len(data) > first:
        message["answer"] = Encoded(data[first : first + second], data[first + second :])
    return message
