"""PettingZoo: ``env(game="double-up", **options)`` is an AEC environment for two agents. Needs the extra ``rl``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from parlour.adapters.episode import RENDER_MODES, Episode, check_choice
from parlour.errors import MissingExtra

try:
    import numpy as np
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as missing:
    raise MissingExtra("this adapter needs PettingZoo", "rl") from missing

if TYPE_CHECKING:
    from parlour.game import Game
    from parlour.match import Match
    from parlour.options import OptionValue

AGENTS = ("player_0", "player_1")


def env(game: str | Game, **arguments: Any) -> AECEnv:
    """The environment as people use it: an action that is not allowed ends the game, and loses it, with a warning.

    Arguments are those of ``raw_env``.
    """
    wrapped: Any = raw_env(game, **arguments)
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801  (what PettingZoo, which has no types, calls it)
    """The same without checks of order; an action that is not allowed is refused with IllegalMove and changes nothing.

    An observation has ``observation``, the position as zeros and ones told from the side of the agent to move, and
    ``action_mask``, all 0 for an agent that is not to move. What was dealt is the end of the observation, and follows
    from the seed of ``reset`` as it does everywhere in Parlour. ``copy.deepcopy`` keeps the state.
    """

    def __init__(
        self,
        game: str | Game,
        *,
        whole_match: bool = False,
        render_mode: str | None = None,
        **options: OptionValue,
    ) -> None:
        """One round is an episode, or with ``whole_match`` as many as it takes until somebody has won.

        UnknownGame, BadOptions or TooBig if these options make no game that ends.
        """
        super().__init__()
        self._episode = Episode(game, options, whole_match=whole_match)
        observer, played = self._episode.observer, self._episode.setup.game
        self.metadata = {
            "render_modes": list(RENDER_MODES),
            "name": f"parlour_{played.key.replace('-', '_')}_v{played.version - 1}",
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.render_mode = check_choice("render_mode", render_mode, (*RENDER_MODES, None))
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self._seeds = np.random.default_rng()
        self.action_spaces = {agent: spaces.Discrete(observer.actions) for agent in AGENTS}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 1, (observer.width,), np.int8),
                    "action_mask": spaces.Box(0, 1, (observer.actions,), np.int8),
                }
            )
            for agent in AGENTS
        }

    @property
    def match(self) -> Match:
        """The match that is played: its record, its table, its exact values."""
        return self._episode.match

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new match; without a seed, with the next deal after the last seed, or after one that nobody knows."""
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        self._episode.begin(int(self._seeds.integers(2**62)) if seed is None else seed)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[self.match.turn]

    def observe(self, agent: str) -> dict[str, Any]:
        episode = self._episode
        moves_now = agent == self.agent_selection and not self.terminations.get(agent, True)
        mask = episode.mask() if moves_now else np.zeros(episode.observer.actions, np.int8)
        return {"observation": episode.observation(), "action_mask": mask}

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        episode = self._episode
        episode.play(action)
        self._cumulative_rewards[agent] = 0
        if episode.over:
            self.rewards = {name: episode.reward(seat) for seat, name in enumerate(AGENTS)}
            self.terminations = dict.fromkeys(AGENTS, True)
            self._accumulate_rewards()
        self.agent_selection = AGENTS[episode.match.turn]

    def render(self) -> Any:
        return self._episode.render(self.render_mode)

    def close(self) -> None:
        """Nothing is held that would have to be given back."""
