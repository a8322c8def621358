"""Arguments that select a game or match: a name, a ``Game``, ``Rules`` or a ``Match``, with options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from parlour.errors import BadOptions, GameOver
from parlour.game import Game, Move, P
from parlour.limit import Limit
from parlour.match import Match
from parlour.options import O, OptionValue
from parlour.rules import Rules, as_rules
from parlour.text import clip


def rules_from(game: str | Game[O, P] | Rules[O, P], options: Mapping[str, OptionValue]) -> Rules[O, P]:
    """Return rules as ``as_rules`` does, for functions that take a positional limit and options as keywords.

    Raises:
        UnknownGame: there is no such game.
        BadOptions: these options make no game, or one of them is a ``Limit``.
    """
    for name, value in options.items():
        if isinstance(value, Limit):
            raise BadOptions(
                f"bad {name} {clip(repr(value))}; keywords are options of the game: "
                "give the Limit by position, after the game"
            )
    return as_rules(game, options)


def rules_and_moves(
    what: str | Game[O, P] | Rules[O, P] | Match[O, P], options: Mapping[str, OptionValue]
) -> tuple[Rules[O, P], Sequence[Move]]:
    """Return the rules of a game or match, and the moves played in the present round.

    Raises:
        UnknownGame: there is no such game.
        BadOptions: these options make no game, or were given with a match.
        GameOver: a player of the match has resigned.
    """
    if not isinstance(what, Match):
        return rules_from(what, options), ()
    check_no_options(options)
    if what.resigned is not None:
        raise GameOver(f"the game is over: {what.standing}; undo the resignation, or give match.rules")
    return what.rules, what.round.moves


def check_no_options(options: Mapping[str, Any]) -> None:
    """Raise BadOptions if options were given with a match."""
    if options:
        name = next(iter(options))
        raise BadOptions(
            f"a match has been set up already, so {clip(repr(name))} cannot change; "
            "to begin another game, give match.rules with the option"
        )
