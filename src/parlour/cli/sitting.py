"""A person at a terminal: one game after the other, until the person has had enough."""

from __future__ import annotations

from collections.abc import Callable

from parlour.cli.after_game import AfterGame, Next
from parlour.cli.playing import Manner, MenuWanted, rematch, seeing_off
from parlour.match import Match
from parlour.players import HUMAN
from parlour.saves import Keeper
from parlour.setup import Setup
from parlour.terminal.drawn import DrawnBoard
from parlour.terminal.game import GameSession
from parlour.terminal.keyboard import Keyboard, Quit
from parlour.terminal.series import Series

Opened = tuple[Match, Keeper | None]


def sit_down(
    opened: Opened, open_match: Callable[[Setup], Opened], manner: Manner, keyboard: Keyboard
) -> tuple[Match, int]:
    """Play a match, and what follows it: the last match, and the exit code. MenuWanted for another game."""
    series = Series()
    board = DrawnBoard(keyboard, series, manner.plain)
    match, keeper = opened
    if manner.tossed:
        board.show_toss(match)
    with keyboard.at_table(board.draw_again):
        while True:
            try:
                next = _play_one(match, keeper, manner, board, keyboard, series)
            except Quit as left:
                return match, left.exit_code
            except KeyboardInterrupt:
                return match, 130
            finally:
                if keeper:
                    keeper.close()
            if next is Next.MENU:
                raise MenuWanted
            if next is Next.LEAVE:
                return match, 0
            series.count(match)
            setup = rematch(
                match.setup,
                same_begins=series.same_begins,
                strict=manner.strict or match.setup.strict,
                computer=series.next_opponent,
            )
            series.same_begins, series.next_opponent = False, None
            match, keeper = open_match(setup)


def _play_one(
    match: Match, keeper: Keeper | None, manner: Manner, board: DrawnBoard, keyboard: Keyboard, series: Series
) -> Next:
    session = GameSession(match, keeper, board, keyboard, watched=True, strict=manner.strict, seconds=manner.seconds)
    with seeing_off(keeper):
        session.play()
    while HUMAN in match.setup.players:
        next = AfterGame(session, board, series).ask()
        if next is not Next.UNDO:
            return next
        with seeing_off(keeper):
            session.play_on()
    return Next.LEAVE
