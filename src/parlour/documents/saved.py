"""The games that are kept on the disk, as ``parlour games --json`` lists them."""

from __future__ import annotations

from parlour.errors import BadRecord
from parlour.match import Match
from parlour.options import unusual_options
from parlour.outcome import result_of
from parlour.saves import is_aside
from parlour.view import PlayerNumber
from parlour.writer import about, document


@document
class SavedGame:
    """A game that is kept."""

    id: int = about("its number")
    game: str = about("the name of the game")
    date: str = about("when it was begun")
    names: list[str] = about("what the players are called")
    players: list[str] = about("who chooses the moves of each")
    rounds: int = about("how many there are")
    moves: int = about("how many were played, all rounds together")
    result: str = about('as a record has it: "1-0", "0-1", "1/2-1/2", "undecided", or "*" while it goes on')
    turn: PlayerNumber | None = about("who is to move; null when it is over")
    options: dict[str, str] = about("those that are not the book's")
    aside: bool = about("a program played it through a pipe, or computers alone did")


@document
class DamagedGame:
    """A game that is kept and cannot be read."""

    id: int = about("its number")
    damaged: str = about("what is wrong with it")


def saved_game_document(number: int, match: Match | BadRecord) -> SavedGame | DamagedGame:
    """A kept game by its number, or why it cannot be read."""
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
        aside=is_aside(number, match),
    )
