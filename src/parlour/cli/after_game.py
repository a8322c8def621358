"""What a person is asked when a game is over: again, look back, take back, or leave."""

from __future__ import annotations

from enum import Enum

from parlour import players
from parlour.errors import ParlourError
from parlour.game import opponent
from parlour.terminal.drawn import DrawnTeller
from parlour.terminal.game import TerminalTable, read_word
from parlour.terminal.keyboard import Keyboard, Left
from parlour.terminal.series import Series
from parlour.text import clip, sentence

WORDS = {
    "again": "another game, in which the other player begins",
    "report": "where this game turned",
    "practise": "find the better moves where you went wrong",
    "undo": "take back your last move, and go on from there",
    "moves": "the moves of this game",
    "level": "who plays against you next: level 2, level random, level perfect",
    "swap": "let the same player begin again",
    "menu": "choose another game",
    "quit": "leave",
}
ALIASES = {"": "again", "y": "again", "yes": "again", "a": "again", "r": "report", "n": "quit", "no": "quit"}


class Next(Enum):
    """What comes after a game."""

    AGAIN = "again"
    UNDO = "undo"
    MENU = "menu"
    LEAVE = "leave"


def ask_what_next(table: TerminalTable, teller: DrawnTeller, keyboard: Keyboard, series: Series) -> Next:
    """Ask until there is an answer; to leave is one, and so is the end of the input."""
    match = table.match
    while True:
        words = _words(table)
        told = "Again (Enter), " + ", ".join(words[1:-1]) + " or quit?"
        text = keyboard.read_line(teller.asks_what_next(match, told), words.copy)
        if text is None:
            return Next.LEAVE
        word, rest = read_word(text)
        word = ALIASES.get(word, word)
        try:
            if word == "again":
                return Next.AGAIN
            if word == "menu":
                return Next.MENU
            if word == "undo" and word in words:
                table.obey(word)
                return Next.UNDO
            if word == "report":
                from parlour.cli.analyse import tell_report  # which needs the solver

                teller.makes_room()
                print()
                try:
                    tell_report(match, own=teller.own(match))
                except KeyboardInterrupt:  # stops the report, not the session
                    print("Stopped.")
                print()
            elif word == "practise" and word in words:
                from parlour.cli.daily import practise  # which needs the solver

                teller.makes_room()
                practise(match, table.keeper.number if table.keeper else 0, keyboard)
            elif word == "swap" and word in words:
                series.same_begins = not series.same_begins
                other = match.setup.first if series.same_begins else opponent(match.setup.first)
                begins = "begin" if other == teller.own(match) else "begins"
                teller.remarks(f"In the next game {teller.names(match)[other - 1]} {begins}.")
            elif word == "level" and word in words:
                if (chosen := table.read_level(rest, series.next_opponent)) is not None:
                    players.check_start(chosen)
                    series.next_opponent = chosen
                    teller.remarks(f"In the next game you play against {players.find_kind(chosen).title}.")
            elif word in ("help", "h", "?"):
                teller.remarks("\n".join(f"- {known}: {WORDS[known]}" for known in words))
            elif word in words or word in ("board", "rules", "save"):
                table.obey(word, rest)
            else:
                teller.remarks(f"{clip(text)!r} is none of these; help says what each of them does.")
        except ParlourError as error:
            teller.remarks(sentence(str(error)))
        except Left:
            return Next.LEAVE


def _words(table: TerminalTable) -> list[str]:
    off = {*(("undo",) if table.strict else ()), *(() if table.has_computer else ("level", "practise"))}
    return [word for word in WORDS if word not in off]
