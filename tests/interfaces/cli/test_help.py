"""What helps people on: the manual page, whole sentences in the help, suggestions, and a pager for what is long."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click
import pytest

from parlour import catalog
from parlour.cli import COMMANDS, parlour
from parlour.cli.manual import manual
from tests.support.command import Run
from tests.support.terminal import Person

Runner = Callable[..., Run]
Terminal = Callable[..., Person]


# The manual page.


def test_the_manual_has_every_command_and_option() -> None:
    page = manual(parlour)
    context = click.Context(parlour, info_name="parlour")
    for name in COMMANDS:
        assert f'.SS "parlour {name} ' in page or f'.SS "parlour {name}"' in page
        command = parlour.get_command(context, name)
        assert command is not None
        names = command.list_commands(context) if isinstance(command, click.Group) else []
        inner = [command.get_command(context, key) for key in names] if isinstance(command, click.Group) else []
        for found in [command, *inner]:
            assert found is not None
            for parameter in found.params:
                if isinstance(parameter, click.Option):
                    assert parameter.opts[-1].replace("-", "\\-") in page, f"{name} {parameter.opts}"


# Whole sentences.


@pytest.mark.parametrize("call", [("--help",), ("play", "--help"), ("solve", "--help")])
def test_no_sentence_of_the_help_is_cut(run: Runner, call: tuple[str, ...]) -> None:
    told = run(*call).out
    listed = told.partition("Commands:" if call == ("--help",) else "Games:")[2].partition("Examples:")[0]
    assert listed.strip()
    assert "..." not in listed


# Suggestions.


@pytest.mark.parametrize(("call", "meant"), [
    (("paly",), "play"), (("game",), "games"), (("rules", "duoble"), "double-up"), (("rules", "spto"), "sequence-spot"),
    (("play", "incresing"), "increasing-differences"), (("play", "double-up", "--p2", "radnom"), "random"),
    (("play", "double-up", "--p2", "levle:3"), "level:3"), (("play", "spot", "--deal", "winable"), "winnable"),
])  # fmt: skip
def test_what_was_probably_meant(run: Runner, call: tuple[str, ...], meant: str) -> None:
    told = run(*call)
    assert (told.code, told.out, told.err.count("\n")) == (2, "", 1)
    assert f"(did you mean '{meant}'?)" in told.err


@pytest.mark.parametrize("call", [("learn",), ("rules",), ("help",), ("help", "rules")])
def test_whoever_names_no_game_is_told_which_there_are(run: Runner, call: tuple[str, ...]) -> None:
    told = run(*call)
    assert (told.code, told.out, told.err.count("\n")) == (2, "", 1)
    assert all(key in told.err for key in catalog.keys())
    assert "Missing" not in told.err


def test_options_before_the_game(run: Runner) -> None:
    told = run("play", "--p2", "level:2", "double")
    assert (told.code, told.err.count("\n")) == (2, 1)
    assert "options go after the game: parlour play GAME --p2 (" in told.err


@pytest.mark.parametrize("call", [("xyzzy",), ("rules", "chess"), ("play", "double-up", "--p2", "level:9")])
def test_nothing_is_suggested_where_nothing_is_near(run: Runner, call: tuple[str, ...]) -> None:
    told = run(*call)
    assert told.code == 2
    assert "did you mean" not in told.err


# The pager.


@pytest.fixture
def pager(tmp_path: Path) -> str:
    """A pager that says that it was called."""
    program = tmp_path / "pager"
    program.write_text('#!/bin/sh\necho "PAGED with $LESS"\ncat\n')
    program.chmod(0o755)
    return str(program)


def test_what_is_longer_than_the_screen_is_paged(terminal: Terminal, pager: str) -> None:
    person = terminal("rules", "pyramid", PAGER=pager)
    assert "PAGED with FRX\nPyramid Challenge\n" in person.leaves()[0]
    person = terminal("rules", "pyramid", PAGER=pager, LESS="S")
    assert "PAGED with S\n" in person.leaves()[0]


def test_rules_are_paged_in_the_menu_in_a_game_and_in_a_puzzle(terminal: Terminal, pager: str) -> None:
    person = terminal(PAGER=pager)
    person.sees("Which game?", "leave: ")
    person.types("5")
    person.sees("Which one?", "leave: ")
    person.types("Rules")
    person.sees("PAGED with RX", "Which one?", "leave: ")
    person.leaves("q\r")
    person = terminal("play", "spot", PAGER=pager)
    person.asked()
    person.types("rules")
    person.sees("PAGED with RX")
    person.asked()
    person.types("?")
    assert "PAGED" not in person.sees("You can also type", "turn:", "> "), "it fits the screen"
    person.leaves("\x04")
    person = terminal("play", "double", "--limit", "2", "--p2", "random", PAGER=pager, columns=40, rows=16)
    person.asked()
    person.types("?")
    person.sees("PAGED with RX", "turn:")
    person.types("2")
    person.sees("Again (Enter)", "> ")
    person.types("rules")
    person.sees("PAGED with RX", "Again (Enter)", "> ")
    person.leaves("quit\r")
    person = terminal("puzzle", "spot", PAGER=pager)
    person.sees("> ")
    person.types("rules")
    person.sees("PAGED with RX", "> ")
    person.leaves("quit\r")


@pytest.mark.parametrize("choice", ["fits", "unwanted", "missing"])
def test_what_fits_or_cannot_be_paged_is_printed(terminal: Terminal, pager: str, choice: str) -> None:
    person = terminal(
        "rules", "pyramid",
        rows=200 if choice == "fits" else 24,
        PAGER={"fits": pager, "unwanted": "", "missing": "no-such-pager"}[choice],
    )  # fmt: skip
    told, code = person.leaves()
    assert "PAGED" not in told
    assert "Play it: parlour play pyramid-challenge" in told
    assert code == 0


def test_a_pipe_is_never_paged(run: Runner, pager: str) -> None:
    assert run("rules", "pyramid", env={"PAGER": pager}).out.startswith("Pyramid Challenge\n")


def test_what_went_wrong_is_not_broken_in_the_middle_of_a_word(terminal: Terminal, run: Runner) -> None:
    told, code = terminal("rules", "duoble").leaves()
    wrong = run("rules", "duoble")
    assert wrong.err.count("\n") == 1, "a program gets it in one line"
    assert code == wrong.code
    assert told.split() == wrong.err.split()
    assert max(map(len, told.splitlines())) <= 80
