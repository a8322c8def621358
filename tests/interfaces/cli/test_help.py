"""Help pages, man pages, suggestions for mistyped words, and the pager."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from parlour import catalog
from parlour.cli import COMMANDS, GROUPS, parlour
from tests.support import ROOT
from tests.support.command import Run
from tests.support.scripts import load_script
from tests.support.terminal import Person

Runner = Callable[..., Run]
Terminal = Callable[..., Person]


MAN_PAGES = load_script(ROOT / "tools" / "man_pages.py")


# Help.


def test_the_first_help_page_fits_a_terminal_and_names_every_command(run: Runner) -> None:
    lines = run("--help", env={"COLUMNS": "80"}).out.splitlines()
    assert len(lines) < 24, "and the prompt below"
    assert max(map(len, lines)) <= 80
    headed = {line.strip().partition("  ")[0] for line in lines}
    assert set(GROUPS) <= headed
    assert {*COMMANDS} <= {name for line in lines for name in re.split("  +", line)[-1].split(", ")}


def test_help_has_a_line_for_every_command_and_cuts_no_sentence(run: Runner) -> None:
    done = run("help", env={"COLUMNS": "80"})
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert "..." not in done.out
    assert [line.split()[0] for line in lines if line.startswith("  ")] == list(COMMANDS)
    assert [line.rstrip(":") for line in lines if line.endswith(":")] == list(GROUPS)
    assert lines[-1] == "How to use one: parlour help COMMAND"


@pytest.mark.parametrize("words", [("rules",), ("play", "double"), ("puzzles", "export")])
def test_help_for_a_command_is_its_own_help(run: Runner, words: tuple[str, ...]) -> None:
    own = run(*words, "--help")
    assert own.code == 0
    assert run("help", *words).out == own.out


@pytest.mark.parametrize(("words", "wrong"), [(("rulse",), "'rulse' (did you mean 'rules'?)"), (("list", "x"), "'x'")])
def test_help_for_no_command_is_refused(run: Runner, words: tuple[str, ...], wrong: str) -> None:
    done = run("help", *words)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert wrong in done.err


def test_help_for_a_game_is_the_help_of_playing_it(run: Runner) -> None:
    assert run("help", "spot").out == run("play", "sequence-spot", "--help").out


def test_the_man_pages_have_every_command_and_option(tmp_path: Path) -> None:
    MAN_PAGES.write_man_pages(str(tmp_path))

    def check(command: click.Command, parent: click.Context | None, name: str) -> None:
        context = click.Context(command, info_name=name, parent=parent)
        page = (tmp_path / f"{context.command_path.replace(' ', '-')}.1").read_text()
        assert "\b" not in page
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                assert parameter.opts[-1].replace("-", "\\-") in page, f"{context.command_path} {parameter.opts}"
        if isinstance(command, click.Group):
            for inner in command.list_commands(context):
                found = command.get_command(context, inner)
                assert found is not None
                check(found, context, inner)

    check(parlour, None, "parlour")


def test_no_sentence_about_a_game_is_cut(run: Runner) -> None:
    listed = run("play", "--help").out.partition("Games:")[2]
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


@pytest.mark.parametrize("command", ["learn", "rules"])
def test_without_a_game_the_games_are_listed(run: Runner, command: str) -> None:
    done = run(command)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"Which game? For example: parlour {command} double-up\n")
    assert all(f"  {game.key} " in done.err for game in catalog.list_games())


def test_options_before_the_game(run: Runner) -> None:
    after = run("play", "double", "--limit", "5", "--name2", "Ben", "--strict")
    before = run("play", "--limit", "5", "--name2=Ben", "--strict", "double")
    assert (before.code, before.out) == (after.code, after.out)
    assert "Limit: no number above 5" in before.out
    assert run("play", "--limit", "5", "--help").out == run("play", "--help").out


@pytest.mark.parametrize(("words", "message"), [
    (("--p7", "x", "double"), "there is no option '--p7' (did you mean '--p"),
    (("--p2", "level:2"), "which game? parlour play GAME takes one of: double-up, "),
    (("--p2",), "which game? parlour play GAME takes one of: double-up, "),
    (("--base", "3", "double"), "No such option '--base'"),
    (("--p2", "random", "chess"), "unknown game 'chess'"),
])  # fmt: skip
def test_wrong_options_before_the_game_are_one_line(run: Runner, words: tuple[str, ...], message: str) -> None:
    done = run("play", *words)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert message in done.err


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
    program.write_text('#!/bin/sh\necho "PAGED"\ncat\n')
    program.chmod(0o755)
    return str(program)


def test_what_is_longer_than_the_screen_is_paged(terminal: Terminal, pager: str) -> None:
    person = terminal("rules", "pyramid", PAGER=pager)
    assert "PAGED\nPyramid Challenge\n" in person.leaves()[0]


def test_rules_are_paged_in_the_menu_in_a_game_and_in_a_puzzle(terminal: Terminal, pager: str) -> None:
    person = terminal(PAGER=pager)
    person.sees("Which game?", "leave: ")
    person.types("5")
    person.sees("Which one?", "leave: ")
    person.types("Rules")
    person.sees("PAGED", "Which one?", "leave: ")
    person.leaves("q\r")
    person = terminal("play", "spot", PAGER=pager)
    person.asked()
    person.types("rules")
    person.sees("PAGED")
    person.asked()
    person.types("?")
    assert "PAGED" not in person.sees("You can also type", "turn:", "> "), "it fits the screen"
    person.leaves("\x04")
    person = terminal("play", "double", "--limit", "2", "--p2", "random", PAGER=pager, columns=40, rows=16)
    person.asked()
    person.types("?")
    person.sees("PAGED", "turn:")
    person.types("2")
    person.sees("Again (Enter)", "> ")
    person.types("rules")
    person.sees("PAGED", "Again (Enter)", "> ")
    person.leaves("quit\r")
    person = terminal("puzzle", "spot", PAGER=pager)
    person.sees("> ")
    person.types("rules")
    person.sees("PAGED", "> ")
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
