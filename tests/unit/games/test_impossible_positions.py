"""Positions that play cannot reach are refused, with the reason; positions that it can reach never are.

What can be reached is found out with the enumerator that was written from the rule books alone (``naive.py``), and
what the fields of a position mean is written out here once more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import combinations, product
from random import Random
from typing import Any, NamedTuple

import pytest

from parlour import catalog
from parlour.errors import BadPosition
from parlour.rules import Rules, read_rules, show_position
from parlour.solver import Solver
from tests.support import enumerators as naive
from tests.support.command import Run
from tests.support.enumerators import History, Options, chosen
from tests.support.naive import Textbook

Runner = Callable[..., Run]
Fields = tuple[int, ...]


def sides(history: History) -> tuple[list[Any], list[Any]]:
    """What the player to move has chosen, and what the other one has."""
    mover = len(history) % 2
    return chosen(history, mover), chosen(history, 1 - mover)


def unused(history: History, highest: int) -> int:
    return sum(1 << number for number in range(1, highest + 1) if number not in history)


def double_up(options: Options, history: History) -> Fields:
    return ([1, *history][-1],)


def increasing_differences(options: Options, history: History) -> Fields:
    fields = [unused(history, options["range"])]
    for numbers in sides(history):
        fields += [numbers[-1] if numbers else 0, abs(numbers[-1] - numbers[-2]) if len(numbers) > 1 else 0]
    return tuple(fields)


def sequence_builder(options: Options, history: History) -> Fields:
    fields = [unused(history, options["pool"])]
    for numbers in sides(history):
        fields += [numbers[-1] if numbers else 0, len(numbers)]
    return tuple(fields)


def without_useless_numbers(options: Options, fields: Fields) -> Iterator[Fields]:
    """A table forgets the numbers below both last ones; so they may all be missing from the pool, or some."""
    pool, last, length, their_last, their_length = fields
    useless = [number for number in range(1, min(last, their_last)) if pool >> number & 1]
    for forgotten in some_of(useless):
        yield pool & ~sum(1 << number for number in forgotten), last, length, their_last, their_length


def some_of(things: list[int]) -> Iterator[tuple[int, ...]]:
    """All of them, or some, or none."""
    return (some for number in range(len(things), -1, -1) for some in combinations(things, number))


LINES = (
    [[(row, column) for column in range(3)] for row in range(3)]
    + [[(row, column) for row in range(3)] for column in range(3)]
    + [[(k, k) for k in range(3)], [(k, 2 - k) for k in range(3)]]
)


def sequence_spot(options: Options, history: History) -> Fields:
    fields = [sum(1 << (3 * row + column + 1) for row, column in cells) for cells in sides(history)]
    lines = 0
    for number, line in enumerate(LINES):
        a, b, c = (options["rows"][row][column] for row, column in line)
        lines |= (b - a == c - b) << number
    return (*fields, lines)


def without_blocked_lines(options: Options, fields: Fields) -> Iterator[Fields]:
    """A table forgets the lines that hold both markers; so they may all be missing, or some."""
    mine, theirs, lines = fields
    marks = [sum(1 << (3 * row + column + 1) for row, column in line) for line in LINES]
    blocked = [n for n in range(8) if lines >> n & 1 and mine & marks[n] and theirs & marks[n]]
    for forgotten in some_of(blocked):
        yield mine, theirs, lines & ~sum(1 << line for line in forgotten)


def pyramid_challenge(options: Options, history: History) -> Fields:
    base, highest, copies = options["base"], options["highest"], options.get("copies")
    fields = []
    for numbers in sides(history):
        rest, rows = list(numbers), []
        for width in range(base, 0, -1):
            rows.append(rest[:width])
            rest = rest[width:]
        newest = max((level for level, row in enumerate(rows) if row), default=0)
        visible = rows[newest]
        if newest and len(visible) < base - newest:
            visible = rows[newest - 1][len(visible) :] + visible
        packed = 0
        for number in visible:
            packed = packed * (highest + 1) + number
        fields += [len(numbers), packed]
    left = sum((copies - history.count(n)) * (copies + 1) ** (n - 1) for n in range(1, highest + 1)) if copies else 0
    return (*fields, left)


class Case(NamedTuple):
    key: str
    options: Options
    look: naive.Look
    fields: Callable[[Options, History], Fields]
    # What may stand for a position, as much as possible forgotten first.
    shortened: Callable[[Options, Fields], Iterable[Fields]] = lambda options, fields: [fields]
    # Whether whatever has the same form in a table as a position that play reaches may pass for it.
    by_form: bool = False

    @property
    def rules(self) -> Rules:
        texts = {name: str(value) for name, value in self.options.items() if name not in ("rows", "increments")}
        if "rows" in self.options:
            texts["grid"] = ",".join(str(number) for row in self.options["rows"] for number in row)
        if "increments" in self.options:
            texts["increments"] = ",".join(map(str, self.options["increments"]))
        return read_rules(catalog.find_game(self.key), texts)


class Played(NamedTuple):
    """A case, and every position that the books' rules lead to, the end included, with one way there."""

    case: Case
    histories: dict[Fields, History]


CASES = [
    Case("double-up", {"limit": 37}, naive.double_up, double_up),
    Case(
        "increasing-differences",
        {"length": 3, "range": 7},
        naive.increasing_differences,
        increasing_differences,
        by_form=True,
    ),
    Case(
        "increasing-differences",
        {"length": 4, "range": 6},
        naive.increasing_differences,
        increasing_differences,
        by_form=True,
    ),
    Case("pyramid-challenge", {"base": 2, "highest": 4}, naive.pyramid_challenge, pyramid_challenge),
    Case("pyramid-challenge", {"base": 2, "highest": 4, "copies": 2}, naive.pyramid_challenge, pyramid_challenge),
    Case("pyramid-challenge", {"base": 3, "highest": 2}, naive.pyramid_challenge, pyramid_challenge),
    Case("pyramid-challenge", {"base": 3, "highest": 3, "copies": 2}, naive.pyramid_challenge, pyramid_challenge),
    Case(
        "sequence-builder",
        {"length": 3, "pool": 7, "increments": (1, 2, 3)},
        naive.sequence_builder,
        sequence_builder,
        without_useless_numbers,
    ),
    Case(
        "sequence-builder",
        {"length": 4, "pool": 8, "increments": (1, 3)},
        naive.sequence_builder,
        sequence_builder,
        without_useless_numbers,
    ),
    Case(
        "sequence-spot",  # every line through the middle of this grid is arithmetic
        {"rows": ((2, 7, 6), (9, 5, 1), (4, 3, 8))},
        naive.sequence_spot,
        sequence_spot,
        without_blocked_lines,
    ),
]


@pytest.fixture(
    scope="module",
    params=CASES,
    ids=lambda case: " ".join([case.key, *(str(value).replace(" ", "") for value in case.options.values())]),
)
def played(request: pytest.FixtureRequest) -> Played:
    case: Case = request.param
    histories = {case.fields(case.options, ()): History()}
    todo = list(histories.values())
    while todo:
        history = todo.pop()
        for move in case.look(case.options, history)[1]:
            longer = (*history, move)
            fields = case.fields(case.options, longer)
            if fields not in histories:
                histories[fields] = longer
                todo.append(longer)
    return Played(case, histories)


def test_what_play_reaches_passes_and_so_does_what_stands_for_it_in_a_table(played: Played) -> None:
    case, rules = played.case, played.case.rules
    for fields, history in played.histories.items():
        ended, moves = case.look(case.options, history)
        shortest, *_, literal = [*case.shortened(case.options, fields)] * 2
        for values in {shortest, literal}:
            position = rules.position(values)
            rules.check_position(position)
            assert rules.is_over(position) == bool(ended)
            assert len(rules.legal(position)) == len(moves), "no move and no pass that the game does not have"
            rules.check_position(rules.canonical(position))


def test_what_follows_a_position_that_stands_for_others_passes_as_well(played: Played) -> None:
    rules = played.case.rules
    todo = {rules.canonical(rules.position(fields)) for fields in played.histories}
    seen = set(todo)
    while todo:
        position = todo.pop()
        rules.check_position(position)
        if not rules.is_over(position):
            following = {rules.after(position, move) for move in rules.legal(position)} - seen
            todo |= following
            seen |= following


def test_what_play_cannot_reach_is_refused(played: Played) -> None:
    """Of positions that play reaches, one field is changed to any other value within its bounds."""
    case, rules, reached = played.case, played.case.rules, list(played.histories)
    assert rules.bounds is not None
    possible = {values for fields in reached for values in case.shortened(case.options, fields)}
    forms = {rules.canonical(rules.position(fields)) for fields in reached} if case.by_form else set()
    possible |= {tuple(rules.after(form, move)) for form in forms for move in rules.legal(form)}
    changed = refused = 0
    for fields in Random(1).sample(reached, min(len(reached), 60)):
        for place, bound in enumerate(rules.bounds.position):
            for value in range(bound) if bound <= 256 else Random(changed).sample(range(bound), 256):
                values = (*fields[:place], value, *fields[place + 1 :])
                if values not in possible and not (forms and rules.canonical(rules.position(values)) in forms):
                    changed += 1
                    try:
                        rules.check_position(rules.position(values))
                    except BadPosition as refusal:
                        refused += 1
                        assert "; " in str(refusal)
                        assert not str(refusal).endswith(".")
    print(f"{case.key}: {refused:,} of {changed:,} positions that play cannot reach are refused")
    assert changed
    assert refused == changed


def test_a_grid_in_which_every_line_counts_is_noughts_and_crosses() -> None:
    """Of the 3**9 ways to fill its cells 5,478 can come up, as is well known."""
    rules = read_rules(catalog.find_game("sequence-spot"), {"grid": "1,2,3,4,5,6,7,8,9"})
    possible = 0
    for cells in product((0, 1, 2), repeat=9):
        mine, theirs = (sum(2 << place for place, marker in enumerate(cells) if marker == owner) for owner in (1, 2))
        with suppress(BadPosition):
            rules.check_position(rules.position([mine, theirs, 0b11111111]))
            possible += 1
    assert possible == 5478


def test_what_passes_gets_a_right_answer(played: Played) -> None:
    """What stands for others in a table is worth what they are worth, with the same moves."""
    case, rules = played.case, played.case.rules
    textbook, solver = Textbook(rules), Solver(rules, compiled=False)
    found = {next(iter(case.shortened(case.options, fields))): fields for fields in played.histories}
    other = [values for values, fields in found.items() if values != fields] or list(found)
    for values in Random(2).sample(other, min(len(other), 25)):
        position, standing = rules.position(found[values]), rules.position(values)
        assert solver.score(standing) == textbook.worth(position)
        assert dict(solver.choices(standing)) == textbook.moves(position)


@pytest.mark.parametrize(
    ("arguments", "reason"),  # as they are typed
    [
        ("double-up --position 0", "the sequence begins with 1, so its last number is never 0"),
        ("double-up --position 101", "last is 101, and must be below 101"),
        ("double-up --limit none --position 0", "the sequence begins with 1, so its last number is never 0"),
        ("increasing-differences --length 4 --range 8 --position 511.0.0.0.0", "0 is not in the pool"),
        (
            "increasing-differences --length 4 --range 8 --position 510.3.0.0.0",
            "the player to move has taken 0 numbers, so the last one cannot be 3",
        ),
        (
            "increasing-differences --length 4 --range 8 --position 508.0.0.2.0",
            "2 is still in the pool, so it cannot be the last number of the other player",
        ),
        (
            "increasing-differences --length 4 --range 8 --position 508.0.0.1.3",
            "the other player has taken 1 number, so the last difference cannot be 3",
        ),
        ("increasing-differences --length 4 --range 8 --position 500.1.0.3.9", "their_gap is 9, and must be below 9"),
        (
            "increasing-differences --length 4 --range 8 --position 496.3.0.2.5",
            "the numbers taken do not make two sequences with growing differences that end like this",
        ),
        (
            "increasing-differences --length 2 --range 8 --position 480.2.1.4.1",
            "4 numbers are taken, but the game ends with 3 at the latest",
        ),
        (
            "increasing-differences --length 4 --range 8 --position 504.2.0.2.0",
            "2 cannot be the last number of both players",
        ),
        (
            "increasing-differences --length 4 --range 8 --position 508.0.0.0.0",
            "the other player has taken 1 number, so the last one cannot be none",
        ),
        (
            "increasing-differences --length 4 --range 8 --position 496.1.0.3.0",
            "the other player has taken 2 numbers, so the last difference cannot be none",
        ),
        (
            "pyramid-challenge --base 2 --highest 4 --position 0.7.0.0.0",
            "the player to move has placed 0, so 0 numbers can be built upon, not 2",
        ),
        ("pyramid-challenge --base 2 --highest 4 --position 2.5.2.6.0", "the player to move has a 0 in the pyramid"),
        (
            "pyramid-challenge --base 2 --highest 4 --position 2.6.0.0.0",
            "the player to move is ahead, but a player who can place a number never passes",
        ),
        (
            "pyramid-challenge --base 2 --highest 4 --position 0.0.2.6.0",
            "the player to move is behind by more than a turn, but a player who can place a number never passes",
        ),
        (
            "pyramid-challenge --base 2 --highest 4 --copies 2 --position 0.0.1.1.80",
            "both pyramids have 1 number together, but the supply lacks 0",
        ),
        (
            "sequence-builder --position 2097150.0.0.0.1",
            "the other player has taken 1 number, so the last one cannot be none",
        ),
        ("sequence-builder --position 2097148.0.0.1.2", "both sequences have 2 numbers together, but the pool lacks 1"),
        (
            "sequence-builder --position 2097150.5.1.6.1",
            "5 is still in the pool, so it cannot be the last number of the player to move",
        ),
        ("sequence-builder --position 2097145.0.0.1.1", "0 is not in the pool"),
        (
            "sequence-builder --position 2097054.0.0.6.2",
            "the player to move is behind by more than a turn, but a player who can take a number never skips",
        ),
        (
            "sequence-builder --position 2097118.5.1.0.0",
            "the player to move is ahead, but a player who can take a number never skips",
        ),
        (
            "sequence-builder --position 2095608.9.2.10.2",
            "the numbers taken do not make two sequences in allowed steps that end like this",
        ),
        (
            "sequence-builder --position 2097148.5.0.0.1",
            "the player to move has taken 0 numbers, so the last one cannot be 5",
        ),
        ("sequence-spot --grid 5,3,8,1,6,7,4,9,2 --position 2.2.0", "cell (1,1) cannot be marked by both players"),
        ("sequence-spot --grid 5,3,8,1,6,7,4,9,2 --position 0.2.255", "these are not the arithmetic lines of the grid"),
        ("sequence-spot --grid 5,3,8,1,6,7,4,9,2 --position 1.2.0", "there is no cell 0 in the grid"),
        (
            "sequence-spot --grid 5,3,8,1,6,7,4,9,2 --position 6.0.0",
            "the player to move has 2 markers and the other one 0, but they mark cells in turn",
        ),
        (
            "sequence-spot --grid 1,2,3,4,5,6,7,8,9 --position 14.352.255",
            "the player to move has completed a line, so the game was over before",
        ),
    ],
)
def test_the_reason_is_said(arguments: str, reason: str) -> None:
    key, *rest = arguments.replace("--", "").split()
    texts = dict(zip(rest[::2], rest[1::2], strict=True))
    token = texts.pop("position")
    with pytest.raises(BadPosition) as refusal:
        read_rules(catalog.find_game(key), texts).read_position(token)
    assert str(refusal.value) == f"bad position '{token}'; {reason}"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ("increasing-differences --length 4 --range 8 --position 511.0.0.0.0", "0 is not in the pool"),
        (
            "pyramid-challenge --base 2 --highest 4 --position 0.7.0.0.0",
            "the player to move has placed 0, so 0 numbers can be built upon, not 2",
        ),
        ("sequence-spot --grid 5,3,8,1,6,7,4,9,2 --position 2.2.0", "cell (1,1) cannot be marked by both players"),
        ("sequence-spot --position 0.2.255", "these are not the arithmetic lines of the grid"),
    ],
)
def test_the_command_refuses_in_one_line(run: Runner, arguments: str, reason: str) -> None:
    told = run("solve", *arguments.split())
    token = arguments.rpartition(" ")[2]
    assert told == ("", f"parlour: bad position '{token}'; {reason}\n", 2)


def test_the_command_solves_what_stands_in_a_table(run: Runner) -> None:
    """The numbers below both last ones may be left out of the pool, as a table leaves them out."""
    rules = read_rules(catalog.find_game("sequence-builder"), {})
    position = rules.start
    for move in (5, 7):
        position = rules.play(position, move)
    told = [
        run("solve", "sequence-builder", "--position", show_position(p)) for p in (position, rules.canonical(position))
    ]
    assert [one.code for one in told] == [0, 0]
    assert told[0].out.partition("Position")[0] == told[1].out.partition("Position")[0]
    assert position != rules.canonical(position)


def test_a_cell_that_both_have_marked_is_named() -> None:
    rules = read_rules(catalog.find_game("sequence-spot"), {"grid": "5,3,8,1,6,7,4,9,2"})
    lines = rules.start[2]
    with pytest.raises(BadPosition, match=r"cell \(1,2\) cannot be marked by both players"):
        rules.check_position(rules.position([0b0000000110, 0b1000000100, lines]))
