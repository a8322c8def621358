"""Solving at a terminal or through a pipe: a question is asked, a move is tried, and a wrong one is refuted.

The daily puzzle, the puzzles of the archive, your own mistakes and the exams are all asked here.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from parlour.errors import ParlourError
from parlour.game import Move, opponent
from parlour.match import Match
from parlour.options import unusual_in_words
from parlour.rules import Rules
from parlour.setup import Setup
from parlour.study.puzzle import Exercise, Stage
from parlour.terminal.board import show_table, usable_signs
from parlour.terminal.keyboard import Keyboard, Quit
from parlour.terminal.narration import choices, refusal
from parlour.terminal.pager import pager
from parlour.terminal.screen import Screen, at_terminal, draws_tables, reflow, width
from parlour.text import counted, sentence
from parlour.view import PlayerNumber

WORDS = {
    "help": "what you can type",
    "rules": "the rules of this game",
    "board": "show the table again",
    "hint": "where to look; asked again, the move",
    "answer": "give up and see it",
    "quit": "leave",
}
ALIASES = {"?": "help", "h": "help", "q": "quit", "exit": "quit", "give up": "answer"}
YOU, OTHER = "You", "Computer"
ERASE_LINE_ABOVE = "\x1b[1A\r\x1b[K"
STEP = "(Enter: what follows, s: skip it) "


class QuestionResult(NamedTuple):
    """How a question went."""

    tries: int  # 1: at the first; 0: given up
    hints: int


def match_at(rules: Rules, moves: Sequence[int], side: PlayerNumber) -> Match:
    """A match that stands after these moves, seen from a side: 1 for the player who began."""
    return Match.after(Setup(rules, (YOU, OTHER) if side == 1 else (OTHER, YOU)), moves)


def named(rules: Rules) -> str:
    """A game with those of its options that are not the book's."""
    chosen = unusual_in_words(rules.options)
    return f"{rules.game.title} ({'; '.join(chosen)})" if chosen else rules.game.title


class Desk:
    """Where somebody sits and solves."""

    def __init__(self, keyboard: Keyboard | None = None) -> None:
        """``keyboard``: one that is in use already."""
        self.terminal = at_terminal()
        self.plain = not (self.terminal and draws_tables())
        self.keyboard, self.screen = keyboard or Keyboard(), Screen()

    # What is said.

    def say(self, text: str, colour: str | None = None, *, bold: bool = False) -> None:
        self.screen.say(reflow(text, min(width(), 80)) if text else [""], colour, bold=bold)

    def copyable(self, text: str) -> None:
        """A line to be taken elsewhere: in one piece, however wide the terminal is."""
        sys.stdout.write(self.screen.style(text, bold=True) + "\n")

    def show(self, match: Match, side: PlayerNumber) -> None:
        """The table, with the same marks as in play."""
        self.screen.say([""])
        show_table(self.screen, match, match.names, side, plain=self.plain)
        self.screen.say([""])

    def tell_move(self, match: Match) -> None:
        """The move just played, and how the game ended with it if it did."""
        self.say(sentence(f"{match.names[opponent(match.turn) - 1]} {match.game.display.told(match.moment)}"))

    def tell_end(self, match: Match) -> None:
        subject, text = match.game.display.verdict(match.moment, match.round_winner)
        won = (
            "a draw"
            if match.round_winner is None
            else "you win"
            if match.names[match.round_winner - 1] == YOU
            else "you lose"
        )
        why = text if subject is None else f"{match.names[subject - 1]} {text}"
        self.say(sentence(f"{why.rstrip('.')}: {won}"))

    # What is asked.

    def whose_move(self, match: Match) -> str:
        """Which side one has, and what can be played."""
        needs = match.rules.needs(match.position)
        mark = "" if self.plain else f"{usable_signs().marks[0]}, "
        return f"You are {mark}to move: {choices(match)}{f' ({needs})' if needs else ''}."

    def read(self, prompt: str, words: Sequence[str] = ()) -> str:
        """What was typed; Quit if that is to leave."""
        text = self.keyboard.read_line(prompt, lambda: list(words))
        if text is None:
            raise Quit(0 if self.keyboard.terminal else 1)
        if ALIASES.get(text.strip().lower(), text.strip().lower()) == "quit":
            raise Quit(0)
        return text.strip()

    def wants_more(self, prompt: str) -> bool:
        """Whether somebody at a terminal presses Enter; through a pipe nobody is asked."""
        if not self.terminal:
            return False
        self.keyboard.forget_typed()
        try:
            return self.read(prompt) == ""
        except Quit:
            return False

    def ask_move(self, match: Match, side: PlayerNumber, words: Mapping[str, str]) -> Move | str:
        """A legal move, or one of the words; the words everybody knows are obeyed here."""
        while True:
            text = self.read("> ", [*match.rules.names(match.legal_moves[:200]), *words])
            word = ALIASES.get(text.lower(), text.lower())
            if word == "board":
                self.show(match, side)
            elif word == "rules":
                with pager(below=1):
                    self.say(match.rules.rules_text)
            elif word == "help":
                listed = "\n".join(f"- {each}: {about}" for each, about in words.items())
                possible = match.rules.spell(match.legal_moves)
                self.say(f"Type a move. Possible now: {possible}\n\nYou can also type:\n{listed}")
            elif word in words:
                return word
            else:
                try:
                    return match.read(text)
                except ParlourError as error:
                    self.say(refusal(text, error), "yellow")

    # What is taught.

    def refute(self, match: Match, side: PlayerNumber, move: int, line: Sequence[int], then: str) -> None:
        """Show the play that refutes a move, to the end; ``then``: what comes next. The match stays as it is."""
        name, *_ = match.rules.spoken([move])
        ended = match.copy()
        ended.play_all((move, *line))
        self.say(f"No: {name} {'only draws' if ended.round_winner is None else 'loses'}.", "yellow", bold=True)
        shown, stepping = match.copy(), self.terminal
        shown.play(move)
        for follows in line:
            stepping = stepping and self._step()
            shown.play(follows)
            self.tell_move(shown)
        self.tell_end(shown)
        if self.terminal:
            self.show(shown, side)
        self.say(f"{name} is taken back. {then}")

    def _step(self) -> bool:
        """Wait for Enter; whether the next move is to be waited for as well."""
        goes_on = self.read(STEP) == ""
        if not self.plain:
            sys.stdout.write(ERASE_LINE_ABOVE)
        return goes_on


def solve(desk: Desk, exercise: Exercise) -> QuestionResult:
    """Ask an exercise to its end; Quit if the player quits first."""
    match, side = match_at(exercise.rules, exercise.moves, exercise.side), exercise.side
    tries, hints = 1, 0
    for number, stage in enumerate(exercise.stages, 1):
        asked = exercise.question if number == 1 else "Go on: again only one move is right."
        rung = 0
        desk.show(match, side)
        while True:
            desk.say(f"{asked} {desk.whose_move(match)}")
            asked = "Which move is right?"
            given = desk.ask_move(match, side, WORDS)
            if given == "hint":
                rung, told = _hint(match, stage, rung)
                hints += bool(told)
                desk.say(told or "You have been told the move.")
            elif isinstance(given, str):  # "answer"
                _show_answer(desk, match, exercise.stages[number - 1 :])
                return QuestionResult(0, hints)
            elif given in stage.right:
                _play_on(desk, match, given, stage.right[given])
                break
            else:
                tries += 1
                desk.refute(match, side, given, stage.wrong[given], "Try again.")
                desk.show(match, side)
    if match.rules.is_over(match.position):
        desk.tell_end(match)
    else:
        desk.say("The point is made: from here more than one move will do.")
    return QuestionResult(tries, hints)


def _hint(match: Match, stage: Stage, rung: int) -> tuple[int, str]:
    """The next rung of the ladder, and what it tells; nothing above the last."""
    from parlour.study.hints import FEWEST_FOR_REGION, region_of  # which needs the solver

    right = list(stage.right)
    while rung < 3:
        rung += 1
        if rung == 1 and len(right) > 1:
            return rung, f"{len(right)} of {len(match.legal_moves)} moves are right."
        if rung == 2 and len(match.legal_moves) >= FEWEST_FOR_REGION and (found := region_of(match, right[0])):
            return rung, f"{'It is' if len(right) == 1 else 'One of them is'} {found[0]}."
        if rung == 3:
            return rung, f"It is {match.rules.spoken(right[:1])[0]}."
    return rung, ""


def _play_on(desk: Desk, match: Match, move: int, then: Sequence[int]) -> None:
    desk.say("Right.", "green", bold=True)
    for each in (move, *then):
        match.play(each)
        desk.tell_move(match)


def _show_answer(desk: Desk, match: Match, stages: Sequence[Stage]) -> None:
    for stage in stages:
        move, then = next(iter(stage.right.items()))
        desk.say(f"The answer is {match.rules.spoken([move])[0]}.")
        for each in (move, *then):
            match.play(each)
            desk.tell_move(match)
    if match.rules.is_over(match.position):
        desk.tell_end(match)


def in_words(attempt: QuestionResult) -> str:
    """How a question went, in a sentence."""
    if not attempt.tries:
        return "Not solved this time."
    how = "at the first try" if attempt.tries == 1 else f"in {attempt.tries} tries"
    return f"Solved {how}, {counted(attempt.hints, 'hint') if attempt.hints else 'no hint'}."
