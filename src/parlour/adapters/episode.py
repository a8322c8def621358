"""A match as whoever learns from it sees it: numbers in, rows of zeros and ones out. The adapters share this.

An action is the number that a move has everywhere in Parlour, and 0 is the pass. An observation is the position, told
from the side of the player to move and written as ``Encoding`` says; behind it stands what chance has dealt, each
number in binary.
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

DEALT_BITS = 4  # of each number that was dealt: they go up to 9
RENDER_MODES = ("ansi", "rgb_array", "human")

# What becomes of an action that the rules do not allow: nothing changes, that and a bad reward, the game is lost.
Illegal = Literal["refuse", "penalty", "terminate"]
ILLEGAL = ("refuse", "penalty", "terminate")
PENALTY = -1.0

# An episode is truncated after this many steps for each ply of the longest game: refused actions count, so that a
# policy that repeats one comes to an end, and a game without any is over long before.
STEPS_PER_PLY = 4
UNLIMITED_ROUNDS = 100  # rounds of a match without a limit on them, as far as truncation is concerned


class Observer:
    """How positions of a game are seen: as rows of zeros and ones."""

    def __init__(self, chosen: Rules, dealt: Rules) -> None:
        """Of a game as it was chosen, and with everything dealt; TooBig if it need not end."""
        if dealt.bounds is None:
            raise TooBig("a game that need not end is nothing to learn from; set a limit")
        self.actions = dealt.bounds.moves  # are below this number
        self.max_steps = STEPS_PER_PLY * dealt.bounds.plies  # maximum steps of an episode of one round
        self.encoding = Encoding.of(dealt)
        self.left_to_chance = [  # the options that stand behind the position
            name for name in left_to_chance(chosen.game.options) if not getattr(chosen.options, name)
        ]
        self.width = self.encoding.width + len(list(self._dealt_numbers(dealt))) * DEALT_BITS

    def _dealt_numbers(self, rules: Rules) -> Iterator[int]:
        kinds = declared(rules.game.options)
        for name in self.left_to_chance:
            yield from map(int, kinds[name].show(getattr(rules.packed, name)).split(","))

    def dealt_bits(self, rules: Rules) -> int:
        """What was dealt, in the place that it has behind a position."""
        if not self.left_to_chance:
            return 0
        places = range(self.encoding.width, self.width, DEALT_BITS)
        return sum(number << place for number, place in zip(self._dealt_numbers(rules), places, strict=True))

    def row(self, position: tuple[int, ...], dealt_bits: int) -> NDArray[np.int8]:
        """What is seen of a position."""
        return spread_bits(self.encoding.pack(position) | dealt_bits, self.width)


class Episode:
    """One match after another under the same options: a round each, or, if asked for, until somebody has won."""

    def __init__(self, game: str | Game, options: Mapping[str, OptionValue], *, whole_match: bool = False) -> None:
        """UnknownGame or BadOptions if there is no such game, TooBig if it need not end."""
        rules: Rules = rules_of(game, **options)
        self.setup: Setup = Setup(rules, cap=None if whole_match else 1)
        self.match: Match = Match(self.setup)
        self.observer = Observer(rules, self.match.rules)
        self.outcome: Outcome | None = None  # how the match ended
        rounds = self.match.rules.max_rounds if whole_match else 1
        self.max_steps = self.observer.max_steps * (UNLIMITED_ROUNDS if rounds == NO_CAP else rounds or 1)
        self._dealt = self.observer.dealt_bits(self.match.rules)
        self._many_rounds = whole_match
        self._seed, self._since = new_seed(), 0

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.outcome = self.match.outcome  # a pickle from before version 0.2 has the number of a seat in it

    def begin(self, seed: int | None, players: tuple[str, str] = DEFAULT_PLAYERS) -> None:
        """A new match, with all that chance decides following from the seed as it does at the terminal.

        Without one it follows from the last seed, and from how many matches have begun since.
        """
        self._seed, self._since = (self._seed, self._since + 1) if seed is None else (str(seed), 0)
        self.match = Match(
            replace(self.setup, seed=f"{self._seed}+{self._since}" if self._since else self._seed, players=players)
        )
        self.outcome = None
        self._dealt = self.observer.dealt_bits(self.match.rules)

    def play(self, action: Any) -> None:
        """Play a move; MoveRefused or GameOver if it may not be played, and then nothing has changed."""
        match = self.match
        if isinstance(action, str):
            legal = match.rules.spell(match.legal_moves)
            raise UnreadableMove(f"unreadable move {clip(repr(action))}", "an action is a whole number", legal)
        match.play(action)
        self._look()

    def reply(self, player: Player) -> None:
        """Let a player move, who loses by choosing what may not be played."""
        take_turn(self.match, player)
        self._look()

    def forfeit(self) -> None:
        """The player to move has lost."""
        self.match.resign(self.match.turn, forfeit=True)
        self._look()

    def _look(self) -> None:
        """See how the match stands now, and deal the next round where the last one is drawn and another follows."""
        self.outcome = self.match.outcome
        if self._many_rounds and self.match.between_rounds:
            self.match.next_round()
            self._dealt = self.observer.dealt_bits(self.match.rules)

    def reward(self, player: PlayerNumber) -> int:
        """What the match has brought a player: 1 for a win, -1 for a loss, 0 otherwise and while it is in progress."""
        if self.outcome is None or self.outcome.winner is None:
            return 0
        return 1 if self.outcome.winner == player else -1

    def seen(self) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
        """Return the position, as the player to move sees it, and a mask with a 1 for every legal move.

        When the match is over, the mask allows the pass alone: a vector environment of Gymnasium that resets in the
        next step still expects an action, which it ignores, and a policy can't sample from a mask of zeros.
        """
        observer, round = self.observer, self.match.rounds[-1]
        position = round.positions[-1]
        moves = None if self.outcome else round.rules.moves(position)
        allowed = 1 << PASS if moves is None else mask_bits(moves)
        bits = observer.encoding.pack(position) | self._dealt | allowed << observer.width
        both = spread_bits(bits, observer.width + observer.actions)  # in one go, which takes half the time
        return both[: observer.width], both[observer.width :]

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


def environment_id(game: Game) -> str:
    """What a game is registered as: ``parlour/DoubleUp-v0``."""
    return f"parlour/{game.title.replace(' ', '')}-v{game.version - 1}"
