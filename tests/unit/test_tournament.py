"""The tournament: pairings, points and ratings, in this process."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable
from functools import cache
from random import Random

import pytest

from parlour import catalog, tournament
from parlour.errors import EngineFailed, TooBig
from parlour.limit import Limit
from parlour.match import Match
from parlour.rules import Rules, read_rules, rules_of
from parlour.setup import Setup
from parlour.tournament import Pair, Played, Tally, most_likely, pairs_of, ratings
from parlour.view import PLAYERS, PlayerNumber

WORDS = ["random", "level:3", "perfect"]
OPTIONS: dict[str, dict[str, str]] = {
    "double-up": {},
    "sequence-builder": {"length": "3", "pool": "8"},
    "sequence-spot": {"max_rounds": "3"},
}


def play_all(pairs: list[Pair], played: Callable[[], None] = lambda: None, limit: Limit | None = None) -> list[Played]:
    return tournament.play_all(pairs, None, played, limit)


@pytest.fixture(autouse=True)
def _few_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tournament, "RESAMPLES", 100)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that goes on by 10 ms whenever a limit looks at it."""
    ticks = itertools.count()
    monkeypatch.setattr("parlour.limit.monotonic", lambda: next(ticks) / 100)


@cache
def results() -> list[Played]:
    games = [read_rules(catalog.find_game(key), texts) for key, texts in OPTIONS.items()]
    return play_all(pairs_of(games, WORDS, 3, 2, "7"))


# Playing.


def test_everybody_meets_everybody_in_both_seats() -> None:
    seats = Counter((result.game, result.first, result.second) for result in results())
    assert len(seats) == 3 * 6
    assert set(seats.values()) == {3}


def test_an_opening_is_played_by_all_and_from_both_sides() -> None:
    """The first two moves, and the deal if there is one, are the same in all games of an opening."""
    begun: dict[tuple[str, int], set[str]] = {}
    for result in results():
        moves = result.moves.split()
        length = 3 if result.game == "sequence-spot" else 2
        begun.setdefault((result.game, result.opening), set()).add(" ".join(moves[:length]))
    assert all(len(same) == 1 for same in begun.values())
    assert len({(game, *same) for (game, _), same in begun.items()}) > 6


def test_results_are_what_happened() -> None:
    """Each game is played again from its moves, through the referee."""
    for result in results():
        game = catalog.find_game(result.game)
        winner: PlayerNumber | None = None
        plies = 0
        for number, round in enumerate(result.moves.split(" / ")):
            words = round.split(" ")
            texts = dict(word.split("=") for word in words if "=" in word)
            options = read_rules(game, OPTIONS[result.game] | texts).options
            match = Match(Setup(Rules(game, options), first=PLAYERS[number % 2], cap=1))
            for word in words:
                if word and "=" not in word:
                    match.play(match.read(word))
                    plies += 1
            winner = match.round_winner
        assert plies == result.plies
        assert result.points == (0.5 if winner is None else 2 - winner)
        assert result.how == ("won" if winner is not None else "undecided" if "grid=" in result.moves else "drawn")


def test_rounds_go_on_up_to_the_cap() -> None:
    spot = catalog.find_game("sequence-spot")
    barren = read_rules(spot, {"grid": "1,2,4,3,8,9,6,5,7"})
    pairs = pairs_of([barren], ["perfect", "mcts:1"], 3, 0, "1")
    rounds = [game.moves.count("/") + 1 for game in play_all(pairs)]
    assert all(2 <= number <= tournament.MAX_ROUNDS for number in rounds)
    one = read_rules(spot, {"grid": "1,2,4,3,8,9,6,5,7", "max_rounds": "1"})
    for played in play_all(pairs_of([one], ["random", "level:1"], 2, 0, "1")):
        assert (played.how, played.points, played.plies) == ("undecided", 0.5, 9)


@pytest.mark.parametrize("key", catalog.keys())
def test_every_game_can_be_played_and_any_opening_leaves_a_game(key: str) -> None:
    for plies in (0, 3, 1000):
        pairs = pairs_of([rules_of(key)], ["random", "mcts:3"], 2, plies, "1")
        for played in play_all(pairs):
            assert played.moves


def test_the_seed_decides_everything() -> None:
    games = [rules_of(key) for key in ("double-up", "sequence-builder")]
    words = ["random", "level:2", "mcts:20"]
    alone = play_all(pairs_of(games, words, 2, 2, "5"))
    assert alone == play_all(pairs_of(games, words, 2, 2, "5"))
    assert alone != play_all(pairs_of(games, words, 2, 2, "6"))
    assert len({result.moves for result in alone}) > len(alone) / 2


def test_progress_is_told_pair_by_pair() -> None:
    pairs = pairs_of([rules_of("double-up")], ["random", "level:1"], 5, 0, "1")
    told: list[int] = []
    play_all(pairs, lambda: told.append(1))
    assert len(told) == len(pairs) == 5


class Failing:
    """A player that fails at its first move."""

    def choose(self, match: Match, random: Random, limit: Limit | None = None) -> int:
        raise EngineFailed("it has failed")

    def close(self) -> None:
        pass


def test_an_engine_that_fails_has_lost_and_the_tournament_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    load = tournament.players.load
    monkeypatch.setattr(tournament.players, "load", lambda word: Failing() if word == "failing" else load(word))
    pairs = pairs_of([rules_of("double-up")], ["failing", "random"], 2, 0, "1")
    played = play_all(pairs)
    assert [game.points for game in played] == [0, 1, 0, 1]
    assert {(game.how, game.reason) for game in played} == {("forfeited", "it has failed")}


def big(highest: int) -> list[Pair]:
    """A game in which nothing can be proved in a hurry; above 33 its positions do not even fit a table."""
    rules = read_rules(catalog.find_game("increasing-differences"), {"length": "9", "range": str(highest)})
    return pairs_of([rules], ["perfect", "random"], 1, 0, "1")


def test_who_needs_a_proof_and_has_none_stops_the_tournament() -> None:
    with pytest.raises(TooBig, match="no proof of a best move"):
        play_all(big(60), limit=Limit(nodes=4_000))


# In a limited time.


def test_when_the_time_is_up_nothing_more_is_played() -> None:
    assert play_all(big(33), limit=Limit(seconds=0)) == []


@pytest.mark.usefixtures("clock")
def test_a_game_that_is_not_over_in_time_does_not_count() -> None:
    assert play_all(big(33), limit=Limit(seconds=0.015)) == []


def test_what_was_played_in_time_is_what_would_have_been_played_without_end() -> None:
    games = [rules_of(key) for key in ("double-up", "sequence-builder")]
    pairs = pairs_of(games, ["random", "level:2", "mcts:20"], 2, 2, "5")
    assert play_all(pairs, limit=Limit(seconds=600)) == play_all(pairs)


def test_time_is_shared_among_all_who_meet() -> None:
    """After as many pairs as there are pairings in each game, everybody has met everybody once."""
    games = [rules_of(key) for key in ("double-up", "sequence-builder")]
    pairs = pairs_of(games, ["random", "level:2", "mcts:20"], 50, 2, "5")
    limit, played = Limit(seconds=600), Counter[str]()

    def tell() -> None:
        played["pairs"] += 1
        if played["pairs"] == 6:
            limit.hurry()

    results = play_all(pairs, tell, limit)
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
                assert (table[row][column] or 0) + (table[column][row] or 0) == 3 * 3 * 2
    rated = {rating.player: rating for rating in ratings(results(), WORDS, "1")}
    for row, word in enumerate(WORDS):
        assert rated[word].points == sum(points for points in table[row] if points is not None)
        assert rated[word].games == 3 * 3 * 2 * 2
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
    return Played(
        game="double-up",
        opening=opening,
        first=first,
        second=second,
        points=points,
        how="won",
        plies=1,
        moves=f"{opening}",
        reason="",
    )


def meetings(openings: int, won: Callable[[int], float]) -> list[Played]:
    """Two players meet twice from each opening; what the one called good gets from it."""
    return [
        played
        for opening in range(openings)
        for played in (game(opening, "good", "bad", won(opening)), game(opening, "bad", "good", 1 - won(opening)))
    ]


def test_ten_to_one_is_four_hundred_points() -> None:
    good, bad = ratings(meetings(440, lambda opening: opening % 11 != 0), ["bad", "good"], "1")
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


def test_an_interval_is_about_right() -> None:
    """Of results by chance with known strengths, most intervals hold the true difference (95 % on paper)."""
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
    pairs = pairs_of([rules_of("double-up")], WORDS, 8, 2, "1")
    assert [rating.player for rating in ratings(play_all(pairs), WORDS, "1")] == ["perfect", "level:3", "random"]
