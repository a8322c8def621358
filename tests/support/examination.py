"""Tests of examining and copying a store; each layer runs them on its own database."""

from __future__ import annotations

import stat
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import delete, update

from parlour.documents.saved import Examination, Problem
from parlour.limit import Limit
from parlour.service.commands import Play, Resign
from parlour.service.examination import Salvaged, examine, salvage
from parlour.service.matches import MatchService
from parlour.service.new_matches import MatchRequest, match_on_one_device
from parlour.store import Store, StoredMatch, back_up, open_existing
from parlour.store.tables import lines, matches
from tests.support.store import Opener

MOVES = ("2", "3", "6", "7")


def play(store: Store, *moves: str, resigned: bool = False) -> StoredMatch:
    """A match of these moves."""
    service = MatchService(store)
    made = service.add(match_on_one_device(MatchRequest("double-up", {}), ("Ann", "Ben"), "1"))
    loaded = made.loaded
    for ply, move in enumerate(moves):
        loaded = service.apply(loaded.id, made.seat, Play(move, ply))
    if resigned:
        loaded = service.apply(loaded.id, made.seat, Resign(1))
    return loaded.stored


def alter(store: Store, id: str, number: int, text: str) -> None:
    with store._database.writing() as connection:
        connection.execute(update(lines).where(lines.c.match == id, lines.c.number == number).values(text=text))


class ExaminationTests:
    """Needs the fixtures `store` and `opened`."""

    def test_nothing_is_wrong(self, store: Store) -> None:
        assert examine(store) == Examination(count=0, left=0, unsealed=0, problems=[])
        play(store, *MOVES)
        play(store)
        play(store, "2", resigned=True)
        assert examine(store) == Examination(count=3, left=0, unsealed=0, problems=[])

    def test_what_there_was_no_time_for_is_counted(self, store: Store) -> None:
        play(store, *MOVES)
        play(store)
        assert examine(store, Limit(seconds=0)) == Examination(count=0, left=2, unsealed=0, problems=[])
        assert examine(store, Limit(seconds=600)) == Examination(count=2, left=0, unsealed=0, problems=[])

    def test_what_is_wrong_is_told_of_each_match(self, store: Store) -> None:
        play(store, *MOVES)
        short, altered, illegal, unsealed = (play(store, *MOVES).id for _ in range(4))
        with store._database.writing() as connection:
            connection.execute(delete(lines).where(lines.c.match == short, lines.c.number == 3))
            connection.execute(update(matches).where(matches.c.id.in_([illegal, unsealed])).values(seal=None))
            connection.execute(update(lines).where(lines.c.match.in_([illegal, unsealed])).values(digest=None))
        alter(store, altered, 1, "2. 4")  # which could have been played
        alter(store, illegal, 2, "3. 99")
        found = examine(store)
        assert (found.count, found.unsealed) == (5, 2)
        told = {problem.where: problem.what for problem in found.problems}
        assert set(told) == {f"match {id}" for id in (short, altered, illegal)}
        assert told[f"match {short}"] == "lines written: 4, lines left: 3"
        assert told[f"match {altered}"] == "line 2 is not what was written"
        assert "illegal move '99'" in told[f"match {illegal}"]

    def test_what_is_whole_is_kept_whole_and_the_rest_up_to_the_damage(
        self, store: Store, opened: Opener, tmp_path: Path
    ) -> None:
        whole, short, altered = play(store, *MOVES), play(store, *MOVES), play(store, *MOVES, resigned=True)
        nameless, renamed = play(store, *MOVES), play(store, *MOVES)
        with store._database.writing() as connection:
            connection.execute(delete(lines).where(lines.c.match == short.id, lines.c.number >= 2))
            connection.execute(update(matches).where(matches.c.id == nameless.id).values(head="[Nothing"))
            head = renamed.head.replace("Ann", "Eve")
            connection.execute(update(matches).where(matches.c.id == renamed.id).values(head=head))
        alter(store, altered.id, 3, "4. 8")
        copy = opened(f"sqlite:///{tmp_path}/copy.db")
        kept = {each.id: each for each in salvage(store, copy)}
        assert kept[whole.id] == Salvaged(whole.id, 4, None)
        assert kept[short.id] == Salvaged(short.id, 2, "lines written: 4, lines left: 2")
        assert kept[altered.id] == Salvaged(altered.id, 3, "line 4 is not what was written")
        assert kept[nameless.id].lines is None
        assert kept[renamed.id].lines == 4
        assert copy.load(whole.id) == whole
        assert copy.load(short.id) == replace(short, seq=short.seq + 1, lines=short.lines[:2])
        assert copy.load(altered.id) == replace(altered, seq=altered.seq + 1, lines=altered.lines[:3], over=False)
        assert copy.load(nameless.id) is None
        assert copy.load(renamed.id) == replace(renamed, seq=renamed.seq + 1, head=head)
        assert examine(copy) == Examination(count=4, left=0, unsealed=0, problems=[])
        assert len(examine(store).problems) == 4  # the old one is as it was


class CopyTests:
    """Needs the fixtures `url` and `store`."""

    def test_a_copy_is_complete_private_and_never_in_the_place_of_another(
        self, url: str, store: Store, tmp_path: Path
    ) -> None:
        written = [play(store, *MOVES), play(store, "2", resigned=True)]
        damaged = play(store, *MOVES)
        if not url.startswith("sqlite"):  # a page of SQLite is copied as it is, and so is a row of PostgreSQL
            alter(store, damaged.id, 1, "2. 4")
        file = tmp_path / "copy.db"
        assert back_up(url, str(file)) == 3
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert [path.name for path in tmp_path.glob("copy*")] == ["copy.db"]
        data = file.read_bytes()
        with pytest.raises(FileExistsError, match="not replaced"):
            back_up(url, str(file))
        assert file.read_bytes() == data
        with closing(open_existing(f"sqlite:///{file}")) as copy:
            assert [copy.load(match.id) for match in written] == written
            found = Problem(where=f"match {damaged.id}", what="line 2 is not what was written")
            problems = [] if url.startswith("sqlite") else [found]
            assert examine(copy) == Examination(count=3, left=0, unsealed=0, problems=problems)
        with pytest.raises(FileNotFoundError):
            back_up(url, str(tmp_path / "nowhere" / "copy.db"))
