"""The searches, written once over any game's rules. They run as they stand, or compiled.

A *score* is a value and a distance in one number, for the player to move: a win in n plies is ``TOP - n``, a draw is 0,
a loss in n plies is ``n - TOP``. So the winner hurries and the loser delays by taking the highest score there is.

Nothing here remembers anything of its own: what is known is in a table, and a search that runs out of its allowance of
work says so and can be asked again; what it has found out by then is in the table, so little is done twice.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from parlour.game import DRAWN, MOVER_LOSES, ONGOING, PASS, Moves, count

TOP = 1 << 14  # more than any distance
DEEPEST = 4000  # plies that a search goes down: each takes room on the stack
STOPPED = -1 << 20  # the allowance of work is used up
IMPOSSIBLE = STOPPED - 1  # play cannot lead to this position: there is more to it than a game has room for
FLAGS = 2  # a mark is a score and two flags: there is more than one move; some move loses value
MARK_BITS = 18  # that a mark takes

Jit = Callable[[Any], Any]  # compiles a function, or leaves it as it is


class Rules(NamedTuple):
    """The functions of a game that searching needs."""

    moves: Callable[..., Any]
    play: Callable[..., Any]
    result: Callable[..., Any]
    canonical: Callable[..., Any]
    settled: Callable[..., Any]


class Table(NamedTuple):
    """How a table is read and written; a table is whatever these two understand."""

    look: Callable[..., Any]  # (table, position) -> what is known
    keep: Callable[..., Any]  # (table, position, ...)


def lowest(mask: int) -> int:
    """The place of the lowest bit that is set."""
    return (mask & -mask).bit_length() - 1


def first(moves: Moves) -> int:
    """The first move; -1: there is none."""
    if moves.mask:
        return lowest(moves.mask)
    return moves.low if moves.low <= moves.high else -1


def after(moves: Moves, move: int) -> int:
    """The move after a move; -1: it was the last."""
    if moves.mask:
        rest = moves.mask >> (move + 1)
        return move + 1 + lowest(rest) if rest else -1
    return move + 1 if move < moves.high else -1


def arrange(numbers: list[int], begin: int, end: int) -> None:
    """Sort a part of a list."""
    numbers[begin:end] = sorted(numbers[begin:end])


def finished(result: int) -> int:
    """The score of a finished game."""
    if result == DRAWN:
        return 0
    return -TOP if result == MOVER_LOSES else TOP


def back(score: int) -> int:
    """What a score of the opponent's, one ply later, is worth to the player before."""
    if score == 0:
        return 0
    return 1 - score if score > 0 else -1 - score


def sign(score: int) -> int:
    """The value in a score: 1 a win, 0 a draw, -1 a loss."""
    return (score > 0) - (score < 0)


def reply(target: int) -> int:
    """A player has at least the target after a move exactly if the opponent then has less than this."""
    if target in (0, 1):
        return 1 - target
    return -target if target > 0 else 2 - target


def make_at_least(rules: Rules, table: Table, jit: Jit) -> Any:
    """A search that answers one question with as little work as it can: is a position's score at least so much?"""
    moves, play, result, canonical, settled = rules
    look, keep = table

    def at_least(options: Any, position: Any, target: int, known: Any, notes: Any, begin: int, work: Any) -> int:
        """1: yes, 0: no; STOPPED: the work in ``work[0]`` is used up; or IMPOSSIBLE. The position is not finished.

        ``known`` maps positions to a lower and an upper bound of their scores; ``notes`` has room to write from
        ``begin`` on.
        """
        here = canonical(options, position)
        low, high = look(known, here)
        if low >= target:
            return 1
        if high < target:
            return 0
        if work[0] <= 0:
            return STOPPED
        work[0] -= 1
        needed = reply(target)
        legal = moves(options, position)
        span = len(notes)
        end = begin
        found = False
        move = first(legal)
        while move >= 0 and not found:  # what can be told at a glance
            child = play(options, position, move)
            outcome = result(options, child)
            if outcome != ONGOING:
                found = finished(outcome) < needed
            elif settled(options, child):
                found = needed > 0
            elif needed >= TOP:  # nobody has won before he has moved
                found = True
            elif needed > 1 - TOP:
                child_low, child_high = look(known, canonical(options, child))
                if child_high < needed:
                    found = True
                elif child_low < needed:
                    if end == span:
                        return IMPOSSIBLE
                    notes[end] = count(moves(options, child)) * span + move
                    end += 1
            move = after(legal, move)
        if not found:
            arrange(notes, begin, end)  # an opponent with few replies is soon refuted
            for place in range(begin, end):
                child = play(options, position, notes[place] % span)
                answer = at_least(options, child, needed, known, notes, end, work)
                if answer < 0:
                    return answer
                if answer == 0:
                    found = True
                    break
        if found:
            keep(known, here, target, high)
            return 1
        keep(known, here, low, target - 1)
        return 0

    at_least = jit(at_least)
    return at_least


def make_fill(rules: Rules, table: Table, jit: Jit) -> Any:
    """A search that finds the exact score of a position and of every unfinished position that can follow it."""
    moves, play, result, canonical, _ = rules
    look, keep = table

    def fill(options: Any, position: Any, known: Any, work: Any) -> Any:
        """The score, or STOPPED when ``work[0]`` is used up. ``known`` maps positions to marks, or to STOPPED."""
        here = canonical(options, position)
        mark = look(known, here)
        if mark != STOPPED:
            return mark >> FLAGS
        if work[0] <= 0:
            return STOPPED
        work[0] -= 1
        best, worst = -TOP, TOP
        legal = moves(options, here)
        move = first(legal)
        while move >= 0:
            child = play(options, here, move)
            outcome = result(options, child)
            score = finished(outcome) if outcome != ONGOING else fill(options, child, known, work)
            if score == STOPPED:
                return STOPPED
            best = max(best, back(score))
            worst = min(worst, back(score))
            move = after(legal, move)
        keep(known, here, best << FLAGS | (count(legal) > 1) << 1 | (sign(worst) < sign(best)))
        return best

    fill = jit(fill)
    return fill


def shuffled(state: int) -> int:
    """The next state of a random sequence: xorshift over 64 bits, never 0 unless it begins with 0."""
    state ^= state << 13 & (1 << 64) - 1
    state ^= state >> 7
    return state ^ (state << 17 & (1 << 64) - 1)


def below(state: int, limit: int) -> int:
    """A number from 0 to below the limit, from the upper bits of a state; the limit is less than 2**31."""
    return (state >> 33) * limit >> 31


def select(mask: int, place: int) -> int:
    """The bit at a place among those set, counted from 0."""
    for _ in range(place):
        mask &= mask - 1
    return lowest(mask)


def nth(moves: Moves, place: int) -> int:
    """The move at a place, counted from 0."""
    return select(moves.mask, place) if moves.mask else moves.low + place


def make_playouts(rules: Rules, jit: Jit) -> Any:
    """Random games, each legal move as likely as the others."""
    moves, play, result, _, _ = rules

    def playouts(options: Any, start: Any, games: int, state: Any, tally: Any) -> None:
        """Play games from a position. ``tally`` counts the mover's wins, draws and losses, placements and plies."""
        seed = state[0]
        wins = draws = losses = placements = plies = 0
        for _ in range(games):
            position = start
            turn = 0
            outcome = result(options, position)
            while outcome == ONGOING:
                legal = moves(options, position)
                seed = shuffled(seed)
                move = nth(legal, below(seed, count(legal)))
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

    return jit(playouts)
