"""The kinds of player besides a person: every kind of player, by the word that names it.

A kind of player is a file of this package. It is called as the kind's word begins and says in ``KINDS`` all that others
need to know; menus, help, completion, refusals, tournaments and the web follow from that. A file is read when its word
is used, or when all of them are to be listed.
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
from parlour.turn import MOST_ROUNDS, Player, finish
from parlour.view import PLAYERS, PlayerNumber

HUMAN = "human"  # chooses at the keyboard or in the browser, not here


@dataclass(frozen=True, kw_only=True, repr=False)
class PlayerKind:
    """One kind of player, and what others need to know of it; ``list_player_kinds`` has them all.

    >>> import parlour
    >>> perfect = next(kind for kind in parlour.list_player_kinds() if kind.word == "perfect")
    >>> perfect
    <PlayerKind perfect>
    >>> perfect.title, perfect.about, perfect.needs_proof
    ('Perfect', 'never goes wrong, and can prove it', True)
    """

    word: str  # the word for it: "level:3", or "mcts:SIMULATIONS" with a placeholder
    title: str  # the title in a menu: "Level 3, steady"
    about: str  # a description to follow the title: "plays any move that is allowed"
    make: Callable[[str], Player | None]  # a player, from what follows the colon; None where that will not do
    nickname: str = ""  # one word for its style of play: "steady"; often empty
    argument: str = ""  # a description of the placeholder
    place: int = 100  # the place in a list: the weakest come first
    offered: bool = True  # to people who choose an opponent
    needs_proof: bool = False  # it moves only where it can prove something, which may take long
    stand_in: str = "random"  # the word of who takes its place where it finds no move in time
    starts_program: bool = False  # of somebody's: only for whoever names it
    check_start: Callable[[str], None] = lambda argument: None  # EngineFailed if what it starts cannot be started

    def __repr__(self) -> str:
        return f"<PlayerKind {self.word}>"

    @property
    def name(self) -> str:
        """What its word begins with, up to the colon."""
        return self.word.partition(":")[0]

    @property
    def is_open(self) -> bool:
        """Something is to follow the colon."""
        return not self.word.islower()

    def is_meant_by(self, word: str) -> bool:
        """Whether a word names this kind; what follows the colon of an open one may still be wrong."""
        return word.startswith(f"{self.name}:") if self.is_open else word == self.word


def find_kind(word: str) -> PlayerKind:
    """The kind that a word names; UnknownPlayer if there is none, and for a person, who is of no kind."""
    for kind in _of_file(word.partition(":")[0]):
        if kind.is_meant_by(word):
            return kind
    raise _unknown(word)


def load(word: str) -> Player | None:
    """The player that a word names, None for a person; UnknownPlayer if there is no such kind."""
    if word == HUMAN:
        return None
    player = find_kind(word).make(word.partition(":")[2])
    if player is None:
        raise _unknown(word)
    return player


def check_start(word: str) -> None:
    """Refuse before a game begins a player that cannot begin it: UnknownPlayer, or EngineFailed of a program."""
    if load(word) is not None:
        find_kind(word).check_start(word.partition(":")[2])


def hand_over(setup: Setup[O, P], player: PlayerNumber) -> Setup[O, P]:
    """Return the set-up with the stand-in of this player's computer, for one that found no move in time."""
    return with_player(setup, player, find_kind(setup.players[player - 1]).stand_in)


def with_player(setup: Setup[O, P], player: PlayerNumber, word: str) -> Setup[O, P]:
    """Return the set-up with another word for who chooses a player's moves."""
    first, second = setup.players
    return replace(setup, players=(word, second) if player == 1 else (first, word))


def people_of(setup: Setup[O, P]) -> list[PlayerNumber]:
    """Return the players whose moves a person chooses."""
    return [player for player in PLAYERS if setup.players[player - 1] == HUMAN]


def find_player(word: str) -> Player:
    """The player that a word names: ``random``, ``level:3``, ``perfect``, ``mcts:500``, ``engine:COMMAND``.

    UnknownPlayer if there is no such kind, and for a person, who cannot be asked here.

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
        raise UnknownPlayer(f"{word!r} is a person, who cannot be asked here; known players: {known()}")
    return player


@cache
def list_player_kinds() -> tuple[PlayerKind, ...]:
    """Every kind of player, the weaker ones first.

    >>> import parlour
    >>> for kind in parlour.list_player_kinds():
    ...     if kind.word in ("random", "perfect"):
    ...         print(f"{kind.title} {kind.about}")
    Random plays any move that is allowed
    Perfect never goes wrong, and can prove it
    """
    found = [kind for name in _files() for kind in _of_file(name)]
    return tuple(sorted(found, key=lambda kind: kind.place))


def offered() -> list[PlayerKind]:
    """The kinds that people are offered as opponents, the weakest first. Each has a word of its own."""
    return [kind for kind in list_player_kinds() if kind.offered]


def known() -> str:
    """The words that name a player, to be read by people."""
    told = [HUMAN]
    for _, group in groupby(list_player_kinds(), key=lambda kind: kind.name):
        words = [kind.word for kind in group]
        told.append(words[0] if len(words) == 1 else f"{words[0]} to {words[-1]}")
    return ", ".join(told)


def starts_program(word: str) -> bool:
    """Whether a word names a player that is a program of somebody's."""
    try:
        return find_kind(word).starts_program
    except UnknownPlayer:
        return False


@cache
def _files() -> tuple[str, ...]:
    return tuple(module.name for module in iter_modules(__path__))


def _of_file(name: str) -> tuple[PlayerKind, ...]:
    """The kinds in the file of this name; none where there is no such file, or it is not a player's."""
    if name not in _files():
        return ()
    found: tuple[PlayerKind, ...] = getattr(import_module(f"{__name__}.{name}"), "KINDS", ())
    return found


def _unknown(word: str) -> UnknownPlayer:
    name = word.partition(":")[0]
    hints = [f"; {kind.argument}" for kind in _of_file(name) if kind.argument]
    # Where only what follows the colon is wrong, no other number is more likely meant than the rest.
    near = None if _of_file(name) else nearest(word, [HUMAN, *(kind.word for kind in list_player_kinds())])
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
    ``seed`` and options is as in ``new_match``; a match has its own. ``seconds`` bounds the work, beside the limit. A
    round that neither player can win any more is left if another can follow. A match without a maximum of rounds is
    undecided after 20 more. A player that chooses an illegal move forfeits, and so does an engine that fails; the
    reason is logged as a warning.

    Raises:
        UnknownPlayer: these are not two players.
        EngineFailed: the program of a player cannot be started.
        BadOptions: the options make no game, come with a match, or make a game that need not end, without ``seconds``.
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
        match.change_setup(replace(match.setup, cap=len(match.rounds) - 1 + MOST_ROUNDS))
    try:
        reason = finish(match, (one, two), work)
    except TooBig as error:
        raise (TooBig("the match was not over in time; allow more seconds") if work.time_is_up else error) from None
    finally:
        for chosen, player in zip(players, (one, two), strict=True):
            if isinstance(chosen, str):
                player.close()
    if reason:
        import logging  # few matches end so

        loser = match.names[(match.resigned or 1) - 1]
        logging.getLogger(__name__).warning("%s forfeited the match: %s", loser, reason)
    assert match.outcome is not None
    return match.outcome
