"""Print where modules that the page needs leave the portable subset of Python. Run it with: make counts

A small compiler can translate the subset: functions, closures, generators and comprehensions; classes with single
inheritance, NamedTuples, frozen dataclasses and enums; exceptions; ``match`` on constants; f-strings with width, sign,
comma and fixed decimals; and the listed part of the library. Everything else is reported with file, line and remedy.
Imports for type checkers don't count, and neither do methods for pickling and copying, which a translation leaves out.
What can't be avoided is an exception with a reason, and is counted separately.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

# What makes positions, views, texts, matches, players, hints, reports, puzzles, exams and their documents. Not here are
# fields, which runs when a page is built and leaves it tables, and what a page has modules of its own for: the engine,
# the catalog, secrets, and the files of the archive and of progress.
PAGE_MODULES = (
    *("arguments", "errors", "game", "limit", "match", "names", "notation", "options", "outcome", "record", "rules"),
    *("score", "setup", "text", "turn", "view", "writer"),
    *("documents/*", "games/*", "players/level", "players/mcts", "players/perfect"),
    *(
        "players/random",
        "service/commands",
        "service/new_matches",
        "service/errors",
        "service/loaded",
        "service/offers",
    ),
    *("service/rights", "service/searches", "solver/solver", "study/archive"),
    *("study/explain", "study/grades", "study/hints", "study/mastery", "study/progress"),
    *("study/puzzle", "study/report", "study/sheet", "study/strategy", "study/words"),
)
# Exceptions: file and what it has, with the reason.
EXCEPTIONS = {
    ("errors.py", "several bases of MissingExtra"): "programs catch it as ImportError, and no page raises it",
    ("names.py", "import of unicodedata"): "browsers have most of it, as classes in regular expressions",
    ("players/perfect.py", "import of threading"): "a page has one thread, whose number is a constant",
}
LIBRARY = frozenset(
    [
        *("__future__", "collections", "collections.abc", "contextlib", "copy", "dataclasses", "enum", "functools"),
        *("hashlib", "itertools", "json", "math", "operator", "random", "typing"),
    ]
)
PARTS = {  # of other modules
    "datetime": ["date", "timedelta"],
    "time": ["monotonic", "time"],
}
REFLECTION = frozenset(
    [
        *("__import__", "delattr", "dir", "eval", "exec", "get_type_hints", "globals", "hasattr", "locals", "setattr"),
        "vars",
    ]
)
INSIDE = frozenset(["__dict__", "__mro__", "__annotations__", "__metadata__", "_asdict", "_field_defaults", "_fields"])
DECORATORS = frozenset(
    [
        *("cache", "cached_property", "classmethod", "dataclass", "dataclass_transform", "document", "lru_cache"),
        *("overload", "property", "record", "runtime_checkable", "staticmethod", "written", "written_as"),
    ]
)
SHAPES = frozenset(["Generic", "Protocol"])  # bases that exist for type checkers alone
HOOKS = frozenset(["__format__", "__getattr__", "__init_subclass__", "__new__", "__set_name__"])
LEFT_OUT = frozenset(["__copy__", "__deepcopy__", "__getstate__", "__reduce__", "__setstate__"])
FORMAT = re.compile(r"[<>^]?[+]?\d*,?(?:\.\d+f)?[ds]?")  # width, sign, comma, fixed decimals
CONSTANT_PATTERNS = (ast.MatchValue, ast.MatchSingleton, ast.MatchOr)

Found = tuple[int, str, str]  # line, what, remedy


def violations(tree: ast.Module) -> Iterator[Found]:
    """Yield what a module has outside the subset."""
    for node in _run_nodes(tree):
        match node:
            case ast.Import(names=names):
                for each in names:
                    yield from _import(node.lineno, each.name)
            case ast.ImportFrom(module=module, names=names):
                if not {each.name for each in names} <= set(PARTS.get(module or "", ())):
                    yield from _import(node.lineno, module or "")
            case ast.Call(func=ast.Name(id=name), args=args):
                if name in REFLECTION or (name == "getattr" and len(args) > 2):
                    yield node.lineno, f"{name}()", "an attribute or a table"
            case ast.Attribute(attr=attr) if attr in INSIDE:
                yield node.lineno, attr, "a table of fields"
            case ast.ClassDef(bases=bases, keywords=keywords):
                real = [base for base in bases if _base_name(base) not in SHAPES]
                if len(real) > 1:
                    yield node.lineno, f"several bases of {node.name}", "one base"
                if keywords:
                    yield node.lineno, f"a metaclass or keyword of {node.name}", "a plain class"
                yield from _decorators(node)
            case ast.FunctionDef():
                if node.name in HOOKS and not _formats_text(node):
                    yield node.lineno, node.name, "a plain method"
                yield from _decorators(node)
            case ast.AsyncFunctionDef() | ast.Await() | ast.Global():
                yield node.lineno, type(node).__name__, "a plain function with arguments"
            case ast.match_case(pattern=pattern) if not _is_constant(pattern):
                yield pattern.lineno, "a pattern that is no constant", "if isinstance"
            case ast.FormattedValue(format_spec=ast.JoinedStr(values=[ast.Constant(value=spec)])):
                if not FORMAT.fullmatch(spec):
                    yield node.lineno, f"the format {spec!r}", "a width, sign, comma or fixed decimals"


def _run_nodes(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield all nodes except those that a translation leaves out."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            waiting += node.orelse
        elif not (isinstance(node, ast.FunctionDef) and node.name in LEFT_OUT):
            waiting += ast.iter_child_nodes(node)


def _import(line: int, name: str) -> Iterator[Found]:
    if name not in LIBRARY and name.partition(".")[0] != "parlour":
        yield line, f"import of {name}", "the part of the library that LIBRARY lists"


def _decorators(node: ast.ClassDef | ast.FunctionDef) -> Iterator[Found]:
    for each in node.decorator_list:
        name = ast.unparse(each).partition("(")[0]
        if name.rpartition(".")[2] not in DECORATORS:
            yield node.lineno, f"@{name}", "a plain function"


def _formats_text(node: ast.FunctionDef) -> bool:
    """Return whether this makes an f-string show the text of an object, as in a translation it always does."""
    return node.name == "__format__" and ast.unparse(node.body[-1]) == "return format(str(self), how)"


def _base_name(base: ast.expr) -> str:
    return ast.unparse(base.value if isinstance(base, ast.Subscript) else base)


def _is_constant(pattern: ast.pattern) -> bool:
    wildcard = isinstance(pattern, ast.MatchAs) and pattern.pattern is None
    return wildcard or isinstance(pattern, CONSTANT_PATTERNS)


def report(package: Path) -> Iterator[str]:
    """Yield the lines of the report on a package."""
    paths = sorted(path for name in PAGE_MODULES for path in package.glob(f"{name}.py"))
    found = [
        (path.relative_to(package).as_posix(), *each)
        for path in paths
        for each in sorted(set(violations(ast.parse(path.read_text(encoding="utf-8")))))
    ]
    places = [each for each in found if (each[0], each[2]) not in EXCEPTIONS]
    outside = len({path for path, *_ in places})
    yield f"Places outside the portable subset: {len(places)} in {outside} of {len(paths)} modules that the page needs"
    for path, line, what, remedy in places:
        yield f"  {path}:{line}: {what}; use {remedy}"
    yield f"Exceptions: {len(found) - len(places)}"
    for path, line, what, _ in found:
        if (path, what) in EXCEPTIONS:
            yield f"  {path}:{line}: {what}: {EXCEPTIONS[path, what]}"


if __name__ == "__main__":
    print(*report(Path(sys.argv[1] if len(sys.argv) > 1 else "src/parlour")), sep="\n")
