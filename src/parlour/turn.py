"""Turns of a match: ``take_turn`` plays one, ``turns`` iterates over them, and ``finish`` plays the rest of a match."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, runtime_checkable

from parlour.errors import EngineFailed, GameOver, MoveRefused, UnknownPlayer
from parlour.game import PASS, P
from parlour.limit import Limit, limit_of
from parlour.match import Action, Match, check_match
from parlour.options import O
from parlour.text import clip
from parlour.view import PlayerNumber

if TYPE_CHECKING:
    from random import Random


MAX_ROUNDS = 20  # the default for matches between computers, which could draw endlessly


class Resigned(Exception):
    """The resignation of a player; ``choose`` raises it instead of returning a move.

    >>> import parlour
    >>> class Timid:
    ...     def choose(self, match, random, limit=None):
    ...         raise parlour.Resigned
    >>> match = parlour.new_match("double-up", names=("Ann", "Ben"))
    >>> turn = parlour.take_turn(match, Timid())
    >>> match.standing
    'Ben won by resignation'
    """


@runtime_checkable
class Player(Protocol):
    """A chooser of moves: any object with these two methods; ``isinstance`` checks for both.

    >>> import parlour
    >>> class Highest:
    ...     def choose(self, match, random, limit=None):
    ...         return match.legal_moves[-1]
    ...     def close(self):
    ...         pass
    >>> match = parlour.new_match("double-up", limit=30)
    >>> parlour.play_out(match, [Highest(), Highest()]).winner
    1
    >>> match.round.moves
    [2, 4, 8, 16, 30]
    """

    def choose(self, match: Match[O, P], random: Random, limit: Limit | None = None) -> int:
        """Return a legal move.

        Take all random numbers from ``random``. Without a limit a player may take as long as it needs.

        Raises:
            Resigned: the player gives up.
            EngineFailed: the player's program failed.
            TooBig, Cancelled: the player found no move within the limit.
            GameOver: the match, or its round, is over.
        """
        ...

    def close(self) -> None:
        """Release the player's resources after the match."""
        ...


class Turn(NamedTuple, Generic[O]):
    """A turn of a match; ``take_turn`` returns one.

    >>> import parlour
    >>> match = parlour.new_match("double-up")
    >>> action, reason = parlour.take_turn(match, parlour.find_player("random"))
    >>> action.kind, action.move, reason
    ('move', 2, '')
    """

    action: Action[O]  # the action taken
    reason: str = ""  # the reason for a forfeit; empty without one


def take_turn(match: Match[O, P], player: Player, limit: Limit | None = None) -> Turn[O]:
    """Play the turn of a player; a forced pass is played without calling ``choose``.

    A player that resigns, chooses an illegal move or is a failing engine loses the match.

    Raises:
        BadArgument: this is not a match, or not a limit.
        GameOver: the match, or its round, is over.
        UnknownPlayer: the player has no method ``choose``, or not one that takes a match, ``random`` and a limit.
        TooBig, Cancelled: the player found no move within the limit. Nothing has been done.

    >>> import parlour
    >>> class Wrong:
    ...     def choose(self, match, random, limit=None):
    ...         return 7
    >>> match = parlour.new_match("double-up", names=("Ann", "Ben"))
    >>> parlour.take_turn(match, Wrong()).reason
    "illegal move '7': 7 is more than 2, the double of 1; legal: 2"
    >>> match.standing
    'Ben won by forfeit'
    """
    check_players(player)
    check_turn(match)
    limit = None if limit is None else limit_of(limit)
    if match.stuck:
        return Turn(match.play(PASS))
    try:
        chosen = _chosen(player, match, limit)
        return Turn(match.play(chosen))
    except Resigned:
        return Turn(match.resign(match.turn))
    except (EngineFailed, MoveRefused) as error:
        return Turn(match.resign(match.turn, forfeit=True), str(error))


def _chosen(player: Player, match: Match[O, P], limit: Limit | None) -> int:
    try:
        return player.choose(match, chance(match), limit)
    except TypeError as error:
        if error.__traceback__ is not None and error.__traceback__.tb_next is None:  # raised by the call itself
            kind = type(player).__name__
            raise UnknownPlayer(
                f"a player's method is choose(match, random, limit=None), and that of {clip(kind)} is not: "
                f"{clip(str(error))}"
            ) from None
        raise


def check_turn(match: Match[O, P]) -> None:
    """Check that a match waits for a move.

    Raises:
        BadArgument: this is not a match.
        GameOver: the match, or its round, is over.
    """
    check_match(match)
    if match.resigned is not None or match.rules.moves(match.position) is None:
        again = "; next_round deals the next" if match.between_rounds else ""
        raise GameOver(f"the {'round' if again else 'game'} is over: no move can be chosen{again}")


def chance(match: Match[O, P]) -> Random:
    """Return the random generator of the next turn, which depends on the seed, the turn and the kind of player."""
    word = match.setup.players[match.turn - 1]
    return match.setup.random("move", len(match.rounds), len(match.round.moves), word)


def finish(match: Match[O, P], players: Sequence[Player], limit: Limit | None = None) -> str:
    """Play the rest of a match, and return the reason for a forfeit; empty without one.

    A round that neither player can win is skipped if another can follow.

    Raises:
        UnknownPlayer: these are not two players.
        TooBig, Cancelled: the limit is used up before the end.
    """
    if len(players) != 2:
        raise UnknownPlayer(f"two players are needed, not {clip(repr(players))}")
    check_players(*players)
    reason = ""
    for turn in turns(check_match(match), match.next_round):
        if limit is not None:
            limit.check()
        if match.rules.settled(match.position) and not match.last_round:
            match.next_round()
        else:
            reason = take_turn(match, players[turn - 1], limit).reason
    return reason


def turns(match: Match[O, P], next_round: Callable[[], object]) -> Iterator[PlayerNumber]:
    """Yield the player to move until the match is over. The caller must act before the next iteration.

    ``next_round`` deals the round that follows a drawn one.
    """
    while match.outcome is None:
        if match.between_rounds:
            next_round()
        else:
            yield match.turn


def check_players(*players: Player) -> None:
    """Raise UnknownPlayer if an object is not a player."""
    for player in players:
        try:
            chooses = callable(player.choose)
        except AttributeError:
            chooses = False
        if not chooses:
            raise UnknownPlayer(f"a player is needed, not {clip(repr(player))}; find_player finds one by its word")
