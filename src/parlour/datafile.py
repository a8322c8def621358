"""Compressed data files of the package: a line of JSON, the head, and a body of text.

The head has the version of the format and a digest of the body. Files are reproducible: the gzip header has no time.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from parlour.errors import BadArchive

T = TypeVar("T")


def write_datafile(head: Mapping[str, object], body: str, version: int) -> bytes:
    """Return the bytes of a file with a head, a body and a version of the format."""
    data = body.encode()
    line = json.dumps({"format": version, **head, "sha256": hashlib.sha256(data).hexdigest()})
    compressor = zlib.compressobj(9, wbits=31)
    return compressor.compress(line.encode() + b"\n" + data) + compressor.flush()


def read_datafile(data: bytes, what: str, version: int, parse: Callable[[dict[str, Any], list[str]], T]) -> T:
    """Return the result of ``parse`` for the head and the lines of a file.

    Raises:
        BadArchive: the file is damaged, or has another version of its format.
    """
    try:
        first, _, body = zlib.decompress(data, 31).partition(b"\n")
        head = json.loads(first)
        if head["format"] != version:
            raise BadArchive(f"{what} has format {head['format']}, and this Parlour reads {version}")
        if hashlib.sha256(body).hexdigest() == head["sha256"]:
            return parse(head, body.decode().splitlines())
    except BadArchive:
        raise
    except (zlib.error, ValueError, LookupError, TypeError, StopIteration):
        pass
    raise BadArchive(f"{what} is damaged; install Parlour again")
