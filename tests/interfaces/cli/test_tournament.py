"""``parlour tournament`` at the command line."""

from __future__ import annotations

import csv
import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from parlour import catalog
from parlour.cli.tournament import choose_games, read_players
from parlour.errors import BadOptions, UnknownGame, UnknownPlayer

CALL = ("tournament", "double", "builder", "--players", "random,perfect", "--games", "3", "--seed", "4", "--jobs", "1")


def test_the_table_is_told(run: Callable[..., Any]) -> None:
    told = run(*CALL)
    assert (told.code, told.err) == (0, "")
    lines = told.out.splitlines()
    assert lines[0] == "Double Up (limit 100)"
    assert [line.split()[:2] for line in lines[2:4]] == [["1", "perfect"], ["2", "random"]]
    assert lines[4].startswith("4 games, ")  # 3 is no even number
    assert "All games" in lines
    assert lines[-1].endswith("Seed: 4")
    assert all(len(line) <= 80 for line in lines[:-1])
    assert told == run(*CALL)


def test_for_programs(run: Callable[..., Any], tmp_path: Path) -> None:
    told = run(*CALL, "--json", "--csv", str(tmp_path / "games.csv"))
    document = json.loads(told.out)
    assert document["players"] == ["random", "perfect"]
    assert (document["seed"], document["openings"]) == ("4", 2)
    assert [part["game"] for part in document["games"]] == ["double-up", "sequence-builder"]
    assert document["games"][0]["options"] == {"limit": "100"}
    assert document["complete"] is True
    assert len(document["results"]) == 8
    for part in (*document["games"], document):
        assert {rating["player"] for rating in part["ratings"]} == {"random", "perfect"}
        assert part["cross_table"][0][1] + part["cross_table"][1][0] == sum(r["points"] for r in part["ratings"])
        assert 1 <= part["distinct"] <= 8
    with open(tmp_path / "games.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [
        dict(row, opening=int(row["opening"]), points=float(row["points"]), plies=int(row["plies"])) for row in rows
    ] == (document["results"])


def test_the_time_is_up(run: Callable[..., Any], tmp_path: Path) -> None:
    table = tmp_path / "games.csv"
    told = run(*CALL, "--seconds", "0", "--csv", str(table))
    assert told.code == 1
    assert told.err == "parlour: the time is up: 0 of 8 games were played within 0 seconds\n"
    assert "0 games, 0 of them different" in told.out
    assert [line.split()[-2:] for line in told.out.splitlines() if line.startswith("  1 ")] == [["-", "-"]] * 3
    assert len(table.read_text().splitlines()) == 1
    told = run(*CALL, "--seconds", "0", "--json")
    assert told.code == 1
    document = json.loads(told.out)
    assert (document["complete"], document["results"]) == (False, [])
    assert [(rating["low"], rating["high"], rating["games"]) for rating in document["ratings"]] == [(None, None, 0)] * 2


def test_what_was_played_by_then_is_told(run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = itertools.count()
    monkeypatch.setattr("parlour.limit.monotonic", lambda: next(ticks) / 100)  # 10 ms whenever a limit looks
    many = ("--players", "random,level:1", "--games", "2000", "--jobs", "1", "--seconds", "4", "--json")
    told = run("tournament", "double", *many)
    assert told.code == 1
    document = json.loads(told.out)
    assert 0 < len(document["results"]) < 2000
    assert told.err == (
        f"parlour: the time is up: {len(document['results']):,} of 2,000 games were played within 4 seconds\n"
    )
    assert sum(rating["games"] for rating in document["ratings"]) == 2 * len(document["results"])


def test_without_a_seed_no_two_are_the_same(run: Callable[..., Any]) -> None:
    call = ("tournament", "builder", "--players", "random,level:1", "--games", "6", "--jobs", "1", "--json")
    one, other = (json.loads(run(*call).out) for _ in range(2))
    assert one["seed"] != other["seed"]
    assert one["results"] != other["results"]


@pytest.mark.parametrize(
    ("words", "offending", "allowed"),
    [
        (["--players", "random"], "random", "two players"),
        (["--players", ""], "''", "known players"),
        (["--players", "random,,perfect"], "''", "known players"),
        (["--players", "random,human"], "person", "cannot take part"),
        (["--players", "random,level:1,random"], "random", "twice"),
        (["--players", "random,robot"], "robot", "known players"),
        (["--games", "0"], "0", "1<=x"),
        (["--games", "many"], "many", "integer"),
        (["--jobs", "0"], "0", "1<=x"),
        (["--openings", "-1"], "-1", "0<=x"),
        (["--seconds", "-1"], "-1", "x>=0"),
        (["--seconds", "soon"], "soon", "float range"),
        (["chess"], "chess", "known games"),
        (["sequence"], "sequence", "sequence-builder, sequence-spot"),
        (["--option", "limit"], "limit", "NAME=VALUE"),
        (["--option", "colour=red"], "colour", "known options: "),
        (["double", "--option", "length=3"], "length", "known options: limit"),
        (["--option", "limit=1"], "1", "a number from 2 to"),
        (["--option", "limit=none"], "never finish", "set a limit"),
        (["--csv", "no/such/folder/x.csv"], "no/such/folder", ""),
    ],
)
def test_what_is_refused_is_refused_at_once_in_one_line(
    run: Callable[..., Any], words: list[str], offending: str, allowed: str
) -> None:
    told = run("tournament", *words)
    assert (told.code, told.out) == (2, "")
    assert told.err.count("\n") == 1
    assert told.err.startswith("parlour: ")
    assert offending in told.err
    assert allowed in told.err


def test_players_with_commas_in_their_command() -> None:
    assert read_players(["random, perfect", "engine:true a,b"]) == ["random", "perfect", "engine:true a,b"]
    with pytest.raises(UnknownPlayer):
        read_players(["random,engine:true a,b"])


def test_an_option_goes_to_every_game_that_has_it() -> None:
    chosen = {rules.game.key: rules.option_texts for rules in choose_games([], ["length=3", "max-rounds=5"])}
    assert set(chosen) == set(catalog.keys())
    assert chosen["increasing-differences"]["length"] == chosen["sequence-builder"]["length"] == "3"
    assert chosen["sequence-spot"]["max_rounds"] == "5"
    assert chosen["double-up"] == {"limit": "100"}
    assert [rules.game.key for rules in choose_games(["spot", "sequence-spot"], [])] == ["sequence-spot"]
    for games, texts, error in ([], ["x=1"], BadOptions), (["x"], [], UnknownGame):
        with pytest.raises(error):
            choose_games(games, texts)
