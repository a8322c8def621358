"""Search kernels over any game's rules, in pure Python or compiled.

Here a score is one number for the player to move: a win in n plies is ``TOP - n``, a draw is 0, a loss in n plies is
``n - TOP``. So the highest score is the quickest win or the slowest loss. ``pack_score`` and ``unpack_score`` convert
it.

The searches are stateless. All results are in a transposition table, so a search that has used up its nodes can be
called again and repeats little work.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from parlour.engine.primitives import Ints, Table, first_move, next_move
from parlour.game import DRAWN, MOVER_LOSES, MOVER_WINS, ONGOING, Game, P, count_moves
from parlour.options import O
from parlour.rules import Rules
from parlour.score import Score, Value

TOP = 1 << 14  # larger than any distance
DEEPEST = 4000  # maximum depth of a search in plies, limited by the stack
STOPPED = -1 << 20  # the nodes are used up
IMPOSSIBLE = STOPPED - 1  # play cannot lead to this position: it exceeds the bounds of the game
FLAGS = 2  # bits of an entry besides the score: more than one move; some move loses value
GLANCE = 64  # number of moves that are checked for a win as fast as a table lookup
ENTRY_BITS = 18  # the size of an entry in a position table
UNBOUNDED = (-TOP, TOP)  # the bounds of an unknown score
WORD = 63  # bits of a word besides its sign
MASK_BITS = 62  # the longest mask of moves in compiled code

UNKNOWN = 2.0  # no value: the position is unknown, or the nodes are used up
Expected = tuple[float, float, float, float, float]  # the numbers of ``make_expected``
NOTHING_KNOWN = (UNKNOWN, 0.0, 0.0, 0.0, 0.0)

# Indices of the counts over all unfinished positions.
DECISIONS = 0  # positions with more than one move
CRITICAL = 1  # positions in which some move loses value
HOLDING = 2  # moves that preserve the value, in all decisions
COUNTS = 3


def unpack_score(score: int) -> Score:
    """Convert a number to a score."""
    return Score(Value(sign(score)), TOP - abs(score) if score else None)


def pack_score(score: Score) -> int:
    """Convert a score to a number; without a distance, the lowest number of its value."""
    if score.value is Value.DRAW:
        return 0
    if score.plies is None:
        return 1 if score.value is Value.WIN else -TOP
    return TOP - score.plies if score.value is Value.WIN else score.plies - TOP


class RuleFunctions(NamedTuple):
    """The functions of a game that searches need."""

    moves: Callable[..., Any]
    play: Callable[..., Any]
    result: Callable[..., Any]
    canonical: Callable[..., Any]
    settled: Callable[..., Any]
    outlook: Callable[..., Any]


def rule_functions(game: Game[O, P]) -> RuleFunctions:
    """Return these functions of a game."""
    rules, search = game.rules, game.search
    moves = rules.moves

    def replies(options: O, position: P) -> int:
        return count_moves(moves(options, position))

    return RuleFunctions(moves, rules.play, rules.result, search.canonical, rules.settled, search.outlook or replies)


# Positions in one machine word.


def packs(rules: Rules[O, P], spare: int = 1) -> bool:
    """Return whether a position fits into a word with this many spare bits."""
    return rules.bounds is not None and math.prod(rules.bounds.position) < 1 << WORD - spare


def compiles(rules: Rules[O, P], spare: int = 1) -> bool:
    """Return whether compiled code can search the game: a position and a mask of moves each fit into a word."""
    if rules.bounds is None or not packs(rules, spare):
        return False
    if rules.bounds.moves <= MASK_BITS or rules.is_over(rules.start):
        return True
    return not rules.game.rules.moves(rules.packed, rules.start).mask  # moves are a range, which has two numbers


def pack(rules: Rules[O, P], position: P) -> int:
    """Return a position as one number in mixed radix; the bounds of the fields are the radix."""
    key = 0
    for bound, value in zip(_radix(rules), position, strict=True):
        key = key * bound + value
    return key


def unpack(rules: Rules[O, P], key: int) -> P:
    """Return the position of a packed number."""
    values = []
    for bound in reversed(_radix(rules)):
        key, value = divmod(key, bound)
        values.append(value)
    return rules.position(reversed(values))


def _radix(rules: Rules[O, P]) -> tuple[int, ...]:
    assert rules.bounds is not None  # callers pack only positions of games that end
    return rules.bounds.position


# Primitives, which have hand-written C. In Python a table of positions is a dictionary.


def locate_bounds(table: dict[Any, tuple[int, int]], position: Any) -> Any:
    """Return the key of a position that will be looked up soon; compiled code prefetches its slot."""
    return position


def lookup_bounds(table: dict[Any, tuple[int, int]], key: Any) -> tuple[int, int]:
    """Return the lower and the upper bound of a score."""
    return table.get(key, UNBOUNDED)


def store_bounds(table: dict[Any, tuple[int, int]], key: Any, low: int, high: int) -> None:
    table[key] = (low, high)


def lookup_entry(table: dict[Any, int], position: Any) -> int:
    return table.get(position, STOPPED)


def store_entry(table: dict[Any, int], position: Any, entry: int) -> None:
    table[position] = entry


def lookup_expected(table: dict[Any, Expected], position: Any) -> Expected:
    return table.get(position, NOTHING_KNOWN)


def store_expected(table: dict[Any, Expected], position: Any, found: Expected) -> None:
    table[position] = found


def read_key(rules: Any, key: int) -> Any:
    """Return the position of a key. The radix is that of the rules, or in compiled code of the table."""
    return unpack(rules, key)


def find_key(rules: Any, keys: Sequence[int], count: int, position: Any) -> int:
    """Return the index of a position among packed positions in ascending order."""
    return bisect_left(keys, pack(rules, position))


def sort_range(numbers: list[int], begin: int, end: int) -> None:
    """Sort a part of a list."""
    numbers[begin:end] = sorted(numbers[begin:end])


# Scores.


def finished_score(result: int) -> int:
    """Return the score of a finished game."""
    if result == DRAWN:
        return 0
    return -TOP if result == MOVER_LOSES else TOP


def from_child(score: int) -> int:
    """Return the score for the player whose move led to a child with this score."""
    if score == 0:
        return 0
    return 1 - score if score > 0 else -1 - score


def sign(score: int) -> int:
    """Return the value of a score: 1 for a win, 0 for a draw, -1 for a loss."""
    return (score > 0) - (score < 0)


def child_target(target: int) -> int:
    """Return the bound for children: a move reaches the target exactly if its child scores less than this."""
    if target in (0, 1):
        return 1 - target
    return -target if target > 0 else 2 - target


# Kernels.


def make_at_least(rules: RuleFunctions, window: int = 1) -> Any:
    """Return a null-window search, which decides whether the score of a position reaches a target.

    ``window`` is the number of keys that are located (prefetched) before the first lookup.
    """
    moves, play, result, canonical, settled, outlook = rules
    locate, lookup, store = locate_bounds, lookup_bounds, store_bounds  # 3% faster in Python than global names

    def at_least(
        options: O, position: P, target: int, table: Table, scratch: Ints, span: int, begin: int, nodes: Ints
    ) -> int:
        """Return 1 (yes), 0 (no), STOPPED if ``nodes[0]`` is used up, or IMPOSSIBLE. The position is unfinished.

        ``table`` maps positions to a lower and an upper bound of their scores. ``scratch`` has room for twice ``span``
        numbers, and is written from ``begin`` and from ``span + begin`` on.
        """
        here = locate(table, canonical(options, position))
        low, high = lookup(table, here)
        if low >= target:
            return 1
        if high < target:
            return 0
        if nodes[0] <= 0:
            return STOPPED
        nodes[0] -= 1
        needed = child_target(target)
        legal = moves(options, position)
        end, found, won = begin, False, False
        move = first_move(legal)
        while move >= 0 and not found and not won:  # look for an answer without a search
            last = end
            while move >= 0 and last < end + window and not found and not won:
                child = play(options, position, move)
                outcome = result(options, child)
                if outcome != ONGOING:
                    won = finished_score(outcome) < needed
                elif settled(options, child) or needed >= TOP:  # a game is never won without a move
                    found = needed > 0
                elif needed > 1 - TOP:
                    if last == span:
                        return IMPOSSIBLE
                    scratch[last] = move
                    scratch[span + last] = locate(table, canonical(options, child))
                    last += 1
                move = next_move(legal, move)
            place = end
            while place < last and not found:
                child_low, child_high = lookup(table, scratch[span + place])
                found = child_high < needed
                if child_low < needed <= child_high:
                    move_there = scratch[place]
                    scratch[end] = outlook(options, play(options, position, move_there)) * span + move_there
                    end += 1
                place += 1
        if found or (won and count_moves(legal) > GLANCE):  # checking a few moves again is as fast as a lookup
            store(table, here, target, high)
        if found or won:
            return 1
        sort_range(scratch, begin, end)  # first the positions that look worst for the opponent
        for place in range(begin, end):
            child = play(options, position, scratch[place] % span)
            answer = at_least(options, child, needed, table, scratch, span, end, nodes)
            if answer < 0:
                return answer
            if answer == 0:
                store(table, here, target, high)
                return 1
        store(table, here, low, target - 1)
        return 0

    return at_least


def make_fill(rules: RuleFunctions) -> Any:
    """Return a search that finds the exact score of a position and of every unfinished position that can follow it."""
    moves, play, result, canonical, _, _ = rules

    def fill(options: O, position: P, table: Table, nodes: Ints) -> int:
        """Return the score, or STOPPED if ``nodes[0]`` is used up. ``table`` maps positions to entries."""
        here = canonical(options, position)
        entry = lookup_entry(table, here)
        if entry != STOPPED:
            return entry >> FLAGS
        if nodes[0] <= 0:
            return STOPPED
        nodes[0] -= 1
        best, worst = -TOP, TOP
        legal = moves(options, here)
        move = first_move(legal)
        while move >= 0:
            child = play(options, here, move)
            outcome = result(options, child)
            score = finished_score(outcome) if outcome != ONGOING else fill(options, child, table, nodes)
            if score == STOPPED:
                return STOPPED
            best = max(best, from_child(score))
            worst = min(worst, from_child(score))
            move = next_move(legal, move)
        store_entry(table, here, best << FLAGS | (count_moves(legal) > 1) << 1 | (sign(worst) < sign(best)))
        return best

    return fill


def make_children(rules: RuleFunctions) -> Any:
    """Return a function that lists the children of all positions in a table."""
    moves, play, result, canonical, _, _ = rules

    def children(
        options: O, table: Table, keys: Ints, count: int, place: int, first: Ints, out: Ints, room: int
    ) -> int:
        """Write the children of the positions from ``place`` on, and return the first place without room for them.

        ``keys`` are packed canonical positions in ascending order. A child is its index there, or -1 - status if the
        game is over. The children of a position are in ``out`` from ``first[place]`` to before ``first[place + 1]``.
        """
        end = 0
        first[place] = 0
        while place < count:
            position = read_key(table, keys[place])
            legal = moves(options, position)
            if end + count_moves(legal) > room:
                return place
            move = first_move(legal)
            while move >= 0:
                child = play(options, position, move)
                outcome = result(options, child)
                found = -1 - outcome
                if outcome == ONGOING:
                    found = find_key(table, keys, count, canonical(options, child))
                out[end] = found
                end += 1
                move = next_move(legal, move)
            place += 1
            first[place] = end
        return place

    return children


def make_expected(rules: RuleFunctions) -> Any:
    """Return a search for the expected course of a game between equal players who sometimes err.

    With probability ``error`` a player draws any legal move, otherwise one that preserves the value. All candidates are
    equally likely.
    """
    moves, play, result, canonical = rules.moves, rules.play, rules.result, rules.canonical

    def expected(options: O, position: P, error: float, table: Table, nodes: Ints, counts: Ints) -> Expected:
        """Return five numbers for the player to move, or NOTHING_KNOWN if ``nodes[0]`` is used up.

        They are the value (1 for a win, 0 for a draw, -1 for a loss), the probabilities of a win and of a draw, the
        expected number of turns, and of turns in which a move loses value. ``counts`` counts each position once.
        """
        outcome = result(options, position)
        if outcome != ONGOING:
            if outcome == DRAWN:
                return 0.0, 0.0, 1.0, 0.0, 0.0
            if outcome == MOVER_WINS:
                return 1.0, 1.0, 0.0, 0.0, 0.0
            return -1.0, 0.0, 0.0, 0.0, 0.0
        here = canonical(options, position)
        found = lookup_expected(table, here)
        if found[0] != UNKNOWN:
            return found
        if nodes[0] <= 0:
            return found
        nodes[0] -= 1
        best = -2.0
        # Sums over all moves, and over those that preserve the value.
        keeping = 0
        all_wins = all_draws = all_turns = all_critical = 0.0
        wins = draws = turns = critical = 0.0
        legal = moves(options, here)
        move = first_move(legal)
        while move >= 0:
            child = expected(options, play(options, here, move), error, table, nodes, counts)
            if child[0] == UNKNOWN:
                return child
            win = 1.0 - child[1] - child[2]
            if -child[0] > best:
                best = -child[0]
                keeping = 0
                wins = draws = turns = critical = 0.0
            if -child[0] == best:
                keeping += 1
                wins += win
                draws += child[2]
                turns += child[3]
                critical += child[4]
            all_wins += win
            all_draws += child[2]
            all_turns += child[3]
            all_critical += child[4]
            move = next_move(legal, move)
        count = count_moves(legal)
        right, wrong = (1.0 - error) / keeping, error / count
        found = (
            best,
            right * wins + wrong * all_wins,
            right * draws + wrong * all_draws,
            1.0 + right * turns + wrong * all_turns,
            (1.0 if keeping < count else 0.0) + right * critical + wrong * all_critical,
        )
        if count > 1:
            counts[DECISIONS] += 1
            counts[CRITICAL] += keeping < count
            counts[HOLDING] += keeping
        store_expected(table, here, found)
        return found

    return expected
