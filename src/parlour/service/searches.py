"""What a search finds out about a match, for whichever door asks: a computer's move, and what a position is worth.

Nothing here writes anything, and a match that is asked about stays as it is.
"""

from __future__ import annotations

from parlour import players
from parlour.documents.solution import Solution, solution_document
from parlour.errors import GameOver, TooBig, UnknownPlayer
from parlour.limit import Limit
from parlour.match import MOVE, Match
from parlour.service.errors import SearchFailed
from parlour.solver import Analysis, Solver
from parlour.turn import take_turn

MOST_CHOICES = 1000  # of a position that are told; the rest is counted
# The work for a computer's move, in positions searched and not in seconds: on a busy machine a computer takes longer,
# and plays the same.
MOVE_NODES = 1_000_000  # about 15 seconds of one processor in pure Python; hardly any move needs a tenth of it
PROOF_NODES = 2_000_000  # budget of a player that needs a proof: 2 seconds compiled, 30 in pure Python


def choose_move(match: Match, limit: Limit) -> str | None:
    """The name of the move that the computer chooses whose turn it is; None: it resigns.

    GameOver if there is nothing to choose; UnknownPlayer if a person is to move, or somebody's program, which is not
    started here; TooBig if it has no proof within its budget of work; SearchFailed or Cancelled if the limit ends the
    search before that.
    """
    if not match.legal_moves:
        raise GameOver("the game is over: there is no move to choose")
    word = match.setup.players[match.turn - 1]
    if players.starts_program(word):
        raise UnknownPlayer("no programs are started here: choose another player")
    player = players.load(word)
    if player is None:
        raise UnknownPlayer(f"{match.names[match.turn - 1]} is a person and chooses without help")
    work = limit.part(nodes=PROOF_NODES if players.find_kind(word).needs_proof else MOVE_NODES)
    try:
        action = take_turn(match.copy(), player, work).action
    except TooBig:
        if limit.time_is_up:
            raise SearchFailed("the computer has not found its move yet; try again") from None
        raise
    finally:
        player.close()
    return match.rules.name(action.move) if action.kind == MOVE else None


def solve_position(solver: Solver, match: Match, limit: Limit, position: str | None = None) -> Solution:
    """What the position of a match is exactly worth, or another one under its rules, given by its name.

    The solver is one for these rules. BadPosition if there is no such position, TooBig if the limit is too narrow even
    for the values of the moves; how soon the game ends, and best play, are left out where there is no time for them.
    """
    rules = match.rules
    asked = match.position if position is None else rules.read_position(position)
    at, legal = match if position is None else None, rules.legal(asked)
    if legal:
        found = solver.analyse(asked, limit, legal[:MOST_CHOICES], line=True)
    else:
        value = solver.value(asked, limit)
        found = Analysis(rules=rules, position=asked, value=value, plies=0, choices=[], line=[])
    return solution_document(found, match=at)
