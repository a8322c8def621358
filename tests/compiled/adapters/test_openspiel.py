"""OpenSpiel: its own tests and algorithms on our games, and its minimax beside our tables."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
from typing import Any

import pytest

import parlour
from parlour.errors import BadOptions, GameOver, IllegalMove, TooBig
from tests.support.adapters import every_game, needed, ways_to

pyspiel = needed("pyspiel")
import numpy as np  # noqa: E402
from open_spiel.python.algorithms import exploitability, mcts  # noqa: E402
from open_spiel.python.algorithms.minimax_solver import MinimaxSolver  # noqa: E402
from open_spiel.python.observation import make_observation  # noqa: E402
from open_spiel.python.policy import TabularPolicy, UniformRandomPolicy  # noqa: E402

import parlour.adapters.openspiel  # noqa: E402
from tests.support.openspiel import every_state, value_iteration_finds_the_winner  # noqa: E402

SMALL = {
    "double-up": "parlour_double_up(limit=12)",
    "increasing-differences": "parlour_increasing_differences(length=3,range=6)",
    "pyramid-challenge": "parlour_pyramid_challenge(base=2,highest=4,copies=2)",
    "sequence-builder": "parlour_sequence_builder(length=3,pool=6,increments=1_2)",
    "sequence-spot": "parlour_sequence_spot(grid=276951438)",
}
LARGE = [
    "parlour_double_up(limit=3000)",
    "parlour_double_up(limit=2)",
    "parlour_increasing_differences(length=30,range=60)",
    "parlour_pyramid_challenge(base=10,highest=60)",
    "parlour_sequence_builder(length=30,pool=60,increments=1_20)",
    "parlour_sequence_spot(deal=lively,deals=7)",
]


def default(key: str) -> str:
    return f"parlour_{key.replace('-', '_')}"


def rules_of(game: Any) -> parlour.Rules:
    rules: parlour.Rules = game.dealt(0)
    return rules


@pytest.mark.parametrize("name", [*map(default, SMALL), *SMALL.values(), *LARGE])
def test_it_passes_openspiels_own_test(name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=4, serialize=True, verbose=False)


@every_game
def test_the_parameters_are_the_options_of_the_game(key: str) -> None:
    game = pyspiel.load_game(default(key))
    assert game.rules == parlour.rules_of(key)
    assert str(pyspiel.load_game(str(game))) == str(game)
    if key in SMALL:
        assert str(pyspiel.load_game(SMALL[key])) == str(pickle.loads(pickle.dumps(pyspiel.load_game(SMALL[key]))))


def test_parameters_of_every_kind() -> None:
    alone = pyspiel.load_game("parlour_sequence_builder(increments=2_)")
    assert alone.rules.options == parlour.rules_of("sequence-builder", increments=[2]).options
    assert str(alone) == "parlour_sequence_builder(increments=2_,length=4,pool=20)"
    assert str(pyspiel.load_game(str(alone))) == str(alone)
    assert str(pyspiel.load_game("parlour_sequence_builder", {"increments": "2"})) == str(alone)
    lively = pyspiel.load_game("parlour_sequence_spot(deal=lively,deals=3)")
    assert lively.rules.options == parlour.rules_of("sequence-spot", deal="lively").options


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("parlour_double_up(limit=1)", BadOptions),
        ("parlour_double_up(limit=0)", TooBig),
        ("parlour_double_up(limt=5)", pyspiel.SpielError),
        ("parlour_double_up(limit=high)", pyspiel.SpielError),
        ("parlour_sequence_spot(grid=111111111)", BadOptions),
        ("parlour_sequence_spot(deal=sad)", BadOptions),
        ("parlour_sequence_spot(deals=0)", BadOptions),
        ("parlour_sequence_builder(increments=0_99)", BadOptions),
        ("parlour_chess", pyspiel.SpielError),
    ],
)
def test_parameters_that_make_no_game_are_refused(name: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        pyspiel.load_game(name)


def state_after(game: Any, moves: tuple[int, ...]) -> Any:
    state = game.new_initial_state()
    for move in moves:
        state.apply_action(move)
    return state


@every_game
def test_legal_actions_are_those_of_the_referee_in_every_position(key: str) -> None:
    game = pyspiel.load_game(SMALL[key])
    rules = rules_of(game)
    for position, moves in ways_to(rules).items():
        state = state_after(game, moves)
        legal = list(rules.legal(position))
        assert state.position == position
        assert state.legal_actions() == legal
        assert np.flatnonzero(state.legal_actions_mask()).tolist() == legal
        assert [state.action_to_string(move) for move in legal] == rules.names(legal)


@every_game
def test_their_minimax_agrees_with_our_table_in_every_position(key: str) -> None:
    name = SMALL[key] if key != "sequence-spot" else "parlour_sequence_spot(grid=276951438)"
    solver = MinimaxSolver(name)
    theirs = solver.solve()
    game = pyspiel.load_game(name)
    rules = rules_of(game)
    table = parlour.tabulate(rules)
    ways = ways_to(rules)
    for position, moves in ways.items():
        state = state_after(game, moves)
        entry = theirs[str(state)]
        assert entry.value == table.score(position).value
        for move in rules.legal(position):
            child = rules.play(position, move)
            if not rules.is_over(child):
                assert entry.action_values[move] == -table.score(child).value
    assert {key.rpartition(" position ")[2].partition(",")[0] for key in theirs} == {
        ".".join(map(str, position)) for position in ways
    }


@pytest.mark.parametrize(
    "name",
    [
        *(f"parlour_double_up(limit={limit})" for limit in (2, 8, 11, 13)),
        *(name for key, name in SMALL.items() if key != "sequence-spot"),
        "parlour_sequence_builder(length=3,pool=7)",
    ],
)
def test_their_value_iteration_finds_the_winner_in_every_position(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """``tests/proofs/test_openspiel.py`` has Sequence Spot."""
    value_iteration_finds_the_winner(name, monkeypatch)


@pytest.mark.parametrize("name", [*SMALL.values(), "parlour_sequence_spot(deals=2)"])
def test_equal_strings_mean_the_same_rest_of_the_game(name: str) -> None:
    """Same player to move, same actions, same result: algorithms look states up by any of these strings."""
    told: dict[tuple[str, str], Any] = {}
    for state in every_state(pyspiel.load_game(name), 1000):
        rest = (state.current_player(), state.legal_actions(), state.returns(), state.position, state.deal)
        for kind, text in {
            "str": str(state),
            "observation": state.observation_string(0),
            "information": state.information_state_string(1),
        }.items():
            assert told.setdefault((kind, text), rest) == rest


def test_pickled_games_load_in_a_fresh_process() -> None:
    games = [pyspiel.load_game(name) for name in [*SMALL.values(), "parlour_sequence_spot(deals=3)"]]
    load = "import pickle, sys; print(*(game.new_initial_state().get_game() for game in pickle.load(sys.stdin.buffer)))"
    fresh = subprocess.run([sys.executable, "-c", load], input=pickle.dumps(games), capture_output=True, check=False)
    assert fresh.stderr.decode() == ""
    assert fresh.stdout.decode().split() == [str(game) for game in games]


@every_game
def test_their_mcts_plays_our_games(key: str) -> None:
    game = pyspiel.load_game(SMALL[key])
    random = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 2, 30, mcts.RandomRolloutEvaluator(1, random), random_state=random)
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(bot.step(state))
    match = state.match()
    assert match.outcome is not None
    winner = match.outcome.winner
    assert state.returns() == ([0.0, 0.0] if winner is None else [3.0 - 2 * winner, 2.0 * winner - 3])


def test_the_grid_is_dealt_by_a_chance_node_or_given() -> None:
    game = pyspiel.load_game("parlour_sequence_spot(deals=5)")
    state = game.new_initial_state()
    assert state.is_chance_node()
    assert state.chance_outcomes() == [(outcome, 0.2) for outcome in range(5)]
    with pytest.raises(ValueError, match="there is no deal 5"):
        state.apply_action(5)
    grids = set()
    for outcome in range(5):
        dealt = state.child(outcome)
        assert dealt.current_player() == 0
        assert dealt.rules.options == parlour.new_match("sequence-spot", seed=outcome).options
        grids.add(dealt.rules.option_texts["grid"])
    assert len(grids) == 5
    given = pyspiel.load_game(SMALL["sequence-spot"])
    assert given.get_type().chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC
    assert given.new_initial_state().current_player() == 0


@pytest.mark.parametrize("name", [*SMALL.values(), "parlour_sequence_spot(deals=3)"])
def test_a_state_can_be_written_down_and_read_back(name: str) -> None:
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    while True:
        told = json.loads(state.to_struct().to_json())
        for twin in (
            pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))[1],
            pickle.loads(pickle.dumps(state)),
            copy.deepcopy(state),
            state.clone(),
            game.new_initial_state(told),
            game.new_initial_state(state.to_struct()),
        ):
            assert str(twin) == str(state)
            assert twin.history() == state.history()
            assert twin.legal_actions() == state.legal_actions()
        if state.is_terminal():
            break
        action = state.legal_actions()[-1]
        if not state.is_chance_node():
            struct = state.action_to_struct(state.current_player(), action)
            assert state.struct_to_actions(struct) == [action]
        state.apply_action(action)
    with pytest.raises(IllegalMove):
        game.new_initial_state({**told, "moves": told["moves"][:1] * 9})


@pytest.mark.parametrize("name", [*SMALL.values(), "parlour_sequence_spot(deals=3)"])
def test_tensors_tell_positions_and_histories_apart(name: str) -> None:
    game = pyspiel.load_game(name)
    recall = pyspiel.IIGObservationType(perfect_recall=True)
    rows: dict[str, dict[bytes, Any]] = {"position": {}, "history": {}}
    todo = [game.new_initial_state()]
    while todo:
        state = todo.pop()
        for kind, what in (("position", None), ("history", recall)):
            seen = make_observation(game, what)
            seen.set_from(state, 0)
            key = str(state) if kind == "position" else tuple(state.history())
            assert rows[kind].setdefault(seen.tensor.tobytes(), key) == key
            assert seen.string_from(state, 0) is not None
        if not state.is_terminal() and len(rows["history"]) < 3000:
            todo += [state.child(action) for action in state.legal_actions()]
    assert len(rows["history"]) > 20
    state = game.new_initial_state()
    assert len(state.observation_tensor(0)) == np.prod(game.observation_tensor_shape())
    assert len(state.information_state_tensor(1)) == np.prod(game.information_state_tensor_shape())


def test_what_may_not_be_played_changes_nothing() -> None:
    game = pyspiel.load_game("parlour_double_up(limit=4)")
    state = game.new_initial_state()
    with pytest.raises(IllegalMove, match="the double of"):
        state.apply_action(3)
    assert (str(state), state.history()) == (str(game.new_initial_state()), [])
    state.apply_action(2)
    state.apply_action(4)
    with pytest.raises(GameOver):
        state.apply_action(4)
    assert state.history() == [2, 4]
    assert state.returns() == [-1.0, 1.0]


@pytest.mark.parametrize("name", [SMALL["double-up"], SMALL["increasing-differences"], SMALL["sequence-builder"]])
def test_our_exploitability_is_theirs(name: str) -> None:
    """Of the random policy, and of one that always takes the highest: what their best response wins, added up."""
    game = pyspiel.load_game(name)
    rules = rules_of(game)

    def at_random(position: Any) -> dict[int, float]:
        legal = rules.legal(position)
        return dict.fromkeys(legal, 1 / len(legal))

    ours = parlour.measure_exploitability(rules, at_random)
    assert 2 * ours.given_away == pytest.approx(exploitability.nash_conv(game, UniformRandomPolicy(game)))
    highest = TabularPolicy(game)
    for state, row in zip(highest.states, highest.action_probability_array, strict=True):
        row[:] = 0
        row[state.legal_actions()[-1]] = 1
    ours = parlour.measure_exploitability(rules, lambda position: {rules.legal(position)[-1]: 1.0})
    assert 2 * ours.given_away == pytest.approx(exploitability.nash_conv(game, highest))
