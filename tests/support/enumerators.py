"""The five games once more, as slowly and plainly as the rule books tell them, to count moves against.

Nothing here knows Parlour. A game is one function: it is given the options and the history, that is everything played
so far by both players in turn, and it says how the game has ended ("first", "second", "draw" or None for not yet) and
which moves the player to move has. Everything is worked out anew from the history each time.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

Options = dict[str, Any]
History = tuple[Any, ...]
Look = Callable[[Options, History], tuple[str | None, list[Any]]]
PLAYERS = ("first", "second")


def chosen(history: History, player: int) -> list[Any]:
    """What a player has chosen; 0 is who began. Passes are no choice."""
    return [move for move in history[player::2] if move != "pass"]


def increasing_differences(options: Options, history: History) -> tuple[str | None, list[int]]:
    mover = len(history) % 2
    mine, theirs = chosen(history, mover), chosen(history, 1 - mover)
    if len(theirs) == options["length"]:
        return PLAYERS[1 - mover], []
    valid = []
    for number in range(1, options["range"] + 1):
        if number not in history:
            longer = [*mine, number]
            differences = [abs(longer[i + 1] - longer[i]) for i in range(len(longer) - 1)]
            if all(differences[i + 1] > differences[i] for i in range(len(differences) - 1)):
                valid.append(number)
    return (None, valid) if valid else (PLAYERS[1 - mover], [])


def sequence_spot(options: Options, history: History) -> tuple[str | None, list[tuple[int, int]]]:
    rows = options["rows"]
    cells = [(row, column) for row in range(3) for column in range(3)]
    for player in (0, 1):
        for line in combinations(sorted(history[player::2]), 3):
            steps = {(line[i + 1][0] - line[i][0], line[i + 1][1] - line[i][1]) for i in (0, 1)}
            straight = len(steps) == 1  # three cells of this grid at even distances are a line
            a, b, c = (rows[row][column] for row, column in line)
            if straight and b - a == c - b:
                return PLAYERS[player], []
    free = [cell for cell in cells if cell not in history]
    return (None, free) if free else ("draw", [])


def pyramid_placements(options: Options, history: History, player: int) -> list[int]:
    """The numbers that a player can place into the next position; none when there is no number or no position."""
    base, highest = options["base"], options["highest"]
    levels: list[list[int]] = [[] for _ in range(base)]
    for number in chosen(history, player):
        level = next(k for k in range(base) if len(levels[k]) < base - k)
        levels[level].append(number)
    unfinished = [k for k in range(base) if len(levels[k]) < base - k]
    if not unfinished:
        return []
    level = unfinished[0]
    if level == 0:
        fitting = set(range(1, highest + 1))
    else:
        left = levels[level - 1][len(levels[level])]
        right = levels[level - 1][len(levels[level]) + 1]
        fitting = {left + right, abs(left - right)}
    copies = options.get("copies")
    return [n for n in sorted(fitting) if 1 <= n <= highest and (copies is None or history.count(n) < copies)]


def pyramid_challenge(options: Options, history: History) -> tuple[str | None, list[Any]]:
    mover = len(history) % 2
    positions = sum(range(1, options["base"] + 1))
    if len(chosen(history, 1 - mover)) == positions:
        return PLAYERS[1 - mover], []
    mine = pyramid_placements(options, history, mover)
    if not mine and not pyramid_placements(options, history, 1 - mover):
        return "draw", []
    return None, mine or ["pass"]


def double_up(options: Options, history: History) -> tuple[str | None, list[int]]:
    used = [1, *history]
    valid = []
    for number in range(used[-1] + 1, 2 * used[-1] + 1):
        if number not in used and (options["limit"] is None or number <= options["limit"]):
            valid.append(number)
    return (None, valid) if valid else (PLAYERS[(len(history) - 1) % 2], [])


def builder_numbers(options: Options, history: History, player: int) -> list[int]:
    """The unselected numbers that a player can add to his sequence."""
    mine = chosen(history, player)
    unselected = [n for n in range(1, options["pool"] + 1) if n not in history]
    return [n for n in unselected if not mine or n - mine[-1] in options["increments"]]


def sequence_builder(options: Options, history: History) -> tuple[str | None, list[Any]]:
    mover = len(history) % 2
    lengths = [len(chosen(history, player)) for player in (0, 1)]
    for player in (0, 1):
        if lengths[player] == options["length"]:
            return PLAYERS[player], []
    mine = builder_numbers(options, history, mover)
    if not mine and not builder_numbers(options, history, 1 - mover):
        if lengths[0] == lengths[1]:
            return "draw", []
        return PLAYERS[lengths.index(max(lengths))], []
    return None, mine or ["pass"]


def as_played(history: History) -> History:
    """Every history is a game of its own."""
    return history


def as_marked(history: History) -> History:
    """Histories that leave the same grid are one: who marked what matters, not in which order."""
    same = list(history)
    same[0::2], same[1::2] = sorted(history[0::2]), sorted(history[1::2])
    return tuple(same)


def count_moves(
    look: Look,
    options: Options,
    depth: int,
    merge: Callable[[History], History] = as_played,
    begun: History = (),
) -> list[tuple[int, int, int, int]]:
    """For each depth: how many move sequences there are, and how many of them end there in a win of the player who
    began, in a win of the other one, or in a draw. Stops at this depth, or where no game goes on. Depths are
    counted from a game that has begun like this."""
    rows = []
    histories: dict[History, int] = {begun: 1}
    for ply in range(depth + 1):
        ends = {"first": 0, "second": 0, "draw": 0}
        longer: dict[History, int] = {}
        for history, ways in histories.items():
            ended, moves = look(options, history)
            if ended:
                ends[ended] += ways
            for move in moves if ply < depth else ():
                key = merge((*history, move))
                longer[key] = longer.get(key, 0) + ways
        rows.append((sum(histories.values()), ends["first"], ends["second"], ends["draw"]))
        if not longer:
            break
        histories = longer
    return rows
