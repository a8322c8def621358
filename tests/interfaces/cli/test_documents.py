"""JSON that the commands write is described by docs/schema.json, and nothing else is written."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from inspect import getsource
from pathlib import Path
from typing import Any, get_args

import jsonschema_rs
import pytest
from pydantic import TypeAdapter

from parlour import catalog, writer
from parlour.documents import events
from parlour.fields import about, document, retired
from parlour.web.wire import write
from parlour.writer import fields_of, write_json
from tests.support import ROOT
from tests.support.command import Run
from tests.support.schema import SCHEMA, check

Runner = Callable[..., Run]
DOCS = ROOT / "docs"


def schema() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(SCHEMA.read_text(encoding="utf-8"))
    return found


def test_the_schema_is_one() -> None:
    jsonschema_rs.meta.validate(schema())
    assert schema()["title"].endswith(f"version {writer.VERSION}")


@document
class Sample:
    """An example."""

    from_: str = about("a word that Python keeps for itself", name="from")
    old: int = retired("the same as nothing")
    more: str | None = about("mostly nothing", default=None)


def test_a_document_is_read_back_as_it_was_written() -> None:
    for sample in (Sample(from_="here", old=1), Sample(from_="there", old=2, more="é")):
        assert json.loads(write(sample)) == fields_of(sample)
        assert vars(TypeAdapter(Sample).validate_json(write_json(sample))) == vars(sample)


def event_names(kind: Any) -> list[str]:
    told = schema()["$defs"][kind.__name__]["properties"]["event"]
    return [told["const"]] if "const" in told else list(told["enum"])


BY_EVENT = {name: kind.__name__ for kind in get_args(events.TableEvent) for name in event_names(kind)}
TYPED = "help\nboard\nhint\nhint\nwhy {move}\nsave\nx\nundo\n{move}\nundo\n{move}\nboard\n"


OPTIONS = {  # games that pure Python solves quickly
    "double-up": {},
    "increasing-differences": {"length": "3", "range": "8"},
    "pyramid-challenge": {"base": "2"},
    "sequence-builder": {},
    "sequence-spot": {},
}


@pytest.mark.parametrize("key", catalog.keys())
def test_every_event_of_a_game(run: Runner, whole_game: Callable[..., list[str]], key: str) -> None:
    moves = whole_game(key, **OPTIONS[key])
    play = ("play", key, *(word for name, value in OPTIONS[key].items() for word in (f"--{name}", value)), "--json")
    seen = set()
    typed = TYPED.format(move=moves[0]) + "\n".join(moves[1:3]) + "\n"
    for arguments, given in (
        ((*play, "--seed", "1"), typed),
        (("resume", "--json"), "next\nresign\n"),
        ((*play, "--seed", "9", "--p1", "random", "--p2", "random"), ""),
    ):
        told = run(*arguments, stdin=given)
        for line in told.out.splitlines():
            event = json.loads(line)
            check(event, BY_EVENT[event["event"]])
            seen.add(event["event"])
    assert seen >= set(BY_EVENT) - {"pass", "round"}  # not every game has these two


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


def test_every_other_command(run: Runner, tmp_path: Path, state: Path) -> None:
    listed = json.loads(run("list", "--json").out)
    assert [game["key"] for game in listed] == list(catalog.keys())
    for game in listed:
        check(game, "GameDocument")
    run("play", "double-up", stdin="2\n4\n7\n8\nresign\n")
    run("play", "double-up", stdin="2\n")
    (state / "2.parlour").write_text("nonsense")
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
    check(json.loads(run("check", "--json").out), "Examination")
    for more in ((), ("--outcome",), ("--moves", "2 4"), ("--moves", "2 4 5 10"), ("--position", "4")):
        check(json.loads(run("solve", "double-up", "--limit", "10", "--json", *more).out), "Solution")
    check(json.loads(run("solve", "sequence-spot", "--grid", "5,3,8,1,6,7,4,9,2", "--json").out), "Solution")
    check(json.loads(run("tabulate", "double-up", "--limit", "10", "--json").out), "Statistics")
    check(json.loads(run("report", "1", "--json").out), "Report")
    check(json.loads(run("daily", "5", "--json").out), "ShownPuzzle")
    for line in run("puzzles", "export", "--game", "double-up", "--grade", "1").out.splitlines():
        check(json.loads(line), "Puzzle")
    players = ("--players", "random,level:5,perfect", "--games", "2", "--jobs", "1")
    check(json.loads(run("tournament", "double-up", *players, "--json").out), "Tournament")
    swept = tmp_path / "swept.json"
    run("sweep", "double-up", "--limit", "5-6", "--jobs", "1", "--json", str(swept))
    check(json.loads(swept.read_text("utf-8")), "Sweep")


def test_the_page_says_which_command_writes_what() -> None:
    page = (DOCS / "json.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([A-Z]\w+)`", page.partition("\n## Other documents\n")[2].partition("\n## ")[0]))
    assert named == set(re.findall(r'"([A-Z]\w+)"', getsource(test_every_other_command)))
    assert f"This is version {writer.VERSION} of Parlour's JSON" in page
    assert f"This is version {writer.VERSION} of the interface" in (DOCS / "api.md").read_text(encoding="utf-8")
