"""The searches, written once over any game's rules. They run in pure Python or compiled.

In here a score is one number for the player to move: a win in n plies is ``TOP - n``, a draw is 0, a loss in n plies is
``n - TOP``. So the winner hurries and the loser delays by taking the highest number there is. ``pack_score`` and
``unpack_score`` translate it.

Nothing here remembers anything of its own: what is known is in a table, and a search that runs out of its allowance of
nodes says so and can be asked again; what it has found out by then is in the table, so little is done twice.
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

TOP = 1 << 14  # more than any distance
DEEPEST = 4000  # plies that a search goes down: each takes room on the stack
STOPPED = -1 << 20  # the nodes are used up
IMPOSSIBLE = STOPPED - 1  # play cannot lead to this position: there is more to it than a game has room for
FLAGS = 2  # bits of an entry beside its score: there is more than one move; some move loses value
GLANCE = 64  # moves of which one that wins at once is found as quickly as in a table
ENTRY_BITS = 18  # the size of an entry in a position table
UNBOUNDED = (-TOP, TOP)  # the bounds of an unknown score
WORD = 63  # bits of a word beside its sign
MASK_BITS = 62  # the longest mask of moves in compiled code

UNKNOWN = 2.0  # instead of a value: the position is unknown, or the nodes are used up
Expected = tuple[float, float, float, float, float]  # the numbers of ``make_expected``
NOTHING_KNOWN = (UNKNOWN, 0.0, 0.0, 0.0, 0.0)

# Counts over all unfinished positions.
DECISIONS = 0  # with more than one move
CRITICAL = 1  # where some move loses value
HOLDING = 2  # moves that keep the value, in all decisions together
COUNTS = 3


def unpack_score(score: int) -> Score:
    """The value and the distance in one number."""
    return Score(Value(sign(score)), TOP - abs(score) if score else None)


def pack_score(score: Score) -> int:
    """A score in one number; one without its distance as the least of its value."""
    if score.value is Value.DRAW:
        return 0
    if score.plies is None:
        return 1 if score.value is Value.WIN else -TOP
    return TOP - score.plies if score.value is Value.WIN else score.plies - TOP


class RuleFunctions(NamedTuple):
    """The functions of a game that searching needs."""

    moves: Callable[..., Any]
    play: Callable[..., Any]
    result: Callable[..., Any]
    canonical: Callable[..., Any]
    settled: Callable[..., Any]
    outlook: Callable[..., Any]


def rule_functions(game: Game[O, P]) -> RuleFunctions:
    """What searching needs of a game."""
    rules, search = game.rules, game.search
    moves = rules.moves

    def replies(options: O, position: P) -> int:
        return count_moves(moves(options, position))

    return RuleFunctions(moves, rules.play, rules.result, search.canonical, rules.settled, search.outlook or replies)


# Positions in one machine word.


def packs(rules: Rules[O, P], spare: int = 1) -> bool:
    """Whether a position fits into a word with this many bits to spare."""
    return rules.bounds is not None and math.prod(rules.bounds.position) < 1 << WORD - spare


def compiles(rules: Rules[O, P], spare: int = 1) -> bool:
    """Whether compiled code can search the game: a position packs, and a mask of moves fits into a word too."""
    if rules.bounds is None or not packs(rules, spare):
        return False
    if rules.bounds.moves <= MASK_BITS or rules.is_over(rules.start):
        return True
    return not rules.game.rules.moves(rules.packed, rules.start).mask  # a range of any size is two numbers


def pack(rules: Rules[O, P], position: P) -> int:
    """A position as one number: its fields in mixed radix, each below its bound."""
    key = 0
    for bound, value in zip(_radix(rules), position, strict=True):
        key = key * bound + value
    return key


def unpack(rules: Rules[O, P], key: int) -> P:
    """The position that was packed."""
    values = []
    for bound in reversed(_radix(rules)):
        key, value = divmod(key, bound)
        values.append(value)
    return rules.position(reversed(values))


def _radix(rules: Rules[O, P]) -> tuple[int, ...]:
    assert rules.bounds is not None  # callers pack positions only of games that end
    return rules.bounds.position


# Primitives: the compiler has C for them. In Python a table of positions is a dictionary.


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
    """Return the position of a key. The rules take the place of a table, which has the radix in compiled code."""
    return unpack(rules, key)


def find_key(rules: Any, keys: Sequence[int], count: int, position: Any) -> int:
    """Return the place of a position among packed positions in rising order."""
    return bisect_left(keys, pack(rules, position))


def sort_range(numbers: list[int], begin: int, end: int) -> None:
    """Sort a part of a list."""
    numbers[begin:end] = sorted(numbers[begin:end])


# Scores.


def finished_score(result: int) -> int:
    """The score of a finished game."""
    if result == DRAWN:
        return 0
    return -TOP if result == MOVER_LOSES else TOP


def from_child(score: int) -> int:
    """What a score of the opponent's, one ply later, is worth to the player before."""
    if score == 0:
        return 0
    return 1 - score if score > 0 else -1 - score


def sign(score: int) -> int:
    """The value in a score: 1 a win, 0 a draw, -1 a loss."""
    return (score > 0) - (score < 0)


def child_target(target: int) -> int:
    """A player has at least the target after a move exactly if the opponent then has less than this."""
    if target in (0, 1):
        return 1 - target
    return -target if target > 0 else 2 - target


# Kernels.


def make_at_least(rules: RuleFunctions, window: int = 1) -> Any:
    """Return a search that answers one question with little work: does the score of a position reach a target?

    ``window``: the number of keys that are located before the first of them is looked up.
    """
    moves, play, result, canonical, settled, outlook = rules
    locate, lookup, store = locate_bounds, lookup_bounds, store_bounds  # 3 % faster in Python than global names

    def at_least(
        options: O, position: P, target: int, table: Table, scratch: Ints, span: int, begin: int, nodes: Ints
    ) -> int:
        """1: yes, 0: no; STOPPED: the nodes in ``nodes[0]`` are used up; or IMPOSSIBLE. The position is not finished.

        ``table`` maps positions to a lower and an upper bound of their scores; ``scratch`` has room for twice ``span``
        numbers, and may be written to from ``begin`` and from ``span + begin`` on.
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
        while move >= 0 and not found and not won:  # what can be told without a search
            last = end
            while move >= 0 and last < end + window and not found and not won:
                child = play(options, position, move)
                outcome = result(options, child)
                if outcome != ONGOING:
                    won = finished_score(outcome) < needed
                elif settled(options, child) or needed >= TOP:  # a game is never won before a move
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
        if found or (won and count_moves(legal) > GLANCE):  # few moves are tried again as quickly as a table is read
            store(table, here, target, high)
        if found or won:
            return 1
        sort_range(scratch, begin, end)  # an opponent who looks bad is soon refuted
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
        """The score, or STOPPED when ``nodes[0]`` is used up. ``table`` maps positions to entries, or to STOPPED."""
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
    """Return a function that goes through a table of all positions and writes down where every move leads."""
    moves, play, result, canonical, _, _ = rules

    def children(
        options: O, table: Table, keys: Ints, count: int, place: int, first: Ints, out: Ints, room: int
    ) -> int:
        """Write the children of the positions from ``place`` on, and return the first place that found no room.

        ``keys`` are packed canonical positions in rising order. A child is its place among them, or -1 - status if the
        game is over there. Those of a position go from ``first[place]`` to ``first[place + 1]`` in ``out``.
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
    """Return a search that finds what to expect from a position on."""
    moves, play, result, canonical = rules.moves, rules.play, rules.result, rules.canonical

    def expected(options: O, position: P, error: float, table: Table, nodes: Ints, counts: Ints) -> Expected:
        """Five numbers for the player to move, or NOTHING_KNOWN when ``nodes[0]`` is used up.

        The value (1 a win, 0 a draw, -1 a loss); how likely the player wins, and draws; how many turns there will be;
        and at how many of them a move loses value. ``counts`` counts each position once, when it is stored.
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
        keeping = 0  # the sums of all moves, and of those that keep the value
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
