"""The kept games: list, resume, export, import, replay."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from parlour import catalog, record, saves
from parlour.engine.plain import PlainSearch
from parlour.match import Match
from parlour.players import perfect
from parlour.terminal.play import set_up
from parlour.text import clip
from tests.support.command import Run
from tests.support.terminal import Person

Runner = Callable[..., Run]
Maker = Callable[..., list[str]]
Terminal = Callable[..., Person]

RECORD = """\
[Parlour "1"]
[Game "double-up"]
[Version "1"]
[Options "limit=100"]
[Player1 "Ann Lee"]
[Player2 "Zoë"]
[Chooser1 "human"]
[Chooser2 "human"]
[First "1"]
[Seed "7"]
[Date "2026-11-15T19:00:00Z"]
[Result "*"]

1. 2
2. 4
3. 7
"""
FINISHED = RECORD.replace('"*"', '"0-1"') + "resign 1\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a game.parlour"
    path.write_text(RECORD)
    return path


def one_line(told: Run, code: int = 1) -> str:
    assert told.code == code
    assert told.out == ""
    assert told.err.startswith("parlour: ")
    assert told.err.count("\n") == 1
    return told.err


# games


def test_no_games_yet(run: Runner) -> None:
    told = run("games")
    assert told.code == 0
    assert told.out == "No games yet. Begin one with: parlour play GAME\n"
    assert json.loads(run("games", "--json").out) == []


def test_games_newest_first_and_how_they_stand(run: Runner) -> None:
    run("play", "double-up", "--name1", "Ann", "--name2", "Bob", stdin="2\n")
    run("play", "double-up", "--limit", "2", stdin="2\n")
    run("play", "builder", stdin="5\nresign\n")
    run("play", "pyramid", "--base", "2", stdin="6\n7\n6\n7\n")
    grid = "1,2,4,3,8,9,6,5,7"
    full = "1,1\n2,2\n1,2\n2,3\n1,3\n3,2\n2,1\n3,3\n3,1\n"
    run("play", "spot", "--grid", grid, "--max-rounds", "1", stdin=full)
    told = run("games", "--all")
    assert told.code == 0
    assert told.err == ""
    lines = [re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d", "TIME", line).strip() for line in told.out.splitlines()]
    assert lines == [
        "1  TIME  Double Up, Ann - Bob: Bob to move, 1 move",
        "5  TIME  Sequence Spot (undecided after grid 1), Player 1 - Player 2: undecided, 9 moves",
        "4  TIME  Pyramid Challenge (2 at the bottom), Player 1 - Player 2: a draw, 4 moves",
        "3  TIME  Sequence Builder, Player 1 - Player 2: Player 1 won by resignation, 1 move",
        "2  TIME  Double Up (up to 2), Player 1 - Player 2: Player 1 won, 1 move",
    ]
    described = json.loads(run("games", "--json").out)
    assert [game["result"] for game in described] == ["undecided", "1/2-1/2", "1-0", "1-0", "*"]
    assert described[-1] == {
        "id": 1,
        "game": "double-up",
        "date": described[-1]["date"],
        "names": ["Ann", "Bob"],
        "players": ["human", "human"],
        "rounds": 1,
        "moves": 1,
        "result": "*",
        "turn": 2,
        "options": {},
        "aside": True,
    }
    assert described[1]["options"] == {"base": "2"}
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", described[-1]["date"])
    assert described[0]["turn"] is None


def numbers(told: Run) -> list[int]:
    assert (told.err, told.code) == ("", 0)
    return [int(line.split()[0]) for line in told.out.splitlines() if line[:4].strip().isdigit()]


def keep(*setups: tuple[str, tuple[str, str], tuple[str, str], bool]) -> None:
    """Keep a game of each: its game, names, players, and whether it is over. Nobody played them through a pipe."""
    for key, names, kinds, over in setups:
        match = Match(set_up(key, {}, kinds, names))
        if over:
            match.resign(2)
        saves.add(match)


def test_filters(run: Runner) -> None:
    people = ("human", "human")
    keep(
        ("double-up", ("Ann", "Bob"), people, True),
        ("double-up", ("Ann", "Computer"), ("human", "level:2"), False),
        ("sequence-spot", ("Ann", "Bob"), people, False),
        ("sequence-spot", ("Ann", "Computer"), ("human", "level:4"), True),
        ("sequence-spot", ("One", "Two"), ("random", "random"), True),
    )
    run("play", "double-up", stdin="2\n")
    assert numbers(run("games")) == [3, 2, 4, 1], "those to go on with, then the others, the newest first"
    assert run("games").out.endswith("2 more were played by programs or by computers alone: parlour games --all\n")
    assert numbers(run("games", "--all")) == [6, 3, 2, 5, 4, 1]
    assert numbers(run("games", "--unfinished")) == [3, 2]
    assert numbers(run("games", "--finished")) == [4, 1]
    assert numbers(run("games", "--game", "spot")) == [3, 4]
    assert numbers(run("games", "--against", "bob")) == [3, 1]
    assert numbers(run("games", "--against", "level")) == [2, 4]
    assert numbers(run("games", "--against", "level:4", "--game", "spot", "--finished")) == [4]
    assert numbers(run("games", "5", "1-2")) == [2, 5, 1], "who names a game wants to see it, whoever played it"
    assert run("games", "--against", "Eve").out.startswith("You have no such game.\n")
    assert [game["id"] for game in json.loads(run("games", "--json").out)] == [6, 5, 4, 3, 2, 1], "programs get all"
    assert [game["id"] for game in json.loads(run("games", "--json", "--finished").out)] == [5, 4, 1]
    assert "did you mean 'sequence-spot'" in one_line(run("games", "--game", "spto"), 2)


def test_deleting_games(run: Runner, terminal: Terminal, state: Path) -> None:
    for _ in range(5):
        run("play", "double-up", stdin="2\n")
    assert "use --yes" in one_line(run("games", "--delete", "3"), 2)
    assert "name the games to delete" in one_line(run("games", "--delete", "--yes"), 2)
    assert "there is no saved game '9'" in one_line(run("games", "--delete", "1", "9", "--yes"))
    assert "--yes needs --delete" in one_line(run("games", "--yes"), 2)
    assert len(list(state.glob("*.parlour"))) == 5
    assert run("games", "--delete", "3", "--yes").out == "Game 3 is deleted.\n"
    person = terminal("games", "--delete", "1-4")
    person.sees("Double Up", "Double Up", "Delete these games permanently? [y/N]: ")
    person.types("")
    assert person.leaves()[1] == 130
    person = terminal("games", "--delete", "1-4")
    person.sees("[y/N]: ")
    person.types("y")
    assert "3 games are deleted." in person.leaves()[0]
    assert sorted(path.name for path in state.iterdir()) == ["5.parlour", "5.piped"]


def test_ranges_of_games(run: Runner) -> None:
    for _ in range(3):
        run("play", "double-up", stdin="2\n")
    assert numbers(run("games", "--all", "2-9")) == [3, 2]
    for word in ("50-60", "3-2", "²-³", "1-" + "9" * 5000, "-", "1-"):
        assert f"there is no saved game {word[:9]!r}"[:-1] in one_line(run("games", "--", word))
        assert "there is no saved game" in one_line(run("games", "--delete", "--yes", "--", word))
    assert len(numbers(run("games", "--all"))) == 3


def test_a_game_that_is_open_is_not_deleted(run: Runner) -> None:
    run("play", "double-up", stdin="2\n")
    save = saves.SaveFile(1)
    assert "game 1 is open at another terminal" in one_line(run("games", "--delete", "1", "--yes"))
    save.close()
    assert run("games", "--delete", "1", "--yes").code == 0


def test_a_person_resumes_their_own_game_and_a_program_the_newest(run: Runner, terminal: Terminal) -> None:
    keep(("double-up", ("Ann", "Bob"), ("human", "human"), False))
    run("play", "double-up", stdin="2\n")
    assert "resume 2" in run("resume").err
    person = terminal("resume")
    person.sees("Ann")
    assert "resume 1" in person.leaves("quit\r")[0]


DAMAGE = {
    "empty": b"",
    "binary": bytes(range(256)),
    "no text": b"\xff\xfe\x00\n\x80\n",
    "half a head": b'[Parlour "1"]\n[Game "double-up"]\n',
    "an impossible move": RECORD.replace("3. 7", "3. 9").encode(),
    "an unknown game": RECORD.replace('"double-up"', '"chess"').encode(),
    "another version": RECORD.replace('[Version "1"]', '[Version "9"]').encode(),
    "something else": b'{"game": "double-up"}\n',
    "noughts": b"\x00" * 300,
}


def test_damaged_files_are_listed_as_damaged(run: Runner, state: Path) -> None:
    run("play", "double-up", stdin="2\n")
    for number, data in enumerate(DAMAGE.values(), 2):
        (state / f"{number}.parlour").write_bytes(data)
    told = run("games", "--all")
    assert told.code == 0
    assert told.err == ""
    lines = told.out.splitlines()
    assert len(lines) == len(DAMAGE) + 1
    assert all(re.match(r" *\d+  damaged: line \d+: ", line) for line in lines[1:]), told.out
    assert all(character.isprintable() for line in lines for character in line)
    described = json.loads(run("games", "--json").out)
    assert [set(game) for game in described[:-1]] == [{"id", "damaged"}] * len(DAMAGE)
    for number in (2, 6):
        for word in ("resume", "export", "replay"):
            assert "line " in one_line(run(word, str(number)))
    assert "Last Number (N): 2" in run("resume").out, "resume passes over damaged games"
    assert json.loads(run("play", "double-up", "--json").out.splitlines()[0])["id"] == len(DAMAGE) + 2


def test_a_directory_in_place_of_a_game(run: Runner, state: Path) -> None:
    run("play", "double-up", stdin="2\n")
    (state / "2.parlour").mkdir()
    (state / "3.parlour").symlink_to(state / "gone")
    told = run("games", "--all")
    assert told.code == 0
    assert "Double Up, Player 1 - Player 2" in told.out
    assert run("resume").code == 1
    assert "Last Number (N): 2" in run("resume").out


# resume


def test_resume_without_a_number_takes_the_newest_unfinished_game(run: Runner) -> None:
    run("play", "double-up", stdin="2\n")
    run("play", "builder", stdin="5\n")
    run("play", "double-up", "--limit", "2", stdin="2\n")
    told = run("resume")
    assert "Player 2, select your number: " in told.out
    assert told.err == "Game 2 is saved. Resume it with: parlour resume 2\n"


def test_a_computer_has_the_seconds_that_it_is_given(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perfect, "SEARCHED_NODES", 100)
    monkeypatch.setattr(PlainSearch, "chunk", 100)
    large = ("increasing-differences", "--length", "12", "--range", "24", "--p1", "perfect")
    no_proof = "parlour: the perfect player has no proof of a best move: no exact answer within 0 seconds; "
    for told in (run("play", *large, "--seconds", "0"), run("resume", "--seconds", "0")):
        saved, why = told.err.splitlines()
        assert saved == "Game 1 is saved. Resume it with: parlour resume 1"
        assert why.startswith(no_proof)
        assert told.code == 1


def test_resume_with_nothing_to_resume(run: Runner) -> None:
    assert "there is no unfinished game" in one_line(run("resume"))


@pytest.mark.parametrize("word", ["resume", "export"])
def test_unknown_numbers(run: Runner, word: str) -> None:
    run("play", "double-up", stdin="2\n")
    numbers = ["2", "0", "x", "9" * 21, "1.5", "٣", "", "../1", "1.parlour", "\x1b[31m"]
    for number in numbers:
        told = run(word, number)
        assert "there is no saved game" in one_line(told)
        assert "parlour games" in told.err
        assert "\x1b" not in told.err


def test_replay_of_an_unknown_number_or_file(run: Runner, tmp_path: Path) -> None:
    assert "there is no saved game '7'" in one_line(run("replay", "7"))
    assert "nowhere.parlour" in one_line(run("replay", "nowhere.parlour"))
    one_line(run("replay", str(tmp_path)))


def test_a_finished_game_cannot_be_resumed(run: Runner) -> None:
    run("play", "double-up", "--limit", "2", stdin="2\n")
    assert "game 1 is finished; see it with: parlour replay 1" in one_line(run("resume", "1"))
    assert "there is no unfinished game" in one_line(run("resume"))


def test_resuming_for_programs(run: Runner) -> None:
    run("play", "double-up", stdin="2\n4\n")
    events = [json.loads(line) for line in run("resume", "1", "--json", stdin="7\n").out.splitlines()]
    assert [event["event"] for event in events] == ["deal", "resume", "turn", "move", "turn"]
    assert events[0]["id"] == 1
    assert events[0]["first"] == 1
    assert events[1]["moves"] == ["2", "4"]
    assert events[2]["legal"] == ["5", "6", "7", "8"]
    assert events[3]["ply"] == 3


def test_resuming_against_the_computer(run: Runner) -> None:
    run("play", "double-up", "--p2", "random", "--seed", "5", stdin="2\n")
    whole = run("play", "double-up", "--p2", "random", "--seed", "5", stdin="2\n4\n5\n6\n7\n8\n9\n10\n11\n12\n")
    again = run("resume", "1", stdin="4\n5\n6\n7\n8\n9\n10\n11\n12\n")
    assert again.out.splitlines()[-8:] == whole.out.splitlines()[-8:], "the computer answers as it would have"


# export and import


@pytest.mark.parametrize("key", catalog.keys())
def test_export_and_import_give_the_same_game(run: Runner, whole_game: Maker, key: str) -> None:
    moves = whole_game(key, 2)
    run("play", key, "--seed", "2", "--name1", 'The "Ace" \\', stdin="".join(f"{move}\n" for move in moves))
    told = run("export", "1")
    assert told.code == 0
    assert told.err == ""
    assert record.write_record(record.read_record(told.out)) == told.out
    assert run("import", "-", stdin=told.out).out.startswith(
        f"Already saved as game 1: {catalog.find_game(key).title}, "
    )
    imported = run("import", "-", "--force", stdin=told.out)
    assert imported.code == 0
    assert imported.out.startswith(f"Imported as game 2: {catalog.find_game(key).title}, ")
    assert run("export", "2").out == told.out


def test_export_to_a_file(run: Runner, tmp_path: Path) -> None:
    run("play", "double-up", stdin="2\n4\n")
    path = tmp_path / "copy.parlour"
    assert run("export", "1", "-o", str(path)) == Run("", "", 0)
    assert path.read_bytes().decode() == run("export", "1").out == run("export", "1", "-o", "-").out


def test_a_file_is_not_overwritten_silently(run: Runner, terminal: Terminal, tmp_path: Path) -> None:
    run("play", "double-up", stdin="2\n4\n")
    path = tmp_path / "copy.parlour"
    path.write_text("mine")
    assert "already exists; use --force to overwrite it" in one_line(run("export", "1", "-o", str(path)), 2)
    assert path.read_text() == "mine"
    person = terminal("export", "1", "-o", str(path), columns=200)
    person.sees("already exists. Overwrite it? [y/N]: ")
    person.types("n")
    assert person.leaves()[1] == 130
    assert path.read_text() == "mine"
    person = terminal("export", "1", "-o", str(path), columns=200)
    person.sees("[y/N]: ")
    person.types("y")
    assert person.leaves()[1] == 0
    assert path.read_text() == run("export", "1").out
    path.write_text("mine")
    assert run("export", "1", "--force", "-o", str(path)) == Run("", "", 0)
    assert path.read_text() != "mine"


def test_import_notices_a_game_that_is_kept_already(run: Runner, file: Path) -> None:
    """One that goes on gets a new seed each time, and is the same all the same, until it is played on."""
    run("import", str(file))
    assert (
        run("import", str(file)).out
        == "Already saved as game 1: Double Up, Zoë to move. Continue with: parlour resume 1\n"
    )
    run("resume", "1", stdin="14\n")
    assert run("import", str(file)).out.startswith("Imported as game 2")
    assert run("import", "-", stdin=FINISHED).out.startswith("Imported as game 3")
    assert run("import", "-", stdin=FINISHED.replace("Zoë", "Eve")).out.startswith("Imported as game 4")
    assert run("import", "-", stdin=FINISHED).out.startswith("Already saved as game 3")


def test_import_says_what_to_do_next(run: Runner, file: Path) -> None:
    assert (
        run("import", str(file)).out == "Imported as game 1: Double Up, Zoë to move. Continue with: parlour resume 1\n"
    )
    told = run("import", "-", stdin=FINISHED)
    assert told.out == "Imported as game 2: Double Up, Zoë won by resignation. Continue with: parlour replay 2\n"
    assert "Last Number (N): 7" in run("resume", "1").out


@pytest.mark.parametrize(
    "data",
    [
        FINISHED.replace("\n", "\r\n").encode(),
        ("\ufeff" + FINISHED).encode(),
        FINISHED.rstrip("\n").encode(),
        FINISHED.replace('"Zoë"]', '"Zoë"]  ').encode() + b"\n\n  \n",
    ],
    ids=["windows line ends", "byte order mark", "no last line end", "more space"],
)
def test_import_forgives_what_editors_do(run: Runner, data: bytes) -> None:
    assert run("import", "-", stdin=data).code == 0
    assert run("export", "1").out == FINISHED


def test_a_finished_record_is_imported_unchanged_whoever_played(run: Runner) -> None:
    played = FINISHED.replace('[Chooser2 "human"]', '[Chooser2 "engine:false"]')
    told = run("import", "-", stdin=played)
    assert (told.err, told.code) == ("", 0)
    assert run("export", "1").out == played


def test_an_unfinished_record_starts_no_program_and_nobody_knows_what_comes_next(run: Runner) -> None:
    secret = []
    for number in (1, 2):
        told = run("import", "--force", "-", stdin=RECORD.replace('[Chooser2 "human"]', '[Chooser2 "engine:false"]'))
        assert told.code == 0
        assert told.err == "The engine in this record was not started; type its moves yourself.\n"
        kept = run("export", str(number)).out
        found = re.search(r'\[Seed "([0-9a-f]{32})"\]', kept)
        assert found
        secret.append(found[1])
        assert kept.replace(found[1], "7") == RECORD, "all else stays as it was"
    assert secret[0] != secret[1]


@pytest.mark.parametrize("data", [*DAMAGE.values(), b"1. e4 e5 2. Nf3", b'[Event "F/S Match"]\n[Site "?"]\n\n1. e4\n'])
def test_import_refuses_what_is_no_record(run: Runner, state: Path, tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "file"
    path.write_bytes(data)
    message = one_line(run("import", str(path)))
    assert re.search(r"line \d+: |not a Parlour record", message)
    assert "\x00" not in message
    assert not state.exists() or not list(state.iterdir())


def test_import_of_a_missing_file(run: Runner) -> None:
    assert "nowhere" in one_line(run("import", "nowhere"))


def test_export_to_a_place_that_is_not_there(run: Runner, tmp_path: Path) -> None:
    run("play", "double-up", stdin="2\n")
    assert "no such directory/file" in one_line(run("export", "1", "-o", str(tmp_path / "no such directory" / "file")))


def test_a_terminal_that_cannot_show_a_name_still_lists_the_game(run: Runner, file: Path) -> None:
    run("import", str(file))
    assert "Double Up" in run("games", env={"PYTHONIOENCODING": "ascii"}).out


@pytest.mark.parametrize("tag", ["Date", "Seed", "Chooser1"])
def test_a_foreign_record_cannot_send_control_characters(run: Runner, tag: str) -> None:
    evil = re.sub(rf'\[{tag} "[^"]*"\]', f'[{tag} "\x1b[31mRED\x07"]', RECORD)
    told = run("import", "-", stdin=evil)
    shown = told.out + told.err
    if told.code == 0:
        shown += run("games").out + run("replay", "1").out + run("resume", "1").err
    assert "\x1b" not in shown
    assert "\x07" not in shown


def test_a_record_with_an_unknown_player_is_no_trap(run: Runner) -> None:
    told = run("import", "-", stdin=RECORD.replace('[Chooser2 "human"]', '[Chooser2 "robot"]'))
    if told.code == 0:
        told = run("resume", "1")
    assert "robot" in told.err
    assert told.err.count("\n") == 1
    assert told.out == ""


# replay


def test_replay_on_a_pipe_tells_the_whole_game(run: Runner, file: Path) -> None:
    file.write_text(FINISHED.replace("3. 7\n", "3. 7\nundo\n3. 8\n").replace("resign 1", "resign 1"))
    told = run("replay", str(file))
    assert told.code == 0
    assert told.err == ""
    lines = told.out.splitlines()
    assert lines[0] == "Double Up: Ann Lee - Zoë"
    assert [line for line in lines if re.match(r"\d+\. ", line)] == [
        "1. Ann Lee: 2",
        "2. Zoë: 4",
        "3. Ann Lee: 7",
        "4. Ann Lee's move is taken back",
        "5. Ann Lee: 8",
        "6. Ann Lee resigns",
    ]
    assert [line for line in lines if line.startswith("Sequence")] == [
        "Sequence  1",
        "Sequence  1 2",
        "Sequence  1 2 4",
        "Sequence  1 2 4 7",
        "Sequence  1 2 4",
        "Sequence  1 2 4 8",
        "Sequence  1 2 4 8",
    ]
    assert lines[-1] == "Zoë won by resignation."


def test_report_and_replay_take_the_last_game(run: Runner, terminal: Terminal, state: Path) -> None:
    for word in ("report", "replay"):
        assert "no game is saved yet; play one with: parlour play GAME" in one_line(run(word))
    for name, limit, moves in (("Ann", "5", "2\n4\n5\n"), ("Bob", "2", "2\n"), ("Cid", "100", "2\n")):
        run("play", "double-up", "--limit", limit, "--name1", name, stdin=moves)
    for at, number in enumerate((2, 1, 3)):  # in the order in which they were played last
        os.utime(state / f"{number}.parlour", (at, at))
    assert "Double Up: Ann - Player 2" in run("report").out, "the unfinished one is newer"
    assert "Double Up: Ann - Player 2" in run("replay").out
    assert json.loads(run("report", "--json").out)
    (state / "2.piped").unlink()
    told = terminal("report").leaves()[0]
    assert "Double Up: Bob - Player 2" in told, "a person means a game of their own"
    for number in ("1", "2"):
        run("games", "--delete", number, "--yes")
    assert "Double Up: Cid - Player 2" in run("replay").out


def test_replay_keeps_the_winners_name_as_it_is(run: Runner) -> None:
    won = RECORD.replace("Ann Lee", "McDonald of Ayr") + "4. 14\n5. 28\n6. 56\n7. 100\n"
    assert run("replay", "-", stdin=won).out.endswith("\nMcDonald of Ayr won.\n")


def test_replay_of_a_kept_game_that_goes_on(run: Runner) -> None:
    run("play", "double-up", "--name2", "Bob", stdin="2\n")
    told = run("replay", "1")
    assert told.out.endswith("\nNot finished: Bob to move.\n")


def test_replay_tells_rounds_and_passes(run: Runner) -> None:
    run("play", "spot", "--grid", "1,2,4,3,8,9,6,5,7", "--seed", "1", stdin="next\n1,1\n")
    out = run("replay", "1").out
    assert "1. Round 2 is dealt; Player 2 begins" in out
    assert "2. Player 2: 1,1" in out
    run("play", "pyramid", "--base", "2", stdin="6\n1\n6\n2\n3\n")
    out = run("replay", "2").out
    assert "5. Player 1 passes" in out
    assert out.endswith("\nPlayer 2 won.\n")


def test_a_number_is_a_game_and_never_a_file(run: Runner, tmp_path: Path) -> None:
    (tmp_path / "1").write_text(RECORD)
    assert "'1'" in one_line(run("replay", "1", cwd=tmp_path))
    run("play", "builder", stdin="5\n")
    assert run("replay", "1", cwd=tmp_path).out.startswith("Sequence Builder: ")
    assert run("replay", "./1", cwd=tmp_path).out.startswith("Double Up: ")


@pytest.mark.parametrize("key", catalog.keys())
def test_replay_of_every_game(run: Runner, key: str) -> None:
    run("play", key, "--p1", "random", "--p2", "random", "--seed", "3")
    described = json.loads(run("games", "--json").out)[0]
    out = run("replay", "1").out
    steps = [line for line in out.splitlines() if re.match(r"\d+\. ", line)]
    assert len(steps) == described["moves"] + described["rounds"] - 1


# Files that are no records, and do not end.

TOO_LONG = "is too long for a Parlour record; at most 2,000,000 bytes\n"


@pytest.mark.parametrize("words", ["import", "replay", "report"])
def test_a_device_without_end_is_refused(run: Runner, words: str) -> None:
    told = run(words, "/dev/zero")
    assert (told.out, told.err, told.code) == ("", f"parlour: '/dev/zero' {TOO_LONG}", 1)


def test_a_huge_file_is_not_read(run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "huge"
    path.touch()
    os.truncate(path, 1 << 40)  # a terabyte of nothing, which takes no room
    told = run("import", str(path))
    assert (told.err, told.code) == (f"parlour: {clip(str(path))!r} {TOO_LONG}", 1)


def test_a_record_of_a_million_lines_is_refused(run: Runner) -> None:
    told = run("import", "-", stdin=RECORD + "undo\n" * 1_000_000)
    assert (told.err, told.code) == (f"parlour: '-' {TOO_LONG}", 1)
    told = run("import", "-", stdin=RECORD + "\n" * 100_000)
    assert told.err == "parlour: the record is too long: it has 100,016 lines; at most 10,000\n"
    assert run("games").out.startswith("No games yet")
