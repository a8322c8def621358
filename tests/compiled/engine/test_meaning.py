"""Compiled code means what the same code means in Python, up to the edges of 64 bits."""

from __future__ import annotations

import math
from collections.abc import Callable
from math import sqrt
from types import FunctionType
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.engine.primitives import Bytes, Floats, Ints, Shorts, Word, draw_below, lowest_bit, next_state, select_bit
from parlour.engine.search import sort_range
from parlour.engine.tree import natural_log
from parlour.game import mirrored, popcount
from tests.support.compiled import TRAP, Compiled

PRIMES = (2, 3, 5, 7, -11)
HALVES = (0.5, -1.5)
LARGE = (1 << 62) + 1


class Pair(NamedTuple):
    left: int
    right: int


# One operator each. The lower 64 bits of the operands decide the lower 64 bits of the result.


def add(a: int, b: int) -> int:
    return a + b


def subtract(a: int, b: int) -> int:
    return a - b


def multiply(a: int, b: int) -> int:
    return a * b


def both(a: int, b: int) -> int:
    return a & b


def either(a: int, b: int) -> int:
    return a | b


def differing(a: int, b: int) -> int:
    return a ^ b


def inverted(a: int, b: int) -> int:
    return ~a


def negative(a: int, b: int) -> int:
    return -a


def up(a: int, b: int) -> int:
    return a << b


def raised(a: int, b: int) -> int:
    return a**b


def masked(a: int, b: int) -> int:
    return a & (LARGE << b)


def mixed(a: int, b: int) -> int:
    return (a * 3 - b * 5) ^ ~(a << 3) | (b + LARGE)


MODULAR = [add, subtract, multiply, both, either, differing, inverted, negative, mixed]


# All bits decide.


def down(a: int, b: int) -> int:
    return a >> b


def floor_divide(a: int, b: int) -> int:
    return a // b


def remainder(a: int, b: int) -> int:
    return a % b


def magnitude(a: int, b: int) -> int:
    return abs(a)


def bits(a: int, b: int) -> int:
    return a.bit_length() * 100 + b.bit_count()


def extremes(a: int, b: int) -> int:
    return max(a, b, 7) ^ min(a, b)


def compared(a: int, b: int) -> int:
    return (a < b) + (a <= b) * 2 + (a == b) * 4 + (a != b) * 8 + (a > b) * 16 + (a >= b) * 32


def chained(a: int, b: int) -> int:
    return -5 < a <= b + 0 < LARGE != a


def contained(a: int, b: int) -> int:
    return (a in (b, 0, -1, LARGE)) + 2 * (b not in (a, 1))


def values(a: int, b: int) -> int:
    return ((a and b) ^ (b or a)) + (not a) + bool(b)


def conditional(a: int, b: int) -> int:
    return (a if a > b else b) >> (1 if a and not b else 2)


def middle(a: int, b: int) -> int:
    return (a + b) // 2 + ((a * b) % 1000) - ((a - b) >> 3) + (a * b > 0)


def opened(a: int, b: int) -> int:
    return (2 << 60) - 2 >> b << b | a >> 2 * b


def place_of_constant(a: int, b: int) -> int:
    return PRIMES[a] + PRIMES[b % 5]


EXACT = [down, floor_divide, remainder, magnitude, bits, extremes, compared, chained, contained, values, conditional]
EXACT += [middle, place_of_constant]


# Statements.


def swapped(a: int, b: int) -> int:
    a, b = b, a
    pair = Pair(a, right=b)
    left, right = pair._replace(left=pair.right)
    a = left ^ 1
    first = second = a ^ right
    return (first & 15) * 16 + (second & 15) + (pair == Pair(b, a)) * 256 + (pair != Pair(a, b)) * 512 + pair[1] % 7


def looped(a: int, b: int) -> int:
    total = last = 0
    for number in range(a % 50, b % 50 - 60, -7):
        last = number
        if number == 3:
            continue
        if number < -20:
            break
        total += number
    for prime in PRIMES:
        total = total * 3 + prime
        last -= prime
    for place in range(5):
        number = PRIMES[place]
        while number > 0:
            total -= place
            number //= 2
    for _ in range(0):
        total = 0
    return total * 1000 + last


def to_the_edge(a: int, b: int) -> int:
    count = 0
    for _ in range((1 << 62) + ((1 << 62) - 10), (1 << 62) + ((1 << 62) - 1), 4):
        count += 1
    for _ in range(3 - (1 << 62) - (1 << 62), -(1 << 62) - (1 << 62), -2):
        count += 10
    for _ in range((1 << 62) + ((1 << 62) - 3), (1 << 62) + ((1 << 62) - 1)):
        count += 100
    for _ in range(3 - (1 << 62) - (1 << 62), -(1 << 62) - (1 << 62), -1):
        count += 1000
    return count


def by_powers_of_two(a: int, b: int) -> int:
    return a // 1 - a // 8 * 8 - a % 16 + b // 4611686018427387904 + b % 4611686018427387904 + a % 1


def deep(a: int, b: int) -> int:
    return deep(a - 1, b) + 1 if a % 64 else b & 1


def assigned_on_both_ways(a: int, b: int) -> int:
    if a > b:
        found = 1
    elif a == b:
        return 5
    else:
        found = 2
    return found


STATEMENTS = [swapped, looped, to_the_edge, by_powers_of_two, deep, assigned_on_both_ways]


# Floats.


def arithmetic(a: float, b: float) -> float:
    return (a + b) * (a - 3) - -b * HALVES[1] + (1 if a > b else 0)


def quotient(a: float, b: float) -> float:
    return a / b


def root(a: float, b: float) -> float:
    return sqrt(a)


def whole(a: float, b: float) -> int:
    return int(a) + (a < b) * 2 + (a == b) + (a >= b) * 4


def int_quotient(a: int, b: int) -> float:
    return a / b


def as_float(a: int, b: int) -> float:
    return float(a)


def constants(a: float, b: float) -> float:
    return (a if b > -1e308 else -0.0) + 1e-320


# Arrays.


def shuffle(numbers: Ints, count: int) -> int:
    for place in range(count):
        numbers[place] += numbers[count - 1 - place] & 255
        numbers[place] ^= place
    return numbers[0]


def halves(numbers: Floats, count: int) -> None:
    for place in range(count):
        numbers[place] = numbers[place] / 2 + place


def stored(numbers: Ints, value: int) -> None:
    numbers[0] = value


def stored_short(numbers: Shorts, value: int) -> int:
    numbers[0] = value
    return numbers[0]


def stored_byte(numbers: Bytes, value: int) -> int:
    numbers[0] = value
    return numbers[0]


def at_place(numbers: Ints, place: int) -> int:
    return numbers[place]


# Functions with a C body of their own, called from Python and from C.


def call_lowest_bit(a: int, b: int) -> int:
    return lowest_bit(a)


def call_popcount(a: int, b: int) -> int:
    return popcount(a)


def call_select_bit(mask: int, place: int) -> int:
    return select_bit(mask, place)


def call_mirrored(mask: int, width: int) -> int:
    return mirrored(mask, width)


def call_draw_below(state: Word, bound: int) -> int:
    return draw_below(state, bound)


def call_next_state(state: Word) -> Word:
    return next_state(state)


def call_sort_range(numbers: Ints, begin: int, end: int) -> None:
    sort_range(numbers, begin, end)


FUNCTIONS = [
    value for value in list(globals().values()) if isinstance(value, FunctionType) and value.__module__ == __name__
]
FUNCTIONS.append(natural_log)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def released() -> Compiled:
    return Compiled(FUNCTIONS, checked=False)


@pytest.fixture(scope="module")
def checked() -> Compiled:
    return Compiled(FUNCTIONS, checked=True)


WORD = 1 << 64
POWERS = [1 << bits for bits in (0, 1, 31, 32, 53, 61, 62, 63)]
EDGES = [sign * power + by for power in POWERS for sign in (1, -1) for by in range(-2, 3)]
ANY = st.integers(-WORD // 2, WORD // 2 - 1)
INTS = st.sampled_from([edge for edge in EDGES if -WORD // 2 <= edge < WORD // 2]) | ANY
COUNTS = st.integers(-2, 130)
FLOATS = st.floats() | st.sampled_from([0.0, -0.0, 1.0, 2.0**53, 2.0**62, -(2.0**63), 2.0**63, math.inf, math.nan])


def in_python(function: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return function(*arguments)
    except (ArithmeticError, ValueError, IndexError):
        return TRAP


def fits(value: Any) -> bool:
    return value is TRAP or isinstance(value, float) or -WORD // 2 <= value < WORD // 2


def signed(value: int) -> int:
    return (value + WORD // 2) % WORD - WORD // 2


@pytest.mark.parametrize("function", MODULAR)
@given(a=INTS, b=INTS)
def test_lower_bits_are_always_right(released: Compiled, checked: Compiled, function: Any, a: int, b: int) -> None:
    expected = function(a, b)
    assert released(function, a, b) == signed(expected)
    assert checked(function, a, b) == (expected if fits(expected) else TRAP)


@pytest.mark.parametrize("function", [up, masked, raised, opened, down])
@given(a=INTS, b=COUNTS)
def test_shifts_and_powers_by_any_number(released: Compiled, checked: Compiled, function: Any, a: int, b: int) -> None:
    expected = TRAP if function is raised and b < 0 else in_python(function, a, b)
    if expected is TRAP:
        assert released(function, a, b) == checked(function, a, b) == TRAP
    else:
        assert released(function, a, b) == signed(expected)
        assert checked(function, a, b) in ((expected, TRAP) if fits(expected) else (TRAP,))
        if function in (opened, down):  # what Increasing Differences does: no bit is lost, however far it shifts
            assert checked(function, a, b) == expected


@pytest.mark.parametrize("function", EXACT)
@given(a=INTS, b=INTS)
def test_operators_that_need_all_bits(released: Compiled, checked: Compiled, function: Any, a: int, b: int) -> None:
    """Checked code gives Python's result or traps; released code gives the same wherever checked code does not trap."""
    expected = in_python(function, a, b)
    found = checked(function, a, b)
    assert found in (expected, TRAP)
    if found != TRAP or expected == TRAP:
        assert released(function, a, b) == expected
    if function not in (
        middle,
        magnitude,
        floor_divide,
        remainder,
        chained,
    ):  # no step needs more bits than the result
        assert found == (expected if expected == TRAP or fits(expected) else TRAP)


@pytest.mark.parametrize("function", EXACT)
@given(a=st.integers(-40, 40), b=st.integers(-40, 40))
def test_small_numbers_never_trap(released: Compiled, checked: Compiled, function: Any, a: int, b: int) -> None:
    assert released(function, a, b) == checked(function, a, b) == in_python(function, a, b)


@pytest.mark.parametrize("function", STATEMENTS)
@given(a=INTS, b=INTS)
def test_statements(released: Compiled, checked: Compiled, function: Any, a: int, b: int) -> None:
    assert released(function, a, b) == checked(function, a, b) == function(a, b)


def same(one: Any, two: Any) -> bool:
    """Equal to the last bit, where neither is a NaN."""
    if isinstance(one, float) and isinstance(two, float):
        return one.hex() == two.hex()
    return bool(one == two)


@pytest.mark.parametrize("function", [arithmetic, quotient, root, whole, constants])
@given(a=FLOATS, b=FLOATS)
def test_floats_to_the_last_bit(released: Compiled, checked: Compiled, function: Any, a: float, b: float) -> None:
    expected = in_python(function, a, b)
    if function is root and math.isnan(a):
        expected = TRAP  # not a number in Python; no kernel needs it
    if not fits(expected):
        expected = TRAP
    assert same(released(function, a, b), expected)
    assert same(checked(function, a, b), expected)


@given(a=INTS, b=INTS)
def test_integers_as_floats(released: Compiled, checked: Compiled, a: int, b: int) -> None:
    assert released(as_float, a, b) == checked(as_float, a, b) == float(a)
    expected, found = in_python(int_quotient, a, b), checked(int_quotient, a, b)
    if max(abs(a), abs(b)) <= 1 << 53:
        assert released(int_quotient, a, b) == found == expected
    else:
        assert found == TRAP  # C would round twice


@given(numbers=st.lists(INTS, min_size=1, max_size=30), value=INTS)
def test_arrays(released: Compiled, checked: Compiled, numbers: list[int], value: int) -> None:
    small = [number % 1000 for number in numbers]
    for compiled in (released, checked):
        expected, found = list(small), list(small)
        assert compiled(shuffle, found, len(small)) == shuffle(expected, len(small))  # type: ignore[arg-type]
        assert found == expected
        compiled(stored, found, value)
        assert found[0] == value
        floats, halved = [float(each) for each in small], [float(each) for each in small]
        halves(floats, len(floats))  # type: ignore[arg-type]
        compiled(halves, halved, len(floats))
        assert floats == halved


def test_places_and_narrow_arrays_are_checked(checked: Compiled) -> None:
    assert checked(at_place, [5, 6], 1) == 6
    assert checked(at_place, [5, 6], -1) == TRAP
    for value, short, byte in ((127, 127, 127), (-128, -128, -128), (128, 128, TRAP), (1 << 15, TRAP, TRAP)):
        assert checked(stored_short, checked.array, value) == short
        assert checked(stored_byte, checked.array, value) == byte


# Primitives, within the domains that their callers stay in.


@given(mask=INTS)
def test_lowest_bit_and_popcount(released: Compiled, checked: Compiled, mask: int) -> None:
    assert released(call_lowest_bit, mask, 0) == checked(call_lowest_bit, mask, 0) == lowest_bit(mask)
    assert checked(call_popcount, mask, 0) == (popcount(mask) if mask >= 0 else TRAP)
    if mask >= 0:
        assert released(call_popcount, mask, 0) == popcount(mask)


@given(mask=st.integers(1, WORD // 2 - 1), data=st.data())
def test_select_bit(released: Compiled, checked: Compiled, mask: int, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, popcount(mask) - 1))
    assert released(call_select_bit, mask, place) == checked(call_select_bit, mask, place) == select_bit(mask, place)
    assert checked(call_select_bit, mask, popcount(mask)) == checked(call_select_bit, mask, -1) == TRAP


@given(width=st.integers(1, 63), data=st.data())
def test_mirrored(released: Compiled, checked: Compiled, width: int, data: st.DataObject) -> None:
    mask = data.draw(st.sampled_from([0, 1, (1 << width) - 1, 1 << width - 1]) | st.integers(0, (1 << width) - 1))
    assert released(call_mirrored, mask, width) == checked(call_mirrored, mask, width) == mirrored(mask, width)
    assert checked(call_mirrored, mask, 0) == checked(call_mirrored, mask, 64) == TRAP
    assert checked(call_mirrored, -1, width) == TRAP


@given(state=st.integers(0, WORD - 1), bound=st.integers(0, (1 << 31) - 1))
def test_random_numbers(released: Compiled, checked: Compiled, state: int, bound: int) -> None:
    for compiled in (released, checked):
        assert compiled(call_next_state, state) == next_state(Word(state))
        assert compiled(call_draw_below, state, bound) == draw_below(Word(state), bound)
    assert checked(call_draw_below, state, 1 << 31) == checked(call_draw_below, state, -1) == TRAP


@given(numbers=st.lists(INTS, min_size=1, max_size=40), data=st.data())
def test_sort_range(released: Compiled, checked: Compiled, numbers: list[int], data: st.DataObject) -> None:
    begin, end = data.draw(st.integers(0, len(numbers))), data.draw(st.integers(0, len(numbers)))
    for compiled in (released, checked):
        expected, found = list(numbers), list(numbers)
        sort_range(expected, begin, end)
        compiled(call_sort_range, found, begin, end)
        assert found == expected
    assert checked(call_sort_range, list(numbers), -1, end) == TRAP


@settings(max_examples=1000)
@given(number=st.integers(1, (1 << 53) - 1) | st.integers(1, 5000))
def test_natural_log_to_the_last_bit(released: Compiled, checked: Compiled, number: int) -> None:
    expected = natural_log(number).hex()
    assert released(natural_log, number).hex() == checked(natural_log, number).hex() == expected
    assert math.isclose(natural_log(number), math.log(number), rel_tol=1e-15, abs_tol=1e-15)
