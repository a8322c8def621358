"""The command ``tournament``: round-robin play and Elo ratings."""

from __future__ import annotations

import csv
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import astuple, fields
from typing import IO

import click

from parlour import catalog, players, tournament
from parlour.cli.options import CLUSTER_HELP, chosen_executor, complete_game, complete_players
from parlour.errors import BadOptions
from parlour.limit import Limit
from parlour.options import declared, flag, unflag
from parlour.parallel import cores
from parlour.rules import Rules, read_rules
from parlour.secrets import new_seed
from parlour.terminal.screen import Screen
from parlour.text import clip, counted
from parlour.tournament import Played, Rating
from parlour.writer import write_json


@click.command("tournament")
@click.argument("games", metavar="[GAME]...", nargs=-1, shell_complete=complete_game)
@click.option(
    "--players", "lists", metavar="LIST", multiple=True, default=["random,level:1,level:3,level:5,perfect"],
    show_default=True, help="players, separated by commas; can be repeated",
    shell_complete=complete_players,
)  # fmt: skip
@click.option("--option", "texts", metavar="NAME=VALUE", multiple=True, help="set an option in every game that has it")
@click.option(
    "--games", "count", metavar="N", type=click.IntRange(1, 1_000_000), default=20, show_default=True,
    help="games per pair of players in each game, rounded up to an even number",
)  # fmt: skip
@click.option(
    "--openings", metavar="PLIES", type=click.IntRange(0, 1000), default=2, show_default=True,
    help="random moves at the start of each pair of games",
)  # fmt: skip
@click.option("--seed", metavar="TEXT", help="the same seed gives the same tournament")
@click.option("--jobs", metavar="N", type=click.IntRange(1, 1000), help="number of processes  [default: one per core]")
@click.option("--cluster", metavar="ADDRESS", help=CLUSTER_HELP)
@click.option(
    "--seconds",
    type=click.FloatRange(0),
    help="time limit; only games finished by then count  [default: none]",
)
@click.option("--json", "as_json", is_flag=True, help="one JSON document, for programs")
@click.option(
    "--csv",
    "table",
    metavar="FILE",
    type=click.Path(dir_okay=False, writable=True),
    help="write every game to this file",
)
def tournament_command(
    games: tuple[str, ...],
    lists: tuple[str, ...],
    texts: tuple[str, ...],
    count: int,
    openings: int,
    seed: str | None,
    jobs: int | None,
    cluster: str | None,
    seconds: float | None,
    as_json: bool,
    table: str | None,
) -> int:
    """Run a round-robin tournament.

    Each opening is played twice, with the players swapped. A win is one point, a draw or an undecided match half a
    point for both; a forfeit is a loss. Ratings are on the Elo scale around an average of 0, with a 95 % confidence
    interval.
    """
    words = read_players(lists)
    chosen = choose_games(games, texts)
    if table is not None:
        try:
            open(table, "a", encoding="utf-8").close()  # fail before the games, but preserve the content
        except OSError as error:
            raise click.UsageError(f"cannot write {table!r}: {error.strerror}") from None
    seed = seed if seed is not None else new_seed()
    pairs = tournament.pairs_of(chosen, words, -(-count // 2), openings, seed)
    limit = None if seconds is None else Limit(seconds, nodes=sys.maxsize)
    with (
        chosen_executor(cluster, min(jobs or cores(), len(pairs))) as (executor, _),
        _progress(len(pairs)) as note,
    ):
        results = tournament.play_all(pairs, executor, note, limit)
    if table is not None:
        with open(table, "w", encoding="utf-8", newline="") as file:
            write_csv(file, results)
    if as_json:
        complete = len(results) == 2 * len(pairs)
        whole = tournament.tournament_of(chosen, words, results, openings, seed, complete=complete)
        click.echo(write_json(whole, indent=2))
    else:
        print_results(Screen(), chosen, words, results, seed)
    if len(results) < 2 * len(pairs):
        sys.stdout.flush()
        played = f"{len(results):,} of {counted(2 * len(pairs), 'game')}"
        click.echo(f"parlour: the time is up: {played} were played within {seconds:g} seconds", err=True)
        return 1
    return 0


def read_players(lists: Sequence[str]) -> list[str]:
    """Split comma-separated lists of players; a list that starts with an engine is one player with its command."""
    words: list[str] = []
    for text in lists:
        alone = players.starts_program(text.strip())
        words += [text.strip()] if alone else [word.strip() for word in text.split(",")]
    tournament.check_players(words)
    return words


def choose_games(words: Sequence[str], texts: Sequence[str]) -> list[Rules]:
    """Return the named games, or all, with the NAME=VALUE options that each game has."""
    keys = dict.fromkeys(map(catalog.find_key, words)) or catalog.keys()
    games = [catalog.find_game(key) for key in keys]
    given: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise BadOptions(f"bad option {clip(text)!r}; an option is NAME=VALUE")
        given[unflag(name)] = value.strip()
    known = dict.fromkeys(name for game in games for name in declared(game.options))
    for name in given:
        if name not in known:
            raise BadOptions(f"unknown option {clip(name)!r}; known options: {', '.join(known)}")
    chosen = []
    for game in games:
        own = {name: value for name, value in given.items() if name in declared(game.options)}
        rules = read_rules(game, own)
        if rules.bounds is None:
            raise BadOptions("two computers would never finish this game; set a limit")
        chosen.append(rules)
    return chosen


@contextmanager
def _progress(pairs: int) -> Iterator[Callable[[], None]]:
    """Show the progress on standard error, if it is a terminal."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    with click.progressbar(length=pairs, label="Playing", file=sys.stderr) as bar:
        yield lambda: bar.update(1)


# Output.


def write_csv(file: IO[str], results: Sequence[Played]) -> None:
    """Write one line per game."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(field.name for field in fields(Played))
    writer.writerows(map(astuple, results))
    file.flush()


def print_results(
    screen: Screen, chosen: Sequence[Rules], words: Sequence[str], results: Sequence[Played], seed: str
) -> None:
    for rules in chosen:
        game = rules.game
        texts = ", ".join(f"{flag(name)} {text}" for name, text in rules.option_texts.items() if text)
        played = [result for result in results if result.game == game.key]
        screen.say([f"{game.title} ({texts})" if texts else game.title], bold=True)
        _print_standings(screen, words, played, seed)
    if len(chosen) > 1:
        screen.say(["All games"], bold=True)
        _print_standings(screen, words, results, seed)
    for result in results:
        if result.reason:
            loser = result.second if result.points else result.first
            screen.say([f"{clip(loser)} forfeits {result.game}, opening {result.opening + 1}: {result.reason}"])
    screen.say([f"Points out of 100 in the columns, the row's player against the column's. Seed: {seed}"])


def _print_standings(screen: Screen, words: Sequence[str], results: Sequence[Played], seed: str) -> None:
    rated = tournament.ratings(results, words, seed)
    order = [rating.player for rating in rated]
    points = tournament.cross_table(results, order)
    met = Counter(frozenset((result.first, result.second)) for result in results)
    wide = max(len(clip(word)) for word in words)
    places = "".join(f"{number:>5}" for number in range(1, len(order) + 1))
    screen.say([f"    {'':{wide}}  {'points':>13}  {'rating':>6}  {'between':<14}{places}"])
    for number, rating in enumerate(rated, 1):
        shares = (
            "-" if got is None else f"{100 * got / met[frozenset((rating.player, other))]:.0f}"
            for got, other in zip(points[number - 1], order, strict=True)
        )
        cells = "".join(f"{share:>5}" for share in shares)
        score = f"{rating.points:g} of {rating.games}"
        head = f"{number:>3} {clip(rating.player):{wide}}  {score:>13}  {rating.rating:>+6.0f}"
        screen.say([f"{head}  {_between(rating):<14}{cells}"])
    screen.say([f"{counted(len(results), 'game')}, {tournament.count_distinct(results)} of them different", ""])


def _between(rating: Rating) -> str:
    low = "any" if rating.low is None else f"{rating.low:+.0f}"
    high = "any" if rating.high is None else f"{rating.high:+.0f}"
    return f"{low} .. {high}"
