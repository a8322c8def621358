"""Parlour: five two-player number games, played, solved and offered to programs."""

from parlour.catalog import keys, load
from parlour.errors import ParlourError
from parlour.game import DRAWN, MOVER_LOSES, MOVER_WINS, ONGOING, PASS, Game
from parlour.match import Match, Setup
from parlour.outcome import Outcome
from parlour.record import read as read_record
from parlour.record import write as write_record
from parlour.rules import Rules, read_rules

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
    "Rules",
    "Setup",
    "keys",
    "load",
    "read_record",
    "read_rules",
    "write_record",
]
