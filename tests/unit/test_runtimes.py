"""Which runtime a caller gets, and the old way to ask for one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from parlour import Limit, ParlourError, Value, rules_of
from parlour.engine import Runtime, chosen_runtime, compiled_runtime
from parlour.engine.plain import PlainExpectation, PlainFill, PlainSearch
from parlour.solver import Solver, tabulate
from parlour.study.contest import survey
from tests.support.small import without_theory

RULES = rules_of("double-up", limit=12)


@pytest.mark.parametrize(("compiled", "runtime"), [(True, "wasm"), (False, "python")])
@pytest.mark.parametrize("ask", [Solver, tabulate])
def test_compiled_is_deprecated(ask: Callable[..., Any], compiled: bool, runtime: str) -> None:
    with pytest.warns(DeprecationWarning, match=rf"^compiled= is deprecated; use runtime='{runtime}'$") as caught:
        ask(RULES, compiled=compiled)
    assert len(caught) == 1
    assert caught[0].filename == __file__, "the line of the caller"


@pytest.mark.parametrize(
    ("runtime", "large", "expected"),
    [
        (None, False, None),
        (None, True, "wasm"),
        ("python", True, None),
        ("wasm", False, "wasm"),
        ("native", False, "native"),
    ],
)
def test_small_work_runs_in_python_unless_a_runtime_is_chosen(
    runtime: Runtime | None, large: bool, expected: str | None
) -> None:
    assert chosen_runtime(runtime, None) == runtime
    assert compiled_runtime(runtime, large) == expected


@pytest.mark.parametrize(
    "ask",
    [
        lambda runtime: Solver(rules_of("sequence-builder"), runtime=runtime).score(rules_of("sequence-builder").start),
        lambda runtime: tabulate(RULES, runtime=runtime),
        lambda runtime: survey(rules_of("sequence-builder"), runtime=runtime),
    ],
)
def test_an_unknown_runtime_is_refused(ask: Callable[[Any], Any]) -> None:
    with pytest.raises(ParlourError, match=r"^bad runtime 'numba'; allowed: python, wasm, native$"):
        ask("numba")


def test_a_game_longer_than_a_chunk_comes_to_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work that is resumed from the beginning must get further each time."""
    rules = without_theory(rules_of("double-up", limit=40))
    for work in (PlainSearch, PlainFill, PlainExpectation):
        monkeypatch.setattr(work, "chunk", 1)
    limit = Limit(seconds=20)
    table = tabulate(rules, limit, runtime="python")
    assert [last for (last,), score in table.items() if score.value is Value.LOSS] == [
        1,
        4,
        9,
        19,
    ]  # half of 40, of 19, ...
    assert Solver(rules, runtime="python").value(rules.start, limit) is table.score(rules.start).value
    assert survey(rules, limit=limit, runtime="python").positions == len(table)
