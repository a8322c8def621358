"""The game or match that a public function is about, and the bounds of its work.

Functions that answer about "a game or a match" take a name, a ``Game``, ``Rules`` or a ``Match``, and bound their work
by a ``Limit`` and by ``seconds``. This module reads all of these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from parlour.arguments import as_index
from parlour.errors import BadArgument, BadOptions, GameOver
from parlour.game import Game, Move, P
from parlour.limit import Limit, limit_within
from parlour.match import Match
from parlour.options import O, OptionValue
from parlour.rules import Rules, as_rules
from parlour.text import clip

UNBOUNDED = 1e9  # seconds, 31 years: JSON has no infinity


def check_seconds(seconds: float | None) -> float:
    """Return a number of seconds, ``UNBOUNDED`` for None.

    Raises:
        BadArgument: this is not a number, or negative.
    """
    Limit(seconds)  # raises the errors
    return UNBOUNDED if seconds is None else min(seconds, UNBOUNDED)


def work_limit(limit: object, seconds: float | None = None) -> Limit:
    """Return the limit for a piece of work: at most ``seconds``, within the given limit if there is one.

    Raises:
        BadArgument: the limit is not a ``Limit``, or the seconds are not a number or negative.
    """
    Limit(seconds)  # part() would accept negative ones
    if limit is None or isinstance(limit, Limit):
        return limit_within(limit, seconds)
    hint = ""
    if isinstance(limit, str) or as_index(limit) is not None:
        hint = f"; an option called limit is given with rules_of, as rules_of(game, limit={clip(repr(limit))})"
    raise BadArgument(f"a limit is needed, not {clip(repr(limit))}; like Limit(seconds=10){hint}")


def rules_from(game: str | Game[O, P] | Rules[O, P], options: Mapping[str, OptionValue]) -> Rules[O, P]:
    """Return rules as ``as_rules`` does, for functions whose limit is positional and whose keywords are options.

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
        BadOptions: these options make no game, or come with a match, which has its own.
        GameOver: a player of the match has resigned.
    """
    if not isinstance(what, Match):
        return rules_from(what, options), ()
    check_no_options(options)
    if what.resigned is not None:
        raise GameOver(f"the game is over: {what.standing}; undo the resignation, or give match.rules")
    return what.rules, what.round.moves


def check_no_options(options: Mapping[str, Any]) -> None:
    """Refuse options that come with a match.

    Raises:
        BadOptions: there are some.
    """
    if options:
        name = next(iter(options))
        raise BadOptions(
            f"a match has been set up already, so {clip(repr(name))} cannot change; "
            "to begin another game, give match.rules with the option"
        )


def check_move(rules: Rules[O, P], position: P, move: int | str) -> Move:
    """Return a legal move that is given as a number or a text, as ``Match.check_move`` does.

    Raises:
        UnreadableMove, IllegalMove, GameOver: it may not be played.
    """
    if isinstance(move, str):
        rules.check_digits(position, move)
        return rules.read(position, move)
    return rules.check_move(position, move)
