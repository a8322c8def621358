"""``Solver.analyse``, beside minimax: with all the time it needs, and with less."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from parlour.errors import TooBig
from parlour.game import SearchAids
from parlour.limit import Limit
from parlour.rules import Rules
from parlour.score import Score, Value
from parlour.solver import Analysis, Choice, Solver
from parlour.writer import write_json
from tests.support.naive import Textbook
from tests.support.small import SmallGame, quick_games, rules_of, scores_of, without_theory


@quick_games
def test_an_analysis_is_what_minimax_says(game: SmallGame) -> None:
    rules, book = game.rules, game.book
    solver = Solver(rules, runtime="python")
    for position in game.positions[:40]:
        found = solver.analyse(position, line=True)
        assert found.score == book.worth(position)
        assert scores_of(found.choices) == book.moves(position)
        assert (found.keeping, found.best) == (book.keeping(position), book.best(position))
        assert found.line is not None
        end = book.is_best_play(position, found.line)
        assert rules.is_over(end) or rules.settled(end)


@quick_games
def test_less_is_found_if_less_is_asked_for(game: SmallGame) -> None:
    rules, book = game.rules, game.book
    solver = Solver(rules, runtime="python")
    for position in game.positions[:20]:
        value, moves = book.worth(position).value, book.moves(position)
        found = solver.analyse(position, distances=False)
        assert (found.score, found.line) == (Score(value), None)
        assert found.choices == [Choice(move=move, value=score.value, plies=None) for move, score in moves.items()]
        assert found.keeping == found.best == book.keeping(position)
        some = list(moves)[1:2]
        assert solver.analyse(position, moves=some).score == book.worth(position), "that of the position"
        assert [choice.move for choice in solver.analyse(position, moves=some).choices] == some


@pytest.mark.parametrize(
    ("key", "texts"),
    [("increasing-differences", {"length": "4", "range": "7"}), ("sequence-builder", {"length": "3", "pool": "7"})],
)
def test_what_does_not_fit_the_limit_is_left_out_and_the_rest_is_exact(key: str, texts: dict[str, str]) -> None:
    rules = rules_of(key, texts)
    book, seen = Textbook(rules), set()
    value, moves = book.worth(rules.start).value, book.moves(rules.start)
    for nodes in range(1, 800, 9):
        try:
            found = Solver(rules, runtime="python").analyse(rules.start, Limit(nodes=nodes), line=True)
        except TooBig:
            seen.add("nothing")
            continue
        assert found.score.value is value
        assert {choice.move: choice.value for choice in found.choices} == {m: s.value for m, s in moves.items()}
        if found.choices[0].plies is None:
            seen.add("values")
            assert {choice.plies for choice in found.choices} == {None} == {found.score.plies}
        else:
            seen.add("distances")
            assert (found.score, scores_of(found.choices)) == (book.worth(rules.start), moves)
        if found.line is not None:
            seen.add("line")
            book.is_best_play(rules.start, found.line)
    assert seen == {"nothing", "values", "distances", "line"}


def test_a_line_is_not_looked_for_when_the_time_is_up() -> None:
    rules = without_theory(rules_of("double-up", {"limit": "10"}))
    found = Solver(rules, runtime="python").analyse(rules.start, Limit(seconds=0), line=True)
    assert (str(found.score), found.line) == ("loss in 4 turns", None)


def test_a_formula_is_asked_once_for_each_move() -> None:
    rules, asked = rules_of("double-up", {"limit": "100"}), list[Any]()

    def counting(options: Any, position: Any) -> Any:
        asked.append(position)
        assert rules.game.search.theory is not None
        return rules.game.search.theory(options, position)

    counted = Rules(replace(rules.game, search=SearchAids(theory=counting)), rules.options)
    position = rules.position([10])
    assert scores_of(Solver(counted).analyse(position).choices) == Textbook(rules).moves(position)
    assert asked == [(number,) for number in range(11, 21)]


def test_a_finished_game_has_no_choices() -> None:
    rules = rules_of("double-up", {"limit": "4"})
    over = rules.position([4])
    found = Solver(rules).analyse(over, line=True)
    assert found == Analysis(rules=rules, position=over, value=Value.LOSS, plies=0, choices=[], line=[])


def test_an_analysis_is_written_with_names_and_words() -> None:
    rules = rules_of("double-up", {"limit": "10"})
    assert write_json(Solver(rules).analyse(rules.position([8]))) == (
        '{"game": "double-up", "options": {"limit": "10"}, "position": "8", "value": "win", "plies": 1, "choices": '
        '[{"move": "9", "value": "loss", "plies": 2}, {"move": "10", "value": "win", "plies": 1}], "line": null}'
    )
