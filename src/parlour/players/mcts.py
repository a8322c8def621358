"""The player that knows only the rules: it plays games in its head and takes the move that it tried most often.

``kernels.tree`` says how. A few simulations run as they stand; many are compiled, where that
can be done, and come to the same.
"""

from __future__ import annotations

from random import Random

from parlour.errors import TooBig
from parlour.game import P
from parlour.kernels import can_compile
from parlour.kernels.packing import compiles
from parlour.kernels.tree import Tree, TreeBuild
from parlour.limit import Limit
from parlour.match import Match
from parlour.options import O
from parlour.players import PlayerKind
from parlour.rules import Rules

MOST_SIMULATIONS = 1_000_000
PLAIN_SIMULATIONS = 20_000  # as they stand, in about a second; to compile takes longer
COMPILING = 3.0  # seconds that it may take
PLAIN_CHUNK = 4_000  # nodes between two looks at the clock: about a twentieth of a second
COMPILED_CHUNK = 1 << 19


class MctsPlayer:
    """The most tried move after so many simulations, or after as many as the limit allows."""

    def __init__(self, simulations: int) -> None:
        self._simulations = simulations

    def choose(self, match: Match[O, P], random: Random, limit: Limit | None = None) -> int:
        if match.only_move is not None:
            return match.only_move
        limit = Limit() if limit is None else limit
        large = self._simulations > PLAIN_SIMULATIONS and limit.seconds_left > COMPILING
        build, chunk = _build(match.rules, large)
        tree = Tree(match.rules, match.position, random, self._simulations, build)
        left, allowed = self._simulations, 1  # one simulation whatever the limit is, so that there is a move
        while left:
            done, nodes = tree.simulate(left, limit.allowance(allowed))
            left, allowed = left - done, chunk
            if _is_used_up(limit, nodes):
                break
        most = max(tree.visits.values())
        return random.choice([move for move, visits in tree.visits.items() if visits == most])

    def close(self) -> None:
        pass


def _build(rules: Rules[O, P], large: bool) -> tuple[TreeBuild, int]:
    """How to simulate, and for how many nodes at a time."""
    if large and can_compile() and compiles(rules):
        from parlour.kernels.compile import compiled_tree

        return compiled_tree(rules.game), COMPILED_CHUNK
    return TreeBuild.plain(rules), PLAIN_CHUNK


def _is_used_up(limit: Limit, nodes: int) -> bool:
    """Whether nothing is left of a limit after so many nodes more; Cancelled if nobody wants a move any more."""
    limit.spend(nodes)
    try:
        limit.check()
    except TooBig:
        return True
    return False


def _make(argument: str) -> MctsPlayer | None:
    is_number = argument.isascii() and argument.isdigit() and len(argument) < 9
    return MctsPlayer(int(argument)) if is_number and 1 <= int(argument) <= MOST_SIMULATIONS else None


KINDS = (
    PlayerKind(
        word="mcts:SIMULATIONS",
        title="MCTS",
        about="knows only the rules: it plays that many games in its head before each move",
        make=_make,
        argument=f"SIMULATIONS go from 1 to {MOST_SIMULATIONS}",
        place=40,
        offered=False,
    ),
)
