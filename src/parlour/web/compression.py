"""Answers as they are sent: JSON, with the larger ones compressed once, by the process that has made them."""

from __future__ import annotations

import zlib
from typing import NamedTuple

SMALLEST_COMPRESSED = 4096  # bytes; below that it saves less than it costs
LARGEST_BLOCK = 65_535  # bytes of a stored block
HEADER = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"  # gzip header: deflate, no name, no time, any system
LAST_BLOCK = b"\x03\0"  # an empty one


class Encoded(NamedTuple):
    """A document as JSON, and the same as deflate blocks without a last one; no blocks if it is small."""

    json: bytes
    deflated: bytes = b""

    @property
    def size(self) -> int:
        """The bytes of both."""
        return len(self.json) + len(self.deflated)


def encode(json: bytes) -> Encoded:
    """Compress a document unless it is small. For another thread or process than the event loop's."""
    if len(json) < SMALLEST_COMPRESSED:
        return Encoded(json)
    compressor = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return Encoded(json, compressor.compress(json) + compressor.flush(zlib.Z_FULL_FLUSH))


class GzipStream:
    """A gzip file, written piece by piece from short texts and from documents that are compressed already."""

    def __init__(self) -> None:
        self._checksum = self._size = 0

    def begin(self) -> bytes:
        return HEADER

    def text(self, data: bytes) -> bytes:
        """A text, stored as it is."""
        self._count(data)
        starts = range(0, len(data), LARGEST_BLOCK)
        return b"".join(_stored(data[start : start + LARGEST_BLOCK]) for start in starts)

    def document(self, document: Encoded) -> bytes:
        if not document.deflated:
            return self.text(document.json)
        self._count(document.json)
        return document.deflated

    def end(self) -> bytes:
        size = self._size & 0xFFFFFFFF
        return LAST_BLOCK + self._checksum.to_bytes(4, "little") + size.to_bytes(4, "little")

    def _count(self, data: bytes) -> None:
        self._checksum = zlib.crc32(data, self._checksum)
        self._size += len(data)


def _stored(data: bytes) -> bytes:
    length = len(data)
    return b"\0" + length.to_bytes(2, "little") + (length ^ 0xFFFF).to_bytes(2, "little") + data


def gzip_document(document: Encoded) -> bytes:
    """A whole gzip file of one document."""
    stream = GzipStream()
    return stream.begin() + stream.document(document) + stream.end()
