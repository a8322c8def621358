"""Gymnasium: importing this registers an environment for each game, ``parlour/DoubleUp-v0`` and so on.

Needs the extra ``rl``. ``gymnasium_vector`` has the vector environments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

from parlour.adapters.episode import ILLEGAL, PENALTY, RENDER_MODES, Episode, Illegal, environment_id
from parlour.arguments import check_choice
from parlour.catalog import list_games
from parlour.errors import MissingExtra, MoveRefused
from parlour.pickles import upgrade_env
from parlour.players import find_player
from parlour.setup import DEFAULT_PLAYERS
from parlour.text import clip
from parlour.turn import Player, check_players
from parlour.view import PLAYERS, PlayerNumber

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces
    from gymnasium.error import InvalidAction, ResetNeeded
except ImportError as missing:
    raise MissingExtra("this adapter needs Gymnasium", "rl") from missing

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from parlour.game import Game
    from parlour.match import Match
    from parlour.options import OptionValue


class ParlourEnv(gymnasium.Env[Any, Any]):
    """A game against an opponent that is part of the environment: it is always your turn.

    The reward at the end is 1 for a win, -1 for a loss and 0 for a draw. ``info["action_mask"]`` and ``action_masks()``
    have a 1 for each legal action; when the game is over, only for the pass. An action is the number of the move; 0 is
    the pass, which is legal only if no other move is.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # type: ignore[misc]

    def __init__(
        self,
        game: str | Game,
        *,
        opponent: str | Player | None = "random",
        player: Literal[1, 2, "random"] = "random",
        illegal: Illegal = "refuse",
        whole_match: bool = False,
        render_mode: str | None = None,
        **options: OptionValue,
    ) -> None:
        """Create an environment.

        ``opponent`` is the word for a player, such as ``level:3`` or ``perfect``, or your own ``Player``. With None you
        play both sides in turn, and each reward belongs to the side that has just moved.

        ``illegal`` is the treatment of illegal actions. ``refuse``: nothing changes, and ``info["illegal"]`` has the
        reason. ``penalty``: the same with a reward of -1. ``terminate``: the game is lost.

        An episode is truncated after ``max_steps`` steps, four for each ply of the longest game with these options, so
        that a policy that repeats a refused action comes to an end. Without refused actions only a match of hundreds of
        rounds takes that long.
        """
        self.render_mode = check_choice("render_mode", render_mode, (*RENDER_MODES, None))
        self._illegal = check_choice("illegal", illegal, ILLEGAL)
        self._player_rule = check_choice("player", player, (*PLAYERS, "random"))
        self._episode = Episode(game, options, whole_match=whole_match)
        self._word = opponent if isinstance(opponent, str) else "human"
        self._opponent = find_player(opponent) if isinstance(opponent, str) else opponent
        if self._opponent is not None:
            check_players(self._opponent)
        self._begun = self._over_before = False  # the opponent's first move may end a tiny game
        self.max_steps = self._episode.max_steps  # the steps before truncation
        self._steps, self._truncated = 0, False
        self.player: PlayerNumber | None = None  # your number in this game; None: both
        self._turn: PlayerNumber = 1  # the player to move
        observer = self._episode.observer
        self.action_space = spaces.Discrete(observer.actions)
        self.observation_space = spaces.Box(0, 1, (observer.width,), np.int8)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(upgrade_env(state) if "seat" in state else state)

    @property
    def match(self) -> Match:
        """The current match."""
        return self._episode.match

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start a new game. A seed determines the same deals and choices as everywhere in Parlour."""
        super().reset(seed=seed)
        self.player = None
        players = DEFAULT_PLAYERS
        if self._opponent is not None:
            drawn = self._player_rule == "random"
            self.player = PLAYERS[self.np_random.integers(2)] if drawn else self._player_rule
            players = ("human", self._word) if self.player == 1 else (self._word, "human")
        self._episode.begin(seed, players)
        self._reply()
        self._begun, self._over_before = True, self._episode.outcome is not None
        self._steps, self._truncated = 0, False
        return self._seen()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play a move, and let the opponent reply.

        Raises:
            InvalidAction: it is not in the action space.
            ResetNeeded: no game is in progress.
        """
        episode = self._episode
        if not self._begun or (episode.outcome and not self._over_before):
            raise ResetNeeded("the game is over" if self._begun else "no game has begun; call reset first")
        if self._truncated:
            raise ResetNeeded(f"the episode was truncated after {self.max_steps} steps; call reset")
        player = self._turn if self.player is None else self.player
        try:
            if not self._over_before:
                episode.play(action)
        except MoveRefused as refused:
            return self._refused(action, refused)
        self._reply()
        self._over_before = False
        return self._count_step(float(episode.reward(player)), episode.outcome is not None)

    def _count_step(
        self, reward: float, terminated: bool, **flags: str
    ) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Count a step, and return its result."""
        self._steps += 1
        self._truncated = self._steps >= self.max_steps and not terminated
        row, info = self._seen()
        return row, reward, terminated, self._truncated, {**info, **flags}

    def _reply(self) -> None:
        episode = self._episode
        while self._opponent is not None and episode.outcome is None and episode.match.turn != self.player:
            episode.reply(self._opponent)

    def _refused(self, action: Any, refused: MoveRefused) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        if not self.action_space.contains(action):
            hint = "; pass a single action, such as action.item()" if getattr(action, "size", None) == 1 else ""
            raise InvalidAction(f"{clip(repr(action))} is not in the action space {self.action_space}{hint}") from None
        lost = self._illegal == "terminate"
        if lost:
            self._episode.forfeit()
        reward = 0.0 if self._illegal == "refuse" else PENALTY
        return self._count_step(reward, lost, illegal=str(refused))

    def _seen(self) -> tuple[Any, dict[str, Any]]:
        row, mask = self._episode.seen()
        self._turn = self._episode.match.turn
        return row, {"action_mask": mask, "player": self._turn}

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the legal actions in the format of sb3-contrib's MaskablePPO; only the pass when the game is over."""
        return self._episode.seen()[1].view(np.bool_)

    def render(self) -> Any:
        return self._episode.render(self.render_mode)

    def close(self) -> None:
        """Close the opponent, which may be a program."""
        if self._opponent is not None:
            self._opponent.close()


for _game in list_games():
    gymnasium.register(
        environment_id(_game),
        entry_point=f"{__name__}:ParlourEnv",
        vector_entry_point=f"{__name__}_vector:ParlourVectorEnv",
        kwargs={"game": _game.key},
    )
