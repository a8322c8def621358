"""OpenSpiel: importing this registers every game, ``pyspiel.load_game("parlour_double_up(limit=50)")`` and so on.

Needs the extra ``openspiel``. A game of OpenSpiel is one round. Its parameters are the game's options: numbers, with 0
for none; an arrangement such as a grid as a number of nine digits, with 0 for a random one; words; several numbers
joined by ``_``, as in ``1_2_3`` (and ``2_`` for a single one).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from parlour.adapters.episode import Observer
from parlour.batch.encoding import spread_bits
from parlour.catalog import list_games
from parlour.errors import BadOptions, MissingExtra
from parlour.game import DRAWN, MOVER_WINS, Game
from parlour.match import Match
from parlour.options import Arrangement, Kind, Number, declared, left_to_chance, pack_options
from parlour.rules import Rules, show_position
from parlour.setup import Setup
from parlour.text import clip

try:
    import numpy as np
    import pyspiel
except ImportError as missing:
    raise MissingExtra("this adapter needs OpenSpiel", "openspiel") from missing

DEALS = 1000  # the default number of outcomes of a chance node


def _show(kind: Kind, value: int) -> int | str:
    """Return an option as a parameter of OpenSpiel, which reads texts of digits as numbers."""
    if isinstance(kind, Number | Arrangement):
        return value
    text = kind.show(value).replace(",", "_")
    return f"{text}_" if text.isdigit() else text


def _read(name: str, kind: Kind, value: int | str) -> int:
    if isinstance(kind, Number | Arrangement):
        return int(value)
    read = kind.read(str(value).strip("_").replace("_", ","))
    if read is None:
        raise BadOptions(f"bad {name} {clip(str(value))!r}; allowed: {kind.allowed}")
    return read


def _type_of(game: Game, by_chance: bool) -> Any:
    defaults = {
        name: _show(kind, value)
        for (name, kind), value in zip(declared(game.options).items(), pack_options(game.defaults), strict=True)
    }
    kinds = pyspiel.GameType
    return kinds(
        short_name=f"parlour_{game.key.replace('-', '_')}",
        long_name=f"Parlour's {game.title}",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if by_chance else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={**defaults, "deals": DEALS} if left_to_chance(game.options) else defaults,
    )


class ParlourGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    """A game with its options. If an option is dealt at random, a chance node chooses one of ``deals``.

    Outcome n is the deal of seed n. Without random options there is no chance node.
    """

    def __init__(self, game: Game, params: dict[str, Any]) -> None:
        kinds = declared(game.options)
        options = game.options._make(_read(name, kind, params[name]) for name, kind in kinds.items())  # type: ignore[attr-defined]
        self.rules: Rules = Rules(game, options)  # as chosen, before the deal
        self.deals = int(params.get("deals", 1))
        if self.deals < 1:
            raise BadOptions(f"bad deals {self.deals}; at least 1")
        first = self.dealt(0)
        self.observer = Observer(self.rules, first)
        self.by_chance = bool(self.observer.left_to_chance)
        assert first.bounds is not None  # an observer requires bounds
        self.plies = first.bounds.plies
        params = {**params, **{name: _show(kind, getattr(options, name)) for name, kind in kinds.items()}}
        information = pyspiel.GameInfo(
            num_distinct_actions=self.observer.actions,
            max_chance_outcomes=self.deals if self.by_chance else 0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.plies,
        )
        super().__init__(_type_of(game, self.by_chance), information, params)

    def __reduce__(self) -> tuple[Any, ...]:
        return load_game, (str(self),)

    def dealt(self, outcome: int) -> Rules:
        """Return the rules after an outcome of the chance node."""
        return _dealt(self.rules, outcome)

    def new_initial_state(self, state: Any = None) -> ParlourState:
        """Return the start, or the state in a dictionary or struct, after checking all of its moves."""
        made = ParlourState(self)
        if state is not None:
            given = state.to_dict() if isinstance(state, pyspiel.StateStruct) else state
            if self.by_chance and given["deal"] is not None:
                made.apply_action(given["deal"])
            for name in given["moves"]:
                made.apply_action(made.read(name))
        return made

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> ParlourObserver:
        """Return an observer of the position, or with perfect recall of the moves."""
        if params:
            raise ValueError(f"an observation has no parameters, found {params}")
        return ParlourObserver(self, iig_obs_type is not None and iig_obs_type.perfect_recall)


@lru_cache(maxsize=4096)
def _dealt(rules: Rules, outcome: int) -> Rules:
    return Match(Setup(rules, seed=str(outcome))).rules


class ParlourState(pyspiel.State):  # type: ignore[misc]
    """A position of a game, with the moves that led to it."""

    def __init__(self, game: ParlourGame) -> None:
        """Create the start of a game, for ``new_initial_state``."""
        super().__init__(game)
        self.rules: Rules | None = None if game.by_chance else game.dealt(0)  # None before the deal
        self.position: Any = self.rules.start if self.rules else None
        self.moves: list[int] = []
        self.deal: int | None = None  # the outcome of the chance node

    def current_player(self) -> int:
        if self.rules is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else len(self.moves) % 2

    def is_terminal(self) -> bool:
        return self.rules is not None and self.rules.is_over(self.position)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        deals = self.get_game().deals
        return [(outcome, 1 / deals) for outcome in range(deals)]

    def _legal_actions(self, player: int) -> list[int]:
        return [] if self.rules is None else list(self.rules.legal(self.position))

    def _apply_action(self, action: int) -> None:
        """Play a move or deal.

        Raises:
            IllegalMove, GameOver: the move is not allowed; nothing has changed.
        """
        if self.rules is None:
            game = self.get_game()
            if not 0 <= action < game.deals:
                raise ValueError(f"there is no deal {action}; from 0 to {game.deals - 1}")
            self.rules, self.deal = game.dealt(action), action
            self.position = self.rules.start
        else:
            self.position = self.rules.play(self.position, action)
            self.moves.append(action)

    def returns(self) -> list[float]:
        if not self.is_terminal():
            return [0.0, 0.0]
        assert self.rules is not None
        result = self.rules.result(self.position)
        if result == DRAWN:
            return [0.0, 0.0]
        winner = (len(self.moves) + (result != MOVER_WINS)) % 2
        return [1.0, -1.0] if winner == 0 else [-1.0, 1.0]

    def _action_to_string(self, player: int, action: int) -> str:
        return f"deal {action}" if player == pyspiel.PlayerId.CHANCE else self.get_game().rules.name(action)

    def read(self, name: str) -> int:
        """Return the action of a move's name."""
        if self.rules is None:
            raise ValueError("nothing has been dealt yet")
        return self.rules.read(self.position, name)

    def __str__(self) -> str:
        """Return the position and the player to move, or the result of a finished game.

        States with the same text have the same future and the same returns: OpenSpiel's ``value_iteration`` and
        ``minimax_solver`` look states up by it. The result is part of it because a position doesn't show who won:
        positions have no player numbers.
        """
        if self.rules is None:
            return "to be dealt"
        status = self._result_text() if self.is_terminal() else f"player {len(self.moves) % 2} to move"
        return f"{self.rules.title}: position {show_position(self.position)}, {status}"

    def _result_text(self) -> str:
        returns = self.returns()
        return f"player {returns.index(1.0)} has won" if 1.0 in returns else "drawn"

    def match(self) -> Match:
        """Return the state as a match, to print, draw, record or analyse."""
        if self.rules is None:
            raise ValueError("nothing has been dealt yet")
        setup = Setup(self.get_game().rules, seed=str(self.deal or 0), cap=1)
        return Match.after(setup, self.moves)

    def _to_struct(self) -> dict[str, Any]:
        rules = self.rules
        return {
            "game": self.get_game().rules.game.key,
            "options": (rules or self.get_game().rules).option_texts,
            "deal": self.deal,
            "moves": rules.names(self.moves) if rules else [],
            "position": list(self.position) if rules else None,
            "current_player": self.current_player(),
        }

    def _to_observation_struct(self, player: int) -> dict[str, Any]:
        return self._to_struct()

    def _action_to_struct(self, player: int, action: int) -> dict[str, Any]:
        return {"move": self._action_to_string(player, action)}

    def _struct_to_actions(self, action: dict[str, Any]) -> list[int]:
        return [self.read(action["move"])]


class ParlourObserver:
    """An observer of the position from the perspective of the player to move, as a bit vector with both player numbers.

    With perfect recall it has all moves instead of the position, each in binary, and the dealt numbers.
    """

    def __init__(self, game: ParlourGame, recall: bool) -> None:
        self._observer, self._recall = game.observer, recall
        self._position_width = game.observer.encoding.width
        self._move_bits = (game.observer.actions).bit_length()
        pieces = {"player": 2, "to_move": 2}
        if recall:
            pieces |= {"moves": game.plies * self._move_bits, "dealt": game.observer.width - self._position_width}
        else:
            pieces |= {"position": game.observer.width}
        self.tensor = np.zeros(sum(pieces.values()), np.float32)
        self.dict, begin = {}, 0
        for name, size in pieces.items():
            if size:
                self.dict[name] = self.tensor[begin : begin + size]
                begin += size

    def set_from(self, state: ParlourState, player: int) -> None:
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        if state.rules is None:
            return
        self.dict["to_move"][len(state.moves) % 2] = 1
        row = self._observer.row(state.position, self._observer.dealt_bits(state.rules))
        if not self._recall:
            self.dict["position"][:] = row
            return
        if "dealt" in self.dict:
            self.dict["dealt"][:] = row[self._position_width :]
        for ply, move in enumerate(state.moves):
            begin = ply * self._move_bits
            # One more than the move, to distinguish a pass from no move.
            self.dict["moves"][begin : begin + self._move_bits] = spread_bits(move + 1, self._move_bits)

    def string_from(self, state: ParlourState, player: int) -> str:
        if not self._recall or state.rules is None:
            return str(state)
        dealt = "" if state.deal is None else f"deal {state.deal}: "
        return dealt + " ".join(state.rules.names(state.moves))


def load_game(text: str) -> Any:
    """Return the game that ``str(game)`` describes.

    Pickled games refer to this function, so that a process that unpickles one imports this module, which registers it.
    """
    return pyspiel.load_game(text)


def _register(game: Game) -> None:
    class Registered(ParlourGame):
        def __init__(self, params: dict[str, Any] | None = None) -> None:
            super().__init__(game, params or {})

    pyspiel.register_game(_type_of(game, bool(left_to_chance(game.options))), Registered)


for _game in list_games():
    _register(_game)
