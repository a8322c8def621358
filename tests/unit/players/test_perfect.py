"""The perfect player never drops value: proved against every line of play on small options of every game."""

from __future__ import annotations

from random import Random

import pytest

from parlour import catalog, players
from parlour.errors import Cancelled, TooBig
from parlour.game import ONGOING
from parlour.limit import Limit
from parlour.match import Match, Setup
from parlour.players import knowledge, perfect
from parlour.players.perfect import COMPARED_MOVES, PerfectPlayer
from parlour.solver import Solver
from tests.support.marks import thinned
from tests.support.naive import Textbook
from tests.support.players_small import KEYS, SMALL, begun, perfect_moves


def test_the_games_here_are_in_the_catalog() -> None:
    assert set(KEYS) <= set(catalog.keys())


@thinned(("key", "texts", "moves"), SMALL)
def test_it_never_drops_value_whatever_anybody_plays(key: str, texts: dict[str, str], moves: str) -> None:
    """Not only after every move of an opponent: after every line at all, so in every position there is.

    In each of them its move is as good as minimax says, and does most to lead astray where it does not win.
    """
    match = begun(key, texts, moves)
    right, player, seen = Textbook(match.rules), PerfectPlayer(), set[tuple[int, ...]]()

    def check() -> None:
        if match.position in seen or match.round_result != ONGOING:
            return
        seen.add(match.position)
        best = right.best(match.position)
        if len(best) <= COMPARED_MOVES:
            best = perfect_moves(right, match.position)
        assert player.choose(match, Random(len(seen))) in best
        for move in match.legal:
            match.play(move)
            check()
            match.undo()

    check()
    assert len(seen) > (10 if len(texts) > 1 or "grid" in texts else 0)


@pytest.mark.parametrize(("key", "texts", "moves"), SMALL)
@pytest.mark.slow
def test_a_game_against_it_ends_as_the_position_began_or_better(key: str, texts: dict[str, str], moves: str) -> None:
    """Every line of an opponent is tried against what it answers, from either seat."""

    def worst(match: Match, seat: int, player: PerfectPlayer) -> int:
        """The worst that can happen to it."""
        if match.round_result != ONGOING:
            return 0 if match.round_winner is None else 1 if match.round_winner == seat else -1
        if match.turn != seat:
            choices = list(match.legal)
        else:
            choices = [player.choose(match, match.setup.random(*match.round.moves))]
        found = []
        for move in choices:
            match.play(move)
            found.append(worst(match, seat, player))
            match.undo()
        return min(found)

    for seat in (0, 1):
        match = begun(key, texts, moves)
        value = int(Textbook(match.rules).worth(match.position).value)
        assert worst(match, seat, PerfectPlayer()) == (value if match.turn == seat else -value)


def test_what_is_equal_is_left_to_chance_and_chance_to_the_seed() -> None:
    match = begun("sequence-builder", {}, "")
    chosen = [PerfectPlayer().choose(match, Random(seed)) for seed in range(60)]
    assert chosen == [PerfectPlayer().choose(match, Random(seed)) for seed in range(60)]
    assert len(set(chosen)) > 5


@pytest.mark.parametrize("key", KEYS)
def test_the_book_s_games_are_small_enough_to_be_known(key: str) -> None:
    match = Match(Setup(catalog.find_game(key), catalog.find_game(key).defaults))
    assert knowledge.solver_for(match.rules, match.position) is not None


def test_without_a_proof_it_plays_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(knowledge, "SEARCHED_NODES", 4000)
    match = begun("increasing-differences", {"length": "12", "range": "60"}, "")
    for limit in (Limit(seconds=0), Limit(nodes=5000)):
        with pytest.raises(TooBig, match="no proof of a best move") as refusal:
            PerfectPlayer().choose(match, Random(1), limit)
        assert "\n" not in str(refusal.value)


def test_a_search_that_nobody_wants_any_more_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(knowledge, "SEARCHED_NODES", 4000)
    limit = Limit()
    limit.cancel()
    with pytest.raises(Cancelled):
        PerfectPlayer().choose(begun("increasing-differences", {"length": "12", "range": "60"}, ""), Random(1), limit)


def test_a_game_that_need_not_end_has_no_best_move() -> None:
    with pytest.raises(TooBig, match="set a limit"):
        PerfectPlayer().choose(begun("double-up", {"limit": "none"}, "2"), Random(1))


@pytest.mark.slow
def test_where_a_game_is_big_it_proves_its_move_with_more_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perfect, "solver_for", lambda *position: None)  # as if nothing were small
    match = begun("increasing-differences", {}, "")
    solver, player = Solver(match.rules), PerfectPlayer()
    while match.round_result == ONGOING:
        move = player.choose(match, Random(1))
        assert move in solver.best(match.position)
        match.play(move)


def test_a_million_numbers_do_not_make_it_think() -> None:
    match = begun("double-up", {"limit": "1000000"}, "")
    player, plies = players.load("perfect"), 0
    assert player is not None
    while match.outcome is None:
        # Double Up's secret, by hand: these numbers are lost for who has to go on from them.
        lost = [1_000_000]
        while lost[-1] > 2:
            lost.append((lost[-1] - 1) // 2)
        move = player.choose(match, Random(plies))
        winning = [number for number in lost if match.position[0] < number <= 2 * match.position[0]]
        assert move in winning or not winning
        match.play(move)
        plies += 1
