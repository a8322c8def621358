"""The seal of a match: what is written beside it, so that damage is noticed when it is read.

A line carries a digest of itself and of all lines before it. The match carries its seal: its seq, how many lines it
has, and a digest of all its columns and lines. Whatever is missing or altered disagrees with one of them.

Lines and matches that Parlour 0.1.0 wrote have none of this. A server of that version may go on writing while others
are replaced by newer ones: it leaves a seal as it was, so one that is of an earlier seq says nothing about what was
written since. The next change by this version seals the match again.

It guards against accidents, not against people: whoever can write into the database can write a seal.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple

SEAL_FORMAT = "1"  # of a seal; one of another format is of another version of Parlour, and says nothing to this one
DIGEST_BYTES = 16
SEALED_COLUMNS = {  # what each of them holds; another set of columns needs another format
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


Line = tuple[object, object, object]  # its number, text and digest, as the database gives them


class Lines(NamedTuple):
    """The lines of a match, as far as they are what was written."""

    texts: tuple[str, ...]
    digests: tuple[bytes, ...]  # of each: of the digest before it, and of its text
    damage: str | None  # what is wrong with the line after the last of these


@lru_cache(maxsize=64)  # the lines of a match are digested for its seal, for each of them, and whenever they are read
def line_digests(texts: tuple[str, ...]) -> tuple[bytes, ...]:
    """The digests that lines are to be written with."""
    digests = []
    last = NO_LINES
    for text in texts:
        last = blake2b(last + text.encode(), digest_size=DIGEST_BYTES).digest()
        digests.append(last)
    return tuple(digests)


def read_lines(lines: Sequence[Line]) -> Lines:
    """The lines up to the damage, if there is any. A line without a digest is taken as it is."""
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
    """The seal of a match with these columns, which may be more than are covered, and these lines."""
    return f"{SEAL_FORMAT} {columns['seq']} {len(texts)} {_digest(columns, line_digests(texts))}"


def find_damage(columns: Mapping[str, object], lines: Lines, seal: object) -> str | None:
    """What is wrong with a match as it was read, in a few words; None if nothing is.

    No value is trusted to be of its kind: a damaged file of SQLite can hold anything.
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
    written_since = isinstance(columns["seq"], int) and columns["seq"] > seq  # by an earlier version, without a seal
    return None if written_since else "its tags, seats, dates or lines are not what was written"


def _digest(columns: Mapping[str, object], digests: Sequence[bytes]) -> str:
    """Of all that is covered."""
    values = [columns[name] for name in SEALED_COLUMNS]
    told = [value.hex() if isinstance(value, bytes) else value for value in values]
    covered = json.dumps(told).encode() + (digests[-1] if digests else NO_LINES)
    return blake2b(covered, digest_size=DIGEST_BYTES).hexdigest()
