"""The results of a tournament, as ``parlour tournament --json`` tells them."""

from __future__ import annotations

from collections.abc import Sequence

from parlour import tournament
from parlour.rules import Rules
from parlour.tournament import Played, Rating
from parlour.writer import about, document


@document
class RatingDocument:
    """How strong a player is, on the scale of Elo around an average of 0, with a confidence interval of 95 %."""

    player: str = about("the word that names it")
    points: float = about("what it has scored")
    games: int = about("how many it has played")
    rating: float = about("its rating")
    low: float | None = about("the lower end of the interval; null: any amount worse")
    high: float | None = about("the upper end of the interval; null: any amount better")


@document
class PlayedGame:
    """A game of a tournament."""

    game: str = about("the name of the game")
    opening: int = about("the number of the opening, the same for all pairings; counted from 0")
    first: str = about("the player who began")
    second: str = about("the other one")
    points: float = about("of the player who began: 1, 0.5 or 0")
    how: str = about("how it ended: won, drawn, undecided, resigned or forfeited")
    plies: int = about("how many were played, all rounds together")
    moves: str = about("what was played, all rounds, each after what was dealt")
    reason: str = about("of a forfeit")


@document
class Standings:
    """What some games of a tournament say about its players."""

    cross_table: list[list[float | None]] = about(
        "the points of each player against each other one, in the order of `players`; null where they have not met"
    )
    ratings: list[RatingDocument] = about("of every player, the best first")
    distinct: int = about("how many different games were played")


@document
class GameStandings(Standings):
    """The same in one game."""

    game: str = about("the name of the game")
    options: dict[str, str] = about("all its options; empty where something is dealt")


@document
class TournamentDocument(Standings):
    """All that is known about a tournament."""

    players: list[str] = about("who took part")
    openings: int = about("random moves at the beginning of each game")
    seed: str = about("the same seed gives the same tournament")
    complete: bool = about("every game was played; false: the time was up before")
    games: list[GameStandings] = about("each by itself")
    results: list[PlayedGame] = about("every game that was played")


def tournament_document(
    chosen: Sequence[Rules],
    words: Sequence[str],
    results: Sequence[Played],
    openings: int,
    seed: str,
    *,
    complete: bool,
) -> TournamentDocument:
    """What came out of the ``chosen`` games between the players that these words name."""
    return TournamentDocument(
        players=list(words),
        openings=openings,
        seed=seed,
        complete=complete,
        games=[
            GameStandings(
                game=rules.game.key,
                options=rules.option_texts,
                **vars(_standings([result for result in results if result.game == rules.game.key], words, seed)),
            )
            for rules in chosen
        ],
        results=[PlayedGame(**result._asdict()) for result in results],
        **vars(_standings(results, words, seed)),
    )


def _standings(played: Sequence[Played], words: Sequence[str], seed: str) -> Standings:
    return Standings(
        cross_table=tournament.cross_table(played, words),
        ratings=[_rating(rating) for rating in tournament.ratings(played, words, seed)],
        distinct=tournament.count_distinct(played),
    )


def _rating(rating: Rating) -> RatingDocument:
    return RatingDocument(**rating._asdict())
