"""Errors of the database of matches."""

from __future__ import annotations

from parlour.errors import BadData, ParlourError, Unavailable


class BadDatabase(ParlourError):
    """A database that cannot be used: a wrong address, no server there, or a newer schema."""

    code = "database/bad"
    status = 503


class DamagedDatabase(BadDatabase, BadData):
    """A database that is damaged, at least in the place that was read."""

    code = "database/damaged"
    status = 500


class DamagedMatch(BadData):
    """A match that is not as it was written; ``reason`` says what is missing or altered."""

    code = "match/damaged"

    def __init__(self, id: str, reason: str) -> None:
        super().__init__(
            f"match {id} is damaged: {reason}; whoever runs this server can keep the rest with 'parlour salvage'"
        )
        self.reason = reason


class Busy(Unavailable):
    """Too many requests at the same time, or no answer in time. Nothing was done, and nothing will be."""

    code = "server/busy"


class OutcomeUnknown(ParlourError):
    """A request that may have been done or not. Sending it again shows which, and does it once at most."""

    code = "server/unknown"
    status = 504

    def __init__(self, reason: str = "no answer in time") -> None:
        super().__init__(f"{reason}: it is not known whether this was done; send the same again to find out")
