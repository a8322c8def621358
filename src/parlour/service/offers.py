"""Offers between players: a take-back, the next round, a rematch, or deletion of the match.

A match has at most one pending offer, and a move cancels it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from parlour.documents.match import OfferKind
from parlour.game import opponent
from parlour.match import DEAL
from parlour.service.commands import Change, after_deal, after_take_back, was_done
from parlour.service.errors import NoOffer
from parlour.service.loaded import DELETE, NEXT, REMATCH, UNDO, LoadedMatch, Offer
from parlour.service.new_matches import rematch_of
from parlour.service.rights import ACCEPTING, DECLINING, OFFERING, PLAYING_AGAIN, WITHDRAWING, check_ply, check_seq

Answer = Literal["accept", "decline", "withdraw"]
ANSWERING = {"accept": ACCEPTING, "decline": DECLINING, "withdraw": WITHDRAWING}


@dataclass(frozen=True)
class MakeOffer:
    """Make an offer, or accept the other player's identical offer."""

    kind: OfferKind
    ply: int
    seq: int | None = None  # the expected state of the match; None: any at this ply

    def apply_to(self, loaded: LoadedMatch) -> Change | None:
        right = OFFERING[self.kind]
        right.check_holder(loaded)
        seat = loaded.seats[0]
        mine, theirs = Offer(self.kind, seat), Offer(self.kind, opponent(seat))
        was_accepted = self.kind == REMATCH and loaded.stored.rematch
        if loaded.offer == mine or was_accepted:
            return None
        check_ply(loaded, self.ply)
        check_seq(loaded, self.seq)
        if loaded.offer == theirs:
            return _agreed(loaded, theirs)
        right.check_moment(loaded)
        return Change(loaded.match, mine)


@dataclass(frozen=True)
class AnswerOffer:
    """Accept, decline or withdraw the pending offer, identified by its kind and ply."""

    kind: OfferKind
    answer: Answer
    ply: int
    seq: int | None = None  # the expected state of the match; None: any at this ply

    def apply_to(self, loaded: LoadedMatch) -> Change | None:
        right = ANSWERING[self.answer]
        right.check_holder(loaded)
        if self._was_given(loaded):
            return None
        check_ply(loaded, self.ply)
        check_seq(loaded, self.seq)
        right.check_moment(loaded)
        offer = loaded.offer
        if offer is None or offer.kind != self.kind:
            whose = "of yours " if self.answer == "withdraw" else ""
            raise NoOffer(f"no such offer {whose}is pending: it was withdrawn, answered or overtaken by a move")
        return _agreed(loaded, offer) if self.answer == "accept" else Change(loaded.match)

    def _was_given(self, loaded: LoadedMatch) -> bool:
        """Return whether this answer was given before, or the offer has ended."""
        if self.answer != "accept":
            return loaded.offer is None and self.ply == loaded.ply
        if self.kind == REMATCH:
            return bool(loaded.stored.rematch)
        if self.kind == DELETE:
            return False  # an accepted deletion leaves no match
        return was_done(loaded, self.ply, {UNDO: UNDO, NEXT: DEAL}[self.kind])


@dataclass(frozen=True)
class Rematch:
    """Begin a rematch with the seats swapped. Needs no consent against a computer or on one device."""

    def apply_to(self, loaded: LoadedMatch) -> Change | None:
        PLAYING_AGAIN.check_holder(loaded)
        if loaded.stored.rematch:
            return None
        PLAYING_AGAIN.check_moment(loaded)
        return Change(loaded.match, following=rematch_of(loaded))


def _agreed(loaded: LoadedMatch, offer: Offer) -> Change:
    """Return the change made by an accepted offer."""
    if offer.kind == UNDO:
        return Change(after_take_back(loaded.match, (offer.by,)))
    if offer.kind == NEXT:
        return Change(after_deal(loaded.match))
    if offer.kind == DELETE:
        return Change(loaded.match, deletes=True)
    return Change(loaded.match, following=rematch_of(loaded))
