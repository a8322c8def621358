"""Monte Carlo tree search: a player that needs only the rules and takes the move it tried most often.

``engine.tree`` has the search. Few simulations run in pure Python and many in compiled code; the tree is the same.
"""

from __future__ import annotations

from random import Random

from parlour.engine import Runtime, compiled_runtime
from parlour.engine.search import compiles
from parlour.engine.tree import Tree, TreeBuild
from parlour.errors import TooBig
from parlour.game import P
from parlour.limit import Limit, limit_of
from parlour.match import Match
from parlour.options import O
from parlour.players import PlayerKind
from parlour.rules import Rules
from parlour.turn import chance, check_turn

MAX_SIMULATIONS = 1_000_000
PLAIN_SIMULATIONS = 500  # simulations in pure Python, faster than loading WebAssembly
PLAIN_CHUNK = 4_000  # nodes between checks of the limit: about a twentieth of a second
COMPILED_CHUNK = 1 << 19


class MctsPlayer:
    """A player that takes the most tried move after a number of simulations, or fewer if the limit ends them."""

    def __init__(self, simulations: int, runtime: Runtime | None = None) -> None:
        """``runtime`` is as in ``Solver``; the tree does not depend on it."""
        self._simulations = simulations
        self._runtime = runtime

    def __repr__(self) -> str:
        return f"<Player mcts:{self._simulations}>"

    def choose(self, match: Match[O, P], random: Random | None = None, limit: Limit | None = None) -> int:
        check_turn(match)
        random = random or chance(match)
        if match.only_move is not None:
            return match.only_move
        limit = limit_of(limit)
        build, chunk = _build(match.rules, self._simulations, self._runtime)
        tree = Tree(match.rules, match.position, random, self._simulations, build)
        left, allowed = self._simulations, 1  # at least one simulation, so that there is a move
        while left:
            done, nodes = tree.simulate(left, limit.allowance(allowed))
            left, allowed = left - done, chunk
            if _is_used_up(limit, nodes):
                break
        most = max(tree.visits.values())
        return random.choice([move for move, visits in tree.visits.items() if visits == most])

    def close(self) -> None:
        pass


def _build(rules: Rules[O, P], simulations: int, runtime: Runtime | None) -> tuple[TreeBuild, int]:
    """Return the build of the tree and the number of nodes between checks of the limit."""
    chosen = compiled_runtime(runtime, simulations > PLAIN_SIMULATIONS)
    if chosen is not None and compiles(rules):
        from parlour.engine.sessions import compiled_tree, has_engine

        if has_engine(rules.game, chosen):
            return compiled_tree(rules.game, chosen), COMPILED_CHUNK
    return TreeBuild.plain(rules), PLAIN_CHUNK


def _is_used_up(limit: Limit, nodes: int) -> bool:
    """Spend some nodes and return whether the limit is used up; Cancelled if the work was cancelled."""
    limit.spend(nodes)
    try:
        limit.check()
    except TooBig:
        return True
    return False


def _make(argument: str) -> MctsPlayer | None:
    is_number = argument.isascii() and argument.isdigit() and len(argument) < 9
    return MctsPlayer(int(argument)) if is_number and 1 <= int(argument) <= MAX_SIMULATIONS else None


KINDS = (
    PlayerKind(
        word="mcts:SIMULATIONS",
        title="MCTS",
        about="needs only the rules: it simulates that many games before each move",
        make=_make,
        argument=f"SIMULATIONS go from 1 to {MAX_SIMULATIONS}",
        place=40,
        offered=False,
    ),
)
