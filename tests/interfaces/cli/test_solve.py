"""``parlour solve`` and ``parlour tabulate`` as a person and a program use them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest

from parlour.engine.plain import PlainFill, PlainSearch
from tests.support.command import Run
from tests.support.solution import check_solution

Runner = Callable[..., Run]


SMALL = {
    "double-up": (),
    "increasing-differences": ("--length", "3", "--range", "9"),
    "pyramid-challenge": ("--highest", "5"),
    "sequence-builder": ("--pool", "12"),
    "sequence-spot": ("--grid", "2,7,6,9,5,1,4,3,8"),
}


@pytest.mark.parametrize("key", SMALL)
def test_a_document_for_programs(run: Runner, key: str) -> None:
    check_solution(json.loads(run("solve", key, *SMALL[key], "--json").out), key)


def test_moves_lead_to_a_position_and_its_token_leads_there_again(run: Runner) -> None:
    first = json.loads(run("solve", "builder", "--moves", "5 7 8", "--json").out)
    assert first["to_move"] == 2
    assert first["moves"] == ["5", "7", "8"]
    # After 5 7 8 Player 2 has 9 or 10; Player 1 cannot be stopped: 9 10 11 12 or 10 9 11 12.
    assert (first["value"], first["plies"]) == ("loss", 4)
    second = json.loads(run("solve", "builder", "--position", first["position"], "--json").out)
    assert second["to_move"] is None
    assert (second["value"], second["plies"], second["choices"]) == (first["value"], first["plies"], first["choices"])


def test_a_forced_pass_need_not_be_typed(run: Runner) -> None:
    # Player 1 begins with 20 and is stuck; after 16 he passes.
    typed = json.loads(run("solve", "builder", "--moves", "20 16 pass 19", "--json").out)
    left_out = json.loads(run("solve", "builder", "--moves", "20 16 19", "--json").out)
    assert typed == left_out
    assert typed["moves"] == ["20", "16", "pass", "19"]
    assert typed["value"] == "loss"


def test_a_finished_game_is_said_to_be_over(run: Runner) -> None:
    told = run("solve", "double", "--limit", "4", "--moves", "2 4")
    assert "Player 1: loss in 0 turns: the game is over" in told.out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["double", "--limit", "none"], "a game that need not end has no value; set a limit"),
        (["inc", "--moves", "5 5"], "illegal move '5': 5 is taken; legal: 1-4, 6-20"),
        (["inc", "--moves", "5 x"], "unreadable move 'x'"),
        (["inc", "--position", "1.2"], "bad position '1.2'; 5 numbers joined by dots, like 2097150.0.0.0.0"),
        (["inc", "--position", "2097150.0.0.0.99"], "their_gap is 99, and must be below 21"),
        (["double", "--position", "0"], "the sequence begins with 1"),
        (["double", "--position", "-1"], "bad position '-1'"),
        (["inc", "--moves", "5", "--position", "2097150.0.0.0.0"], "either --moves or --position"),
        (["nim"], "unknown game 'nim'"),
        (["double", "--limit", "4", "--moves", "2 4 5"], "the game is over"),
    ],
)
def test_bad_input_gets_one_clear_line(run: Runner, arguments: list[str], complaint: str) -> None:
    told = run("solve", *arguments)
    assert told.code in (1, 2)
    assert told.out == ""
    assert complaint in told.err
    assert len(told.err.splitlines()) == 1


@pytest.mark.parametrize("command", [["solve", "--outcome"], ["tabulate"]])
def test_when_the_time_is_up_it_is_said_how_much_was_searched(
    run: Runner, command: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PlainSearch, "chunk", 100)
    monkeypatch.setattr(PlainFill, "chunk", 100)
    size = ["--length", "12", "--range", "36"] if command[0] == "solve" else ["--length", "4", "--range", "22"]
    told = run(command[0], "inc", *command[1:], *size, "--seconds", "0.02")
    assert told.code == 1
    assert told.out == ""
    end = r"ask later in the game, or allow more; [1-9][0-9,]* positions were searched by then"
    assert re.fullmatch(rf"parlour: no exact answer within 0\.02 seconds; {end}\n", told.err)


def test_too_big_to_tabulate_is_said_before_it_starts(run: Runner) -> None:
    told = run("tabulate", "inc", "--length", "12", "--range", "60")
    assert (told.code, told.out) == (1, "")
    assert told.err == "parlour: positions under these options are too large for a table; choose smaller options\n"


def test_tabulate_tells_the_counts(run: Runner) -> None:
    told = run("tabulate", "double", "--limit", "10").out
    # Of 1 .. 9 only 4 and 1 are lost: 10, (10 - 1) // 2 = 4, (4 - 1) // 2 = 1.
    assert "9 positions" in told
    assert "win             7   77.8 %" in told
    assert "loss            2   22.2 %" in told
    assert run("tabulate", "double", "--limit", "10").out == told  # from the table that was kept
