"""``parlour replay``: step through a record."""

from __future__ import annotations

import sys

import click

from parlour.cli.matches import read_match, tell_standing
from parlour.cli.options import complete_kept
from parlour.game import PASS
from parlour.match import DEAL, MOVE, RESIGN, UNDO, Action, Match
from parlour.terminal.board import show_table
from parlour.terminal.keyboard import Keyboard
from parlour.terminal.screen import Screen, fit_prompt
from parlour.text import clip, sentence


@click.command("replay")
@click.argument("source", metavar="[FILE|ID]", required=False, shell_complete=complete_kept)
@click.option("--json", "as_json", is_flag=True, help="every table of every round as one JSON document, for programs")
def replay_command(source: str | None, as_json: bool) -> None:
    """Step through a game: your last one, game ID or a record FILE.

    At a terminal Enter goes on, b goes back, a number goes to that step, q leaves; elsewhere the whole game is printed.
    """
    match = read_match(source)
    if as_json:
        from parlour.documents.table import replay_document
        from parlour.writer import write_json

        click.echo(write_json([replay_document(match, round) for round in range(len(match.rounds))], indent=2))
        return
    keyboard, screen = Keyboard(), Screen()
    setup = match.setup
    screen.say([f"{setup.game.title}: {setup.names[0]} - {setup.names[1]}"], bold=True)
    steps = len(match.log)
    if not (keyboard.terminal and sys.stdout.isatty()):
        here = match.at(0)
        _tell(screen, here)
        for action in match.log:
            here.repeat(action)
            _tell(screen, here)
        screen.say(["", tell_standing(match)])
        return
    step = 0
    while True:
        _show(screen, match.at(step))
        if step == steps:
            screen.say([tell_standing(match)], bold=True)
        on = "Enter: on, " if step < steps else ""
        *before, prompt = fit_prompt(f"{step} of {steps}. {on}b: back, a number: go there, q: leave > ")
        screen.say(before)
        answer = keyboard.read_line(prompt)
        word = (answer or "").strip().lower()
        if answer is None or word in ("q", "quit"):
            return
        if word in ("b", "back"):
            step = max(step - 1, 0)
        elif word.isascii() and word.isdigit() and len(word) < 10:
            step = min(int(word), steps)
        elif word in ("", "n", "next"):
            if step == steps:
                return
            step += 1
        else:
            screen.say([f"{clip(word)!r} is none of these."], "yellow")


def _tell(screen: Screen, here: Match) -> None:
    """What has just happened, and the table after it."""
    step = len(here.log)
    screen.say(["", f"{step}. {_said(here, here.log[-1])}" if step else "The beginning"], bold=True)
    screen.draw(here)


def _show(screen: Screen, here: Match) -> None:
    """The same for a person at a terminal: as a sentence, and as the table looks while it is played."""
    step = len(here.log)
    screen.say(["", f"{step}. {_in_words(here, here.log[-1])}" if step else "The beginning", ""], bold=True)
    show_table(screen, here, here.names, 1)
    screen.say([""])


def _in_words(match: Match, action: Action) -> str:
    if action.kind != MOVE:
        return f"{_said(match, action)}."
    why = f": {match.rules.stuck(match.round.positions[-2])}" if action.move == PASS else ""
    return sentence(f"{match.names[action.player - 1]} {match.game.display.told(match.moment)}{why}")


def _said(match: Match, action: Action) -> str:
    name = match.names[action.player - 1]
    if action.kind == MOVE:
        return f"{name} passes" if action.move == PASS else f"{name}: {match.rules.name(action.move)}"
    if action.kind == DEAL:
        return f"Round {len(match.rounds)} is dealt; {name} begins"
    if action.kind == UNDO:
        return f"{name}'s move is taken back"
    return f"{name} resigns" if action.kind == RESIGN else f"{name} forfeits"
