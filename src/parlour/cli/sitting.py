"""A person at a terminal: one game after the other, until the person has had enough."""

from __future__ import annotations

from collections.abc import Callable

from parlour.cli.after_game import Next, ask_what_next
from parlour.cli.playing import Manner, MenuWanted, rematch, seeing_off
from parlour.match import Match
from parlour.players import HUMAN
from parlour.saves import Keeper
from parlour.setup import Setup
from parlour.terminal.drawn import DrawnTeller
from parlour.terminal.game import TerminalTable
from parlour.terminal.keyboard import Keyboard, Left
from parlour.terminal.screen import draws_tables
from parlour.terminal.series import Series

Opened = tuple[Match, Keeper | None]


def sit_down(
    opened: Opened, open_match: Callable[[Setup], Opened], manner: Manner, keyboard: Keyboard
) -> tuple[Match, int]:
    """Play a match, and what follows it: the last match, and the exit code. MenuWanted for another game."""
    series = Series()
    teller = DrawnTeller(keyboard, series, manner.plain or not draws_tables())
    match, keeper = opened
    if manner.tossed:
        teller.tossed(match)
    with keyboard.at_table(teller.draw_again):
        while True:
            try:
                next = _play_one(match, keeper, manner, teller, keyboard, series)
            except Left as left:
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
    match: Match, keeper: Keeper | None, manner: Manner, teller: DrawnTeller, keyboard: Keyboard, series: Series
) -> Next:
    table = TerminalTable(match, keeper, teller, keyboard, watched=True, strict=manner.strict, seconds=manner.seconds)
    with seeing_off(keeper):
        table.play()
    while HUMAN in match.setup.players:
        next = ask_what_next(table, teller, keyboard, series)
        if next is not Next.UNDO:
            return next
        with seeing_off(keeper):
            table.play_on()
    return Next.LEAVE
