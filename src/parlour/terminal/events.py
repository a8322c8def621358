"""The events of a match at a terminal, and the renderers that show them.

An event holds only facts that can't be read from the match. There are three renderers: ``book`` writes the rule book's
lines to a pipe, ``drawn`` draws the board for people, ``json_lines`` writes the documents of ``documents.events``.
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
    """The beginning of a round."""

    number: int | None  # the number of the saved game; None if it isn't saved, and in further rounds


class Resumed(NamedTuple):
    """The continuation of a saved match."""

    number: int


class Chose(NamedTuple):
    """A computer's choice of a move; ``Played`` follows."""

    before: Moment


class Played:
    """A move or a pass, already saved."""


class TookBack(NamedTuple):
    """An undo."""

    moves: list[str]


class PlayedAgain(NamedTuple):
    """A redo."""

    moves: list[str]


class Refused(NamedTuple):
    """The refusal of a typed text."""

    text: str
    error: ParlourError


class Hinted(NamedTuple):
    """A hint, or the value of a move."""

    hint: Hint | Reason


class Remarked(NamedTuple):
    """A text that is not part of the game."""

    text: str


class BoardShown:
    """A request to see the board."""


class RoundEnded:
    """The end of a round without a winner; another follows."""


class Ended(NamedTuple):
    """The end of the match."""

    outcome: Outcome


Event = (
    Dealt | Resumed | Chose | Played | TookBack | PlayedAgain | Refused | Hinted | Remarked | BoardShown | RoundEnded
    | Ended
)  # fmt: skip


class Renderer(Protocol):
    """A display of a match and its events."""

    confirms_pass: bool  # whether a person who can only pass is asked to confirm it

    def viewer(self, match: Match) -> Viewer:
        """Return the names to show for the players."""
        ...

    def show(self, event: Event, match: Match) -> None:
        """Show what has just happened in a match."""
        ...

    def prompt(self, match: Match, again: bool) -> str:
        """Show the question for a move and return the prompt; ``again``: the last answer was not a move."""
        ...

    def thinking(self, match: Match) -> AbstractContextManager[None]:
        """Show that a computer is searching while the block runs."""
        ...
