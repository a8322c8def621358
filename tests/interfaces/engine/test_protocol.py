"""`parlour engine`: every command, every refusal, and whatever else a program may send."""

from __future__ import annotations

import io
import re
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import parlour
from parlour import catalog, notation, players
from parlour.engine.plain import PlainSearch
from parlour.errors import EngineFailed
from parlour.gtp.protocol import COMMANDS, MAX_COMMAND
from parlour.gtp.server import Engine, serve
from parlour.players import perfect
from parlour.players.random import RandomPlayer
from parlour.rules import LISTED_MOVES
from parlour.text import clip
from parlour.turn import Player, Resigned
from tests.support import ROOT
from tests.support.command import run_parlour

GRID = "5,3,8,1,6,7,4,9,2"


def talk(*lines: str, player: Player | None = None, seed: str = "1", seconds: float = 60) -> list[str]:
    """The replies to these lines, each without the empty line that ends it."""
    target = io.StringIO()
    serve(
        Engine(player or RandomPlayer(), seed, seconds),
        io.BytesIO("".join(f"{line}\n" for line in lines).encode()),
        target,
    )
    return replies(target.getvalue())


def replies(text: str) -> list[str]:
    assert text.endswith("\n\n") or not text
    return text.split("\n\n")[:-1]


def last(*lines: str) -> str:
    return talk(*lines)[-1]


# The shape of commands and replies.


def test_a_reply_to_each_command() -> None:
    assert talk("name", "foo", "name") == [
        "= Parlour",
        "? unknown command 'foo'; list_commands lists what there is",
        "= Parlour",
    ]


def test_numbers_come_back() -> None:
    assert talk("7 name", "0 name", "007 foo", "12") == [
        "=7 Parlour",
        "=0 Parlour",
        "?007 unknown command 'foo'; list_commands lists what there is",
        "?12 unknown command ''; list_commands lists what there is",
    ]
    assert talk("3 game double-up", "4 quit") == ["=3", "=4"]


def test_what_is_no_number_of_a_command() -> None:
    assert last("1a name").startswith("? unknown command '1a'")
    assert last("-1 name").startswith("? unknown command '-1'")
    assert last("\u0661 name").startswith("? unknown command")
    assert last(f"{10**20} name").startswith("? unknown command")


def test_nothing_is_said_to_empty_lines_and_remarks() -> None:
    assert talk("", "   ", "\t", "# name", "   # 1 name", "\r", "\a\b", "name # of the game", "#" + "x" * 100000) == [
        "= Parlour"
    ]


def test_spaces_tabs_and_control_characters() -> None:
    assert talk("  7\tname  \r", "\x1bna\x00me\x7f", "5   known_command\t\tplay") == [
        "=7 Parlour",
        "= Parlour",
        "=5 true",
    ]


def test_a_line_that_is_not_utf_8() -> None:
    target = io.StringIO()
    serve(Engine(RandomPlayer(), "1"), io.BytesIO(b"\xff\xfe\n\xc3\nname"), target)
    first, second, third = replies(target.getvalue())
    assert first.startswith("? unknown command")
    assert second.startswith("? unknown command")
    assert third == "= Parlour"


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("play " + "9" * 10_000_000, id="ten megabytes"),
        pytest.param("name" + "\0" * MAX_COMMAND, id="nothing to see"),
        pytest.param("x" * (MAX_COMMAND + 1), id="one too many"),
    ],
)
def test_a_line_without_end(line: str) -> None:
    assert talk("game double-up", line, "legal") == [
        "=",
        f"? the line is too long: at most {MAX_COMMAND} characters",
        "= 2",
    ]


def test_a_long_line_keeps_its_number() -> None:
    assert last("9 play " + "\U0001f3b2" * 3000) == f"?9 the line is too long: at most {MAX_COMMAND} characters"


def test_nothing_is_read_after_quit() -> None:
    assert talk("quit", "name") == ["="]


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_too_many_arguments(name: str) -> None:
    arguments = " ".join(["x"] * (COMMANDS[name].most + 1))
    assert last("game double-up", f"{name} {arguments}") == (
        f"? {name} takes {COMMANDS[name].usage}, not {clip(arguments)!r}"
    )


@pytest.mark.parametrize("line", ["options", "clear_board", "play 2", "undo", "genmove", "legal", "value", "showboard"])
def test_first_there_has_to_be_a_game(line: str) -> None:
    assert talk(line) == [f"? there is no game yet; send game and one of: {', '.join(catalog.keys())}"]


# The commands, one by one.


def test_about_the_engine() -> None:
    assert talk("name", "version", "protocol_version") == ["= Parlour", f"= {parlour.__version__}", "= 2"]


def test_the_commands_are_those_of_the_issue() -> None:
    names = (
        "name version protocol_version list_commands known_command game options clear_board play undo genmove legal "
        "value showboard quit"
    )
    assert last("list_commands") == "= " + "\n".join(names.split())
    assert all(last(f"known_command {name}") == "= true" for name in names.split())
    assert last("known_command komi") == "= false"
    assert last("known_command") == "? known_command takes a command, not ''"


def test_game() -> None:
    assert talk("game double-up", "play 2", "game double-up", "legal") == ["=", "=", "=", "= 2"]
    assert talk("game pyramid", "game chess", "game s", "legal")[1:] == [
        f"? unknown game 'chess'; known games: {', '.join(catalog.keys())}",
        "? 's' could be any of: sequence-builder, sequence-spot",
        "= 1 2 3 4 5 6 7 8 9",
    ]


def test_options() -> None:
    assert talk("game increasing-differences", "options", "options length=3", "options range=6", "options") == [
        "=",
        "= length=4 range=20",
        "=",
        "=",
        "= length=3 range=6",
    ]


def test_options_begin_the_game_anew() -> None:
    assert talk("game double-up", "play 2", "options limit=3", "legal", "play 2", "options", "legal")[3:] == [
        "= 2",
        "=",
        "= limit=3",
        "= 3",
    ]


def test_options_that_make_no_game_change_nothing() -> None:
    lines = ["game double-up", "options limit=9", "play 2"]
    for words, reason in {
        "limit=x": "bad limit 'x'; allowed: a number from 2 to 1000000, or none",
        "limit=": "bad limit ''; allowed: a number from 2 to 1000000, or none",
        "komi=7": "unknown option 'komi'; known options: limit",
        "limit": "options takes words like NAME=VALUE, or nothing, not 'limit'",
        "limit=5 9": "options takes words like NAME=VALUE, or nothing, not '9'",
    }.items():
        assert talk(*lines, f"options {words}", "options", "legal")[3:] == [f"? {reason}", "= limit=9", "= 3 4"]


def test_options_are_called_as_on_the_command_line_too() -> None:
    assert last("game sequence-spot", f"options max-rounds=7 grid={GRID}", "options") == (
        f"= grid={GRID} deal=any max_rounds=7"
    )


def test_what_chance_decides_is_dealt_and_shown() -> None:
    shown = last("game sequence-spot", "options")
    grid = re.fullmatch(r"= grid=([1-9,]+) deal=any max_rounds=none", shown)
    assert grid
    assert sorted(grid[1].split(",")) == list("123456789")
    assert talk("game sequence-spot", "options", "clear_board", "options")[1::2] == [shown, shown]
    several = talk("game sequence-spot", "options", "game sequence-spot", "options", "options deal=winnable", "options")
    assert len(set(several[1::2])) == 3


def test_clear_board() -> None:
    assert talk("game double-up", "options limit=9", "play 2", "play 4", "clear_board", "legal", "options")[4:] == [
        "=",
        "= 2",
        "= limit=9",
    ]


@pytest.mark.parametrize(
    "lines",
    [
        ["play 2", "play 4"],
        ["play 1 2", "play 2 4"],
        ["play b 2", "play w 4"],
        ["play B 2", "play WHITE 4"],
        ["play black 2", "play white 4"],
    ],
)
def test_play(lines: list[str]) -> None:
    assert talk("game double-up", *lines, "legal") == ["=", "=", "=", "= 5 6 7 8"]


def test_a_move_may_look_like_a_player() -> None:
    assert talk("game pyramid", "play 2", "play 1", "play 1 1", "play 2 2", "undo")[-1] == "="
    assert (
        last("game sequence-spot", f"options grid={GRID}", "play 2,1", "legal") == "= 1,1 1,2 1,3 2,2 2,3 3,1 3,2 3,3"
    )


def test_a_move_that_is_refused_changes_nothing() -> None:
    for words, reason in {
        "1 4": "it is not player 1's turn, but player 2's",
        "b 4": "it is not player 1's turn, but player 2's",
        "x 4": "'x' is not a player: 1 or b begins, 2 or w follows",
        "3 4": "'3' is not a player: 1 or b begins, 2 or w follows",
        "9": "illegal move '9': 9 is more than 4, the double of 2; legal: 3, 4",
        "w 9": "illegal move '9': 9 is more than 4, the double of 2; legal: 3, 4",
        "b": "unreadable move 'b': please select a number from 3 to 4; legal: 3, 4",
        "pass": "illegal move 'pass': you can still move, so you cannot pass; legal: 3, 4",
        "resign": "unreadable move 'resign': please select a number from 3 to 4; legal: 3, 4",
        "": "play takes a move, or 1 or 2 and a move, not ''",
        "w 4 4": "play takes a move, or 1 or 2 and a move, not 'w 4 4'",
    }.items():
        assert talk("game double-up", "play 2", f"play {words}", "legal")[2:] == [f"? {reason}", "= 3 4"]


def test_undo() -> None:
    assert talk("game double-up", "play 2", "play 4", "undo", "legal", "undo", "undo")[3:] == [
        "=",
        "= 3 4",
        "=",
        "? nothing has been played yet",
    ]
    assert talk("game double-up", "options limit=3", "play 2", "play 3", "legal", "undo", "legal")[4:] == [
        "=",
        "=",
        "= 3",
    ]


def test_genmove_plays_what_it_answers() -> None:
    assert talk("game double-up", "genmove", "legal", "genmove 1", "genmove w", "genmove w")[1:4] == [
        "= 2",
        "= 3 4",
        "? it is not player 1's turn, but player 2's",
    ]
    assert last("game double-up", "genmove x") == "? 'x' is not a player: 1 or b begins, 2 or w follows"


def test_genmove_passes_when_stuck() -> None:
    # Above 6 and 6 stands neither 12 nor 0.
    stuck = ["game pyramid", *["play 6", "play 1"] * 3]
    assert talk(*stuck, "legal", "genmove", "legal", "play 2", "play 1", "play b pass")[7:] == [
        "= pass",
        "= pass",
        "= 2",
        "=",
        "? illegal move '1': you can only pass: 6 + 6 = 12 is more than 9, and 6 - 6 = 0 is less than 1; legal: pass",
        "=",
    ]


def test_the_game_is_over() -> None:
    over = ["game double-up", "options limit=3", "play 2", "play 3"]
    assert talk(*over, "genmove", "genmove w", "play 4", "legal", "value", "undo", "genmove")[4:] == [
        "? the game is over: player 2 won; undo or clear_board goes on",
        "? the game is over: player 2 won; undo or clear_board goes on",
        "? the game is over: '4' cannot be played",
        "=",
        "= loss 0",
        "=",
        "= 3",
    ]


FULL = ["1,1", "1,2", "1,3", "2,1", "2,2", "2,3", "3,2", "3,1", "3,3"]


def test_a_drawn_round_and_the_next() -> None:
    first, second = "1,2,4,3,8,9,5,6,7", "9,8,7,1,2,4,3,6,5"
    said = talk(
        *("game sequence-spot", f"options grid={first}"),
        *(f"play {cell}" for cell in FULL),
        *("genmove", "clear_board", f"options grid={second}", "options", "genmove b"),
    )
    assert said[2:11] == ["="] * 9
    assert said[11:15] == [
        "? the game is over: undecided; undo or clear_board goes on",
        "=",
        "=",
        f"= grid={second} deal=any max_rounds=none",
    ]
    assert re.fullmatch("= [123],[123]", said[15])


def test_legal() -> None:
    assert last("game pyramid", "legal") == "= 1 2 3 4 5 6 7 8 9"
    assert last("game spot", "play 2,2", "legal") == "= 1,1 1,2 1,3 2,1 2,3 3,1 3,2 3,3"


def test_too_many_moves_to_list() -> None:
    doubled = ["game double-up", "options limit=1000000", *(f"play {2**n}" for n in range(1, 11))]
    assert last(*doubled, "play 1025", "legal") == "? more than 1000 moves are too many to list: 1026-2050"
    assert last(*doubled[:-1], "play 1000", "legal") == "= " + " ".join(map(str, range(1001, 2001)))


@cache
def outcome(limit: int, number: int) -> int:
    """Double Up by plain recursion: plies to the end, odd for a win of the player to move, even for a loss."""
    answers = [outcome(limit, n) for n in range(number + 1, min(2 * number, limit) + 1)]
    won = [plies for plies in answers if plies % 2 == 0]
    return min(won) + 1 if won else max(answers, default=-1) + 1


@pytest.mark.parametrize("number", range(2, 31))
def test_value(number: int) -> None:
    steps = [str(n) for n in (2, 4, 8, 16) if n < number and 2 * n <= 30]
    while int(steps[-1] if steps else 1) * 2 < number:
        steps.append(str(int(steps[-1]) * 2))
    plies = outcome(30, number)
    lines = ["game double-up", "options limit=30", *(f"play {step}" for step in [*steps, str(number)]), "value"]
    assert last(*lines) == f"= {'win' if plies % 2 else 'loss'} {plies}"


def test_value_of_a_draw() -> None:
    assert last("game sequence-spot", "options grid=1,2,4,3,8,9,5,6,7", "value") == "= draw"


def test_value_of_a_game_that_need_not_end() -> None:
    assert last("game double-up", "options limit=none", "value") == (
        "? too big: a game that need not end has no value; set a limit"
    )


def test_value_that_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PlainSearch, "chunk", 100)
    large = ["game increasing-differences", "options length=12 range=24"]
    assert talk(*large, "value", "legal", seconds=0)[2:] == [
        "? too big: no exact answer within 0 seconds; ask later in the game, or allow more",
        "= " + " ".join(map(str, range(1, 25))),
    ]


def test_showboard() -> None:
    assert last("game double-up", "play 2", "showboard") == (
        "= Double Up, limit=100\nSequence: 1 2\nNext: 3 4\nplayer 2 to move"
    )
    assert last("game spot", f"options grid={GRID}", "play 2,2", "play 1,1", "showboard") == (
        f"= Sequence Spot, grid={GRID} deal=any max_rounds=none\nGrid:\nO5 3 8\n1 X6 7\n4 9 2\nplayer 1 to move"
    )
    assert last("game increasing", "options length=3 range=6", "play 4", "showboard").splitlines()[1:] == [
        "Numbers: 1 2 3 . 5 6",
        "Player 1: 4 _ _",
        "Player 2: _ _ _",
        "player 2 to move",
    ]
    assert last("game double-up", "options limit=2", "play 2", "showboard").endswith("player 1 won")


@pytest.mark.parametrize("key", catalog.keys())
def test_every_game_can_be_played_out_and_shown(key: str) -> None:
    player = Engine(RandomPlayer(), "1")
    assert player.answer(f"game {key}") == "=\n\n"
    for _ in range(200):
        board = player.answer("showboard")
        assert replies(board) == [board[:-2]]
        legal = player.answer("legal").split()[1:]
        answer = player.answer("genmove").split()
        if answer[0] == "?":
            assert not legal
            break
        assert answer[1] in legal
        assert answer[1] == answer[1].lower()
    assert re.search(r"\n(player [12] won|a draw|undecided)\n\n$", board)


def test_the_same_seed_the_same_replies() -> None:
    lines = ["game sequence-spot", "options", *["genmove"] * 5, "clear_board", *["genmove"] * 5]
    assert talk(*lines, seed="a") == talk(*lines, seed="a")
    assert talk(*lines, seed="a") != talk(*lines, seed="b")


def test_no_two_games_need_be_the_same() -> None:
    lines = ["game sequence-spot", f"options grid={GRID}", *["clear_board", *["genmove"] * 5] * 10]
    said = talk(*lines)[2:]
    assert len({tuple(said[begin : begin + 6]) for begin in range(0, 60, 6)}) > 7


def test_the_book_to_the_letter_stays_readable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a limit numbers may grow until nobody could send them to us any more."""
    monkeypatch.setattr(notation, "MAX_TEXT_LENGTH", 200)
    player = Engine(RandomPlayer(), "1")
    player.answer("game double-up")
    player.answer("options limit=none")
    for _ in range(9000):
        reply = player.answer("genmove")
        if reply.startswith("?"):
            break
    assert reply.startswith("? unreadable move '")
    assert player.answer("undo") == "=\n\n"


class Quitter:
    """A player that chooses no move."""

    def __init__(self, error: Exception) -> None:
        self.error = error
        self.closed = False

    def choose(self, match: object, random: object, limit: object = None) -> int:
        raise self.error

    def close(self) -> None:
        self.closed = True


@pytest.mark.parametrize(
    ("error", "reply"),
    [(Resigned(), "= resign"), (EngineFailed("engine 'x' died"), "? engine 'x' died")],
)
def test_a_player_that_gives_up_or_fails(error: Exception, reply: str) -> None:
    player = Quitter(error)
    assert talk("game double-up", "genmove", "legal", "showboard", player=player)[1:] == [
        reply,
        "= 2",
        "= Double Up, limit=100\nSequence: 1\nNext: 2\nplayer 1 to move",
    ]
    assert player.closed


class Cheat:
    """A player that chooses what may not be played."""

    def choose(self, match: object, random: object, limit: object = None) -> int:
        return 99

    def close(self) -> None:
        pass


def test_a_player_that_breaks_the_rules_is_refused_as_anybody_is() -> None:
    assert talk("game double-up", "genmove", "legal", player=Cheat())[1:] == [
        "? illegal move '99': 99 is more than 2, the double of 1; legal: 2",
        "= 2",
    ]


def test_no_move_within_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perfect, "SEARCHED_NODES", 100)
    monkeypatch.setattr(PlainSearch, "chunk", 100)
    player = players.load("perfect")
    large = ["game increasing-differences", "options length=12 range=24"]
    said = talk(*large, "genmove", "legal", player=player, seconds=0)
    assert said[2].startswith("? the perfect player has no proof of a best move: no exact answer within 0 seconds")
    assert said[3] == "= " + " ".join(map(str, range(1, 25)))


# Anything at all.

CHANGING = {"game", "options", "clear_board", "play", "undo", "genmove"}
ARGUMENTS = [
    *catalog.keys(),
    *("1", "2", "3", "b", "w", "4", "5", "8", "1,1", "2,2", "pass", "resign", "x"),
    *(
        "limit=5",
        "limit=none",
        "limit=1000000",
        "length=3",
        "range=6",
        "copies=2",
        f"grid={GRID}",
        "deal=winnable",
        "=",
    ),
]

words = st.lists(st.sampled_from(ARGUMENTS), max_size=3)
usual = st.builds(
    lambda number, name, arguments: " ".join([*number, name, *arguments]),
    st.sampled_from([[], ["7"]]),
    st.sampled_from([*COMMANDS, "play", "play", "genmove", "genmove", "komi"]),
    words,
)
lines = st.lists(st.one_of(usual, usual, usual, st.text(max_size=30)), max_size=30)


@settings(deadline=None, max_examples=50)
@given(lines)
def test_no_line_ends_the_engine_and_few_change_the_board(sent: list[str]) -> None:
    player = Engine(RandomPlayer(), "1", seconds=0.02)
    player.answer("game double-up")
    for line in sent:
        before = player.answer("options") + player.answer("showboard")
        reply = player.answer(line)
        assert re.fullmatch(r"(?:[=?][0-9]*(?: [^\n]+)?(?:\n[^\n]+)*\n\n)?", reply), (line, reply)
        after = player.answer("options") + player.answer("showboard")
        command_words = re.sub(r"^[0-9]+(?= )", "", line.strip()).split()
        if reply[:1] != "=" or command_words[0] not in CHANGING:
            assert before == after, (line, reply)


@settings(deadline=None, max_examples=50)
@given(st.lists(st.binary(max_size=60), max_size=10))
def test_no_bytes_end_the_engine(chunks: list[bytes]) -> None:
    target = io.StringIO()
    serve(Engine(RandomPlayer(), "1"), io.BytesIO(b"game double-up\n" + b"\n".join(chunks) + b"\nname\n"), target)
    said = replies(target.getvalue())
    assert said[0] == "="
    assert said[-1] == "= Parlour"
    assert len(said) <= 2 + sum(chunk.count(b"\n") + 1 for chunk in chunks)


# From the command line.


def test_the_end_of_input_ends_it() -> None:
    assert run_parlour("engine", "--player", "random", stdin="") == ("", "", 0)
    assert run_parlour("engine", "--player", "random", stdin="name") == ("= Parlour\n\n", "", 0)
    assert run_parlour("engine", "--player", "random", stdin="quit\nname\n") == ("=\n\n", "", 0)


def test_a_huge_line_to_a_process() -> None:
    told = run_parlour("engine", "--player", "random", stdin=b"play " + b"9" * 10_000_000 + b"\n1 name\n")
    assert told == (f"? the line is too long: at most {MAX_COMMAND} characters\n\n=1 Parlour\n\n", "", 0)


@pytest.mark.parametrize(
    ("word", "reason"),
    [("human", "there is no keyboard"), ("nobody", "unknown player"), ("level:99", "unknown player")],
)
def test_a_player_there_is_not(word: str, reason: str) -> None:
    told = run_parlour("engine", "--player", word, stdin="name\n")
    assert told.code == 2
    assert told.out == ""
    assert re.fullmatch(r"parlour: [^\n]+\n", told.err)
    assert reason in told.err


def test_how_long_it_may_think(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perfect, "SEARCHED_NODES", 100)
    monkeypatch.setattr(PlainSearch, "chunk", 100)
    sent = "game increasing-differences\noptions length=12 range=24\nvalue\ngenmove\n"
    told = run_parlour("engine", "--seconds", "0", stdin=sent)
    value, move = replies(told.out)[2:]
    assert value == "? too big: no exact answer within 0 seconds; ask later in the game, or allow more"
    assert move.startswith("? the perfect player has no proof of a best move: no exact answer within 0 seconds")


def test_by_default_it_plays_perfectly() -> None:
    """The numbers to leave in Double Up are 100, 49, 24, 11, 5 and 2."""
    sent = ["game double-up", "play 2", "play 3", "genmove", "play 10", "genmove", "play 13", "genmove"]
    told = run_parlour("engine", stdin="\n".join(sent))
    assert replies(told.out) == ["=", "=", "=", "= 5", "=", "= 11", "=", "= 24"]
    assert told.code == 0


# The page about it.


def test_the_page_has_every_command() -> None:
    page = (ROOT / "docs" / "engine.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \|", page, re.MULTILINE)
    assert rows == [(name, usage) for name, (usage, _, _) in COMMANDS.items()]
    assert f"at most {MAX_COMMAND} characters" in page
    assert f"More than {LISTED_MOVES} are not listed" in page
