"""The levels do what they say: err at their rate where one can err, plausibly, and resist when lost."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from math import sqrt
from pathlib import Path
from random import Random

import pytest

from parlour import catalog, players
from parlour.game import ONGOING, PASS
from parlour.match import Match, Setup
from parlour.players import knowledge
from parlour.players.level import LEVELS, Level, LevelPlayer
from parlour.rules import read_rules
from parlour.score import Score, Value
from parlour.turn import play_out
from tests.naive import Textbook, eagerness
from tests.players.small import KEYS, all_positions, begun

GAMES = [
    ("double-up", {"limit": "40"}, ""),
    ("increasing-differences", {"length": "3", "range": "8"}, "3"),
    ("pyramid-challenge", {"base": "2", "highest": "4"}, ""),
    ("sequence-builder", {"length": "3", "pool": "8"}, ""),
    ("sequence-spot", {"grid": "1,2,3,4,5,6,7,8,9"}, "1,1 1,2"),
]
every_level = pytest.mark.parametrize("level", LEVELS)
TRIALS = 2000


@cache
def positions(game: int) -> tuple[Textbook, list[Match]]:
    """Every position of a game where there is a choice."""
    key, texts, moves = GAMES[game]
    found = []
    start = begun(key, texts, moves)
    for played in all_positions(start):
        match = Match(start.setup)
        for move in played:
            match.play(move)
        if len(match.legal) > 1:
            found.append(match)
    return Textbook(start.rules), found


def test_there_are_five_and_each_is_better_than_the_one_before() -> None:
    assert [f"level:{level}" for level in LEVELS] == [
        kind.word for kind in players.list_player_kinds() if kind.name == "level"
    ]
    rates = [level.errors for level in LEVELS.values()]
    assert rates == sorted(rates, reverse=True)
    assert all(0 < rate < 1 for rate in rates)


def test_the_games_here_are_in_the_catalog() -> None:
    assert {key for key, _, _ in GAMES} <= set(catalog.keys())


@every_level
@pytest.mark.parametrize("game", range(len(GAMES)), ids=[key for key, _, _ in GAMES])
def test_the_rate_of_errors_is_the_stated_one(level: int, game: int) -> None:
    right, matches = positions(game)
    critical = [match for match in matches if right.losing(match.position)]
    assert critical
    player, random, errors = LevelPlayer(level), Random(level), 0
    for trial in range(TRIALS):
        match = random.choice(critical)
        errors += player.choose(match, Random(trial)) in right.losing(match.position)
    rate = LEVELS[level].errors
    assert abs(errors - TRIALS * rate) < 4 * sqrt(TRIALS * rate * (1 - rate))


@pytest.mark.parametrize("game", range(len(GAMES)), ids=[key for key, _, _ in GAMES])
def test_an_error_is_not_what_is_refuted_soonest_unless_all_are(game: int) -> None:
    right, matches = positions(game)
    player, seen = LevelPlayer(1), 0
    for number, match in enumerate(matches):
        moves = right.moves(match.position)
        losing = {move: moves[move] for move in right.losing(match.position)}
        move = player.choose(match, Random(number))
        if move not in losing:
            continue
        seen += 1
        soonest = min(losing.values(), key=eagerness)
        plain = [
            other
            for other, judged in losing.items()
            if judged == soonest or (judged.value is Value.LOSS and judged.plies in (1, 2))
        ]
        assert move not in plain or len(plain) == len(losing)
    assert seen > 0


@every_level
@pytest.mark.parametrize("game", range(len(GAMES)), ids=[key for key, _, _ in GAMES])
def test_it_is_stubborn_when_lost(level: int, game: int) -> None:
    right, matches = positions(game)
    lost = [match for match in matches if right.worth(match.position).value is Value.LOSS]
    for number, match in enumerate(lost[:200]):
        assert LevelPlayer(level).choose(match, Random(number)) in right.best(match.position)


@every_level
def test_without_an_error_low_levels_keep_the_value_and_high_ones_play_the_best(level: int) -> None:
    checked = 0
    for game in range(len(GAMES)):
        right, matches = positions(game)
        won = [match for match in matches if right.worth(match.position).value is Value.WIN]
        slow = [match for match in won if len(right.keeping(match.position)) > len(right.best(match.position))]
        for match in slow[:3]:
            checked += 1
            kept = {LevelPlayer(level).choose(match, Random(seed)) for seed in range(200)}
            wanted = right.best(match.position) if LEVELS[level].best else right.keeping(match.position)
            assert kept - set(right.losing(match.position)) == set(wanted)
    assert checked > 5


def self_play(word: str, key: str, seed: str) -> list[int]:
    """The moves of a game in which a player sits on both sides."""
    game = catalog.find_game(key)
    match = Match(Setup(game, game.defaults, seed=seed, cap=1, players=(word, word)))
    seats = [players.load(word), players.load(word)]
    assert seats[0] is not None
    assert seats[1] is not None
    assert play_out(match, [seats[0], seats[1]]) == ""
    return match.round.moves


@pytest.mark.parametrize("word", ["random", *(f"level:{level}" for level in LEVELS), "perfect", "mcts:20"])
def test_a_seed_gives_one_game_and_seeds_give_many(word: str) -> None:
    games = [self_play(word, "sequence-builder", str(seed)) for seed in range(30)]
    assert games == [self_play(word, "sequence-builder", str(seed)) for seed in range(30)]
    assert len({tuple(moves) for moves in games}) > 20


@pytest.mark.slow
@pytest.mark.parametrize("word", ["random", "level:1", "level:5", "perfect", "mcts:20"])
@pytest.mark.parametrize("key", KEYS)
def test_everybody_plays_every_game_to_its_end(word: str, key: str) -> None:
    assert self_play(word, key, "1")


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Little is small: tests have no time for more."""
    monkeypatch.setattr(knowledge, "SEARCHED_NODES", 4000)
    knowledge._whole.cache_clear()
    yield
    knowledge._whole.cache_clear()


@pytest.mark.usefixtures("impatient")
def test_a_position_too_big_to_be_solved_at_once_is_played_at_random_and_by_the_seed() -> None:
    match = begun("increasing-differences", {"length": "12", "range": "60"}, "")
    assert knowledge.solver_for(match.rules, match.position) is None
    chosen = [LevelPlayer(5).choose(match, Random(seed)) for seed in range(4)]
    assert chosen == [LevelPlayer(5).choose(match, Random(seed)) for seed in range(4)]
    assert len(set(chosen)) > 1


@pytest.mark.usefixtures("impatient")
def test_late_in_a_big_game_a_level_sees_as_well_as_in_a_small_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LEVELS, 3, Level(0.0, best=False))  # so that every move of its has to keep the value
    game = catalog.find_game("increasing-differences")
    options = read_rules(game, {"length": "12", "range": "60"}).options
    match, random, seen = Match(Setup(game, options, seed="4")), Random(4), 0
    while match.result == ONGOING:
        fresh = knowledge.solver_for(match.rules, match.position)
        move = LevelPlayer(3).choose(match, random)
        if fresh is not None:
            seen += 1
            assert fresh.keeps(match.position, move, Score(fresh.value(match.position)))
        match.play(move)
    assert 3 < seen < len(match.round.moves)


@pytest.mark.usefixtures("impatient")
def test_what_was_asked_before_does_not_change_a_choice() -> None:
    """A solver that remembers may answer where a fresh one gives up: the choice must not depend on it."""
    match = begun("increasing-differences", {"length": "6", "range": "20"}, "")
    line = [10, 1, 20, 5]
    chosen = []
    for again in range(2):
        knowledge._whole.cache_clear()
        for number, move in enumerate(line):
            if again or number == len(line) - 1:
                LevelPlayer(2).choose(match, Random(9))
            match.play(move)
        chosen.append(LevelPlayer(2).choose(match, Random(3)))
        for _ in line:
            match.undo()
    assert chosen[0] == chosen[1]


def test_a_game_that_need_not_end_is_played_at_random() -> None:
    match = begun("double-up", {"limit": "none"}, "2 4")
    assert {LevelPlayer(1).choose(match, Random(seed)) for seed in range(40)} == {5, 6, 7, 8}


def test_a_forced_move_needs_no_thought() -> None:
    match = begun("pyramid-challenge", {"base": "2", "highest": "2"}, "2 1 2 1")
    assert list(match.legal) == [PASS]
    assert LevelPlayer(1).choose(match, Random(1)) == PASS


def test_the_document_states_the_same_rates() -> None:
    page = (Path(__file__).parents[2] / "docs" / "players.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `level:(\d)` \| (\d+) % \| (any|the best) move", page, re.MULTILINE)
    stated = {int(level): Level(int(rate) / 100, best == "the best") for level, rate, best in rows}
    assert stated == LEVELS
