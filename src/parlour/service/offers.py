"""What players offer each other: a take-back, the next round, a rematch, to delete the match.

One offer at a time, and a move ends it.
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
    """Ask the other player for something. If they ask for the same already, it is agreed."""

    kind: OfferKind
    ply: int
    seq: int | None = None  # of the state that this answers; None: of any at this ply

    def apply_to(self, loaded: LoadedMatch) -> Change | None:
        right = OFFERING[self.kind]
        right.check_holder(loaded)
        seat = loaded.seats[0]
        mine, theirs = Offer(self.kind, seat), Offer(self.kind, opponent(seat))
        if loaded.offer == mine or (self.kind == REMATCH and loaded.stored.rematch):  # offered already, or accepted
            return None
        check_ply(loaded, self.ply)
        check_seq(loaded, self.seq)
        if loaded.offer == theirs:
            return _agreed(loaded, theirs)
        right.check_moment(loaded)
        return Change(loaded.match, mine)


@dataclass(frozen=True)
class AnswerOffer:
    """Accept, decline or withdraw the pending offer.

    Its kind is named, and the ply: so that none is mistaken for another, or for the same one made later.
    """

    kind: OfferKind
    answer: Answer
    ply: int
    seq: int | None = None  # of the state that this answers; None: of any at this ply

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
        """Whether this was answered so already, or what was to end is no longer there."""
        if self.answer != "accept":
            return loaded.offer is None and self.ply == loaded.ply
        if self.kind == REMATCH:
            return bool(loaded.stored.rematch)
        if self.kind == DELETE:
            return False  # or there would be no match
        return was_done(loaded, self.ply, {UNDO: UNDO, NEXT: DEAL}[self.kind])


@dataclass(frozen=True)
class Rematch:
    """Play the same again with the seats swapped: at once, against a computer or on one device."""

    def apply_to(self, loaded: LoadedMatch) -> Change | None:
        PLAYING_AGAIN.check_holder(loaded)
        if loaded.stored.rematch:
            return None
        PLAYING_AGAIN.check_moment(loaded)
        return Change(loaded.match, following=rematch_of(loaded))


def _agreed(loaded: LoadedMatch, offer: Offer) -> Change:
    """What comes of an offer that the other player accepts."""
    if offer.kind == UNDO:
        return Change(after_take_back(loaded.match, (offer.by,)))
    if offer.kind == NEXT:
        return Change(after_deal(loaded.match))
    if offer.kind == DELETE:
        return Change(loaded.match, deletes=True)
    return Change(loaded.match, following=rematch_of(loaded))
