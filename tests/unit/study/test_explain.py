"""What is said about the games, against the textbook, and in full for a few."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from parlour import catalog
from parlour.errors import TooBig
from parlour.game import Move, SearchAids
from parlour.limit import Limit
from parlour.rules import Rules, read_rules
from parlour.score import Value
from parlour.solver import Choice, Solver
from parlour.study import explain as study
from parlour.study.explain import explain, group_moves, lost_positions, survey_deals
from tests.support.command import Run
from tests.support.explanations import check_grading_limit, check_opening, check_random_games, lines, part
from tests.support.naive import Textbook
from tests.support.small import SmallGame, quick_games, rules_of

Runner = Callable[..., Run]


@quick_games
def test_winner_and_first_moves_agree_with_the_textbook(game: SmallGame) -> None:
    check_opening(game)


@quick_games
def test_random_games_agree_with_the_textbook(game: SmallGame) -> None:
    check_random_games(game)


@quick_games
def test_within_a_limit_the_first_random_games_are_graded(game: SmallGame) -> None:
    check_grading_limit(game)


def test_what_is_graded_of_a_sample_is_said() -> None:
    def told(*found: Any) -> list[str]:
        return [line.text for line in study._random_games(study.RandomGames(*found), "x")]

    lengths = [9, 12, 12]
    assert told(lengths, 3, 8, 4, 1) == [
        "How easily it goes wrong",
        (
            "In 3 games between two random players (a sample, seed x), 4 of 8 choices (50%) could go "
            "wrong: some move would have thrown away a win or a draw. The players did so once (25%)."
        ),
        "Those games took 9 to 12 moves, 11.0 on average.",
    ]
    assert told(lengths, 2, 8, 0, 0)[1:] == [
        (
            "In 2 of 3 games between two random players (a sample, seed x; there was no time to grade the "
            "others), there were 8 choices, and no way to go wrong."
        ),
        "All 3 games took 9 to 12 moves, 11.0 on average.",
    ]
    assert told(lengths, 0, 0, 0, 0)[1:] == [
        (
            "In 3 games between two random players (a sample, seed x), not every position could be solved "
            "in this time, so their mistakes are not counted."
        ),
        "Those games took 9 to 12 moves, 11.0 on average.",
    ]


# The secret.


@pytest.mark.parametrize("limit", [2, 3, 4, 10, 50, 99, 100, 101, 256])
def test_the_lost_numbers_are_those_of_the_textbook(limit: int) -> None:
    rules = rules_of("double-up", {"limit": str(limit)})
    book = Textbook(rules)
    lost = [n for n in range(1, limit + 1) if book.worth(rules.position([n])).value == Value.LOSS]
    assert lost_positions(rules) == lost
    assert f"The player to move from one of these loses: {', '.join(map(str, lost))}" in lines(
        "double-up", {"limit": str(limit)}, games=1
    )


def test_the_secret_of_the_books_limit() -> None:
    said = lines("double-up", games=1)
    assert part(said, "The secret") == [
        "Leave your opponent the limit, or a number from which every move lets you do so.",
        "The player to move from one of these loses: 2, 5, 11, 24, 49, 100",
    ]
    assert part(said, "Who wins")[1] == "One line of best play: 2 3 5 6 11 12 24 25 49 50 100"
    assert part(said, "First moves") == [
        "The first move is forced: 2. After it the next player has 2 moves:",
        "- lose in 10 moves: 3, 4",
        "You cannot go wrong yet: all of them lose.",
    ]


def test_the_secret_of_a_large_limit_is_quick() -> None:
    lost = [1_000_000]
    while (lost[0] - 1) // 2 >= 1:
        lost.insert(0, (lost[0] - 1) // 2)
    said = part(lines("double-up", {"limit": "1000000"}, games=1), "The secret")
    assert said[1].endswith(f": {', '.join(map(str, lost))}")


def test_a_game_without_a_theory_has_no_secret() -> None:
    assert lost_positions(rules_of("sequence-builder", {})) is None
    assert "The secret" not in lines("sequence-builder", games=1)


# The books' games, in full.


def test_sequence_builder_as_in_the_book() -> None:
    said = lines("sequence-builder")
    assert said[0] == "Sequence Builder: sequences of 4; numbers 1 to 20; steps of 1, 2 or 3"
    assert part(said, "First moves") == [
        "The 20 first moves, by value:",
        "- win in 7 moves: 1-13",
        "- draw: 14-17",
        "- lose in 8 moves: 18",
        "- lose in 6 moves: 19",
        "- lose in 4 moves: 20",
        "A random first move is wrong 7 times out of 20 (35%).",
    ]


def test_errata_are_told() -> None:
    said = part(lines("sequence-builder", games=1, seconds=0), "Good to know")
    assert said[-1] == (
        "- The book's Example 2 refuses 8 after 5 as \"too great a difference\". By the book's own rule a step of 3 is "
        "allowed, and here it is."
    )
    for game in catalog.list_games():
        if "Good to know" not in game.content.rules_text:
            continue
        key, rules = game.key, " ".join(game.content.rules_text.split())
        texts = {"length": "3", "range": "6"} if key == "increasing-differences" else {}
        for item in part(lines(key, texts, games=1, deals=1, seconds=0), "Good to know"):
            assert item in rules


def test_many_groups_of_first_moves_are_put_together() -> None:
    def choice(move: int, value: Value, plies: int | None = None) -> Choice:
        return Choice(move=Move(move), value=value, plies=plies)

    wins = [choice(move, Value.WIN, 2 * move + 1) for move in range(1, 11)]
    draw, slow, quick = choice(11, Value.DRAW), choice(2, Value.LOSS, 4), choice(1, Value.LOSS, 2)
    assert group_moves([*wins, draw]) == [("win in 3 to 21 moves", list(range(1, 11))), ("draw", [11])]
    assert group_moves(wins[:2]) == [("win in 3 moves", [1]), ("win in 5 moves", [2])]
    assert group_moves([quick, slow]) == [("lose in 4 moves", [2]), ("lose in 2 moves", [1])]
    unknown = [choice(1, Value.WIN), choice(2, Value.WIN)]
    assert group_moves(unknown) == [("win", [1, 2])], "not known how soon"


# Games without an end, and games too big.


def test_a_game_that_need_not_end_is_explained() -> None:
    said = lines("double-up", {"limit": "none"})
    who = part(said, "Who wins")
    assert "a game may never end" in who[0]
    assert "endless play has none" in who[0]
    assert who[1] == "For a game that ends, give --limit 100"
    assert "First moves" not in said
    assert part(said, "Good to know")


def test_what_is_too_big_is_said_to_be() -> None:
    said = lines("increasing-differences", {"length": "12", "range": "40"}, seconds=0, games=5)
    assert part(said, "Who wins") == [
        "Unknown: the game is too big to solve in this time.",
        "Try smaller options or more --seconds.",
    ]
    assert part(said, "First moves") == ["There was no time to find their values."]
    first, second = part(said, "How easily it goes wrong")
    assert "their mistakes are not counted" in first
    assert second.startswith("Those games took ")


def test_without_distances_the_winner_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_big(*arguments: object) -> None:
        raise TooBig("too big")

    for name in ("choices", "score", "line"):
        monkeypatch.setattr(Solver, name, too_big)
    said = lines("sequence-builder", games=1)
    assert part(said, "Who wins")[0] == "With best play the first player wins; there was no time to find out how soon."
    assert part(said, "First moves")[1:4] == ["- win: 1-13", "- draw: 14-17", "- lose: 18-20"]


# Where chance has a part.


def grids(number: int) -> list[Rules]:
    rules = rules_of("sequence-spot", {})
    return [Rules(rules.game, rules.game.rounds.deal(rules.packed, 1, Random(n))) for n in range(number)]


def arithmetic_lines(grid: str) -> int:
    """Counted here, without the game's help."""
    cells = [int(digit) for digit in grid.split(",")]
    rows = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    return sum(cells[a] + cells[c] == 2 * cells[b] for a, b, c in rows)


def test_deals_agree_with_the_textbook() -> None:
    dealt = grids(3)
    values = Counter(
        Textbook(rules).worth(rules.start).value if arithmetic_lines(rules.option_texts["grid"]) else "dead"
        for rules in dealt
    )
    found = survey_deals([Solver(rules) for rules in dealt])
    assert (found.deals, found.settled, found.unsolved) == (3, values["dead"], 0)
    assert found.values == {value: values[value] for value in Value}


def test_a_sample_of_deals_is_told() -> None:
    said = lines("sequence-spot", deals=3, games=5, seed="x")
    who = part(said, "Who wins")
    assert who[0] == "That depends on the grid, which is dealt. Of 3 deals (a sample, seed x):"
    numbers = [int(line.split()[1]) for line in who[1:5]]
    assert sum(numbers) == 3
    assert who[5] == "After a drawn round the other player begins the next."
    assert said == lines("sequence-spot", deals=3, games=5, seed="x")
    assert said != lines("sequence-spot", deals=3, games=5, seed="y")
    winnable = part(lines("sequence-spot", {"deal": "winnable"}, deals=2, games=5), "Who wins")
    assert winnable[1] == "- 0 (0%): neither player can win the round"


def test_deals_that_are_not_solved_in_time_are_counted() -> None:
    dealt = grids(3)
    dead = sum(not arithmetic_lines(rules.option_texts["grid"]) for rules in dealt)
    found = survey_deals([Solver(rules) for rules in dealt], Limit(nodes=1))
    assert (found.deals, found.settled, found.unsolved) == (3, dead, 3 - dead)
    said = lines("sequence-spot", limit=Limit(nodes=1), deals=40)
    *_, unknown, rounds = part(said, "Who wins")
    assert unknown.endswith(": there was no time to find out")
    assert rounds == "After a drawn round the other player begins the next.", "and no more is said"


def test_progress_counts_what_all_questions_took() -> None:
    told: list[int] = []
    lines("sequence-builder", limit=Limit(on_progress=told.append))
    assert told == sorted(told)
    assert told[-1] > 1000


def test_what_rounds_mean_for_the_match() -> None:
    def told(win: int, draw: int, loss: int, max_rounds: str = "none") -> str:
        found = study.Deals(win + draw + loss, 0, {Value.WIN: win, Value.DRAW: draw, Value.LOSS: loss})
        rules = rules_of("sequence-spot", {"max_rounds": max_rounds})
        return [line.text for line in study._match_of_rounds(rules, found)][-1]

    def wins_of_the_first(win: float, loss: float) -> float:
        """Round after round, as it would be played."""
        chance, open_ = 0.0, 1.0
        for number in range(2000):
            chance += open_ * (win if number % 2 == 0 else loss)
            open_ *= 1 - win - loss
        return chance

    for win, draw, loss in ((10, 90, 0), (20, 70, 10), (0, 50, 50), (100, 0, 0), (3, 95, 2)):
        text = told(win, draw, loss)
        assert f"about {100 / (win + loss):.1f} rounds" in text
        assert f"wins about {100 * wins_of_the_first(win / 100, loss / 100):.0f} matches in 100." in text
    assert "continues until a player makes one" in told(0, 10, 0)
    assert told(10, 90, 0, "3") == ("After a drawn round the other player begins the next, up to 3 rounds.")
    assert told(0, 10, 0, "3").endswith("none of these rounds would have decided the match.")
    assert "There is only this round" in told(10, 90, 0, "1")


def test_a_given_grid_is_explained_as_a_round() -> None:
    said = lines("sequence-spot", {"grid": "9,8,7,1,2,3,4,5,6", "max_rounds": "3"}, games=2)
    assert part(said, "Who wins")[0] == "With best play the round is a draw."
    assert part(said, "Who wins")[-1] == ("After a drawn round the other player begins the next, up to 3 rounds.")
    dead = lines("sequence-spot", {"grid": "3,6,4,8,5,1,7,2,9"}, games=2)
    assert part(dead, "Who wins")[0] == "Neither player can win this round."
    assert "First moves" not in dead


# The command.


def test_the_command_takes_the_options_of_the_game(run: Runner) -> None:
    told = run("explain", "builder", "--pool", "8", "--length", "3")
    assert told.code == 0
    assert told.err == ""
    assert told.out.startswith("Sequence Builder: sequences of 3; numbers 1 to 8; steps of 1, 2 or 3\n")
    assert max(map(len, told.out.splitlines())) <= 80
    assert "\x1b" not in told.out


def test_the_help_of_a_game_names_its_options(run: Runner) -> None:
    told = run("explain", "spot", "--help").out
    for option in ("--grid", "--deal", "--max-rounds", "--seed", "--seconds"):
        assert option in told


@pytest.mark.parametrize(
    "arguments", [("chess",), ("double-up", "--limit", "1"), ("double-up", "--pool", "3"), ("spot", "--seconds", "x")]
)
def test_what_makes_no_sense_is_one_line(run: Runner, arguments: tuple[str, ...]) -> None:
    told = run("explain", *arguments)
    assert told.code == 2
    assert told.out == ""
    assert told.err.count("\n") == 1


def test_the_seed_decides_the_sample(run: Runner) -> None:
    arguments = ("explain", "builder", "--pool", "8", "--length", "3")
    assert run(*arguments).out == run(*arguments, "--seed", "1").out
    assert run(*arguments).out != run(*arguments, "--seed", "2").out


def test_explaining_keeps_no_game(run: Runner) -> None:
    run("explain", "double-up")
    assert run("games").out == "No games yet. Begin one with: parlour play GAME\n"


def test_a_game_of_ones_own_is_explained_too() -> None:
    """Nothing here knows any game by name: a game that is only a record of functions will do."""
    from dataclasses import replace

    game = catalog.find_game("double-up")
    content = replace(game.content, rules_text="No last words.")
    own = replace(game, key="own", title="Own", search=SearchAids(), content=content)
    said = [line.text for line in explain(read_rules(own, {"limit": "10"}), games=2).lines]
    assert said[0] == "Own: up to 10"
    assert "Good to know" not in said
    assert "The secret" not in said
