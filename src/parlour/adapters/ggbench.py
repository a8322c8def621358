"""gg-bench: environments with the class interface of its harness, by our rules. Needs the extra ``rl``.

A file of its ``data/envs`` becomes two lines::

    from parlour.adapters.ggbench import custom_env

    CustomEnv = custom_env("double-up", limit=1000)

``docs/gg-bench.md`` tells where its own environments differ from the rules they are described by.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from parlour.adapters.episode import Episode
from parlour.errors import MissingExtra, MoveRefused
from parlour.rules import Rules, rules_of

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces
except ImportError as missing:
    raise MissingExtra("this adapter needs Gymnasium", "rl") from missing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from parlour.game import Game
    from parlour.match import Match
    from parlour.options import OptionValue

INVALID = -10  # the reward that gg-bench has for an invalid action, which ends the game


class GgBenchEnv(gymnasium.Env[Any, Any]):
    """Both players' moves come in turn, and each reward is that of the player who has just moved.

    A number is its own action, as it stands in the rules and on the table, and 0 is the pass: ``valid_moves`` is never
    empty while the game goes on, and the players always alternate.
    """

    game: ClassVar[str | Game]
    options: ClassVar[Mapping[str, OptionValue]]
    description: ClassVar[str]  # the rules under these options, for the file in gg-bench's data/descriptions
    actions: ClassVar[str]  # what an action means, for the file in gg-bench's data/actions

    def __init__(self) -> None:
        self._episode = Episode(self.game, self.options, whole_match=True)
        observer = self._episode.observer
        self.action_space = spaces.Discrete(observer.actions)
        self.observation_space = spaces.Box(0, 1, (observer.width,), np.int32)

    @property
    def match(self) -> Match:
        """The match that is played: its record, its table, its exact values."""
        return self._episode.match

    @property
    def current_player(self) -> int:
        """1 or 2: the player to move."""
        return self.match.turn

    @property
    def done(self) -> bool:
        """Whether the game has ended."""
        return self._episode.outcome is not None

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """A new game; all that chance decides follows from the seed."""
        super().reset(seed=seed)
        self._episode.begin(seed)
        return self._observation(), {}

    def step(self, action: Any) -> tuple[Any, int, bool, bool, dict[str, Any]]:
        """Play a move. An invalid one loses the game, as the harness has it, and leaves the table as it is."""
        if self.done:
            return self._observation(), 0, True, False, {}
        player = self.match.turn
        try:
            self._episode.play(action)
        except MoveRefused as refused:
            self._episode.forfeit()
            return self._observation(), INVALID, True, False, {"invalid": str(refused)}
        return self._observation(), self._episode.reward(player), self.done, False, {}

    def valid_moves(self) -> list[int]:
        """The actions that the rules allow now, in rising order; none when the game is over."""
        return list(self.match.legal_moves)

    def render(self) -> str:
        """The table as text: everything that has to be known, whose turn it is included."""
        return str(self.match)

    def _observation(self) -> Any:
        return self._episode.seen()[0].astype(np.int32)


def custom_env(game: str | Game, **options: OptionValue) -> type[GgBenchEnv]:
    """The class that gg-bench looks for under the name ``CustomEnv``, for a game under these options.

    UnknownGame, BadOptions or TooBig if they make no game that ends.
    """
    rules: Rules = rules_of(game, **options)
    told = "the number that you choose"
    if not rules.numbers_only:
        told = ", ".join(f"{move} for {rules.name(move)}" for move in range(1, Episode(game, options).observer.actions))
    actions = f"An action is a whole number: {told}. 0 is the pass, allowed only where there is nothing else to do."
    parts = {"game": game, "options": options, "description": rules.bare_rules, "actions": actions}
    return type("CustomEnv", (GgBenchEnv,), parts)
