"""Where games are kept: numbers, locks, and files that always hold a whole game."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from parlour import record, saves
from parlour.errors import BadRecord, GameInUse, NoSuchRecord
from parlour.match import Match
from parlour.outcome import Outcome
from tests.support.tabletop import begin


def open_new(key: str = "double-up", **options: object) -> saves.SaveFile:
    return saves.SaveFile(saves.add(begin(key, **options)))


def test_the_directory_is_where_xdg_says(state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert saves.directory() == str(state)
    assert state.is_dir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    default = str(tmp_path / "home" / ".local" / "state" / "parlour" / "games")
    for nothing in ("", "relative/path"):
        monkeypatch.setenv("XDG_STATE_HOME", nothing)
        assert saves.directory() == default
    monkeypatch.delenv("XDG_STATE_HOME")
    assert saves.directory() == default


def test_numbers_go_up_and_are_not_used_again() -> None:
    assert saves.numbers() == []
    assert [saves.add(begin("double-up")) for _ in range(3)] == [1, 2, 3]
    os.unlink(saves.path_of(2))
    assert saves.add(begin("double-up")) == 4
    assert saves.numbers() == [1, 3, 4]


def test_numbers_are_numbers_and_not_words(state: Path) -> None:
    for _ in range(11):
        saves.add(begin("double-up"))
    assert saves.numbers() == list(range(1, 12))
    for name in ("x.parlour", "12.txt", "٣.parlour", "-1.parlour", "1.parlour.new", ".parlour"):
        (state / name).write_text("")
    assert saves.numbers() == list(range(1, 12))


def test_nothing_else_is_left_behind(state: Path) -> None:
    save = open_new(limit=2)
    save.append(save.match.play(2))
    save.close()
    assert os.listdir(state) == ["1.parlour"]


@pytest.mark.parametrize("word", ["", "0", "2", "-1", "1.0", "x", "١", "1 ", "0x1", "9" * 50])
def test_finding_what_is_not_there(word: str) -> None:
    saves.add(begin("double-up"))
    with pytest.raises(NoSuchRecord, match="there is no saved game"):
        saves.find(word)


def test_finding() -> None:
    saves.add(begin("double-up"))
    assert saves.find("1") == 1
    assert saves.find("001") == 1


def test_every_action_is_on_the_disk_when_keep_returns(state: Path) -> None:
    save = open_new()
    match, file = save.match, state / "1.parlour"
    head = file.read_text()
    assert head.endswith('[Result "*"]\n\n')
    save.append(match.play(2))
    assert file.read_text() == head + "1. 2\n"
    save.append(match.play(4))
    save.append(match.undo())
    assert file.read_text() == head + "1. 2\n2. 4\nundo\n"
    save.append(match.play(3))
    assert file.read_text() == head + "1. 2\n2. 4\nundo\n2. 3\n" == record.write_record(match)
    save.append(match.resign(1))
    assert file.read_text() == record.write_record(match)
    assert '[Result "0-1"]' in file.read_text()
    save.close()
    assert saves.load(1).outcome == Outcome(2, "resigned")


def test_rounds_are_kept(state: Path) -> None:
    save = open_new("sequence-spot", grid="1,2,4,3,8,9,6,5,7")
    save.append(save.match.play(1))
    save.append(save.match.next_round())
    save.append(save.match.play("3,3"))
    save.close()
    text = (state / "1.parlour").read_text()
    assert text == record.write_record(save.match)
    assert text.splitlines()[-1] == "1. 3,3"
    again = saves.load(1)
    assert again.log == save.match.log
    assert len(again.rounds) == 2


def test_a_kept_game_goes_on_where_it_was() -> None:
    save = open_new()
    save.append(save.match.play(2))
    save.close()
    again = saves.SaveFile(1)
    assert again.match.log == save.match.log
    again.append(again.match.play(3))
    again.close()
    assert saves.load(1).round.moves == [2, 3]


def test_no_game_is_open_twice() -> None:
    save = open_new()
    with pytest.raises(GameInUse, match="game 1 is open at another terminal"):
        saves.SaveFile(1)
    assert saves.load(1).log == [], "looking is allowed"
    save.append(save.match.play(2))
    save.close()
    saves.SaveFile(1).close()


def test_a_game_that_cannot_be_read_is_not_left_locked(state: Path) -> None:
    saves.add(begin("double-up"))
    (state / "1.parlour").write_text("rubbish\n")
    for _ in range(2):
        with pytest.raises(BadRecord, match="line 1: "):
            saves.SaveFile(1)


def test_a_line_that_was_cut_short_is_dropped_and_overwritten(state: Path) -> None:
    save = open_new()
    save.append(save.match.play(2))
    save.append(save.match.play(4))
    save.close()
    file = state / "1.parlour"
    whole = file.read_bytes()
    for cut in range(1, len(b"2. 4\n") + 1):
        file.write_bytes(whole[:-cut])
        assert saves.load(1).round.moves == [2]
        again = saves.SaveFile(1)
        assert again.match.round.moves == [2]
        again.append(again.match.play(3))
        again.close()
        assert file.read_bytes() == whole.replace(b"2. 4\n", b"2. 3\n")


@pytest.mark.parametrize("tail", [b"\x00" * 10, b"\xff\xfe", b"2. 4\x00"])
def test_rubbish_after_the_last_line_is_dropped(state: Path, tail: bytes) -> None:
    save = open_new()
    save.append(save.match.play(2))
    save.close()
    with (state / "1.parlour").open("ab") as file:
        file.write(tail)
    assert saves.load(1).round.moves == [2]


def test_a_file_that_is_no_text_names_the_line(state: Path) -> None:
    saves.add(begin("double-up"))
    (state / "1.parlour").write_bytes(b'[Parlour "1"]\n\xff\n')
    with pytest.raises(BadRecord, match="line 2: this is not text in UTF-8"):
        saves.load(1)


def test_a_finished_game_whose_result_was_not_written_yet(state: Path) -> None:
    """Killed between the last move and the result: the moves say how it ended."""
    save = open_new(limit=2)
    before = (state / "1.parlour").read_text()
    save.append(save.match.play(2))
    save.close()
    (state / "1.parlour").write_text(before + "1. 2\n")
    assert saves.load(1).outcome == Outcome(1, "won")


def test_all_games_newest_first_with_the_damaged_ones(state: Path) -> None:
    saves.add(begin("double-up"))
    saves.add(begin("sequence-builder"))
    (state / "3.parlour").write_text("")
    found = list(saves.all_games())
    assert [number for number, _ in found] == [3, 2, 1]
    assert isinstance(found[0][1], BadRecord)
    assert isinstance(found[1][1], Match)


def test_a_match_in_progress_is_kept_whole() -> None:
    match = begin("double-up", "2 4 8")
    match.undo()
    assert saves.load(saves.add(match)).log == match.log


def test_names_in_any_script_are_kept() -> None:
    saves.add(begin("double-up", names=("Zoë", "李雷")))
    assert saves.load(1).names == ("Zoë", "李雷")


def test_what_was_over_goes_on_and_its_file_says_so() -> None:
    save = open_new(limit=3)
    for move in (2, 3):
        save.append(save.match.play(move))
    assert '[Result "0-1"]' in saves.text_of(save.number)
    save.append(save.match.undo())
    text = saves.text_of(save.number)
    assert '[Result "*"]' in text
    assert text.endswith("1. 2\n2. 3\nundo\n")
    assert saves.load(save.number).outcome is None
    save.append(save.match.resign(2))
    assert '[Result "1-0"]' in saves.text_of(save.number)
    save.close()


def test_who_plays_from_now_on_is_kept() -> None:
    save = open_new()
    save.append(save.match.play(2))
    save.match.change_setup(replace(save.match.setup, names=("Ann", "Ben"), players=("human", "level:2")))
    save.rewrite()
    save.append(save.match.play(3))
    save.close()
    match = saves.load(save.number)
    assert (match.names, match.setup.players) == (("Ann", "Ben"), ("human", "level:2"))
    assert match.round.moves == [2, 3]
