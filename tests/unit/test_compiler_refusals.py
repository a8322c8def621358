"""What the compiler refuses, with file, line, subject and remedy. No C compiler is needed for that."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import Any

import pytest

from parlour.engine.artefacts import NotCompilable
from parlour.engine.compiler import Unit

HEAD = """\
import functools
from math import sqrt
from typing import NamedTuple
from parlour.engine.primitives import Floats, Ints, Table
HUGE = 1 << 63
LIMITS = (1, 1 << 70)
KINDS = (1, 2.5)
def other(a: int) -> int:
    return a
def nothing(a: int) -> None:
    return
def write(numbers: Ints) -> int:
    numbers[0] = 1
    return 1
class Pair(NamedTuple):
    a: int
    b: int
class Named(NamedTuple):
    a: int
    name: str
class Scaled(NamedTuple):
    a: float
"""

# The function, the line that is refused ("!" marks it), what is refused, and the remedy.
REFUSED = [
    ("def f(a: int) -> int:\n    return HUGE !", "HUGE = 9223372036854775808", "at most 63 bits"),
    ("def f(a: int) -> int:\n    return 9223372036854775808 !", "9223372036854775808", "at most 63 bits"),
    ("def f(a: int) -> int:\n    return LIMITS[0] !", "1180591620717411303424", "at most 63 bits"),
    ("def f(a: int) -> float:\n    return KINDS[a] !", "a tuple of integers and floats", "one kind of number"),
    (
        "def f(a: int) -> int:\n    if a:\n        b = 1\n    return b !",
        "'b', which may have no value here,",
        "every way",
    ),
    (
        "def f(a: int) -> int:\n    while a:\n        b = a\n        a -= 1\n    return b !",
        "'b', which may",
        "every way",
    ),
    ("def f(a: int) -> int:\n    for i in range(a):\n        a -= 1\n    return i !", "'i', which may", "every way"),
    ("def f(a: int) -> int:\n    b = HUGE2 !\n    HUGE2 = 1\n    return b", "'HUGE2', which may", "every way"),
    ("def f(a: int) -> int:\n    return a\n    return 1 !", "a statement that is never reached", "no statement"),
    ("def f(a: int) -> int: !\n    if a:\n        return 1", "an end without a return", "a return statement"),
    ("def f(a: int) -> int:\n    if a:\n        return !\n    return 1", "'return'", "a value of the kind"),
    ("def f(a: int) -> None:\n    return a !", "'return a'", "the annotation says"),
    ("def f(a: int, b: float) -> int:\n    return a < b !", "an integer with a float", "float(...)"),
    ("def f(a: int) -> int:\n    return 0 < other(a) + 1 < 5 !", "a chain of comparisons with a call", "a name for"),
    ("def f(a: int) -> int:\n    return a in () !", "'()'", "a tuple that is written out"),
    ("def f(a: int) -> int:\n    return a is a !", "'is'", "== != <"),
    ("def f(a: int, n: Ints) -> int:\n    return n[0] + write(n) !", "a call that may change an array", "two lines"),
    ("def f(a: int, n: Ints) -> int:\n    return write(n) + write(n) !", "a call that may change", "two lines"),
    ("def f(a: int, n: Ints) -> int:\n    n[n[0]] = write(n) !\n    return 1", "a call that may change", "two lines"),
    (
        "def f(a: int, n: Ints) -> int:\n    n[other(a)] += 1 !\n    return 1",
        "'n[other(a)]', which is eval",
        "a name for",
    ),
    ("def f(a: int, n: Ints) -> int:\n    return n[-1] !", "a negative place in an array", "from the beginning"),
    ("def f(a: int, n: Ints) -> int:\n    n[0] = 1.5 !\n    return 1", "this assignment", "of the array's kind"),
    ("def f(a: int, n: Floats) -> int:\n    return n[0] !", "'n[0]', whose kind is not", "what the annotation says"),
    ("def f(a: int) -> int:\n    b = 1\n    b = 1.5 !\n    return 1", "'b', which is now one kind", "two names"),
    ("def f(a: int) -> float:\n    return 1 if a else 2.5 !", "'2.5', whose kind is not", "the annotation says"),
    ("def f(a: float) -> float:\n    return a % 2.0 !", "'a % 2.0'", "+ - * /"),
    ("def f(a: float) -> int:\n    return int(a) << a !", "'int(a) << a'", "of integers"),
    ("def f(a: float) -> float:\n    return ~a !", "'~' of a float", "integers"),
    ("def f(a: float) -> float:\n    return max(a, 1.0) !", "'max(a, 1.0)'", "an integer"),
    ("def f(a: int) -> int:\n    return abs(a, a) !", "'abs(a, a)'", "an integer"),
    ("def f(a: int) -> int:\n    return int('1') !", "\"'1'\"", "numbers"),
    ("def f(a: int) -> int:\n    return [a][0] !", "'[a]'", "numbers"),
    ("def f(a: int) -> int:\n    return len({a}) !", "'{a}'", "numbers"),
    ("def f(a: int) -> int:\n    return (b := a) !", "'(b := a)'", "numbers"),
    ("def f(a: int) -> int:\n    return print(a) !", "the call of 'print'", "functions of the game's file"),
    ("def f(a: int) -> int:\n    return a.conjugate() !", "the call of 'a.conjugate'", "functions of the game's file"),
    ("def f(a: int) -> int:\n    return other(a, a) !", "this call", "1 arguments"),
    ("def f(a: int) -> int:\n    return other(a=a) !", "an argument by its name", "by their places"),
    ("def f(a: int) -> int:\n    b = nothing(a) !\n    return 1", "the value of 'nothing'", "returns a value"),
    ("def f(a: int) -> int:\n    max = a\n    return max(a, 1) !", "the call of 'max'", "functions of the game's file"),
    ("def f(a: int) -> Pair:\n    return Pair(a) !", "this tuple", "all fields in their order"),
    ("def f(a: int) -> Pair:\n    return Pair(a, a, a) !", "this tuple", "all fields in their order"),
    ("def f(a: int) -> Pair:\n    return Pair(b=a, a=a) !", "this tuple", "all fields in their order"),
    ("def f(p: Pair) -> Pair:\n    return p._replace(c=1) !", "'c'", "fields of the tuple"),
    ("def f(p: Pair) -> int:\n    return p.c !", "'p.c'", "a field of a NamedTuple"),
    ("def f(p: Pair) -> int:\n    return p[-1] !", "'p[-1]'", "a field"),
    ("def f(p: Pair) -> int:\n    a, b, c = p !\n    return a", "this unpacking", "a tuple of as many values"),
    ("def f(p: Scaled) -> int:\n    return p == p !", "this comparison", "numbers"),
    ("def f(p: Named) -> int:\n    return p.a", "the field 'name' of 'Named'", "the annotation int"),
    ("def f(a: int) -> int:\n    for i in [1, 2]: !\n        a += i\n    return a", "this loop", "range(...)"),
    ("def f(a: int) -> int:\n    for i in range(0, 9, a): !\n        a += i\n    return a", "this step", "written out"),
    (
        "def f(a: int) -> int:\n    range = a\n    for i in range(3): !\n        a += i\n    return a",
        "this loop",
        "range(...)",
    ),
    (
        "def f(a: int) -> int:\n    while a: !\n        a = 0\n    else:\n        a = 1\n    return a",
        "'while'",
        "assignments",
    ),
    (
        "def f(a: int) -> int:\n    try: !\n        a = 0\n    finally:\n        a = 1\n    return a",
        "'try'",
        "assignments",
    ),
    ("def f(a: int) -> int:\n    global HUGE !\n    return a", "'global'", "assignments"),
    ("def f(a: int) -> int:\n    assert a !\n    return a", "'assert'", "assignments"),
    ("def f(a: int, *b: int) -> int: !\n    return a", "these arguments", "positional arguments"),
    ("def f(a: int = 1) -> int: !\n    return a", "these arguments", "without defaults"),
    ("def f(a) -> int: !\n    return a", "the argument 'a'", "the annotation int"),
    ("def f(a: str) -> int: !\n    return 1", "the argument 'a'", "the annotation int"),
    ("def f(a: int): !\n    return a", "what it returns", "the annotation int"),
    ("@functools.cache !\ndef f(a: int) -> int:\n    return a", "'f'", "begins with 'def'"),
    ("def g(a: int) -> int: !\n    return a\nf = functools.wraps(g)(lambda a: a + 1)", "'g'", "has no decorator"),
    ("f = lambda a: a !", "'<lambda>'", "a function"),
    ("async def f(a: int) -> int: !\n    return a", "'f'", "has no decorator"),
    ("def f(a: 'Unknown') -> int: !\n    return 1", "'f' (NameError)", "a function of its own"),
    ("f = sqrt", "'sqrt' (TypeError)", "a function of its own"),
]


def load(folder: Path, text: str) -> Any:
    path = folder / "game_file.py"
    path.write_text(HEAD + text)
    spec = importlib.util.spec_from_file_location("game_file", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("text", "what", "remedy"), REFUSED)
def test_refused(tmp_path: Path, text: str, what: str, remedy: str) -> None:
    module = load(tmp_path, re.sub(r" !$", "", text, flags=re.MULTILINE))
    with pytest.raises(NotCompilable) as refused:
        Unit({}).function(module.f)
    message = str(refused.value)
    assert "\n" not in message
    where, _, rest = message.partition(": ")
    subject, found, advice = rest.partition(" cannot be compiled; use ")
    assert found
    assert what in subject
    assert remedy in advice
    if " !" in text:
        line = len(HEAD.splitlines()) + text[: text.index(" !")].count("\n") + 1
        assert where == f"{tmp_path / 'game_file.py'}:{line}"


def test_functions_of_other_files_are_refused(tmp_path: Path) -> None:
    module = load(tmp_path, "def f(a: int) -> int:\n    return other(a)\n")
    Unit({}, files=frozenset([str(tmp_path / "game_file.py")])).function(module.f)
    with pytest.raises(NotCompilable, match=r"game_file\.py:23: 'f' of another file cannot be"):
        Unit({}, files=frozenset([__file__])).function(module.f)


def test_what_is_allowed(tmp_path: Path) -> None:
    """Neighbours of what is refused: one call that writes, arrays as its arguments, both ways assigned."""
    text = """
def f(a: int, n: Ints, p: Pair) -> int:
    for i in range(3):
        a += i
    if a:
        b = 1
    else:
        b = 2
    n[b] = write(n) + b
    c = 2.0
    c = 1
    return b if c < 1.5 else n[p[1]]
"""
    Unit({}).function(load(tmp_path, text).f)
