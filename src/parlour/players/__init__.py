"""Computer players: a registry of player kinds by the words that name them.

Each kind has a file in this package, named like the first part of its words. The ``KINDS`` of a file hold everything
that menus, help, completion, error messages, tournaments and the web need. A file is imported when one of its words is
used, or all kinds are listed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from itertools import groupby
from math import inf
from pkgutil import iter_modules

from parlour.errors import BadOptions, TooBig, UnknownPlayer
from parlour.game import NO_CAP, Game, P
from parlour.limit import Limit, limit_within
from parlour.match import Match, new_match
from parlour.names import DEFAULT_NAMES
from parlour.options import O, OptionValue
from parlour.outcome import Outcome
from parlour.rules import Rules
from parlour.setup import Setup
from parlour.subject import check_no_options, rules_from
from parlour.text import clip, did_you_mean, nearest
from parlour.turn import MAX_ROUNDS, Player, finish
from parlour.view import PLAYERS, PlayerNumber

HUMAN = "human"  # the word for a person at the keyboard or in the browser


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class PlayerKind:
    """One kind of player; ``list_player_kinds`` has them all.

    >>> import parlour
    >>> perfect = next(kind for kind in parlour.list_player_kinds() if kind.word == "perfect")
    >>> perfect
    <PlayerKind perfect>
    >>> perfect.title, perfect.about, perfect.needs_proof
    ('Perfect', 'never goes wrong, and can prove it', True)
    """

    word: str  # the word: "level:3", or "mcts:SIMULATIONS" with a placeholder
    title: str  # the title in a menu: "Level 3, steady"
    about: str  # a description to follow the title: "plays any move that is allowed"
    make: Callable[[str], Player | None]  # a player for the text after the colon; None if that is invalid
    nickname: str = ""  # one word for its style of play: "steady"; often empty
    argument: str = ""  # a description of the placeholder
    place: int = 100  # the place in a list: the weakest come first
    offered: bool = True  # whether menus offer it as an opponent
    needs_proof: bool = False  # whether it needs a proof for each move, which may take long
    stand_in: str = "random"  # the word of its replacement if it finds no move in time
    starts_program: bool = False  # whether it starts a program of the user's
    check_start: Callable[[str], None] = lambda argument: None  # raises EngineFailed if its program cannot be started

    def __repr__(self) -> str:
        return f"<PlayerKind {self.word}>"

    @property
    def name(self) -> str:
        """The word up to the colon."""
        return self.word.partition(":")[0]

    @property
    def is_open(self) -> bool:
        """Whether the word has a placeholder after the colon."""
        return not self.word.islower()

    def is_meant_by(self, word: str) -> bool:
        """Return whether a word names this kind; the text after the colon of an open kind may still be invalid."""
        return word.startswith(f"{self.name}:") if self.is_open else word == self.word


def find_kind(word: str) -> PlayerKind:
    """Return the kind that a word names; UnknownPlayer if there is none, and for a person."""
    for kind in _kinds_in(word.partition(":")[0]):
        if kind.is_meant_by(word):
            return kind
    raise _unknown(word)


def load(word: str) -> Player | None:
    """Return the player that a word names, None for a person; UnknownPlayer if there is no such kind."""
    if word == HUMAN:
        return None
    player = find_kind(word).make(word.partition(":")[2])
    if player is None:
        raise _unknown(word)
    return player


def check_start(word: str) -> None:
    """Check that a player can start.

    Raises:
        UnknownPlayer: the word names no player.
        EngineFailed: its program cannot be started.
    """
    if load(word) is not None:
        find_kind(word).check_start(word.partition(":")[2])


def hand_over(setup: Setup[O, P], player: PlayerNumber) -> Setup[O, P]:
    """Return the set-up with the stand-in of a computer that found no move in time."""
    return with_player(setup, player, find_kind(setup.players[player - 1]).stand_in)


def with_player(setup: Setup[O, P], player: PlayerNumber, word: str) -> Setup[O, P]:
    """Return the set-up with another kind of player on one side."""
    first, second = setup.players
    return replace(setup, players=(word, second) if player == 1 else (first, word))


def people_of(setup: Setup[O, P]) -> list[PlayerNumber]:
    """Return the players that are people."""
    return [player for player in PLAYERS if setup.players[player - 1] == HUMAN]


def find_player(word: str) -> Player:
    """Return the player that a word names: ``random``, ``level:3``, ``perfect``, ``mcts:500``, ``engine:COMMAND``.

    Raises:
        UnknownPlayer: there is no such kind, or the word means a person.

    >>> import parlour
    >>> from random import Random
    >>> match = parlour.new_match("double-up", limit=30)
    >>> match.play_line("2 3")
    >>> parlour.find_player("perfect").choose(match, Random(1))
    6
    >>> parlour.find_player("genius")
    Traceback (most recent call last):
        ...
    parlour.errors.UnknownPlayer: unknown player 'genius'; known players: human, random, ...
    """
    if not isinstance(word, str):
        raise _unknown(repr(word))
    player = load(word)
    if player is None:
        raise UnknownPlayer(f"{word!r} is a person, not a computer player; known players: {known()}")
    return player


@cache
def list_player_kinds() -> tuple[PlayerKind, ...]:
    """Return every kind of player, the weaker ones first.

    >>> import parlour
    >>> for kind in parlour.list_player_kinds():
    ...     if kind.word in ("random", "perfect"):
    ...         print(f"{kind.title} {kind.about}")
    Random plays any move that is allowed
    Perfect never goes wrong, and can prove it
    """
    found = [kind for name in _files() for kind in _kinds_in(name)]
    return tuple(sorted(found, key=lambda kind: kind.place))


def offered() -> list[PlayerKind]:
    """Return the kinds that are offered as opponents, the weakest first."""
    return [kind for kind in list_player_kinds() if kind.offered]


def known() -> str:
    """Return the words that name players, as text."""
    listed = [HUMAN]
    for _, group in groupby(list_player_kinds(), key=lambda kind: kind.name):
        words = [kind.word for kind in group]
        listed.append(words[0] if len(words) == 1 else f"{words[0]} to {words[-1]}")
    return ", ".join(listed)


def starts_program(word: str) -> bool:
    """Return whether a word names a player that starts a program of the user's."""
    try:
        return find_kind(word).starts_program
    except UnknownPlayer:
        return False


@cache
def _files() -> tuple[str, ...]:
    return tuple(module.name for module in iter_modules(__path__))


def _kinds_in(name: str) -> tuple[PlayerKind, ...]:
    """Return the kinds in a file of this package; none if there is no such file."""
    if name not in _files():
        return ()
    found: tuple[PlayerKind, ...] = getattr(import_module(f"{__name__}.{name}"), "KINDS", ())
    return found


def _unknown(word: str) -> UnknownPlayer:
    name = word.partition(":")[0]
    hints = [f"; {kind.argument}" for kind in _kinds_in(name) if kind.argument]
    # A known name with invalid text after the colon gets no suggestion.
    near = None if _kinds_in(name) else nearest(word, [HUMAN, *(kind.word for kind in list_player_kinds())])
    return UnknownPlayer(f"unknown player {clip(word)!r}{did_you_mean(near)}; known players: {known()}{''.join(hints)}")


def play_out(
    what: str | Game[O, P] | Rules[O, P] | Match[O, P],
    players: Sequence[str | Player],
    limit: Limit | None = None,
    /,
    *,
    seconds: float | None = None,
    names: tuple[str, str] | list[str] | None = None,
    first: PlayerNumber | None = None,
    seed: int | str | None = None,
    **options: OptionValue,
) -> Outcome:
    """Let two players finish a match, or play a new one, and return its outcome.

    Players are words as in ``find_player``, or have the methods of ``Player``. A game with ``names``, ``first``,
    ``seed`` and options is as in ``new_match``; a match has its own. ``seconds`` and the limit bound the work. A round
    that neither player can win any more is left if another can follow. A match without a maximum of rounds is undecided
    after 20 more. A player that chooses an illegal move forfeits, and so does an engine that fails; the reason is
    logged as a warning.

    Raises:
        UnknownPlayer: there are not exactly two players.
        EngineFailed: the program of a player cannot be started.
        BadOptions: the options make no game, come with a match, or make an endless game, without ``seconds``.
        TooBig, Cancelled: the limit is used up before the end. The moves that were made stay in a given match.

    >>> import parlour
    >>> match = parlour.new_match("double-up", limit=30)
    >>> parlour.play_out(match, ["perfect", "random"])
    Outcome(winner=1, how=<Termination.WON: 'won'>)
    >>> parlour.play_out("double-up", ["random", "perfect"], limit=30).winner
    2
    """
    if not isinstance(players, Sequence) or isinstance(players, str) or len(players) != 2:
        raise UnknownPlayer(f"two players are needed, not {clip(repr(players))}")
    for word in players:
        if isinstance(word, str):
            check_start(word)
    one, two = (find_player(player) if isinstance(player, str) else player for player in players)
    given = {"names": names, "first": first, "seed": seed}
    if isinstance(what, Match):
        check_no_options({**{name: value for name, value in given.items() if value is not None}, **options})
        match = what
    else:
        rules = rules_from(what, options)
        names, first = DEFAULT_NAMES if names is None else names, 1 if first is None else first
        match = new_match(rules, names=names, first=first, seed=seed)
    work = limit_within(limit, seconds)
    if match.outcome is None and match.rules.bounds is None and work.seconds_left == inf:
        raise BadOptions("two computers would never finish this game; choose options with an end, or give seconds")
    if match.setup.cap is None and match.rules.max_rounds == NO_CAP:
        match.change_setup(replace(match.setup, cap=len(match.rounds) - 1 + MAX_ROUNDS))
    try:
        reason = finish(match, (one, two), work)
    except TooBig as error:
        raise (TooBig("the match was not over in time; allow more seconds") if work.time_is_up else error) from None
    finally:
        for chosen, player in zip(players, (one, two), strict=True):
            if isinstance(chosen, str):
                player.close()
    if reason:
        import logging  # rarely needed

        loser = match.names[(match.resigned or 1) - 1]
        logging.getLogger(__name__).warning("%s forfeited the match: %s", loser, reason)
    assert match.outcome is not None
    return match.outcome
