"""The solver in pure Python: choices, lines, limits, and what it refuses. Scores are compared in test_forms.py."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from operator import sub
from typing import Any

import pytest

from parlour.batch import playouts
from parlour.engine.plain import PlainFill, PlainSearch
from parlour.engine.search import ENTRY_BITS, TOP, child_target, compiles, from_child, packs
from parlour.errors import BadPosition, Cancelled, TooBig
from parlour.game import MOVER_WINS, SearchAids
from parlour.limit import Limit
from parlour.rules import Rules
from parlour.score import Score, Value
from parlour.solver import Solver, kept_table, tabulate
from tests.support.forms import check_choices, nodes_of_choices
from tests.support.small import SmallGame, begun, quick_games, rules_of, scores_of, without_theory


def test_the_secret_of_doubling() -> None:
    """Worked out on paper for 100: whoever leaves 100, 49, 24, 11, 5 or 2 wins."""
    rules = rules_of("double-up", {"limit": "100"})
    solver = Solver(rules)
    lost = [n for n in range(1, 101) if solver.value(rules.position([n])) is Value.LOSS]
    assert lost == [2, 5, 11, 24, 49, 100]


@quick_games
def test_choices_and_lines_prove_the_value(game: SmallGame) -> None:
    check_choices(game)


@quick_games
def test_a_move_keeps_every_score_up_to_its_own(game: SmallGame) -> None:
    solver = Solver(without_theory(game.rules), runtime="python")
    for position in game.positions[:25]:
        moves = game.book.moves(position)
        for move, worth in moves.items():
            for asked in moves.values():
                assert solver.keeps(position, move, asked) == (worth >= asked)
            for value in Value:
                assert solver.keeps(position, move, Score(value)) == (worth.value >= value)


@quick_games
def test_a_line_is_best_play_and_as_long_as_wanted(game: SmallGame) -> None:
    solver = Solver(without_theory(game.rules), runtime="python")
    for position in game.positions[:25]:
        line = solver.line(position)
        end = game.book.is_best_play(position, line)
        assert game.rules.is_over(end) or game.rules.settled(end)
        for most in range(len(line) + 2):
            assert solver.line(position, most=most) == line[:most]


def test_a_line_has_60_moves_unless_more_are_wanted() -> None:
    game = rules_of("double-up", {"limit": "100"}).game
    step_by_step = SearchAids(theory=lambda options, position: (MOVER_WINS, 1, position.last + 1))
    rules = Rules(replace(game, search=step_by_step), game.options(100))  # type: ignore[call-arg]
    assert Solver(rules).line(rules.start) == list(range(2, 62))
    assert Solver(rules).line(rules.start, most=80) == list(range(2, 82))


@quick_games
def test_values_are_found_without_distances(game: SmallGame) -> None:
    solver = Solver(without_theory(game.rules), runtime="python")  # no score is known yet
    for position in game.positions[:25]:
        assert solver.value(position) is game.truth[position].score.value
        assert [(move, score.value) for move, score in game.book.moves(position).items()] == [
            (choice.move, choice.value) for choice in solver.values(position)
        ]


@quick_games
def test_single_moves_are_judged_as_all_are(game: SmallGame) -> None:
    solver = Solver(game.rules, runtime="python")
    for position in game.positions[:25]:
        truth = list(game.book.moves(position).items())
        for wanted in (truth[:1], truth[::-1], []):
            moves = [move for move, _ in wanted]
            values = {move: Score(score.value) for move, score in wanted}
            assert scores_of(solver.choices(position, moves=moves)) == dict(wanted)
            assert scores_of(solver.values(position, moves=moves)) == values
        assert [(choice.value, choice.plies) for choice in solver.choices(position)] == [score for _, score in truth]


QUESTIONS: dict[str, Callable[[Solver[Any, Any], Any, Limit], object]] = {
    "score": lambda solver, position, limit: solver.score(position, limit),
    "value": lambda solver, position, limit: solver.value(position, limit),
    "choices": lambda solver, position, limit: solver.choices(position, limit),
    "values": lambda solver, position, limit: solver.values(position, limit),
    "best": lambda solver, position, limit: solver.best(position, limit),
    "keeps": lambda solver, position, limit: solver.keeps(position, 12, Score(Value.WIN, 9), limit),
    "line": lambda solver, position, limit: solver.line(position, limit),
}


@pytest.mark.parametrize("ask", QUESTIONS.values(), ids=QUESTIONS)
def test_every_question_keeps_its_limit(ask: Callable[[Solver[Any, Any], Any, Limit], object]) -> None:
    rules = rules_of("increasing-differences", {"length": "8", "range": "24"})
    limit = Limit(nodes=200)
    with pytest.raises(TooBig, match="within 200 positions"):
        ask(Solver(rules), rules.start, limit)
    assert limit.spent == 200


@pytest.mark.parametrize(
    ("game", "piece"),
    [
        (SmallGame("increasing-differences", "length=3 range=7"), 20),
        (
            SmallGame("pyramid-challenge", "base=2 highest=6 copies=1"),
            40,
        ),  # four times its plies, so that it gets ahead
    ],
    ids=str,
)
def test_a_search_in_small_pieces_finds_the_same(game: SmallGame, piece: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in (PlainSearch, PlainFill):
        monkeypatch.setattr(kind, "chunk", 20)
    told = [0]
    solver, limit = Solver(game.rules, runtime="python"), Limit(on_progress=told.append)
    for position in [game.rules.start, *game.positions[:5]]:
        assert solver.score(position, limit) == game.truth[position].score
    assert max(map(sub, told[1:], told)) == piece
    table = tabulate(game.rules, runtime="python")
    assert all(table.score(position) == true.score for position, true in game.truth.items())


def test_a_question_that_has_been_answered_costs_nothing() -> None:
    rules = rules_of("increasing-differences", {"length": "3", "range": "7"})
    solver = Solver(rules)
    score = solver.score(rules.start, Limit(nodes=1000))
    assert solver.score(rules.start, limit := Limit(nodes=0)) == score
    assert solver.value(rules.start, limit) is score.value
    assert limit.spent == 0


def test_scores_are_a_chain_of_thresholds() -> None:
    """A score is at least t for the mover exactly if the opponent's after the move is below child_target(t)."""
    scores = [-TOP, 1 - TOP, 2 - TOP, 7 - TOP, 0, TOP - 7, TOP - 2, TOP - 1, TOP]
    for theirs in scores:
        for target in [*scores, 1]:
            if -TOP < target < TOP:
                assert (from_child(theirs) >= target) == (theirs < child_target(target))


# The nodes that a question may visit. A search that loses a cut-off, its move order or its transposition
# table finds the same answers with more work; lower these numbers when the search improves.
# tests/proofs/test_solver.py has larger games.
EFFORT = [
    ("increasing-differences", {"length": "4", "range": "12"}, "", 7039),
    ("increasing-differences", {}, "5 7 8 9", 377),
    ("pyramid-challenge", {"base": "3", "highest": "5", "copies": "2"}, "", 1452),
    ("sequence-builder", {}, "", 11_188),
    ("sequence-builder", {"length": "5", "pool": "14", "increments": "1,2"}, "", 5053),
    ("sequence-spot", {"grid": "2,7,6,9,5,1,4,3,8"}, "", 1577),
]


@pytest.mark.parametrize(("key", "texts", "line", "nodes"), EFFORT)
def test_a_question_visits_no_more_nodes_than_before(key: str, texts: dict[str, str], line: str, nodes: int) -> None:
    assert 0 < nodes_of_choices(begun(key, texts, line)) <= nodes


def test_the_limit_is_kept_and_said() -> None:
    rules = rules_of("increasing-differences", {"length": "8", "range": "30"})
    with pytest.raises(TooBig, match=r"no exact answer within 5,000 positions"):
        Solver(rules).score(rules.start, Limit(nodes=5000))
    told: list[int] = []
    with pytest.raises(TooBig):
        Solver(rules).score(rules.start, Limit(nodes=10_000, on_progress=told.append))
    assert told == sorted(told)
    assert told[-1] == 10_000
    with pytest.raises(TooBig, match=r"no exact answer within 0.05 seconds"):
        Solver(rules).score(rules.start, Limit(seconds=0.05))


def test_a_part_of_a_limit_is_limited_by_both() -> None:
    rules = rules_of("increasing-differences", {"length": "8", "range": "30"})
    whole = Limit(nodes=6000)
    with pytest.raises(TooBig, match=r"within 4,000 positions"):
        Solver(rules).score(rules.start, whole.part(nodes=4000))
    assert whole.spent == 4000
    with pytest.raises(TooBig, match=r"within 6,000 positions"):
        Solver(rules).score(rules.start, whole.part(nodes=4000))
    assert whole.spent == 6000


def test_what_is_known_is_told_after_the_time_is_up() -> None:
    rules = rules_of("sequence-builder", {})
    solver = Solver(rules)
    score = solver.score(rules.start)
    assert solver.score(rules.start, Limit(seconds=0)) == score


def test_a_search_can_be_given_up() -> None:
    rules = rules_of("increasing-differences", {"length": "8", "range": "30"})
    limit = Limit(on_progress=lambda spent: limit.cancel())
    with pytest.raises(Cancelled):
        Solver(rules).score(rules.start, limit)
    assert limit.spent < 10_000
    with pytest.raises(Cancelled):
        tabulate(rules, limit)


def test_memory_is_kept_without_a_compiler_too() -> None:
    rules = rules_of("increasing-differences", {"length": "8", "range": "30"})
    with pytest.raises(TooBig, match="no exact answer within 2 MB of memory"):
        Solver(rules, runtime="python").score(rules.start, Limit(memory=2 << 20))


def test_a_game_too_large_for_a_word_is_refused_soon_but_its_end_is_solved() -> None:
    rules = rules_of("increasing-differences", {"length": "12", "range": "60"})
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
    rules = rules_of("increasing-differences", {"length": "3", "range": "60"})
    position = rules.start
    for move in (1, 60, 2, 58):
        position = rules.play(position, move)
    assert Solver(rules).score(position) == (Value.WIN, 1)


def test_a_game_that_need_not_end_has_no_value() -> None:
    rules = rules_of("double-up", {"limit": "none"})
    with pytest.raises(TooBig, match="need not end"):
        Solver(rules)
    with pytest.raises(TooBig, match="need not end"):
        tabulate(rules)


def test_a_game_that_is_too_long_is_refused() -> None:
    rules = rules_of("double-up", {"limit": "1000000"})
    with pytest.raises(TooBig, match="999,999 turns is too long to search; at most 4,000"):
        tabulate(rules)
    with pytest.raises(TooBig, match="too long"):
        Solver(without_theory(rules))
    assert Solver(rules).value(rules.start) is not Value.DRAW  # the theory knows


def test_a_position_that_play_cannot_lead_to_is_refused() -> None:
    rules = rules_of("sequence-spot", {"grid": "3,6,4,8,5,1,7,2,9"})
    both_marked = rules.position([275, 129, 130])
    with pytest.raises(BadPosition, match="there is no cell 0"):
        Solver(rules, runtime="python").line(both_marked)
    rules = rules_of("sequence-builder", {"pool": "7", "length": "3"})
    position = rules.position([33, 0, 0, 2, 1])
    with pytest.raises(BadPosition, match="0 is not in the pool"):
        Solver(rules, runtime="python").choices(position)
    cannot_tell = replace(rules.game.rules, impossible=lambda options, position: None)
    rules = Rules(replace(rules.game, rules=cannot_tell), rules.options)
    with pytest.raises(BadPosition, match=r"^play cannot lead to this position$"):
        Solver(rules, runtime="python").choices(position)


def test_what_a_word_holds_is_known_to_the_bit() -> None:
    """The product of a position's bounds, by hand: (2 << range) * (range + 1) ** 4 in Increasing Differences."""
    for length, ranges in (("2", range(2, 61)),):
        for highest in ranges:
            rules = rules_of("increasing-differences", {"length": length, "range": str(highest)})
            size = (2 << highest) * (highest + 1) ** 4
            for spare in (1, ENTRY_BITS):
                assert packs(rules, spare) == (size < 2 ** (63 - spare)), (highest, spare)
            assert packs(rules) == packs(rules, 1)
    for limit in (2**18, 2**19 + 7):  # one field, whose bound is limit + 1
        rules = rules_of("double-up", {"limit": str(limit - 1)})
        exactly = 63 - (limit.bit_length() - 1)
        assert packs(rules, exactly) == (limit < 2 ** (63 - exactly))
        assert packs(rules, exactly - 1)
        assert not packs(rules, exactly)


def test_a_game_compiles_if_a_word_holds_positions_and_moves() -> None:
    """Moves are the bits of a mask, of which 62 fit, or a range of any length."""
    assert compiles(rules_of("double-up", {"limit": "1000000"}))
    assert not compiles(rules_of("double-up", {"limit": "1000000"}), spare=44)
    assert compiles(rules_of("increasing-differences", {"length": "12", "range": "39"}))
    assert not compiles(rules_of("increasing-differences", {"length": "12", "range": "40"}))
    assert not compiles(rules_of("double-up", {"limit": "none"}))


def test_solver_table_and_playouts_of_a_book_game() -> None:
    """By default, which is in pure Python where wasmtime is missing."""
    rules = rules_of("sequence-builder", {})
    assert str(Solver(rules).score(rules.start)) == "win in 7 turns"
    assert len(tabulate(rules)) == 5371
    assert playouts(rules, 50).games == 50


def test_kept_table_is_made_once(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    rules = rules_of("sequence-builder", {"pool": "9"})
    first = kept_table(rules)
    monkeypatch.setattr("parlour.solver.tables.tabulate", None)  # making it again would fail
    assert list(kept_table(rules).items()) == list(first.items())
