"""Two-player number games: their rules, a solver, and tools for programs that play them.

The names in ``__all__`` are public; ``docs/python.md`` describes them. So are ``parlour.results``, the types of
results, ``parlour.errors``, and ``parlour.game``, ``parlour.options`` and ``parlour.view`` for authors of games.
Everything else is internal.
"""

from __future__ import annotations

from parlour import errors, game, options, view  # noqa: F401  (the public modules)
from parlour.version import __version__ as __version__

# The public names by module. A module is imported when one of its names is first used, so `import parlour` is quick.
# Type checkers read __init__.pyi, which `make reference` writes.
_NAMES = {
    "parlour.batch": (
        "playouts",
        "random_game",
    ),
    "parlour.batch.lockstep": ("Batch",),
    "parlour.catalog": (
        "find_game",
        "list_games",
    ),
    "parlour.errors": (
        "BadArgument",
        "BadData",
        "BadInput",
        "BadName",
        "BadOptions",
        "BadPosition",
        "BadRecord",
        "BadStrategy",
        "Cancelled",
        "Conflict",
        "EngineFailed",
        "GameOver",
        "IllegalMove",
        "MissingExtra",
        "MoveRefused",
        "NoAnswer",
        "NoNextRound",
        "NoSuchExam",
        "NoSuchPuzzle",
        "NotFound",
        "NothingToUndo",
        "ParlourError",
        "TooBig",
        "UnknownGame",
        "UnknownPlayer",
        "UnreadableMove",
    ),
    "parlour.game": (
        "PASS",
        "Bounds",
        "Content",
        "Game",
        "Moment",
        "Move",
    ),
    "parlour.lab.sweep": ("sweep",),
    "parlour.limit": ("Limit",),
    "parlour.match": (
        "Action",
        "Match",
        "Round",
        "new_match",
    ),
    "parlour.outcome": (
        "Outcome",
        "Termination",
    ),
    "parlour.players": (
        "PlayerKind",
        "find_player",
        "list_player_kinds",
        "play_out",
    ),
    "parlour.record": (
        "read_record",
        "write_record",
    ),
    "parlour.rules": (
        "Rules",
        "Status",
        "rules_of",
    ),
    "parlour.score": (
        "Score",
        "Value",
    ),
    "parlour.setup": ("Setup",),
    "parlour.solver": (
        "Solver",
        "kept_table",
        "solve",
        "tabulate",
    ),
    "parlour.study.archive_file": (
        "daily_puzzle",
        "find_puzzle",
        "list_puzzles",
    ),
    "parlour.study.strategy": (
        "check_certificate",
        "write_certificate",
    ),
    "parlour.study.contest": ("measure_contest", "measure_exploitability"),
    "parlour.study.explain": ("explain",),
    "parlour.study.grades": ("make_report",),
    "parlour.study.hints": ("Hints",),
    "parlour.study.mastery": (
        "Exam",
        "start_exam",
    ),
    "parlour.study.puzzle": ("Puzzle",),
    "parlour.tournament": ("play_tournament",),
    "parlour.turn": (
        "Player",
        "Resigned",
        "take_turn",
    ),
    "parlour.view": (
        "Group",
        "Tile",
        "View",
    ),
    "parlour.writer": ("write_json",),
}
_MODULES = {name: module for module, names in _NAMES.items() for name in names}

__all__ = sorted(_MODULES)  # noqa: PLE0605  (derived from the list above)


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name == "results":
        return import_module("parlour.results")
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(_MODULES[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "results"})
