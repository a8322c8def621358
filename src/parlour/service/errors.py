"""Errors of the match service. Errors of its database are in ``store.errors``."""

from __future__ import annotations

from parlour.errors import Conflict, NoAnswer, NotFound, ParlourError, Unavailable


class NoSuchMatch(NotFound):
    """An unknown match, or one that has expired or was deleted."""

    code = "match/unknown"


class NoSuchRound(NotFound):
    """A round that the match has not reached."""

    code = "round/unknown"


class StaleMove(Conflict):
    """A move for an earlier state of the match."""

    code = "move/stale"


class NotYourTurn(Conflict):
    """A move while the other player is to move."""

    code = "turn/other"


class MatchWaiting(Conflict):
    """A match whose second player has not joined yet."""

    code = "match/waiting"


class MatchFull(Conflict):
    """A match with the maximum number of actions."""

    code = "match/full"


class SeatTaken(Conflict):
    """A seat that another player has taken first."""

    code = "seat/taken"


class NoOffer(Conflict):
    """An answer to an offer that is not pending."""

    code = "offer/none"


class OfferPending(Conflict):
    """An offer while another one is pending."""

    code = "offer/pending"


class NotOnOffer(Conflict):
    """An offer that is not available in this match, or not now."""

    code = "offer/impossible"


class AccessDenied(ParlourError):
    """A request without the required secret of a seat."""


class SeatNeeded(AccessDenied):
    """A request for players only, without the secret of a seat."""

    code = "seat/needed"
    status = 401


class SeatWrong(AccessDenied):
    """A secret of no seat in the match."""

    code = "seat/wrong"
    status = 403


class TooManyRequests(Unavailable):
    """Too many requests; ``wait`` is the number of seconds until the next one is accepted."""

    code = "rate/limited"
    status = 429

    def __init__(self, wait: int) -> None:
        super().__init__(f"too many requests; wait {wait} {'second' if wait == 1 else 'seconds'}")
        self.wait = wait


class ServerFull(Unavailable):
    """A server with the maximum number of stored matches."""

    code = "server/full"


class SearchFailed(NoAnswer):
    """A search that failed for a reason other than its request."""

    code = "solve/failed"
    status = 500
