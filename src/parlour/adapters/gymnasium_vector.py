"""Gymnasium's vector environments on ``parlour.Batch``: many games in lock-step.

Needs the extra ``rl``; the extra ``batch`` adds native code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from parlour.adapters.episode import ILLEGAL, PENALTY, Illegal, Observer
from parlour.arguments import as_index, check_choice
from parlour.batch.encoding import spread_bits
from parlour.batch.lockstep import Autoreset, Batch, Wrong
from parlour.errors import BadArgument, MissingExtra, ParlourError
from parlour.rules import rules_of
from parlour.solver import tabulate
from parlour.text import clip

try:
    import numpy as np
    from gymnasium import spaces
    from gymnasium.error import InvalidAction, ResetNeeded
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as missing:
    raise MissingExtra("this adapter needs Gymnasium", "rl") from missing

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from parlour.game import Game
    from parlour.options import OptionValue

WRONG: dict[Illegal, Wrong] = {"refuse": "ignore", "penalty": "ignore", "terminate": "forfeit"}
AUTORESET: dict[AutoresetMode, Autoreset] = {
    AutoresetMode.SAME_STEP: "same_step",
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.DISABLED: "never",
}


class ParlourVectorEnv(VectorEnv[Any, Any, Any]):
    """A vector environment; ``gymnasium.make_vec`` creates one with ``vectorization_mode="vector_entry_point"``.

    ``infos["action_mask"]`` has a row for each game, ``infos["illegal"]`` marks the games with an illegal action, and
    ``batch`` is the batch, with turns, positions and exact values.
    """

    def __init__(
        self,
        num_envs: int,
        game: str | Game,
        *,
        opponent: Literal["random", "perfect"] | None = "random",
        player: Literal[1, 2, "both"] = "both",
        illegal: Illegal = "refuse",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        observations: Literal["bits", "fields"] = "bits",
        masks: bool = True,
        copy: bool = True,
        deals: int = 1024,
        max_episode_steps: int | None = None,
        **options: OptionValue,
    ) -> None:
        """Create an environment.

        With an ``opponent`` it is always your turn; with None you play both sides, and rewards belong to the side that
        moved. ``player``, ``deals`` and seeds are as in ``Batch``. To save time, ``observations="fields"`` returns the
        integer fields of positions, ``masks=False`` omits masks, and with ``copy=False`` the next step writes into the
        same arrays.

        An episode is truncated after ``max_episode_steps`` steps: by default four for each ply of the longest game with
        these options. Only games with refused actions take that long.
        """
        check_choice("illegal", illegal, ILLEGAL)
        check_choice("opponent", opponent, ("random", "perfect", None))
        check_choice("observations", observations, ("bits", "fields"))
        mode = AutoresetMode(autoreset_mode)
        self.metadata = {"autoreset_mode": mode}
        self.batch: Batch = Batch(
            rules_of(game, **options),
            num_envs,
            wrong=WRONG[illegal],
            autoreset=AUTORESET[mode],
            opponent=tabulate if opponent == "perfect" else opponent,
            player=player,
            deals=deals,
        )
        self.num_envs = num_envs
        self._illegal, self._mode, self._masks, self._copy = illegal, mode, masks, copy
        self._bits = observations == "bits"
        self._observer = Observer(self.batch.rules, self.batch.deals[0])
        self._encode_deals()
        bounds = self.batch.rules.bounds
        assert bounds is not None  # a batch requires bounds
        highest = np.array(bounds.position, np.int64) - 1
        self.single_observation_space = (
            spaces.Box(0, 1, (self._observer.width,), np.int8)
            if self._bits
            else spaces.Box(np.zeros_like(highest), highest, dtype=np.int64)
        )
        self.single_action_space = spaces.Discrete(self._observer.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._rewards = np.zeros(num_envs)
        self.max_episode_steps = self._observer.max_steps
        if max_episode_steps is not None:
            steps = as_index(max_episode_steps)
            if steps is None or steps < 1:
                raise BadArgument(f"bad max_episode_steps {clip(repr(max_episode_steps))}; a number of at least 1")
            self.max_episode_steps = steps
        self._none = np.zeros(num_envs, np.bool_)  # no games
        self._none.flags.writeable = False
        self._truncated = self._none  # truncated games, until their reset
        self._spare = 0  # steps before a game can reach its limit
        self._begun = False

    def _encode_deals(self) -> None:
        """Encode the dealt numbers of each deal."""
        observer, deals = self._observer, self.batch.deals
        self._dealt = (
            np.stack([spread_bits(observer.dealt_bits(rules), observer.width) for rules in deals])
            if observer.left_to_chance and self._bits
            else None
        )

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Start new games: all, or with ``options={"reset_mask": ...}`` those where the mask is True.

        Raises:
            BadArgument: the mask is bad, or there is a seed, which is for all games, and the mask omits some.
        """
        given = (options or {}).get("reset_mask")
        which = ~self._none if given is None else self._check_mask(given)
        fresh = int(self.np_random.integers(2**62)) if seed is None and given is None else seed
        self.batch.reset(seed=fresh, games=which)
        super().reset(seed=seed)
        if fresh is not None:
            self._encode_deals()
        waiting = self._truncated & ~which
        self._truncated = waiting if waiting.any() else self._none
        self._begun = True
        return self._observe(), self._infos()

    def _check_mask(self, given: Any) -> NDArray[np.bool_]:
        which = np.asarray(given)
        if which.dtype != np.bool_ or which.shape != (self.num_envs,):
            raise BadArgument(f"bad reset_mask {clip(repr(given))}; one bool for each of the {self.num_envs} games")
        return which

    def step(
        self, actions: Any
    ) -> tuple[NDArray[Any], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Play one action in each game.

        Raises:
            InvalidAction: there is not one valid action for each game.
            ResetNeeded: a game needs a reset.
        """
        batch = self.batch
        if not self._begun or (self._mode is AutoresetMode.DISABLED and (batch.over.any() or self._truncated.any())):
            raise ResetNeeded("some games are over" if self._begun else "no game has begun; call reset first")
        before = batch.dealt.copy() if self._dealt is not None else None
        try:
            step = batch.step(actions)
        except ParlourError as refused:
            raise InvalidAction(str(refused)) from None
        rewards, ended, illegal = self._rewards, step.ended, step.refused
        rewards[:] = step.rewards
        if self._illegal == "penalty":
            rewards[illegal] = PENALTY
        if self._truncated is not self._none:  # the batch has continued these games, which now start again
            batch.reset(games=self._truncated)
            rewards[self._truncated] = 0
            ended, illegal = ended & ~self._truncated, illegal & ~self._truncated
        truncated = self._truncate()
        infos: dict[str, Any] = {}
        if self._mode is AutoresetMode.SAME_STEP:
            over = ended if truncated is self._none else ended | truncated
            if truncated is not self._none:
                batch.reset(games=truncated)
            if over.any():
                finals = self._row(batch.final_observations, before) if self._bits else batch.final_fields.T.copy()
                infos |= {"final_obs": finals, "_final_obs": over.copy()}
        else:
            self._truncated = truncated
        infos |= self._infos()
        infos["illegal"] = self._returned(illegal)
        return (
            self._observe(),
            self._returned(rewards),
            self._returned(ended),
            self._returned(truncated),
            infos,
        )

    def _truncate(self) -> NDArray[np.bool_]:
        """Return the games that have reached the limit of their steps without an end."""
        if self._spare > 0:
            self._spare -= 1
            return self._none
        ages = self.batch.ages
        truncated: NDArray[np.bool_] = (ages >= self.max_episode_steps) & ~self.batch.over
        ages[truncated | self.batch.over] = 0  # these start again
        self._spare = self.max_episode_steps - int(ages.max()) - 1
        truncated.flags.writeable = False
        return truncated if truncated.any() else self._none

    def _returned(self, array: NDArray[Any]) -> NDArray[Any]:
        """Return an array for the caller: a copy, if requested."""
        return array.copy() if self._copy else array

    def _observe(self) -> NDArray[Any]:
        if not self._bits:
            return self._returned(self.batch.fields.T)
        return self._row(self.batch.observations, self.batch.dealt)

    def _row(self, observe: Any, dealt: Any) -> NDArray[Any]:
        """Return observations: positions followed by the dealt numbers."""
        rows: NDArray[Any]
        if self._dealt is None:
            rows = observe(np.empty((self.num_envs, self._observer.width), np.int8) if self._copy else None)
            return rows
        rows = self._dealt[dealt]
        rows[:, : self.batch.encoding.width] = observe()
        return rows

    def _infos(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks()} if self._masks else {}

    def action_masks(self) -> NDArray[np.int8]:
        """Return a row for each game with a 1 for every legal action.

        In finished games this is only the pass (0), which the next step ignores.
        """
        return self.batch.masks(np.empty((self.num_envs, self._observer.actions), np.int8) if self._copy else None)
