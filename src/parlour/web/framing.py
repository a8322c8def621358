"""Messages between the server and its worker processes: four bytes for the length, then so many bytes of JSON."""

from __future__ import annotations

import asyncio
import json
from typing import Any, BinaryIO

from parlour.documents import fields_of

LENGTH_BYTES = 4
LARGEST_MESSAGE = 16 << 20  # bytes


def frame(message: object) -> bytes:
    """A message, which is a document, as it is sent."""
    data = json.dumps(message, default=fields_of, separators=(",", ":")).encode()
    return len(data).to_bytes(LENGTH_BYTES, "big") + data


def read_message(stream: BinaryIO) -> dict[str, Any] | None:
    """The next message of a stream; None where the stream ends or breaks off."""
    head = stream.read(LENGTH_BYTES)
    length = int.from_bytes(head, "big")
    data = stream.read(length)
    return json.loads(data) if len(head) == LENGTH_BYTES and len(data) == length else None


async def receive(stream: asyncio.StreamReader) -> bytes:
    """The next message of a stream, still as JSON; EOFError if there is none, ValueError if it is too large."""
    length = int.from_bytes(await stream.readexactly(LENGTH_BYTES), "big")
    if length > LARGEST_MESSAGE:
        raise ValueError(f"a message of {length:,} bytes is too large")
    return await stream.readexactly(length)
