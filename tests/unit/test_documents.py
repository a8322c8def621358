"""What goes over the wire is described once, and what Parlour writes is what is described."""

from __future__ import annotations

import json
import re
import runpy
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from inspect import getsource
from pathlib import Path
from typing import Any, get_args

import jsonschema_rs
import pytest

from parlour import catalog, documents
from parlour.documents import about, document, events, fields_of, retired, utc, write_json
from parlour.kernels.packing import packs
from parlour.match import player_number, seat_of
from parlour.rules import Rules
from tests.support.command import Run
from tests.support.docs import DOCS, section
from tests.support.marks import quickly
from tests.support.schema import SCHEMA, check

Runner = Callable[..., Run]


def schema() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(SCHEMA.read_text(encoding="utf-8"))
    return found


# The schema.


def test_the_schema_is_that_of_the_source() -> None:
    made = runpy.run_path(str(DOCS / "make_schema.py"))["make"]()
    assert SCHEMA.read_text(encoding="utf-8") == made, "make schema"


def test_the_schema_is_one() -> None:
    jsonschema_rs.meta.validate(schema())
    assert schema()["title"].endswith(f"version {documents.VERSION}")


def test_every_field_is_described() -> None:
    for name, part in schema()["$defs"].items():
        assert part["description"], name
        for field, about_it in part["properties"].items():
            assert about_it["description"], f"{name}.{field}"
            assert not about_it["description"].endswith("."), f"{name}.{field}: a description is no sentence"


def test_what_is_to_go_says_so() -> None:
    deprecated = {
        (name, field)
        for name, part in schema()["$defs"].items()
        for field, about_it in part["properties"].items()
        if about_it.get("deprecated") or "kept for readers" in about_it["description"]
    }
    assert deprecated == {("GroupDocument", "player"), ("TileDocument", "player")}


def test_the_documents_need_no_web(tmp_path: Path) -> None:
    kinds = [path.stem for path in Path(documents.__file__).parent.glob("*.py") if path.stem != "__init__"]
    script = "import sys\n" + "".join(f"import parlour.documents.{kind}\n" for kind in kinds)
    script += "assert not {'pydantic', 'fastapi', 'click', 'numpy', 'numba', 'sqlalchemy'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", script], check=True, cwd=tmp_path)


# What a document is.


@document
class Sample:
    """An example."""

    from_: str = about("a word that Python keeps for itself", name="from")
    old: int = retired("the same as nothing")
    more: str | None = about("mostly nothing", default=None)


def test_a_field_is_left_out_while_it_has_its_default() -> None:
    assert fields_of(Sample(from_="here", old=1)) == {"from": "here", "old": 1}
    assert write_json([Sample(from_="hé", old=1, more="x")]) == '[{"from": "hé", "old": 1, "more": "x"}]'
    assert write_json({"some": Sample(from_="", old=2)}) == '{"some": {"from": "", "old": 2}}'


def test_a_document_is_read_back_as_it_was_written() -> None:
    pydantic = pytest.importorskip("pydantic")
    from parlour.web.wire import write

    for sample in (Sample(from_="here", old=1), Sample(from_="there", old=2, more="é")):
        assert json.loads(write(sample)) == fields_of(sample)
        assert pydantic.TypeAdapter(Sample).validate_json(write_json(sample)) == sample


def test_players_are_one_and_two_outside() -> None:
    assert [player_number(seat) for seat in (0, 1, None)] == [1, 2, None]
    assert [seat_of(player) for player in (1, 2, None)] == [0, 1, None]


def test_times_are_utc() -> None:
    assert utc(0) == "1970-01-01T00:00:00Z"
    assert utc(1_000_000_000.9) == "2001-09-09T01:46:40Z"


def test_every_event_has_a_name_of_its_own() -> None:
    names = [name for kind in get_args(events.TableEvent) for name in event_names(kind)]
    assert len(names) == len(set(names)) == 13
    assert all(is_dataclass(kind) and fields(kind)[0].name == "event" for kind in get_args(events.TableEvent))


def event_names(kind: Any) -> list[str]:
    told = schema()["$defs"][kind.__name__]["properties"]["event"]
    return [told["const"]] if "const" in told else list(told["enum"])


# What is written.

BY_EVENT = {name: kind.__name__ for kind in get_args(events.TableEvent) for name in event_names(kind)}
TYPED = "help\nboard\nhint\nhint\nwhy {move}\nsave\nx\nundo\n{move}\nundo\n{move}\nboard\n"


@quickly("key", catalog.keys(), "double-up", "sequence-spot")
def test_every_event_of_a_game(run: Runner, whole_game: Callable[..., list[str]], key: str) -> None:
    moves = whole_game(key)
    seen = set()
    typed = TYPED.format(move=moves[0]) + "\n".join(moves[1:3]) + "\n"
    for arguments, given in (
        (("play", key, "--json", "--seed", "1"), typed),
        (("resume", "--json"), "next\nresign\n"),
        (("play", key, "--json", "--seed", "9", "--p1", "random", "--p2", "random"), ""),
    ):
        told = run(*arguments, stdin=given)
        for line in told.out.splitlines():
            event = json.loads(line)
            check(event, BY_EVENT[event["event"]])
            seen.add(event["event"])
    rules = Rules(catalog.find_game(key), catalog.find_game(key).defaults)
    unknown = set() if packs(rules) else {"hint", "why"}  # of a game too large for exact answers
    assert seen >= set(BY_EVENT) - {"pass", "round"} - unknown  # which not every game has


def test_events_that_few_games_have(run: Runner) -> None:
    two = ("--p1", "random", "--p2", "random", "--json")
    for event, told in {
        "pass": run("play", "sequence-builder", *two, "--seed", "9"),
        "round": run("play", "sequence-spot", "--grid", "3,6,4,8,5,1,7,2,9", *two, "--seed", "1"),
    }.items():
        found = [json.loads(line) for line in told.out.splitlines()]
        assert event in {one["event"] for one in found}
        for one in found:
            check(one, BY_EVENT[one["event"]])


@pytest.mark.slow
def test_every_other_command(run: Runner, tmp_path: Path) -> None:
    listed = json.loads(run("list", "--json").out)
    assert [game["key"] for game in listed] == list(catalog.keys())
    for game in listed:
        check(game, "GameDocument")
    run("play", "double-up", stdin="2\n4\n7\n8\nresign\n")
    run("play", "double-up", stdin="2\n")
    (tmp_path / "state" / "parlour" / "games" / "2.parlour").write_text("nonsense")
    damaged, sound = json.loads(run("games", "--json").out)
    check(damaged, "DamagedGame")
    check(sound, "SavedGame")
    for key in catalog.keys():
        check(json.loads(run("rules", key, "--json").out), "RulesDocument")
    (replayed,) = json.loads(run("replay", "1", "--json").out)
    check(replayed, "Replay")
    assert [table["moves"] for table in replayed["tables"]] == [
        [],
        ["2"],
        ["2", "4"],
        ["2", "4", "7"],
        ["2", "4", "7", "8"],
    ]
    explained = json.loads(run("explain", "double-up", "--limit", "10", "--json").out)
    check(explained, "Explanation")
    assert [part["title"] for part in explained["parts"]][1] == "Who wins"
    check(json.loads(run("check", "--json").out), "Examined")
    for more in ((), ("--outcome",), ("--moves", "2 4"), ("--moves", "2 4 5 10"), ("--position", "4")):
        check(json.loads(run("solve", "double-up", "--limit", "10", "--json", *more).out), "Solution")
    check(json.loads(run("solve", "sequence-spot", "--grid", "5,3,8,1,6,7,4,9,2", "--json").out), "Solution")
    check(json.loads(run("tabulate", "double-up", "--limit", "10", "--json").out), "Tabulation")
    check(json.loads(run("report", "1", "--json").out), "ReportDocument")
    check(json.loads(run("daily", "5", "--json").out), "PuzzleDocument")
    for line in run("puzzles", "export", "--game", "double-up", "--grade", "1").out.splitlines():
        check(json.loads(line), "PuzzleLine")
    players = ("--players", "random,level:5,perfect", "--games", "2", "--jobs", "1")
    check(json.loads(run("tournament", "double-up", "sequence-spot", *players, "--json").out), "TournamentDocument")
    swept = tmp_path / "swept.json"
    run("sweep", "double-up", "--limit", "5-6", "--jobs", "1", "--json", str(swept))
    check(json.loads(swept.read_text("utf-8")), "SweepDocument")


def test_the_page_says_which_command_writes_what() -> None:
    page = (DOCS / "json.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([A-Z]\w+)`", section(DOCS / "json.md", "Other documents")))
    assert named == set(re.findall(r'"([A-Z]\w+)"', getsource(test_every_other_command)))
    assert f"This is version {documents.VERSION} of Parlour's JSON" in page
    assert f"This is version {documents.VERSION} of the interface" in (DOCS / "api.md").read_text(encoding="utf-8")
