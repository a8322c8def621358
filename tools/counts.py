"""Print measures of the source that should stay small, with the places. Run it with: make counts

- **Twin classes**: pairs of classes in different files that share at least 4 fields, and at least 60 % of the fields of
  each. Fields are the annotated names in a class body; two are shared if they have the same name. Inherited fields
  don't count, and neither do annotations: a move is an int in one class and a name in its twin.
- **Hand loops**: ``for`` loops that only play moves, one by one, on a name that the same function sets to a ``.start``
  or to a new ``Match``. A loop that does more with each move is not one.
- **Lines of documents and converters**: ``documents/``, and functions elsewhere that return one of its classes.
- **Modules above 600 lines**.
- **Lines and files** of Python without ``web``, ``service`` and ``store``.
- **Fragments**: comments outside ``web`` that start with "that", "of", "whose", "which" or "by" in lower case, or with
  "Of", "Whose" or "Which". A field comment is a noun phrase, and other comments are sentences.
- **House words** outside ``web``, where plain English has a better word.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

MIN_SHARED = 4  # fields
MIN_SHARE = 0.6  # of the fields of each class
MAX_LINES = 600  # of a module
DOCUMENTS = "documents/"
SERVER = ("web/", "service/", "store/")  # packages that the last measure leaves out
PROSE_ELSEWHERE = "web/"  # the package that the measures of prose leave out
FRAGMENT = re.compile(r"#:? *(that|of|whose|which|by|Of|Whose|Which)\b")
HOUSE_WORDS = re.compile(
    r"\b(whoever|whatever is|somebody|nobody|everybody|oneself|anew|so[ ]manieth|so[ ]many|by[ ]lot|for[ ]want[ ]of|"
    r"be[ ](told|had)|(is|are|was|were)[ ]told|for[ ]ever|to[ ]the[ ]letter|a[ ]second[ ]time|in[ ]the[ ]place[ ]of)\b",
    re.IGNORECASE,
)
PLAYS = ("play", "after")  # methods that play a move
MATCH = ("Match", "cls")  # names of the class of matches

Modules = dict[str, ast.Module]  # by path below the package


class Fields(NamedTuple):
    """The fields of a class."""

    place: str  # file and line
    name: str
    fields: frozenset[str]


def read(package: Path) -> dict[str, str]:
    """Return the sources of a package by path."""
    paths = sorted(package.rglob("*.py"))
    return {path.relative_to(package).as_posix(): path.read_text(encoding="utf-8") for path in paths}


# Twin classes.


def twins(modules: Modules) -> list[tuple[Fields, Fields]]:
    """Return the pairs of classes in different files that have most fields in common."""
    trees = ((path, node) for path, tree in modules.items() for node in ast.walk(tree))
    found = [_fields(path, node) for path, node in trees if isinstance(node, ast.ClassDef)]
    return [(one, two) for one, two in combinations(found, 2) if _file(one) != _file(two) and _alike(one, two)]


def _fields(path: str, node: ast.ClassDef) -> Fields:
    annotated = (each.target for each in node.body if isinstance(each, ast.AnnAssign))
    names = frozenset(target.id for target in annotated if isinstance(target, ast.Name))
    return Fields(f"{path}:{node.lineno}", node.name, names)


def _file(found: Fields) -> str:
    return found.place.rpartition(":")[0]


def _alike(one: Fields, two: Fields) -> bool:
    shared = len(one.fields & two.fields)
    return shared >= MIN_SHARED and shared >= MIN_SHARE * max(len(one.fields), len(two.fields))


# Hand loops.


def hand_loops(modules: Modules) -> list[str]:
    """Return the places of loops that do nothing but play moves from the start."""
    return sorted(
        {
            f"{path}:{loop.lineno}"
            for path, tree in modules.items()
            for function in ast.walk(tree)
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
            for loop in ast.walk(function)
            if isinstance(loop, ast.For) and (on := _played_on(loop)) and on in _starts(function)
        }
    )


def _played_on(loop: ast.For) -> str | None:
    """Return the name of the position or match that a loop plays its variable on, if it does nothing else."""
    if len(loop.body) != 1:
        return None
    step = loop.body[0]
    call = step.value if isinstance(step, ast.Expr | ast.Assign) else None
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in PLAYS):
        return None
    if not (call.args and {*_names(loop.target)} & {*_names(call.args[-1])}):
        return None
    if isinstance(step, ast.Assign):  # position = rules.play(position, move)
        return next(_names(step.targets[0]), None)
    return next(_names(call.func.value), None)  # match.play(move)


def _starts(function: ast.AST) -> set[str]:
    """Return the names that a function sets to the start of a game or to a new match."""
    assigned = [node for node in ast.walk(function) if isinstance(node, ast.Assign)]
    return {name for node in assigned if _is_start(node.value) for name in _names(node.targets[0])}


def _is_start(value: ast.expr) -> bool:
    if isinstance(value, ast.Call):
        return isinstance(value.func, ast.Name) and value.func.id in MATCH
    return isinstance(value, ast.Attribute) and value.attr == "start"


def _names(node: ast.AST) -> Iterator[str]:
    return (each.id for each in ast.walk(node) if isinstance(each, ast.Name))


# Lines.


def converter_lines(modules: Modules) -> int:
    """Return the lines of the functions outside ``documents/`` that return one of its classes."""
    inside = {path: tree for path, tree in modules.items() if path.startswith(DOCUMENTS)}
    classes = {node.name for tree in inside.values() for node in tree.body if isinstance(node, ast.ClassDef)}
    return sum(
        (node.end_lineno or node.lineno) - node.lineno + 1
        for path in modules.keys() - inside.keys()
        for node in ast.walk(modules[path])
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.returns is not None
        if classes & set(_names(node.returns))
    )


# Prose.


def fragments(source: str) -> Iterator[int]:
    """Yield the lines of the comments that start like a relative clause."""
    previous = 0  # the line of the comment before
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            line, column = token.start
            continued = previous == line - 1 and not token.line[:column].strip()
            if not continued and FRAGMENT.match(token.string):
                yield line
            previous = line


def house_words(source: str) -> Iterator[tuple[int, str]]:
    """Yield the lines and texts of words that plain English does without."""
    for number, line in enumerate(source.splitlines(), 1):
        yield from ((number, match[0]) for match in HOUSE_WORDS.finditer(line))


def report(package: Path) -> Iterator[str]:
    """Yield the lines of the report on a package."""
    sources = read(package)
    modules = {path: ast.parse(source) for path, source in sources.items()}
    lines = {path: len(source.splitlines()) for path, source in sources.items()}
    pairs, loops = twins(modules), hand_loops(modules)
    yield f"Twin classes: {len(pairs)}"
    for one, two in pairs:
        shared = f"{len(one.fields & two.fields)} of {len(one.fields)} and {len(two.fields)}"
        yield f"  {one.name} ({one.place}), {two.name} ({two.place}): {shared}"
    yield f"Hand loops that replay moves from the start: {len(loops)}"
    yield from (f"  {place}" for place in loops)
    inside = sum(count for path, count in lines.items() if path.startswith(DOCUMENTS))
    converters = converter_lines(modules)
    yield f"Lines of documents/ and of converters: {inside:,} + {converters:,} = {inside + converters:,}"
    long = {path: count for path, count in lines.items() if count > MAX_LINES}
    yield f"Modules above {MAX_LINES} lines: {len(long)}"
    yield from (f"  {path}: {count}" for path, count in sorted(long.items(), key=lambda each: -each[1]))
    rest = [count for path, count in lines.items() if not path.startswith(SERVER)]
    yield f"Python without {' '.join(SERVER)}: {sum(rest):,} lines in {len(rest)} files"
    prose = {path: source for path, source in sources.items() if not path.startswith(PROSE_ELSEWHERE)}
    places = [f"{path}:{line}" for path, source in prose.items() for line in fragments(source)]
    yield f"Fragments in comments without {PROSE_ELSEWHERE}: {len(places)}"
    yield from (f"  {place}" for place in places)
    words = [f"{path}:{line}: {word}" for path, source in prose.items() for line, word in house_words(source)]
    yield f"House words without {PROSE_ELSEWHERE}: {len(words)}"
    yield from (f"  {place}" for place in words)


if __name__ == "__main__":
    print(*report(Path(sys.argv[1] if len(sys.argv) > 1 else "src/parlour")), sep="\n")
