"""Support for pickles written before version 0.2, in which the players were the seats 0 and 1.

Matches of 0.1.0 cannot be loaded, because they refer to functions that are gone. Matches and environments of later
development versions can until version 0.4. Then remove this module and the methods ``__setstate__`` that call it.
"""

from __future__ import annotations

from typing import Any

from parlour.catalog import find_game, keys
from parlour.game import NO_CAP, Game

UNCHANGED_SETUP_FIELDS = "names", "players", "seed", "cap", "date", "strict"
NUMBERING = "numbering"  # a key in the state of a match with players 1 and 2; older ones lack it

State = dict[str, Any]  # the attributes of a pickled object


class PickledMove:
    """The class of moves in old pickles, ``parlour.rules.Move``. Loading one of them gives an int."""

    def __new__(cls, number: int) -> int:  # type: ignore[misc]
        return number


def upgrade_rules(state: State) -> tuple[Any, Any]:
    """Return the game and options of rules, which were pickled with a copy of the game."""
    game: Game = state["game"]
    return find_game(game.key) if game.key in keys() else game, state["options"]


def upgrade_setup(state: State) -> State:
    """Return the fields of a set-up, which was pickled with game and options instead of rules."""
    same = {name: None if state[name] == NO_CAP else state[name] for name in UNCHANGED_SETUP_FIELDS}
    return {**same, "rules": state["_rules"], "first": state["first"] + 1}


def upgrade_match(state: State) -> State:
    """Return the attributes of a match. Its rounds are changed in place, because no other object has them."""
    for round in state["rounds"]:
        round.first += 1
    log = [action._replace(player=action.player + 1) for action in state["log"]]
    return {**state, "log": log, "resigned": None if state["resigned"] is None else state["resigned"] + 1}


def upgrade_env(state: State) -> State:
    """Return the attributes of a Gymnasium environment."""
    rule, player = state.pop("_seat_rule"), state.pop("seat")
    state["_player_rule"] = rule if rule == "random" else rule + 1
    return {**state, "player": None if player is None else player + 1, "_turn": state["_turn"] + 1}
