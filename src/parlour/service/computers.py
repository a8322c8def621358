"""The computers of a match, for a door that waits until they have moved.

The web does not wait: it asks its worker processes (``web.computers``), and applies the same commands.
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
    """The match when no computer is to move any more; ``new_limit`` says what each turn of one may cost.

    For one that finds no proof within its budget of work an easier one plays on. Whoever else lets it move at the same
    time, a server of the same database, may be quicker: it is moved once. Cancelled if the search is given up,
    SearchFailed if the limit's time is up.
    """
    while loaded.computer_to_move:
        player = loaded.match.setup.players[loaded.match.turn - 1]
        try:
            command: MatchCommand = ComputerMove(choose_move(loaded.match, new_limit()), loaded.ply)
        except TooBig:
            command = ReplaceComputer(player, loaded.ply)
        loaded = replace(matches.apply(loaded.id, None, command), seats=loaded.seats)
    return loaded
