"""A match as whoever learns from it sees it: numbers in, rows of zeros and ones out. The adapters share this.

An action is the number that a move has everywhere in Parlour, and 0 is the pass. An observation is the position, told
from the side of the player to move and written as ``Encoding`` says; what was dealt stands behind it, each number in
binary.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from parlour.batch.encoding import Encoding, mask_of, spread_bits
from parlour.errors import ParlourError, TooBig
from parlour.game import NO_CAP, Game
from parlour.match import Match, Setup
from parlour.options import OptionValue, declared, left_to_chance
from parlour.rules import Rules, rules_of
from parlour.text import clip

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DEALT_BITS = 4  # of each number that was dealt: they go up to 9
RENDER_MODES = ("ansi", "rgb_array", "human")

# What becomes of an action that the rules do not allow: nothing changes, that and a bad reward, the game is lost.
Illegal = Literal["refuse", "penalty", "terminate"]
ILLEGAL = ("refuse", "penalty", "terminate")
PENALTY = -1.0


class Observer:
    """How positions of a game are seen: as a row of zeros and ones, with a row of the moves that are allowed."""

    def __init__(self, rules: Rules) -> None:
        """Of a game with everything dealt; TooBig if it need not end."""
        if rules.bounds is None:
            raise TooBig("a game that need not end is nothing to learn from; set a limit")
        self.actions = rules.bounds.moves  # are below this number
        self.encoding = Encoding.of(rules)
        self.dealt = left_to_chance(rules.game.options)  # the options that stand behind the position
        self.width = self.encoding.width + len(list(self._dealt_numbers(rules))) * DEALT_BITS

    def _dealt_numbers(self, rules: Rules) -> Iterator[int]:
        kinds = declared(rules.game.options)
        for name in self.dealt:
            yield from map(int, kinds[name].show(getattr(rules.options, name)).split(","))

    def dealt_bits(self, rules: Rules) -> int:
        """What was dealt, in the place that it has behind a position."""
        places = range(self.encoding.width, self.width, DEALT_BITS)
        return sum(number << place for number, place in zip(self._dealt_numbers(rules), places, strict=True))

    def row(self, position: tuple[int, ...], dealt_bits: int) -> NDArray[np.int8]:
        """What is seen of a position."""
        return spread_bits(self.encoding.pack(position) | dealt_bits, self.width)

    def mask(self, rules: Rules, position: Any) -> NDArray[np.int8]:
        """1 for every move that may be played, 0 for the others; all 0 when the game is over."""
        return mask_of(rules.moves(position), self.actions)


class Episode:
    """One match after another under the same options: a round each, or, if asked for, until somebody has won."""

    def __init__(self, game: str | Game, options: Mapping[str, OptionValue], *, whole_match: bool = False) -> None:
        """UnknownGame or BadOptions if there is no such game, TooBig if it need not end."""
        rules: Rules = rules_of(game, **options)
        self.setup = Setup(rules.game, rules.options, cap=NO_CAP if whole_match else 1)
        self.match: Match = Match(self.setup)
        self.observer = Observer(self.match.rules)
        self._dealt = self.observer.dealt_bits(self.match.rules)

    def begin(self, seed: object, players: tuple[str, str] | None = None) -> None:
        """A new match, with all that chance decides following from the seed as it does at the terminal."""
        self.setup = replace(self.setup, seed=str(seed), players=players or self.setup.players)
        self.match = Match(self.setup)
        self._dealt = self.observer.dealt_bits(self.match.rules)

    def play(self, action: Any) -> None:
        """Play a move, and deal the next round where one follows; MoveRefused or GameOver if it may not be played."""
        self.match.play(action)
        self.deal()

    def deal(self) -> None:
        """The next round, where the last one is drawn and another follows."""
        if self.match.between_rounds:
            self.match.next_round()
            self._dealt = self.observer.dealt_bits(self.match.rules)

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.match.outcome is not None

    def reward(self, seat: int) -> int:
        """What the match has brought a seat: 1 for a win, -1 for a loss, 0 otherwise and while it goes on."""
        outcome = self.match.outcome
        if outcome is None or outcome.winner is None:
            return 0
        return 1 if outcome.winner == seat else -1

    def observation(self) -> NDArray[np.int8]:
        """The position, told from the side of the player to move."""
        return self.observer.row(self.match.position, self._dealt)

    def mask(self) -> NDArray[np.int8]:
        """1 for every move that may be played, 0 for the others; all 0 when the match is over."""
        if self.match.resigned is not None:
            return mask_of(None, self.observer.actions)
        return self.observer.mask(self.match.rules, self.match.position)

    def render(self, mode: str | None) -> Any:
        """The table: as text (``ansi``), as an array of pixels (``rgb_array``), or printed (``human``)."""
        if mode == "rgb_array":
            from parlour.adapters.pixels import draw

            return draw(self.match.svg())
        text = str(self.match)
        if mode == "human":
            print(text)
            return None
        return text


def check_choice(name: str, given: Any, allowed: tuple[Any, ...]) -> Any:
    """What is given; ParlourError if it is none of what is allowed."""
    if isinstance(given, bool) or given not in allowed:
        raise ParlourError(f"bad {name} {clip(repr(given))}; allowed: {', '.join(map(str, allowed))}")
    return given
