"""Errors of the database of matches."""

from __future__ import annotations

from parlour.errors import BadData, ParlourError, Unavailable


class BadDatabase(ParlourError):
    """A database that cannot be used: a wrong address, no server, or a newer schema."""

    code = "database/bad"
    status = 503


class DamagedDatabase(BadDatabase, BadData):
    """A damaged database."""

    code = "database/damaged"
    status = 500


class DamagedMatch(BadData):
    """A match that differs from what was written; ``reason`` describes the damage."""

    code = "match/damaged"

    def __init__(self, id: str, reason: str) -> None:
        super().__init__(
            f"match {id} is damaged: {reason}; the operator of this server can recover the rest with 'parlour salvage'"
        )
        self.reason = reason


class Busy(Unavailable):
    """Too many simultaneous requests, or a timeout. The request has no effect."""

    code = "server/busy"


class OutcomeUnknown(ParlourError):
    """A request with an unknown outcome. Repeating it is safe, and shows the outcome."""

    code = "server/unknown"
    status = 504

    def __init__(self, reason: str = "no answer in time") -> None:
        super().__init__(f"{reason}: it is unknown whether this was done; send the same request again to find out")
