"""Episodes for the adapters: integer actions in, bit vectors out.

An action is the number of a move, and 0 is the pass. An observation is the position from the perspective of the player
to move, in the format of ``Encoding``, followed by the numbers that were dealt, in binary.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from parlour.batch.encoding import Encoding, mask_bits, spread_bits
from parlour.errors import TooBig, UnreadableMove
from parlour.game import NO_CAP, PASS, Game
from parlour.match import Match
from parlour.options import OptionValue, declared, left_to_chance
from parlour.outcome import Outcome
from parlour.rules import Rules, rules_of
from parlour.secrets import new_seed
from parlour.setup import DEFAULT_PLAYERS, Setup
from parlour.text import clip
from parlour.turn import Player, take_turn
from parlour.view import PlayerNumber

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DEALT_BITS = 4  # for each dealt number, from 1 to 9
RENDER_MODES = ("ansi", "rgb_array", "human")

# After an illegal action: nothing changes; nothing changes, with a penalty; the game is lost.
Illegal = Literal["refuse", "penalty", "terminate"]
ILLEGAL = ("refuse", "penalty", "terminate")
PENALTY = -1.0

# An episode is truncated after this number of steps for each ply of the longest game. Refused actions count, so that a
# policy that repeats one comes to an end; other games end long before.
STEPS_PER_PLY = 4
UNLIMITED_ROUNDS = 100  # rounds before truncation if their number is unlimited


class Observer:
    """The encoding of positions as bit vectors."""

    def __init__(self, chosen: Rules, dealt: Rules) -> None:
        """Create the encoding of the ``chosen`` rules, given the same with everything dealt.

        Raises:
            TooBig: the game need not end.
        """
        if dealt.bounds is None:
            raise TooBig("a game that need not end has no episodes; set a limit")
        self.actions = dealt.bounds.moves  # the number of actions
        self.max_steps = STEPS_PER_PLY * dealt.bounds.plies  # maximum steps of an episode of one round
        self.encoding = Encoding.of(dealt)
        self.left_to_chance = [  # the options that follow the position
            name for name in left_to_chance(chosen.game.options) if not getattr(chosen.options, name)
        ]
        self.width = self.encoding.width + len(list(self._dealt_numbers(dealt))) * DEALT_BITS

    def _dealt_numbers(self, rules: Rules) -> Iterator[int]:
        kinds = declared(rules.game.options)
        for name in self.left_to_chance:
            yield from map(int, kinds[name].show(getattr(rules.packed, name)).split(","))

    def dealt_bits(self, rules: Rules) -> int:
        """Return the dealt numbers, shifted to their place after the position."""
        if not self.left_to_chance:
            return 0
        places = range(self.encoding.width, self.width, DEALT_BITS)
        return sum(number << place for number, place in zip(self._dealt_numbers(rules), places, strict=True))

    def row(self, position: tuple[int, ...], dealt_bits: int) -> NDArray[np.int8]:
        """Return the observation of a position."""
        return spread_bits(self.encoding.pack(position) | dealt_bits, self.width)


class Episode:
    """A sequence of matches with the same options, each of one round or, with ``whole_match``, until a player wins."""

    def __init__(self, game: str | Game, options: Mapping[str, OptionValue], *, whole_match: bool = False) -> None:
        """Create the first match.

        Raises:
            UnknownGame, BadOptions: there is no such game.
            TooBig: the game need not end.
        """
        rules: Rules = rules_of(game, **options)
        self.setup: Setup = Setup(rules, cap=None if whole_match else 1)
        self.match: Match = Match(self.setup)
        self.observer = Observer(rules, self.match.rules)
        self.outcome: Outcome | None = None
        rounds = self.match.rules.max_rounds if whole_match else 1
        self.max_steps = self.observer.max_steps * (UNLIMITED_ROUNDS if rounds == NO_CAP else rounds or 1)
        self._dealt = self.observer.dealt_bits(self.match.rules)
        self._many_rounds = whole_match
        self._seed, self._since = new_seed(), 0

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.outcome = self.match.outcome  # pickles before version 0.2 have the number of a seat

    def begin(self, seed: int | None, players: tuple[str, str] = DEFAULT_PLAYERS) -> None:
        """Start a new match. A seed determines the same deals and choices as everywhere in Parlour.

        Without one, they follow from the last seed and the number of matches since.
        """
        self._seed, self._since = (self._seed, self._since + 1) if seed is None else (str(seed), 0)
        self.match = Match(
            replace(self.setup, seed=f"{self._seed}+{self._since}" if self._since else self._seed, players=players)
        )
        self.outcome = None
        self._dealt = self.observer.dealt_bits(self.match.rules)

    def play(self, action: Any) -> None:
        """Play a move.

        Raises:
            MoveRefused, GameOver: the move is not allowed; nothing has changed.
        """
        match = self.match
        if isinstance(action, str):
            legal = match.rules.spell(match.legal_moves)
            raise UnreadableMove(f"unreadable move {clip(repr(action))}", "an action is a whole number", legal)
        match.play(action)
        self._update()

    def reply(self, player: Player) -> None:
        """Let a player move. An illegal choice loses the match."""
        take_turn(self.match, player)
        self._update()

    def forfeit(self) -> None:
        """Forfeit the match for the player to move."""
        self.match.resign(self.match.turn, forfeit=True)
        self._update()

    def _update(self) -> None:
        """Update the outcome, and deal the next round after a drawn one."""
        self.outcome = self.match.outcome
        if self._many_rounds and self.match.between_rounds:
            self.match.next_round()
            self._dealt = self.observer.dealt_bits(self.match.rules)

    def reward(self, player: PlayerNumber) -> int:
        """Return a player's reward: 1 for a win, -1 for a loss, 0 otherwise."""
        if self.outcome is None or self.outcome.winner is None:
            return 0
        return 1 if self.outcome.winner == player else -1

    def seen(self) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
        """Return the observation of the player to move, and a mask with a 1 for every legal move.

        When the match is over, the mask allows only the pass: a vector environment of Gymnasium that resets in the next
        step still expects an action, which it ignores, and a policy can't sample from a mask of zeros.
        """
        observer, round = self.observer, self.match.rounds[-1]
        position = round.positions[-1]
        moves = None if self.outcome else round.rules.moves(position)
        allowed = 1 << PASS if moves is None else mask_bits(moves)
        bits = observer.encoding.pack(position) | self._dealt | allowed << observer.width
        both = spread_bits(bits, observer.width + observer.actions)  # one call takes half the time of two
        return both[: observer.width], both[observer.width :]

    def render(self, mode: str | None) -> Any:
        """Return the board as text (``ansi``) or as an array of pixels (``rgb_array``), or print it (``human``)."""
        if mode == "rgb_array":
            from parlour.adapters.pixels import draw

            return draw(self.match.svg())
        text = str(self.match)
        if mode == "human":
            print(text)
            return None
        return text


def environment_id(game: Game) -> str:
    """Return the ID of a game's environment, such as ``parlour/DoubleUp-v0``."""
    return f"parlour/{game.title.replace(' ', '')}-v{game.version - 1}"
