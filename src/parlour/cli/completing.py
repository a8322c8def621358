"""What the shell is told when somebody presses Tab after a command: games, kept games and players."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING

import click

from parlour import catalog, players, saves
from parlour.match import Match
from parlour.players import HUMAN

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

MOST_COMPLETED = 50  # kept games, the newest


def complete_game(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The games there are."""
    return [_item(key) for key in catalog.keys() if key.startswith(incomplete)]


def complete_kept(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The numbers of the kept games, the newest first, each with what it is."""
    with suppress(OSError):
        numbers = (number for number in reversed(saves.numbers()) if str(number).startswith(incomplete))
        return _items((number, _match(number)) for number in numbers)
    return []


def complete_unfinished(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The same of those that are not over."""
    with suppress(OSError):
        return _items((number, match) for number, match in saves.unfinished() if str(number).startswith(incomplete))
    return []


def complete_player(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The words of players; where a number or a command is to follow, up to the colon."""
    words = {HUMAN: "whoever sits at this keyboard"}
    for kind in players.list_player_kinds():
        words[f"{kind.name}:" if kind.is_open else kind.word] = kind.about
    return [_item(word, help=about) for word, about in words.items() if word.startswith(incomplete)]


def complete_players(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The same for a list with commas, whose last word is being typed."""
    before, comma, last = incomplete.rpartition(",")
    chosen = before.split(",")
    found = complete_player(context, parameter, last)
    return [
        _item(f"{before}{comma}{item.value}", help=item.help) for item in found
        if item.value != HUMAN and item.value not in chosen
    ]  # fmt: skip


def _item(value: str, help: str | None = None) -> CompletionItem:
    from click.shell_completion import CompletionItem  # the first prompt does not wait for it

    return CompletionItem(value, help=help)


def _match(number: int) -> Match | None:
    try:
        return saves.load(number)
    except (ValueError, OSError):
        return None


def _items(found: Iterable[tuple[int, Match | None]]) -> list[CompletionItem]:
    items = []
    for number, match in islice(found, MOST_COMPLETED):
        told = "damaged" if match is None else f"{match.game.title}, {' - '.join(match.names)}: {match.standing}"
        items.append(_item(str(number), help=told))
    return items
