"""Sequence Spot, rule by rule. ``@rule`` names the sentence that a test proves."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

import pytest

from parlour import catalog
from parlour.errors import GameOver, NoNextRound
from parlour.game import NO_CAP, opponent
from parlour.match import Match
from parlour.outcome import Outcome
from parlour.rules import read_rules
from parlour.view import PLAYERS, PlayerNumber
from tests.support.ledger import rule
from tests.support.tabletop import (
    PLAYER_1,
    PLAYER_1_RESIGNS,
    PLAYER_1_WINS,
    PLAYER_2,
    PLAYER_2_RESIGNS,
    PLAYER_2_WINS,
    UNDECIDED,
    announced,
    asked,
    begin,
    choices,
    play,
    refusal,
    refused_options,
    told,
    unreadable,
)

KEY = "sequence-spot"
CELLS = ["1,1", "1,2", "1,3", "2,1", "2,2", "2,3", "3,1", "3,2", "3,3"]
LINES = [
    ("1,1", "1,2", "1,3"), ("2,1", "2,2", "2,3"), ("3,1", "3,2", "3,3"),
    ("1,1", "2,1", "3,1"), ("1,2", "2,2", "3,2"), ("1,3", "2,3", "3,3"),
    ("1,1", "2,2", "3,3"), ("1,3", "2,2", "3,1"),
]  # fmt: skip
EXAMPLE_1 = "5,3,8,1,6,7,4,9,2"
EXAMPLE_2 = "2,7,6,9,5,1,4,3,8"
DEAD = "1,2,4,3,5,6,8,9,7"  # no line of this grid is arithmetic
FULL = "1,1 2,2 1,2 2,3 1,3 3,2 2,1 3,3 3,1"  # the moves of Example 1: the grid is full and nobody has won


def new(**options: int | str) -> Match:
    return begin(KEY, **options)


def grid_of(match: Match) -> list[int]:
    """The numbers of the grid, row by row."""
    return list(match.options.grid)


def dealt(grid: str) -> tuple[int, ...]:
    return read_rules(catalog.find_game(KEY), {"grid": grid}).options


def grid_with(line: tuple[str, ...], numbers: tuple[int, ...]) -> str:
    """A grid that has these numbers on this line, and the others in falling order elsewhere."""
    rest = [n for n in range(9, 0, -1) if n not in numbers]
    placed = dict(zip(line, numbers, strict=True))
    return ",".join(str(placed[cell] if cell in placed else rest.pop()) for cell in CELLS)


def count_arithmetic_lines(grid: list[int]) -> int:
    at = dict(zip(CELLS, grid, strict=True))
    return sum(at[b] - at[a] == at[c] - at[b] for a, b, c in LINES)


def has_arithmetic_line(grid: list[int]) -> bool:
    return count_arithmetic_lines(grid) > 0


def marks(line: tuple[str, ...]) -> str:
    """The first player marks this line, the other one cells elsewhere."""
    elsewhere = [cell for cell in CELLS if cell not in line]
    a, b, c = line
    return f"{a} {elsewhere[0]} {b} {elsewhere[1]} {c}"


# Objective


@pytest.mark.parametrize("line", LINES, ids=" ".join)
@rule(KEY, "Objective: Be the first player to create a straight line (horizontal,")
@rule(KEY, "Rules 1 and 2, the arithmetic sequence: Form a straight line")
@rule(KEY, "Scoring: The player who successfully forms the required arithmetic")
def test_straight_line_of_three_own_markers_on_an_arithmetic_sequence_wins(line: tuple[str, ...]) -> None:
    match = new(grid=grid_with(line, (2, 4, 6)))
    assert play(match, marks(line)).outcome == PLAYER_1_WINS


@pytest.mark.parametrize("line", LINES, ids=" ".join)
@rule(KEY, "Objective: Be the first player to create a straight line (horizontal,")
def test_player_2_wins_in_the_same_way(line: tuple[str, ...]) -> None:
    match = begin(KEY, first=PLAYER_2, grid=grid_with(line, (2, 4, 6)))
    assert play(match, marks(line)).outcome == PLAYER_2_WINS


@rule(KEY, "Objective: Be the first player to create a straight line (horizontal,")
def test_player_who_moves_second_can_win() -> None:
    match = play(new(grid=EXAMPLE_2), "1,1 2,1 1,2 2,2 3,3")
    assert match.outcome is None
    assert play(match, "2,3").outcome == PLAYER_2_WINS


@pytest.mark.parametrize("numbers", [(2, 4, 6), (9, 6, 3), (1, 2, 3), (3, 2, 1), (1, 5, 9), (9, 5, 1), (8, 5, 2)])
@rule(KEY, "Objective: An arithmetic sequence has a common difference between")
@rule(KEY, "Rules 1 and 2, the arithmetic sequence: The difference between")
def test_sequence_with_a_common_difference_is_arithmetic(numbers: tuple[int, ...]) -> None:
    match = new(grid=grid_with(LINES[0], numbers))
    assert play(match, marks(LINES[0])).outcome == PLAYER_1_WINS


@pytest.mark.parametrize("numbers", [(2, 6, 4), (4, 2, 6), (1, 3, 2), (5, 1, 9), (1, 2, 4), (9, 6, 4)])
@rule(KEY, "Objective: The sequence must follow the direction of the line formed on the grid.")
@rule(KEY, "Rules 1 and 2, the arithmetic sequence: The numbers must form")
def test_numbers_count_in_the_order_of_the_line(numbers: tuple[int, ...]) -> None:
    match = new(grid=grid_with(LINES[0], numbers))
    assert play(match, marks(LINES[0])).outcome is None


# Setup


@pytest.mark.parametrize("seed", ["0", "1", "coffee"])
@rule(KEY, "Setup: Prepare a 3x3 grid. Randomly assign the numbers 1 through")
def test_grid_holds_each_number_from_1_to_9_once(seed: str) -> None:
    assert sorted(grid_of(begin(KEY, seed=seed))) == list(range(1, 10))


@rule(KEY, "Setup: Prepare a 3x3 grid. Randomly assign the numbers 1 through")
def test_deal_is_random_and_every_number_is_as_likely_in_every_cell() -> None:
    game, random, deals = catalog.find_game(KEY), Random(5), 3000
    grids = [str(game.rounds.deal(game.options(), 1, random).grid) for _ in range(deals)]
    assert len(set(grids)) > deals - 50  # of 362880 grids, few are dealt twice
    counts = Counter((cell, digit) for grid in grids for cell, digit in enumerate(grid))
    assert len(counts) == 81
    assert all(abs(count - deals / 9) < 86 for count in counts.values())  # five standard deviations


@rule(KEY, "Setup: Prepare a 3x3 grid. Randomly assign the numbers 1 through")
def test_deal_follows_from_the_seed() -> None:
    grids = [grid_of(begin(KEY, seed=str(seed))) for seed in range(20)]
    assert grids == [grid_of(begin(KEY, seed=str(seed))) for seed in range(20)]
    assert len({tuple(grid) for grid in grids}) == 20


@rule(KEY, "Setup: Prepare a 3x3 grid. Randomly assign the numbers 1 through")
def test_grid_can_be_given() -> None:
    assert grid_of(new(grid=EXAMPLE_1)) == [5, 3, 8, 1, 6, 7, 4, 9, 2]


@rule(KEY, "Setup: Player 1: X. Player 2: O.")
@rule(KEY, "Turns: Place your marker (X or O) on the chosen cell.")
def test_player_1_marks_with_x_and_player_2_with_o() -> None:
    match = play(new(grid=EXAMPLE_1), "1,1")
    assert told(match)[0] == "Player 1 placed an 'X' on cell (1,1)"
    assert told(play(match, "2,2"))[0] == "Player 2 placed an 'O' on cell (2,2)"


@rule(KEY, "Setup: Decide which player goes first (e.g., by a coin toss).")
def test_either_player_may_begin_and_keeps_his_marker() -> None:
    match = begin(KEY, first=PLAYER_2, grid=EXAMPLE_1)
    assert match.turn == PLAYER_2
    assert told(play(match, "1,1"))[0] == "Player 2 placed an 'O' on cell (1,1)"
    assert told(play(match, "2,2"))[0] == "Player 1 placed an 'X' on cell (2,2)"


# Components


@rule(KEY, "Components: Grid: a 3x3 grid displaying the numbers 1 to 9. Markers:")
@rule(KEY, "Turns: Place your marker (X or O) on the chosen cell.")
def test_grid_is_shown_with_numbers_and_markers() -> None:
    match = new(grid=EXAMPLE_1)
    assert asked(match)[:4] == ["Current Grid:", "| 5 | 3 | 8 |", "| 1 | 6 | 7 |", "| 4 | 9 | 2 |"]
    play(match, "1,1 2,2")
    assert asked(match)[:4] == ["Current Grid:", "| X | 3 | 8 |", "| 1 | O | 7 |", "| 4 | 9 | 2 |"]


@rule(KEY, "Components: Grid: a 3x3 grid displaying the numbers 1 to 9. Markers:")
def test_numbers_under_the_markers_stay_knowable() -> None:
    match = play(new(grid=EXAMPLE_1), "1,1 2,2")
    assert "Under the markers: X 5 at (1,1), O 6 at (2,2)" in asked(match)
    tiles = [tile for row in match.game.display.view(match.moment)[0].rows for tile in row]
    assert [tile.text for tile in tiles] == EXAMPLE_1.split(",")
    assert [tile.note for tile in tiles] == ["X", "", "", "", "O", "", "", "", ""]
    assert [tile.owner for tile in tiles if tile.note] == [PLAYER_1, PLAYER_2]


# Turns


@rule(KEY, "Turns: On your turn, select any unmarked cell on the grid.")
def test_any_unmarked_cell_may_be_selected() -> None:
    match = new(grid=EXAMPLE_1)
    assert choices(match) == CELLS
    assert choices(play(match, "1,1 2,2")) == ["1,2", "1,3", "2,1", "2,3", "3,1", "3,2", "3,3"]


@pytest.mark.parametrize("text", ["2,1", "2 1", "(2,1)", "(2, 1)", " 2;1 "])
@rule(KEY, "Turns: On your turn, select any unmarked cell on the grid.")
def test_cell_is_named_by_row_and_column(text: str) -> None:
    match = new(grid=EXAMPLE_1)
    match.play(match.read(text))
    assert asked(match)[1:4] == ["| 5 | 3 | 8 |", "| X | 6 | 7 |", "| 4 | 9 | 2 |"]


# Rules and mechanics


@rule(KEY, "Rules 1 and 2, the arithmetic sequence: Common differences can")
def test_positive_common_difference_wins() -> None:
    # 3, 6, 9 stand in the middle column of Example 1's grid.
    match = play(new(grid=EXAMPLE_1), "1,2 1,1 2,2 1,3 3,2")
    assert match.outcome == PLAYER_1_WINS
    assert announced(match)[-1] == (
        "Player 1 has formed an arithmetic sequence with numbers 3, 6, 9 (common difference of +3) and wins the game!"
    )


@rule(KEY, "Rules 1 and 2, the arithmetic sequence: Common differences can")
def test_negative_common_difference_wins() -> None:
    match = play(new(grid=EXAMPLE_2), "2,1 1,1 2,2 1,2 2,3")
    assert match.outcome == PLAYER_1_WINS
    assert announced(match)[-1] == (
        "Player 1 has formed an arithmetic sequence with numbers 9, 5, 1 (common difference of -4) and wins the game!"
    )


@rule(KEY, "Rules 1 and 2, the arithmetic sequence: The numbers must form")
def test_line_wins_in_whatever_order_its_cells_are_marked() -> None:
    for moves in ("2,3 1,1 2,1 1,2 2,2", "2,2 1,1 2,3 1,2 2,1"):
        assert play(new(grid=EXAMPLE_2), moves).outcome == PLAYER_1_WINS


@rule(KEY, "Objective: The sequence must follow the direction of the line formed on the grid.")
def test_reading_a_line_backwards_changes_nothing() -> None:
    backwards = ",".join(reversed(EXAMPLE_2.split(",")))
    assert play(new(grid=backwards), "2,1 1,1 2,2 1,2 2,3").outcome == PLAYER_1_WINS


@rule(KEY, "Rules 3, winning: The first player to meet the objective wins the game.")
def test_first_player_to_meet_the_objective_wins_at_once() -> None:
    match = play(new(grid=EXAMPLE_2), "2,1 1,1 2,2 1,2 2,3")
    assert choices(match) == []
    with pytest.raises(GameOver):
        match.read("3,3")
    with pytest.raises(GameOver):
        match.next_round()


@rule(KEY, "Rules 3, winning: The first player to meet the objective wins the game.")
def test_last_free_cell_can_win() -> None:
    # 9 and 5 early, 1 as the very last cell.
    match = play(new(grid=EXAMPLE_2), "2,1 1,1 2,2 1,2 1,3 3,1 3,2 3,3")
    assert match.outcome is None
    assert play(match, "2,3").outcome == PLAYER_1_WINS


@rule(KEY, "Rules 3, winning: The first player to meet the objective wins the game.")
def test_two_lines_at_once_win_too() -> None:
    # 2, 5, 8 on one diagonal and 6, 5, 4 on the other meet in the middle.
    match = play(new(grid=EXAMPLE_2), "1,1 1,2 3,3 2,1 1,3 2,3 3,1 3,2 2,2")
    assert match.outcome == PLAYER_1_WINS


@rule(KEY, "Rules 3, winning: If all cells are marked without any player")
def test_full_grid_without_a_winner_leads_to_a_new_grid() -> None:
    match = play(new(grid=EXAMPLE_1), FULL)
    assert match.outcome is None
    assert match.between_rounds
    assert choices(match) == []
    assert announced(match)[-1] == "The grid is full, and nobody has formed an arithmetic sequence."
    match.next_round()
    assert len(match.rounds) == 2
    assert choices(match) == CELLS
    assert sorted(grid_of(match)) == list(range(1, 10))


@rule(KEY, "Rules 3, winning: If all cells are marked without any player")
def test_other_player_begins_the_next_round() -> None:
    for first in (PLAYER_1, PLAYER_2):
        match = play(begin(KEY, first=first, grid=DEAD), FULL)
        beginners = [first]
        for _ in range(3):
            match.next_round(dealt(DEAD))
            beginners.append(match.turn)
            play(match, FULL)
        assert beginners == [first, opponent(first)] * 2


@rule(KEY, "Rules 3, winning: If all cells are marked without any player")
def test_each_new_grid_is_dealt_at_random_though_the_first_was_given() -> None:
    match = new(grid=DEAD)
    seen = {tuple(grid_of(match))}
    for _ in range(4):
        while match.outcome is None and not match.game.rules.settled(match.rules.packed, match.position):
            match.play(match.legal_moves[0])
        if match.outcome is not None:
            break
        match.next_round()
        seen.add(tuple(grid_of(match)))
    assert len(seen) == len(match.rounds) > 1


@rule(KEY, "Turns: Once a cell is marked, it cannot be selected again.")
@rule(KEY, "Rules 4, invalid moves: Selecting an already marked cell is not allowed.")
def test_marked_cell_cannot_be_selected_again() -> None:
    match = play(new(grid=EXAMPLE_1), "1,1 2,2")
    assert refusal(match, "2,2") == "the 6 at (2,2) is marked already"
    assert refusal(match, "1 1") == "the 5 at (1,1) is marked already"
    assert match.turn == PLAYER_1


@rule(KEY, "Rules 4, invalid moves: Forming a line where the numbers do not")
def test_line_of_markers_without_arithmetic_sequence_is_no_win() -> None:
    match = play(new(grid=EXAMPLE_1), "1,1 2,2 1,2 2,3 1,3")  # 5, 3, 8
    assert match.outcome is None
    assert match.turn == PLAYER_2


@rule(KEY, "Rules 1 and 2, the arithmetic sequence: Form a straight line")
def test_three_own_markers_that_are_no_line_are_no_win() -> None:
    # 3 (1,2), 4 (3,1) and 5 (1,1) of Example 1's grid: a sequence, but no line.
    assert play(new(grid=EXAMPLE_1), "1,2 2,2 3,1 2,3 1,1").outcome is None


# Scoring


@rule(KEY, "Rules 3, winning: If all cells are marked without any player")
@rule(KEY, "Scoring: No draws: play continues in subsequent games if necessary")
def test_match_has_no_draw_and_goes_on_until_somebody_wins() -> None:
    match = new(grid=DEAD)
    for _ in range(4):
        play(match, FULL)
        assert match.outcome is None
        match.next_round(dealt(DEAD))
    match.next_round(dealt(EXAMPLE_2))
    assert match.turn == PLAYER_2  # round 6
    assert play(match, "2,1 1,1 2,2 1,2 2,3").outcome == PLAYER_2_WINS


# The worked examples


@rule(KEY, "Examples: Example 1: all cells are marked, nobody has won, (2,2)")
def test_example_1() -> None:
    match = new(grid=EXAMPLE_1)
    played = [
        ("1,1", 5), ("2,2", 6), ("1,2", 3), ("2,3", 7), ("1,3", 8), ("3,2", 9), ("2,1", 1), ("3,3", 2),
    ]  # fmt: skip
    for ply, (cell, number) in enumerate(played):
        assert match.turn == PLAYERS[ply % 2]
        assert grid_of(match)[CELLS.index(cell)] == number
        assert play(match, cell).outcome is None
    assert match.turn == PLAYER_1
    assert refusal(match, "2,2") == "the 6 at (2,2) is marked already"
    assert play(match, "3,1").outcome is None
    assert match.between_rounds


@rule(KEY, "Examples: Example 2: Player 1 wins with 9, 5, 1, a common difference of -4.")
def test_example_2_as_corrected() -> None:
    # Player 2 has marked the 5, so Player 1 has no three markers in that row, and play goes on.
    match = play(new(grid=EXAMPLE_2), "2,1 2,2 2,3")
    assert match.outcome is None
    assert match.turn == PLAYER_2
    assert choices(match) == ["1,1", "1,2", "1,3", "3,1", "3,2", "3,3"]


@rule(KEY, "Examples: Example 2: Player 1 wins with 9, 5, 1, a common difference of -4.")
def test_example_2_wins_with_three_own_markers() -> None:
    match = play(new(grid=EXAMPLE_2), "2,1 1,1 2,2 1,2 2,3")
    assert match.outcome == PLAYER_1_WINS


@rule(KEY, "Strategy tips: Consider blocking your opponent by marking a crucial cell.")
def test_blocking_a_crucial_cell() -> None:
    match = play(new(grid=EXAMPLE_2), "2,1 1,1 2,2 2,3")
    assert "2,3" not in choices(match)
    assert match.outcome is None


# Rulings: rounds, limits, dead grids


@rule(KEY, "Rulings: A match takes a cap on rounds; a match that reaches it is undecided.")
def test_match_that_reaches_its_cap_on_rounds_is_undecided() -> None:
    match = play(new(grid=DEAD, max_rounds=2), FULL)
    assert match.outcome is None
    match.next_round(dealt(DEAD)._replace(max_rounds=2))
    assert play(match, FULL).outcome == UNDECIDED
    assert choices(match) == []
    with pytest.raises(GameOver):
        match.next_round()


@rule(KEY, "Rulings: A match takes a cap on rounds; a match that reaches it is undecided.")
def test_match_of_one_round_is_undecided_when_the_grid_is_full() -> None:
    assert play(new(grid=EXAMPLE_1, max_rounds=1), FULL).outcome == UNDECIDED


@rule(KEY, "Rulings: A match takes a cap on rounds; a match that reaches it is undecided.")
def test_cap_on_rounds_can_come_from_the_set_up() -> None:
    assert play(begin(KEY, cap=1, grid=DEAD), FULL).outcome == UNDECIDED
    match = play(begin(KEY, cap=2, grid=DEAD, max_rounds=5), FULL)
    match.next_round(dealt(DEAD)._replace(max_rounds=5))
    assert play(match, FULL).outcome == UNDECIDED


@rule(KEY, "Rulings: A match takes a cap on rounds; a match that reaches it is undecided.")
def test_last_round_can_still_be_won() -> None:
    match = play(new(grid=EXAMPLE_2, max_rounds=1), "2,1 1,1 2,2 1,2 2,3")
    assert match.outcome == PLAYER_1_WINS


@rule(KEY, "Rulings: When no line can be completed any more by anyone, say")
def test_grid_without_an_arithmetic_line_is_said_to_be_dead() -> None:
    match = new(grid=DEAD)
    assert not has_arithmetic_line(grid_of(match))
    lines = match.game.display.opening(match.moment)
    assert lines[0] == "This grid holds no arithmetic line: nobody can win it. Type next for a new grid."
    assert new(grid=EXAMPLE_1).game.display.opening(new(grid=EXAMPLE_1).moment) == []


@rule(KEY, "Rulings: When no line can be completed any more by anyone, say")
def test_dead_grid_is_announced_once_when_no_line_can_be_completed() -> None:
    # 3, 6, 9 and 8, 6, 4 share the 6, which Player 2 takes; Player 1 blocks with the 9 and then with the 4.
    notice = "No line can be completed any more, by anyone. Type next for a new grid, or play on."
    match = new(grid=EXAMPLE_1)
    heard = []
    for cell in ("1,1", "2,2", "3,2", "1,3", "3,1", "1,2"):
        heard.append(notice in told(play(match, cell)))
    assert heard == [False, False, False, False, True, False]


@rule(KEY, "Rulings: When no line can be completed any more by anyone, say")
def test_players_can_agree_to_leave_a_dead_grid() -> None:
    match = new(grid=DEAD)
    play(match, "1,1")
    match.next_round()
    assert len(match.rounds) == 2
    assert match.turn == PLAYER_2  # who did not begin the dead one
    assert match.outcome is None


@rule(KEY, "Rulings: When no line can be completed any more by anyone, say")
def test_dead_grid_may_be_played_on() -> None:
    match = play(new(grid=DEAD), FULL)
    assert match.between_rounds


@rule(KEY, "Rulings: When no line can be completed any more by anyone, say")
def test_grid_that_can_still_be_won_cannot_be_left() -> None:
    match = new(grid=EXAMPLE_1)
    with pytest.raises(NoNextRound, match="a player can still win it"):
        match.next_round()
    assert len(match.rounds) == 1


@rule(KEY, "Rulings: When no line can be completed any more by anyone, say")
def test_dead_grid_of_the_last_round_is_played_out() -> None:
    match = new(grid=DEAD, max_rounds=1)
    with pytest.raises(NoNextRound, match="this is the last round: play it out"):
        match.next_round()
    assert play(match, FULL).outcome == UNDECIDED


@pytest.mark.parametrize("grid", [EXAMPLE_1, EXAMPLE_2, DEAD, "1,2,3,9,4,8,5,7,6"])
@rule(KEY, "Rulings: When no line can be completed any more by anyone, say")
def test_grid_is_dead_exactly_when_no_continuation_wins(grid: str) -> None:
    match = new(grid=grid)
    game, options = match.game, match.rules.packed
    at = dict(zip(CELLS, grid_of(match), strict=True))
    winning = [set(line) for line in LINES if at[line[1]] - at[line[0]] == at[line[2]] - at[line[1]]]

    @cache
    def can_be_won(mine: frozenset[str], theirs: frozenset[str], position: tuple[int, ...]) -> bool:
        """Whether some way to play on ends with a winner; checks every position on the way."""
        if any(line <= theirs for line in winning):
            return True
        open_to_win = False
        for cell in CELLS:
            if cell not in mine | theirs:
                move = CELLS.index(cell) + 1
                if can_be_won(theirs, mine | {cell}, game.rules.play(options, position, move)):
                    open_to_win = True
        assert game.rules.settled(options, position) == (not open_to_win), (mine, theirs)
        return open_to_win

    can_be_won(frozenset(), frozenset({"1,1"}), game.rules.play(options, match.position, 1))


@rule(KEY, "Setup: Prepare a 3x3 grid. Randomly assign the numbers 1 through")
@rule(KEY, "Rulings: A deal with at least one winnable line is an option, not the default.")
def test_any_deal_may_hold_no_arithmetic_line() -> None:
    grids = [grid_of(begin(KEY, seed=str(seed))) for seed in range(40)]
    assert {has_arithmetic_line(grid) for grid in grids} == {True, False}


@rule(KEY, "Rulings: A deal with at least one winnable line is an option, not the default.")
def test_winnable_deal_always_has_an_arithmetic_line() -> None:
    grids = [grid_of(begin(KEY, seed=str(seed), deal="winnable")) for seed in range(200)]
    assert all(has_arithmetic_line(grid) for grid in grids)
    assert all(sorted(grid) == list(range(1, 10)) for grid in grids)
    assert len({tuple(grid) for grid in grids}) > 190


@rule(KEY, "Rulings: A deal with at least one winnable line is an option, not the default.")
def test_winnable_deal_holds_for_every_round() -> None:
    match = new(deal="winnable", max_rounds=30)
    random = Random(3)
    while match.outcome is None:
        assert has_arithmetic_line(grid_of(match))
        while match.legal_moves:
            match.play(random.choice(match.legal_moves))
        if match.between_rounds:
            match.next_round()


# Rulings for all games


@rule(KEY, "Rules 4, invalid moves: Selecting an already marked cell is not allowed.")
def test_text_that_names_no_cell_is_asked_again() -> None:
    match = new(grid=EXAMPLE_1)
    for text in ("", "middle", "4,1", "0 2", "0", "10", "1,1,1"):
        assert unreadable(match, text) == "please select the number of a free cell"


@rule(KEY, "Rules 4, invalid moves: Selecting an already marked cell is not allowed.")
def test_a_cell_can_be_named_by_the_number_in_it() -> None:
    match = new(grid=EXAMPLE_1)  # 5 3 8, 1 6 7, 4 9 2
    assert play(match, "9 (7) 1,3").moment.moves == (8, 6, 3)
    assert refusal(match, "7") == "the 7 at (2,3) is marked already"


@pytest.mark.parametrize(("player", "outcome"), [(PLAYER_1, PLAYER_1_RESIGNS), (PLAYER_2, PLAYER_2_RESIGNS)])
@rule(KEY, "Rulings: Resigning is always possible and loses.")
def test_resigning_between_rounds_is_possible_and_loses(player: PlayerNumber, outcome: Outcome) -> None:
    match = play(new(grid=DEAD), FULL)
    assert match.between_rounds
    match.resign(player)
    assert match.outcome == outcome
    with pytest.raises(GameOver):
        match.read("3,3")
    with pytest.raises(GameOver):
        match.next_round()


@rule(KEY, "Rulings: The defaults are the book's; a bad option is named with what is allowed.")
def test_defaults_are_the_book() -> None:
    options = catalog.find_game(KEY).defaults
    assert (options.grid, options.deal, options.max_rounds) == (None, "any", None)  # a random grid of any kind, no cap
    match = begin(KEY, grid=DEAD)
    assert match.game.rounds.maximum(match.rules.packed) == NO_CAP
    assert not match.last_round


@rule(KEY, "Rulings: The defaults are the book's; a bad option is named with what is allowed.")
def test_winnable_deal_of_a_given_dead_grid_is_refused() -> None:
    assert refused_options(KEY, grid=DEAD, deal="winnable") == (
        "the given grid has no line that can win, so it is not a winnable deal; leave out one of the two options"
    )
    assert grid_of(new(grid=EXAMPLE_1, deal="winnable")) == [5, 3, 8, 1, 6, 7, 4, 9, 2]


@rule(KEY, "Rulings: The defaults are the book's; a bad option is named with what is allowed.")
def test_lively_deal_of_a_given_grid_with_too_few_lines_is_refused() -> None:
    for grid, lines in ((DEAD, "no line"), (EXAMPLE_1, "2 lines")):
        assert refused_options(KEY, grid=grid, deal="lively") == (
            f"the given grid has {lines} that can win, so it is not a lively deal; leave out one of the two options"
        )


@rule(KEY, "Rulings: A deal with at least one winnable line is an option, not the default.")
def test_lively_deal_has_four_arithmetic_lines_or_more() -> None:
    for seed in range(10):
        grid = grid_of(begin(KEY, seed=str(seed), deal="lively"))
        assert count_arithmetic_lines(grid) >= 4
