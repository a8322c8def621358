"""The levels do what they say: so many of their moves are any move, the others those of the perfect player."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from random import Random

import pytest

from parlour import catalog, players
from parlour.errors import TooBig
from parlour.game import PASS
from parlour.limit import Limit
from parlour.match import Match
from parlour.players import perfect
from parlour.players.level import LEVELS, Level, LevelPlayer
from parlour.rules import read_rules
from parlour.service.errors import SearchFailed
from parlour.service.searches import choose_move
from parlour.setup import Setup
from tests.support import ROOT
from tests.support.levels import GAMES, check_each_move, check_share, self_play
from tests.support.small import SmallGame, begun, each_of


def test_there_are_five_and_each_plays_less_at_random_than_the_one_before() -> None:
    kinds = [kind for kind in players.list_player_kinds() if kind.name == "level"]
    assert [kind.word for kind in kinds] == [f"level:{level}" for level in LEVELS]
    assert [kind.nickname for kind in kinds] == ["beginner", "gentle", "steady", "sharp", "expert"]
    assert kinds[1].title == "Level 2, gentle"
    shares = [1.0, *(level.at_random for level in LEVELS.values()), 0.0]  # from the random player to the perfect one
    assert all(more > less for more, less in pairwise(shares))


@pytest.mark.parametrize(("level", "game"), [*zip(LEVELS, GAMES, strict=True)], ids=str)
def test_a_level_plays_as_often_at_random_as_it_says_and_perfectly_otherwise(level: int, game: SmallGame) -> None:
    check_share(level, game, 100)


@each_of([game for game in GAMES if game.key in ("pyramid-challenge", "sequence-builder")])
def test_each_move_of_a_level_is_as_likely_as_it_should_be(game: SmallGame) -> None:
    check_each_move(game, 150)


@pytest.mark.parametrize("word", ["random", "level:3", "perfect", "mcts:20"])
def test_a_seed_gives_one_game_and_seeds_give_many(word: str) -> None:
    games = [self_play(word, "sequence-builder", str(seed)) for seed in range(5)]
    assert games == [self_play(word, "sequence-builder", str(seed)) for seed in range(5)]
    assert len({tuple(moves) for moves in games}) > 3


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Little is small: tests have no time for more."""
    monkeypatch.setattr(perfect, "SEARCHED_NODES", 1000)
    perfect._whole.cache_clear()
    yield
    perfect._whole.cache_clear()


@pytest.fixture
def infallible(monkeypatch: pytest.MonkeyPatch) -> None:
    """Level 3 plays nothing at random."""
    monkeypatch.setitem(LEVELS, 3, Level("steady", 0.0))


@pytest.mark.usefixtures("impatient")
def test_a_position_too_big_to_be_solved_at_once_is_played_by_the_seed() -> None:
    match = begun("increasing-differences", {"length": "12", "range": "60"}, "")
    assert perfect.solver_for(match.rules, match.position) is None
    chosen = [LevelPlayer(5).choose(match, Random(seed)) for seed in range(3)]
    assert LevelPlayer(5).choose(match, Random(0)) == chosen[0]
    assert len(set(chosen)) > 1


@pytest.mark.usefixtures("infallible")
def test_in_such_a_position_it_does_not_lose_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The opponent has 1 and 30 and needs a third number that is 30 away: 60, which therefore has to be taken."""
    monkeypatch.setattr("parlour.players.level.solver_for", lambda *position: None)  # as if nothing were small
    match = begun("increasing-differences", {"length": "3", "range": "60"}, "1 10 30")
    assert {LevelPlayer(3).choose(match, Random(seed)) for seed in range(10)} == {60}


@pytest.mark.usefixtures("impatient", "infallible")
def test_what_was_asked_before_does_not_change_a_choice() -> None:
    """A solver that remembers may answer where a fresh one gives up: the choice must not depend on it."""
    match = begun("increasing-differences", {"length": "6", "range": "20"}, "")
    line = [10, 1, 20, 5]
    chosen = []
    for again in range(2):
        perfect._whole.cache_clear()
        for number, move in enumerate(line):
            if again or number == len(line) - 1:
                LevelPlayer(3).choose(match, Random(9))
            match.play(move)
        chosen.append(LevelPlayer(3).choose(match, Random(3)))
        for _ in line:
            match.undo()
    assert chosen[0] == chosen[1]


@pytest.mark.usefixtures("infallible")
def test_a_game_that_need_not_end_is_played_at_random() -> None:
    match = begun("double-up", {"limit": "none"}, "2 4")
    assert {LevelPlayer(3).choose(match, Random(seed)) for seed in range(40)} == {5, 6, 7, 8}


def test_a_forced_move_needs_no_thought() -> None:
    match = begun("pyramid-challenge", {"base": "2", "highest": "2"}, "2 1 2 1")
    assert list(match.legal_moves) == [PASS]
    assert LevelPlayer(1).choose(match, Random(1)) == PASS


def test_the_document_states_the_same_shares_and_names() -> None:
    page = (ROOT / "docs" / "players.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `level:(\d)` \| (\w+) \| (\d+) % \|", page, re.MULTILINE)
    assert {int(level): Level(nickname, int(share) / 100) for level, nickname, share in rows} == LEVELS


def seated(word: str, seed: str = "1", **texts: str) -> Match:
    game = catalog.find_game("increasing-differences")
    return Match(Setup(read_rules(game, texts), players=(word, "human"), seed=seed))


def test_a_level_that_has_used_up_its_work_plays_games_in_its_head(monkeypatch: pytest.MonkeyPatch) -> None:
    """It stays the same level. Only where the time is up, as with Ctrl-C at the terminal, it has no move."""
    monkeypatch.setattr("parlour.players.level.COMPARED_NODES", 1)
    match = seated("level:5", length="3", range="8")
    moves = [LevelPlayer(5).choose(match, Random(seed), Limit()) for seed in range(6)]
    assert moves == [LevelPlayer(5).choose(match, Random(seed), Limit()) for seed in range(6)]
    assert set(moves) <= set(match.legal_moves)
    hurried = Limit()
    hurried.hurry()
    with pytest.raises(TooBig):
        LevelPlayer(5).choose(match, Random(1), hurried)


@pytest.mark.usefixtures("impatient")
def test_time_that_is_up_is_not_a_missing_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour.service.searches.PROOF_NODES", 1000)
    match = seated("perfect", length="12", range="39")
    with pytest.raises(SearchFailed, match="try again"):
        choose_move(match, Limit(0))
    with pytest.raises(TooBig, match="within 1,000 positions"):
        choose_move(match, Limit())
