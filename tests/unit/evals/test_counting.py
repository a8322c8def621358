"""The scores are right: held against an enumeration of whole games that knows nothing of sums, tables or policies."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import parlour
from parlour.evals.dialogue import Asked
from parlour.evals.instances import DROPPED, FORFEIT, POLICIES, RANDOM_MOVE, RETRIES, count
from parlour.evals.metrics import AT_RANDOM, MEASURES, Known, Sums, chooser, estimate, expect, quotient, total
from parlour.game import player_at
from parlour.lab.measures import wilson
from parlour.match import Match
from parlour.players.level import LEVELS
from parlour.rules import Rules
from parlour.score import Value
from parlour.setup import Setup
from parlour.study.grades import make_report
from parlour.view import PLAYERS, PlayerNumber
from tests.support.chances import check_chances
from tests.support.naive import Textbook
from tests.support.small import TINY

every_game = pytest.mark.parametrize("key", TINY)
POINTS = {1: 1.0, 0: 0.5, -1: 0.0}


def small_rules(key: str) -> Rules:
    return parlour.rules_of(key, **TINY[key])


@cache
def known_of(rules: Rules) -> Known[Any, Any]:
    return Known(rules, rules.start, 100_000)


@every_game
def test_what_is_known_of_a_position_is_what_minimax_says(key: str) -> None:
    rules = small_rules(key)
    textbook, known = Textbook(rules), known_of(rules)
    todo, seen = [rules.start], {rules.start}
    while todo and len(seen) < 600:
        position = todo.pop()
        assert known.score(position) == textbook.worth(position)
        assert {move.move: move.score for move in known.moves(position)} == textbook.moves(position)
        assert known.wrong(position) == len(textbook.losing(position))
        for move in known.moves(position):
            if move.after not in seen and not rules.is_over(move.after):
                seen.add(move.after)
                todo.append(move.after)


def test_a_position_that_too_much_can_follow_is_refused() -> None:
    rules = parlour.rules_of("increasing-differences")
    with pytest.raises(parlour.TooBig, match="more than 50 positions"):
        Known(rules, rules.start, 50)
    with pytest.raises(parlour.TooBig, match="need not end"):
        Known(parlour.rules_of("double-up", limit=None), parlour.rules_of("double-up", limit=None).start)


# The chances of graded players.


@pytest.mark.parametrize("word", ["random", "level:3", "perfect"])
@pytest.mark.parametrize(
    ("key", "options", "line"),
    [
        ("double-up", {"limit": 40}, "2 4 8"),  # won for the player to move
        ("pyramid-challenge", {"highest": 4, "copies": 2}, "1 2 1 3"),
    ],
)
def test_the_chances_are_those_of_the_player(word: str, key: str, options: dict[str, Any], line: str) -> None:
    """tests/proofs/test_chances.py has more positions and more tries."""
    check_chances(word, key, options, line, tries=100)


def test_every_level_is_graded_and_nobody_else() -> None:
    assert set(AT_RANDOM) == {"random", "perfect", *(f"level:{number}" for number in LEVELS)}
    with pytest.raises(parlour.UnknownPlayer, match=r"'mcts:5' is not a graded player.*; allowed: random, level:1"):
        chooser("mcts:5")


# What can be expected: every game one by one.


class Whole(NamedTuple):
    """One game that can be played, and how likely it is."""

    chance: float
    moves: tuple[int, ...]


def whole_games(rules: Rules, position: Any, mine: bool, model: Any, opponent: Any, known: Any) -> Iterator[Whole]:
    if rules.is_over(position):
        yield Whole(1.0, ())
        return
    for move, chance in (model if mine else opponent)(known, position).items():
        if chance:
            for rest in whole_games(rules, rules.play(position, move), not mine, model, opponent, known):
                yield Whole(chance * rest.chance, (move, *rest.moves))


def naive_scores(rules: Rules, opening: list[int], moves: tuple[int, ...], player: PlayerNumber) -> dict[str, float]:
    """One game counted by hand: the sums behind every score, by names of their own."""
    textbook, position = Textbook(rules), rules.start
    for move in opening:
        position = rules.play(position, move)
    start = textbook.worth(position).value * (1 if player_at(1, len(opening)) == player else -1)
    sums = dict.fromkeys(("decisions", "regret", "critical", "held", "asked"), 0.0)
    for ply, move in enumerate(moves, len(opening)):
        worth = {each: score.value for each, score in textbook.moves(position).items()}
        if player_at(1, ply) == player and len(worth) > 1:
            sums["asked"] += 1
            if max(worth.values()) > -1 and not rules.settled(position):
                sums["decisions"] += 1
                sums["regret"] += max(worth.values()) - worth[move]
                if len(set(worth.values())) > 1:
                    sums["critical"] += 1
                    sums["held"] += worth[move] == max(worth.values())
        position = rules.play(position, move)
    mover = player_at(1, len(opening) + len(moves))
    end = Value.of_result(rules.result(position)) * (1 if mover == player else -1)
    return {
        **sums,
        "games": 1,
        "points": POINTS[end],
        "readable": sums["asked"],
        "legal": sums["asked"],
        "won_starts": start == 1,
        "converted": start == 1 and end == 1,
        "drawn_starts": start == 0,
        "saved": start == 0 and end >= 0,
        "lost_starts": start == -1,
        "escaped": start == -1 and end >= 0,
    }


OPENINGS = [
    ("double-up", {"limit": 9}, "2"),
    ("double-up", {"limit": 9}, "2 3"),
    ("increasing-differences", {"length": 3, "range": 6}, "1 6"),
    ("pyramid-challenge", {"base": 2, "highest": 3, "copies": 2}, "1 2"),
    ("sequence-builder", {"length": 3, "pool": 6}, "2"),
    ("sequence-spot", {"grid": "1,2,3,4,5,6,7,8,9"}, "2,2 1,1 1,2 2,1"),
    ("sequence-spot", {"grid": "1,2,3,4,5,6,7,8,9"}, "2,2 3,1 1,2"),
]


@pytest.mark.parametrize(("key", "options", "line"), OPENINGS)
@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize(("model", "opponent"), [("random", "level:3"), ("perfect", "level:1"), ("level:2", "random")])
def test_what_can_be_expected_is_the_mean_over_every_game(
    key: str, options: dict[str, Any], line: str, player: PlayerNumber, model: str, opponent: str
) -> None:
    match = parlour.new_match(key, **options)
    match.play_line(line)
    rules, opening = match.rules, match.round.moves
    known = Known(rules, match.position, 100_000)
    mine = player_at(1, len(opening)) == player
    games = list(whole_games(rules, match.position, mine, chooser(model), chooser(opponent), known))
    assert sum(game.chance for game in games) == pytest.approx(1)
    means: dict[str, float] = dict.fromkeys(Sums._fields, 0.0)
    for game in games:
        for name, amount in naive_scores(rules, opening, game.moves, player).items():
            means[name] += game.chance * amount
    found = expect(known, match.position, mine=mine, model=model, opponent=opponent)
    assert found._asdict() == pytest.approx(means)


# A game that was played.


def played(key: str, seed: int) -> tuple[Match, list[Asked]]:
    """A random game, all its answers legal."""
    rules, random = small_rules(key), Random(seed)
    match, asked = Match(Setup(rules, cap=1), rules.options), []
    while match.outcome is None:
        if match.turn == 1 and len(match.legal_moves) > 1:
            asked.append(Asked(len(match.round.moves), "legal", 1, True))
        match.play(random.choice(match.legal_moves))
    return match, asked


@every_game
@given(seed=st.integers(0, 10**6))
@settings(deadline=None, max_examples=3)
def test_a_game_with_legal_answers_counts_the_same_under_every_policy(key: str, seed: int) -> None:
    match, asked = played(key, seed)
    known = known_of(match.rules)
    start = known.value(match.rules.start)
    by_hand = naive_scores(match.rules, [], tuple(match.round.moves), 1)
    for policy in POLICIES:
        assert count(known, start, match, 1, asked, policy)._asdict() == by_hand
    account = make_report(match).accounts[0]
    assert (account.decisions, account.critical) == (by_hand["decisions"], by_hand["critical"])
    assert account.threw_win + account.threw_draw == by_hand["critical"] - by_hand["held"]


def test_bad_answers_count_as_the_policy_says() -> None:
    """Double Up to 9, where 1, 4 and 9 are lost: from 3 and from 5 one move alone keeps the win."""
    rules = parlour.rules_of("double-up", limit=9)
    match = Match(Setup(rules, cap=1), rules.options)
    match.play_line("2 3 4 5 9")  # 4 and 9 are best: Player 1 wins
    known = known_of(rules)
    good, bad, hopeless = Asked(2, "legal", 1, True), Asked(4, "illegal", 2, True), Asked(4, "unreadable", 3, False)

    def counted(policy: str, *asked: Asked) -> Sums:
        return count(known, Value.WIN, match, 1, asked, policy)

    won = Sums(games=1, points=1, decisions=2, critical=2, held=2, asked=2, won_starts=1, converted=1)
    lost = Sums(games=1, points=0, decisions=2, regret=2, critical=2, held=1, asked=2, won_starts=1, converted=0)
    assert counted(FORFEIT, good, bad) == lost._replace(readable=2, legal=1)
    assert counted(RETRIES, good, bad) == won._replace(readable=2, legal=1)
    assert counted(RETRIES, good, hopeless) == lost._replace(readable=1, legal=1)
    assert counted(RANDOM_MOVE, good, hopeless) == won._replace(readable=1, legal=1)
    assert counted(DROPPED, good, bad) == counted(DROPPED, good, hopeless) == Sums()
    at_once = counted(FORFEIT, Asked(2, "unreadable", 3, False), bad)
    assert at_once == Sums(games=1, decisions=1, regret=2, critical=1, asked=1, won_starts=1)


def test_a_game_that_was_not_finished_is_lost() -> None:
    rules = parlour.rules_of("double-up", limit=9)
    match = Match(Setup(rules, cap=1), rules.options)
    match.play_line("2 3 4")
    sums = count(known_of(rules), Value.WIN, match, 1, [Asked(2, "legal", 1, True)], RETRIES)
    assert (sums.games, sums.points, sums.held) == (1, 0, 1)


# Intervals.


def test_the_interval_is_wilsons_where_every_game_is_one_trial() -> None:
    """8 of 10: 0.490 to 0.943, as in any textbook."""
    low, high = wilson(0.8, 10)
    assert (round(low, 3), round(high, 3)) == (0.490, 0.943)
    sums = [Sums(games=1, points=point) for point in [1] * 8 + [0] * 2]
    found = estimate(sums, "points")
    assert found is not None
    assert found.value == 0.8
    # With the factor for a small sample it is that of nine trials.
    assert found[1:] == pytest.approx(wilson(0.8, 9))


def test_the_moves_of_a_game_are_not_trials_of_their_own() -> None:
    """Ten games of ten decisions, all right or all wrong, tell no more than ten decisions."""
    alike = [Sums(critical=10, held=10 * right) for right in [1] * 8 + [0] * 2]
    found = estimate(alike, "accuracy")
    assert found is not None
    assert found[1:] == pytest.approx(wilson(0.8, 9))
    mixed = [Sums(critical=10, held=8)] * 9 + [Sums(critical=10, held=7)]
    sharper = estimate(mixed, "accuracy")
    assert sharper is not None
    assert sharper.high - sharper.low < (found.high - found.low) / 3


def test_nineteen_of_twenty_intervals_hold_the_truth() -> None:
    """Games of one to six decisions that depend on each other, 300 evaluations of 30 games."""
    random, held, runs = Random(1), 0, 300
    for _ in range(runs):
        sums = []
        for _ in range(30):
            skill, size = random.choice([0.5, 0.9]), random.randint(1, 6)
            sums.append(Sums(critical=size, held=sum(random.random() < skill for _ in range(size))))
        found = estimate(sums, "accuracy")
        assert found is not None
        held += found.low <= 0.7 <= found.high
    assert 0.92 <= held / runs <= 0.98


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)).map(lambda pair: Sums(critical=max(pair), held=min(pair))))
)
def test_an_interval_holds_its_estimate_and_stays_within_what_is_possible(sums: list[Sums]) -> None:
    found = estimate(sums, "accuracy")
    assert (found is None) == (total(sums).critical == 0)
    if found is not None:
        assert found.value == pytest.approx(quotient(total(sums), "accuracy"))
        assert 0 <= found.low <= found.value + 1e-9
        assert found.value - 1e-9 <= found.high <= 1


def test_every_score_is_one_sum_by_another() -> None:
    for measure, other in itertools.pairwise(MEASURES.values()):
        assert {measure.part, measure.whole, other.part, other.whole} <= set(Sums._fields)
