"""PettingZoo: ``env(game="double-up", **options)`` is an AEC environment for two agents. Needs the extra ``rl``.

Importing this also registers the games: ``pettingzoo.make("aec", "parlour/DoubleUp-v0")`` and so on.
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
    """Return the environment with checks of the order of calls. Arguments are those of ``raw_env``.

    As in PettingZoo's own games, an illegal action ends the game with a reward of -1 and a warning, an action outside
    the action space fails an assertion, and calls in the wrong order raise errors.
    """
    return wrappers.OrderEnforcingWrapper(raw_env(game, **{"illegal": "terminate", **arguments}))


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801  (PettingZoo's name)
    """The environment without checks of order. An illegal action raises IllegalMove and changes nothing.

    An observation has ``observation``, a bit vector from the perspective of the agent to move, and ``action_mask``, all
    0 for the other agent and when the game is over, because PettingZoo then accepts only None. The observation ends
    with the dealt numbers, which follow from the seed of ``reset``. ``copy.deepcopy``
    preserves the state.
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
        """Create an environment. An episode is one round or, with ``whole_match``, rounds until a player wins.

        Raises:
            UnknownGame, BadOptions, TooBig: these options make no game that ends.
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
        """The current match."""
        return self._episode.match

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new match. Without a seed, it follows from the last seed, or from a random one."""
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
        self._cumulative_rewards[agent] = 0  # the agent has seen its earlier rewards
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
        """Do nothing: the environment holds no resources."""


for _game in list_games():
    register("aec", environment_id(_game), env, kwargs={"game": _game.key})
