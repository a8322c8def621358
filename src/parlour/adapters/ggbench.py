"""gg-bench: environments with the class interface of its harness and Parlour's rules. Needs the extra ``rl``.

A file of its ``data/envs`` becomes two lines::

    from parlour.adapters.ggbench import custom_env

    CustomEnv = custom_env("double-up", limit=1000)

``docs/gg-bench.md`` lists the differences between its own environments and their descriptions.
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

INVALID = -10  # gg-bench's reward of an invalid action, which ends the game


class GgBenchEnv(gymnasium.Env[Any, Any]):
    """An environment for both players in turn; each reward belongs to the player who has just moved.

    An action is the number of a move in the rules and on the board, and 0 is the pass: ``valid_moves`` is never empty
    during a game, and the players always alternate.
    """

    game: ClassVar[str | Game]
    options: ClassVar[Mapping[str, OptionValue]]
    description: ClassVar[str]  # the rules, for gg-bench's data/descriptions
    actions: ClassVar[str]  # the meaning of actions, for gg-bench's data/actions

    def __init__(self) -> None:
        self._episode = Episode(self.game, self.options, whole_match=True)
        observer = self._episode.observer
        self.action_space = spaces.Discrete(observer.actions)
        self.observation_space = spaces.Box(0, 1, (observer.width,), np.int32)

    @property
    def match(self) -> Match:
        """The current match."""
        return self._episode.match

    @property
    def current_player(self) -> int:
        """The player to move: 1 or 2."""
        return self.match.turn

    @property
    def done(self) -> bool:
        """Whether the game has ended."""
        return self._episode.outcome is not None

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start a new game; the seed determines the deal."""
        super().reset(seed=seed)
        self._episode.begin(seed)
        return self._observation(), {}

    def step(self, action: Any) -> tuple[Any, int, bool, bool, dict[str, Any]]:
        """Play a move. An invalid one loses the game, as in the harness, and leaves the board unchanged."""
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
        """Return the legal actions in ascending order; none when the game is over."""
        return list(self.match.legal_moves)

    def render(self) -> str:
        """Return the board and the player to move as text."""
        return str(self.match)

    def _observation(self) -> Any:
        return self._episode.seen()[0].astype(np.int32)


def custom_env(game: str | Game, **options: OptionValue) -> type[GgBenchEnv]:
    """Return the class that gg-bench looks for under the name ``CustomEnv``, for a game with these options.

    Raises:
        UnknownGame, BadOptions, TooBig: these options make no game that ends.
    """
    rules: Rules = rules_of(game, **options)
    meanings = "the number that you choose"
    if not rules.numbers_only:
        meanings = ", ".join(
            f"{move} for {rules.name(move)}" for move in range(1, Episode(game, options).observer.actions)
        )
    actions = f"An action is a whole number: {meanings}. 0 is the pass, allowed only where there is nothing else to do."
    parts = {"game": game, "options": options, "description": rules.bare_rules, "actions": actions}
    return type("CustomEnv", (GgBenchEnv,), parts)
