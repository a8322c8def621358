"""Comparisons of the solver and its tables with minimax, for pure Python and for compiled code."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from parlour.engine import Runtime
from parlour.engine.search import FLAGS, unpack_score
from parlour.games import increasing_differences
from parlour.limit import Limit
from parlour.match import Match
from parlour.rules import Rules
from parlour.score import Value
from parlour.solver import ScoreTable, Solver, tabulate
from tests.support.naive import Truth, minimax, truth_of
from tests.support.small import SmallGame, scores_of, without_theory


def table_errors(rules: Rules, truth: dict[Any, Truth], table: ScoreTable) -> list[Any]:
    """Return the positions for which a table has a wrong entry or none."""
    entries = {
        position: Truth(unpack_score(int(entry) >> FLAGS), bool(entry & 2), bool(entry & 1))
        for position, entry in zip(table, table._entries, strict=True)
    }
    return [position for position, true in truth.items() if entries.get(rules.canonical(position)) != true]


def misjudged(rules: Rules, truth: dict[Any, Truth], runtime: Runtime) -> list[Any]:
    """Return the positions that the solver scores wrong by searching."""
    solver, limit = Solver(without_theory(rules), runtime=runtime), Limit(seconds=1e6)
    # Not by `score`, which first proves that play can lead to the position.
    return [p for p, true in truth.items() if unpack_score(solver._score(p, limit)) != true.score]


def check_scores(rules: Rules, truth: dict[Any, Truth], sample: list[Any], runtime: Runtime) -> None:
    """Compare every score with minimax, and the public methods on a sample."""
    assert misjudged(rules, truth, runtime) == []
    solver = Solver(rules, runtime=runtime)
    for position in sample:
        assert solver.score(position) == truth[position].score, position
        assert solver.value(position) is truth[position].score.value


def check_table(rules: Rules, truth: dict[Any, Truth], runtime: Runtime) -> None:
    """Compare every entry of a table, its positions and its statistics with minimax."""
    table = tabulate(rules, runtime=runtime)
    assert table_errors(rules, truth, table) == []
    for position, true in islice(truth.items(), 500):  # what the public method adds to the entries
        assert table.score(position) == true.score, position
    classes = {rules.canonical(position) for position in truth}
    assert len(table) == len(classes)
    assert {position for position, _ in table.items()} == classes
    assert all(rules.legal(position) for position, _ in table.items())  # they are positions, for every rule function
    found, truths = table.statistics(), [truth.get(form) or truth_of(rules, form) for form in classes]
    values = [true.score.value for true in truths]
    assert found.values == {value: values.count(value) for value in Value}
    for value in (Value.WIN, Value.LOSS):
        distances = sorted(true.score.plies or 0 for true in truths if true.score.value is value)
        assert list(found.plies[value].items()) == list(Counter(distances).items())
    assert found.positions == len(classes)
    assert found.decisions == sum(true.choice for true in truths)
    assert found.critical == sum(true.critical for true in truths)
    assert found.longest == max((true.score.plies or 0 for true in truths if true.score.value is Value.WIN), default=0)


def check_forms(rules: Rules, truth: dict[Any, Truth]) -> None:
    """Check that a canonical form is its own form, and has the future of every position that it stands for."""
    forms = {position: rules.canonical(position) for position in truth}

    def future(position: Any) -> set[Any]:
        """The forms of the positions that can follow, and the results of games that are over."""
        after = [rules.after(position, move) for move in rules.legal(position)]
        return {
            rules.result(each) if rules.is_over(each) else forms.get(each) or rules.canonical(each) for each in after
        }

    futures = {form: future(form) for form in set(forms.values())}
    for position, form in forms.items():
        assert form == position or rules.canonical(form) == form
        assert (truth.get(form) or truth_of(rules, form)) == truth[position]
        assert rules.result(form) == rules.result(position)
        assert rules.count_legal(form) == rules.count_legal(position)
        assert future(position) == futures[form]


def check_choices(game: SmallGame) -> None:
    """Compare choices, best moves and lines with minimax, in a sample of positions."""
    rules = game.rules
    truth = minimax(rules)
    solver = Solver(rules, runtime="python")
    for position in game.positions[:80]:
        value, plies = truth(position)
        choices = solver.choices(position)
        for choice, only_value in zip(choices, solver.values(position), strict=True):
            reply = truth(rules.after(position, choice.move))
            assert choice.value == -reply.value
            assert choice.plies == (None if reply.plies is None else reply.plies + 1)
            assert only_value == replace(choice, plies=None)
        line = solver.line(position)
        here = position
        for move in line:
            assert move in rules.legal(here)
            assert not rules.settled(here)
            here = rules.after(here, move)
        assert rules.is_over(here) or rules.settled(here)
        if plies is not None:
            assert len(line) == plies
            assert truth(here).value * (-1) ** plies == value
        best = max(choice.score for choice in choices)
        assert solver.best(position) == [choice.move for choice in choices if choice.score == best]


def nodes_of_choices(match: Match) -> int:
    """Return the number of nodes that a fresh solver in pure Python visits to score every move."""
    limit = Limit()
    Solver(match.rules, runtime="python").choices(match.position, limit)
    return limit.spent


def check_theory(game: SmallGame) -> None:
    """Compare the search with the closed form of a game that has one."""
    rules = game.rules
    theory = rules.game.search.theory
    assert theory is not None
    solver = Solver(without_theory(rules), runtime="python")
    for position in game.positions:
        result, plies, move = theory(rules.packed, position)
        score = solver.score(position)
        assert score == (Value.WIN if result == 3 else Value.LOSS, plies)
        assert scores_of(solver.choices(position))[move] == score


def found_out(key: str, options: str) -> bool:
    """Return whether the table of a game has errors."""
    game = SmallGame(key, options)
    return bool(table_errors(game.rules, game.truth, tabulate(game.rules, runtime="python")))


def look_ahead(monkeypatch: pytest.MonkeyPatch, steps: int) -> None:
    """Break the canonical form of Increasing Differences: let it look only a number of steps ahead."""
    right = increasing_differences.opened_above
    monkeypatch.setattr(
        increasing_differences,
        "opened_above",
        lambda options, pool, last, gap, needed: right(options, pool, last, gap, min(needed, steps)),
    )
