"""What is noted of a run: every attempt to do something with its begin, its end and its outcome, and every match at
the end. A history is kept as lines of JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

DONE, REFUSED, UNKNOWN = "done", "refused", "unknown"


@dataclass(frozen=True)
class Seen:
    """A state of a match, as far as it matters here: the names are those of the API."""

    seq: int
    ply: int
    status: str
    rounds: tuple[tuple[str, ...], ...]  # the moves of each
    names: tuple[str, str]
    offer: tuple[str, int] | None = None  # its kind, and which player makes it
    outcome: tuple[str, int | None] | None = None  # how it ended, and who has won
    rematch: str | None = None


def seen_in(state: dict[str, Any]) -> Seen:
    """What is noted of a state that the server told."""
    offer, outcome = state["offer"], state["outcome"]
    return Seen(
        seq=state["seq"],
        ply=state["ply"],
        status=state["status"],
        rounds=tuple(tuple(played["moves"]) for played in state["rounds"]),
        names=(state["players"][0]["name"], state["players"][1]["name"]),
        offer=None if offer is None else (offer["kind"], offer["by"]),
        outcome=None if outcome is None else (outcome["how"], outcome["winner"]),
        rematch=state["rematch"],
    )


@dataclass(frozen=True)
class Attempt:
    """One request, and what came of it."""

    operation: str  # what is to be done: a request that is sent again is another attempt at the same operation
    action: str  # create, join, move, undo, next, resign, rename, offer, accept, decline, withdraw, rematch or look
    match: str  # its id; empty where a match was to be made and none was heard of
    players: tuple[int, ...]  # who it was: the seats of the sender, 1 and 2
    begin: float  # in seconds, by the same clock for all
    end: float
    outcome: str
    ply: int | None = None  # that it answers
    text: str = ""  # the move, the name, the kind of the offer, the key of a new match
    code: str = ""  # of the refusal
    seen: Seen | None = None  # in the answer
    stream: bool = False  # the server sent this by itself, on a stream; all of one stream are one operation


@dataclass(frozen=True)
class Ending:
    """A match when everything was over and every fault was mended."""

    match: str
    record: str | None  # as text; None: the server knew of no such match
    seen: Seen | None


@dataclass
class History:
    """Everything that was noted."""

    attempts: list[Attempt] = field(default_factory=list)
    endings: list[Ending] = field(default_factory=list)

    def write(self, path: Path) -> None:
        with path.open("w", encoding="utf-8") as file:
            for kind, things in (("attempt", self.attempts), ("ending", self.endings)):
                for thing in things:
                    file.write(json.dumps({kind: asdict(thing)}, ensure_ascii=False) + "\n")


def read_history(path: Path) -> History:
    """A history that was written."""
    history = History()
    with path.open(encoding="utf-8") as file:
        for line in file:
            [(kind, fields)] = json.loads(line).items()
            fields["seen"] = _read_seen(fields["seen"])
            if kind == "attempt":
                history.attempts.append(Attempt(**{**fields, "players": tuple(fields["players"])}))
            else:
                history.endings.append(Ending(**fields))
    return history


def _read_seen(fields: dict[str, Any] | None) -> Seen | None:
    if fields is None:
        return None
    pairs = {name: None if fields[name] is None else tuple(fields[name]) for name in ("names", "offer", "outcome")}
    return Seen(**{**fields, **pairs, "rounds": tuple(map(tuple, fields["rounds"]))})


def of_match(attempts: Iterable[Attempt]) -> dict[str, list[Attempt]]:
    """The attempts by the match that they are about."""
    found: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        found.setdefault(attempt.match, []).append(attempt)
    return found
