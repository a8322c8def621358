"""Completion in the shell: the scripts, and what they ask the command."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from parlour import catalog
from parlour.options import declared
from tests.support.command import Run

Runner = Callable[..., Run]


def completed(run: Runner, line: str, kind: str = "bash_complete") -> list[str]:
    """What bash is told when Tab is pressed at the end of this line."""
    words = line.split(" ")
    asked = {"_PARLOUR_COMPLETE": kind, "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    told = run(env=asked)
    assert told.err == ""
    assert told.code == 0
    return [answer.split(",", 1)[1] for answer in told.out.splitlines() if answer]


@pytest.mark.parametrize(
    ("shell", "parts"),
    [
        ("bash", ["_PARLOUR_COMPLETE=bash_complete", "complete -o nosort -F", "parlour"]),
        ("zsh", ["#compdef parlour", "_PARLOUR_COMPLETE=zsh_complete", "compdef"]),
        ("fish", ["_PARLOUR_COMPLETE=fish_complete", "complete --no-files --command parlour"]),
    ],
)
def test_a_script_for_each_shell(run: Runner, shell: str, parts: list[str]) -> None:
    told = run("completion", shell)
    assert told.code == 0
    assert told.err == ""
    for part in parts:
        assert part in told.out


def test_commands(run: Runner) -> None:
    found = completed(run, "parlour ")
    assert {"play", "list", "rules", "games", "resume", "replay", "export", "import", "completion"} <= set(found)
    assert completed(run, "parlour resu") == ["resume"]
    assert completed(run, "parlour xyz") == []
    assert completed(run, "parlour completion ") == ["bash", "zsh", "fish"]


def test_games(run: Runner) -> None:
    assert completed(run, "parlour play ") == list(catalog.keys())
    assert completed(run, "parlour play seq") == ["sequence-builder", "sequence-spot"]
    assert completed(run, "parlour rules ") == list(catalog.keys())
    assert completed(run, "parlour rules d") == ["double-up"]


@pytest.mark.parametrize("key", catalog.keys())
def test_options_of_a_game(run: Runner, key: str) -> None:
    found = completed(run, f"parlour play {key} --")
    own = [f"--{name.replace('_', '-')}" for name in declared(catalog.find_game(key).options)]
    assert found[: len(own)] == own
    shared = {"--p1", "--p2", "--name1", "--name2", "--first", "--seed", "--json", "--help"}
    assert shared <= set(found[len(own) :])


def test_options_of_a_game_by_its_short_name(run: Runner) -> None:
    assert "--limit" in completed(run, "parlour play double --l")


def test_values(run: Runner) -> None:
    assert {"human", "random"} <= set(completed(run, "parlour play double-up --p2 "))
    assert completed(run, "parlour play double-up --first ") == ["1", "2", "toss"]


def test_kept_games_by_their_numbers(run: Runner) -> None:
    run("play", "double-up", "--limit", "2", "--name1", "Ann", stdin="2\n")
    run("play", "double-up", "--name1", "Eve", stdin="2\n")
    assert completed(run, "parlour resume ") == ["2"], "only what is not over can be gone on with"
    for word in ("replay", "export", "report", "games"):
        assert completed(run, f"parlour {word} ") == ["2", "1"]
    assert completed(run, "parlour export 1") == ["1"]
    asked = {"COMP_WORDS": "parlour resume ", "COMP_CWORD": "2", "_PARLOUR_COMPLETE": "zsh_complete"}
    assert run(env=asked).out.splitlines() == ["plain", "2", "Double Up, Eve - Player 2: Player 2 to move"]


def test_players_in_a_list(run: Runner) -> None:
    found = completed(run, "parlour tournament --players random,per")
    assert found == ["random,perfect"]
    assert "human" not in completed(run, "parlour tournament --players ")
    assert "perfect" in completed(run, "parlour engine --player ")
    assert "double-up" in completed(run, "parlour learn ")
    assert completed(run, "parlour config opp") == ["opponent"]
    assert "level:2" in completed(run, "parlour config opponent lev")


@pytest.mark.parametrize("line", ["rules x", "play x"])
def test_nothing_is_said_where_nothing_fits(run: Runner, line: str) -> None:
    assert completed(run, f"parlour {line}") == []


@pytest.mark.parametrize("line", ["play nonsense --", "play sequence --"])
def test_after_a_word_that_is_no_game_only_help_is_left(run: Runner, line: str) -> None:
    assert completed(run, f"parlour {line}") == ["--help"]


def test_the_other_shells_are_answered_too(run: Runner) -> None:
    asked = {"COMP_WORDS": "parlour play d", "COMP_CWORD": "d"}
    assert "double-up" in run(env={**asked, "_PARLOUR_COMPLETE": "fish_complete"}).out
    asked["COMP_CWORD"] = "2"
    zsh = run(env={**asked, "_PARLOUR_COMPLETE": "zsh_complete"}).out.splitlines()
    assert zsh[:2] == ["plain", "double-up"]
