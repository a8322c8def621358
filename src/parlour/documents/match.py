"""The complete state of a match on a server, as one client sees it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

from parlour.documents.table import TableDocument, narration_beside_board, table_document
from parlour.fields import about, document
from parlour.game import opponent
from parlour.match import Match
from parlour.outcome import Termination
from parlour.players import HUMAN
from parlour.view import PLAYERS, PlayerNumber
from parlour.writer import utc

MatchKind = Literal["friend", "computer", "local", "record"]
MatchStatus = Literal["waiting", "playing", "between", "over"]
OfferKind = Literal["undo", "next", "rematch", "delete"]


@document
class PlayerDocument:
    """One player of a match."""

    name: str = about("the player's name")
    computer: str | None = about('the level of a computer, such as "level:3"; null for a person')
    present: bool = about("whether the player is connected now")
    joined: bool = about("whether the seat is taken")


@document
class OutcomeDocument:
    """The outcome of a match."""

    winner: PlayerNumber | None = about("the player who won; null if there is none")
    how: Termination = about("the way it ended: `won`, `resigned`, `forfeited`, `drawn` or `undecided`")
    text: str = about("the outcome as text")


@document
class OfferDocument:
    """A pending offer of one player to the other."""

    kind: OfferKind = about("the offer: `undo`, `next` round, `rematch`, or to `delete` the match")
    by: PlayerNumber = about("the player who made the offer")


@document
class RoundDocument:
    """A summary of a round."""

    first: PlayerNumber = about("the player who began")
    moves: list[str] = about("the moves")
    spoken: list[str] = about("the moves as players call them: the number in a cell instead of its coordinates")
    winner: PlayerNumber | None = about("the player who won by playing; null if there is none")
    over: bool = about("whether the round has ended")


@document
class State:
    """The complete state of a match; the newest one replaces all earlier ones."""

    id: str = about("the public ID of the match, good for watching")
    seq: int = about(
        "a number that rises with every change except arrivals and departures; the higher of two states is newer"
    )
    ply: int = about("the number of actions in the match, which never falls; a move answers a ply")
    kind: MatchKind = about(
        "the kind of match: by link with a `friend`, against the `computer`, `local` on one device, or a "
        "`record` to look at"
    )
    status: MatchStatus = about("`waiting` for the second player, `playing`, `between` two rounds, or `over`")
    players: list[PlayerDocument] = about("both players")
    you: list[PlayerNumber] = about("the client's players: empty when watching, both on one device")
    can: list[str] = about("the actions open to the client now")
    round: int = about("the number of the round, counted from 1")
    rounds: list[RoundDocument] = about("a summary of each round")
    table: TableDocument = about("the position of the current round")
    thinking: bool = about("whether the computer is choosing its move")
    outcome: OutcomeDocument | None = about("the outcome; null while the match is in progress")
    offer: OfferDocument | None = about("the pending offer; null if there is none")
    rematch: str | None = about("the ID of the rematch; null if there is none")
    created: str = about("the time of creation")
    expires: str = about("the time of expiry if nothing more happens")
    deleted: bool = about(
        "whether this is the final state of a match that was just deleted; left out otherwise", default=False
    )


@document
class NewMatch:
    """A new match, with the secret of your seat."""

    id: str = about("the public ID of the match, good for watching")
    seat: str | None = about(
        "the secret of your seat, sent as Authorization: Bearer SEAT; null for a record that is over"
    )
    invite: str | None = about(
        "the secret of the invitation, for the link /m/ID#join=INVITE; null if the match has none"
    )
    state: State = about("the state of the match")


@document
class MatchEvent:
    """One line of a stream, or one message of a socket: the current state of the match."""

    type: Literal["full", "state"] = about("`full` for the first line of a stream, `state` otherwise")
    seq: int = about("the `seq` of the state")
    state: State = about("the state of the match")


@document
class Ping:
    """A keep-alive message of a socket."""

    type: Literal["ping"] = about("always `ping`")


def match_state(
    match: Match,
    *,
    id: str,
    seq: int,
    kind: MatchKind,
    status: MatchStatus,
    waiting: Collection[PlayerNumber],
    present: Collection[PlayerNumber],
    you: Sequence[PlayerNumber],
    can: list[str],
    thinking: bool,
    offer: tuple[OfferKind, PlayerNumber] | None,
    rematch: str | None,
    created: float,
    expires: float,
    deleted: bool = False,
) -> State:
    """Return a match as the players ``you`` see it.

    ``waiting`` are the players that have not joined, ``present`` those that are connected. ``offer`` is the kind of the
    pending offer and the player who made it. Times are in seconds since 1970.
    """
    names, kinds = match.names, match.setup.players
    return State(
        id=id,
        seq=seq,
        ply=len(match.log),
        kind=kind,
        status=status,
        players=[
            PlayerDocument(
                name=names[player - 1],
                computer=None if kinds[player - 1] == HUMAN else kinds[player - 1],
                present=player in present or kinds[player - 1] != HUMAN,
                joined=player not in waiting,
            )
            for player in PLAYERS
        ],
        you=list(you),
        can=can,
        round=len(match.rounds),
        rounds=[_round(match, number) for number in range(len(match.rounds))],
        table=table_document(match),
        thinking=thinking,
        outcome=outcome_document(match),
        offer=None if offer is None else OfferDocument(kind=offer[0], by=offer[1]),
        rematch=rematch,
        created=utc(created),
        expires=utc(expires),
        deleted=deleted,
    )


def _round(match: Match, number: int) -> RoundDocument:
    played, last = match.rounds[number], number == len(match.rounds) - 1
    return RoundDocument(
        first=played.first,
        moves=played.rules.names(played.moves),
        spoken=played.rules.spoken(played.moves),
        winner=match.round_winner if last else None,
        over=not last or match.rules.is_over(match.position) or match.outcome is not None,
    )


def outcome_document(match: Match) -> OutcomeDocument | None:
    """Return the outcome of a match; None while it is in progress."""
    outcome = match.outcome
    if outcome is None:
        return None
    if match.resigned is not None:
        winner, loser = match.names[opponent(match.resigned) - 1], match.names[match.resigned - 1]
        how = "resigned" if outcome.how == Termination.RESIGNED else "forfeited the game"
        text = f"{winner} wins: {loser} has {how}."
    else:
        text = " ".join(narration_beside_board(match.game.display.ending(match.moment, outcome.winner)))
        if outcome.how == Termination.UNDECIDED:
            text += " The rounds are used up: the match is undecided."
    return OutcomeDocument(winner=outcome.winner, how=outcome.how, text=text)
