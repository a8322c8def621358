"""Exams and their sheets, against minimax."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from parlour.errors import ParlourError
from parlour.game import ONGOING
from parlour.rules import Rules, show_position
from parlour.score import Value
from parlour.study.mastery import Exam
from parlour.study.sheet import make_sheet
from parlour.study.strategy import Strategy, check_strategy, read_strategy, write_strategy
from tests.support.naive import minimax
from tests.support.small import SmallGame


def sides(rules: Rules) -> list[Any]:
    """The sides that are not lost."""
    value = minimax(rules)(rules.start).value
    return [1, 2] if value is Value.DRAW else [1] if value is Value.WIN else [2]


def sit(exam: Exam, random: Random, mistakes: float = 0.3) -> None:
    """A student who answers at random among what is right, and sometimes wrongly."""
    truth = minimax(exam.rules)
    for _ in range(100_000):
        question = exam.question()
        if question is None:
            return
        position = exam.rules.start
        for move in question.moves:
            position = exam.rules.play(position, move)
        assert position == question.position
        values = {m: -truth(exam.rules.after(position, m)).value for m in exam.rules.legal(position)}
        right = [move for move, value in values.items() if value >= exam.goal]
        wrong = [move for move, value in values.items() if value < exam.goal]
        assert right
        assert wrong, "nothing is asked where everything is right"
        errs = random.random() < mistakes
        move = random.choice(wrong if errs else right)
        marked = exam.answer(move)
        assert marked.right == (not errs)
        assert values[marked.best] == max(values.values())
        after = exam.rules.after(position, move)
        for reply in marked.refutation:
            after = exam.rules.play(after, reply)
        assert bool(marked.refutation) <= errs
        assert not errs or exam.rules.is_over(after)
    raise AssertionError("the exam does not end")


def stands(strategy: Strategy, goal: int) -> bool:
    """Whether it holds against everybody, played out over raw positions by this test."""
    rules = strategy.rules
    seen: set[tuple[Any, bool]] = set()

    def holds(position: Any, mine: bool) -> bool:
        if (position, mine) in seen:
            return True
        seen.add((position, mine))
        result = rules.result(position)
        if result != ONGOING:
            value = int(Value.of_result(result))
            return (value if mine else -value) >= goal
        if not mine:
            return all(holds(rules.after(position, move), True) for move in rules.legal(position))
        # Any move that leads to the same future as the strategy's own will do: that is what merging means.
        form = rules.canonical(position)
        wanted = rules.after(form, strategy.answers[form])
        alike = rules.result if rules.is_over(wanted) else rules.canonical
        return any(
            alike(rules.after(position, move)) == alike(wanted) and holds(rules.after(position, move), False)
            for move in rules.legal(position)
        )

    return holds(strategy.start, strategy.side == 1)


def check_strategy_of_exam(game: SmallGame) -> None:
    rules = game.rules
    for side in sides(rules):
        for seed in range(2):
            exam = Exam(rules, side, minimax(rules))
            if exam.question():
                with pytest.raises(ParlourError, match="questions are left"):
                    exam.strategy({})
            sit(exam, Random(seed))
            strategy = exam.strategy({"by": "Ann"})
            assert stands(strategy, int(exam.goal))
            checked = check_strategy(strategy)
            assert checked.positions == len(strategy.answers)
            assert read_strategy(write_strategy(strategy)) == strategy
            with pytest.raises(ParlourError, match="no question is left"):
                exam.answer(1)


def check_sheet(game: SmallGame) -> None:
    """What the page does with it: right answers add what they lead to, wrong ones come back at the end."""
    rules = game.rules
    for side in sides(rules):
        sheet = make_sheet(Exam(rules, side, minimax(rules)), 10_000)
        for seed in range(2):
            random, exam = Random(seed), Exam(rules, side, minimax(rules))
            todo, again, known, names = list(sheet.begin), [], set(sheet.begin), []
            while todo or again:
                form = (todo or again).pop(0)
                asked = exam.question()
                assert asked is not None
                assert show_position(rules.canonical(asked.position)) == form
                shown = sheet.questions[form]
                assert {*shown.right, *shown.wrong} == set(rules.legal(shown.position))
                wrong = list(shown.wrong) if random.random() < 0.3 else []
                move = random.choice(wrong or list(shown.right))
                names.append(exam.kept_name(shown.position, move))
                if wrong:
                    again.append(form)
                else:
                    new = [each for each in shown.right[move] or () if each not in known]
                    known.update(new)
                    todo += new
                exam.take(names[-1:])
                if len(names) > 5000:
                    raise AssertionError("the exam does not end")
            assert exam.question() is None
            assert exam.mistakes == len(names) - len(known)
