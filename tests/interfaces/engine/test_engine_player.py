"""The player that is another program: the board it is told about, and all that needs no process.

Engines that are real processes are in tests/system/engine.
"""

from __future__ import annotations

from typing import NoReturn

import pytest

from parlour import catalog, players, record
from parlour.errors import EngineFailed, UnknownPlayer
from parlour.gtp.client import RemoteBoard
from parlour.gtp.protocol import read_reply
from parlour.gtp.server import Engine
from parlour.limit import Limit
from parlour.match import Match, new_match
from parlour.players.engine import EnginePlayer
from parlour.players.random import RandomPlayer
from parlour.rules import Rules
from parlour.setup import Setup
from parlour.terminal.book import BookText
from parlour.terminal.game import GameSession
from parlour.terminal.keyboard import Keyboard
from parlour.turn import Resigned
from parlour.view import PLAYERS, PlayerNumber
from tests.support.command import run_parlour


class Program:
    """An engine without a process; the board of a player talks to it as to one."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.sent: list[str] = []

    def ask(self, line: str, limit: Limit | None = None) -> str:
        self.sent.append(line)
        reply = read_reply(self.reply(line).strip("\n"))
        assert reply
        if reply.refused:
            self.fail(f"refused {line!r}: {reply.text}")
        return reply.text

    def reply(self, line: str) -> str:
        return self.engine.answer(f"{len(self.sent)} {line}")

    def fail(self, did: str) -> NoReturn:
        raise EngineFailed(did)


class Wrong(Program):
    """An engine of which one reply is replaced."""

    def __init__(self, command: str, reply: str) -> None:
        super().__init__(Engine(RandomPlayer(), "1"))
        self.command, self.wrong = command, reply

    def reply(self, line: str) -> str:
        return self.wrong if line.startswith(self.command) else super().reply(line)


def board(program: Program | None = None) -> tuple[RemoteBoard, Program]:
    program = program or Program(Engine(RandomPlayer(), "1"))
    return RemoteBoard(program), program  # type: ignore[arg-type]


def sent(program: Program) -> list[str]:
    """The commands after the handshake."""
    return [line for line in program.sent if not line.startswith(("protocol_version", "known_command"))]


@pytest.mark.parametrize("key", catalog.keys())
@pytest.mark.parametrize("first", PLAYERS)
def test_an_engine_plays_for_either_seat(key: str, first: PlayerNumber) -> None:
    game = catalog.find_game(key)
    match = Match(Setup(Rules(game, game.defaults), first=first, seed="3"))
    seats = [board()[0], board()[0]]
    while match.outcome is None:
        if match.between_rounds:
            match.next_round()
        else:
            match.play(seats[match.turn - 1].generate_move(match))  # a pass is asked for, too
    assert record.write_record(record.read_record(record.write_record(match))) == record.write_record(match)


def test_an_engine_is_asked_whether_it_can_play_at_all() -> None:
    table, program = board()
    table.generate_move(new_match("double-up"))
    needed = ("game", "options", "clear_board", "play", "genmove")
    assert program.sent[:6] == ["protocol_version", *(f"known_command {name}" for name in needed)]
    assert sent(program) == ["game double-up", "options limit=100", "genmove b"]


def test_an_engine_follows_when_moves_are_taken_back_and_matches_change() -> None:
    table, program = board()
    match = new_match("double-up")
    match.play_line("2 4")
    match.play(table.generate_move(match))
    assert sent(program) == ["game double-up", "options limit=100", "play b 2", "play w 4", "genmove b"]
    program.sent.clear()
    match.undo()
    match.undo()
    table.generate_move(match)
    assert program.sent == ["clear_board", "play b 2", "genmove w"]
    program.sent.clear()
    other = new_match("double-up", limit=9)
    other.play_line("2")
    other.play(table.generate_move(other))
    assert program.sent == ["clear_board", "options limit=9", "play b 2", "genmove w"]
    program.sent.clear()
    table.generate_move(other)
    assert program.sent == ["genmove b"]
    program.sent.clear()
    table.generate_move(new_match("pyramid-challenge"))
    assert program.sent[0] == "game pyramid-challenge"


def test_an_engine_may_give_up() -> None:
    table, _ = board(Wrong("genmove", "= resign"))
    with pytest.raises(Resigned):
        table.generate_move(new_match("double-up"))


@pytest.mark.parametrize(
    ("command", "reply", "failure"),
    [
        ("protocol_version", "= 3", "speaks version '3' of the protocol, not 2"),
        ("known_command game", "= false", "does not know the command 'game'"),
        ("game", "? this engine plays chess only", "refused 'game double-up': this engine plays chess only"),
        ("genmove", "= 99999", "answered 'genmove' with '99999': 99999 is more than 2, the double of 1"),
        ("genmove", "= 1", "answered 'genmove' with '1': 1 is not more than 1, the last number"),
        ("genmove", "=", "answered 'genmove' with '': please select 2, the only legal number"),
        ("genmove", "= 2\n3", "answered 'genmove' with more than one line: '2?3'"),
        ("genmove", "= pass", "answered 'genmove' with 'pass': you can still move, so you cannot pass"),
        ("genmove", "? I do not feel like it", "refused 'genmove b': I do not feel like it"),
    ],
)
def test_an_engine_that_answers_wrongly_has_failed(command: str, reply: str, failure: str) -> None:
    table, _ = board(Wrong(command, reply))
    with pytest.raises(EngineFailed) as failed:
        table.generate_move(new_match("double-up"))
    assert str(failed.value) == failure


def test_it_is_not_started_before_it_is_needed() -> None:
    EnginePlayer("no-such-program-at-all").close()


@pytest.mark.parametrize("text", ["", "   ", "'unclosed", "one\ntwo", "bell\a"])
def test_a_command_that_names_no_program_is_refused(text: str) -> None:
    with pytest.raises(UnknownPlayer, match="bad engine"):
        EnginePlayer(text)


def test_a_forfeit_is_told_in_words(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    game = catalog.find_game("double-up")
    match = Match(Setup(Rules(game, game.defaults), players=("stranger", "random"), seed="1"))
    words = {"stranger": EnginePlayer("no-such-program"), "random": RandomPlayer()}
    monkeypatch.setattr(players, "load", words.get)
    GameSession(match, None, BookText(), Keyboard()).play()
    assert capsys.readouterr().out.endswith(
        "Player 1 forfeits: engine 'no-such-program' cannot be started: No such file or\n"
        "directory\nPlayer 1 forfeits. Player 2 wins!\n"
    )


@pytest.mark.parametrize("word", ["engine:", "engine:'", "engine"])
def test_no_program_is_named(word: str) -> None:
    told = run_parlour("play", "double-up", "--p1", word)
    assert told.code == 2
    assert told.out == ""
    assert told.err.count("\n") == 1
