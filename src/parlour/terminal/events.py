"""The events of a match at a terminal, and the renderers that show them.

An event holds what the match itself does not tell. There are three renderers: ``book`` writes the rule book's lines to
a pipe, ``drawn`` draws the board for people, ``json_lines`` writes the documents of ``documents.events``.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, NamedTuple, Protocol

from parlour.errors import ParlourError
from parlour.game import Moment
from parlour.match import Match
from parlour.outcome import Outcome
from parlour.terminal.narration import Viewer

if TYPE_CHECKING:
    from parlour.study.hints import Hint, Reason


class Dealt(NamedTuple):
    """A round begins."""

    number: int | None  # the number of the saved game; None if it isn't saved, and in further rounds


class Resumed(NamedTuple):
    """A saved match continues."""

    number: int


class Chose(NamedTuple):
    """A computer has chosen a move; ``Played`` follows."""

    before: Moment


class Played:
    """A move or a pass was made and saved."""


class TookBack(NamedTuple):
    """Moves were undone."""

    moves: list[str]


class PlayedAgain(NamedTuple):
    """Undone moves were redone."""

    moves: list[str]


class Refused(NamedTuple):
    """A typed text was refused."""

    text: str
    error: ParlourError


class Hinted(NamedTuple):
    """A hint was given, or the value of a move."""

    hint: Hint | Reason


class Remarked(NamedTuple):
    """A text that is not part of the game."""

    text: str


class BoardShown:
    """The player wants to see the board."""


class RoundEnded:
    """A round ended without a winner; another follows."""


class Ended(NamedTuple):
    """The match is over."""

    outcome: Outcome


Event = (
    Dealt | Resumed | Chose | Played | TookBack | PlayedAgain | Refused | Hinted | Remarked | BoardShown | RoundEnded
    | Ended
)  # fmt: skip


class Renderer(Protocol):
    """Shows a match and its events."""

    confirms_pass: bool  # whether a person who can only pass is asked to confirm it

    def viewer(self, match: Match) -> Viewer:
        """Return the names the players are shown with."""
        ...

    def show(self, event: Event, match: Match) -> None:
        """Show what has just happened in a match."""
        ...

    def prompt(self, match: Match, again: bool) -> str:
        """Ask the person to move, and return the prompt; ``again``: the last answer was no move."""
        ...

    def thinking(self, match: Match) -> AbstractContextManager[None]:
        """Show that a computer is searching, until the block is left."""
        ...
