"""The question at the end of a game: play again, look back, undo or leave."""

from __future__ import annotations

import sys
from enum import Enum

from parlour import players
from parlour.errors import ParlourError
from parlour.game import opponent
from parlour.terminal.drawn import DrawnBoard, Series
from parlour.terminal.game import GameSession
from parlour.terminal.keyboard import Quit
from parlour.terminal.session import Session, command, unlisted
from parlour.text import clip, sentence


class Next(Enum):
    """What follows a game."""

    AGAIN = "again"
    UNDO = "undo"
    MENU = "menu"
    LEAVE = "leave"


def _against_computer(session: AfterGame) -> bool:
    return session.game.has_computer


class AfterGame(Session):
    """The prompt at the end of a game."""

    def __init__(self, game: GameSession, board: DrawnBoard, series: Series) -> None:
        super().__init__(game.keyboard)
        self.game, self.board, self.series = game, board, series
        self.strict = game.strict

    def prompt(self, again: bool) -> str:
        words = [each.word for each in self.offered()]
        return self.board.ask_below("Again (Enter), " + ", ".join(words[1:-1]) + " or quit?")

    def answer(self, text: str) -> None:
        self.remark(f"{clip(text)!r} does nothing here. Type help for the choices.")

    def remark(self, text: str) -> None:
        self.board.remark(text)

    def refuse(self, text: str, error: ParlourError) -> None:
        self.remark(sentence(str(error)))

    @command("help", "?", "h", help="what you can type", listed=unlisted)
    def show_help(self, text: str) -> None:
        super().show_help(text)

    @command("again", "", "y", "yes", "a", help="another game, in which the other player begins")
    def again(self, text: str) -> Next:
        return Next.AGAIN

    @command("report", "r", help="where this game turned")
    def report(self, text: str) -> None:
        from parlour.terminal.report import write_report  # loads the solver

        match = self.game.match
        self.board.make_room()
        print()
        try:
            write_report(match, own=self.board.viewer(match).own)
        except KeyboardInterrupt:  # stops the report, not the session
            print("Stopped.")
        print()

    @command("practise", help="find the better moves where you went wrong", when=_against_computer)
    def practise(self, text: str) -> None:
        from parlour.terminal.puzzles import practise  # loads the solver

        self.board.make_room()
        practise(self.game.match, self.game.save.number if self.game.save else 0, self.keyboard)

    @command(
        "undo", help="take back your last move, and continue from there", when=lambda session: not session.game.strict
    )
    def undo(self, text: str) -> Next:
        self.game.undo("")
        return Next.UNDO

    @command("moves", help="the moves of this game")
    def show_moves(self, text: str) -> None:
        self.game.show_moves(text)

    @command(
        "level", help="who plays against you next: level 2, level random, level perfect", argument=True,
        when=_against_computer,
    )  # fmt: skip
    def choose_level(self, text: str) -> None:
        if (chosen := self.game.read_level(text, self.series.next_opponent)) is not None:
            players.check_start(chosen)
            self.series.next_opponent = chosen
            self.remark(f"In the next game you play against {players.find_kind(chosen).title}.")

    @command("same", "swap", help="the same player begins again")
    def begin_again(self, text: str) -> None:
        match, series = self.game.match, self.series
        series.same_begins = not series.same_begins
        first = match.setup.first if series.same_begins else opponent(match.setup.first)
        viewer = self.board.viewer(match)
        begins = "You begin" if first == viewer.own else f"{viewer.name(first)} begins"
        self.remark(f"{begins} the next game.")

    @command("menu", help="choose another game")
    def open_menu(self, text: str) -> Next:
        return Next.MENU

    @command("board", help="show the board again", listed=unlisted)
    def show_board(self, text: str) -> None:
        self.game.show_board(text)

    @command("rules", help="the rules of this game", listed=unlisted)
    def show_rules(self, text: str) -> None:
        self.game.show_rules(text)

    @command("save", help="where this game is saved", listed=unlisted)
    def show_file(self, text: str) -> None:
        self.game.show_file(text)

    @command("quit", "q", "exit", "n", "no", help="leave")
    def quit(self, text: str) -> Next:
        return Next.LEAVE

    def ask(self) -> Next:
        """Ask until there is an answer; the end of the input means leave."""
        try:
            chosen: Next = super().ask()
        except Quit:
            return Next.LEAVE
        except KeyboardInterrupt:
            sys.stdout.write("\n")
            raise
        return chosen
