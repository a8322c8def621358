"""Random games and Monte Carlo tree search over any game's rules. Python and compiled code build the same tree.

This is plain UCT (Kocsis and Szepesvári, 2006): each simulation follows the upper confidence bound down to an untried
move, plays a random game from there, and counts the outcome for every move on the path.

A node is a row of whole numbers and a row of fractions, each in one long array. Positions are not stored: each
simulation plays the moves again, so positions may have any size.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from random import Random
from typing import Any, Generic, NamedTuple

from parlour.engine.primitives import Floats, Ints, Words, draw_below, next_state, nth_move
from parlour.engine.search import RuleFunctions, rule_functions
from parlour.game import DRAWN, MOVER_LOSES, ONGOING, PASS, P, count_moves
from parlour.options import O
from parlour.rules import Rules

EXPLORATION = sqrt(2)  # weight of rarely tried moves
MAX_PLIES = 1000  # plies of a random game; a longer one counts as a draw

# The whole numbers of a node.
MOVE = 0  # the move to this node
VISITS = 1  # simulations through this node
POINTS = 2  # the points of the player who moved here: 2 for a win, 1 for a draw
LEGAL = 3  # number of legal moves; 0: the game is over
TRIED = 4  # number of moves that have a node
CHILDREN = 5  # the first child; the children are adjacent, in the order in which they were tried
OFFSET = 6  # index of the move that is tried first
NUMBERS = 8  # length of a row: a cache line

# The fractions of a node, for the upper confidence bound.
MEAN = 0  # the mean of the points, with 1 for a win
WIDTH = 1  # the width of the confidence interval, which shrinks with the visits
FRACTIONS = 2

# The step from one tried move of a node to the next, modulo the number of moves. It is a prime larger than that number,
# so every move is tried once. In a game with more moves, some may be tried twice, which costs a row.
STRIDE = 2**31 - 1

LOG_2 = 0.6931471805599453
EVEN_TERMS = tuple(1.0 / odd for odd in range(21, 0, -4))  # 1 + x**4 / 5 + x**8 / 9 + ..., the last first
ODD_TERMS = tuple(1.0 / odd for odd in range(23, 0, -4))  # x**2 / 3 + x**6 / 7 + ..., without x**2


def natural_log(number: int) -> float:
    """Return the logarithm of a whole number from 1 to below 2**53.

    The last bit of ``math.log`` depends on the machine. This uses only reproducible operations, so trees are the same
    everywhere. The number is a power of two times a fraction near 1, and the fraction's logarithm is a short series
    (twice the inverse hyperbolic tangent of ``ratio``) with odd and even terms summed in parallel.
    """
    power = number.bit_length() - 1
    fraction = number / (1 << power)
    if fraction > 1.4142135623730951:
        fraction = fraction / 2.0
        power += 1
    ratio = (fraction - 1.0) / (fraction + 1.0)
    square = ratio * ratio
    fourth = square * square
    even = odd = 0.0
    for reciprocal in EVEN_TERMS:
        even = even * fourth + reciprocal
    for reciprocal in ODD_TERMS:
        odd = odd * fourth + reciprocal
    return 2.0 * ratio * (even + square * odd) + power * LOG_2


def best_child(numbers: Ints, fractions: Floats, node: int) -> int:
    """Return the child with the highest upper confidence bound; in a tie the one that was tried first."""
    row = node * NUMBERS
    first, best, highest = numbers[row + CHILDREN], node, -1.0
    spread = EXPLORATION * sqrt(natural_log(numbers[row + VISITS]))
    for child in range(first, first + numbers[row + TRIED]):
        bound = fractions[child * FRACTIONS + MEAN] + spread * fractions[child * FRACTIONS + WIDTH]
        if bound > highest:
            best, highest = child, bound
    return best


def move_children(numbers: Ints, fractions: Floats, node: int, to: int) -> None:
    """Move the children of a node to another place."""
    row = node * NUMBERS
    first, tried = numbers[row + CHILDREN], numbers[row + TRIED]
    for place in range(tried * NUMBERS):
        numbers[to * NUMBERS + place] = numbers[first * NUMBERS + place]
    for place in range(tried * FRACTIONS):
        fractions[to * FRACTIONS + place] = fractions[first * FRACTIONS + place]
    numbers[row + CHILDREN] = to


def count_points(numbers: Ints, fractions: Floats, path: Ints, depth: int, points: int) -> None:
    """Count a simulation at all nodes of its path. ``points`` are for the player who moved to the last."""
    for place in range(depth, -1, -1):
        node = path[place]
        row = node * NUMBERS
        numbers[row + VISITS] += 1
        numbers[row + POINTS] += points
        fractions[node * FRACTIONS + MEAN] = numbers[row + POINTS] / (2 * numbers[row + VISITS])
        fractions[node * FRACTIONS + WIDTH] = 1 / sqrt(numbers[row + VISITS])
        points = 2 - points


def make_playouts(rules: RuleFunctions) -> Any:
    """Return a function that plays random games, with all legal moves equally likely."""
    moves, play, result = rules.moves, rules.play, rules.result

    def playouts(options: O, start: P, games: int, state: Words, tally: Ints) -> None:
        """Play games from a position. ``tally`` counts the mover's wins, draws and losses, placements and plies."""
        seed = state[0]
        wins = draws = losses = placements = plies = 0
        for _ in range(games):
            position = start
            turn = 0
            outcome = result(options, position)
            while outcome == ONGOING:
                legal = moves(options, position)
                seed = next_state(seed)
                move = nth_move(legal, draw_below(seed, count_moves(legal)))
                position = play(options, position, move)
                turn += 1
                placements += move != PASS
                outcome = result(options, position)
            if outcome == DRAWN:
                draws += 1
            elif (outcome == MOVER_LOSES) == (turn % 2 == 1):
                wins += 1
            else:
                losses += 1
            plies += turn
        state[0] = seed
        tally[0] += wins
        tally[1] += draws
        tally[2] += losses
        tally[3] += placements
        tally[4] += plies

    return playouts


def make_simulate(rules: RuleFunctions) -> Any:
    """Return a function that runs simulations, which extend a tree."""
    moves, play, result = rules.moves, rules.play, rules.result

    def simulate(
        options: O,
        root: P,
        simulations: int,
        nodes: int,
        numbers: Ints,
        fractions: Floats,
        room: int,
        rows: Ints,
        path: Ints,
        state: Words,
    ) -> tuple[int, int]:
        """Run simulations until their number or the nodes are used up, or the arrays are full.

        ``rows`` has the number of used rows, ``path`` room for the longest path, ``state`` a random state. Returns the
        number of simulations and of nodes.
        """
        seed, used = state[0], rows[0]
        done = passed = 0
        while done < simulations and passed < nodes:
            # Descend to a node with an untried move, or to the end of the game.
            position, node, depth = root, 0, 0
            while 0 < numbers[node * NUMBERS + LEGAL] == numbers[node * NUMBERS + TRIED]:
                path[depth] = node
                depth += 1
                node = best_child(numbers, fractions, node)
                position = play(options, position, numbers[node * NUMBERS + MOVE])
            path[depth] = node
            # Add a node.
            row = node * NUMBERS
            legal, tried = numbers[row + LEGAL], numbers[row + TRIED]
            if legal > 0:
                if tried != 1 and tried & (tried - 1) == 0:  # 0, 2, 4, 8: double the room for children
                    size = min(legal, max(2 * tried, 2))
                    if used + size > room:
                        break
                    move_children(numbers, fractions, node, used)
                    used += size
                move = nth_move(moves(options, position), (numbers[row + OFFSET] + tried * STRIDE) % legal)
                position = play(options, position, move)
                numbers[row + TRIED] = tried + 1
                depth += 1
                path[depth] = numbers[row + CHILDREN] + tried
                row = path[depth] * NUMBERS
                numbers[row + MOVE] = move
                if result(options, position) == ONGOING:
                    seed = next_state(seed)
                    numbers[row + LEGAL] = count_moves(moves(options, position))
                    numbers[row + OFFSET] = draw_below(seed, numbers[row + LEGAL])
            # Play a random game from there.
            plies = 0
            outcome = result(options, position)
            while outcome == ONGOING and plies < MAX_PLIES:
                allowed = moves(options, position)
                seed = next_state(seed)
                position = play(options, position, nth_move(allowed, draw_below(seed, count_moves(allowed))))
                plies += 1
                outcome = result(options, position)
            points = 1
            if outcome not in (ONGOING, DRAWN):
                points = 2 * ((outcome == MOVER_LOSES) == (plies % 2 == 0))
            count_points(numbers, fractions, path, depth, points)
            done += 1
            passed += depth + 1 + plies
        state[0], rows[0] = seed, used
        return done, passed

    return simulate


class TreeBuild(NamedTuple):
    """A function of ``make_simulate``, and functions that turn lists into its arrays."""

    simulate: Callable[..., Any]
    numbers: Callable[[list[int]], Any] = list
    fractions: Callable[[list[float]], Any] = list
    state: Callable[[list[int]], Any] = list
    grown: Callable[[Any], Any] = lambda array: array + [0] * len(array)  # doubles an array

    @classmethod
    def plain(cls, rules: Rules[O, P]) -> TreeBuild:
        """Return the simulations in pure Python over lists: without a limit for numbers."""
        return cls(make_simulate(rule_functions(rules.game)))


FIRST_ROWS = 64  # initial size of a tree


class Tree(Generic[O, P]):
    """The search tree of an unfinished position."""

    def __init__(self, rules: Rules[O, P], position: P, random: Random, simulations: int, build: TreeBuild) -> None:
        """``simulations`` is the maximum number in total."""
        self._options = rules.packed
        self._root = position
        self._build = build
        legal = rules.count_legal(position)
        root = [0] * NUMBERS
        root[LEGAL], root[OFFSET] = legal, random.randrange(legal)
        deepest = simulations if rules.bounds is None else min(simulations, rules.bounds.plies)
        self._path = build.numbers([0] * (deepest + 2))
        self._state = build.state([random.getrandbits(64) or 1])
        self._rows = build.numbers([1])
        self.numbers = build.numbers(root + [0] * (NUMBERS * (FIRST_ROWS - 1)))
        self.fractions = build.fractions([0.0] * (FRACTIONS * FIRST_ROWS))

    def simulate(self, simulations: int, nodes: int) -> tuple[int, int]:
        """Simulate until this number or the nodes are used up; return the number of simulations and of nodes."""
        done = passed = 0
        while done < simulations and passed < nodes:
            more, further = self._build.simulate(
                self._options,
                self._root,
                simulations - done,
                nodes - passed,
                self.numbers,
                self.fractions,
                len(self.fractions) // FRACTIONS,
                self._rows,
                self._path,
                self._state,
            )
            done, passed = done + int(more), passed + int(further)
            if done < simulations and passed < nodes:  # the arrays were full
                self.numbers, self.fractions = self._build.grown(self.numbers), self._build.grown(self.fractions)
        return done, passed

    @property
    def visits(self) -> dict[int, int]:
        """The number of simulations of each move, in the order in which the moves were first tried."""
        numbers = self.numbers
        rows = [(numbers[CHILDREN] + place) * NUMBERS for place in range(numbers[TRIED])]
        return {int(numbers[row + MOVE]): int(numbers[row + VISITS]) for row in rows}
