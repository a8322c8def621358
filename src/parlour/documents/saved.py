"""Saved games (``parlour games --json``) and the examination of stored games (``parlour check --json``)."""

from __future__ import annotations

from parlour.errors import BadRecord
from parlour.fields import about, document
from parlour.match import Match
from parlour.options import unusual_options
from parlour.outcome import result_of
from parlour.saves import is_hidden
from parlour.view import PlayerNumber


@document
class SavedGame:
    """A saved game."""

    id: int = about("the number of the saved game")
    game: str = about("the name of the game")
    date: str = about("the start time")
    names: list[str] = about("the players' names")
    players: list[str] = about("the kinds of player")
    rounds: int = about("the number of rounds")
    moves: int = about("the number of moves in all rounds")
    result: str = about('the result as in a record: "1-0", "0-1", "1/2-1/2", "undecided", or "*" while in progress')
    turn: PlayerNumber | None = about("the player to move; null when the game is over")
    options: dict[str, str] = about("the options that differ from the book's")
    aside: bool = about("whether a program played it through a pipe, or computers alone")


@document
class DamagedGame:
    """A saved game that cannot be read."""

    id: int = about("the number of the saved game")
    damaged: str = about("the error message")


def saved_game_document(number: int, match: Match | BadRecord) -> SavedGame | DamagedGame:
    """Return a saved game, or the error of a damaged one."""
    if isinstance(match, BadRecord):
        return DamagedGame(id=number, damaged=str(match))
    setup = match.setup
    return SavedGame(
        id=number,
        game=match.game.key,
        date=setup.date,
        names=list(setup.names),
        players=list(setup.players),
        rounds=len(match.rounds),
        moves=sum(len(round.moves) for round in match.rounds),
        result=result_of(match.outcome),
        turn=None if match.outcome else match.turn,
        options=unusual_options(setup.options),
        aside=is_hidden(number, match),
    )


@document
class Problem:
    """A problem found by an examination."""

    where: str = about('"match ID", "game NUMBER" or "the file"')
    what: str = about("the missing, altered or illegal part, in one line")


@document
class Examination:
    """The result of an examination."""

    count: int = about("the number of examined matches or saved games")
    left: int = about("the number of matches or saved games that were not examined for lack of time")
    unsealed: int = about(
        "matches saved by an earlier version, in which some damage is only noticed when they continue"
    )
    problems: list[Problem] = about("the problems; empty if there are none")
