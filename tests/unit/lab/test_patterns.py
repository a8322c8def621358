"""The patterns of docs/solved.md, in every square of the atlas."""

from __future__ import annotations

from collections.abc import Iterator

from parlour.lab.atlas import atlas
from parlour.lab.measures import Row
from parlour.score import Value


def squares(key: str, **wanted: str) -> Iterator[tuple[dict[str, str], Row]]:
    """The squares of a map with these options, of which it is known who wins and with which first moves."""
    for row in atlas()[key].rows:
        if row.keeping_first_moves is not None and all(row.options[name] == text for name, text in wanted.items()):
            yield row.options, row


def test_double_up_is_won_in_intervals_that_double() -> None:
    won = {limit for k in range(1, 12) for limit in range(3 * 2**k - 1, 2 ** (k + 2) - 1)}
    assert {5, 6, 11, 14, 23, 30, 95, 126} <= won
    found = list(squares("double-up"))
    assert len(found) == 400
    for options, row in found:
        assert row.value == (Value.WIN if int(options["limit"]) in won else Value.LOSS), options


def test_sequence_spot_is_a_draw_whatever_the_first_mark() -> None:
    found = list(squares("sequence-spot"))
    assert len(found) == 153
    assert {(row.value, row.keeping_first_moves) for _, row in found} == {(Value.DRAW, 9)}


def test_sequence_builder_by_the_books_steps() -> None:
    found = list(squares("sequence-builder", increments="1,2,3"))
    assert len(found) > 100
    for options, row in found:
        length, pool = int(options["length"]), int(options["pool"])
        more = pool - (length * (length - 1) // 2 + 1)
        if length <= 5 and more > 0:
            assert (row.value, row.keeping_first_moves) == (Value.WIN, more), options
        elif length >= 6:
            assert row.value is Value.DRAW, options
            if pool >= 19:
                assert row.keeping_first_moves == 11 - length, options


def test_sequence_builder_in_longer_steps() -> None:
    found = list(squares("sequence-builder", increments="2,3,5"))
    large = [(options, row) for options, row in found if int(options["pool"]) >= 3 * int(options["length"]) - 2]
    assert len(large) > 50
    for options, row in large:
        first_moves = int(options["pool"]) - 3 * int(options["length"]) + 3
        assert (row.value, row.keeping_first_moves) == (Value.WIN, first_moves), options


def test_pyramid_challenge() -> None:
    free = list(squares("pyramid-challenge", copies="none"))
    assert len(free) >= 20
    assert all(row.value is Value.WIN and row.keeping_first_moves == row.first_moves for _, row in free)
    single = list(squares("pyramid-challenge", copies="1", base="3"))
    assert len(single) == 11
    assert {row.value for _, row in single} == {Value.DRAW}


def test_increasing_differences_is_won_with_every_first_number_from_some_range_on() -> None:
    begins = dict(zip(range(2, 12), (3, 7, 11, 13, 16, 20, 22, 25, 28, 29), strict=True))
    found = list(squares("increasing-differences"))
    assert len(found) > 60
    for options, row in found:
        length, numbers = int(options["length"]), int(options["range"])
        every = row.value is Value.WIN and row.keeping_first_moves == row.first_moves
        assert every == (numbers >= begins[length]), options
