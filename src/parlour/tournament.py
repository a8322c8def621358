"""Round-robin tournaments with ratings.

Each pairing plays each opening (a deal and a few random moves) twice with the players swapped, so a good opening helps
neither. All pairings play the same openings. Every random choice follows from the seed, so the results do not depend on
the number of processes.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import nullcontext
from functools import partial
from itertools import combinations
from random import Random
from typing import NamedTuple

from parlour import players
from parlour.arguments import seed_text, whole_number
from parlour.batch import random_move
from parlour.errors import BadOptions, TooBig, UnknownPlayer
from parlour.fields import about, document, written
from parlour.game import Game, Move
from parlour.limit import Limit, limit_within
from parlour.match import Match
from parlour.options import show_words
from parlour.outcome import Termination
from parlour.parallel import ProcessExecutor, run
from parlour.rules import Rules, as_rules
from parlour.secrets import new_seed
from parlour.setup import Setup
from parlour.text import clip, counted
from parlour.turn import MAX_ROUNDS, Player, finish
from parlour.writer import extend

OPENING_TRIES = 20  # attempts at a random move that does not end the game
CHUNKS = 64  # minimum number of chunks: four for each of 16 workers
RESAMPLES = 400  # bootstrap samples for the confidence intervals
CONFIDENCE = 0.95


class Pair(NamedTuple):
    """Two games from one opening, with the players swapped."""

    rules: Rules
    plies: int  # number of random moves at the beginning
    opening: int  # number of the opening, the same for all pairings
    players: tuple[str, str]
    seed: str


@document
class Played:
    """A game of a tournament.

    >>> import parlour
    >>> played = parlour.play_tournament("double-up", ["random", "perfect"], openings=1).results[0]
    >>> played.first, played.points, played.how
    ('random', 0.0, <Termination.WON: 'won'>)
    """

    game: str = about("the name of the game")
    opening: int = about("the number of the opening, the same for all pairings; counted from 0")
    first: str = about("the player who began")
    second: str = about("the other player")
    points: float = about("points of the player who began: 1, 0.5 or 0")
    how: Termination = about("the way it ended")
    plies: int = about("the number of plies in all rounds")
    moves: str = about("the names of the moves in all rounds, each round after its deal")
    reason: str = about("the reason of a forfeit; empty without one")


@document
class Rating:
    """The strength of a player on the Elo scale: 400 more means ten times the chances. The average is 0.

    The limits are those of a confidence interval of 95 %.

    >>> import parlour
    >>> for rating in parlour.play_tournament("double-up", ["random", "perfect"], openings=1).ratings:
    ...     print(rating.player, rating.points, "of", rating.games)
    perfect 2.0 of 2
    random 0.0 of 2
    """

    player: str = about("the word that selects the player, as on the command line")
    points: float = about("points scored")
    games: int = about("games played")
    rating: float = about("the rating")
    low: float | None = about("the lower end of the interval; null: unbounded")
    high: float | None = about("the upper end of the interval; null: unbounded")


@document
class Standings:
    """The standings of some games of a tournament."""

    cross_table: list[list[float | None]] = about(
        "the points of each player against each other player, in the order of `players`; null if they have not met"
    )
    ratings: list[Rating] = about("the ratings of all players, the best first")
    distinct: int = about("the number of different games played")


@document
class GameStandings(Standings):
    """The standings in one game.

    >>> import parlour
    >>> parlour.play_tournament(["double-up"], ["random", "perfect"], openings=1).games[0].cross_table
    [[None, 0.0], [2.0, None]]
    """

    @property
    @written
    def game(self) -> Game:
        """the name of the game"""
        return self.rules.game

    rules: Rules = about("all options as text; what is dealt is empty", name="options")


@document
class Tournament(Standings):
    """The results of a tournament.

    >>> import parlour
    >>> parlour.play_tournament(["double-up"], ["random", "perfect"], openings=1).ratings[0].player
    'perfect'
    """

    players: list[str] = about("the words that select the players, as on the command line")
    random_moves: int = about("the number of random moves at the beginning of each game", name="openings")
    seed: str = about("the seed; the same seed gives the same tournament")
    complete: bool = about("whether every game was played; false: the time ran out")
    games: list[GameStandings] = about("the standings of each game")
    results: list[Played] = about("every game played")

    def __repr__(self) -> str:
        games = ", ".join(standings.game.key for standings in self.games)
        return f"<Tournament of {', '.join(map(clip, self.players))}: {games}, {counted(len(self.results), 'game')}>"


# Playing.


def pairs_of(games: Sequence[Rules], words: Sequence[str], openings: int, plies: int, seed: str) -> list[Pair]:
    """Return all pairs of a tournament, in the order of its results."""
    return [
        Pair(rules, plies, opening, pairing, seed)
        for rules in games
        for pairing in combinations(words, 2)
        for opening in range(openings)
    ]


def play_pair(pair: Pair, limit: Limit | None = None) -> tuple[Played, Played]:
    """Play both games; TooBig if a player finds no proof or the limit is used up."""
    opening = _opening(pair)
    loaded = {word: players.find_player(word) for word in pair.players}
    try:
        one, other = pair.players
        return _play(pair, (one, other), loaded, opening, limit), _play(pair, (other, one), loaded, opening, limit)
    finally:
        for player in loaded.values():
            player.close()


def _setup(pair: Pair, words: tuple[str, str]) -> Setup:
    seed = f"{pair.seed} {pair.rules.game.key} {pair.opening}"
    return Setup(pair.rules, players=words, seed=seed, cap=MAX_ROUNDS)


def _opening(pair: Pair) -> list[Move]:
    """Return the random moves of an opening: ``pair.plies``, or fewer if the next would end the game."""
    setup = _setup(pair, pair.players)
    match, random = Match(setup), setup.random("opening")
    while len(match.round.moves) < pair.plies:
        for _ in range(OPENING_TRIES):
            move = random_move(match.rules, match.position, random)
            if not match.rules.is_over(match.rules.after(match.position, move)):
                match.play(move)
                break
        else:
            break
    return match.round.moves


def _play(
    pair: Pair, words: tuple[str, str], loaded: dict[str, Player], opening: list[Move], limit: Limit | None
) -> Played:
    match = Match.after(_setup(pair, words), opening)
    reason = finish(match, (loaded[words[0]], loaded[words[1]]), limit)
    if limit is not None:
        limit.check()  # a last move cut short by the limit doesn't count
    outcome = match.outcome
    assert outcome is not None
    plies = sum(len(round.moves) for round in match.rounds)
    return Played(
        game=pair.rules.game.key,
        opening=pair.opening,
        first=words[0],
        second=words[1],
        points=outcome.points[0],
        how=outcome.how,
        plies=plies,
        moves=_moves_text(match),
        reason=reason,
    )


def _moves_text(match: Match) -> str:
    """Return the move names of all rounds, each after its deal."""
    rounds = []
    for round in match.rounds:
        dealt = show_words(round.options, match.setup.options).split()
        rounds.append(" ".join((*dealt, *round.rules.names(round.moves))))
    return " / ".join(rounds)


def play_all(
    pairs: Sequence[Pair],
    executor: Executor | None = None,
    played: Callable[[], None] = lambda: None,
    limit: Limit | None = None,
) -> list[Played]:
    """Play all pairs, or as many as the time limit allows; ``played`` is called after each."""
    # Sorted by opening: when the time is up, all pairings have played about the same number of games.
    order = sorted(range(len(pairs)), key=lambda index: pairs[index].opening)
    # Consecutive pairs share a game and its caches; chunks are small, so that all workers have work until the end.
    chunk = max(1, min(10, len(pairs) // CHUNKS))
    # Only workers on this machine can use the limit, which has a time on its clock; others run until the time is up.
    is_local = executor is None or isinstance(executor, ProcessPoolExecutor | ThreadPoolExecutor)
    play = partial(_play_in_time, limit=limit if is_local else None)
    seconds = None if is_local or limit is None or limit.seconds is None else limit.seconds_left
    results: dict[int, Sequence[Played]] = {}
    for place, found in run(play, [pairs[index] for index in order], executor, chunk, seconds):
        if found:
            results[order[place]] = found
            played()
    return [game for index in sorted(results) for game in results[index]]


def _play_in_time(pair: Pair, limit: Limit | None) -> Sequence[Played]:
    """Play both games of a pair; return none of them if the time is up before their end."""
    if limit is None:
        return play_pair(pair)
    try:
        return () if limit.time_is_up else play_pair(pair, limit)
    except TooBig:
        if limit.time_is_up:
            return ()
        raise


# Standings and ratings.


def tournament_of(
    chosen: Sequence[Rules],
    words: Sequence[str],
    results: Sequence[Played],
    random_moves: int,
    seed: str,
    *,
    complete: bool,
) -> Tournament:
    """Return the tournament of the ``chosen`` games between players named by words."""
    return extend(
        Tournament,
        standings(results, words, seed),
        players=list(words),
        random_moves=random_moves,
        seed=seed,
        complete=complete,
        games=[
            extend(
                GameStandings,
                standings([result for result in results if result.game == rules.game.key], words, seed),
                rules=rules,
            )
            for rules in chosen
        ],
        results=list(results),
    )


def standings(results: Sequence[Played], words: Sequence[str], seed: str) -> Standings:
    """Return the standings of the players after some games."""
    return Standings(
        cross_table=cross_table(results, words),
        ratings=ratings(results, words, seed),
        distinct=count_distinct(results),
    )


def cross_table(results: Sequence[Played], words: Sequence[str]) -> list[list[float | None]]:
    """Return the points of each player against each other one; None if they have not met."""
    table: list[list[float | None]] = [[None] * len(words) for _ in words]
    place = {word: index for index, word in enumerate(words)}
    for result in results:
        first, second = place[result.first], place[result.second]
        table[first][second] = (table[first][second] or 0) + result.points
        table[second][first] = (table[second][first] or 0) + 1 - result.points
    return table


def count_distinct(results: Sequence[Played]) -> int:
    """Return the number of different games; a repeated game says nothing new about the players."""
    return len({(result.game, result.moves) for result in results})


def ratings(results: Sequence[Played], words: Sequence[str], seed: str) -> list[Rating]:
    """Return all ratings with their confidence intervals, the best first.

    The intervals come from a bootstrap over the openings of each pairing, each with both of its games.
    """
    place = {word: index for index, word in enumerate(words)}
    openings: dict[tuple[str, int, int], dict[int, Tally]] = {}
    for result in results:
        low, high = sorted((place[result.first], place[result.second]))
        points = result.points if place[result.first] == low else 1 - result.points
        pairing = openings.setdefault((result.game, low, high), {})
        old = pairing.get(result.opening, Tally(low, high, 0, 0))
        pairing[result.opening] = Tally(low, high, old.points + points, old.games + 1)
    strata = [list(pairing.values()) for pairing in openings.values()]
    everything = [tally for stratum in strata for tally in stratum]
    strengths = most_likely(everything, [1.0] * len(words))
    random = Random(f"{seed} confidence")
    samples = []
    for _ in range(RESAMPLES):
        sample = [tally for stratum in strata for tally in random.choices(stratum, k=len(stratum))]
        samples.append(_elo(most_likely(sample, strengths)))
    edge = int(RESAMPLES * (1 - CONFIDENCE) / 2)
    rated = []
    for index, (word, rating) in enumerate(zip(words, _elo(strengths), strict=True)):
        own = [tally for tally in everything if index in tally[:2]]
        games = sum(tally.games for tally in own)
        score = sum(tally.points if tally.one == index else tally.games - tally.points for tally in own)
        spread = sorted(sample[index] for sample in samples)
        least = None if score == 0 else min(spread[edge], rating)
        most = None if score == games else max(spread[-1 - edge], rating)
        rated.append(Rating(player=word, points=score, games=games, rating=rating, low=least, high=most))
    return sorted(rated, key=lambda r: -r.rating)


class Tally(NamedTuple):
    """The result of some games of a pairing."""

    one: int  # index of a player
    other: int
    points: float  # points of that player
    games: int


def most_likely(tallies: Sequence[Tally], start: Sequence[float]) -> list[float]:
    """Return the maximum-likelihood strengths of the Bradley-Terry model (1952), with a draw as half a win.

    A player of strength s expects s / (s + t) points against one of strength t. The most likely strengths are found by
    Zermelo's iteration: strength = points / sum over all games of 1 / (own strength + the other's). Their geometric
    mean is 1. Each player gets an additional draw against an average player, so that one with only wins has a finite
    strength.
    """
    points = [0.5] * len(start)
    meetings: dict[tuple[int, int], int] = {}
    for one, other, won, games in tallies:
        points[one] += won
        points[other] += games - won
        meetings[one, other] = meetings.get((one, other), 0) + games
    strengths = list(start)
    for _ in range(1000):
        shares = [1 / (strength + 1) for strength in strengths]
        for (one, other), games in meetings.items():
            share = games / (strengths[one] + strengths[other])
            shares[one] += share
            shares[other] += share
        raw = [point / share for point, share in zip(points, shares, strict=True)]
        average = math.exp(sum(map(math.log, raw)) / len(raw))
        better = [strength / average for strength in raw]
        has_converged = all(abs(new / old - 1) < 1e-4 for new, old in zip(better, strengths, strict=True))
        strengths = better
        if has_converged:
            break
    return strengths


def _elo(strengths: Sequence[float]) -> list[float]:
    """Return strengths on the Elo scale, with average 0."""
    return [400 * math.log10(strength) for strength in strengths]


# Public API.


def play_tournament(
    games: str | Game | Rules | Sequence[str | Game | Rules],
    players: Sequence[str],
    limit: Limit | None = None,
    *,
    openings: int = 10,
    random_moves: int = 2,
    seed: int | str | None = 1,
    jobs: int = 1,
    executor: Executor | None = None,
    seconds: float | None = None,
) -> Tournament:
    """Run a round-robin tournament in one or several games and return its results.

    Players are words as in ``find_player``. Each pairing plays each of the ``openings``, a deal and ``random_moves``
    random moves, twice with the sides swapped. The same seed gives the same tournament; None makes a new one. Games
    that don't fit ``seconds`` or the limit are left out, and ``complete`` is then False. ``jobs`` is the number of
    processes. An ``executor`` replaces them: a ``concurrent.futures.Executor`` such as ``ProcessPoolExecutor(4)`` or
    Dask's ``client.get_executor()``.

    Raises:
        UnknownGame: there is no such game.
        UnknownPlayer: there are fewer than two players, or one is unknown or not a word.
        EngineFailed: the program of a player cannot be started.
        BadOptions: there is no game, an endless one, or the same one twice.
        BadArgument: a number is not a whole one or too small.
        NoWorkers: worker processes were killed.

    >>> import parlour
    >>> found = parlour.play_tournament(["double-up"], ["random", "perfect"], openings=2)
    >>> found.players, found.cross_table, found.complete
    (['random', 'perfect'], [[None, 0.0], [4.0, None]], True)
    """
    openings, jobs = whole_number("openings", openings, 1), whole_number("jobs", jobs, 1)
    random_moves, seed = whole_number("random_moves", random_moves, 0), new_seed() if seed is None else seed_text(seed)
    within = None if limit is None and seconds is None else limit_within(limit, seconds)
    listed = [games] if isinstance(games, str | Game | Rules) or not isinstance(games, Iterable) else games
    chosen: list[Rules] = [as_rules(game) for game in listed]
    if not chosen:
        raise BadOptions("there is no game in the list; a tournament takes one or more")
    for place, rules in enumerate(chosen):
        if rules.bounds is None:
            raise BadOptions("two computers would never finish this game; set a limit")
        if rules.game in (other.game for other in chosen[:place]):  # standings are by game
            raise BadOptions(f"{rules.game.key!r} is in the list twice; play a tournament for each variant")
    check_players(players)
    pairs = pairs_of(chosen, players, openings, random_moves, seed)
    with ProcessExecutor(jobs) if jobs > 1 and executor is None else nullcontext(executor) as workers:
        results = play_all(pairs, workers, limit=within)
    complete = len(results) == 2 * len(pairs)
    return tournament_of(chosen, players, results, random_moves, seed, complete=complete)


def check_players(words: Sequence[str]) -> None:
    """Check the players of a tournament.

    Raises:
        UnknownPlayer: one is a person, unknown, not a word or given twice, or there are fewer than two.
    """
    if not isinstance(words, Sequence) or isinstance(words, str):
        raise UnknownPlayer(f"a list of players is needed, not {clip(repr(words))}; like ['random', 'perfect']")
    for word in words:
        if not isinstance(word, str):
            raise UnknownPlayer(
                f"players of a tournament are given by words, such as 'perfect' or 'engine:COMMAND', not as "
                f"{clip(repr(word))}"
            )
        if word == players.HUMAN:
            raise UnknownPlayer("a person cannot take part in a tournament")
        players.check_start(word)
    again = [word for word, times in Counter(words).items() if times > 1]
    if again:
        raise UnknownPlayer(f"{clip(again[0])!r} is in the list twice; a player cannot play against itself")
    if len(words) < 2:
        alone = f"{clip(words[0])!r} is alone" if words else "there are no players"
        raise UnknownPlayer(f"{alone}; a tournament takes two players or more")
