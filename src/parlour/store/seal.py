"""Seals: checksums of stored matches, which reveal damage when a match is read.

Each line has a digest of itself and all lines before it. The seal of a match has its seq, its number of lines, and a
digest of all columns and lines. Missing or altered data disagree with one of them.

Parlour 0.1.0 wrote no digests and no seals. A server of that version may share a database with newer ones, and leaves
seals unchanged. So a seal with an earlier seq does not cover later changes. The next change by this version renews it.

Seals protect against accidents, not against attackers with write access to the database.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple

SEAL_FORMAT = "1"  # seals of other formats belong to other versions, and are ignored
DIGEST_BYTES = 16
SEALED_COLUMNS = {  # the types of each column; other columns need another format
    "id": (str,),
    "seq": (int,),
    "kind": (str,),
    "head": (str,),
    "seat_0": (bytes, type(None)),
    "seat_1": (bytes, type(None)),
    "invite": (bytes, type(None)),
    "offer": (str,),
    "rematch": (str,),
    "over": (bool,),
    "created": (float,),
    "touched": (float,),
}
NO_LINES = b"\0" * DIGEST_BYTES

Line = tuple[object, object, object]  # number, text and digest, unchecked


class Lines(NamedTuple):
    """The intact lines of a match."""

    texts: tuple[str, ...]
    digests: tuple[bytes, ...]  # for each line, the digest of the previous digest and its text
    damage: str | None  # the damage of the line after them


@lru_cache(maxsize=64)  # a change needs them for the seal and for each new line
def line_digests(texts: tuple[str, ...]) -> tuple[bytes, ...]:
    """Return the digest of each line."""
    digests = []
    last = NO_LINES
    for text in texts:
        last = blake2b(last + text.encode(), digest_size=DIGEST_BYTES).digest()
        digests.append(last)
    return tuple(digests)


def read_lines(lines: Sequence[Line]) -> Lines:
    """Return the lines before any damage. A line without a digest is trusted."""
    read: list[str] = []
    damage = None
    for expected, (number, text, _) in enumerate(lines):
        if type(text) is not str or type(number) is not int or number < expected:
            damage = f"line {expected + 1} cannot be read"
            break
        if number > expected:
            damage = f"line {expected + 1} is missing"
            break
        read.append(text)
    texts = tuple(read)
    digests = line_digests(texts)
    for index, right in enumerate(digests):
        digest = lines[index][2]
        if digest is not None and digest != right:
            return Lines(texts[:index], digests[:index], f"line {index + 1} is not what was written")
    return Lines(texts, digests, damage)


def make_seal(columns: Mapping[str, object], texts: tuple[str, ...]) -> str:
    """Return the seal of a match; columns outside SEALED_COLUMNS are ignored."""
    return f"{SEAL_FORMAT} {columns['seq']} {len(texts)} {_digest(columns, line_digests(texts))}"


def find_damage(columns: Mapping[str, object], lines: Lines, seal: object) -> str | None:
    """Return a short description of the damage to a match; None if it is intact.

    The types of all values are checked, because a damaged SQLite file can hold anything.
    """
    for name, kinds in SEALED_COLUMNS.items():
        if type(columns[name]) not in kinds:
            return f"its {name} cannot be read"
    if lines.damage is not None or seal is None:
        return lines.damage
    parts = str(seal).split(" ")
    if parts[0] != SEAL_FORMAT and parts[0].isdigit() and len(parts) > 1:
        return None
    if len(parts) != 4 or parts[0] != SEAL_FORMAT or not (parts[1].isdigit() and parts[2].isdigit()):
        return "its seal cannot be read"
    seq, length = int(parts[1]), int(parts[2])
    if len(lines.texts) < length:
        return f"lines written: {length}, lines left: {len(lines.texts)}"
    if parts[3] == _digest({**columns, "seq": seq}, lines.digests):
        return None if columns["seq"] == seq else "its seq is not what was written"
    # A later seq without a later seal was written by 0.1.0.
    written_since = isinstance(columns["seq"], int) and columns["seq"] > seq
    return None if written_since else "its tags, seats, dates or lines are not what was written"


def _digest(columns: Mapping[str, object], digests: Sequence[bytes]) -> str:
    """Return the digest of the sealed columns and lines."""
    values = [columns[name] for name in SEALED_COLUMNS]
    values_as_text = [value.hex() if isinstance(value, bytes) else value for value in values]
    covered = json.dumps(values_as_text).encode() + (digests[-1] if digests else NO_LINES)
    return blake2b(covered, digest_size=DIGEST_BYTES).hexdigest()
