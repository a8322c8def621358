"""What to expect of a game between equals who sometimes err, written once over any game's rules.

At each turn a player either takes one of the moves that keep the value of the position, each as likely as the others,
or errs: then it is any legal move, which may be a good one by luck.
"""

from __future__ import annotations

from typing import Any

from parlour.engine.moves import first_move, next_move
from parlour.engine.search import RuleFunctions
from parlour.engine.types import Ints, Table
from parlour.game import DRAWN, MOVER_WINS, ONGOING, P, count_moves
from parlour.options import O

UNKNOWN = 2.0  # instead of a value: the position is unknown, or the nodes are used up
Expected = tuple[float, float, float, float, float]  # the numbers of ``make_expected``
NOTHING_KNOWN = (UNKNOWN, 0.0, 0.0, 0.0, 0.0)

# Counts over all unfinished positions.
DECISIONS = 0  # with more than one move
CRITICAL = 1  # where some move loses value
HOLDING = 2  # moves that keep the value, in all decisions together
COUNTS = 3


def lookup_expected(table: dict[Any, Expected], position: Any) -> Expected:
    return table.get(position, NOTHING_KNOWN)


def store_expected(table: dict[Any, Expected], position: Any, found: Expected) -> None:
    table[position] = found


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
