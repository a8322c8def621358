"""Permissions in a match: who may do what, and when.

A right consists of two checks. The first is about its *holders*: the clients that have it in a match of this kind. The
second is about the *moment*: whether it can be used now. A failed check raises an error with the reason. Match states
list the rights that pass both checks, and commands make the same checks, so the two agree.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from parlour.documents.match import OfferKind
from parlour.errors import GameOver, NoNextRound, NothingToUndo, ParlourError, StrictGame
from parlour.secrets import secret_fits
from parlour.service.errors import (
    MatchFull,
    MatchWaiting,
    NoOffer,
    NotOnOffer,
    NotYourTurn,
    OfferPending,
    SeatNeeded,
    SeatWrong,
    StaleMove,
)
from parlour.service.loaded import DELETE, NEXT, REMATCH, UNDO, LoadedMatch
from parlour.store import StoredMatch
from parlour.view import PLAYERS, PlayerNumber

Check = Callable[[LoadedMatch], None]  # raises an error with the reason


class Right(NamedTuple):
    """A permission in a match."""

    word: str  # the name in match states
    check_holder: Check  # fails for clients without this right
    check_moment: Check  # fails while the right cannot be used

    def is_usable(self, loaded: LoadedMatch) -> bool:
        """Return whether the client of the loaded match may do this now."""
        try:
            self.check_holder(loaded)
            self.check_moment(loaded)
        except ParlourError:
            return False
        return True


def usable_rights(loaded: LoadedMatch) -> list[str]:
    """Return the names of the rights that the client of the loaded match has now."""
    return [right.word for right in RIGHTS if right.is_usable(loaded)]


def seats_of(stored: StoredMatch, secret: str | None) -> tuple[PlayerNumber, ...]:
    """Return the players whose seats a secret opens; none without a secret. Raises SeatWrong if it opens none."""
    if secret is None:
        return ()
    seats = tuple(player for player in PLAYERS if secret_fits(secret, stored.seat_hash(player)))
    if not seats:
        raise SeatWrong("this secret fits no seat of the match; without one you can watch")
    return seats


def check_ply(loaded: LoadedMatch, ply: int) -> None:
    """Raise StaleMove if ``ply`` is not the current one, or MatchWaiting before the match has begun."""
    _check_joined(loaded)
    if ply != loaded.ply:
        raise StaleMove(f"the match has changed since: it is at ply {loaded.ply}, this answers ply {ply}")


def check_seq(loaded: LoadedMatch, seq: int | None) -> None:
    """Raise StaleMove if ``seq`` is given and not current, so that a delayed retry has no effect."""
    if seq is not None and seq != loaded.stored.seq:
        raise StaleMove(f"the match has changed since: it is at seq {loaded.stored.seq}, this answers seq {seq}")


def check_study(loaded: LoadedMatch) -> None:
    """Raise an error if the client may not see hints and exact values now.

    Until the match is over, spectators and two people who play each other may not.
    """
    if loaded.status == "over":
        return
    if loaded.between_friends:
        raise StrictGame(
            "hints and values are not available while two people play each other; ask again when the game is over"
        )
    if not loaded.seats:
        raise SeatNeeded("hints and values are for the players until the game is over; send the secret of a seat")


# Holders.


def _check_seated(loaded: LoadedMatch) -> None:
    if not loaded.seats:
        raise SeatNeeded("you are watching, and only players can do this; send the secret of a seat")


def _check_take_back_is_free(loaded: LoadedMatch) -> None:
    _check_seated(loaded)
    if loaded.between_friends:
        raise NotOnOffer("a take-back needs your friend's consent: offer it")


def _check_between_friends(loaded: LoadedMatch) -> None:
    _check_seated(loaded)
    if not loaded.between_friends:
        raise NotOnOffer("no consent is needed here: just do it")


def _check_deletion_is_free(loaded: LoadedMatch) -> None:
    """Raise NotOnOffer if a second player has joined, because then both have to agree."""
    _check_seated(loaded)
    if loaded.between_friends and not loaded.waiting:
        raise NotOnOffer("a match that two have played is deleted when both agree: offer it")


# Moments.


def _check_nothing(loaded: LoadedMatch) -> None:
    pass


def _check_joined(loaded: LoadedMatch) -> None:
    if loaded.waiting:
        raise MatchWaiting(
            "the other player has not joined yet: send the invitation, the game begins when it is opened"
        )


def _check_in_progress(loaded: LoadedMatch) -> None:
    _check_joined(loaded)
    if loaded.match.outcome is not None:
        raise GameOver("the game is over")


def _check_room(loaded: LoadedMatch) -> None:
    if loaded.full:
        raise MatchFull("the match has the maximum number of moves and take-backs; resign it or begin another")


def _check_move(loaded: LoadedMatch) -> None:
    match = loaded.match
    _check_in_progress(loaded)
    if match.between_rounds:
        raise GameOver("this round is over: continue with the next")
    _check_room(loaded)
    if match.turn not in loaded.seats:
        raise NotYourTurn(f"it is {match.names[match.turn - 1]}'s turn")


def _check_resign(loaded: LoadedMatch) -> None:
    if loaded.waiting:
        raise MatchWaiting("the other player has not joined yet: there is nothing to resign")
    _check_in_progress(loaded)


def _check_next_round(loaded: LoadedMatch) -> None:
    _check_in_progress(loaded)
    _check_room(loaded)
    if loaded.between_friends and not loaded.match.between_rounds:
        raise NotOnOffer("this round is not over: the next one needs your friend's consent, offer it")
    loaded.match.check_next_round()


def _check_take_back(loaded: LoadedMatch) -> None:
    _check_joined(loaded)
    _check_room(loaded)
    if loaded.match.resigned is not None:
        raise GameOver("the game is over: it was resigned")
    if loaded.match.last_choice(loaded.seats) is None:
        raise NothingToUndo("there is no move of yours to take back")


def _check_rematch(loaded: LoadedMatch) -> None:
    if loaded.between_friends:
        raise NotOnOffer("a rematch needs your friend's consent: offer it")
    if loaded.match.outcome is None:
        raise NotOnOffer("the game is not over: finish it, or resign")


def _check_own_offer(loaded: LoadedMatch) -> None:
    if loaded.offer is None or loaded.offer.by not in loaded.seats:
        raise NoOffer("no such offer of yours is pending: it was withdrawn, answered or overtaken by a move")


def _check_friends_offer(loaded: LoadedMatch) -> None:
    if loaded.offer is None or loaded.offer.by in loaded.seats:
        raise NoOffer("no such offer is pending: it was withdrawn, answered or overtaken by a move")


def _check_nothing_offered(loaded: LoadedMatch) -> None:
    if loaded.offer is not None:
        raise OfferPending("another offer is pending: answer it or withdraw it first")


def _check_offer_undo(loaded: LoadedMatch) -> None:
    match = loaded.match
    _check_joined(loaded)
    _check_room(loaded)
    _check_nothing_offered(loaded)
    if match.last_choice(loaded.seats) is None:
        raise NothingToUndo("there is no move of yours to take back")
    if loaded.status != "playing":
        over = "round" if match.between_rounds else "game"
        raise NotOnOffer(f"the {over} is over: nothing can be taken back")


def _check_offer_next(loaded: LoadedMatch) -> None:
    _check_joined(loaded)
    _check_room(loaded)
    _check_nothing_offered(loaded)
    if loaded.status != "playing":
        raise NotOnOffer("there is no need to ask for the next round now")
    try:
        loaded.match.check_next_round()
    except NoNextRound as error:
        raise NotOnOffer(str(error)) from None


def _check_offer_rematch(loaded: LoadedMatch) -> None:
    _check_joined(loaded)
    _check_nothing_offered(loaded)
    if loaded.status != "over" or loaded.stored.rematch:
        raise NotOnOffer("a rematch can be offered when the game is over")


def _check_offer_delete(loaded: LoadedMatch) -> None:
    _check_joined(loaded)
    _check_nothing_offered(loaded)


RENEWING = Right("renew", _check_seated, _check_nothing)
DELETING = Right("delete", _check_deletion_is_free, _check_nothing)
RENAMING = Right("rename", _check_seated, _check_nothing)
MOVING = Right("move", _check_seated, _check_move)
RESIGNING = Right("resign", _check_seated, _check_resign)
DEALING = Right("next", _check_seated, _check_next_round)
TAKING_BACK = Right("undo", _check_take_back_is_free, _check_take_back)
PLAYING_AGAIN = Right("rematch", _check_seated, _check_rematch)
WITHDRAWING = Right("withdraw", _check_seated, _check_own_offer)
ACCEPTING = Right("accept", _check_seated, _check_friends_offer)
DECLINING = Right("decline", _check_seated, _check_friends_offer)
OFFERING: dict[OfferKind, Right] = {
    UNDO: Right("offer undo", _check_between_friends, _check_offer_undo),
    NEXT: Right("offer next", _check_between_friends, _check_offer_next),
    REMATCH: Right("offer rematch", _check_between_friends, _check_offer_rematch),
    DELETE: Right("offer delete", _check_between_friends, _check_offer_delete),
}
RIGHTS = (
    RENAMING,
    MOVING,
    RESIGNING,
    DEALING,
    TAKING_BACK,
    PLAYING_AGAIN,
    WITHDRAWING,
    ACCEPTING,
    DECLINING,
    *OFFERING.values(),
    RENEWING,
    DELETING,
)
