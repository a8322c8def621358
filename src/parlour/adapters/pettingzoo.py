"""PettingZoo: ``env(game="double-up", **options)`` is an AEC environment for two agents. Needs the extra ``rl``.

Importing this registers them, too: ``pettingzoo.make("aec", "parlour/DoubleUp-v0")`` and so on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from parlour.adapters.episode import RENDER_MODES, Episode, environment_id
from parlour.arguments import check_choice
from parlour.catalog import list_games
from parlour.errors import MissingExtra, MoveRefused
from parlour.view import PLAYERS

try:
    import numpy as np
    from gymnasium import spaces
    from pettingzoo import AECEnv, register
    from pettingzoo.utils import wrappers
    from pettingzoo.utils.env_logger import EnvLogger
except ImportError as missing:
    raise MissingExtra("this adapter needs PettingZoo", "rl") from missing

if TYPE_CHECKING:
    from parlour.game import Game
    from parlour.match import Match
    from parlour.options import OptionValue

AGENTS = ("player_0", "player_1")  # players 1 and 2, by the usual names of PettingZoo


def env(game: str | Game, **arguments: Any) -> AECEnv:
    """The environment as people use it. Arguments are those of ``raw_env``.

    As with PettingZoo's own games, an action that is not allowed ends the game with a reward of -1 and a warning, one
    that is not an action at all fails an assertion, and what is done in the wrong order is told.
    """
    return wrappers.OrderEnforcingWrapper(raw_env(game, **{"illegal": "terminate", **arguments}))


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801  (what PettingZoo, which has no types, calls it)
    """The same without checks of order; an action that is not allowed is refused with IllegalMove and changes nothing.

    An observation has ``observation``, the position as zeros and ones told from the side of the agent to move, and
    ``action_mask``, all 0 for an agent that is not to move and, as PettingZoo then takes no action but None, when the
    game is over. What chance deals is the end of the observation, and follows from the seed of ``reset`` as it does
    everywhere in Parlour. ``copy.deepcopy`` keeps the state.
    """

    def __init__(
        self,
        game: str | Game,
        *,
        whole_match: bool = False,
        illegal: Literal["refuse", "terminate"] = "refuse",
        render_mode: str | None = None,
        **options: OptionValue,
    ) -> None:
        """One round is an episode, or with ``whole_match`` as many as it takes until somebody has won.

        UnknownGame, BadOptions or TooBig if these options make no game that ends.
        """
        super().__init__()
        self._illegal = check_choice("illegal", illegal, ("refuse", "terminate"))
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
        self._episode.begin(seed)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[self.match.turn - 1]

    def observe(self, agent: str) -> dict[str, Any]:
        row, mask = self._episode.seen()
        if agent != self.agent_selection or self._episode.outcome:
            mask = np.zeros_like(mask)
        return {"observation": row, "action_mask": mask}

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        episode = self._episode
        try:
            episode.play(action)
        except MoveRefused:
            if self._illegal == "refuse":
                raise
            assert self.action_spaces[agent].contains(action), "action is not in action space"
            EnvLogger.warn_on_illegal_move()
            episode.forfeit()
            self._end({agent: -1})
            return
        self._cumulative_rewards[agent] = 0  # what it got before it has been told
        if episode.outcome:
            self._end({name: episode.reward(player) for player, name in zip(PLAYERS, AGENTS, strict=True)})
        self.agent_selection = AGENTS[episode.match.turn - 1]

    def _end(self, rewards: dict[str, int]) -> None:
        self.rewards = dict.fromkeys(AGENTS, 0) | rewards
        self.terminations = dict.fromkeys(AGENTS, True)
        self._accumulate_rewards()

    def render(self) -> Any:
        return self._episode.render(self.render_mode)

    def close(self) -> None:
        """Nothing is held that would have to be given back."""


for _game in list_games():
    register("aec", environment_id(_game), env, kwargs={"game": _game.key})
