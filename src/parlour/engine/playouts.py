"""Random games, written once over any game's rules. They are the same in pure Python and compiled."""

from __future__ import annotations

from typing import Any

from parlour.engine.moves import nth_move
from parlour.engine.search import RuleFunctions
from parlour.engine.types import Ints, Word, Words
from parlour.game import DRAWN, MOVER_LOSES, ONGOING, PASS, P, count_moves
from parlour.options import O


def next_state(state: Word) -> Word:
    """The next state of a random sequence: xorshift over 64 bits, never 0 unless it begins with 0."""
    state = Word(state ^ (state << 13 & (1 << 64) - 1))
    state = Word(state ^ state >> 7)
    return Word(state ^ (state << 17 & (1 << 64) - 1))


def draw_below(state: Word, bound: int) -> int:
    """A number from 0 to below the bound, from the upper bits of a state; the bound is less than 2**31."""
    return (state >> 33) * bound >> 31


def make_playouts(rules: RuleFunctions) -> Any:
    """Return a function that plays random games, each legal move as likely as the others."""
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
