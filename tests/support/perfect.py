"""The perfect player against minimax, in every position and against every opponent."""

from __future__ import annotations

from random import Random

from parlour.game import ONGOING
from parlour.match import Match
from parlour.players.perfect import COMPARED_MOVES, PerfectPlayer
from parlour.view import PLAYERS, PlayerNumber
from tests.support.naive import reachable
from tests.support.small import SmallGame, perfect_moves


def check_every_position(game: SmallGame) -> None:
    """Check the player's move after every line of play at all, so in every position that follows the opening.

    Each is as good as minimax says, and has the most wrong replies where it does not win.
    """
    match = game.begun()
    right, player, seen = game.book, PerfectPlayer(), set[tuple[int, ...]]()

    def check() -> None:
        if match.position in seen or match.round_result != ONGOING:
            return
        seen.add(match.position)
        best = right.best(match.position)
        if len(best) <= COMPARED_MOVES:
            best = perfect_moves(right, match.position)
        assert player.choose(match, Random(len(seen))) in best
        for move in match.legal_moves:
            match.play(move)
            check()
            match.undo()

    check()
    assert len(seen) == len(reachable(game.rules, game.begun().position))


def check_every_opponent(game: SmallGame) -> None:
    """Try every line of an opponent against the player's answers, as either player."""

    def worst(match: Match, own: PlayerNumber, player: PerfectPlayer) -> int:
        """The worst that can happen to it."""
        if match.round_result != ONGOING:
            return 0 if match.round_winner is None else 1 if match.round_winner == own else -1
        if match.turn != own:
            choices = list(match.legal_moves)
        else:
            choices = [player.choose(match, match.setup.random(*match.round.moves))]
        found = []
        for move in choices:
            match.play(move)
            found.append(worst(match, own, player))
            match.undo()
        return min(found)

    for own in PLAYERS:
        match = game.begun()
        value = int(game.book.worth(match.position).value)
        assert worst(match, own, PerfectPlayer()) == (value if match.turn == own else -value)
