"""The tournament: everybody meets everybody in both seats, everything adds up, and strength comes out as it should."""

from __future__ import annotations

import csv
import json
import math
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import Any

import pytest

from parlour import catalog, tournament
from parlour.cli.tournament import choose_games, read_players
from parlour.errors import BadOptions, ParlourError, TooBig, UnknownGame, UnknownPlayer
from parlour.limit import Limit
from parlour.match import Match, Setup
from parlour.rules import read_rules
from parlour.tournament import Pair, Played, Tally, most_likely, pairs_of, ratings
from parlour.workers import processes
from tests.support.marks import thinned

WORDS = ["random", "level:3", "perfect"]


def play_all(
    pairs: list[Pair], jobs: int, played: Callable[[], None] = lambda: None, limit: Limit | None = None
) -> list[Played]:
    with processes(jobs) as workers:
        return tournament.play_all(pairs, workers, played, limit)


@cache
def results() -> list[Played]:
    games = [(key, catalog.find_game(key).defaults) for key in ("double-up", "sequence-builder", "sequence-spot")]
    return play_all(pairs_of(games, WORDS, 4, 2, "7"), 1)


# Playing.


@pytest.mark.slow
def test_everybody_meets_everybody_in_both_seats() -> None:
    seats = Counter((result.game, result.first, result.second) for result in results())
    assert len(seats) == 3 * 6
    assert set(seats.values()) == {4}


@pytest.mark.slow
def test_an_opening_is_played_by_all_and_from_both_sides() -> None:
    """The first two moves, and the deal if there is one, are the same in all games of an opening."""
    begun: dict[tuple[str, int], set[str]] = {}
    for result in results():
        moves = result.moves.split()
        length = 3 if result.game == "sequence-spot" else 2
        begun.setdefault((result.game, result.opening), set()).add(" ".join(moves[:length]))
    assert all(len(same) == 1 for same in begun.values())
    assert len({(game, *same) for (game, _), same in begun.items()}) > 8


def test_results_are_what_happened() -> None:
    """Each game is played again from its moves, through the referee."""
    for result in results():
        game = catalog.find_game(result.game)
        winner: int | None = None
        plies = 0
        for number, round in enumerate(result.moves.split(" / ")):
            words = round.split(" ")
            texts = dict(word.split("=") for word in words if "=" in word)
            match = Match(Setup(game, read_rules(game, texts).options, first=number % 2, cap=1))
            for word in words:
                if word and "=" not in word:
                    match.play(match.read(word))
                    plies += 1
            winner = match.round_winner
        assert plies == result.plies
        assert result.points == (0.5 if winner is None else 1 - winner)
        assert result.how == ("won" if winner is not None else "undecided" if "grid=" in result.moves else "drawn")


def test_rounds_go_on_up_to_the_cap() -> None:
    spot = catalog.find_game("sequence-spot")
    barren = read_rules(spot, {"grid": "1,2,4,3,8,9,6,5,7"}).options
    pairs = pairs_of([("sequence-spot", barren)], ["perfect", "mcts:1"], 3, 0, "1")
    rounds = [game.moves.count("/") + 1 for game in play_all(pairs, 1)]
    assert all(2 <= number <= tournament.MOST_ROUNDS for number in rounds)
    one = read_rules(spot, {"grid": "1,2,4,3,8,9,6,5,7", "max_rounds": "1"}).options
    for played in play_all(pairs_of([("sequence-spot", one)], ["random", "level:1"], 2, 0, "1"), 1):
        assert (played.how, played.points, played.plies) == ("undecided", 0.5, 9)


@pytest.mark.parametrize("key", catalog.keys())
def test_every_game_can_be_played_and_any_opening_leaves_a_game(key: str) -> None:
    for plies in (0, 3, 1000):
        pairs = pairs_of([(key, catalog.find_game(key).defaults)], ["random", "mcts:3"], 2, plies, "1")
        for played in play_all(pairs, 1):
            assert played.moves


def test_the_seed_decides_everything_and_the_number_of_processes_nothing() -> None:
    games = [(key, catalog.find_game(key).defaults) for key in ("double-up", "sequence-builder")]
    words = ["random", "level:2", "mcts:20"]
    alone = play_all(pairs_of(games, words, 4, 2, "5"), 1)
    assert alone == play_all(pairs_of(games, words, 4, 2, "5"), 2)
    assert alone != play_all(pairs_of(games, words, 4, 2, "6"), 1)
    assert len({result.moves for result in alone}) > len(alone) / 2


def test_progress_is_told_pair_by_pair() -> None:
    pairs = pairs_of([("double-up", catalog.find_game("double-up").defaults)], ["random", "level:1"], 5, 0, "1")
    told: list[int] = []
    play_all(pairs, 1, lambda: told.append(1))
    assert len(told) == len(pairs) == 5


STRANGERS = {
    "dies": "engine:false",
    "is not there": "engine:no-such-program-anywhere",
    "talks rubbish": f"engine:{sys.executable} -c \"print('hello')\"",
}


@pytest.mark.parametrize("word", STRANGERS.values(), ids=STRANGERS)
def test_an_engine_that_fails_has_lost_and_the_tournament_goes_on(word: str) -> None:
    pairs = pairs_of([("double-up", catalog.find_game("double-up").defaults)], [word, "random"], 2, 0, "1")
    played = play_all(pairs, 1)
    assert [game.points for game in played] == [0, 1, 0, 1]
    assert {game.how for game in played} == {"forfeited"}
    assert all(game.reason for game in played)


def test_an_engine_can_take_part() -> None:
    word = f"engine:{sys.executable} -m parlour engine --player perfect"
    pairs = pairs_of([("double-up", catalog.find_game("double-up").defaults)], [word, "random"], 1, 0, "1")
    assert [game.points for game in play_all(pairs, 1)] == [1, 0]


def big(highest: int) -> list[Pair]:
    """A game in which nothing can be proved in a hurry; above 33 its positions do not even fit a table."""
    rules = read_rules(catalog.find_game("increasing-differences"), {"length": "9", "range": str(highest)})
    return pairs_of([(rules.game.key, rules.options)], ["perfect", "random"], 1, 0, "1")


def test_who_needs_a_proof_and_has_none_stops_the_tournament() -> None:
    with pytest.raises(TooBig, match="no proof of a best move"):
        play_all(big(60), 1, limit=Limit(nodes=40_000))


# In a limited time.


@pytest.mark.parametrize("jobs", [1, 2])
def test_when_the_time_is_up_nothing_more_is_played(jobs: int) -> None:
    assert play_all(big(33), jobs, limit=Limit(seconds=0)) == []


def test_a_game_that_is_not_over_in_time_does_not_count() -> None:
    assert play_all(big(33), 1, limit=Limit(seconds=0.3)) == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_was_played_in_time_is_what_would_have_been_played_without_end(jobs: int) -> None:
    games = [(key, catalog.find_game(key).defaults) for key in ("double-up", "sequence-builder")]
    pairs = pairs_of(games, ["random", "level:2", "mcts:20"], 2, 2, "5")
    assert play_all(pairs, jobs, limit=Limit(seconds=600)) == play_all(pairs, 1)


def test_time_is_shared_among_all_who_meet() -> None:
    """After as many pairs as there are pairings in each game, everybody has met everybody once."""
    games = [(key, catalog.find_game(key).defaults) for key in ("double-up", "sequence-builder")]
    pairs = pairs_of(games, ["random", "level:2", "mcts:20"], 50, 2, "5")
    limit, played = Limit(seconds=600), Counter[str]()

    def tell() -> None:
        played["pairs"] += 1
        if played["pairs"] == 6:
            limit._deadline = 0.0  # and so the time is up

    results = play_all(pairs, 1, tell, limit)
    assert played["pairs"] == 6
    assert {result.opening for result in results} == {0}
    assert len({(result.game, result.first, result.second) for result in results}) == len(results) == 2 * 6


# Strength.


def test_the_cross_table_adds_up() -> None:
    table = tournament.cross_table(results(), WORDS)
    for row in range(3):
        assert table[row][row] is None
        for column in range(3):
            if row != column:
                assert (table[row][column] or 0) + (table[column][row] or 0) == 3 * 4 * 2
    rated = {rating.player: rating for rating in ratings(results(), WORDS, "1")}
    for row, word in enumerate(WORDS):
        assert rated[word].points == sum(points for points in table[row] if points is not None)
        assert rated[word].games == 3 * 4 * 2 * 2
    assert sum(rating.points for rating in rated.values()) == len(results())


def test_ratings_find_the_strengths_behind_the_results() -> None:
    """Results that are exactly what strengths 1, 2 and 8 lead one to expect."""
    strengths, games = (1, 2, 8), 100_000
    tallies = [
        Tally(one, other, games * strengths[one] / (strengths[one] + strengths[other]), games)
        for one, other in ((0, 1), (0, 2), (1, 2))
    ]
    found = most_likely(tallies, [1.0] * 3)
    assert found[1] / found[0] == pytest.approx(2, rel=0.01)
    assert found[2] / found[0] == pytest.approx(8, rel=0.01)


def game(opening: int, first: str, second: str, points: float) -> Played:
    return Played("double-up", opening, first, second, points, "won", 1, f"{opening}", "")


def meetings(openings: int, won: Callable[[int], float]) -> list[Played]:
    """Two players meet twice from each opening; what the one called good gets from it."""
    return [
        played
        for opening in range(openings)
        for played in (game(opening, "good", "bad", won(opening)), game(opening, "bad", "good", 1 - won(opening)))
    ]


def test_ten_to_one_is_four_hundred_points() -> None:
    good, bad = ratings(meetings(1100, lambda opening: opening % 11 != 0), ["bad", "good"], "1")
    assert (good.player, bad.player) == ("good", "bad")
    assert good.rating == pytest.approx(200, abs=1)
    assert bad.rating == pytest.approx(-good.rating)


def test_an_interval_holds_the_rating_and_shrinks_with_more_games() -> None:
    widths = []
    for openings in (20, 80, 320):
        good = ratings(meetings(openings, lambda opening: opening % 4 != 0), ["good", "bad"], "1")[0]
        assert good.low is not None
        assert good.high is not None
        assert good.low <= good.rating <= good.high
        widths.append(good.high - good.low)
    assert widths[0] > 1.5 * widths[1] > 2 * widths[2]


def test_an_interval_is_about_right(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of results by chance with known strengths, most intervals hold the true difference (95 % on paper)."""
    monkeypatch.setattr(tournament, "RESAMPLES", 120)
    random, held = Random(3), 0
    for _ in range(40):
        good = ratings(meetings(40, lambda _: float(random.random() < 0.75)), ["good", "bad"], "1")[0]
        true = 200 * math.log10(3)  # above the average of the two
        assert good.low is not None
        held += good.low <= true and (good.high is None or true <= good.high)
    assert held > 32


def test_who_has_won_everything_may_be_any_amount_better() -> None:
    good, bad = ratings(meetings(10, lambda _: 1.0), ["good", "bad"], "1")
    assert (good.high, bad.low) == (None, None)
    assert math.isfinite(good.rating)
    assert good.low is not None


def test_equal_players_are_rated_equal() -> None:
    for rating in ratings(meetings(10, lambda _: 0.5), ["good", "bad"], "1"):
        assert rating.rating == pytest.approx(0, abs=0.01)


def test_perfect_is_above_a_level_and_a_level_above_random() -> None:
    pairs = pairs_of([("double-up", catalog.find_game("double-up").defaults)], WORDS, 20, 2, "1")
    assert [rating.player for rating in ratings(play_all(pairs, 1), WORDS, "1")] == ["perfect", "level:3", "random"]


# At the command line.


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
    assert told.err == "parlour: the time is up: 0 of 8 games could be played within 0 seconds\n"
    assert "0 games, 0 of them different" in told.out
    assert [line.split()[-2:] for line in told.out.splitlines() if line.startswith("  1 ")] == [["-", "-"]] * 3
    assert len(table.read_text().splitlines()) == 1
    told = run(*CALL, "--seconds", "0", "--json")
    assert told.code == 1
    document = json.loads(told.out)
    assert (document["complete"], document["results"]) == (False, [])
    assert [(rating["low"], rating["high"], rating["games"]) for rating in document["ratings"]] == [(None, None, 0)] * 2


@pytest.mark.slow
def test_what_was_played_by_then_is_told(run: Callable[..., Any]) -> None:
    """A pair is played at once, and all of them take a minute or more."""
    many = ("--players", "random,level:1", "--games", "200000", "--jobs", "1", "--seconds", "4", "--json")
    told = run("tournament", "double", *many)
    assert told.code == 1
    document = json.loads(told.out)
    assert 0 < len(document["results"]) < 200_000
    assert told.err == (
        f"parlour: the time is up: {len(document['results']):,} of 200,000 games could be played within 4 seconds\n"
    )
    assert sum(rating["games"] for rating in document["ratings"]) == 2 * len(document["results"])


def test_without_a_seed_no_two_are_the_same(run: Callable[..., Any]) -> None:
    call = ("tournament", "builder", "--players", "random,level:1", "--games", "6", "--jobs", "1", "--json")
    one, other = (json.loads(run(*call).out) for _ in range(2))
    assert one["seed"] != other["seed"]
    assert one["results"] != other["results"]


def test_forfeits_are_told(run: Callable[..., Any]) -> None:
    told = run(
        "tournament", "double", "--players", "random", "--players", "engine:false", "--games", "2", "--jobs", "1"
    )
    assert told.code == 0
    assert "engine:false forfeits double-up, opening 1: engine 'false' ended" in told.out


@thinned(
    ("words", "offending", "allowed"),
    [
        (["--players", "random"], "random", "two players"),
        (["--players", ""], "''", "known players"),
        (["--players", "random,,perfect"], "''", "known players"),
        (["--players", "random,human"], "person", "waits for nobody"),
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
        (["--option", "limit=none"], "for ever", "set a limit"),
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


@pytest.mark.parametrize("send", [os.kill, os.killpg], ids=["to it alone", "to all, as a terminal does"])
@pytest.mark.parametrize("seconds", [0.0, 1.0])
@pytest.mark.slow
def test_ctrl_c_ends_it_and_its_processes(send: Callable[[int, int], None], seconds: float) -> None:
    long = ("tournament", "increasing", "--players", "mcts:100000,mcts:99999", "--games", "100", "--jobs", "2")
    process = subprocess.Popen(
        [sys.executable, "-m", "parlour", *long],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    children = _children(process.pid, 3)  # two players and Python's own keeper of shared things
    sleep(seconds)
    send(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "Traceback" not in out + err
    assert err.strip() == ""
    for child in children:
        assert _gone(child)


def _children(parent: int, number: int) -> list[int]:
    """Wait until a process has so many children."""
    if not Path("/proc/self/task").exists():
        pytest.skip("processes cannot be looked at here")
    deadline = monotonic() + 20
    while monotonic() < deadline:
        found = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
        if len(found) >= number:
            return [int(child) for child in found]
        sleep(0.05)
    raise AssertionError("the tournament has no processes")


def _gone(process: int) -> bool:
    deadline = monotonic() + 10
    while monotonic() < deadline:
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True
        sleep(0.05)
    return False


@pytest.mark.slow
def test_a_process_that_dies_is_an_error_not_a_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a system does that runs out of memory."""
    pairs = pairs_of([("double-up", catalog.find_game("double-up").defaults)], ["random", "level:1"], 4, 0, "1")
    monkeypatch.setattr(tournament, "_play_in_time", _die)
    with pytest.raises(ParlourError, match="ended from outside"):
        play_all(pairs, 2)


def _die(pair: Pair, limit: Limit | None) -> None:
    os._exit(1)
