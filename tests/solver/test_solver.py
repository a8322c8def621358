"""The solver against textbook minimax, on every position of many small games."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from parlour import catalog, referee
from parlour.errors import BadPosition, TooBig
from parlour.game import ONGOING, AnyGame, listed
from parlour.solver import Solver, kept_table, tabulate
from parlour.solver.kernels import DEEPEST, TOP, back, reply
from parlour.solver.plain import fits
from parlour.solver.tables import estimate
from tests.naive import by_hand, minimax, reachable

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


def set_up(key: str, texts: dict[str, str]) -> tuple[AnyGame, Any]:
    game = catalog.load(key)
    return game, referee.choose_options(game, texts)


@small
@pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])
def test_every_position_has_its_value_and_distance(key: str, texts: dict[str, str], compiled: bool) -> None:
    game, options = set_up(key, texts)
    truth = minimax(game, options)
    solver = Solver(game, options, compiled=compiled)
    positions = sorted(reachable(game, options))
    Random(1).shuffle(positions)
    for position in positions[:4000]:
        value, plies = solver.standing(position)
        assert (by_hand(value), plies) == truth(position), position
        assert solver.value(position) == truth(position)[0]


@pytest.mark.parametrize(("key", "texts"), [(key, texts) for key, texts in SMALL if catalog.load(key).theory])
def test_the_search_finds_what_a_theory_says(key: str, texts: dict[str, str]) -> None:
    """The closed form is put aside, so that the search has to find the answers by itself."""
    game, options = set_up(key, texts)
    assert game.theory is not None
    solver = Solver(replace(game, theory=None), options)
    for position in reachable(game, options):
        result, plies, move = game.theory(options, position)
        score = solver.score(position)
        assert score == (TOP - plies if result == 3 else plies - TOP)
        assert dict(solver.scores(position))[move] == score


def test_the_secret_of_doubling() -> None:
    """Worked out on paper for 100: whoever leaves 100, 49, 24, 11, 5 or 2 wins."""
    game, options = set_up("double-up", {"limit": "100"})
    solver = Solver(game, options)
    lost = [n for n in range(1, 101) if solver.value(type(game.start(options))(n)) == -1]
    assert lost == [2, 5, 11, 24, 49, 100]


@small
@pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])
def test_a_table_knows_every_position(key: str, texts: dict[str, str], compiled: bool) -> None:
    game, options = set_up(key, texts)
    truth = minimax(game, options)
    table = tabulate(game, options, compiled=compiled)
    positions = reachable(game, options)
    for position in positions:
        value, plies = truth(position)
        score = 0 if plies is None else value * (TOP - plies)
        assert table.score(position) == score, position
    classes = {game.canonical(options, position) for position in positions}
    assert len(table) == len(classes)
    assert {position for position, _ in table.items()} == classes
    found = table.statistics()
    values = [truth(position)[0] for position in classes]
    assert found.values == {"win": values.count(1), "draw": values.count(0), "loss": values.count(-1)}
    moves = {p: [truth(game.play(options, p, m))[0] for m in listed(game.moves(options, p))] for p in classes}
    assert found.decisions == sum(len(replies) > 1 for replies in moves.values())
    assert found.critical == sum(max(replies) != min(replies) for replies in moves.values())
    assert found.longest == max((truth(p)[1] for p in classes if truth(p)[0] == 1), default=0)


@small
def test_canonical_positions_have_the_same_future(key: str, texts: dict[str, str]) -> None:
    game, options = set_up(key, texts)
    truth = minimax(game, options)
    for position in reachable(game, options):
        same = game.canonical(options, position)
        assert truth(same) == truth(position)
        assert game.canonical(options, same) == same


@small
def test_choices_and_lines_prove_the_value(key: str, texts: dict[str, str]) -> None:
    game, options = set_up(key, texts)
    truth = minimax(game, options)
    solver = Solver(game, options)
    positions = sorted(reachable(game, options))
    Random(2).shuffle(positions)
    for position in positions[:200]:
        value, plies = truth(position)
        for choice in solver.choices(position):
            reply_value, reply_plies = truth(game.play(options, position, choice.move))
            assert by_hand(choice.value) == -reply_value
            assert choice.plies == (None if reply_plies is None else reply_plies + 1)
        line = solver.line(position)
        here = position
        for move in line:
            assert move in referee.legal_moves(game, options, here)
            here = game.play(options, here, move)
        assert game.result(options, here) != ONGOING
        if plies is not None:
            assert len(line) == plies
            assert truth(here)[0] * (-1) ** plies == value
        assert set(solver.best(position)) <= set(referee.legal_moves(game, options, position))


def test_scores_are_a_chain_of_thresholds() -> None:
    """A score is at least t for the mover exactly if the opponent's after the move is below reply(t)."""
    scores = [-TOP, 1 - TOP, 2 - TOP, 7 - TOP, 0, TOP - 7, TOP - 2, TOP - 1, TOP]
    for theirs in scores:
        for target in [*scores, 1]:
            if -TOP < target < TOP:
                assert (back(theirs) >= target) == (theirs < reply(target))


def test_the_budget_is_kept_and_said() -> None:
    game, options = set_up("increasing-differences", {"length": "8", "range": "30"})
    with pytest.raises(TooBig, match=r"no exact answer within 5,000 positions"):
        Solver(game, options, nodes=5000).standing(game.start(options))
    told: list[int] = []
    with pytest.raises(TooBig):
        Solver(game, options, nodes=20_000, progress=told.append).standing(game.start(options))
    assert told == sorted(told)
    assert told


def test_memory_is_kept_without_a_compiler_too() -> None:
    game, options = set_up("increasing-differences", {"length": "12", "range": "60"})
    with pytest.raises(TooBig, match="no exact answer within 8 MB of memory"):
        Solver(game, options, memory=8 << 20).standing(game.start(options))


def test_a_game_that_need_not_end_has_no_value() -> None:
    game, options = set_up("double-up", {"limit": "none"})
    with pytest.raises(TooBig, match="need not end"):
        Solver(game, options)
    with pytest.raises(TooBig, match="need not end"):
        tabulate(game, options)


@pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])
def test_the_deepest_game_fits_the_stack(compiled: bool) -> None:
    game, options = set_up("double-up", {"limit": str(DEEPEST)})
    table = tabulate(game, options, compiled=compiled)
    lost = [position[0] for position, score in table.items() if score < 0]
    assert lost == [2, 6, 14, 30, 61, 124, 249, 499, 999, 1999]  # (a - 1) // 2 again and again, from 4000
    search = Solver(replace(game, theory=None), options, compiled=compiled)
    assert search.value(game.start(options)) == 1  # by moving to 2


def test_a_game_that_is_too_long_is_refused() -> None:
    game, options = set_up("double-up", {"limit": "1000000"})
    with pytest.raises(TooBig, match="999,999 plies is too long to search; at most 4,000"):
        tabulate(game, options)
    with pytest.raises(TooBig, match="too long"):
        Solver(replace(game, theory=None), options)
    assert Solver(game, options).value(game.start(options)) in (1, -1)  # the theory knows


def test_too_big_is_foreseen() -> None:
    game, options = set_up("increasing-differences", {"length": "7", "range": "24"})
    with pytest.raises(TooBig, match=r"about [0-9,]+ positions or more need [0-9,]+ MB; 64 MB"):
        tabulate(game, options, memory=64 << 20)


def test_a_table_that_outgrows_its_memory_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    game, options = set_up("increasing-differences", {"length": "4", "range": "16"})
    monkeypatch.setattr("parlour.solver.tables.estimate", lambda game, options: 1)  # as wrong as can be
    with pytest.raises(TooBig, match="more than"):
        tabulate(game, options, memory=8 << 20, compiled=True)
    with pytest.raises(TooBig, match="more than"):
        tabulate(game, options, memory=45 << 20, compiled=False)


def test_a_position_that_play_cannot_lead_to_is_refused() -> None:
    game, options = set_up("sequence-spot", {"grid": "3,6,4,8,5,1,7,2,9"})
    both_marked = type(game.start(options))(275, 129, 130)
    for compiled in (False, True):
        with pytest.raises(BadPosition, match="play cannot lead to this position"):
            Solver(game, options, compiled=compiled).line(both_marked)
    game, options = set_up("sequence-builder", {"pool": "7", "length": "3"})
    for compiled in (False, True):
        with pytest.raises(BadPosition):
            Solver(game, options, compiled=compiled).choices(type(game.start(options))(33, 0, 0, 2, 1))


@pytest.mark.parametrize(
    ("key", "texts"),
    [
        ("increasing-differences", {"length": "4", "range": "12"}),
        ("sequence-builder", {}),
        ("pyramid-challenge", {"highest": "4"}),
        ("sequence-spot", {"grid": "1,2,3,4,5,6,7,8,9"}),
    ],
)
def test_the_estimate_is_in_the_right_region(key: str, texts: dict[str, str]) -> None:
    game, options = set_up(key, texts)
    assert 0.1 < estimate(game, options) / len(tabulate(game, options)) < 5


def test_plain_and_compiled_make_the_same_table_near_the_widest_word() -> None:
    """Positions of 62 bits: an overflow would wrap silently in compiled code."""
    game, options = set_up("increasing-differences", {"length": "2", "range": "40"})
    assert not fits(game, options, 18)
    assert fits(game, set_up("increasing-differences", {"length": "2", "range": "24"})[1], 18)
    for texts in ({"length": "2", "range": "24"}, {"length": "3", "range": "24"}):
        _, options = set_up("increasing-differences", texts)
        plain, compiled = tabulate(game, options, compiled=False), tabulate(game, options, compiled=True)
        assert list(plain.items()) == list(compiled.items())
    game, options = set_up("sequence-builder", {"length": "6", "pool": "36", "increments": "1,2,3,20"})
    start = game.start(options)
    assert fits(game, options, 1)
    assert Solver(game, options, compiled=True).standing(start) == Solver(game, options, compiled=False).standing(start)


@pytest.mark.parametrize("key", catalog.keys())
def test_default_tables_agree_plain_and_compiled(key: str) -> None:
    """Whole tables at the book's sizes, or as near to them as a minute allows without a compiler."""
    game = catalog.load(key)
    smaller = {"increasing-differences": {"range": "13"}, "pyramid-challenge": {"highest": "5"}}
    options = game.deal(referee.choose_options(game, smaller.get(key, {})), 1, Random(7))
    plain, compiled = tabulate(game, options, compiled=False), tabulate(game, options, compiled=True)
    assert list(plain.items()) == list(compiled.items())
    assert plain.statistics() == compiled.statistics()


def test_everything_works_without_numba() -> None:
    code = (
        "import sys; sys.modules['numba'] = None\n"
        "import importlib.util; find = importlib.util.find_spec\n"
        "import parlour.solver.solution as s; s.find_spec = lambda name: None if name == 'numba' else find(name)\n"
        "from parlour import catalog; from parlour.solver import Solver, tabulate; from parlour.batch import playouts\n"
        "game = catalog.load('sequence-builder'); options = game.defaults\n"
        "assert Solver(game, options).standing(game.start(options)) == ('win', 7)\n"
        "assert len(tabulate(game, options)) == 5371\n"
        "assert playouts(game, options, 50).games == 50\n"
        "assert 'numpy' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_kept_table_is_made_once(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    game, options = set_up("sequence-builder", {"pool": "9"})
    first = kept_table(game, options)
    monkeypatch.setattr("parlour.solver.tables.tabulate", None)  # making it again would fail
    assert list(kept_table(game, options).items()) == list(first.items())
