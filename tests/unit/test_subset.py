"""The checker of the portable subset, on small made-up modules."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.support import ROOT
from tests.support.scripts import load_script

SUBSET = load_script(ROOT / "tools" / "subset.py")


def found(source: str) -> list[tuple[int, str]]:
    return sorted((line, what) for line, what, _ in SUBSET.violations(ast.parse(source)))


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("import re\n", "import of re"),
        ("def f():\n    from os import path\n", "import of os"),
        ("x = getattr(y, 'z', None)\n", "getattr()"),
        ("x = vars(y)\n", "vars()"),
        ("x = y._asdict()\n", "_asdict"),
        ("class A(B, C):\n    pass\n", "several bases of A"),
        ("class A(B, metaclass=C):\n    pass\n", "a metaclass or keyword of A"),
        ("class A:\n    def __init_subclass__(cls):\n        pass\n", "__init_subclass__"),
        ("@trace\ndef f():\n    pass\n", "@trace"),
        ("async def f():\n    pass\n", "AsyncFunctionDef"),
        ("match x:\n    case A(y=1):\n        pass\n", "a pattern that is no constant"),
        ("x = f'{y:g}'\n", "the format 'g'"),
        ("from time import sleep, time\n", "import of time"),
        ("import time\n", "import of time"),
        ("class A:\n    def __format__(self, how):\n        return how\n", "__format__"),
    ],
)
def test_constructs_outside_the_subset_are_reported(source: str, what: str) -> None:
    assert [each for _, each in found(source)] == [what]


@pytest.mark.parametrize(
    "source",
    [
        "from parlour.game import Game\nfrom random import Random\n",
        "from time import time\n",
        "class A:\n    def __format__(self, how):\n        return format(str(self), how)\n",
        "if TYPE_CHECKING:\n    import re\n",
        "x = getattr(y, name)\n",
        "class A(Base, Generic[T]):\n    pass\n",
        "class A:\n    def __reduce__(self):\n        return vars(self)\n",
        "@dataclass(frozen=True)\nclass A:\n    @property\n    def x(self):\n        return 1\n",
        "match x:\n    case 'a' | 'b':\n        pass\n    case None:\n        pass\n    case _:\n        pass\n",
        "x = f'{a:,} {b:>3} {c:+d} {d:.2f} {e:02d} {f!r}'\n",
    ],
)
def test_the_subset_itself_is_not(source: str) -> None:
    assert not found(source)


def test_every_listed_module_exists() -> None:
    package = ROOT / "src" / "parlour"
    assert [name for name in SUBSET.PAGE_MODULES if not list(package.glob(f"{name}.py"))] == []


def test_every_exception_is_needed() -> None:
    package = ROOT / "src" / "parlour"
    for name, what in SUBSET.EXCEPTIONS:
        assert what in [each for _, each in found((package / name).read_text(encoding="utf-8"))]


def test_exceptions_are_counted_separately(tmp_path: Path) -> None:
    (tmp_path / "names.py").write_text("import re\nimport unicodedata\n")
    assert [line.partition(":")[0] for line in SUBSET.report(tmp_path)] == [
        "Places outside the portable subset",
        "  names.py",
        "Exceptions",
        "  names.py",
    ]
