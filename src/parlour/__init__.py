"""Parlour: number games for two, played as their rule books say, solved, and offered to programs.

Everything public is here; ``docs/python.md`` shows what it is for. ``parlour.errors`` has every refusal there is, and
``parlour.game``, ``parlour.options`` and ``parlour.view`` are for whoever writes a game. All else is internal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour.catalog import find_game, list_games
from parlour.errors import (
    BadName,
    BadOptions,
    BadPosition,
    BadRecord,
    Cancelled,
    EngineFailed,
    GameOver,
    IllegalMove,
    MissingExtra,
    MoveRefused,
    NoNextRound,
    NothingToUndo,
    ParlourError,
    TooBig,
    UnknownGame,
    UnknownPlayer,
    UnreadableMove,
)
from parlour.game import PASS, Bounds, Game, Moment
from parlour.limit import Limit
from parlour.match import Action, Match, Round, Setup, new_match
from parlour.outcome import Outcome, Termination
from parlour.record import read_record, write_record
from parlour.rules import Move, Rules, Status, rules_of
from parlour.score import Score, Value
from parlour.version import __version__ as __version__
from parlour.view import Group, Tile, View

if TYPE_CHECKING:  # what takes its time to load is loaded when it is asked for: see __getattr__
    from parlour.batch import Playouts, playouts, random_game
    from parlour.batch.encoding import Encoding
    from parlour.batch.lockstep import Batch, BatchStep, Scores
    from parlour.players import PlayerKind, find_player, list_player_kinds
    from parlour.solver import Analysis, Choice, ScoreTable, Solver, Statistics, kept_table, solve, tabulate
    from parlour.study.contest import Contest, measure_contest
    from parlour.study.explain import explain
    from parlour.study.exploitability import Exploitability, measure_exploitability
    from parlour.study.hints import Hint, Hints, Reason
    from parlour.study.report import (
        Account,
        Chances,
        Decision,
        LastChance,
        Report,
        Resignation,
        RoundReport,
        TurningPoint,
        make_report,
    )
    from parlour.study.words import Line
    from parlour.turn import Player, Resigned, Turn, play_out, take_turn

__all__ = [
    "PASS",
    "Account",
    "Action",
    "Analysis",
    "BadName",
    "BadOptions",
    "BadPosition",
    "BadRecord",
    "Batch",
    "BatchStep",
    "Bounds",
    "Cancelled",
    "Chances",
    "Choice",
    "Contest",
    "Decision",
    "Encoding",
    "EngineFailed",
    "Exploitability",
    "Game",
    "GameOver",
    "Group",
    "Hint",
    "Hints",
    "IllegalMove",
    "LastChance",
    "Limit",
    "Line",
    "Match",
    "MissingExtra",
    "Moment",
    "Move",
    "MoveRefused",
    "NoNextRound",
    "NothingToUndo",
    "Outcome",
    "ParlourError",
    "Player",
    "PlayerKind",
    "Playouts",
    "Reason",
    "Report",
    "Resignation",
    "Resigned",
    "Round",
    "RoundReport",
    "Rules",
    "Score",
    "ScoreTable",
    "Scores",
    "Setup",
    "Solver",
    "Statistics",
    "Status",
    "Termination",
    "Tile",
    "TooBig",
    "Turn",
    "TurningPoint",
    "UnknownGame",
    "UnknownPlayer",
    "UnreadableMove",
    "Value",
    "View",
    "explain",
    "find_game",
    "find_player",
    "kept_table",
    "list_games",
    "list_player_kinds",
    "make_report",
    "measure_contest",
    "measure_exploitability",
    "new_match",
    "play_out",
    "playouts",
    "random_game",
    "read_record",
    "rules_of",
    "solve",
    "tabulate",
    "take_turn",
    "write_record",
]

_LOADED_WHEN_ASKED_FOR = {
    "parlour.batch": (
        "Playouts",
        "playouts",
        "random_game",
    ),
    "parlour.batch.encoding": ("Encoding",),
    "parlour.batch.lockstep": (
        "Batch",
        "BatchStep",
        "Scores",
    ),
    "parlour.players": (
        "PlayerKind",
        "find_player",
        "list_player_kinds",
    ),
    "parlour.solver": (
        "Analysis",
        "Choice",
        "ScoreTable",
        "Solver",
        "Statistics",
        "kept_table",
        "solve",
        "tabulate",
    ),
    "parlour.study.contest": (
        "Contest",
        "measure_contest",
    ),
    "parlour.study.explain": ("explain",),
    "parlour.study.exploitability": (
        "Exploitability",
        "measure_exploitability",
    ),
    "parlour.study.hints": (
        "Hint",
        "Hints",
        "Reason",
    ),
    "parlour.study.report": (
        "Account",
        "Chances",
        "Decision",
        "LastChance",
        "Report",
        "Resignation",
        "RoundReport",
        "TurningPoint",
        "make_report",
    ),
    "parlour.study.words": ("Line",),
    "parlour.turn": (
        "Player",
        "Resigned",
        "Turn",
        "play_out",
        "take_turn",
    ),
}


if not TYPE_CHECKING:  # a type checker is not to take every name for one of ours

    def __getattr__(name: str) -> object:
        for module, names in _LOADED_WHEN_ASKED_FOR.items():
            if name in names:
                from importlib import import_module

                found = globals()[name] = getattr(import_module(module), name)
                return found
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
