"""Matches at a terminal or through a pipe: create or resume one, play it and its rematches, and say how to resume."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

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

if TYPE_CHECKING:
    from parlour.terminal.after_game import Next
    from parlour.terminal.drawn import DrawnBoard, Series

MAX_SEED = 100  # characters
COMPUTER_ROUNDS = 100  # the maximum rounds of a match between two computers

Opened = tuple[Match, saves.SaveFile | None]


def set_up(
    word: str,
    texts: Mapping[str, str],
    kinds: tuple[str, str] = (HUMAN, HUMAN),
    names: tuple[str | None, str | None] = (None, None),
    first: str = "1",
    seed: str | None = None,
    strict: bool = False,
) -> Setup:
    """Return the set-up of a match.

    Raises:
        ParlourError: the game, an option, a name, a player or the seed is invalid.
    """
    game = catalog.find_game(word)
    rules = read_rules(game, texts)
    name1, name2 = names
    names = DEFAULT_NAMES[0] if name1 is None else name1, DEFAULT_NAMES[1] if name2 is None else name2
    check_new_names(names)
    if seed is not None and not (seed.isprintable() and len(seed) <= MAX_SEED):
        raise BadOptions(f"bad seed {clip(seed)!r}; any text of at most {MAX_SEED} letters and digits will do")
    for kind in kinds:
        players.check_start(kind)
    alone = HUMAN not in kinds
    if alone and rules.bounds is None:
        raise BadOptions("two computers would never finish this game; set a limit, or let a person play")
    seed = new_seed() if seed is None else seed
    cap = COMPUTER_ROUNDS if alone and rules.max_rounds == NO_CAP else None
    setup = Setup(rules, names, kinds, 1 if first == "1" else 2, seed, cap, new_date(), strict)
    return replace(setup, first=PLAYERS[setup.random("toss").randrange(2)]) if first == "toss" else setup


class MenuWanted(Exception):
    """A request for the menu: the player wants another game."""


class SessionSettings(NamedTuple):
    """Settings of a session that aren't part of the match."""

    json: bool = False  # events for programs instead of text
    strict: bool = False  # no hints and no undo, even if the game's own set-up allows them
    seconds: float | None = None  # the limit of each move of a computer; None: the default of its kind
    plain: bool = False  # at a terminal: no redrawing
    tossed: bool = False  # whether a coin decided who begins


def play_new(setup: Setup, settings: SessionSettings) -> tuple[Match, int]:
    """Play a new match; return the match and the exit code.

    At a terminal rematches may follow; then the last match is returned.

    Raises:
        MenuWanted: the player wants another game.
    """
    return _play(_open(setup), settings)


def resume(number: int, settings: SessionSettings) -> tuple[Match, int]:
    """Resume a saved match, as ``play_new`` plays a new one."""
    save = saves.SaveFile(number)
    if save.match.outcome is None:
        try:
            for kind in save.match.setup.players:
                players.check_start(kind)
        except ParlourError:
            save.close()
            raise
    return _play((save.match, save), settings)


def _open(setup: Setup) -> Opened:
    """Return a new match and its file, or None if it can't be saved."""
    match = Match(setup)
    try:
        return match, saves.SaveFile(saves.add(match, piped=not at_terminal()), match)
    except OSError as error:
        click.echo(f"parlour: this game cannot be saved: {error.strerror}: {error.filename}", err=True)
        return match, None


def _play(opened: Opened, settings: SessionSettings) -> tuple[Match, int]:
    keyboard = Keyboard(echo=not settings.json)
    if at_terminal() and not settings.json:
        return _play_series(opened, settings, keyboard)
    renderer: Renderer
    if settings.json:
        from parlour.terminal.json_lines import JsonLines  # slower to load than the others

        renderer = JsonLines()
    else:
        renderer = BookText()
    match, save = opened
    session = GameSession(match, save, renderer, keyboard, strict=settings.strict, seconds=settings.seconds)
    with _exit_code(save) as code, _goodbye(save):
        session.play()
    return match, code[0]


def _play_series(opened: Opened, settings: SessionSettings, keyboard: Keyboard) -> tuple[Match, int]:
    """Play matches with a person at a terminal until the person leaves."""
    # A pipe starts sooner without these.
    from parlour.terminal.after_game import Next
    from parlour.terminal.drawn import DrawnBoard, Series

    series = Series()
    board = DrawnBoard(keyboard, series, settings.plain)
    match, save = opened
    if settings.tossed:
        board.show_toss(match)
    with keyboard.without_echo(board.draw_again):
        while True:
            following = Next.LEAVE
            with _exit_code(save) as code:
                following = _play_one(match, save, settings, board, series)
            if following is Next.MENU:
                raise MenuWanted
            if following is Next.LEAVE:
                return match, code[0]
            series.count(match)
            match, save = _open(_rematch(match.setup, series, strict=settings.strict or match.setup.strict))
            series.same_begins, series.next_opponent = False, None


def _play_one(
    match: Match, save: saves.SaveFile | None, settings: SessionSettings, board: DrawnBoard, series: Series
) -> Next:
    """Play a match, ask what to do after its end, and return the answer."""
    from parlour.terminal.after_game import AfterGame, Next

    session = GameSession(
        match, save, board, board.keyboard, watched=True, strict=settings.strict, seconds=settings.seconds
    )
    with _goodbye(save):
        session.play()
    while HUMAN in match.setup.players:
        following = AfterGame(session, board, series).ask()
        if following is not Next.UNDO:
            return following
        with _goodbye(save):
            session.play_on()
    return Next.LEAVE


@contextmanager
def _exit_code(save: saves.SaveFile | None) -> Iterator[list[int]]:
    """Yield a list with the exit code, set it if the player leaves, and close the file."""
    code = [0]
    try:
        yield code
    except Quit as left:
        code[0] = left.exit_code
    except KeyboardInterrupt:
        code[0] = 130
    finally:
        if save:
            save.close()


@contextmanager
def _goodbye(save: saves.SaveFile | None) -> Iterator[None]:
    """Print how to resume a match that the player leaves or an error ends."""
    try:
        yield
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            sys.stdout.write("\n")
        if isinstance(error, KeyboardInterrupt | Quit | ParlourError):  # an engine that failed, for example
            sys.stdout.flush()
            saved = save and f"Game {save.number} is saved. Resume it with: {own_command()} resume {save.number}"
            click.echo(saved or "This game was not saved.", err=True)
        raise


def _rematch(setup: Setup, series: Series, *, strict: bool) -> Setup:
    """Return the set-up of the next match of a series."""
    if series.next_opponent is not None:
        setup = players.with_player(setup, opponent(players.people_of(setup)[0]), series.next_opponent)
    first = setup.first if series.same_begins else opponent(setup.first)
    return replace(setup, first=first, seed=new_seed(), date=new_date(), strict=strict)
