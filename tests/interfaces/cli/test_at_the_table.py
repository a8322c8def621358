"""Hints, reasons, strict games and the offer of a report, typed at a real terminal and through a pipe."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from tests.support.command import Run
from tests.support.terminal import Person

Terminal = Callable[..., Person]
Runner = Callable[..., Run]

PROMPT = "Enter your selection: "
OFFER = "See where it turned: parlour report "


def events(run: Run, *kinds: str) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in run.out.splitlines()]
    return [event for event in found if event["event"] in kinds]


def answers(run: Run, prompt: str = PROMPT) -> list[str]:
    """What followed each prompt, as one line."""
    return [" ".join(answer.split()) for answer in run.out.split(prompt)[1:]]


# At a terminal.


def test_the_ladder_at_a_terminal(terminal: Terminal) -> None:
    person = terminal("play", "double-up", "--name2", "Bob")
    for move in ("2", "3", "4", "8", "12"):
        person.sees_prompt()
        person.types(move)
    person.sees_prompt()
    for text in (
        "You are winning.",
        "1 of 12 moves keeps the win.",
        "Look between 19 and 24.",
        "Play 24: you win on your 3rd turn, counting this one.",
        "Play 24: you win on your 3rd turn, counting this one.",
    ):
        person.types("hint")
        person.sees(text)
        person.sees_prompt()
    person.types("why 23")
    told = " ".join(person.sees("and Player 1 wins.").split())
    assert "23 throws away the win: it loses after your 3rd turn, counting this one. Player 1: 24, Bob: 25," in told
    person.sees_prompt()
    person.types("24")
    person.sees_prompt()
    person.types("HINT")
    person.sees("You are losing, unless Bob makes a mistake.")
    person.sees_prompt()
    person.types("quit")
    assert person.leaves()[1] == 0


def test_the_report_is_offered_when_the_game_is_over(terminal: Terminal, run: Runner) -> None:
    person = terminal("play", "double-up", "--limit", "3")
    for move in ("2", "3"):
        person.sees_prompt()
        person.types(move)
    person.sees("Again (Enter), report, undo")
    person.sees_prompt()
    person.types("report")
    person.sees("Double Up: Player 1 - Player 2", "Up to 3. Player 2 won.", "No turning point")
    person.sees_prompt()
    person.types("quit")
    assert person.leaves()[1] == 0
    assert run("report", "1").out.startswith("Double Up")


def test_the_report_is_offered_after_a_resignation_and_not_when_somebody_leaves(terminal: Terminal) -> None:
    person = terminal("play", "double-up")
    person.sees_prompt()
    person.types("resign")
    person.sees("Give up this game? y or n: ")
    person.types("y")
    person.sees("Again (Enter), report")
    person.sees_prompt()
    person.types("quit")
    assert person.leaves()[1] == 0
    person = terminal("play", "double-up")
    person.sees_prompt()
    person.types("quit")
    assert "report" not in person.leaves()[0]


# From a pipe.


def test_the_ladder_from_a_pipe(run: Runner) -> None:
    told = run("play", "double-up", stdin="2\n3\nhint\nhint\nhint\nhint\nwhy 4\n5\nhint\nresign\n")
    assert told.code == 0
    said = answers(told)
    assert said[2] == "hint You are winning."
    assert said[3] == "hint 1 of 3 moves keeps the win."
    assert said[4] == said[5] == "hint Play 5: you win on your 5th turn, counting this one."
    assert said[6].startswith(
        "why 4 4 throws away the win: it loses after your 5th turn, counting this one. Player 2: 5, Player 1: 6, "
    )
    assert said[8] == "hint You are losing, unless Player 1 makes a mistake."


def test_no_offer_in_a_pipe(run: Runner) -> None:
    told = run("play", "double-up", "--limit", "3", stdin="2\n3\n")
    assert told.code == 0
    assert OFFER.strip() not in told.out + told.err


def test_why_needs_a_move(run: Runner) -> None:
    told = run("play", "double-up", stdin="2\nwhy\nwhy 9\nwhy x\nwhy  3 \nWHY 3\nwhyever\nresign\n")
    said = answers(told)
    assert said[1] == "why Which move? Type why and the move, for example: why 3"
    assert said[2].startswith("why 9 Invalid move! 9 is more than 4, the double of 2.")
    assert said[3].startswith("why x Invalid move! 'x' names no move.")
    assert "3 loses after your 5th turn, counting this one. Both moves lose here. Player 1: 5, " in said[4]
    assert "3 loses after your 5th turn, counting this one. Both moves lose here. Player 1: 5, " in said[5]
    assert said[6].startswith("whyever Invalid move! 'whyever' names no move.")


def test_studying_leaves_no_trace_in_the_record(run: Runner) -> None:
    run("play", "double-up", "--seed", "1", stdin="2\n3\nresign\n")
    run("play", "double-up", "--seed", "1", stdin="2\nhint\nhint\nwhy 3\n3\nresign\n")
    first, second = (re.sub(r"\[Date .*\n", "", run("export", number).out) for number in ("1", "2"))
    assert first == second


def test_a_strict_game_differs_in_one_tag_of_the_record(run: Runner) -> None:
    run("play", "double-up", "--seed", "1", stdin="2\n3\nresign\n")
    run("play", "double-up", "--strict", "--seed", "1", stdin="2\nhint\n3\nresign\n")
    usual, strict = (re.sub(r"\[Date .*\n", "", run("export", number).out) for number in ("1", "2"))
    assert strict.replace('[Strict "yes"]\n', "") == usual != strict


def test_against_the_computer_hints_are_given_and_undo_is_free(run: Runner) -> None:
    told = run("play", "double-up", "--p2", "random", "--seed", "1", stdin="2\nhint\nundo\nhint\nresign\n")
    assert "You are winning." in told.out or "You are losing" in told.out
    assert "Taken back: 2, " in told.out


def test_a_game_that_need_not_end_has_no_hints(run: Runner) -> None:
    said = answers(run("play", "double-up", "--limit", "none", stdin="hint\nwhy 2\nresign\n"))
    assert said[0] == "hint A game that need not end has no value; set a limit."
    assert said[1] == "why 2 A game that need not end has no value; set a limit."


# As events.


def test_hints_as_events(run: Runner) -> None:
    told = run("play", "sequence-builder", "--json", stdin="hint\nhint\nhint\nhint\nhint\nresign\n")
    known = {"event": "hint", "round": 1, "player": 1, "value": "win"}
    nothing = {"legal": None, "keeping": None, "region": None, "move": None, "plies": None}
    top = {
        **known, "rung": 4, "text": "Play 1: you win on your 4th turn, counting this one.",
        "legal": 20, "keeping": 13, "region": "between 1 and 10", "move": "1", "plies": 7,
    }  # fmt: skip
    assert events(told, "hint") == [
        {**known, **nothing, "rung": 1, "text": "You are winning."},
        {**known, **nothing, "rung": 2, "text": "13 of 20 moves keep the win.", "legal": 20, "keeping": 13},
        {**top, "rung": 3, "text": "One of them is between 1 and 10.", "move": None, "plies": None},
        top,
        top,
    ]


def test_reasons_as_events(run: Runner) -> None:
    told = run("play", "double-up", "--json", stdin="2\n3\nwhy 4\nwhy 5\nwhy\nwhy 9\nresign\n")
    bad, good = events(told, "why")
    assert (bad["move"], bad["value"], bad["keeps"], bad["plies"], bad["player"]) == ("4", "loss", False, 10, 1)
    assert bad["line"] == ["5", "6", "11", "12", "24", "25", "49", "50", "100"]
    assert (good["move"], good["value"], good["keeps"], good["plies"]) == ("5", "win", True, 9)
    assert good["text"].startswith("5 keeps the win")
    (remark,) = events(told, "remark")
    assert remark["text"].startswith("Which move? Type why")
    (refusal,) = events(told, "refusal")
    assert (refusal["code"], refusal["input"]) == ("move/illegal", "9")


def test_refusals_as_events(run: Runner) -> None:
    strict = run("play", "double-up", "--strict", "--json", stdin="hint\nundo\nwhy 2\nresign\n")
    assert [event["code"] for event in events(strict, "refusal")] == ["game/strict"] * 3
    assert events(strict, "hint", "why", "undo") == []
    endless = run("play", "double-up", "--limit", "none", "--json", stdin="hint\nresign\n")
    assert [event["code"] for event in events(endless, "refusal")] == ["solve/too-big"]
