"""Searches for matches: a computer's move, and the exact value of a position. They do not change the match."""

from __future__ import annotations

from parlour import players
from parlour.documents.solution import Solution, solution_document
from parlour.errors import GameOver, TooBig, UnknownPlayer
from parlour.limit import Limit
from parlour.match import MOVE, Match
from parlour.service.errors import SearchFailed
from parlour.solver import Analysis, Solver
from parlour.turn import take_turn

MAX_CHOICES = 1000  # moves listed for a position; further ones are only counted
# The budgets are numbers of positions instead of seconds, so that a computer plays the same on a busy machine.
MOVE_NODES = 1_000_000  # about 15 seconds in pure Python; hardly any move needs a tenth of it
PROOF_NODES = 2_000_000  # budget of a player that needs a proof: 2 seconds compiled, 30 in pure Python


def choose_move(match: Match, limit: Limit) -> str | None:
    """Return the name of the move that the computer to move chooses; None if it resigns.

    Raises:
        GameOver: there is no move to choose.
        UnknownPlayer: the player to move is a person or an outside program.
        TooBig: the computer finds no proof within its budget.
        SearchFailed, Cancelled: the limit ended the search.
    """
    if not match.legal_moves:
        raise GameOver("the game is over: there is no move to choose")
    word = match.setup.players[match.turn - 1]
    if players.starts_program(word):
        raise UnknownPlayer("no programs are started here: choose another player")
    player = players.load(word)
    if player is None:
        raise UnknownPlayer(f"{match.names[match.turn - 1]} is a person, not a computer")
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
    """Return the exact value of a match's position, or of the named position under its rules.

    The solver has to have the same rules. Distances and best play are left out if the limit does not allow them.

    Raises:
        BadPosition: the named position does not exist.
        TooBig: the limit is too small even for the values of the moves.
    """
    rules = match.rules
    asked = match.position if position is None else rules.read_position(position)
    at, legal = match if position is None else None, rules.legal(asked)
    if legal:
        found = solver.analyse(asked, limit, legal[:MAX_CHOICES], line=True)
    else:
        value = solver.value(asked, limit)
        found = Analysis(rules=rules, position=asked, value=value, plies=0, choices=[], line=[])
    return solution_document(found, match=at)
