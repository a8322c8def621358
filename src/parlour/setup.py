"""The set-up of a match, fixed before the first move: rules, players, names and seed."""

from __future__ import annotations

from dataclasses import dataclass
from time import time
from typing import TYPE_CHECKING, Any, Generic

from parlour.arguments import as_index, seed_text, whole_number
from parlour.errors import BadArgument
from parlour.game import Game, P
from parlour.names import DEFAULT_NAMES, check_names, pair_of
from parlour.options import O
from parlour.pickles import upgrade_setup
from parlour.rules import Rules, as_rules
from parlour.text import clip
from parlour.view import PLAYERS, PlayerNumber
from parlour.writer import utc

if TYPE_CHECKING:
    from random import Random

DEFAULT_PLAYERS = ("human", "human")


def new_date() -> str:
    """Return the current time in the format of a record."""
    return utc(time())


@dataclass(frozen=True)
class Setup(Generic[O, P]):
    """The agreement before the first move: rules, players, names, seed. BadOptions or BadName if it is invalid.

    Most matches begin with ``new_match``; a set-up can also say who chooses the moves, and bound the rounds.

    >>> import parlour
    >>> rules = parlour.rules_of("sequence-spot")
    >>> setup = parlour.Setup(rules, players=("human", "perfect"), cap=3)
    >>> parlour.Match(setup)
    <Match of Sequence Spot: Player 1 - Player 2, 0 moves, Player 1 to move>
    """

    rules: Rules[O, P]  # the game under the chosen options; each round has its own deal
    names: tuple[str, str] = DEFAULT_NAMES  # the names of player 1 and player 2
    players: tuple[str, str] = DEFAULT_PLAYERS  # the kind of each player: "human", "level:3", ...
    first: PlayerNumber = 1  # the player who begins
    seed: str = "0"  # the seed of every deal and every random choice
    cap: int | None = None  # the maximum number of rounds, in addition to the game's own; None: no other
    date: str = ""  # the start time, in the format of a record
    strict: bool = False  # whether a session at the terminal offers no hints and no undo

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", as_rules(self.rules))  # may be a game or its name
        object.__setattr__(self, "names", pair_of(self.names))
        check_names(self.names)
        object.__setattr__(self, "first", player_number(self.first))
        if self.cap is not None:
            object.__setattr__(self, "cap", whole_number("number of rounds", self.cap, 1))
        object.__setattr__(self, "seed", seed_text(self.seed))
        if not (isinstance(self.players, tuple | list) and list(map(type, self.players)) == [str, str]):
            raise BadArgument(f"bad players {clip(repr(self.players))}; give two words, like {DEFAULT_PLAYERS}")
        object.__setattr__(self, "players", tuple(self.players))
        if not isinstance(self.strict, bool):
            raise BadArgument(f"bad strict {clip(repr(self.strict))}; give True or False")
        if not isinstance(self.date, str):
            raise BadArgument(f"bad date {clip(repr(self.date))}; give a text")

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state if "rules" in state else upgrade_setup(state))

    @property
    def game(self) -> Game[O, P]:
        """The game that is played."""
        return self.rules.game

    @property
    def options(self) -> O:
        """The options as chosen."""
        return self.rules.options

    def random(self, *purpose: object) -> Random:
        """Return the random generator for a purpose; the same purpose gives the same generator."""
        from random import Random  # not needed before the first prompt of most games

        return Random(" ".join(map(str, (self.seed, *purpose))))


def player_number(given: object) -> PlayerNumber:
    """Return the number of a player; BadArgument if there is no such player."""
    number = as_index(given)
    if number not in PLAYERS:
        raise BadArgument(f"there is no player {clip(repr(given))}; 1 or 2")
    return number
