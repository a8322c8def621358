"""The solver against textbook minimax, on every position of many small games."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from parlour import catalog
from parlour.errors import BadPosition, Cancelled, TooBig
from parlour.kernels.packing import compiles, packs
from parlour.kernels.search import DEEPEST, ENTRY_BITS, TOP, child_target, from_child
from parlour.limit import Limit
from parlour.rules import Rules, read_rules
from parlour.score import Score, Value
from parlour.solver import Solver, kept_table, tabulate
from parlour.solver.tables import estimate
from tests.support.naive import minimax, reachable

SMALL: list[tuple[str, dict[str, str]]] = [
    ("increasing-differences", {"length": "3", "range": "6"}),
    ("increasing-differences", {"length": "4", "range": "7"}),
    ("increasing-differences", {"length": "2", "range": "2"}),
    ("increasing-differences", {"length": "5", "range": "8"}),
    ("double-up", {"limit": "2"}),
    ("double-up", {"limit": "60"}),
    ("double-up", {"limit": "97"}),
    ("sequence-builder", {"length": "3", "pool": "7"}),
    ("sequence-builder", {"length": "4", "pool": "9", "increments": "1,3"}),
    ("sequence-builder", {"length": "3", "pool": "10", "increments": "2,5"}),
    ("sequence-builder", {"length": "5", "pool": "8", "increments": "1,2,3"}),
    ("pyramid-challenge", {"base": "2", "highest": "4"}),
    ("pyramid-challenge", {"base": "2", "highest": "5", "copies": "1"}),
    ("pyramid-challenge", {"base": "3", "highest": "3", "copies": "2"}),
    ("pyramid-challenge", {"base": "3", "highest": "2"}),
    ("sequence-spot", {"grid": "1,2,3,4,5,6,7,8,9"}),
    ("sequence-spot", {"grid": "5,3,8,1,6,7,4,9,2"}),
    ("sequence-spot", {"grid": "2,7,6,9,5,1,4,3,8"}),
]
small = pytest.mark.parametrize(("key", "texts"), SMALL, ids=[f"{k}-{'-'.join(t.values())}" for k, t in SMALL])


def set_up(key: str, texts: dict[str, str]) -> Rules:
    return read_rules(catalog.find_game(key), texts)


def without_theory(rules: Rules) -> Rules:
    return Rules(replace(rules.game, theory=None), rules.options)


# Compiling takes its time; that compiled code does what plain code does is seen further down for every game.
PLAIN_AND_COMPILED = [pytest.param(False, id="plain"), pytest.param(True, id="compiled", marks=pytest.mark.slow)]


@small
@pytest.mark.parametrize("compiled", PLAIN_AND_COMPILED)
def test_every_position_has_its_value_and_distance(key: str, texts: dict[str, str], compiled: bool) -> None:
    rules = set_up(key, texts)
    truth = minimax(rules)
    solver = Solver(rules, compiled=compiled)
    positions = sorted(reachable(rules))
    Random(1).shuffle(positions)
    for position in positions[:4000]:
        assert solver.score(position) == truth(position), position
        assert solver.value(position) is truth(position).value


@pytest.mark.parametrize(("key", "texts"), [(key, texts) for key, texts in SMALL if catalog.find_game(key).theory])
def test_the_search_finds_what_a_theory_says(key: str, texts: dict[str, str]) -> None:
    """The closed form is put aside, so that the search has to find the answers by itself."""
    rules = set_up(key, texts)
    theory = rules.game.theory
    assert theory is not None
    solver = Solver(without_theory(rules))
    for position in reachable(rules):
        result, plies, move = theory(rules.options, position)
        score = solver.score(position)
        assert score == (Value.WIN if result == 3 else Value.LOSS, plies)
        assert dict(solver.choices(position))[move] == score


def test_the_secret_of_doubling() -> None:
    """Worked out on paper for 100: whoever leaves 100, 49, 24, 11, 5 or 2 wins."""
    rules = set_up("double-up", {"limit": "100"})
    solver = Solver(rules)
    lost = [n for n in range(1, 101) if solver.value(rules.position([n])) is Value.LOSS]
    assert lost == [2, 5, 11, 24, 49, 100]


@small
@pytest.mark.parametrize("compiled", PLAIN_AND_COMPILED)
def test_a_table_knows_every_position(key: str, texts: dict[str, str], compiled: bool) -> None:
    rules = set_up(key, texts)
    truth = minimax(rules)
    table = tabulate(rules, compiled=compiled)
    positions = reachable(rules)
    for position in positions:
        assert table.score(position) == truth(position), position
    classes = {rules.canonical(position) for position in positions}
    assert len(table) == len(classes)
    assert {position for position, _ in table.items()} == classes
    assert all(rules.legal(position) for position, _ in table.items())  # they are positions, for every rule function
    found = table.statistics()
    values = [truth(position).value for position in classes]
    assert found.values == {value: values.count(value) for value in Value}
    moves = {p: [truth(rules.after(p, move)).value for move in rules.legal(p)] for p in classes}
    assert found.decisions == sum(len(replies) > 1 for replies in moves.values())
    assert found.critical == sum(max(replies) != min(replies) for replies in moves.values())
    wins = [truth(p).plies or 0 for p in classes if truth(p).value is Value.WIN]
    assert found.longest == max(wins, default=0)


@small
@pytest.mark.slow
def test_canonical_positions_have_the_same_future(key: str, texts: dict[str, str]) -> None:
    rules = set_up(key, texts)
    truth = minimax(rules)
    for position in reachable(rules):
        same = rules.canonical(position)
        assert truth(same) == truth(position)
        assert rules.canonical(same) == same


@small
def test_choices_and_lines_prove_the_value(key: str, texts: dict[str, str]) -> None:
    rules = set_up(key, texts)
    truth = minimax(rules)
    solver = Solver(rules)
    positions = sorted(reachable(rules))
    Random(2).shuffle(positions)
    for position in positions[:200]:
        value, plies = truth(position)
        for choice, only_value in zip(solver.choices(position), solver.values(position), strict=True):
            reply = truth(rules.after(position, choice.move))
            assert choice.value == -reply.value
            assert choice.plies == (None if reply.plies is None else reply.plies + 1)
            assert only_value == (choice.move, Score(choice.value))
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
        best = max(choice.score for choice in solver.choices(position))
        assert solver.best(position) == [choice.move for choice in solver.choices(position) if choice.score == best]


def test_scores_are_a_chain_of_thresholds() -> None:
    """A score is at least t for the mover exactly if the opponent's after the move is below child_target(t)."""
    scores = [-TOP, 1 - TOP, 2 - TOP, 7 - TOP, 0, TOP - 7, TOP - 2, TOP - 1, TOP]
    for theirs in scores:
        for target in [*scores, 1]:
            if -TOP < target < TOP:
                assert (from_child(theirs) >= target) == (theirs < child_target(target))


# How much a question costs, plain and compiled. A search that loses a cut-off, an order or its memory finds the same
# answers with more work; whoever makes it better lowers these numbers.
EFFORT = [
    ("increasing-differences", {"length": "4", "range": "12"}, "", 7039, 6751),
    ("increasing-differences", {"length": "6", "range": "12"}, "", 15_373, 13_218),
    ("increasing-differences", {}, "5 7 8 9", 377, 377),
    ("pyramid-challenge", {"base": "3", "highest": "6"}, "", 22_953, 22_953),
    ("pyramid-challenge", {"base": "3", "highest": "5", "copies": "2"}, "", 1452, 1452),
    ("sequence-builder", {}, "", 11_188, 8562),
    ("sequence-builder", {"length": "5", "pool": "14", "increments": "1,2"}, "", 5053, 4542),
    ("sequence-spot", {"grid": "2,7,6,9,5,1,4,3,8"}, "", 1577, 1577),
]


@pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])
@pytest.mark.parametrize(("key", "texts", "line", "plain_nodes", "compiled_nodes"), EFFORT)
def test_a_question_costs_no_more_than_it_did(
    key: str, texts: dict[str, str], line: str, plain_nodes: int, compiled_nodes: int, compiled: bool
) -> None:
    rules = set_up(key, texts)
    position = rules.start
    for word in line.split():
        position = rules.play(position, rules.read(position, word))
    limit = Limit()
    Solver(rules, compiled=compiled).choices(position, limit)
    assert limit.spent == (compiled_nodes if compiled else plain_nodes)


def test_the_limit_is_kept_and_said() -> None:
    rules = set_up("increasing-differences", {"length": "8", "range": "30"})
    with pytest.raises(TooBig, match=r"no exact answer within 5,000 positions"):
        Solver(rules).score(rules.start, Limit(nodes=5000))
    told: list[int] = []
    with pytest.raises(TooBig):
        Solver(rules).score(rules.start, Limit(nodes=20_000, on_progress=told.append))
    assert told == sorted(told)
    assert told[-1] == 20_000
    with pytest.raises(TooBig, match=r"no exact answer within 0.2 seconds"):
        Solver(rules).score(rules.start, Limit(seconds=0.2))


def test_a_part_of_a_limit_is_limited_by_both() -> None:
    rules = set_up("increasing-differences", {"length": "8", "range": "30"})
    whole = Limit(nodes=6000)
    with pytest.raises(TooBig, match=r"within 4,000 positions"):
        Solver(rules).score(rules.start, whole.part(nodes=4000))
    assert whole.spent == 4000
    with pytest.raises(TooBig, match=r"within 6,000 positions"):
        Solver(rules).score(rules.start, whole.part(nodes=4000))
    assert whole.spent == 6000


def test_what_is_known_is_told_after_the_time_is_up() -> None:
    rules = set_up("sequence-builder", {})
    solver = Solver(rules)
    score = solver.score(rules.start)
    assert solver.score(rules.start, Limit(seconds=0)) == score


def test_a_search_can_be_given_up() -> None:
    rules = set_up("increasing-differences", {"length": "8", "range": "30"})
    limit = Limit(on_progress=lambda spent: limit.cancel())
    with pytest.raises(Cancelled):
        Solver(rules).score(rules.start, limit)
    assert limit.spent < 10_000
    with pytest.raises(Cancelled):
        tabulate(rules, limit)


@pytest.mark.slow
def test_memory_is_kept_without_a_compiler_too() -> None:
    rules = set_up("increasing-differences", {"length": "8", "range": "30"})
    with pytest.raises(TooBig, match="no exact answer within 8 MB of memory"):
        Solver(rules, compiled=False).score(rules.start, Limit(memory=8 << 20))


def test_a_game_too_large_for_a_word_is_refused_soon_but_its_end_is_solved() -> None:
    rules = set_up("increasing-differences", {"length": "12", "range": "60"})
    assert not packs(rules)
    limit = Limit()
    with pytest.raises(TooBig, match="only its end can be solved"):
        Solver(rules).score(rules.start, limit)
    assert limit.spent < 50_000
    for less in (Limit(seconds=0), Limit(nodes=100)):  # more of either would not help, and nobody is told that it would
        with pytest.raises(TooBig, match="only its end can be solved"):
            Solver(rules).score(rules.start, less)
    with pytest.raises(TooBig, match="too large for a table"):
        tabulate(rules)
    # 1, 2, 4, 7, ... and 60, 59, 57, 54, ...: both need their eleventh number now, and nothing is left to choose.
    rules = set_up("increasing-differences", {"length": "3", "range": "60"})
    position = rules.start
    for move in (1, 60, 2, 58):
        position = rules.play(position, move)
    assert Solver(rules).score(position) == (Value.WIN, 1)


def test_a_game_that_need_not_end_has_no_value() -> None:
    rules = set_up("double-up", {"limit": "none"})
    with pytest.raises(TooBig, match="need not end"):
        Solver(rules)
    with pytest.raises(TooBig, match="need not end"):
        tabulate(rules)


@pytest.mark.slow
@pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])
def test_the_deepest_game_fits_the_stack(compiled: bool) -> None:
    rules = set_up("double-up", {"limit": str(DEEPEST)})
    table = tabulate(rules, compiled=compiled)
    lost = [position[0] for position, score in table.items() if score.value is Value.LOSS]
    assert lost == [2, 6, 14, 30, 61, 124, 249, 499, 999, 1999]  # (a - 1) // 2 again and again, from 4000
    assert Solver(without_theory(rules), compiled=compiled).value(rules.start) is Value.WIN  # by moving to 2


def test_a_game_that_is_too_long_is_refused() -> None:
    rules = set_up("double-up", {"limit": "1000000"})
    with pytest.raises(TooBig, match="999,999 turns is too long to search; at most 4,000"):
        tabulate(rules)
    with pytest.raises(TooBig, match="too long"):
        Solver(without_theory(rules))
    assert Solver(rules).value(rules.start) is not Value.DRAW  # the theory knows


@pytest.mark.slow
def test_too_big_is_foreseen() -> None:
    rules = set_up("increasing-differences", {"length": "12", "range": "30"})
    with pytest.raises(TooBig, match=r"about [0-9,]+ positions or more need [0-9,]+ MB; 64 MB"):
        tabulate(rules, Limit(memory=64 << 20))


@pytest.mark.slow
def test_a_table_that_outgrows_its_memory_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = set_up("increasing-differences", {"length": "4", "range": "20"})
    monkeypatch.setattr("parlour.solver.tables.estimate", lambda rules: 1)  # as wrong as can be
    with pytest.raises(TooBig, match="more than"):
        tabulate(rules, Limit(memory=8 << 20), compiled=True)
    with pytest.raises(TooBig, match="more than"):
        tabulate(rules, Limit(memory=45 << 20), compiled=False)


def test_a_position_that_play_cannot_lead_to_is_refused() -> None:
    rules = set_up("sequence-spot", {"grid": "3,6,4,8,5,1,7,2,9"})
    both_marked = rules.position([275, 129, 130])
    for compiled in (False, True):
        with pytest.raises(BadPosition):
            Solver(rules, compiled=compiled).line(both_marked)
    rules = set_up("sequence-builder", {"pool": "7", "length": "3"})
    for compiled in (False, True):
        with pytest.raises(BadPosition):
            Solver(rules, compiled=compiled).choices(rules.position([33, 0, 0, 2, 1]))


@pytest.mark.parametrize(
    ("key", "texts"),
    [
        ("increasing-differences", {"length": "4", "range": "12"}),
        ("sequence-builder", {}),
        ("pyramid-challenge", {"highest": "4"}),
        ("sequence-spot", {"grid": "1,2,3,4,5,6,7,8,9"}),
    ],
)
@pytest.mark.slow
def test_the_estimate_is_in_the_right_region(key: str, texts: dict[str, str]) -> None:
    rules = set_up(key, texts)
    assert 0.1 < estimate(rules) / len(tabulate(rules)) < 5


def test_what_a_word_holds_is_known_to_the_bit() -> None:
    """The product of a position's bounds, by hand: (2 << range) * (range + 1) ** 4 in Increasing Differences."""
    for length, ranges in (("2", range(2, 61)),):
        for highest in ranges:
            rules = set_up("increasing-differences", {"length": length, "range": str(highest)})
            size = (2 << highest) * (highest + 1) ** 4
            for spare in (1, ENTRY_BITS):
                assert packs(rules, spare) == (size < 2 ** (63 - spare)), (highest, spare)
            assert packs(rules) == packs(rules, 1)
    for limit in (2**18, 2**19 + 7):  # one field, whose bound is limit + 1
        rules = set_up("double-up", {"limit": str(limit - 1)})
        exactly = 63 - (limit.bit_length() - 1)
        assert packs(rules, exactly) == (limit < 2 ** (63 - exactly))
        assert packs(rules, exactly - 1)
        assert not packs(rules, exactly)


@pytest.mark.slow
def test_plain_and_compiled_make_the_same_table_near_the_widest_word() -> None:
    """Positions of 62 bits: an overflow would wrap silently in compiled code."""
    assert not packs(set_up("increasing-differences", {"length": "2", "range": "40"}), ENTRY_BITS)
    assert packs(set_up("increasing-differences", {"length": "2", "range": "24"}), ENTRY_BITS)
    for texts in ({"length": "2", "range": "24"}, {"length": "3", "range": "24"}):
        rules = set_up("increasing-differences", texts)
        plain, compiled = tabulate(rules, compiled=False), tabulate(rules, compiled=True)
        assert list(plain.items()) == list(compiled.items())
    rules = set_up("sequence-builder", {"length": "6", "pool": "36", "increments": "1,2,3,20"})
    assert packs(rules)
    both = [Solver(rules, compiled=compiled).score(rules.start) for compiled in (True, False)]
    assert both[0] == both[1]


@pytest.mark.slow
@pytest.mark.parametrize("key", catalog.keys())
def test_default_tables_agree_plain_and_compiled(key: str) -> None:
    """Whole tables at the book's sizes, or as near to them as a minute allows without a compiler."""
    game = catalog.find_game(key)
    smaller = {"increasing-differences": {"range": "13"}, "pyramid-challenge": {"highest": "5"}}
    rules = Rules(game, game.deal(read_rules(game, smaller.get(key, {})).options, 1, Random(7)))
    if not compiles(rules):
        pytest.skip("a game too large to be compiled")
    plain, compiled = tabulate(rules, compiled=False), tabulate(rules, compiled=True)
    assert list(plain.items()) == list(compiled.items())
    assert plain.statistics() == compiled.statistics()


def test_everything_works_without_numba() -> None:
    code = (
        "import sys; sys.modules['numba'] = None\n"
        "import parlour.kernels as kernels; kernels.can_compile = lambda: False\n"
        "from parlour import catalog; from parlour.rules import Rules\n"
        "from parlour.solver import Solver, tabulate; from parlour.batch import playouts\n"
        "game = catalog.find_game('sequence-builder'); rules = Rules(game, game.defaults)\n"
        "assert str(Solver(rules).score(rules.start)) == 'win in 7 turns'\n"
        "assert len(tabulate(rules)) == 5371\n"
        "assert playouts(rules, 50).games == 50\n"
        "assert 'numpy' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_kept_table_is_made_once(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    rules = set_up("sequence-builder", {"pool": "9"})
    first = kept_table(rules)
    monkeypatch.setattr("parlour.solver.tables.tabulate", None)  # making it again would fail
    assert list(kept_table(rules).items()) == list(first.items())
