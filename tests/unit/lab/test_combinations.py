"""Lists and ranges of options, and the games that they make."""

from __future__ import annotations

from random import Random

import pytest

from parlour import catalog
from parlour.errors import BadOptions
from parlour.lab import sweep as combinations
from parlour.lab.sweep import combine, estimate_work
from parlour.options import left_to_chance, show_words
from parlour.rules import Rules, read_rules


def words(key: str, **given: str) -> list[str]:
    found = combine(catalog.find_game(key), {name: text.split(" ") for name, text in given.items()})
    return [show_words(rules.options) for rules in found.rules]


def test_ranges_and_lists_are_combined() -> None:
    assert words("increasing-differences", length="2-3", range="5,7-8") == [
        f"length={length} range={size}" for length in (2, 3) for size in (5, 7, 8)
    ]


def test_an_option_with_commas_of_its_own_is_given_several_times() -> None:
    found = words("sequence-builder", length="3", increments="1,2 1,3")
    assert found == [f"length=3 pool=20 increments={steps}" for steps in ("1,2", "1,3")]


def test_what_is_not_given_is_the_books() -> None:
    assert words("double-up") == ["limit=100"]
    assert words("double-up", limit="none,10") == ["limit=none", "limit=10"]


def test_the_same_is_measured_once() -> None:
    assert words("double-up", limit="5,4-6,5") == ["limit=5", "limit=4", "limit=6"]


def test_combinations_that_make_no_game_are_left_out_and_counted() -> None:
    found = combine(catalog.find_game("increasing-differences"), {"length": ["3-6"], "range": ["4"]})
    assert [show_words(rules.options) for rules in found.rules] == ["length=3 range=4", "length=4 range=4"]
    assert found.left_out == 2


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"length": ["8-4"]}, "bad length '8-4'; allowed: a number from 2 to 30"),
        ({"length": ["4-"]}, "bad length '4-'"),
        ({"length": ["4-5-6"]}, "bad length '4-5-6'"),
        ({"length": [""]}, "bad length ''"),
        ({"length": ["four"]}, "bad length 'four'"),
        ({"range": ["2-1000000"]}, "bad range"),
        ({"length": ["8-9"], "range": ["4"]}, "none of 2 combinations makes a game"),
    ],
)
def test_what_makes_no_sweep_is_refused(given: dict[str, list[str]], said: str) -> None:
    with pytest.raises(BadOptions, match=said):
        combine(catalog.find_game("increasing-differences"), given)


def test_a_range_does_not_end_with_none() -> None:
    with pytest.raises(BadOptions, match="bad limit 'none-5'"):
        combine(catalog.find_game("double-up"), {"limit": ["none-5"]})


def test_more_combinations_than_anybody_waits_for_are_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(combinations, "MAX_COMBINATIONS", 5_000)
    with pytest.raises(BadOptions, match="999,999 combinations; a sweep has at most 5,000"):
        combine(catalog.find_game("double-up"), {"limit": ["2-1000000"]})


def test_given_grids_are_taken_as_they_are() -> None:
    assert words("sequence-spot", grid="1,2,3,4,5,6,7,8,9") == ["grid=1,2,3,4,5,6,7,8,9 deal=any max_rounds=none"]


def test_larger_games_are_taken_to_be_more_work() -> None:
    game = catalog.find_game("increasing-differences")
    guesses = [estimate_work(read_rules(game, {"length": "4", "range": str(size)})) for size in (6, 10, 16, 24)]
    assert guesses == sorted(guesses)


def test_the_rules_know_an_arrangement_only_by_its_start() -> None:
    """Or two games would be taken for one: the same moves lead to the same positions, results and choices."""
    random = Random(5)
    for game in catalog.list_games():
        for name in left_to_chance(game.options):
            starts: dict[object, Rules] = {}
            met = 0
            while met < 30:
                arranged = ",".join(random.sample("123456789", 9))
                rules = read_rules(game, {name: arranged})
                other = starts.setdefault(rules.start, rules)
                met += other is not rules
                position = rules.start
                while not rules.is_over(position):
                    assert not other.is_over(position)
                    assert list(rules.legal(position)) == list(other.legal(position))
                    assert rules.canonical(position) == other.canonical(position)
                    move = random.choice(rules.legal(position))
                    assert rules.after(position, move) == other.after(position, move)
                    position = rules.after(position, move)
                assert rules.result(position) == other.result(position)
