"""PNG images, read without a library."""

from __future__ import annotations

import struct
import zlib


def decoded(png: bytes) -> tuple[int, int, int]:
    """Width and height of a PNG, and how many colours it has, more or less: all of it is read, and has to be sound."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, at = dict[bytes, bytes](), 8
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at : at + 8])
        data = png[at + 8 : at + 8 + length]
        assert zlib.crc32(kind + data) == struct.unpack(">I", png[at + 8 + length : at + 12 + length])[0]
        chunks[kind] = chunks.get(kind, b"") + data
        at += 12 + length
    width, height, depth, colour = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    rows = zlib.decompress(chunks[b"IDAT"])
    assert (depth, len(rows)) == (8, height * (1 + width * {2: 3, 6: 4}[colour]))
    assert b"IEND" in chunks
    return width, height, len(set(rows))
