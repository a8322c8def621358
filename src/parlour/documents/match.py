"""A match on the web, complete, as one of those who look at it may see it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

from parlour.documents.table import TableDocument, table_document, words_beside_the_table
from parlour.game import opponent
from parlour.match import Match
from parlour.outcome import Termination
from parlour.players import HUMAN
from parlour.view import PLAYERS, PlayerNumber
from parlour.writer import about, document, utc

MatchKind = Literal["friend", "computer", "local", "record"]
Status = Literal["waiting", "playing", "between", "over"]
OfferKind = Literal["undo", "next", "rematch", "delete"]


@document
class PlayerDocument:
    """One side of a match."""

    name: str = about("what it is called")
    computer: str | None = about('which one: "level:3"; null for a person')
    present: bool = about("at the table right now")
    joined: bool = about("somebody has this seat")


@document
class OutcomeDocument:
    """How a match ended."""

    winner: PlayerNumber | None = about("who has won; null if nobody")
    how: Termination = about("in which way")
    text: str = about("the same in words")


@document
class OfferDocument:
    """What one player asks the other for."""

    kind: OfferKind = about("a take-back, the next round, a rematch, or that the match is deleted")
    by: PlayerNumber = about("who asks")


@document
class RoundDocument:
    """One round of a match in short."""

    first: PlayerNumber = about("who began it")
    moves: list[str] = about("what was played")
    spoken: list[str] = about("the same as players speak of it: the number in a cell instead of its place")
    winner: PlayerNumber | None = about("who has won it by playing")
    over: bool = about("nothing more is played in it")


@document
class State:
    """A match, complete: whoever has the newest one needs nothing else."""

    id: str = about("the match")
    seq: int = about("goes up with every change")
    ply: int = about("counts everything done at the table, and never goes back: a move answers a ply")
    kind: MatchKind = about(
        "who plays whom: friends by link, a person and a computer, two on one device, nobody any more"
    )
    status: Status = about("waiting for the second player, being played, between two rounds, or over")
    players: list[PlayerDocument] = about("both sides")
    you: list[PlayerNumber] = about("the seats that whoever asks has; none: watching")
    can: list[str] = about("what whoever asks may do now")
    round: int = about("the number of the round, counted from 1")
    rounds: list[RoundDocument] = about("all of them in short")
    table: TableDocument = about("the table of this round")
    thinking: bool = about("the computer is choosing its move")
    outcome: OutcomeDocument | None = about("how it ended; null while it goes on")
    offer: OfferDocument | None = about("what one player asks the other for just now")
    rematch: str | None = about("the match that follows this one")
    created: str = about("when it was made")
    expires: str = about("when it will be forgotten if nothing more is done")
    deleted: bool = about("it was deleted just now, and this is the last that is heard of it", default=False)


@document
class NewMatch:
    """A match that was just made, and your seat in it."""

    id: str = about("the match")
    seat: str | None = about(
        "the secret that proves who you are; send it as Authorization: Bearer SEAT. "
        "null: nobody sits there, as in a record that is over"
    )
    invite: str | None = about("the secret for whoever you invite: /m/ID#join=INVITE")
    state: State = about("how it stands")


@document
class MatchEvent:
    """One line of a stream, or one message of a socket: the match as it is now."""

    type: Literal["full", "state"] = about("`full` is the first of a stream")
    seq: int = about("that of the state")
    state: State = about("how the match stands")


@document
class Ping:
    """A message of a socket after a while in which nothing has happened."""

    type: Literal["ping"] = about("nothing has happened")


def match_state(
    match: Match,
    *,
    id: str,
    seq: int,
    kind: MatchKind,
    status: Status,
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
    """A match as the seats ``you`` may see it.

    Nobody has taken the seats ``waiting`` yet; people are at the table in the seats ``present``, and computers always
    are. An ``offer`` has its kind and the seat that makes it. Times are in seconds since 1970.
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
    """How a match ended; None while it goes on."""
    outcome = match.outcome
    if outcome is None:
        return None
    if match.resigned is not None:
        winner, loser = match.names[opponent(match.resigned) - 1], match.names[match.resigned - 1]
        how = "resigned" if outcome.how == Termination.RESIGNED else "forfeited the game"
        text = f"{winner} wins: {loser} has {how}."
    else:
        text = " ".join(words_beside_the_table(match.game.display.ending(match.moment, outcome.winner)))
        if outcome.how == Termination.UNDECIDED:
            text += " The rounds are used up: the match is undecided."
    return OutcomeDocument(winner=outcome.winner, how=outcome.how, text=text)
