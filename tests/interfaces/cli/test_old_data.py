"""The records and saved games of Parlour 0.1.0 stay readable: every command that people have for them still works.

What is expected was worked out from what had been typed (tests/fixtures/0.1.0/make.py) and the rules of the games.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.support.command import Run
from tests.support.old_data import MIKHAHAM, RECORDS, STATE, WOMAN_TECHNOLOGIST

Runner = Callable[..., Run]
HUMANS = ("human", "human")
DEAD = "grid=3,6,4,8,5,1,7,2,9"  # nobody can win on it
ALL_CELLS = "1,1 1,2 1,3 2,1 2,2 2,3 3,1 3,2 3,3"


class Told(NamedTuple):
    """What a record tells."""

    game: str
    rounds: tuple[str, ...]  # the moves of each, without those that were taken back
    result: str
    turn: int | None = None  # whose it is, if it is not over
    names: tuple[str, str] = ("Player 1", "Player 2")
    players: tuple[str, str] = HUMANS
    options: str = ""  # those that are not the book's

    @property
    def listed(self) -> dict[str, Any]:
        """As ``parlour games --json`` has it."""
        return {
            "game": self.game,
            "names": list(self.names),
            "players": list(self.players),
            "rounds": len(self.rounds),
            "moves": sum(len(moves.split()) for moves in self.rounds),
            "result": self.result,
            "turn": self.turn,
            "options": dict(option.split("=") for option in self.options.split()),
            "aside": "human" not in self.players,  # 0.1.0 did not note what was played through a pipe
        }


DOUBLE, DIFFERENCES, PYRAMID = "double-up", "increasing-differences", "pyramid-challenge"
BUILDER, SPOT = "sequence-builder", "sequence-spot"
BROKEN = "engine:sh -c \"printf 'no \\\\licence\\n'; exit 1\""
PERFECT = "engine:parlour engine --player perfect"
TOLD = {
    "double-up-won": Told(DOUBLE, ("2 4 8 16 32 64 100",), "1-0"),
    "double-up-beyond-64-bits": Told(
        DOUBLE, (" ".join(str(2**power) for power in range(1, 68)),), "1-0", names=("Zoë", "李雷"), options="limit=none"
    ),
    "double-up-taken-back": Told(DOUBLE, ("2 3 6 10",), "0-1", options="limit=10"),
    "double-up-second-begins": Told(DOUBLE, ("2",), "0-1", options="limit=2"),
    "double-up-tossed": Told(DOUBLE, ("2 3",), "*", 1),
    "double-up-engine-wins": Told(
        DOUBLE, ("2 4 5 9 10 20",), "0-1", names=("Player 1", "Engine"), players=("human", PERFECT), options="limit=20"
    ),
    "double-up-engine-forfeits": Told(DOUBLE, ("2",), "1-0", names=("Player 1", "Broken"), players=("human", BROKEN)),
    "double-up-computers": Told(
        DOUBLE, ("2 4 8 9 18 19 38 39 44 80",), "0-1", players=("level:5", "perfect"), options="limit=80"
    ),
    "double-up-names-of-the-other-seat": Told(
        DOUBLE, ("2 3 4",), "1-0", names=("Player 2", "Player 1"), options="limit=4"
    ),
    "double-up-name-that-looks-empty": Told(DOUBLE, ("2",), "*", 2, names=("\u2800", "\u3164")),
    "double-up-just-begun": Told(DOUBLE, ("",), "*", 1, options="limit=1000000"),
    "increasing-differences-book": Told(DIFFERENCES, ("5 7 8 9 12 13 2",), "1-0", options="range=15"),
    "increasing-differences-stuck": Told(DIFFERENCES, ("2 1 3",), "1-0", options="length=3 range=3"),
    "increasing-differences-level": Told(
        DIFFERENCES, ("7",), "*", 2, players=("level:3", "human"), options="length=6 range=14"
    ),
    "increasing-differences-mcts": Told(
        DIFFERENCES, ("4 5 3 2 8",), "1-0", players=("mcts:50", "random"), options="length=3 range=9"
    ),
    "increasing-differences-largest": Told(
        DIFFERENCES, ("60 1 59 2",), "*", 1, names=("Ж" * 30, "Player 2"), options="length=30 range=60"
    ),
    "pyramid-challenge-won": Told(PYRAMID, ("1 4 2 5 3 6 3 9 5 1 8",), "1-0", names=("Alice", "Bob")),
    "pyramid-challenge-drawn": Told(PYRAMID, ("9 9 9 9 9 9",), "1/2-1/2"),
    "pyramid-challenge-passes-taken-back": Told(PYRAMID, ("9 1 9 2 9 3 pass 3 pass 5 pass 8",), "0-1"),
    "pyramid-challenge-copies": Told(PYRAMID, ("1 4 2 5 3",), "1-0", options="base=2 highest=5 copies=1"),
    "sequence-builder-book": Told(BUILDER, ("5 6 7 9 10 12 13",), "1-0"),
    "sequence-builder-passes": Told(BUILDER, ("5 1 pass 2 pass 3",), "0-1", options="length=3 pool=5"),
    "sequence-builder-increments": Told(
        BUILDER, ("1 2 3 4 5 6 7",), "1-0", names=('Al "The Shark" O\\Neil', "ك"), options="pool=12 increments=2,5"
    ),
    "sequence-builder-drawn": Told(BUILDER, ("2 3",), "1/2-1/2", options="length=3 pool=3 increments=1"),
    "sequence-builder-longer-wins": Told(BUILDER, ("2 1 3 pass 4",), "1-0", options="pool=4 increments=1"),
    "sequence-builder-resigned": Told(BUILDER, ("10 11",), "0-1", players=("human", "random")),
    "sequence-spot-won": Told(SPOT, ("2,1 1,2 2,2 3,1 2,3",), "1-0", options="grid=2,7,6,9,5,1,4,3,8"),
    "sequence-spot-second-round": Told(SPOT, ("", "3,1 1,1 3,2 1,2 3,3"), "0-1", options=DEAD),
    "sequence-spot-last-round": Told(SPOT, (ALL_CELLS, ""), "*", 2, options=f"{DEAD} max_rounds=2"),
    "sequence-spot-undecided": Told(SPOT, (ALL_CELLS,), "undecided", options=f"{DEAD} max_rounds=1"),
    "sequence-spot-dealt": Told(SPOT, ("2,2",), "*", 2, options="deal=winnable max_rounds=3"),
    "sequence-spot-three-rounds": Told(
        SPOT,
        (
            "3,3 3,2 1,1 2,2 1,3 2,3 2,1 3,1 1,2",
            "1,1 2,3 1,2 2,2 3,1 3,3 3,2 2,1 1,3",
            "3,2 2,2 3,1 1,2 2,3 2,1 1,1 1,3 3,3",
        ),
        "1-0",
        players=("random", "random"),
    ),
    "sequence-spot-computers": Told(
        SPOT, ("1,3 3,1 2,2 3,2 2,1 1,2 1,1 3,3",), "0-1", players=("random", "random"), options="deal=winnable"
    ),
    "web-finished": Told(DOUBLE, ("2 3 4",), "1-0", names=("Ann", "Bob"), options="limit=4"),
    "web-unfinished": Told(DOUBLE, ("2",), "*", 2, names=("Ann", "Bob")),
    "joiners-won": Told(BUILDER, ("5 6 7 9 10 12 13",), "1-0", names=(WOMAN_TECHNOLOGIST, MIKHAHAM)),
    "joiners-unfinished": Told(BUILDER, ("5 6 7 9 10 12",), "*", 1, names=(WOMAN_TECHNOLOGIST, MIKHAHAM)),
}


def lines(words: str) -> str:
    """Each word as a line that is typed."""
    return "".join(f"{word}\n" for word in words.split())


def listed(run: Runner) -> dict[int, dict[str, Any]]:
    """The games that ``parlour games`` lists, without their dates."""
    told = run("games", "--json")
    assert (told.code, told.err) == (0, "")
    games: dict[int, dict[str, Any]] = {game.pop("id"): game for game in json.loads(told.out)}
    assert all(re.match(r"2026-11-1[56]T", game.pop("date")) for game in games.values() if "date" in game)
    return games


# Records


def keep(state: Path, *names: str) -> None:
    """Have records among one's own games, the first as number 1."""
    state.mkdir(parents=True)
    for number, name in enumerate(names, 1):
        shutil.copy(RECORDS / f"{name}.parlour", state / f"{number}.parlour")


def test_every_record_is_expected() -> None:
    assert {path.stem for path in RECORDS.iterdir()} == TOLD.keys()


def test_every_record_tells_the_same_game(run: Runner, state: Path) -> None:
    keep(state, *TOLD)
    assert listed(run) == {number: told.listed for number, told in enumerate(TOLD.values(), 1)}


@pytest.mark.parametrize(
    "name",
    [
        "double-up-beyond-64-bits",  # names that are not ASCII, a resignation
        "double-up-engine-forfeits",  # quotation marks and backslashes in a chooser
        "double-up-name-that-looks-empty",
        "double-up-tossed",  # quotation marks and a backslash in the seed
        "pyramid-challenge-passes-taken-back",
        "sequence-builder-increments",  # a list as an option, quotation marks and a backslash in a name
        "sequence-spot-last-round",  # taken back in a second round
        "sequence-spot-three-rounds",  # the tags Deal and Rounds, deals below them
        "joiners-won",
    ],
)
def test_a_record_is_exported_as_it_was(run: Runner, state: Path, name: str) -> None:
    keep(state, name)
    assert run("export", "1") == Run((RECORDS / f"{name}.parlour").read_text(), "", 0)


@pytest.mark.parametrize(
    ("name", "steps"),
    [
        ("double-up-taken-back", "1: 2 / 2: 3 / back / 2: 4 / 1: 8 / back / back / 2: 3 / 1: 6 / 2: 10"),
        ("double-up-engine-forfeits", "Player 1: 2 / Broken forfeits"),
        ("sequence-builder-resigned", "Player 1: 10 / Player 2: 11 / Player 1 resigns"),
        ("sequence-builder-longer-wins", "Player 1: 2 / Player 2: 1 / Player 1: 3 / Player 2 passes / Player 1: 4"),
        (
            "sequence-spot-second-round",
            "Round 2 / Player 2: 3,1 / Player 1: 1,1 / Player 2: 3,2 / Player 1: 1,2 / Player 2: 3,3",
        ),
    ],
)
def test_a_record_is_replayed_step_by_step(run: Runner, name: str, steps: str) -> None:
    told = run("replay", str(RECORDS / f"{name}.parlour"))
    assert (told.code, told.err) == (0, "")
    found = re.findall(r"^[0-9]+\. (.*)$", told.out, re.MULTILINE)
    assert len(found) == len(steps.split(" / ")), found
    assert all(step in line for step, line in zip(steps.split(" / "), found, strict=True)), found


@pytest.mark.parametrize(
    "name",
    [
        "double-up-engine-wins",
        "increasing-differences-stuck",
        "pyramid-challenge-copies",
        "sequence-builder-passes",
        "sequence-spot-three-rounds",
        "joiners-won",
    ],
)
def test_a_record_is_reported_on(run: Runner, name: str) -> None:
    expected = TOLD[name]
    told = run("report", str(RECORDS / f"{name}.parlour"), "--json")
    assert (told.code, told.err) == (0, "")
    report = json.loads(told.out)
    assert (report["game"], report["result"]) == (expected.game, expected.result)
    assert (tuple(report["names"]), tuple(report["players"])) == (expected.names, expected.players)
    played = [[decision["move"] for decision in round["decisions"]] for round in report["rounds"]]
    assert played == [moves.split() for moves in expected.rounds]


@pytest.mark.parametrize(
    ("name", "typed", "result", "end"),
    [
        ("web-unfinished", "4 8 16 32 64 100", "1-0", ["2. 4", "3. 8", "4. 16", "5. 32", "6. 64", "7. 100"]),
        ("joiners-unfinished", "13", "1-0", ["7. 13"]),
    ],
    ids=["web", "joiners"],
)
def test_a_record_is_imported_and_gone_on_with(
    run: Runner, state: Path, name: str, typed: str, result: str, end: list[str]
) -> None:
    told = run("import", str(RECORDS / f"{name}.parlour"))
    assert told.code == 0, told.err
    played = run("resume", "1", stdin=lines(typed))
    assert played.code == 0, played.err
    assert listed(run)[1]["result"] == result
    assert (state / "1.parlour").read_text().splitlines()[-len(end) :] == end


def test_a_finished_record_is_imported(run: Runner) -> None:
    told = run("import", str(RECORDS / "double-up-engine-wins.parlour"))
    assert told.code == 0, told.err
    expected = TOLD["double-up-engine-wins"].listed
    assert {**listed(run)[1], "players": None} == {**expected, "players": None}


# Games kept by the terminal


@pytest.fixture
def kept(state: Path) -> Path:
    """A copy of the games that 0.1.0 kept."""
    shutil.copytree(STATE / "parlour", state.parent)
    return state


KEPT = {
    1: Told(DOUBLE, ("2 4",), "0-1", names=("Ann", "Player 2"), options="limit=4"),
    2: Told(DIFFERENCES, ("10 19",), "*", 1, players=("human", "level:2")),
    3: Told(BUILDER, ("5 10 7",), "*", 2),  # the next line was cut short
    # 5 was killed before the result was written.
    5: Told(DOUBLE, ("2 3 4",), "1-0", names=("Eve", "Player 2"), options="limit=4"),
    7: Told(SPOT, (ALL_CELLS,), "*", options=DEAD),  # the deal of the next round was cut short
    8: Told(DOUBLE, ("2 3",), "*", 1, players=("human", "engine:parlour engine --player random")),
    9: Told(PYRAMID, ("6 1 6 2 6 3 pass",), "*", 1, options="highest=6"),
    11: Told(BUILDER, ("5 9 7",), "*", 2, names=("Ann", "Ben")),
    4: Told(DOUBLE, ("",), "*", 1, names=(WOMAN_TECHNOLOGIST, "Player 2"), options="limit=4"),
    10: Told(SPOT, ("",), "*", 1, names=("Player 1", MIKHAHAM), options=DEAD),
}


def test_the_kept_games_are_listed(run: Runner, kept: Path) -> None:
    games = listed(run)
    assert games[7]["turn"] in (1, 2, None)  # between two rounds it is nobody's
    games[7]["turn"] = None
    assert games == {number: told.listed for number, told in KEPT.items()}
    shown = run("games")  # the same to people, who find all of them without --all
    assert (shown.code, shown.err) == (0, "")
    assert {int(number) for number in re.findall(r"^ *([0-9]+)\b", shown.out, re.MULTILINE)} == KEPT.keys()
    assert "--all" not in shown.out


@pytest.mark.parametrize(
    ("number", "typed", "result", "end"),
    [
        pytest.param(2, "12 resign", "0-1", r"2\. 19\n3\. 12\n4\. [0-9]+\nresign 1\n", id="against a level"),
        pytest.param(3, "12 8 13 9", "1-0", r"3\. 7\n4\. 12\n5\. 8\n6\. 13\n7\. 9\n", id="a move cut short"),
        pytest.param(7, "resign", "1-0", r"9\. 3,3\ndeal grid=([1-9],){8}[1-9]\nresign 2\n", id="a deal cut short"),
        pytest.param(9, "3 5 2", "1-0", r"7\. pass\n8\. 3\n9\. pass\n10\. 5\n11\. pass\n12\. 2\n", id="passes"),
        pytest.param(
            None, "12 8 13 10", "1-0", r"3\. 8\nundo\n3\. 7\n4\. 12\n5\. 8\n6\. 13\n7\. 10\n", id="the newest"
        ),
        pytest.param(4, "2 3 4", "1-0", r"\n\n1\. 2\n2\. 3\n3\. 4\n", id="a joiner"),
        pytest.param(10, "2,2 resign", "1-0", r"\n\n1\. 2,2\nresign 2\n", id="a non-joiner"),
    ],
)
def test_a_kept_game_is_gone_on_with(
    run: Runner, kept: Path, number: int | None, typed: str, result: str, end: str
) -> None:
    file = kept / f"{number or 11}.parlour"
    tags = re.findall(r"^\[(?!Result).*\]$", file.read_text(), re.MULTILINE)
    arguments = [] if number is None else [str(number)]
    told = run("resume", *arguments, stdin=lines(typed))
    assert told.code == 0, told.err
    text = file.read_text()
    assert re.search(end + r"\Z", text), text
    assert text.splitlines()[: len(tags) + 1] == [*tags, f'[Result "{result}"]']


def test_a_game_whose_end_was_not_announced_is_over(run: Runner, kept: Path) -> None:
    """The process was killed between the last move and the result, and has left a file of its own."""
    assert run("export", "5").out == (kept / "5.parlour.new").read_text()
    assert run("resume", "5").code == 1


def test_a_new_game_gets_a_new_number(run: Runner, kept: Path) -> None:
    before = {path.name: path.read_bytes() for path in kept.iterdir()}
    assert run("play", "double-up", "--limit", "2", stdin="2\n").code == 0
    after = {path.name: path.read_bytes() for path in kept.iterdir()}
    assert after.keys() - before.keys() == {"12.parlour", "12.piped"}  # the mark of what came through a pipe
    del before["5.parlour.new"]  # the leftover of a killed process, which is cleared
    assert {name: after.get(name) for name in before} == before
