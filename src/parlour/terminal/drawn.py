"""Tells a person at a terminal what happens: a short log, and under it one compact table, drawn anew in its place.

A line of the log is an exchange: a move and the answer to it. The table, a notice and the question stand below it and
are replaced as long as nothing else was written meanwhile; where that cannot be known, for one because the window has
another size now, they are drawn once more below. In plain mode nothing is replaced, and the table is put
into words.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from parlour.errors import MoveRefused, ParlourError, UnreadableMove
from parlour.game import PASS, Moment, opponent
from parlour.match import Match
from parlour.names import DEFAULT_NAMES
from parlour.options import unusual_in_words
from parlour.outcome import Outcome, Termination
from parlour.picture import text_width
from parlour.players import HUMAN, people_of
from parlour.terminal.drawing import ASCII, UNICODE, Sight, Signs, draw_table, tell_table
from parlour.terminal.keyboard import Keyboard
from parlour.terminal.pager import page
from parlour.terminal.screen import Screen, draws_tables, reflow, terminal_size
from parlour.terminal.series import Series
from parlour.text import clip, counted, sentence
from parlour.view import POOL, PlayerNumber, spell

if TYPE_CHECKING:
    from parlour.study.hints import Hint, Reason

WIDEST_TEXT = 80  # columns of prose
PROMPT = "> "
UP, ERASE_BELOW, ERASE_LINE = "\x1b[{}A\r", "\x1b[J", "\r\x1b[K"
BEFORE_THINKING = 0.3  # seconds after which it is said that a computer thinks


class DrawnTeller:
    """One table for one person or two, in a terminal."""

    def __init__(self, keyboard: Keyboard, series: Series, plain: bool) -> None:
        """``plain``: nothing is drawn anew in its place, and marks are words."""
        self.keyboard = keyboard
        self.plain = plain
        self._series = series
        self.screen = Screen()
        self._signs = usable_signs()
        self._log: list[str] = []  # lines that are to be written above the table, and to stay
        self._exchange: list[tuple[int, str]] = []  # the moves that are told together: whose, and a sentence
        self._notice: list[str] = []  # what is said beside the table until the next question
        self._welcomed = False
        self._hidden = False  # the table is not shown: something long was asked for, and stands there
        self._spaced = True  # what stands above the table ends with an empty line, or there is nothing
        self._drawn: tuple[int, tuple[int, int]] | None = None  # rows that can be replaced, in a window of this size
        self._told: tuple[int, int] | None = None  # in plain mode: what the table told last was of
        self._last: tuple[Match, list[str]] | None = None  # what was drawn, to do it again

    # Who is who.

    def own(self, match: Match) -> PlayerNumber | None:
        """The player of the only person at the table; None where there are two of them, or none."""
        people = people_of(match.setup)
        return people[0] if len(people) == 1 else None

    def names(self, match: Match) -> tuple[str, str]:
        """What the players are called at this table."""
        own = self.own(match)
        if own is None:
            return match.names
        other = match.names[opponent(own) - 1]
        if other in DEFAULT_NAMES:
            other = "Computer"
        return ("You", other) if own == 1 else (other, "You")

    def _sight(self, match: Match) -> Sight:
        columns = terminal_size()[0] - 1  # what fills a line may or may not begin another
        return Sight(self.names(match), self.own(match) or 1, columns, self._signs, self.screen.paint)

    # What happens.

    def dealt(self, match: Match, number: int | None) -> None:
        if len(match.rounds) > 1:
            self._flush()
            self._log.append(f"Round {len(match.rounds)}: {self._begins(match)}.")
            self._told = None
            return
        if self._welcomed:  # to the game before this one
            which = "Another game" if number is None else f"Game {number}"
            self._say(["", f"{which}: {self._begins(match)}."], bold=True)
            return
        self._welcomed = True
        self._say([match.game.title], bold=True)
        self._say(self._fit(match.rules.summary))
        kept = "" if number is None else f"This is game {number}, saved as you play. "
        asks = "Type ? for everything you can type." if self.plain else ""  # elsewhere the question says it
        self._say(self._fit(f"{_unusual(match)}{kept}{asks}"))
        self._say([""])

    def tossed(self, match: Match) -> None:
        self._log.append(f"The coin has been tossed: {self._begins(match)}.")

    def _begins(self, match: Match) -> str:
        first = match.round.first
        return "you begin" if first == self.own(match) else f"{self.names(match)[first - 1]} begins"

    def resumed(self, match: Match, number: int) -> None:
        here = f"round {len(match.rounds)}, " if len(match.rounds) > 1 else ""
        moves = f"{here}{counted(len(match.round.moves), 'move')} played"
        self._say([f"Game {number} goes on: {match.game.title}, {' - '.join(self.names(match))}, {moves}."], bold=True)
        for back in reversed(range(min(2, len(match.round.moves)))):
            earlier = match.copy()
            for _ in range(back):
                earlier.undo()
            self._exchange.append(self._sentence(earlier))

    def computer_chose(self, match: Match, before: Moment) -> None:
        pass  # ``played`` says it all

    def played(self, match: Match) -> None:
        player, text = self._sentence(match)
        own = self.own(match)
        if player == (match.round.first if own is None else own) or player in (moved for moved, _ in self._exchange):
            self._flush()
        self._exchange.append((player, text))
        if HUMAN not in match.setup.players and player != match.round.first:
            self._flush()
            self._write_log()

    def _sentence(self, match: Match) -> tuple[int, str]:
        """Who has just moved, and what that was."""
        player, why = opponent(match.turn), ""
        if match.round.moves[-1] == PASS and player != self.own(match):
            why = match.rules.stuck(match.round.positions[-2])
        told = match.game.display.told(match.moment)
        return player, sentence(f"{self.names(match)[player - 1]} {told}{f': {why}' if why else ''}")

    def took_back(self, match: Match, moves: list[str]) -> None:
        self._flush()
        self._log.append(f"Taken back: {', '.join(moves)}.")
        self._told = None

    def played_again(self, match: Match, moves: list[str]) -> None:
        self._flush()
        self._log.append(f"Played again: {', '.join(moves)}.")
        self._told = None

    def round_ended(self, match: Match) -> None:
        self._flush()
        self._log.append(self._verdict(match))

    def ended(self, match: Match, outcome: Outcome) -> None:
        self._flush()
        self._write_log()
        self._say(["", *self._table(match), ""])
        *lines, last = self._fit(self._last_word(match, outcome))
        self._say([*lines, self._with_right(last, self._score(match))], bold=True)

    def _last_word(self, match: Match, outcome: Outcome) -> str:
        """How a match ended and who has won it, in a sentence that names nobody twice."""
        how, winner = self._verdict(match).rstrip("."), outcome.winner
        if outcome.how == Termination.UNDECIDED:
            return f"{how}: undecided after {counted(len(match.rounds), 'round')}."
        if winner is None:
            return f"{how}: a draw."
        subject, you = match.game.display.verdict(match.moment, match.round_winner)[0], winner == self.own(match)
        if match.resigned is None and subject == winner:
            return f"{how}, and win!" if you else f"{how}, and wins."
        return f"{how}: you win!" if you else f"{how}: {self.names(match)[winner - 1]} wins."

    def _verdict(self, match: Match) -> str:
        """How a round ended, in a sentence."""
        if match.resigned is not None:
            forfeited = match.outcome is not None and match.outcome.how == Termination.FORFEITED
            return f"{self.names(match)[match.resigned - 1]} {'forfeited' if forfeited else 'resigned'}."
        subject, text = match.game.display.verdict(match.moment, match.round_winner)
        return sentence(text if subject is None else f"{self.names(match)[subject - 1]} {text}")

    # What is asked.

    def asks(self, match: Match, again: bool) -> str:
        turn = "Your turn" if match.turn == self.own(match) else f"{self.names(match)[match.turn - 1]}'s turn"
        needs = match.rules.needs(match.position)
        choices = f"{turn}: {choices_in_words(match)}" + (f" ({needs})" if needs else "")
        if match.rules.settled(match.position) and not match.last_round:  # the table says why
            choices += ", or next for a new round"
        return self._ask(match, choices, about="? for help")

    def asks_to_pass(self, match: Match) -> str | None:
        why = match.rules.stuck(match.position)
        who = "You pass" if match.turn == self.own(match) else f"{self.names(match)[match.turn - 1]} passes"
        self.keyboard.forget_typed()
        return self._ask(match, f"{sentence(why)} {who}.", "(Enter, or undo) > ")

    def asks_what_next(self, match: Match, words: str) -> str:
        self.keyboard.forget_typed()
        self._erase()
        asked = self._fit(words)
        if self._page_notice(len(asked) + 1):
            self._notice = []
        lines = [*self._notice, *asked]
        self._notice = []
        self._write(lines)
        self._last = None
        return PROMPT

    def refuses(self, match: Match, text: str, error: ParlourError) -> None:
        self._notice = [self.screen.style(line, "yellow") for line in self._fit(refusal_in_words(text, error))]

    def hints(self, match: Match, hint: Hint) -> None:
        self.remarks(hint.text)

    def reasons(self, match: Match, reason: Reason) -> None:
        self.remarks(reason.text)

    def remarks(self, text: str) -> None:
        self._notice = [*self._notice, *self._fit(text)]

    def shows(self, match: Match) -> None:
        self._hidden, self._told = False, None

    @contextmanager
    def thinks(self, match: Match) -> Iterator[None]:
        from threading import Event, Thread
        from time import monotonic

        name, begin, done = self.names(match)[match.turn - 1], monotonic(), Event()
        lines = [] if self.plain else self._lines(match, [])
        drawn = False

        def tell() -> None:
            nonlocal drawn
            if done.wait(1.0 if self.plain else BEFORE_THINKING):
                return
            if self.plain:
                self._say([f"{name} is thinking ... (Ctrl-C: move now)"])
                return
            self._erase()
            self._write_log()
            self._write(lines)
            drawn = True
            while True:
                seconds = int(monotonic() - begin)
                text = f"{name} is thinking ...{f' {seconds} s' if seconds else ''} (Ctrl-C: move now)"
                sys.stdout.write(f"{ERASE_LINE}{text[: terminal_size()[0] - 1]}")
                sys.stdout.flush()
                if done.wait(1.0):
                    return

        self._last = match, []
        thread = Thread(target=tell, daemon=True)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()
            if drawn:
                sys.stdout.write(ERASE_LINE)

    # How it is drawn.

    def makes_room(self) -> None:
        """Somebody else is going to write."""
        self._erase()
        sys.stdout.flush()

    def draw_again(self) -> None:
        """Draw what was there, below whatever is there now."""
        self._drawn = None
        if self._last is not None:
            self._write([""])
            self._write(self._lines(*self._last))
        sys.stdout.flush()

    def _ask(self, match: Match, question: str, prompt: str = PROMPT, about: str = "") -> str:
        asked = self._fit(question)
        if self._page_notice(len(asked) + 1):
            self._notice = []
        if about and not self.plain:
            asked[-1] = self._with_right(asked[-1], about)
        if self.plain:
            self._flush()
            self._write_log()
            state = len(match.log), match.turn
            if self._told != state and not self._hidden:
                self._say(self._table(match))
            self._told = state
            self._say([*self._notice, *asked])
        else:
            self._erase()
            if len(self._notice) > self._room(match, asked):
                self._log += [*([] if self._spaced and not self._log else [""]), *self._notice, ""]
                self._notice, self._hidden = [], True
            self._write_log()
            self._write(asked if self._hidden else self._lines(match, asked))
        self._last = match, asked
        self._notice, self._hidden = [], False
        return prompt

    def _page_notice(self, below: int) -> bool:
        """Page a notice that doesn't fit the screen with that number of rows below it; return whether it was paged."""
        if len(self._notice) + below < terminal_size()[1]:
            return False
        self._erase()
        self._write_log()
        return page("".join(f"{line}\n" for line in self._notice), below)

    def _room(self, match: Match, question: list[str]) -> int:
        """Lines that can be said beside the table without driving it off the screen."""
        notice, self._notice = self._notice, []
        used = len(self._lines(match, question))
        self._notice = notice
        return max(2, terminal_size()[1] - 2 - used)

    def _lines(self, match: Match, question: list[str]) -> list[str]:
        """The exchange, the table, what is said of it, and the question."""
        table = self._table(match)
        exchange = self._together()
        about = [f"round {len(match.rounds)}"] if len(match.rounds) > 1 else []
        about += filter(None, [self._score(match)])
        rows = terminal_size()[1]
        if about:
            first = self._with_right(exchange[0] if exchange else "", "   ".join(about))
            exchange[:1] = [first] if first else []
        below = [*self._notice, *question]
        lines = [*exchange, *([""] if exchange or self._log or not self._spaced else []), *table, "", *below]
        if len(lines) > rows - 2:
            lines = [*exchange, *table, *below]
        return lines

    def _table(self, match: Match) -> list[str]:
        return table_lines(match, self._sight(match), self.plain)

    def _with_right(self, left: str, right: str) -> str:
        """A line that ends with another text on the right, where there is room for it."""
        room = terminal_size()[0] - 1 - text_width(left)
        return left + " " * (room - text_width(right)) + right if room >= text_width(right) + 3 else left

    def _score(self, match: Match) -> str:
        return self._series.score(match, self.names(match), self.own(match) or 1)

    def _together(self) -> list[str]:
        """The exchange in a line, or in one for each move where that is too long."""
        sentences = [text for _, text in self._exchange]
        line = "  ".join(sentences)
        if text_width(line) < terminal_size()[0]:
            return [line] if line else []
        return [piece for text in sentences for piece in self._fit(text)]

    def _flush(self) -> None:
        """Let the exchange be a line of the log."""
        self._log += self._together()
        self._exchange = []

    def _write_log(self) -> None:
        if self._log:
            self._erase()
            self._say(self._log)
            self._log = []

    def _fit(self, text: str) -> list[str]:
        return reflow(text, min(terminal_size()[0] - 1, WIDEST_TEXT))

    def _say(self, lines: list[str], *, bold: bool = False) -> None:
        """Write lines that stay."""
        self._erase()
        for line in lines:
            sys.stdout.write(self.screen.style(line, bold=bold) + "\n" if line else "\n")
        self._spaced = not lines[-1] if lines else self._spaced

    def _write(self, lines: list[str]) -> None:
        """Write lines that are to be replaced by the next ones."""
        self._erase()
        sys.stdout.write("".join(f"{line}\n" for line in lines))
        sys.stdout.flush()
        if not self.plain:
            self._drawn = len(lines), terminal_size()

    def _erase(self) -> None:
        """Take away what was drawn last, if nothing has moved it."""
        drawn, self._drawn = self._drawn, None
        rows, self.keyboard.rows = self.keyboard.rows, 0
        disturbed, self.keyboard.disturbed = self.keyboard.disturbed, False
        if drawn is None or disturbed or drawn[1] != terminal_size():
            return
        if drawn[0] + rows < drawn[1][1]:
            sys.stdout.write(UP.format(drawn[0] + rows) + ERASE_BELOW if drawn[0] + rows else ERASE_LINE)


def _unusual(match: Match) -> str:
    """The options that are not the book's, as the beginning of a paragraph."""
    chosen = unusual_in_words(match.setup.options)
    return f"This game: {'; '.join(chosen)}. " if chosen else ""


def choices_in_words(match: Match) -> str:
    """What can be typed as a move now, in a line or two."""
    rules, legal = match.rules, match.legal_moves
    if rules.numbers_only:
        text = spell(legal)
    else:
        names = [match.game.display.other_name(match.rules.packed, move) or rules.name(move) for move in legal]
        numbers = all(name.isdigit() for name in names)
        text = spell(sorted(map(int, names))) if numbers else ", ".join(names)
    if len(text) > 2 * WIDEST_TEXT:
        return rules.expected(match.position)
    return " or ".join(text.rsplit(", ", 1))


def refusal_in_words(text: str, error: ParlourError) -> str:
    """Why what was typed is not done, in a sentence."""
    wrong = error.reason if isinstance(error, MoveRefused) else str(error)
    if isinstance(error, UnreadableMove):
        wrong = f"{clip(text)!r} is not a move, nor a word I know; ? says what you can type" if text.strip() else (
            "type a move, or ? for everything else you can type"
        )  # fmt: skip
    return sentence(wrong)


def usable_signs() -> Signs:
    """The characters that this terminal can show."""
    return UNICODE if _can_write(UNICODE.marks[0] + UNICODE.top) else ASCII


def show_table(screen: Screen, match: Match, names: tuple[str, str], own: PlayerNumber, *, plain: bool = False) -> None:
    """Write the board of a match once, from a player's side: drawn where possible, unless ``plain``."""
    sight = Sight(names, own, terminal_size()[0] - 1, usable_signs(), screen.paint)
    sys.stdout.write("".join(f"{line}\n" for line in table_lines(match, sight, plain or not draws_tables())))


def table_lines(match: Match, sight: Sight, plain: bool) -> list[str]:
    """What lies on the table, drawn, or in words where it is ``plain``."""
    groups = match.rules.view(replace(match.moment, names=sight.names))
    if not match.legal_moves:  # there is no next move to describe
        groups = tuple(group if group.owner is None else group._replace(note="") for group in groups)
    # Without pools that only repeat what the question says.
    view = tuple(g for g in groups if g.shape != POOL or _is_taken_from(match, len(groups), g.title))
    if plain:
        columns = min(terminal_size()[0] - 1, WIDEST_TEXT)
        return [piece for line in tell_table(view, sight) for piece in reflow(line, columns)]
    other = match.game.display.other_name
    shown = {tile.move: tile.text for group in view for row in group.rows for tile in row if tile.move}
    as_shown = all(other(match.rules.packed, move) == text for move, text in shown.items())
    return draw_table(view, match.legal_moves, sight, match.rules.name, as_shown)


def _can_write(text: str) -> bool:
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True


def _is_taken_from(match: Match, groups: int, title: str) -> bool:
    """Whether what is chosen from a pool is seen there afterwards, or how much is left of it."""
    if groups == 1:
        return True
    here = match
    if not match.round.moves and match.legal_moves and match.outcome is None:
        here = match.copy()
        here.play(match.legal_moves[0])
    view = here.rules.view(here.moment)
    tiles = [tile for group in view if group.title == title for row in group.rows for tile in row]
    return any(tile.owner is not None or tile.note for tile in tiles)
