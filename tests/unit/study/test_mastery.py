"""Exams, and the strategies that they end with: right only if they stand against every reply."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from parlour.errors import BadStrategy, ParlourError
from parlour.limit import Limit
from parlour.rules import show_position
from parlour.study.mastery import Exam, count_questions
from parlour.study.sheet import make_sheet
from parlour.study.strategy import Strategy, check_strategy, read_strategy, write_strategy
from tests.support.exams import check_sheet, check_strategy_of_exam, sides, sit
from tests.support.naive import minimax
from tests.support.small import SmallGame, quick_games, rules_of


@quick_games
def test_an_exam_ends_with_a_strategy_that_stands_against_everybody(game: SmallGame) -> None:
    check_strategy_of_exam(game)


def test_no_position_is_asked_twice_and_every_one_that_matters_once() -> None:
    rules = rules_of("double-up", {"limit": "20"})
    # Lost numbers below 20 are 9, 4 and 1. Player 2 is asked after every move of Player 1 that leaves a choice.
    exam = Exam(rules, 2, minimax(rules))
    asked = []
    while (question := exam.question()) is not None:
        asked.append(question.position.last)
        assert exam.answer(exam.recommended(question.position)).right
    assert sorted(asked) == [2, *range(5, 9), *range(10, 19)]  # after 2: 3 or 4; after 19 only 20 is left
    assert count_questions(rules, 2, minimax(rules)) == len(asked) == 14


def test_a_lost_side_has_no_exam() -> None:
    rules = rules_of("double-up", {"limit": "20"})
    with pytest.raises(ParlourError, match="Player 1 is lost in Double Up"):
        Exam(rules, 1, minimax(rules))


def proof() -> tuple[Strategy, list[str]]:
    rules = rules_of("double-up", {"limit": "20"})
    exam = Exam(rules, 2, minimax(rules))
    sit(exam, Random(1), 0)
    strategy = exam.strategy({"by": "Ann", "date": "2026-11-17"})
    return strategy, write_strategy(strategy).splitlines()


def test_a_strategy_is_refused_if_anything_in_it_is_changed() -> None:
    strategy, (head, *lines) = proof()
    for number, line in enumerate(lines):
        token, _, name = line.partition(" ")
        position = strategy.rules.read_position(token)
        others = [m for m in strategy.rules.legal(position) if strategy.rules.name(m) != name]
        for move in others:  # in a lost position every other move loses, and from a won one only one wins
            changed = [*lines[:number], f"{token} {strategy.rules.name(move)}", *lines[number + 1 :]]
            with pytest.raises(BadStrategy):
                check_strategy(read_strategy("\n".join([head, *changed])))
        short = json.dumps({**json.loads(head), "positions": len(lines) - 1})
        with pytest.raises(BadStrategy, match="has no move for"):
            check_strategy(read_strategy("\n".join([short, *lines[:number], *lines[number + 1 :]])))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"kind": "letter"}, "the first line must be"),
        ({"format": 2}, "format 2, and this Parlour reads 1"),
        ({"version": 9}, "made for version 9 of Double Up"),
        ({"game": "chess"}, "unknown game"),
        ({"options": {"limit": "21"}}, "the claim is wrong|has no move|no game reaches|bad strategy"),
        ({"options": 5}, "must be an object"),
        ({"options": {"limit": "1"}}, "bad limit"),
        ({"side": 1}, "the claim is wrong|has no move"),
        ({"side": 3}, '"side" is 1 or 2'),
        ({"plies": 3}, "lasts [0-9]+ turns, but 3 are claimed"),
        ({"plies": "soon"}, '"plies" is a number or null'),
        ({"value": "loss"}, "a loss needs no proof"),
        ({"value": "certainly"}, "is not a value"),
        ({"positions": 5}, "line 7 cannot be read"),
        ({"positions": 500}, "lines follow, but 500 are claimed"),
        ({"moves": ["2", "9"]}, "illegal move"),
        ({"moves": None}, "the first line cannot be read"),
    ],
)
def test_a_false_head_is_refused_with_the_reason(change: dict[str, Any], words: str) -> None:
    _, (head, *lines) = proof()
    with pytest.raises(ParlourError, match=words):
        check_strategy(read_strategy("\n".join([json.dumps({**json.loads(head), **change}), *lines])))


@pytest.mark.parametrize("text", ["", "{}", "[]", "nonsense", '{"kind": "parlour strategy"}', "\n\n", "[" * 5000])
def test_rubbish_is_refused(text: str) -> None:
    with pytest.raises(BadStrategy, match="bad strategy"):
        read_strategy(text)


@pytest.mark.parametrize("line", ["5", "5 99", "x 6", "5.5 6", "-5 6", "5 pass", "9" * 400 + " 6"])
def test_a_line_that_cannot_be_read_is_named(line: str) -> None:
    _, (head, *lines) = proof()
    head = json.dumps({**json.loads(head), "positions": len(lines) + 1})
    with pytest.raises(BadStrategy, match=f"line {len(lines) + 2}|no game reaches"):
        check_strategy(read_strategy("\n".join([head, *lines, line])))


def test_a_position_too_many_is_refused_and_so_is_one_that_comes_twice() -> None:
    _, (head, *lines) = proof()
    head = json.dumps({**json.loads(head), "positions": len(lines) + 1})
    with pytest.raises(BadStrategy, match="1 position that no game reaches"):
        check_strategy(read_strategy("\n".join([head, *lines, "9 10"])))
    with pytest.raises(BadStrategy, match="that came before"):
        read_strategy("\n".join([head, *lines, lines[0]]))


def test_checking_stays_within_its_limit() -> None:
    strategy, _ = proof()
    with pytest.raises(ParlourError):
        check_strategy(strategy, Limit(nodes=1))


@quick_games
def test_a_sheet_leads_through_the_same_exam_without_a_solver(game: SmallGame) -> None:
    check_sheet(game)


def test_a_short_sheet_begins_with_what_good_answers_lead_to() -> None:
    rules = rules_of("sequence-builder", {"length": "5", "pool": "9", "increments": "1,2,4"})
    (side, *_) = sides(rules)
    exam = Exam(rules, side, minimax(rules))
    count = count_questions(rules, side, minimax(rules))
    whole = make_sheet(exam, 10_000)
    assert not any(leads is None for each in whole.questions.values() for leads in each.right.values())
    short = make_sheet(exam, count)
    assert short.questions.keys() <= whole.questions.keys()
    assert len(short.questions) <= count < len(whole.questions)
    while (question := exam.question()) is not None:
        shown = short.questions[show_position(rules.canonical(question.position))]
        assert shown.right[shown.best] is not None
        exam.answer(exam.recommended(question.position))
