"""Games in lock-step: the same as the referee plays one by one, whatever is asked of them."""

from __future__ import annotations

import copy
import importlib
import pickle
import subprocess
import sys
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import parlour
from parlour import Batch, catalog
from parlour.batch.arrays import first_states
from parlour.batch.random_games import _first_state
from parlour.engine.search import compiles
from parlour.errors import BadArgument, BadPosition, IllegalMove, ParlourError, TooBig
from parlour.game import DRAWN, MOVER_WINS, ONGOING
from parlour.installation import install_command
from parlour.rules import Rules, rules_of
from tests.support.batch import Referee, agrees, played
from tests.support.foreign_games import FOREIGN
from tests.support.naive import minimax
from tests.support.strategies import games
from tests.support.strategies import rules_of as any_rules

SMALL = {
    "double-up": {"limit": 12},
    "increasing-differences": {"length": 3, "range": 7},
    "pyramid-challenge": {"base": 2, "highest": 5, "copies": 2},
    "sequence-builder": {"length": 3, "pool": 7},
    "sequence-spot": {"grid": "2,7,6,9,5,1,4,3,8"},
}
every_game = pytest.mark.parametrize("key", catalog.keys())
RUNTIMES: list[Any] = ["python", "wasm", "native"]
KERNELS = {"python": "_PythonKernels", "wasm": "SharedKernels", "native": "NativeKernels"}
every_runtime = pytest.mark.parametrize("runtime", RUNTIMES)
compiled_runtimes = pytest.mark.parametrize("runtime", RUNTIMES[1:])


# Equal to the referee.


@every_game
def test_every_step_is_the_referees(key: str) -> None:
    assert played(Batch(rules_of(key), 17, seed=4, runtime="python", deals=5), 60) > 17


@compiled_runtimes
@every_game
def test_every_compiled_step_is_the_referees(key: str, runtime: Any) -> None:
    """``tests/proofs/test_batch.py`` plays a hundred thousand steps of each game."""
    assert played(Batch(rules_of(key), 60, seed=5, runtime=runtime, threads=2, deals=50), 60) > 60


@pytest.mark.parametrize("autoreset", ["next_step", "never"])
@every_game
def test_new_games_begin_when_they_should(key: str, autoreset: str) -> None:
    batch = Batch(rules_of(key, **SMALL[key]), 9, seed=2, runtime="python", autoreset=autoreset)  # type: ignore[arg-type]
    ended = played(batch, 60, autoreset)
    assert ended == 9 if autoreset == "never" else ended > 9
    assert batch.over.all() == (autoreset == "never")


@given(games.flatmap(any_rules), st.integers(0, 2**40), st.sampled_from(["same_step", "next_step", "never"]))
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
def test_options_of_any_kind(rules: Rules, seed: int, autoreset: str) -> None:
    assert rules.bounds
    if rules.bounds.moves > 2000:
        rules = rules_of(rules.game.key, limit=rules.bounds.moves % 2000 + 2)
    if not compiles(rules):
        with pytest.raises(TooBig, match="is too large for a batch"):
            Batch(rules, 3)
        return
    played(Batch(rules, 3, seed=seed, runtime="python", autoreset=autoreset), 25, autoreset)  # type: ignore[arg-type]


@compiled_runtimes
@every_game
def test_compiled_options_of_any_kind(key: str, runtime: Any) -> None:
    """Compiled code has words of 64 bits: the largest games that fit have to come out the same."""

    @given(any_rules(catalog.find_game(key)), st.integers(0, 2**40))
    @settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
    def compiled_is_plain(rules: Rules, seed: int) -> None:
        if compiles(rules) and rules.bounds and rules.bounds.moves < 2000:
            played(Batch(rules, 5, seed=seed, runtime=runtime, threads=1), 25)

    compiled_is_plain()


def foreign(name: str, **options: Any) -> Rules:
    found = importlib.import_module(f"tests.support.foreign_games.{name}").GAME
    return rules_of(found, **options)


@every_runtime
def test_games_that_are_not_ours(runtime: Any) -> None:
    assert {path.stem for path in FOREIGN} == {"breakthrough", "chomp", "wythoff"}
    for rules in (
        foreign("chomp"),
        foreign("chomp", columns=8, rows=7),
        foreign("wythoff"),
        foreign("wythoff", left=2, right=1),
    ):
        batch = Batch(rules, 6, seed=3, runtime=runtime)
        assert played(batch, 30) >= 6
        assert type(batch._runner.kernels).__name__ == KERNELS[runtime]
    outside = foreign("breakthrough", columns=2, rows=3, pawns=1)
    if runtime == "native":
        with pytest.raises(ParlourError, match=r"^no native code: .*breakthrough\.py:\d+: this loop cannot"):
            Batch(outside, 6, runtime=runtime)
    else:
        batch = Batch(outside, 6, seed=3, runtime=runtime)
        assert played(batch, 30) >= 6
        assert type(batch._runner.kernels).__name__ == KERNELS["python"]


def test_a_game_that_does_not_fit_is_refused() -> None:
    for rules in (foreign("breakthrough"), foreign("wythoff", left=8, right=8), foreign("chomp", columns=8, rows=8)):
        with pytest.raises(TooBig, match="too large for a batch: its positions have to fit into 62 bits"):
            Batch(rules, 1)
    with pytest.raises(TooBig, match="need not end cannot be played in a batch; set a limit"):
        Batch(rules_of("double-up", limit=None), 1)


# The same however it is done.


def trace(batch: Batch, steps: int = 40) -> list[Any]:
    told: list[Any] = []
    for _ in range(steps):
        step = batch.step(batch.random_moves())
        told += [batch.fields.tolist(), *(array.tolist() for array in step), batch.turns.tolist()]
    return told


@pytest.mark.parametrize("opponent", [None, "random"])
@every_game
def test_compiled_or_not_and_with_any_number_of_threads(key: str, opponent: Any) -> None:
    def made(runtime: Any, threads: int) -> Batch:
        rules = rules_of(key)
        return Batch(rules, 8200, seed=9, runtime=runtime, threads=threads, deals=7, opponent=opponent, player="both")

    plain = trace(made("python", 1), 4)
    for runtime in ("wasm", "native"):
        assert plain == trace(made(runtime, 1), 4) == trace(made(runtime, 2), 4)


def test_large_work_is_compiled_on_the_way_and_nobody_notices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour.batch.kernels.PYTHON_STEPS", 100)
    rules = rules_of("double-up", limit=30)
    turning = Batch(rules, 5, seed=1)
    assert trace(turning) == trace(Batch(rules, 5, seed=1, runtime="python"))
    assert type(turning._runner.kernels).__name__ == "SharedKernels"


@pytest.mark.parametrize("name", ["step", "masks", "observations", "random_moves"])
def test_a_runtime_may_follow_within_any_call(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Arrays of the caller's own are not in the memory of WebAssembly."""
    rules = rules_of("double-up", limit=30)
    for steps in range(10, 100, 10):
        monkeypatch.setattr("parlour.batch.kernels.PYTHON_STEPS", steps)
        monkeypatch.setattr("parlour.batch.kernels.WASM_STEPS", 2 * steps)
        changing, plain = Batch(rules, 10, seed=1), Batch(rules, 10, seed=1, runtime="python")
        out = {
            "masks": np.zeros((10, 31), np.int8),
            "observations": np.zeros((10, 5), np.int8),
            "random_moves": np.zeros(10, np.int64),
        }
        for _ in range(12):
            if name in out:
                made = getattr(changing, name)(out=out[name])
                assert made is out[name]
                assert np.array_equal(made, getattr(plain, name)())
            moves = plain.copy().random_moves()
            changing.step(moves)
            plain.step(moves)
            assert np.array_equal(changing.fields, plain.fields)
        assert type(changing._runner.kernels).__name__ != "_PythonKernels"


def test_the_seed_decides_and_nothing_else() -> None:
    rules = rules_of("sequence-spot")
    one, two, other = (Batch(rules, 30, seed=seed, deals=20) for seed in (7, 7, 8))
    first = trace(one)
    assert first == trace(two)
    assert first != trace(other)
    other.reset(seed=7)
    assert first == trace(other)
    one.reset()
    assert trace(one) != first  # chance goes on


def test_numbers_may_be_of_numpy_types() -> None:
    rules = rules_of("double-up", limit=30)
    games: Any = np.int64(4)
    seed: Any = np.int64(7)
    for runtime in RUNTIMES:
        batch = Batch(rules, games, seed=seed, runtime=runtime)
        first = trace(batch, 5)
        assert trace(Batch(rules, 4, seed=7), 5) == first
        batch.reset(seed=seed)
        assert trace(batch, 5) == first


def test_a_game_plays_the_same_in_a_larger_batch() -> None:
    rules = rules_of("sequence-spot")
    small, large = Batch(rules, 5, seed=3, deals=20), Batch(rules, 50, seed=3, deals=20)
    for _ in range(30):
        small.step(small.random_moves())
        large.step(large.random_moves())
        assert np.array_equal(small.fields, large.fields[:, :5])


def test_asking_for_moves_changes_no_deal() -> None:
    rules = rules_of("sequence-spot")
    asked, quiet = Batch(rules, 8, seed=3, deals=20), Batch(rules, 8, seed=3, deals=20)
    for _ in range(40):
        moves = asked.random_moves()
        asked.step(moves)
        quiet.step(moves)
        assert np.array_equal(asked.fields, quiet.fields)


@pytest.mark.parametrize("seed", [0, 1, -5, 2**70])
def test_the_random_states_are_those_of_random_games(seed: int) -> None:
    assert first_states(seed, 5).tolist() == [_first_state(seed, game) for game in range(5)]


def test_random_moves_are_all_as_likely() -> None:
    batch = Batch(rules_of("increasing-differences", range=8, length=3), 20_000, seed=1, runtime="python")
    counts = np.bincount(batch.random_moves(), minlength=9)
    assert counts[0] == 0
    assert (abs(counts[1:] - 2500) < 6 * np.sqrt(2500 * 7 / 8)).all()


# Deals.


def test_each_game_has_its_own_deal() -> None:
    batch = Batch(rules_of("sequence-spot", deal="winnable"), 500, seed=1, deals=60)
    assert len(batch.deals) == 60
    grids = {batch.rules_at(game).options.grid for game in range(500)}  # type: ignore[attr-defined]
    assert len(grids) > 50
    assert all(batch.rules_at(game).start == batch.position(game) for game in range(500))
    assert all(batch.position(game).lines for game in range(500))  # type: ignore[attr-defined]


def test_what_is_given_is_not_dealt() -> None:
    rules = rules_of("sequence-spot", grid="1,2,3,4,5,6,7,8,9")
    batch = Batch(rules, 3)
    assert batch.deals == (rules,)
    assert batch.rules_at(2) == rules


# Given positions.


@every_game
def test_games_begin_where_they_are_told(key: str) -> None:
    rules, random = rules_of(key, **SMALL[key]), Random(1)
    positions, turns = [], []
    for plies in range(4):
        position = rules.start
        for _ in range(plies):
            if not rules.is_over(position):
                position = rules.play(position, random.choice(rules.legal(position)))
        positions.append(position)
        turns.append(plies % 2 + 1)
    batch = Batch(rules, 6, runtime="python")
    batch.step(batch.random_moves())
    before = batch.fields[:, [0, 5]].tolist()
    batch.reset(games=[1, 2, 3, 4], positions=positions, turns=turns)
    assert [batch.position(game) for game in range(1, 5)] == positions
    assert batch.turns.tolist() == [2, *turns, 2]
    assert batch.over.tolist() == [False, *map(rules.is_over, positions), False]
    assert batch.fields[:, [0, 5]].tolist() == before
    batch.reset(games=np.array([False, True, True, True, True, False]), positions=np.array(positions), turns=2)
    assert batch.turns.tolist() == [2] * 6
    batch.reset(games=[0])
    assert batch.position(0) == rules.start


def test_a_position_that_cannot_be_is_refused_and_nothing_changes() -> None:
    rules = rules_of("increasing-differences")
    batch = Batch(rules, 2)
    start = tuple(rules.start)
    for positions, why in (
        ([start, (0, 0, 0, 0, 0)], "numbers are taken"),
        ([start, (-2, 0, 0, 0, 0)], "pool is -2, and must be below"),
        ([start, (2**70, 0, 0, 0, 0)], "must be below"),
        ([start, (1, 2)], "give 5 numbers"),
        ([1, 2], "tuples like"),
    ):
        with pytest.raises(BadPosition, match=why):
            batch.reset(positions=positions)  # type: ignore[arg-type]
    with pytest.raises(ParlourError, match="1 positions are given for 2 games"):
        batch.reset(positions=[rules.start])
    with pytest.raises(ParlourError, match="bad turns"):
        batch.reset(positions=[rules.start] * 2, turns=[1, 3])
    with pytest.raises(ParlourError, match="turns go with positions"):
        batch.reset(turns=2)
    with pytest.raises(ParlourError, match="a seed is for all games"):
        batch.reset(seed=1, games=[0])
    for games_named in ([2], [-1], [True], [0.5], [[0]]):
        with pytest.raises(ParlourError, match="bad games"):
            batch.reset(games=games_named)
    with pytest.raises(ParlourError, match="positions cannot be given while the grid is dealt"):
        Batch(rules_of("sequence-spot"), 1, deals=2).reset(positions=[(0, 0, 0)])  # type: ignore[list-item]
    assert batch.position(0) == batch.position(1) == rules.start
    batch.reset(games=[])


# Wrong moves.

FAR = [-1, -(2**62), 21, 63, 64, 85, 149, 2**31, 2**62]  # 85 and 149 are 21 and more by 64s: a shift would not tell


@every_runtime
@pytest.mark.parametrize("move", FAR)
def test_a_wrong_move_is_refused_and_nothing_changes(move: int, runtime: Any) -> None:
    batch = Batch(rules_of("increasing-differences"), 5, runtime=runtime)
    batch.step([1, 2, 3, 4, 5])
    fields, told = batch.fields.copy(), batch.step([2, 3, 4, 5, 6])
    kept, fields = [array.copy() for array in told], batch.fields.copy()
    with pytest.raises(IllegalMove, match=r"^game 3: illegal move '.*': .*; legal: ") as refused:
        batch.step([7, 7, 7, move, move])
    assert refused.value.legal == "1-3, 6-20"
    assert np.array_equal(batch.fields, fields)
    assert all(np.array_equal(now, before) for now, before in zip(told, kept, strict=True))
    batch.step([7] * 5)


@every_runtime
@pytest.mark.parametrize("policy", ["ignore", "forfeit"])
@pytest.mark.parametrize("autoreset", ["same_step", "next_step", "never"])
def test_wrong_moves_by_the_declared_policy(policy: Any, autoreset: Any, runtime: Any) -> None:
    for key in catalog.keys():
        rules, random = rules_of(key, **SMALL[key]), Random(6)
        batch = Batch(rules, 12, runtime=runtime, wrong=policy, autoreset=autoreset)
        referee = Referee(batch, autoreset)
        for _ in range(25):
            moves = [
                random.choice(FAR) if random.random() < 0.2 else random.randrange(rules.bounds.moves)  # type: ignore[union-attr]
                for _ in range(12)
            ]
            wrong = [
                not referee.over[game] and move not in rules.legal(referee.positions[game])
                for game, move in enumerate(moves)
            ]
            step = batch.step(moves)
            rewards, ended, _ = referee.step(batch, moves, policy)
            assert step.refused.tolist() == wrong
            assert step.rewards.tolist() == rewards
            assert step.ended.tolist() == ended
            agrees(batch, referee)


@pytest.mark.parametrize(
    ("moves", "why"),
    [
        ([2.0, 2.0], "float64 is not a type of whole number"),
        ([True, True], "bool is not a type of whole number"),
        (["2", "2"], "is not a type of whole number"),
        ([2**70, 2], "object is not a type of whole number"),
        ([None, 2], "object is not a type of whole number"),
        ([[2], [2, 2]], "give whole numbers"),
        ([2], r"shape \(1,\); give one for each of the 2 games"),
        ([[2, 2]], r"shape \(1, 2\)"),
        (2, r"shape \(\)"),
        ([2, 2, 2], r"shape \(3,\)"),
    ],
)
def test_what_is_no_array_of_moves_is_refused(moves: Any, why: str) -> None:
    batch = Batch(rules_of("double-up"), 2)
    with pytest.raises(ParlourError, match=why):
        batch.step(moves)
    assert batch.fields.tolist() == [[1, 1]]


def test_moves_in_any_type_of_whole_numbers() -> None:
    for kind in ("int8", "uint8", ">i4", "int32", "int64", "uint64"):
        batch = Batch(rules_of("double-up"), 3)
        batch.step(np.array([2, 0, 2, 0, 2], kind)[::2])
        assert batch.fields.tolist() == [[2, 2, 2]]
        with pytest.raises(IllegalMove, match="game 0"):
            batch.step(np.full(3, np.iinfo(kind).max, kind))


# Arrays.


def test_what_is_handed_out_can_only_be_read() -> None:
    batch = Batch(rules_of("double-up"), 2)
    step = batch.step([2, 2])
    observations = batch.observations(), batch.final_observations()
    made = (batch.masks(), batch.packed_masks(), *observations, batch.random_moves(), batch.fields, batch.turns)
    for array in (*made, batch.over, *step):
        with pytest.raises(ValueError, match="read-only"):
            array[:1] = 0
    assert batch.masks().base is batch.masks().base  # the same memory each time


def test_arrays_of_ones_own_are_written_into() -> None:
    batch = Batch(rules_of("sequence-builder"), 4)
    rollout = np.full((3, 4, 21), 9, np.int8)
    assert batch.masks(rollout[1]) is not None
    assert rollout[1].tolist() == batch.masks().tolist()
    assert (rollout[[0, 2]] == 9).all()
    moves = np.zeros(4, np.int64)
    assert batch.random_moves(out=moves) is moves
    assert moves.all()
    for wrong in (
        np.zeros((4, 20), np.int8),
        np.zeros((4, 21)),
        np.zeros((4, 42), np.int8)[:, ::2],
        np.zeros((21, 4), np.int8).T,
        [[0] * 21] * 4,
        batch.masks(),
    ):
        with pytest.raises(ParlourError, match=r"bad out: .*; give a contiguous int8 array of shape \(4, 21\)"):
            batch.masks(wrong)  # type: ignore[arg-type]
    for observations in (np.zeros((4, 3), np.int8), [0, 1], 5):
        with pytest.raises(BadArgument, match="the last axis has to be"):
            batch.encoding.decode(observations)


def test_observations_are_decoded_from_arrays_and_lists() -> None:
    batch = Batch("double-up", 2)
    assert repr(batch.encoding) == "<Encoding of last: 7 columns>"
    assert batch.encoding.decode(batch.observations()).tolist() == [[1], [1]]
    assert batch.encoding.decode([0, 1, 1, 0, 0, 0, 0]).tolist() == [6]


def test_nothing_is_written_beside_an_array() -> None:
    """Eight numbers are written at once: what stands before and after has to stay."""
    for limit in (2, 6, 7, 8, 14, 15, 16, 40):
        rules = rules_of("double-up", limit=limit)
        assert rules.bounds
        for runtime in RUNTIMES:
            batch = Batch(rules, 3, runtime=runtime, threads=1)
            for width, ask in ((rules.bounds.moves, batch.masks), (batch.encoding.width, batch.observations)):
                memory = np.full(3 * width + 32, 7, np.int8)
                ask(memory[16:-16].reshape(3, width))
                assert (memory[:16] == 7).all()
                assert (memory[-16:] == 7).all()
                assert set(memory[16:-16].tolist()) <= {0, 1}


@every_runtime
@pytest.mark.parametrize("opponent", [None, "random", parlour.tabulate])
def test_a_copy_goes_on_alone(runtime: Any, opponent: Any) -> None:
    arguments: dict[str, Any] = {"runtime": runtime, "opponent": opponent, "player": "both"}

    def pickled(batch: Batch[Any, Any]) -> Batch[Any, Any]:
        copied: Batch[Any, Any] = pickle.loads(pickle.dumps(batch))
        return copied

    for duplicate in (Batch.copy, copy.copy, copy.deepcopy, pickled):
        batch = Batch(rules_of("sequence-spot"), 6, seed=2, deals=9, **arguments)
        trace(batch, 3)
        twin = duplicate(batch)
        before = batch.fields.copy()
        ahead = trace(twin)
        assert np.array_equal(batch.fields, before)
        assert trace(batch) == ahead


def test_the_work_of_copies_counts_until_the_kernels_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search copies the same batch again and again, and plays a few moves in each copy."""
    monkeypatch.setattr("parlour.batch.kernels.PYTHON_STEPS", 100)
    root = Batch(rules_of("double-up", limit=30), 10, seed=1)
    for _ in range(11):
        ahead = root.copy()
        ahead.masks()
    assert type(ahead._runner.kernels).__name__ == "SharedKernels"
    root.masks()
    assert type(root._runner.kernels).__name__ == "SharedKernels"


# Exact values.


@every_runtime
@every_game
def test_scores_are_those_of_minimax(key: str, runtime: Any) -> None:
    rules = rules_of(key, **SMALL[key])
    score = minimax(rules)
    batch = Batch(rules, 40, seed=3, runtime=runtime, autoreset="never")
    for step in range(8):
        known = [score(batch.position(game)) for game in range(40)]
        expected = ([found.value for found in known], [-1 if found.plies is None else found.plies for found in known])
        for exact in (parlour.tabulate, parlour.Solver)[: 1 + (step % 4 == 0)]:
            found = batch.scores(exact)
            assert (found.values.tolist(), found.plies.tolist()) == expected
        best = batch.perfect_moves(parlour.tabulate).copy()
        for game in np.flatnonzero(~batch.over):
            after = score(rules.play(batch.position(game), int(best[game])))
            assert after.value == -known[game].value
            assert after.plies == (None if known[game].plies is None else known[game].plies - 1)
        assert not best[batch.over].any()
        batch.step(batch.random_moves())


def test_best_moves_are_all_as_likely() -> None:
    rules = rules_of("double-up", limit=10)
    batch = Batch(rules, 4000, seed=1, runtime="python")
    batch.reset(positions=[rules.position([4])] * 4000)  # four moves, all of which lose in two plies
    counts = np.bincount(batch.perfect_moves(parlour.tabulate), minlength=9)
    assert (abs(counts[5:] - 1000) < 6 * np.sqrt(1000 * 3 / 4)).all()


def test_every_deal_has_its_own_scores() -> None:
    batch = Batch(rules_of("sequence-spot", deal="winnable"), 20, seed=3, deals=3, runtime="python")
    for _ in range(7):
        batch.step(batch.random_moves())
        scores = batch.scores(parlour.tabulate)
        for game in range(20):
            known = minimax(batch.rules_at(game))(batch.position(game))
            assert scores.values[game] == known.value


# Opponents.


@every_runtime
@pytest.mark.parametrize("player", [1, 2, "both"])
@pytest.mark.parametrize("autoreset", ["same_step", "next_step", "never"])
def test_an_opponent_answers_within_the_step(player: Any, autoreset: Any, runtime: Any) -> None:
    """Whatever it plays is legal, rewards are the caller's, and it is always the caller's turn."""
    for key in catalog.keys():
        rules = rules_of(key, **SMALL[key])
        batch = Batch(rules, 8, seed=5, opponent="random", player=player, autoreset=autoreset, runtime=runtime)
        players = [game % 2 + 1 if player == "both" else player for game in range(8)]
        openings = {rules.play(rules.start, move) for move in rules.legal(rules.start)}
        for _ in range(30):
            assert [turn for turn, over in zip(batch.turns, batch.over, strict=True) if not over] == [
                own for own, over in zip(players, batch.over, strict=True) if not over
            ]
            before, over = [batch.position(game) for game in range(8)], batch.over.copy()
            moves = batch.random_moves().copy()
            step = batch.step(moves)
            for game in range(8):
                fresh = openings if players[game] == 2 else {rules.start}
                now = batch.position(game)
                if over[game]:
                    assert now in fresh if autoreset == "next_step" else now == before[game]
                    assert not step.ended[game]
                    continue
                after = rules.play(before[game], int(moves[game]))
                mine = rules.result(after)
                possible = {(after, 0 if mine == DRAWN else -1 if mine == MOVER_WINS else 1)}
                if mine == ONGOING:
                    replies = [rules.play(after, reply) for reply in rules.legal(after)]
                    results = [rules.result(reply) for reply in replies]
                    ends = {0: 0, DRAWN: 0, MOVER_WINS: 1}
                    possible = {(reply, ends.get(found, -1)) for reply, found in zip(replies, results, strict=True)}
                if autoreset == "same_step" and step.ended[game]:
                    assert now in fresh
                    now = rules.position(batch.encoding.decode(batch.final_observations())[game].tolist())
                assert (now, step.rewards[game]) in possible
                assert step.ended[game] == rules.is_over(now)


def test_a_perfect_opponent_never_loses_a_won_game() -> None:
    rules = rules_of("double-up", limit=30)  # won by whoever begins
    batch = Batch(rules, 50, seed=1, opponent=parlour.tabulate, player=2, autoreset="never", runtime="python")
    total = np.zeros(50, int)
    while not batch.over.all():
        total += batch.step(batch.random_moves()).rewards
    assert total.tolist() == [-1] * 50


def test_a_perfect_opponent_for_every_deal() -> None:
    """With best play every grid is drawn, so nobody at random wins against it."""
    rules = rules_of("sequence-spot", deal="winnable")
    batch = Batch(rules, 30, seed=1, opponent=parlour.tabulate, player="both", deals=3, runtime="python")
    rewards = np.concatenate([batch.step(batch.random_moves()).rewards.copy() for _ in range(30)])
    assert rewards.max() == 0
    assert rewards.min() == -1


def test_an_opponent_may_end_the_game_before_one_has_moved() -> None:
    batch = Batch(rules_of("double-up", limit=2), 3, opponent="random", player=2)
    assert batch.over.all()
    assert batch.masks().tolist() == [[1, 0, 0]] * 3
    step = batch.step([0, 0, 0])
    assert step.ended.all()
    assert step.rewards.tolist() == [-1] * 3


def test_an_opponent_moves_first_where_it_is_its_turn() -> None:
    rules = rules_of("double-up", limit=30)
    batch = Batch(rules, 2, opponent=parlour.tabulate, player=1)
    position = rules.position([3])
    batch.reset(positions=[position, position], turns=[1, 2])
    assert batch.fields.tolist() == [[3, 6]]
    assert batch.turns.tolist() == [1, 1]


# Refusals.


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"games": 0}, "bad games 0; give a whole number of at least 1"),
        ({"games": 2.5}, "bad games 2.5"),
        ({"games": True}, "bad games True"),
        ({"games": np.array([2])}, r"bad games array\(\[2\]\)"),
        ({"seed": "x"}, "bad seed 'x'; give a whole number"),
        ({"threads": 0}, "bad threads 0"),
        ({"wrong": "laugh"}, "bad wrong 'laugh'; allowed: raise, ignore, forfeit"),
        ({"autoreset": "soon"}, "bad autoreset 'soon'; allowed: same_step, next_step, never"),
        ({"opponent": "perfect"}, "bad opponent 'perfect'; 'random', or a function that computes exact scores"),
        ({"player": 3}, "bad player 3; allowed: 1, 2, both"),
        ({"player": True}, "bad player True"),
    ],
)
def test_bad_arguments_are_named(arguments: dict[str, Any], why: str) -> None:
    with pytest.raises(ParlourError, match=why):
        Batch(rules_of("double-up"), **{"games": 2, **arguments})


def test_other_refusals() -> None:
    with pytest.raises(ParlourError, match="unknown game 'chess'"):
        Batch("chess", 2)
    with pytest.raises(ParlourError, match="bad deals 0"):
        Batch(rules_of("sequence-spot"), 2, deals=0)
    batch = Batch(rules_of("double-up", limit=9), 2)
    for game in (-1, 2, 1.0, None):
        with pytest.raises(ParlourError, match=f"there is no game {game}; from 0 to 1"):
            batch.position(game)  # type: ignore[arg-type]
    with pytest.raises(ParlourError, match="perfect play needs a table"):
        batch.perfect_moves(parlour.Solver)
    with pytest.raises(ParlourError, match="'table' computes no scores"):
        batch.scores("table")  # type: ignore[arg-type]


@pytest.mark.parametrize(("missing", "told"), [("numpy", install_command("batch")), ("wasmtime", "[[4, 4]]")])
def test_without_numpy_it_says_what_to_install_and_without_wasmtime_it_works(missing: str, told: str) -> None:
    code = (
        f"import sys; sys.modules[{missing!r}] = None\n"
        "from parlour import *\n"
        "try:\n"
        "    batch = Batch(rules_of('double-up'), 2, runtime='wasm')\n"
        "    batch.step([2, 2]), batch.step([4, 4])\n"
        "    print(batch.fields.tolist())\n"
        "except ParlourError as error:\n"
        "    print(error)\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told in run.stdout


def test_compiled_is_deprecated() -> None:
    with pytest.warns(DeprecationWarning, match=r"^compiled= is deprecated; use runtime='wasm'$") as caught:
        batch = Batch(rules_of("double-up"), 3, compiled=True)
    assert caught[0].filename == __file__
    batch.random_moves()
    assert type(batch._runner.kernels).__name__ == "SharedKernels"
