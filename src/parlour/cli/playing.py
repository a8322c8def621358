"""Sitting down to play: makes the match, opens its file, and sees everybody off."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import NamedTuple

import click

from parlour import catalog, players, saves
from parlour.errors import BadOptions, ParlourError
from parlour.game import NO_CAP, opponent
from parlour.installation import own_command
from parlour.match import Match
from parlour.names import DEFAULT_NAMES, check_new_names
from parlour.players import HUMAN
from parlour.rules import read_rules
from parlour.secrets import new_seed
from parlour.setup import Setup, new_date
from parlour.terminal.book import BookText
from parlour.terminal.events import Renderer
from parlour.terminal.game import GameSession
from parlour.terminal.keyboard import Keyboard, Quit
from parlour.terminal.screen import at_terminal
from parlour.text import clip
from parlour.view import PLAYERS

LONGEST_SEED = 100  # characters
SECONDS_HELP = "how long a computer may think about a move  [default: as long as its kind needs]"
PLAIN_HELP = "at a terminal: plain lines, one after the other, with words instead of signs"
COMPUTER_ROUNDS = 100  # that two computers deal each other before they leave it undecided


def set_up(
    word: str,
    texts: Mapping[str, str],
    kinds: tuple[str, str] = (HUMAN, HUMAN),
    names: tuple[str | None, str | None] = (None, None),
    first: str = "1",
    seed: str | None = None,
    strict: bool = False,
) -> Setup:
    """Everything agreed before the first move; a ParlourError if it makes no game."""
    game = catalog.find_game(word)
    rules = read_rules(game, texts)
    usual = DEFAULT_NAMES
    called = (usual[0] if names[0] is None else names[0], usual[1] if names[1] is None else names[1])
    check_new_names(called)
    if seed is not None and not (seed.isprintable() and len(seed) <= LONGEST_SEED):
        raise BadOptions(f"bad seed {clip(seed)!r}; any text of at most {LONGEST_SEED} letters and digits will do")
    for kind in kinds:
        players.check_start(kind)
    alone = HUMAN not in kinds
    if alone and rules.bounds is None:
        raise BadOptions("two computers would never finish this game; set a limit, or let a person play")
    seed = new_seed() if seed is None else seed
    cap = COMPUTER_ROUNDS if alone and rules.max_rounds == NO_CAP else None
    setup = Setup(rules, called, kinds, 1 if first == "1" else 2, seed, cap, new_date(), strict)
    return replace(setup, first=PLAYERS[setup.random("toss").randrange(2)]) if first == "toss" else setup


class MenuWanted(Exception):
    """The person who played wants to choose another game."""


class Manner(NamedTuple):
    """How a match is played."""

    json: bool = False  # events for programs instead of text
    strict: bool = False  # no hints and no undo, even if the game's own set-up allows them
    seconds: float | None = None  # for each move of a computer; None: as long as its kind needs
    plain: bool = False  # at a terminal: nothing is drawn anew in its place
    tossed: bool = False  # a coin has decided who begins, and that is said


USUAL_MANNER = Manner()


def play_new(setup: Setup, manner: Manner = USUAL_MANNER) -> tuple[Match, int]:
    """Play a new match: how it was left, and the exit code of the command.

    At a terminal the person is asked what comes next when it is over, and a rematch follows: then it is the last match
    that is returned. MenuWanted if the person wants to choose another game.
    """
    return _play_series(_open(setup), manner)


def play_on(number: int, manner: Manner = USUAL_MANNER) -> tuple[Match, int]:
    """Go on with a kept match, as ``play_new`` plays a new one."""
    keeper = saves.Keeper(number)
    if keeper.match.outcome is None:
        try:
            for kind in keeper.match.setup.players:
                players.check_start(kind)
        except ParlourError:
            keeper.close()
            raise
    return _play_series((keeper.match, keeper), manner)


def or_menu(play: Callable[[], tuple[Match, int]]) -> int:
    """Play; where the person wants to choose another game then, open the menu. The exit code of the command."""
    try:
        return play()[1]
    except MenuWanted:
        from parlour.cli.menu import menu

        return menu()


def _open(setup: Setup) -> tuple[Match, saves.Keeper | None]:
    """A new match, and its file."""
    try:
        keeper = saves.Keeper(saves.add(Match(setup), piped=not at_terminal()))
    except OSError as error:
        click.echo(f"parlour: this game cannot be saved: {error.strerror}: {error.filename}", err=True)
        return Match(setup), None
    return keeper.match, keeper


def _play_series(opened: tuple[Match, saves.Keeper | None], manner: Manner) -> tuple[Match, int]:
    keyboard = Keyboard(echo=not manner.json)
    if manner.json or not at_terminal():
        renderer: Renderer
        if manner.json:
            from parlour.terminal.json_lines import JsonLines  # slower to load than the others

            renderer = JsonLines()
        else:
            renderer = BookText()
        return _play(*opened, manner, renderer, keyboard)
    # Loaded only where there is somebody to look at it.
    from parlour.cli.sitting import sit_down

    return sit_down(opened, _open, manner, keyboard)


def _play(
    match: Match, keeper: saves.Keeper | None, manner: Manner, renderer: Renderer, keyboard: Keyboard
) -> tuple[Match, int]:
    """Play one match for whoever reads from a pipe."""
    try:
        session = GameSession(match, keeper, renderer, keyboard, strict=manner.strict, seconds=manner.seconds)
        with seeing_off(keeper):
            session.play()
        return match, 0
    except Quit as left:
        return match, left.exit_code
    except KeyboardInterrupt:
        return match, 130
    finally:
        if keeper:
            keeper.close()


@contextmanager
def seeing_off(keeper: saves.Keeper | None) -> Iterator[None]:
    """Tell whoever gets up before the end how to go on, in whatever way they leave."""
    try:
        yield
    except KeyboardInterrupt:
        sys.stdout.write("\n")
        _see_off(keeper)
        raise
    except (Quit, ParlourError):  # as a player without an answer; the reason is told by whoever called us
        _see_off(keeper)
        raise


def _see_off(keeper: saves.Keeper | None) -> None:
    sys.stdout.flush()
    if keeper:
        click.echo(f"Game {keeper.number} is saved. Go on with: {own_command()} resume {keeper.number}", err=True)
    else:
        click.echo("This game was not saved.", err=True)


def rematch(setup: Setup, *, same_begins: bool, strict: bool, computer: str | None = None) -> Setup:
    """Return the set-up of another game of the same kind; ``computer`` replaces the one in it."""
    if computer is not None:
        setup = players.with_player(setup, opponent(players.people_of(setup)[0]), computer)
    first = setup.first if same_begins else opponent(setup.first)
    return replace(setup, first=first, seed=new_seed(), date=new_date(), strict=strict)
