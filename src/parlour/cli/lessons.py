"""``parlour learn GAME``: a first game in two minutes, the rules by doing them.

What is played and said stands in the game's file. Here is only how a lesson goes: the learner is told what to do and
does it, meets a refusal by trying what is not allowed, sees why somebody has to pass, and wins.
"""

from __future__ import annotations

import click

from parlour import catalog
from parlour.cli.options import game_argument
from parlour.errors import BadOptions, MoveRefused
from parlour.game import PASS, Game, Lesson, Step, opponent
from parlour.installation import own_command
from parlour.match import Match
from parlour.options import read_words
from parlour.rules import read_rules
from parlour.setup import Setup
from parlour.terminal.board import show_table
from parlour.terminal.keyboard import Keyboard
from parlour.terminal.screen import Screen, at_terminal, fit_prompt, reflow, width
from parlour.text import clip, sentence
from parlour.view import PlayerNumber

NAMES = ("You", "Computer")
LEARNER: PlayerNumber = 1
LEAVE = ("q", "quit", "exit")


@click.command("learn")
@game_argument
def learn_command(game: str) -> int:
    """Learn GAME in two minutes: a first game explains itself."""
    found = catalog.find_game(game)
    rules = f"{own_command()} rules {found.key}"
    if not at_terminal():
        raise click.UsageError(f"a lesson needs a terminal; read the rules with: {rules}")
    if found.content.lesson is None:
        raise BadOptions(f"there is no lesson for {found.title}; read its rules with: {rules}")
    if teach(found, found.content.lesson, Keyboard(), Screen()):
        Screen().say(["", f"Now play it: {own_command()} play {found.key}"])
    return 0


def begin_lesson(game: Game, lesson: Lesson) -> Match:
    """The match of a lesson before its first step."""
    rules = read_rules(game, read_words(lesson.options))
    return Match(Setup(rules, names=NAMES))


def teach(game: Game, lesson: Lesson, keyboard: Keyboard, screen: Screen) -> bool:
    """Go through a lesson; whether it was played to its end."""
    match = begin_lesson(game, lesson)
    screen.say([f"{game.title}: a first game"], bold=True)
    _say(screen, match.rules.summary)
    for step in lesson.steps:
        if not _see_passes(match, keyboard, screen):
            return False
        if match.turn != LEARNER:
            match.play(match.read(step.move))
            _say(screen, f"{_what_happened(match)} {step.text}")
        elif not _let_play(match, step, keyboard, screen):
            return False
    _show(screen, match)
    subject, text = game.display.verdict(match.moment, match.round_winner)
    _say(screen, sentence(text if subject is None else f"{match.names[subject - 1]} {text}"))
    screen.say(["You win. That was every rule you need."], bold=True)
    return True


def _let_play(match: Match, step: Step, keyboard: Keyboard, screen: Screen) -> bool:
    """Let the learner make the move of a step, and before it the one that is not allowed; False if they leave."""
    _show(screen, match)
    _say(screen, step.text)
    if step.wrong:
        wanted = _called(match, step.wrong)
        answer = _ask(keyboard, f"Try what is not allowed: type {wanted}, or press Enter: ")
        if answer is None:
            return False
        _refuse(match, screen, answer or wanted)
    wanted = _called(match, step.move)
    while True:
        answer = _ask(keyboard, f"{'Now type' if step.wrong else 'Type'} {wanted}, or press Enter: ")
        if answer is None:
            return False
        if not answer or _reads(match, answer) == _reads(match, step.move):
            match.play(match.read(step.move))
            _say(screen, _what_happened(match))
            return True
        if _reads(match, answer) is None:
            _refuse(match, screen, answer)
        else:
            _say(screen, f"{clip(answer)} is allowed too, but this lesson goes on with {wanted}.")


def _see_passes(match: Match, keyboard: Keyboard, screen: Screen) -> bool:
    """Explain why whoever is stuck passes, as long as somebody is; False if the learner leaves."""
    while match.stuck:
        if match.turn in [match.round.player(ply) for ply, move in enumerate(match.round.moves) if move == PASS]:
            match.play(PASS)  # for the same reason as before
            _say(screen, f"{_what_happened(match).removesuffix('.')} again.")
            continue
        _show(screen, match)
        _say(screen, f"{match.names[match.turn - 1]} cannot move: {match.rules.stuck(match.position)}.")
        match.play(PASS)
        if _ask(keyboard, f"{_what_happened(match)} Go on with Enter: ") is None:
            return False
    return True


def _ask(keyboard: Keyboard, question: str) -> str | None:
    """What was typed; None if the learner leaves."""
    *before, prompt = fit_prompt(question)
    Screen().say(before)
    answer = keyboard.read_line(prompt)
    return None if answer is None or answer.strip().lower() in LEAVE else answer.strip()


def _reads(match: Match, text: str) -> int | None:
    """The move that a text names, if it may be played."""
    try:
        return match.read(text)
    except MoveRefused:
        return None


def _refuse(match: Match, screen: Screen, text: str) -> None:
    try:
        match.read(text)
        _say(screen, f"{clip(text)} would be allowed.")
    except MoveRefused as refused:
        _say(screen, f"No: {refused.reason}.", "yellow")


def _called(match: Match, move: str) -> str:
    """A move as a learner would type it: by its other name, if it has one."""
    rules = match.rules
    moves = range(1, rules.bounds.moves) if rules.bounds else ()
    return next((rules.game.display.other_name(rules.packed, n) or move for n in moves if rules.name(n) == move), move)


def _what_happened(match: Match) -> str:
    return f"{match.names[opponent(match.turn) - 1]} {match.game.display.told(match.moment)}."


def _show(screen: Screen, match: Match) -> None:
    """The table, as it is drawn wherever the game is played."""
    screen.say([""])
    show_table(screen, match, match.names, LEARNER)
    screen.say([""])


def _say(screen: Screen, text: str, colour: str | None = None) -> None:
    screen.say(reflow(text, min(width(), 80)), colour)
