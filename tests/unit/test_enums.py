"""The enums of a match: they equal the numbers of the rule functions and the words of records and JSON."""

from __future__ import annotations

from parlour import Outcome, Status, Termination, game
from parlour.writer import write_json
from tests.support.tabletop import begin


def test_a_status_equals_the_number_that_rule_functions_return() -> None:
    numbers = [game.ONGOING, game.MOVER_LOSES, game.DRAWN, game.MOVER_WINS]
    assert list(Status) == numbers == list(range(4))
    assert [status.name for status in Status] == ["ONGOING", "MOVER_LOSES", "DRAWN", "MOVER_WINS"]


def test_rules_and_matches_return_members() -> None:
    match = begin("double-up", limit=2)
    assert match.result is match.round_result is match.rules.result(match.position) is Status.ONGOING
    match.play("2")
    assert match.result is match.round_result is match.rules.result(match.position) is Status.MOVER_LOSES
    drawn = begin("pyramid-challenge", "6 7 6 7", base=2)
    assert drawn.result is drawn.round_result is Status.DRAWN
    drawn.undo()
    drawn.resign(1)
    assert drawn.result is (Status.MOVER_LOSES if drawn.turn == 1 else Status.MOVER_WINS)


def test_a_termination_equals_its_word() -> None:
    assert list(Termination) == ["won", "resigned", "forfeited", "drawn", "undecided"]
    match = begin("double-up")
    match.resign(2)
    assert match.outcome == Outcome(1, Termination.RESIGNED) == (1, "resigned")
    assert match.outcome is not None
    assert f"{match.outcome.how}" == str(match.outcome.how) == "resigned"
    assert write_json(match.outcome) == '{"winner": 1, "how": "resigned"}'
