"""Which positions exist: found with the enumerators written from the rule books alone.

What the fields of a position mean is written out here once more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import combinations
from random import Random
from typing import Any, NamedTuple

from parlour import catalog
from parlour.errors import BadPosition
from parlour.rules import Rules, read_rules
from parlour.solver import Solver
from tests.support import enumerators as naive
from tests.support.enumerators import History, Options, chosen
from tests.support.move_counts import texts_of
from tests.support.naive import Textbook
from tests.support.small import scores_of

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
    # Whether positions that share the canonical form of a reachable position may be accepted.
    by_form: bool = False
    refused: float = 1  # the least share of unreachable positions, one field away from a reachable one, to be refused

    @property
    def rules(self) -> Rules:
        return read_rules(catalog.find_game(self.key), texts_of(self.options))

    @property
    def id(self) -> str:
        return " ".join([self.key, *(str(value).replace(" ", "") for value in self.options.values())])

    @property
    def histories(self) -> dict[Fields, History]:
        """Every position that the books' rules lead to, ends included, with one way there."""
        return _histories(self.id)


@cache
def _histories(case_id: str) -> dict[Fields, History]:
    case = BY_ID[case_id]
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
    return histories


SMALL = [
    Case("double-up", {"limit": 37}, naive.double_up, double_up),
    Case(
        "increasing-differences",
        {"length": 3, "range": 6},
        naive.increasing_differences,
        increasing_differences,
        by_form=True,
        refused=0.95,
    ),
    Case(
        "increasing-differences",
        {"length": 4, "range": 6},
        naive.increasing_differences,
        increasing_differences,
        by_form=True,
        refused=0.95,
    ),
    Case("pyramid-challenge", {"base": 2, "highest": 4}, naive.pyramid_challenge, pyramid_challenge, refused=0.7),
    Case(
        "pyramid-challenge",
        {"base": 2, "highest": 4, "copies": 2},
        naive.pyramid_challenge,
        pyramid_challenge,
        refused=0.7,
    ),
    Case("pyramid-challenge", {"base": 3, "highest": 2}, naive.pyramid_challenge, pyramid_challenge, refused=0.7),
    Case(
        "pyramid-challenge",
        {"base": 3, "highest": 3, "copies": 2},
        naive.pyramid_challenge,
        pyramid_challenge,
        refused=0.7,
    ),
    Case(
        "sequence-builder",
        {"length": 3, "pool": 7, "increments": (1, 2, 3)},
        naive.sequence_builder,
        sequence_builder,
        without_useless_numbers,
        refused=0.95,
    ),
    Case(
        "sequence-builder",
        {"length": 4, "pool": 8, "increments": (1, 3)},
        naive.sequence_builder,
        sequence_builder,
        without_useless_numbers,
        refused=0.95,
    ),
]
QUICK = [SMALL[0], SMALL[1], SMALL[4], SMALL[7]]  # one of each kind
GRID = Case(
    "sequence-spot",  # every line through the middle of this grid is arithmetic
    {"rows": ((2, 7, 6), (9, 5, 1), (4, 3, 8))},
    naive.sequence_spot,
    sequence_spot,
    without_blocked_lines,
)
LARGE = [
    Case(
        "increasing-differences",
        {"length": 3, "range": 7},
        naive.increasing_differences,
        increasing_differences,
        by_form=True,
        refused=0.95,
    ),
    GRID,
]
BY_ID = {case.id: case for case in (*SMALL, *LARGE)}


def check_reachable_positions_pass(case: Case, most: int = 10**6) -> None:
    """Check that reachable positions, a sample of at most ``most``, and their canonical forms are accepted."""
    rules = case.rules
    for fields, history in Random(3).sample(list(case.histories.items()), min(len(case.histories), most)):
        ended, moves = case.look(case.options, history)
        shortest, *_, literal = [*case.shortened(case.options, fields)] * 2
        for values in {shortest, literal}:
            position = rules.position(values)
            rules.check_position(position)
            assert rules.is_over(position) == bool(ended)
            assert len(rules.legal(position)) == len(moves), "no move and no pass that the game does not have"
            rules.check_position(rules.canonical(position))


def check_followers_of_canonical_forms_pass(case: Case) -> None:
    """Check that positions reached from canonical forms are accepted."""
    rules = case.rules
    todo = {rules.canonical(rules.position(fields)) for fields in case.histories}
    seen = set(todo)
    while todo:
        position = todo.pop()
        rules.check_position(position)
        if not rules.is_over(position):
            following = {rules.after(position, move) for move in rules.legal(position)} - seen
            todo |= following
            seen |= following


def check_unreachable_positions_are_refused(case: Case, most: int = 60) -> None:
    """Change one field of a sample of reachable positions to any other value within its bounds."""
    rules, reached = case.rules, list(case.histories)
    assert rules.bounds is not None
    possible = {values for fields in reached for values in case.shortened(case.options, fields)}
    forms = {rules.canonical(rules.position(fields)) for fields in reached} if case.by_form else set()
    possible |= {tuple(rules.after(form, move)) for form in forms for move in rules.legal(form)}
    changed = refused = 0
    for fields in Random(1).sample(reached, min(len(reached), most)):
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
    assert changed
    assert refused >= changed * case.refused


def check_accepted_positions_are_solved_right(case: Case) -> None:
    """Check that a canonical form is worth as much as the positions it stands for, with the same moves."""
    rules = case.rules
    textbook, solver = Textbook(rules), Solver(rules, runtime="python")
    found = {next(iter(case.shortened(case.options, fields))): fields for fields in case.histories}
    other = [values for values, fields in found.items() if values != fields] or list(found)
    for values in Random(2).sample(other, min(len(other), 25)):
        position, standing = rules.position(found[values]), rules.position(values)
        assert solver.score(standing) == textbook.worth(position)
        assert scores_of(solver.choices(standing)) == textbook.moves(position)
