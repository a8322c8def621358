"""Support for pickles written before version 0.2, in which the players were the seats 0 and 1.

Matches of 0.1.0 cannot be loaded, because they refer to functions that are gone. Matches and environments of later
development versions can until version 0.4. Then remove this module and the methods ``__setstate__`` that call it.
"""

from __future__ import annotations

from typing import Any

from parlour.catalog import find_game, keys
from parlour.game import NO_CAP, Game

SETUP_FIELDS = "names", "players", "seed", "cap", "date", "strict"  # the fields of a set-up that have not changed
NUMBERING = "numbering"  # the key that the state of a match has since players are 1 and 2

State = dict[str, Any]  # the attributes of a pickled object


class PickledMove:
    """The class of moves in old pickles, ``parlour.rules.Move``. Loading one of them gives an int."""

    def __new__(cls, number: int) -> int:  # type: ignore[misc]
        return number


def upgrade_rules(state: State) -> tuple[Any, Any]:
    """Return game and options; the pickle had a copy of the game, with all its fields."""
    game: Game = state["game"]
    return find_game(game.key) if game.key in keys() else game, state["options"]


def upgrade_setup(state: State) -> State:
    """Return the fields of a set-up, which had game and options instead of rules."""
    same = {name: None if state[name] == NO_CAP else state[name] for name in SETUP_FIELDS}
    return {**same, "rules": state["_rules"], "first": state["first"] + 1}


def upgrade_match(state: State) -> State:
    """Return the attributes of a match. Its rounds are changed in place: the pickle is their only owner."""
    for round in state["rounds"]:
        round.first += 1
    log = [action._replace(player=action.player + 1) for action in state["log"]]
    return {**state, "log": log, "resigned": None if state["resigned"] is None else state["resigned"] + 1}


def upgrade_env(state: State) -> State:
    """Return the attributes of an environment of Gymnasium."""
    rule, player = state.pop("_seat_rule"), state.pop("seat")
    state["_player_rule"] = rule if rule == "random" else rule + 1
    return {**state, "player": None if player is None else player + 1, "_turn": state["_turn"] + 1}
