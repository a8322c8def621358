"""The board at a terminal: lines that stay, and below them the board, remarks and a question, redrawn in place.

A drawing is replaced unless something else may have been written since, or the window was resized; then the next one
goes below it. In plain mode nothing is replaced, and the board is put into words.
"""

from __future__ import annotations

import sys
from dataclasses import replace

from parlour.errors import ParlourError
from parlour.match import Match
from parlour.picture import text_width
from parlour.terminal import narration
from parlour.terminal.drawing import ASCII, UNICODE, Sight, Signs, describe_board, draw_board
from parlour.terminal.keyboard import Keyboard
from parlour.terminal.narration import Viewer
from parlour.terminal.pager import page
from parlour.terminal.screen import TEXT_COLUMNS, Screen, can_redraw, reflow, terminal_size
from parlour.terminal.session import Session, command
from parlour.view import POOL

PROMPT = "> "
UP, ERASE_BELOW, ERASE_LINE = "\x1b[{}A\r", "\x1b[J", "\r\x1b[K"


class Board:
    """A region of the terminal that shows a match and a question.

    ``log`` adds lines that stay above the board, ``remark`` and ``refuse`` add texts below it until the next question,
    ``ask`` draws everything and returns the prompt, and ``say`` writes permanent lines immediately.
    """

    def __init__(self, keyboard: Keyboard, *, plain: bool = False, viewer: Viewer | None = None) -> None:
        """``viewer``: the reader's view of every match; by default it depends on the players."""
        self.keyboard = keyboard
        self.plain = plain or not can_redraw()
        self.screen = Screen()
        self._viewer = viewer
        self._signs = usable_signs()
        self._log: list[str] = []  # lines to be written above the board
        self._exchange: list[tuple[int, str]] = []  # the moves in the next line of the log: player and sentence
        self._notice: list[str] = []  # lines to show with the next question
        self._hidden = False  # whether a long text is shown instead of the board
        self._spaced = True  # whether an empty line, or nothing, is above the board
        self._drawn: tuple[int, tuple[int, int]] | None = (
            None  # the rows of the last drawing and the window's size then
        )
        self._shown: tuple[int, int] | None = None  # in plain mode: moves and turn of the last board written
        self._last: tuple[Match, list[str]] | None = None  # the last drawing: match and question

    def viewer(self, match: Match) -> Viewer:
        return self._viewer or narration.viewer_of(match)

    # Content.

    def say(self, text: str, colour: str | None = None, *, bold: bool = False) -> None:
        """Write a permanent text."""
        self._write_log()
        self._say([self.screen.style(line, colour) for line in self._fit(text)] if text else [""], bold=bold)

    def log(self, text: str, colour: str | None = None, *, bold: bool = False) -> None:
        """Add a permanent text above the next board."""
        self._flush()
        self._log += [self.screen.style(line, colour, bold=bold) for line in self._fit(text)]
        self._shown = None

    def caption(self, text: str) -> None:
        """Replace the line above the board."""
        self._exchange = [(0, text)]

    def remark(self, text: str) -> None:
        self._notice = [*self._notice, *self._fit(text)]

    def warn(self, text: str) -> None:
        self._notice = [self.screen.style(line, "yellow") for line in self._fit(text)]

    def refuse(self, text: str, error: ParlourError) -> None:
        self.warn(narration.refusal(text, error))

    def unhide(self) -> None:
        """Show the board with the next question, even if a long text is to be shown."""
        self._hidden, self._shown = False, None

    def ask(self, match: Match, question: str, prompt: str = PROMPT, about: str = "") -> str:
        """Draw the board with the remarks and a question, and return the prompt.

        ``about`` goes on the right of the question.
        """
        asked = self._fit(question)
        if self._page_notice(len(asked) + 1):
            self._notice = []
        if about and not self.plain:
            asked[-1] = self._with_right(asked[-1], about)
        if self.plain:
            self._flush()
            self._write_log()
            state = len(match.log), match.turn
            if self._shown != state and not self._hidden:
                self._say(self._board_lines(match))
            self._shown = state
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

    def ask_below(self, question: str) -> str:
        """Draw the remarks and a question without a board, and return the prompt."""
        self.keyboard.forget_typed()
        self._erase()
        self._write_log()
        asked = self._fit(question)
        if self._page_notice(len(asked) + 1):
            self._notice = []
        lines = [*self._notice, *asked]
        self._notice = []
        self._write(lines)
        self._last = None
        return PROMPT

    def show_end(self, match: Match) -> None:
        """Write the final board of a match, permanently."""
        self._flush()
        self._write_log()
        self._say(["", *self._board_lines(match), ""])

    def interrupt(self) -> None:
        """Erase the question and the line being typed, or start a new line if that is impossible."""
        self.keyboard.rows += text_width(self.keyboard.unfinished) // terminal_size()[0]
        if not self._erase():
            sys.stdout.write("\n")

    def make_room(self) -> None:
        """Erase the drawing before other output."""
        self._erase()
        sys.stdout.flush()

    def draw_again(self) -> None:
        """Draw the last board again, below everything else."""
        self._drawn = None
        if self._last is not None:
            self._write([""])
            self._write(self._lines(*self._last))
        sys.stdout.flush()

    # Drawing.

    def _about(self, match: Match) -> str:
        """Return the text at the right of the first line."""
        return f"round {len(match.rounds)}" if len(match.rounds) > 1 else ""

    def _page_notice(self, below: int) -> bool:
        """Page a notice that doesn't fit the screen with that number of rows below it; return whether it was paged."""
        if len(self._notice) + below < terminal_size()[1]:
            return False
        self._erase()
        self._write_log()
        return page("".join(f"{line}\n" for line in self._notice), below)

    def _room(self, match: Match, question: list[str]) -> int:
        """Return how many lines of remarks fit beside the board."""
        notice, self._notice = self._notice, []
        used = len(self._lines(match, question))
        self._notice = notice
        return max(2, terminal_size()[1] - 2 - used)

    def _lines(self, match: Match, question: list[str]) -> list[str]:
        """Return the last moves, the board, the remarks and the question."""
        board = self._board_lines(match)
        exchange = self._together()
        rows = terminal_size()[1]
        if about := self._about(match):
            first = self._with_right(exchange[0] if exchange else "", about)
            exchange[:1] = [first] if first else []
        below = [*self._notice, *question]
        lines = [*exchange, *([""] if exchange or self._log or not self._spaced else []), *board, "", *below]
        if len(lines) > rows - 2:
            lines = [*exchange, *board, *below]
        return lines

    def _board_lines(self, match: Match) -> list[str]:
        viewer = self.viewer(match)
        columns = terminal_size()[0] - 1  # a full line may or may not begin another
        return board_lines(
            match, Sight(viewer.names, viewer.own or 1, columns, self._signs, self.screen.paint), self.plain
        )

    def _with_right(self, left: str, right: str) -> str:
        """Return a line with another text on the right, if there is room for it."""
        room = terminal_size()[0] - 1 - text_width(left)
        return left + " " * (room - text_width(right)) + right if room >= text_width(right) + 3 else left

    def _together(self) -> list[str]:
        """Return the last moves in one line, or in a line for each if that is too long."""
        sentences = [text for _, text in self._exchange]
        line = "  ".join(sentences)
        if text_width(line) < terminal_size()[0]:
            return [line] if line else []
        return [piece for text in sentences for piece in self._fit(text)]

    def _flush(self) -> None:
        """Move the last moves to the log."""
        self._log += self._together()
        self._exchange = []

    def _write_log(self) -> None:
        if self._log:
            self._erase()
            self._say(self._log)
            self._log = []

    def _fit(self, text: str) -> list[str]:
        return reflow(text, min(terminal_size()[0] - 1, TEXT_COLUMNS))

    def _say(self, lines: list[str], *, bold: bool = False) -> None:
        """Write permanent lines."""
        self._erase()
        for line in lines:
            sys.stdout.write(self.screen.style(line, bold=bold) + "\n" if line else "\n")
        self._spaced = not lines[-1] if lines else self._spaced

    def _write(self, lines: list[str]) -> None:
        """Write lines that the next ones replace."""
        self._erase()
        sys.stdout.write("".join(f"{line}\n" for line in lines))
        sys.stdout.flush()
        if not self.plain:
            self._drawn = len(lines), terminal_size()

    def _erase(self) -> bool:
        """Erase the last drawing, unless it has moved; return whether it was erased."""
        drawn, self._drawn = self._drawn, None
        rows, self.keyboard.rows = self.keyboard.rows, 0
        disturbed, self.keyboard.disturbed = self.keyboard.disturbed, False
        if drawn is None or disturbed or drawn[1] != terminal_size() or drawn[0] + rows >= drawn[1][1]:
            return False
        sys.stdout.write(UP.format(drawn[0] + rows) + ERASE_BELOW if drawn[0] + rows else ERASE_LINE)
        return True


class BoardSession(Session):
    """A session at a board; ``question`` is the next question."""

    def __init__(self, board: Board, match: Match, question: str = "") -> None:
        super().__init__(board.keyboard)
        self.board, self.match, self.question = board, match, question

    def prompt(self, again: bool) -> str:
        return self.board.ask(self.match, self.question)

    def remark(self, text: str) -> None:
        self.board.remark(text)

    def refuse(self, text: str, error: ParlourError) -> None:
        self.board.refuse(text, error)

    @command("rules", help="the rules of this game")
    def show_rules(self, text: str) -> None:
        self.remark(self.match.rules.rules_text)

    @command("board", help="show the board again")
    def show_board(self, text: str) -> None:
        self.board.unhide()


def usable_signs() -> Signs:
    """Return the characters that this terminal can show."""
    try:
        (UNICODE.marks[0] + UNICODE.top).encode(sys.stdout.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return ASCII
    return UNICODE


def write_board(match: Match) -> None:
    """Write the board of a match once: drawn if the terminal can redraw, else in words."""
    sight = Sight(match.names, 1, terminal_size()[0] - 1, usable_signs(), Screen().paint)
    sys.stdout.write("".join(f"{line}\n" for line in board_lines(match, sight, not can_redraw())))


def board_lines(match: Match, sight: Sight, plain: bool) -> list[str]:
    """Return the lines of a board, drawn, or in words if ``plain``."""
    groups = match.rules.view(replace(match.moment, names=sight.names))
    if not match.legal_moves:  # the notes describe the next move
        groups = tuple(group if group.owner is None else group._replace(note="") for group in groups)
    # Omit pools that only repeat the question.
    view = tuple(g for g in groups if g.shape != POOL or _is_taken_from(match, len(groups), g.title))
    if plain:
        columns = min(terminal_size()[0] - 1, TEXT_COLUMNS)
        return [piece for line in describe_board(view, sight) for piece in reflow(line, columns)]
    other = match.game.display.other_name
    shown = {tile.move: tile.text for group in view for row in group.rows for tile in row if tile.move}
    as_shown = all(other(match.rules.packed, move) == text for move, text in shown.items())
    return draw_board(view, match.legal_moves, sight, match.rules.name, as_shown)


def _is_taken_from(match: Match, groups: int, title: str) -> bool:
    """Return whether a move changes what a pool shows."""
    if groups == 1:
        return True
    here = match
    if not match.round.moves and match.legal_moves and match.outcome is None:
        here = match.copy()
        here.play(match.legal_moves[0])
    view = here.rules.view(here.moment)
    tiles = [tile for group in view if group.title == title for row in group.rows for tile in row]
    return any(tile.owner is not None or tile.note for tile in tiles)
