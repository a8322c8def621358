"""Synchronous moves of a match's computers.

The web does not wait for them: ``web.computers`` uses its search processes and applies the same commands.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from parlour.errors import TooBig
from parlour.limit import Limit
from parlour.service.commands import ComputerMove, MatchCommand, ReplaceComputer
from parlour.service.loaded import LoadedMatch
from parlour.service.matches import MatchService
from parlour.service.searches import choose_move


def let_computers_move(matches: MatchService, loaded: LoadedMatch, new_limit: Callable[[], Limit]) -> LoadedMatch:
    """Make all moves of computers that are due, and return the match; ``new_limit`` returns the limit of each turn.

    An easier computer replaces one that finds no proof within its budget. A move that another process makes meanwhile
    is not made twice.

    Raises:
        Cancelled: the search was cancelled.
        SearchFailed: the time limit of a turn has expired.
    """
    while loaded.computer_to_move:
        player = loaded.match.setup.players[loaded.match.turn - 1]
        try:
            command: MatchCommand = ComputerMove(choose_move(loaded.match, new_limit()), loaded.ply)
        except TooBig:
            command = ReplaceComputer(player, loaded.ply)
        loaded = replace(matches.apply(loaded.id, None, command), seats=loaded.seats)
    return loaded
