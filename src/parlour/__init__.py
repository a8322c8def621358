"""Parlour: five two-player number games, played, solved and offered to programs."""

from parlour.catalog import keys, load
from parlour.errors import ParlourError
from parlour.game import DRAWN, MOVER_LOSES, MOVER_WINS, ONGOING, PASS, Game
from parlour.match import Match, Setup
from parlour.outcome import Outcome
from parlour.record import read as read_record
from parlour.record import write as write_record
from parlour.referee import choose_options, legal_moves, name_move, play_move, read_move

__version__ = "0.1.0"

__all__ = [
    "DRAWN",
    "MOVER_LOSES",
    "MOVER_WINS",
    "ONGOING",
    "PASS",
    "Game",
    "Match",
    "Outcome",
    "ParlourError",
    "Setup",
    "choose_options",
    "keys",
    "legal_moves",
    "load",
    "name_move",
    "play_move",
    "read_move",
    "read_record",
    "write_record",
]
