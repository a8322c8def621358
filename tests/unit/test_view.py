"""What the view says beyond what the tables of the rule ledger ask for."""

from __future__ import annotations

from tests.support.tabletop import begin, play


def test_the_view_marks_the_three_cells_that_won_and_no_others() -> None:
    match = begin("sequence-spot", grid="2,7,6,9,5,1,4,3,8")  # the middle row holds 9, 5, 1
    play(match, "2,1 1,2 2,2 3,1")
    (grid,) = match.game.display.view(match.moment)
    assert not any(tile.won for row in grid.rows for tile in row)
    play(match, "2,3")
    (grid,) = match.game.display.view(match.moment)
    assert [tile.text for row in grid.rows for tile in row if tile.won] == ["9", "5", "1"]
