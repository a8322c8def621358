"""``parlour check``, ``salvage`` and ``backup``, as somebody types them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from parlour import saves
from parlour.service.commands import Play
from parlour.service.matches import MatchService
from parlour.service.new_matches import MatchRequest, match_on_one_device
from parlour.store import Store, StoredMatch, open_store
from tests.support.command import Run
from tests.support.old_data import fill_sqlite

Runner = Callable[..., Run]

MOVES = ("2", "3", "6", "7")


def play(store: Store, *moves: str) -> StoredMatch:
    """Play a match on one device in a store."""
    service = MatchService(store)
    made = service.add(match_on_one_device(MatchRequest("double-up", {}), ("Ann", "Ben"), "1"))
    loaded = made.loaded
    for ply, move in enumerate(moves):
        loaded = service.apply(loaded.id, made.seat, Play(move, ply))
    return loaded.stored


def games(run: Runner, *typed: str) -> None:
    for each in typed:
        run("play", "double-up", "--limit", "20", stdin=each)


def test_no_games(run: Runner) -> None:
    assert run("check") == Run("0 saved games examined, 0 problems found\n", "", 0)
    found = json.loads(run("check", "--json").out)
    assert found == {"count": 0, "left": 0, "unsealed": 0, "problems": []}


def test_saved_games_are_examined_and_salvaged(run: Runner, state: Path) -> None:
    games(run, "2\n3\n6\n7\n", "2\n3\nresign\n", "2\n3\n6\n")
    assert run("check") == Run("3 saved games examined, 0 problems found\n", "", 0)
    first, second = state / "1.parlour", state / "2.parlour"
    first.write_text(first.read_text().replace("3. 6", "3. 9"))
    second.write_text(second.read_text().replace("resign 1\n", ""))
    damaged = first.read_bytes()
    told = run("check")
    assert told.code == 1
    one, two, last = told.out.splitlines()
    assert one.startswith("game 1: line ")
    assert "illegal move '9'" in one
    assert two.startswith("game 2: line ")
    assert "the result is given as '0-1', but the moves lead to '*'" in two
    assert last == "3 saved games examined, 2 problems found"
    found = json.loads(run("check", "--json").out)
    assert [problem["where"] for problem in found["problems"]] == ["game 1", "game 2"]
    kept = run("salvage", "1")
    assert kept.code == 0
    assert "Saved up to there as game 4: Double Up, Player 1 to move, 2 lines." in kept.out
    assert first.read_bytes() == damaged
    assert saves.text_of(4).endswith("\n1. 2\n2. 3\n")
    assert run("salvage", "2").code == 0
    assert run("salvage", "3") == Run("game 3 is not damaged\n", "", 0)
    assert saves.numbers() == [1, 2, 3, 4, 5]


def test_what_there_was_no_time_for_is_told(run: Runner) -> None:
    games(run, "2\n3\n", "2\n")
    told = run("check", "--seconds", "0")
    assert told.out == "0 saved games examined, 0 problems found\n"
    assert told.err == "parlour: 0 seconds were not enough for 2 more; --seconds allows more\n"
    assert told.code == 1
    assert json.loads(run("check", "--seconds", "0", "--json").out)["left"] == 2
    assert run("check", "--seconds", "600") == Run("2 saved games examined, 0 problems found\n", "", 0)


def test_what_cannot_be_salvaged(run: Runner, state: Path, tmp_path: Path) -> None:
    games(run, "2\n")
    (state / "1.parlour").write_text("nonsense\n")
    assert run("salvage", "1") == Run("", "parlour: line 1: this is not a Parlour record, found 'nonsense'\n", 1)
    assert run("salvage", "7").code == 1
    told = run("salvage", "x.db")
    assert told.code == 2
    assert "name the new database" in told.err
    assert run("salvage", "x.db", "y.db", cwd=tmp_path).err == "parlour: there is no database x.db\n"
    assert run("check", "x.db", cwd=tmp_path) == Run("", "parlour: there is no database x.db\n", 1)
    assert run("backup", "--database", "x.db", "y.db", cwd=tmp_path).err == ("parlour: there is no database x.db\n")
    (tmp_path / "text.db").write_text("Dear diary, " * 1000)
    told = run("check", "text.db", cwd=tmp_path)
    assert (told.code, told.out, told.err.count("\n")) == (1, "", 1)
    assert "file is not a database" in told.err
    assert {path.name for path in tmp_path.glob("*.db*")} == {"text.db"}


def test_a_database_is_examined_copied_and_salvaged(run: Runner, tmp_path: Path) -> None:
    with closing(open_store(f"sqlite:///{tmp_path}/web.db")) as store:
        whole, short = play(store, *MOVES), play(store, *MOVES)
    assert run("check", "web.db", cwd=tmp_path).out == "2 matches examined, 0 problems found\n"
    assert run("backup", "--database", "web.db", "copy.db", cwd=tmp_path) == Run("2 matches copied to copy.db\n", "", 0)
    again = run("backup", "--database", f"sqlite:///{tmp_path}/web.db", "copy.db", cwd=tmp_path)
    assert again == Run("", "parlour: there is such a file already, and it is not replaced: copy.db\n", 1)
    with closing(sqlite3.connect(tmp_path / "web.db")) as connection:
        connection.execute("DELETE FROM lines WHERE match = ? AND number > 1", (short.id,))
        connection.commit()
    problem = f"match {short.id}: lines written: 4, lines left: 2"
    assert run("check", "web.db", cwd=tmp_path) == Run(f"{problem}\n2 matches examined, 1 problem found\n", "", 1)
    found = json.loads(run("check", f"sqlite:///{tmp_path}/web.db", "--json").out)
    assert found["problems"] == [{"where": f"match {short.id}", "what": "lines written: 4, lines left: 2"}]
    last = "1 match copied whole, 1 up to the damage, 0 lost\n"
    assert run("salvage", "web.db", "new.db", cwd=tmp_path) == Run(f"{problem}; copied up to line 2\n{last}", "", 0)
    assert run("salvage", "web.db", "new.db", cwd=tmp_path).code == 1
    assert run("check", "new.db", cwd=tmp_path).out == "2 matches examined, 0 problems found\n"
    assert run("check", "web.db", cwd=tmp_path).code == 1  # as it was
    with closing(open_store(f"sqlite:///{tmp_path}/new.db")) as store:
        assert store.load(whole.id) == whole
        kept = store.load(short.id)
        assert kept is not None
        assert kept.lines == short.lines[:2]
    assert run("salvage", "copy.db", f"sqlite:///{tmp_path}/new.db", cwd=tmp_path).err == (
        "parlour: the new database already has matches; it has to be empty\n"
    )


def test_a_database_of_0_1_0(run: Runner, tmp_path: Path) -> None:
    fill_sqlite(tmp_path / "old.db")
    with closing(sqlite3.connect(tmp_path / "old.db")) as connection:
        ((count,),) = connection.execute("SELECT count(*) FROM matches")
    told = run("check", "old.db", cwd=tmp_path)
    assert told.code == 0
    assert told.out == f"{count} matches examined, 0 problems found; {count} of an earlier version, not sealed yet\n"


def test_your_own_database(run: Runner, state: Path, tmp_path: Path) -> None:
    state.parent.mkdir(parents=True)
    with closing(open_store(f"sqlite:///{state.parent}/web.sqlite3")) as store:
        play(store, "2")
    assert run("backup", "mine.db", cwd=tmp_path).out == "1 match copied to mine.db\n"
    assert run("check", "mine.db", cwd=tmp_path).out == "1 match examined, 0 problems found\n"
