"""Makes docs/schema.json: a JSON Schema of everything that Parlour writes as JSON, from the documents in the source.

Run it with: make schema
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

from pydantic import TypeAdapter

from parlour import tournament
from parlour.documents import (
    events,
    games,
    match,
    puzzles,
    saved,
    server,
    solution,
    table,
    tools,
)
from parlour.lab import sweep
from parlour.schema import share_schemas
from parlour.solver import Statistics
from parlour.study import archive, explain, puzzle
from parlour.study.hints import Hint, Reason
from parlour.study.report import Report
from parlour.web.refusals import Refusal
from parlour.writer import VERSION

share_schemas()
SCHEMA = Path(__file__).parent / "schema.json"
# What is written by itself, and not only as a part of something else.
WHOLE = (
    *get_args(events.TableEvent),
    saved.Examination,
    explain.Explanation,
    games.GameDocument,
    games.GameList,
    games.RulesDocument,
    match.MatchEvent,
    match.NewMatch,
    match.Ping,
    match.State,
    archive.DailyList,
    archive.PuzzleList,
    puzzle.Puzzle,
    puzzles.ShownPuzzle,
    Refusal,
    Report,
    saved.DamagedGame,
    saved.SavedGame,
    server.SearchAnswer,
    server.SearchProgress,
    server.SearchRefusal,
    server.Health,
    server.QrCode,
    Hint,
    Reason,
    solution.Solution,
    Statistics,
    sweep.Sweep,
    table.Replay,
    table.TableDocument,
    tools.LegalMoves,
    tools.MatchRecord,
    tools.OfferedGames,
    tools.RulesText,
    tools.SeenMatch,
    tools.TakenSeat,
    tournament.Tournament,
)


def make() -> str:
    """The schema as text."""
    _, schemas = TypeAdapter.json_schemas([(kind, "serialization", TypeAdapter(kind)) for kind in WHOLE])
    parts = dict(sorted(schemas["$defs"].items()))
    _leave_out_titles(parts)
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Parlour's JSON, version {VERSION}",
        "anyOf": [{"$ref": f"#/$defs/{name}"} for name in sorted(kind.__name__ for kind in WHOLE)],
        "$defs": parts,
    }
    return json.dumps(schema, indent=2) + "\n"


def _leave_out_titles(part: Any) -> None:
    """Take away the titles that Pydantic makes of names: they say nothing more."""
    if isinstance(part, dict):
        if isinstance(part.get("title"), str):
            del part["title"]
        for inner in part.values():
            _leave_out_titles(inner)
    elif isinstance(part, list):
        for inner in part:
            _leave_out_titles(inner)


if __name__ == "__main__":
    SCHEMA.write_text(make(), encoding="utf-8")
