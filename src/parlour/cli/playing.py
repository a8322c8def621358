"""Sitting down to play: makes the match, opens its file, and sees everybody off."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace

import click

from parlour import catalog, players, saves
from parlour.cli.keyboard import Keyboard
from parlour.cli.screen import own_command
from parlour.cli.table import Left, TerminalTable
from parlour.cli.tellers import Teller, TextTeller
from parlour.errors import BadOptions, ParlourError
from parlour.game import NO_CAP
from parlour.match import DEFAULT_NAMES, Match, Setup, check_new_names, new_seed
from parlour.players import HUMAN
from parlour.rules import read_rules
from parlour.text import clip

LONGEST_SEED = 100  # characters
SECONDS_HELP = "how long a computer may think about a move  [default: as long as its kind needs]"
COMPUTER_ROUNDS = 100  # that two computers deal each other before they leave it undecided


def set_up(
    word: str,
    texts: Mapping[str, str],
    kinds: tuple[str, str] = (HUMAN, HUMAN),
    names: tuple[str | None, str | None] = (None, None),
    first: str = "1",
    seed: str | None = None,
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
        raise BadOptions("two computers would play this game for ever; set a limit, or let a person play")
    seed = new_seed() if seed is None else seed
    cap = COMPUTER_ROUNDS if alone and rules.max_rounds == NO_CAP else NO_CAP
    setup = Setup(game, rules.options, called, kinds, 0 if first == "1" else 1, seed, cap, _now())
    return replace(setup, first=setup.random("toss").randrange(2)) if first == "toss" else setup


def play_new(
    setup: Setup, *, json: bool = False, strict: bool = False, seconds: float | None = None
) -> tuple[Match, int]:
    """Play a new match: how it was left, and the exit code of the command.

    ``strict``: no hints, no take-backs. ``seconds`` for each move of a computer; None: as long as its kind needs.
    """
    try:
        keeper = saves.Keeper(saves.add(Match(setup), piped=not (sys.stdin and sys.stdin.isatty())))
    except OSError as error:
        click.echo(f"parlour: this game cannot be saved: {error.strerror}: {error.filename}", err=True)
        return _play(Match(setup), None, json, strict, seconds)
    return _play(keeper.match, keeper, json, strict, seconds)


def play_on(
    number: int, *, json: bool = False, strict: bool = False, seconds: float | None = None
) -> tuple[Match, int]:
    """Go on with a kept match, as ``play_new`` plays a new one."""
    keeper = saves.Keeper(number)
    if keeper.match.outcome is None:
        try:
            for kind in keeper.match.setup.players:
                players.check_start(kind)
        except ParlourError:
            keeper.close()
            raise
    return _play(keeper.match, keeper, json, strict, seconds)


def _play(
    match: Match, keeper: saves.Keeper | None, json: bool, strict: bool, seconds: float | None
) -> tuple[Match, int]:
    keyboard = Keyboard(echo=not json)
    teller: Teller
    if json:
        from parlour.cli.json_teller import JsonTeller  # which takes longer to load than the others to be ready

        teller = JsonTeller()
    else:
        teller = TextTeller(keyboard.terminal and sys.stdout.isatty())
    try:
        table = TerminalTable(match, keeper, teller, keyboard, strict=strict, seconds=seconds)
        try:
            table.play()
        except Left as left:
            _see_off(keeper)
            return match, left.exit_code
        except KeyboardInterrupt:
            sys.stdout.write("\n")
            _see_off(keeper)
            return match, 130
        except ParlourError:  # a player without an answer; the reason is told by whoever called us
            _see_off(keeper)
            raise
        if keeper and isinstance(teller, TextTeller) and teller.terminal:
            teller.remarks(f"See where it turned: {own_command()} report {keeper.number}")
        return match, 0
    finally:
        if keeper:
            keeper.close()


def _see_off(keeper: saves.Keeper | None) -> None:
    sys.stdout.flush()
    if keeper:
        click.echo(f"Game {keeper.number} is saved. Go on with: {own_command()} resume {keeper.number}", err=True)
    else:
        click.echo("This game was not saved.", err=True)


def _now() -> str:
    from time import gmtime, strftime

    return strftime("%Y-%m-%dT%H:%M:%SZ", gmtime())
