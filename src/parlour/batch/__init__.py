"""Many games at once: random games from a position, and vectorised games in lock-step (``lockstep``)."""

from parlour.batch.random_games import Playouts, playouts, random_game, random_move

__all__ = ["Playouts", "playouts", "random_game", "random_move"]
