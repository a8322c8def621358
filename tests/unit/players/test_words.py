"""The words that name players, and what is said of others."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import click
import pytest

from parlour import catalog, players
from parlour.cli.play import play_command
from parlour.errors import UnknownPlayer
from parlour.match import Match
from parlour.rules import read_rules
from parlour.setup import Setup

GOOD = ["random", "level:1", "level:5", "perfect", "mcts:1", "mcts:1000000", "engine:some program --with 'words'"]
KNOWN = "human, random, level:1 to level:5, perfect, mcts:SIMULATIONS, engine:COMMAND"
BAD = [
    "", "Human", "robot", "level", "level:", "level:0", "level:6", "level:01", "level:1 ", "level:-1", "level:x",
    "mcts", "mcts:", "mcts:0", "mcts:-5", "mcts:1.5", "mcts:1000001", "mcts:²", "mcts:" + "9" * 5000,
    "perfect:1", "random:1", "engine", "engine:", "engine: ", "x" * 1000,
]  # fmt: skip


def test_a_person_chooses_elsewhere() -> None:
    assert players.load("human") is None


@pytest.mark.parametrize("word", GOOD)
def test_a_word_gives_a_player(word: str) -> None:
    player = players.load(word)
    assert player is not None
    player.close()
    player.close()


@pytest.mark.parametrize("word", BAD)
def test_another_word_is_refused_with_what_is_known(word: str) -> None:
    with pytest.raises(UnknownPlayer) as refusal:
        players.load(word)
    assert KNOWN in str(refusal.value)
    assert len(str(refusal.value)) < 250


def test_the_list_to_be_read_names_every_kind() -> None:
    assert players.known() == KNOWN
    assert [kind.word for kind in players.list_player_kinds()] == [
        "random",
        *(f"level:{level}" for level in range(1, 6)),
        "perfect",
        "mcts:SIMULATIONS",
        "engine:COMMAND",
    ]


def test_people_are_offered_those_they_can_choose_by_name() -> None:
    words = [kind.word for kind in players.offered()]
    assert words == ["random", *(f"level:{level}" for level in range(1, 6)), "perfect"]
    for kind in players.offered():
        assert players.load(kind.word) is not None
        assert kind.title
        assert kind.about


def test_a_word_finds_its_kind_and_what_others_need_to_know_of_it() -> None:
    assert players.find_kind("level:3").word == "level:3"
    assert players.find_kind("mcts:200").word == "mcts:SIMULATIONS"
    assert [kind.word for kind in players.list_player_kinds() if kind.needs_proof] == ["perfect"]
    assert players.find_kind("perfect").stand_in == "level:5"
    assert [kind.word for kind in players.list_player_kinds() if kind.starts_program] == ["engine:COMMAND"]
    for kind in players.list_player_kinds():
        assert players.load(kind.stand_in) is not None


@pytest.mark.parametrize("word", ["human", *(word for word in BAD if not word.startswith(("mcts:", "engine:")))])
def test_no_other_word_has_a_kind(word: str) -> None:
    with pytest.raises(UnknownPlayer):
        players.find_kind(word)


@pytest.mark.parametrize("word", ["engine:", "engine: ", "engine:x", "engine:'"])
def test_whatever_could_start_a_program_is_said_to(word: str) -> None:
    assert players.starts_program(word)


@pytest.mark.parametrize("word", ["human", "random", "mcts:1", "knowledge", "robot", "", "engine", "Engine:x", "."])
def test_no_other_word_could_start_a_program(word: str) -> None:
    assert not players.starts_program(word)


def test_the_shell_completes_players() -> None:
    command = play_command.get_command(click.Context(play_command), "double-up")
    assert command is not None
    option = next(parameter for parameter in command.params if parameter.name == "p2")

    def offered(typed: str) -> list[str]:
        return [item.value for item in option.shell_complete(click.Context(command), typed)]

    levels = [f"level:{level}" for level in range(1, 6)]
    assert offered("") == ["human", "random", *levels, "perfect", "mcts:", "engine:"]
    assert offered("lev") == [f"level:{level}" for level in range(1, 6)]
    assert offered("m") == ["mcts:"]
    assert offered("x") == []


@pytest.mark.parametrize("word", ["level:1", "level:5", "perfect", "mcts:20"])
def test_one_can_play_against_it(run: Callable[..., Any], word: str) -> None:
    told = run("play", "double-up", "--limit", "4", "--p2", word, "--seed", "1", stdin="2\n4\n")
    assert told.code == 0
    assert told.out.rstrip().endswith("wins the game!")


def test_a_wrong_player_is_one_line_and_a_wrong_call(run: Callable[..., Any]) -> None:
    told = run("play", "spot", "--p1", "level:9")
    assert (told.code, told.out) == (2, "")
    assert told.err == f"parlour: unknown player 'level:9'; known players: {KNOWN}\n"


def test_a_perfect_player_without_a_proof_says_so_in_one_line(run: Callable[..., Any]) -> None:
    told = run("play", "double-up", "--limit", "none", "--p2", "perfect", stdin="2\n")
    assert told.code == 1
    assert told.err.splitlines()[-1] == (
        "parlour: the perfect player has no proof of a best move: a game that need not end has no value; set a limit"
    )


@pytest.mark.parametrize("word", ["random", "level:1", "level:5", "mcts:5"])
def test_numbers_beyond_every_machine_word_can_be_played(word: str) -> None:
    game = catalog.find_game("double-up")
    match = Match(Setup(read_rules(game, {"limit": "none"})))
    for power in range(1, 120):
        match.play(2**power)
    player = players.load(word)
    assert player is not None
    assert 2**119 < player.choose(match, Random(1)) <= 2**120
