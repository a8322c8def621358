"""Looks for the tics of docs/style.toml wherever Parlour speaks: pages, strings of the package, the page's JavaScript.

Run it with: make check (spelling is codespell's part)
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
STYLE = Path(__file__).parent / "style.toml"
# Where players read. Elsewhere programs are spoken of as well, and a turn may be a ply, as in their JSON.
PLAYERS_PAGES = {"README.md", "play.md", "web.md", "players.md", "rulings.md", "contests.md"}
PLAYERS_MODULES = ("games", "study", "cli", "match.py", "score.py", "web/page")


class Rule(NamedTuple):
    """One tic, and what to write instead."""

    pattern: re.Pattern[str]
    instead: str
    example: str
    players: bool  # only where players read


class Text(NamedTuple):
    """A piece of prose, and where it stands."""

    path: Path
    line: int
    text: str
    players: bool  # players read it


def read_rules(path: Path = STYLE) -> list[Rule]:
    """The rules of a style sheet."""
    found = tomllib.loads(path.read_text(encoding="utf-8"))["rule"]
    return [
        Rule(re.compile(rule["pattern"], re.IGNORECASE), rule["instead"], rule["example"], rule.get("players", False))
        for rule in found
    ]


def texts(root: Path = ROOT) -> Iterator[Text]:
    """All prose below a directory that is laid out like the project."""
    for page in [*root.glob("*.md"), *(root / "docs").rglob("*.md")]:
        if page.name != "ledger.md":  # it quotes the books
            yield from _page(page)
    package = root / "src" / "parlour"
    for path in package.rglob("*.py"):
        yield from _strings(path, str(path.relative_to(package)).startswith(PLAYERS_MODULES))
    for path in (package / "web" / "page").glob("*.js"):
        yield from _literals(path)


def _page(path: Path) -> Iterator[Text]:
    """The paragraphs of a page, without code and headings."""
    source = path.read_text(encoding="utf-8")
    source = re.sub(r"^```.*?^```$", lambda found: "\n" * found[0].count("\n"), source, flags=re.DOTALL | re.MULTILINE)
    source = re.sub(r"`[^`]*`", lambda found: "`" + "\n" * found[0].count("\n") + "`", source)
    source = re.sub(r"\]\([^)]*\)", "]", source)
    line = 1
    for part in re.split(r"(\n\s*\n|\n(?=[|#]|- |\d\. ))", source):
        words = part.strip()
        if words and not words.startswith("#"):
            begin = line + part[: len(part) - len(part.lstrip())].count("\n")
            yield Text(path, begin, " ".join(words.removeprefix("- ").split()), path.name in PLAYERS_PAGES)
        line += part.count("\n")


def _strings(path: Path, players: bool) -> Iterator[Text]:
    """The strings of a module that have more than one word; what a docstring says about programs is for programs."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    within = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    rules_of_a_game = path.parent.name == "games"
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            words = "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in within:
            words = node.value
        else:
            continue
        for part in re.split(r"\n\s*\n", words):
            if " " in part.strip():
                read = players and (id(node) not in docstrings or rules_of_a_game)
                yield Text(path, node.lineno, " ".join(part.split()), read)


def _literals(path: Path) -> Iterator[Text]:
    """What stands in quotes and between tags in JavaScript, as far as that can be seen without reading the language."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        code = re.sub(r"^\s*(//|/?\*).*", "", line)
        code = re.sub(r"\$\{[^{}]*\}", "{}", code).replace("=>", "")
        code = re.sub(r"\b[\w-]+=(\"[^\"]*\"|\{\})", "", code)  # attributes
        for words in re.findall(
            r"\"[^\"]* [^\"]*\"|'[^']* [^']*'|`[^`]* [^`]*`|(?<=>)[^<>=(){}?|&%]* [^<>=(){}?|&%]*", code
        ):
            if "${" not in words:  # an expression that goes on in another line
                yield Text(path, number, words, True)


def findings(root: Path = ROOT) -> list[str]:
    """Each tic in a line: where it is, what was found, what to write instead."""
    rules, found = read_rules(), []
    for text in texts(root):
        for rule in rules:
            if rule.players and not text.players:
                continue
            for match in rule.pattern.finditer(text.text):
                around = text.text[max(match.start() - 30, 0) : match.end() + 30]
                where = f"{text.path.relative_to(root)}:{text.line}"
                found.append(f"{where}: {match[0].strip()!r} in {around!r}; write {rule.instead}")
    return found


if __name__ == "__main__":
    found = findings()
    print("\n".join(found) or "no tic of docs/style.toml was found")
    sys.exit(bool(found))
