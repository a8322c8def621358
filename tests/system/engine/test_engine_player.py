"""Outside programs as players: one that keeps to the protocol, and many that do not. All of them are real processes."""

from __future__ import annotations

import shlex
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

from parlour import catalog, players, record
from parlour.errors import Cancelled, EngineFailed, TooBig
from parlour.game import P
from parlour.gtp.client import Program
from parlour.limit import Limit
from parlour.match import Match
from parlour.options import O
from parlour.players.engine import EnginePlayer
from parlour.players.random import RandomPlayer
from parlour.rules import Rules, read_rules
from parlour.setup import Setup
from parlour.terminal.book import BookText
from parlour.terminal.game import GameSession
from parlour.terminal.json_lines import JsonLines
from parlour.terminal.keyboard import Keyboard
from parlour.text import clip
from parlour.turn import Player, Resigned
from tests.support.engines import commands, nothing_is_left, stranger
from tests.support.eventually import eventually

GAME = catalog.find_game("double-up")


def new_match(**texts: str) -> Match:
    return Match(Setup(read_rules(GAME, texts)))


def moves(match: Match, *numbers: int) -> Match:
    for number in numbers:
        match.play(number)
    return match


# A program that keeps to the protocol.


def test_a_stranger_plays_a_game(tmp_path: Path) -> None:
    log = tmp_path / "log"
    player, match = EnginePlayer(stranger("good", log)), new_match(limit="10")
    for number in (2, 3):
        assert player.choose(match, Random(1)) == number
        moves(match, number)
    moves(match, 6)
    assert player.choose(match, Random(1)) == 7
    player.close()
    assert commands(log) == [
        "game double-up",
        "options limit=10",
        "genmove b",
        "genmove w",
        "play b 6",
        "genmove w",
        "quit",
    ]
    assert nothing_is_left(log)


def test_it_is_asked_whether_it_can_play_at_all(tmp_path: Path) -> None:
    log = tmp_path / "log"
    player = EnginePlayer(stranger("good", log))
    player.choose(new_match(), Random(1))
    player.close()
    needed = ("game", "options", "clear_board", "play", "genmove")
    first = log.read_text().splitlines()[1:7]
    assert first == ["1 protocol_version", *(f"{n} known_command {name}" for n, name in enumerate(needed, 2))]


def test_it_is_told_of_a_game_that_goes_on_already(tmp_path: Path) -> None:
    log = tmp_path / "log"
    player = EnginePlayer(stranger("good", log))
    assert player.choose(moves(new_match(), 2, 4), Random(1)) == 5
    player.close()
    assert commands(log)[2:] == ["play b 2", "play w 4", "genmove b", "quit"]


def test_it_follows_when_moves_are_taken_back(tmp_path: Path) -> None:
    log = tmp_path / "log"
    player, match = EnginePlayer(stranger("good", log)), moves(new_match(), 2)
    moves(match, player.choose(match, Random(1)))
    match.undo()
    match.undo()
    assert player.choose(match, Random(1)) == 2
    moves(match, 2, 4)
    assert player.choose(match, Random(1)) == 5
    match.undo()  # 5 was never played
    assert player.choose(match, Random(1)) == 3
    player.close()
    assert commands(log)[4:] == [
        *("clear_board", "genmove b"),
        *("play w 4", "genmove b"),
        *("clear_board", "play b 2", "genmove w", "quit"),
    ]  # fmt: skip


def test_it_can_play_one_match_after_another(tmp_path: Path) -> None:
    log = tmp_path / "log"
    player = EnginePlayer(stranger("good", log))
    assert player.choose(moves(new_match(), 2, 4), Random(1)) == 5
    assert player.choose(moves(new_match(limit="9"), 2), Random(1)) == 3
    assert player.choose(new_match(limit="9"), Random(1)) == 2
    player.close()
    assert commands(log)[5:] == [
        "clear_board",
        "options limit=9",
        "play b 2",
        "genmove w",
        "clear_board",
        "genmove b",
        "quit",
    ]


def test_line_ends_from_elsewhere_are_read() -> None:
    player = EnginePlayer(stranger("from elsewhere"))
    assert player.choose(moves(new_match(), 2, 4, 8), Random(1)) == 9
    player.close()


def test_it_may_give_up(tmp_path: Path) -> None:
    log = tmp_path / "log"
    player = EnginePlayer(stranger("resigns", log))
    with pytest.raises(Resigned):
        player.choose(new_match(), Random(1))
    player.close()
    assert nothing_is_left(log)


def test_closing_twice_does_no_harm(tmp_path: Path) -> None:
    player = EnginePlayer(stranger("good", tmp_path / "log"))
    player.choose(new_match(), Random(1))
    player.close()
    player.close()
    assert player.choose(new_match(), Random(1)) == 2  # and it can be started again
    player.close()
    assert nothing_is_left(tmp_path / "log")


def test_one_that_does_not_leave_is_made_to(tmp_path: Path) -> None:
    player = EnginePlayer(stranger("stays", tmp_path / "log"))
    player.choose(new_match(), Random(1))
    player.close()
    assert nothing_is_left(tmp_path / "log")


# Programs that do not.

HANDSHAKE = "'protocol_version'"
UNREADABLE = "\ufffd"
WRONG = {
    "dies": "ended with exit code 1: no licence found",
    "killed": "was ended by signal 9",
    "rubbish": f"said 'Welcome to Stranger 1.0!' instead of replying to {HANDSHAKE}",
    "binary": f"said '{40 * UNREADABLE}...' instead of replying to {HANDSHAKE}",
    "flood": f"said '{'x' * 40}...' instead of replying to {HANDSHAKE}",
    "long reply": f"answered {HANDSHAKE} without end: more than 65,536 bytes",
    "closes": "closed its output",
    "closes all": "closed its output",
    "mute": f"did not answer {HANDSHAKE} within 2 seconds",
    "mutters": f"did not answer {HANDSHAKE} within 2 seconds",
    "another number": f"answered {HANDSHAKE} with '=2 2', which is not a reply to command 1",
    "no number": f"answered {HANDSHAKE} with '= 2', which is not a reply to command 1",
    "newer": "speaks version '3' of the protocol, not 2",
    "ignorant": "does not know the command 'game'",
    "hangs": "did not answer 'genmove b' within 2 seconds",
    "late": "did not answer 'genmove b' within 2 seconds",
    "stubborn": "did not answer 'genmove b' within 2 seconds",
    "half a reply": "ended with exit code 0",
    "lies": "answered 'genmove' with '99999': 99999 is more than 2, the double of 1",
    "cheats": "answered 'genmove' with '1': 1 is not more than 1, the last number",
    "babbles": "answered 'genmove' with 'my move is 2': please select 2, the only legal number",
    "says nothing": "answered 'genmove' with '': please select 2, the only legal number",
    "two lines": "answered 'genmove' with more than one line: '2?3'",
    "passes": "answered 'genmove' with 'pass': you can still move, so you cannot pass",
    "refuses": "refused 'genmove b': I do not feel like it",
}


def test_programs_that_do_wrong_are_ended_and_named(tmp_path: Path) -> None:
    """Several at the same time, because most of them make us wait."""

    def failure(mode: str) -> tuple[str, bool, bool]:
        log, begun = tmp_path / mode, time.monotonic()
        player = EnginePlayer(stranger(mode, log), seconds=2)
        with pytest.raises(EngineFailed) as failed:
            player.choose(new_match(), Random(1))
        player.close()
        return str(failed.value), time.monotonic() - begun < 10, nothing_is_left(log)

    with ThreadPoolExecutor(6) as pool:
        found = dict(zip(WRONG, pool.map(failure, WRONG), strict=True))
    assert found == {
        mode: (f"engine {clip(stranger(mode, tmp_path / mode))!r} {did}", True, True) for mode, did in WRONG.items()
    }


def test_one_that_dies_in_mid_game(tmp_path: Path) -> None:
    log = tmp_path / "log"
    player, match = EnginePlayer(stranger("dies in mid-game", log)), new_match()
    moves(match, player.choose(match, Random(1)), 4)
    with pytest.raises(EngineFailed, match=r"ended with exit code 3: DivisionByZero: 1/0$"):
        player.choose(match, Random(1))
    assert nothing_is_left(log)


def test_one_that_does_not_listen() -> None:
    player = EnginePlayer(stranger("deaf"), seconds=1.5)
    with pytest.raises(EngineFailed, match="answered 'genmove' with ''"):
        player.choose(new_match(), Random(1))


def test_one_that_never_reads_is_not_waited_for() -> None:
    """Commands that pile up in a pipe would block us for ever once it is full."""
    program = Program("deaf", shlex.split(stranger("deaf")), 1.5)

    def ask_much() -> None:
        for _ in range(900):
            program.ask("play b " + "1" * 200)

    with pytest.raises(EngineFailed, match="does not read its commands"):
        ask_much()


def test_when_the_limit_is_used_up_the_program_is_ended_but_has_done_nothing_wrong(tmp_path: Path) -> None:
    log = tmp_path / "log"
    player, match = EnginePlayer(stranger("hangs", log)), new_match()
    with pytest.raises(TooBig, match="within 1 second"):
        player.choose(match, Random(1), Limit(seconds=1))
    assert commands(log)[-1] == "genmove b"
    assert nothing_is_left(log)
    player.close()


def test_a_move_that_nobody_wants_any_more_is_not_waited_for(tmp_path: Path) -> None:
    log, limit = tmp_path / "log", Limit()
    player = EnginePlayer(stranger("hangs", log))

    def cancel() -> None:
        eventually(lambda: log.exists() and "genmove" in log.read_text(), "the question")
        limit.cancel()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(cancel)
        with pytest.raises(Cancelled):
            player.choose(new_match(), Random(1), limit)
    assert nothing_is_left(log)
    player.close()


def test_last_words_count_even_if_nobody_listens() -> None:
    for _ in range(10):
        with pytest.raises(EngineFailed, match="engine 'echo Hello' said 'Hello' instead of replying"):
            EnginePlayer("echo Hello").choose(new_match(), Random(1))


@pytest.mark.parametrize("text", ["no-such-program-at-all --fast", "./nothing/here", "/", "'' x"])
def test_a_missing_program(text: str) -> None:
    with pytest.raises(EngineFailed, match="cannot be started: "):
        EnginePlayer(text).choose(new_match(), Random(1))


def test_no_shell_sees_the_command(tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    with pytest.raises(EngineFailed):
        EnginePlayer(f"true; touch {shlex.quote(str(trap))}").choose(new_match(), Random(1))
    with pytest.raises(EngineFailed):
        EnginePlayer(f"echo $(touch {shlex.quote(str(trap))})").choose(new_match(), Random(1))
    assert not trap.exists()


def test_a_game_it_does_not_know() -> None:
    game = catalog.find_game("pyramid-challenge")
    with pytest.raises(EngineFailed, match="refused 'game pyramid-challenge': this engine plays double-up only"):
        EnginePlayer(stranger("good")).choose(Match(Setup(Rules(game, game.defaults))), Random(1))


# At the table.


def sit_down(monkeypatch: pytest.MonkeyPatch, match: Match, words: dict[str, Player], json: bool = True) -> GameSession:
    monkeypatch.setattr(players, "load", words.get)
    return GameSession(match, None, JsonLines() if json else BookText(), Keyboard())


def against(word: str) -> Match:
    return Match(Setup(Rules(GAME, GAME.defaults), players=(word, "random"), seed="1"))


@pytest.mark.parametrize("mode", ["dies", "dies in mid-game", "stubborn", "lies"])
def test_whoever_does_wrong_loses_by_forfeit(
    mode: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    log, match = tmp_path / "log", against("stranger")
    table = sit_down(monkeypatch, match, {"stranger": EnginePlayer(stranger(mode, log), 1.5), "random": RandomPlayer()})
    assert table.play() == (2, "forfeited")
    assert record.write_record(match).endswith("\nforfeit 1\n")
    told = capsys.readouterr().out
    assert '{"event": "remark", "text": "Player 1 forfeits: engine ' in told
    assert '"winner": 2, "how": "forfeited"' in told
    assert nothing_is_left(log)


def test_an_engine_that_gives_up_has_resigned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    log, match = tmp_path / "log", against("stranger")
    player = EnginePlayer(stranger("resigns", log))
    assert sit_down(monkeypatch, match, {"stranger": player, "random": RandomPlayer()}).play() == (2, "resigned")
    assert "forfeits" not in capsys.readouterr().out
    assert nothing_is_left(log)


def test_a_good_engine_plays_to_the_end_and_leaves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log, match = tmp_path / "log", against("stranger")
    outcome = sit_down(
        monkeypatch, match, {"stranger": EnginePlayer(stranger("good", log)), "random": RandomPlayer()}
    ).play()
    assert outcome.how == "won"
    assert match.position == (100,)
    assert commands(log)[-1] == "quit"
    assert nothing_is_left(log)


def test_it_is_closed_when_the_game_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Impatient:
        closed = False

        def choose(self, match: Match[O, P], random: Random, limit: Limit | None = None) -> int:
            raise KeyboardInterrupt

        def close(self) -> None:
            self.closed = True

    log, match, other = tmp_path / "log", against("stranger"), Impatient()
    with pytest.raises(KeyboardInterrupt):
        sit_down(monkeypatch, match, {"stranger": EnginePlayer(stranger("good", log)), "random": other}).play()
    assert other.closed
    assert nothing_is_left(log)
