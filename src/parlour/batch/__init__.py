"""Random games, and batches of vectorised games (``lockstep``)."""

from parlour.batch.random_games import Playouts, playouts, random_game, random_move

__all__ = ["Playouts", "playouts", "random_game", "random_move"]
