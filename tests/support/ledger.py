"""The rule ledger: ``@rule`` on a test names the sentence of a rule book that the test proves.

``ledger.toml`` lists the sentences of the five books with our readings of them. ``make ledger`` writes docs/ledger.md
from that list and the marks.
"""

from __future__ import annotations

import importlib
import tomllib
from collections import defaultdict
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from tests.support import ROOT

BOOKS = Path(__file__).with_name("ledger.toml")
Test = TypeVar("Test", bound=Callable[..., object])


class Sentence(NamedTuple):
    """A sentence of a rule book that states a rule, quoted shortened."""

    game: str  # the game's key
    section: str  # of the book
    text: str
    reading: str  # how Parlour reads it where it is silent or disagrees with another sentence

    def __str__(self) -> str:
        return f"{self.section}: {self.text}"


@cache
def sentences() -> list[Sentence]:
    """Return the sentences of all books, in the order of the books."""
    books = tomllib.loads(BOOKS.read_text(encoding="utf-8"))
    return [
        Sentence(game, row["section"], row["text"], row.get("reading", ""))
        for game, rows in books.items()
        for row in rows
    ]


def find_sentence(game: str, beginning: str) -> Sentence:
    """Return the only sentence of a game's book that begins like this, its section included.

    Raises: ValueError for no sentence or several.
    """
    of_game = [sentence for sentence in sentences() if sentence.game == game]
    found = [sentence for sentence in of_game if str(sentence) == beginning]
    found = found or [sentence for sentence in of_game if str(sentence).startswith(beginning)]
    if len(found) != 1:
        raise ValueError(f"{len(found)} sentences of {game} in {BOOKS.name} begin with {beginning!r}; one is needed")
    return found[0]


def rule(game: str, beginning: str) -> Callable[[Test], Test]:
    """Mark a test as a proof of a sentence, which is named by its beginning."""
    sentence = find_sentence(game, beginning)

    def mark(test: Test) -> Test:
        marked: Any = test
        marked.proves = [sentence, *getattr(test, "proves", [])]
        return test

    return mark


def marked_files() -> list[Path]:
    """Return the test files that use the mark."""
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    return [file for file in files if "import rule\n" in file.read_text(encoding="utf-8")]


@cache
def proofs() -> dict[Sentence, list[str]]:
    """Return the test IDs that prove each sentence, by file and by place in the file."""
    found: dict[Sentence, list[str]] = defaultdict(list)
    for file in marked_files():
        path = file.relative_to(ROOT)
        module = importlib.import_module(".".join(path.with_suffix("").parts))
        for name, test in vars(module).items():
            for sentence in getattr(test, "proves", []) if name.startswith("test_") else []:
                found[sentence].append(f"{path.as_posix()}::{name}")
    return found
