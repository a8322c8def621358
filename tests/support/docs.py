"""Documents as tests read them: pages, fenced blocks, sections, tables, commands with their output, Python examples."""

from __future__ import annotations

import doctest
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.support import ROOT

DOCS = ROOT / "docs"
README = ROOT / "README.md"
PAGES = [README, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted(DOCS.rglob("*.md"))]
SERVED = DOCS / "api.md"


class Block(NamedTuple):
    """A fenced block of a page."""

    page: Path
    line: int
    language: str
    file: str  # the file name after the language, or an empty string
    text: str


def blocks(page: Path) -> Iterator[Block]:
    lines = page.read_text(encoding="utf-8").splitlines()
    begin = None
    for at, line in enumerate(lines):
        if line.startswith("```"):
            if begin is None:
                begin = at
                continue
            assert line == "```", f"{page.name}:{at + 1}: a block begins inside a block"
            language, _, file = lines[begin].removeprefix("```").partition(" ")
            yield Block(page, begin + 1, language, file, "".join(f"{text}\n" for text in lines[begin + 1 : at]))
            begin = None
    assert begin is None, f"{page.name}:{begin}: this block has no end"


def all_blocks(*languages: str) -> list[Block]:
    return [block for page in PAGES for block in blocks(page) if block.language in languages]


def prose(page: Path) -> str:
    """Return a page without its fenced blocks."""
    return re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


def code(page: Path) -> list[str]:
    """Return the code spans in the prose of a page."""
    return [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", prose(page))]


def section(page: Path, title: str) -> str:
    """Return the text under a heading, subsections included."""
    text = page.read_text(encoding="utf-8")
    found = re.search(rf"^(#+) {re.escape(title)}$\n(.*?)(?=^#{{1,2}} |\Z)", text, re.DOTALL | re.MULTILINE)
    assert found, f"{page.name} has no section {title!r}"
    return found[2]


def table(text: str) -> list[list[str]]:
    """Return the rows of the first table in a text, without the header row and without backticks."""
    rows = re.search(r"^\|.*\n\|[-| :]+\|\n((?:\|.*\n)+)", text, re.MULTILINE)
    assert rows, "there is no table here"
    return [
        [cell.strip().replace("`", "").replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", row)[1:-1]]
        for row in rows[1].splitlines()
    ]


class Step(NamedTuple):
    """A command and the output that a page shows for it."""

    command: str
    shown: list[str]


def steps(block: Block) -> list[Step]:
    found: list[Step] = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            found.append(Step(line.removeprefix("$ "), []))
        else:
            assert found, f"{block.page.name}:{block.line}: a console block begins with a command"
            found[-1].shown.append(line)
    return found


def agree(shown: list[str], written: list[str]) -> bool:
    """Return whether the lines are equal; ``...`` matches any lines. Trailing spaces and blank lines don't count."""
    any_lines = r"(?:.*\n)*?"
    pattern = "".join(any_lines if line == "..." else re.escape(line) + r"\n" for line in without_blank_ends(shown))
    return re.fullmatch(pattern, "".join(line + "\n" for line in without_blank_ends(written))) is not None


def without_blank_ends(lines: list[str]) -> list[str]:
    return "\n".join(line.rstrip() for line in lines).rstrip("\n").splitlines()


def run_snippets(text: str, name: str) -> None:
    """Run the Python examples of a page in one namespace; line numbers in failures are those of the page."""
    snippets = re.compile(r"^```python\n(?=>>> )(.*?)^```$", re.DOTALL | re.MULTILINE)
    assert snippets.search(text), f"{name} shows no Python"
    blank = list(re.sub(r"[^\n]", " ", text))
    for found in snippets.finditer(text):
        blank[found.start(1) : found.end(1)] = found[1]
    test = doctest.DocTestParser().get_doctest("".join(blank), {}, name, name, 0)
    told: list[str] = []
    assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=told.append).failed == 0, "".join(told)
