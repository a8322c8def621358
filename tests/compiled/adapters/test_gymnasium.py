"""Gymnasium: its own checker, opponents and players, what becomes of wrong actions, and many games at once."""

from __future__ import annotations

from typing import Any

import pytest

import parlour
from parlour.errors import BadOptions, ParlourError, UnknownPlayer
from parlour.view import PLAYERS, PlayerNumber
from tests.support.adapters import EXTREME, default_and_extreme, every_game, needed, small, ways_to

gymnasium = needed("gymnasium")
import numpy as np  # noqa: E402
from gymnasium.error import InvalidAction, ResetNeeded  # noqa: E402
from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402

from parlour.adapters.gymnasium import ParlourEnv  # noqa: E402
from parlour.adapters.gymnasium_vector import ParlourVectorEnv  # noqa: E402


def environment_id(key: str) -> str:
    return f"parlour/{parlour.find_game(key).title.replace(' ', '')}-v0"


# One game.


@pytest.mark.parametrize("opponent", ["random", None])
@default_and_extreme
def test_it_passes_gymnasiums_own_check(key: str, options: dict[str, Any], opponent: str | None) -> None:
    check_env(gymnasium.make(environment_id(key), opponent=opponent, **options).unwrapped)


@pytest.mark.parametrize("player", PLAYERS)
@every_game
def test_it_passes_as_either_player_against_a_graded_opponent(key: str, player: PlayerNumber) -> None:
    check_env(gymnasium.make(environment_id(key), opponent="level:3", player=player, **small(key)).unwrapped)


def game_of(env: ParlourEnv, seed: int | None, choose: Any) -> tuple[float, list[int]]:
    """The last reward of one game, and the moves of both players."""
    _, info = env.reset(seed=seed)
    while True:
        _, reward, terminated, truncated, info = env.step(choose(info["action_mask"]))
        assert not truncated
        if terminated:
            assert info["action_mask"].nonzero()[0].tolist() == [0]
            return reward, env.match.round.moves


def first_legal(mask: Any) -> int:
    return int(mask.argmax())


def test_the_opponent_and_the_player_are_those_that_were_asked_for() -> None:
    perfect = ParlourEnv("double-up", opponent="perfect", player=2, limit=12)
    assert parlour.solve(perfect.match).value is parlour.Value.WIN
    assert {game_of(perfect, seed, first_legal)[0] for seed in range(5)} == {-1.0}, "nobody beats it from there"
    assert perfect.match.setup.players == ("perfect", "human")
    either = ParlourEnv("double-up", opponent="random")
    players = set()
    for seed in range(20):
        either.reset(seed=seed)
        players.add(either.player)
        assert either.match.turn == either.player, "it is always your turn"
    assert players == {1, 2}


def test_a_player_of_your_own_can_be_the_opponent() -> None:
    class Highest:
        def choose(self, match: Any, random: Any, limit: Any = None) -> int:
            return int(match.legal_moves[-1])

        def close(self) -> None:
            self.closed = True

    opponent = Highest()
    env = ParlourEnv("double-up", opponent=opponent, player=1, limit=12)
    assert game_of(env, 1, first_legal)[1] == [2, 4, 5, 10, 11, 12]
    env.close()
    assert opponent.closed


@every_game
def test_the_same_seed_is_the_same_game(key: str) -> None:
    env = ParlourEnv(key)
    assert game_of(env, 5, first_legal) == game_of(env, 5, first_legal)
    env.reset(seed=5)
    after = game_of(env, None, first_legal)
    env.reset(seed=5)
    assert game_of(env, None, first_legal) == after


def test_who_plays_both_sides_gets_the_reward_of_the_side_that_moved() -> None:
    env = ParlourEnv("double-up", opponent=None, limit=4)
    _, info = env.reset()
    assert info["player"] == 1
    _, reward, _, _, info = env.step(2)
    assert (reward, info["player"]) == (0.0, 2)
    _, reward, terminated, _, _ = env.step(np.int64(4))
    assert (reward, terminated) == (1.0, True)


def test_actions_that_are_not_allowed_are_refused_and_flagged() -> None:
    env = ParlourEnv("double-up", opponent=None)
    seen, info = env.reset()
    assert env.action_masks().dtype == np.bool_
    assert env.action_masks().nonzero()[0].tolist() == [2]
    again, reward, terminated, _, flagged = env.step(7)
    assert np.array_equal(again, seen)
    assert np.array_equal(flagged["action_mask"], info["action_mask"])
    assert (reward, terminated) == (0.0, False)
    assert "the double of" in flagged["illegal"]
    assert env.match.log == []
    assert "illegal" not in env.step(2)[4]


def test_they_can_cost_something_or_lose_the_game() -> None:
    costly = ParlourEnv("double-up", opponent=None, illegal="penalty")
    costly.reset()
    assert costly.step(7)[1:3] == (-1.0, False)
    assert costly.match.log == []
    strict = ParlourEnv("double-up", opponent="random", player=1, illegal="terminate")
    strict.reset()
    _, reward, terminated, _, info = strict.step(7)
    assert (reward, terminated) == (-1.0, True)
    assert info["action_mask"].nonzero()[0].tolist() == [0]
    assert strict.match.outcome == parlour.Outcome(2, "forfeited")


@pytest.mark.parametrize("action", [np.int64(2), np.uint8(2), np.array(2)])
def test_an_action_may_be_a_number_of_numpys(action: Any) -> None:
    env = ParlourEnv("double-up", opponent=None)
    env.reset()
    assert "illegal" not in env.step(action)[4]
    assert env.match.round.moves == [2]
    assert type(env.match.round.moves[0]) is int
    assert "illegal" in env.step(action)[4]


@pytest.mark.parametrize(
    "action",
    [101, -1, "2", 2.0, None, [2], np.array([2]), np.array([[2]]), np.array([2, 3]), np.array(2.0), np.array(True)],
)
def test_what_is_no_action_at_all_is_an_error(action: Any) -> None:
    env = ParlourEnv("double-up", opponent=None)
    env.reset()
    with pytest.raises(InvalidAction, match="not in the action space"):
        env.step(action)
    assert env.match.log == []


def test_an_array_of_one_action_is_refused_with_what_would_work() -> None:
    env = ParlourEnv("double-up", opponent=None)
    env.reset()
    wanted = r"array\(\[2\]\) is not in the action space Discrete\(101\); pass a single action, such as action.item\(\)"
    with pytest.raises(InvalidAction, match=wanted):
        env.step(np.array([2]))


def test_a_policy_that_repeats_a_refused_action_is_truncated() -> None:
    """What SB3's evaluate_policy does: play until an episode is over, with a policy that knows no masks."""
    for illegal in ("refuse", "penalty"):
        env = gymnasium.make("parlour/DoubleUp-v0", opponent="random", player=1, illegal=illegal, limit=12)
        for _ in range(2):
            env.reset(seed=1)
            terminated = truncated = False
            steps = 0
            while not (terminated or truncated):
                _, _, terminated, truncated, info = env.step(7)
                steps += 1
                assert steps <= 1000
            assert (terminated, truncated, steps) == (False, True, 4 * 11)  # 11 plies: 2, 3, ... 12
            assert info["action_mask"].any()
            with pytest.raises(ResetNeeded, match="truncated after 44 steps; call reset"):
                env.step(7)


@every_game
def test_no_legal_game_is_truncated(key: str) -> None:
    for options in [{}, *EXTREME.get(key, [])]:
        env = ParlourEnv(key, opponent=None, **options)
        assert env.max_steps >= 4
        assert env.max_steps == 4 * env.match.rules.bounds.plies
        _, info = env.reset(seed=1)
        ended = truncated = False
        while not ended:
            _, _, ended, truncated, info = env.step(first_legal(info["action_mask"]))
            assert not truncated


def test_a_match_without_a_limit_on_rounds_is_truncated_too() -> None:
    assert ParlourEnv("sequence-spot", whole_match=True, max_rounds=300).max_steps == 4 * 9 * 300
    assert ParlourEnv("sequence-spot", whole_match=True).max_steps == 4 * 9 * 100
    assert ParlourEnv("double-up", whole_match=True, limit=12).max_steps == 4 * 11


def test_nothing_goes_on_after_the_end_or_before_the_beginning() -> None:
    env = ParlourEnv("double-up", opponent=None, limit=2)
    with pytest.raises(ResetNeeded, match="call reset first"):
        env.step(2)
    env.reset()
    assert env.step(2)[2]
    with pytest.raises(ResetNeeded, match="the game is over"):
        env.step(3)


def test_a_game_that_the_opponent_ends_at_once_is_told_in_the_first_step() -> None:
    env = ParlourEnv("double-up", opponent="random", player=2, limit=2)
    _, info = env.reset()
    assert info["action_mask"].nonzero()[0].tolist() == [0]
    assert env.action_masks().nonzero()[0].tolist() == [0]
    assert env.step(0)[1:3] == (-1.0, True)
    with pytest.raises(ResetNeeded):
        env.step(0)


def test_what_makes_no_environment_is_refused() -> None:
    for wrong in ({"player": 0}, {"player": True}, {"illegal": "ignore"}, {"render_mode": "svg"}):
        with pytest.raises(ParlourError, match=f"bad {next(iter(wrong))}"):
            ParlourEnv("double-up", **wrong)  # type: ignore[arg-type]
    with pytest.raises(BadOptions, match="bad limit '1'"):
        gymnasium.make("parlour/DoubleUp-v0", limit=1)
    with pytest.raises(UnknownPlayer, match="genius"):
        gymnasium.make("parlour/DoubleUp-v0", opponent="genius")
    with pytest.raises(UnknownPlayer, match="a player is needed, not 5"):
        ParlourEnv("double-up", opponent=5)  # type: ignore[arg-type]


@every_game
def test_the_table_is_drawn_from_the_one_view(key: str) -> None:
    text = gymnasium.make(environment_id(key), render_mode="ansi", opponent=None)
    _, info = text.reset(seed=1)
    text.step(first_legal(info["action_mask"]))
    assert text.render() == str(text.unwrapped.match)
    pixels = gymnasium.make(environment_id(key), render_mode="rgb_array", opponent=None)
    _, info = pixels.reset(seed=1)
    before = pixels.render()
    pixels.step(first_legal(info["action_mask"]))
    assert before.shape == pixels.render().shape
    assert (before != pixels.render()).any(), "one sees what was played"


@every_game
def test_the_mask_is_what_the_referee_allows_in_every_position(key: str) -> None:
    one = ParlourEnv(key, opponent=None, **small(key))
    rules = one.match.rules
    ways = ways_to(rules)
    many = ParlourVectorEnv(len(ways), key, opponent=None, **small(key))
    many.reset()
    many.batch.reset(positions=list(ways), turns=[len(moves) % 2 + 1 for moves in ways.values()])
    rows = many.action_masks()
    for game, (position, moves) in enumerate(ways.items()):
        _, info = one.reset()
        for move in moves:
            *_, info = one.step(move)
        legal = list(rules.legal(position))
        assert info["action_mask"].nonzero()[0].tolist() == legal
        assert one.action_masks().nonzero()[0].tolist() == legal
        assert rows[game].nonzero()[0].tolist() == legal


# Many games.


def vector(key: str, games: int = 50, **arguments: Any) -> Any:
    return gymnasium.make_vec(
        environment_id(key), num_envs=games, vectorization_mode="vector_entry_point", **arguments
    ).unwrapped


@pytest.mark.parametrize("mode", list(AutoresetMode))
@every_game
def test_many_games_are_what_one_game_is(key: str, mode: AutoresetMode) -> None:
    """Every game of a vector sees, step by step, what an environment of its own would, through the end and after it."""
    many = vector(key, 20, opponent=None, autoreset_mode=mode, deals=3)
    rows, infos = many.reset(seed=4)
    assert many.metadata["autoreset_mode"] is mode
    assert rows in many.observation_space
    ones = [ParlourEnv(key, opponent=None, **many.batch.rules_at(game).option_texts) for game in range(20)]
    width = ones[0].observation_space.shape[0]
    for one in ones:
        one.reset()
    finished = 0
    for _ in range(30):
        waiting = many.batch.over.copy()
        if mode is AutoresetMode.DISABLED and waiting.any():
            rows, infos = many.reset(options={"reset_mask": waiting})
            for game in np.flatnonzero(waiting):
                ones[game] = fresh(key, many, game)
        actions = many.batch.random_moves().copy()
        rows, rewards, ended, truncated, infos = many.step(actions)
        assert not truncated.any()
        assert not infos["illegal"].any()
        for game, one in enumerate(ones):
            if mode is AutoresetMode.NEXT_STEP and waiting[game]:
                ones[game] = fresh(key, many, game)
                assert (rewards[game], ended[game]) == (0, False)
                continue
            row, reward, over, _, info = one.step(int(actions[game]))
            assert (rewards[game], ended[game]) == (reward, over)
            finished += over
            if mode is AutoresetMode.SAME_STEP and over:
                assert infos["_final_obs"][game]
                assert np.array_equal(infos["final_obs"][game][:width], row)
                ones[game] = fresh(key, many, game)
                row, info = ones[game]._seen()
            assert np.array_equal(rows[game][:width], row)
            assert np.array_equal(infos["action_mask"][game], info["action_mask"])
    assert finished > 5 or key == "double-up"


def fresh(key: str, many: Any, game: int) -> ParlourEnv:
    one = ParlourEnv(key, opponent=None, **many.batch.rules_at(game).option_texts)
    one.reset()
    return one


def test_the_grid_is_behind_the_position() -> None:
    many = vector("sequence-spot", 10, opponent=None, deals=4)
    one = ParlourEnv("sequence-spot", opponent=None)
    rows, _ = many.reset(seed=1)
    observer = one._episode.observer
    for game in range(10):
        rules = many.batch.rules_at(game)
        assert np.array_equal(rows[game], observer.row(rules.start, observer.dealt_bits(rules)))


def test_an_opponent_replies_within_the_step() -> None:
    perfect = vector("double-up", 40, opponent="perfect", player=2, limit=12, autoreset_mode="NextStep")
    perfect.reset(seed=1)
    rewards = np.concatenate([perfect.step(perfect.batch.random_moves())[1] for _ in range(30)])
    assert set(rewards) == {0.0, -1.0}


def test_fields_instead_of_bits() -> None:
    many = vector("increasing-differences", 8, opponent=None, observations="fields", masks=False, copy=False)
    rows, infos = many.reset(seed=1)
    assert rows in many.observation_space
    assert "action_mask" not in infos
    assert np.array_equal(rows, many.batch.fields.T)
    assert many.action_masks().shape == (8, 21)


def test_wrong_actions_in_many_games() -> None:
    many = vector("double-up", 3, opponent=None)
    with pytest.raises(ResetNeeded):
        many.step([2, 2, 2])
    many.reset()
    _, rewards, ended, _, infos = many.step([2, 7, 101])
    assert infos["illegal"].tolist() == [False, True, True]
    assert (rewards.tolist(), ended.any()) == ([0, 0, 0], False)
    for wrong in ([2], [[2, 3, 3]], [2.0, 2.0, 2.0], ["2", "3", "3"]):
        with pytest.raises(InvalidAction):
            many.step(wrong)
    costly = vector("double-up", 2, opponent=None, illegal="penalty")
    costly.reset()
    assert costly.step([2, 3])[1].tolist() == [0, -1]
    strict = vector("double-up", 2, opponent=None, illegal="terminate")
    strict.reset()
    assert strict.step([2, 3])[2].tolist() == [False, True]
    never = vector("double-up", 1, opponent=None, limit=2, autoreset_mode=AutoresetMode.DISABLED)
    never.reset()
    never.step([2])
    with pytest.raises(ResetNeeded):
        never.step([2])


@pytest.mark.parametrize("autoreset", list(AutoresetMode))
def test_no_mask_is_all_zeros_where_an_action_is_wanted(autoreset: AutoresetMode) -> None:
    many = vector("sequence-builder", 64, pool=12, autoreset_mode=autoreset)
    assert gymnasium.make_vec(environment_id("sequence-builder"), num_envs=1).metadata["autoreset_mode"] is (
        AutoresetMode.NEXT_STEP
    )
    _, infos = many.reset(seed=1)
    ends = 0
    for _ in range(30):
        mask = infos["action_mask"]
        assert mask.any(axis=1).all()
        assert (mask.nonzero()[1][many.batch.over[mask.nonzero()[0]]] == 0).all()
        _, _, ended, _, infos = many.step(mask.argmax(axis=1))
        assert not infos["illegal"].any()
        ends += ended.sum()
        if autoreset is AutoresetMode.DISABLED and ended.any():
            _, infos = many.reset(options={"reset_mask": ended})
    assert ends


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_gymnasiums_own_vector_environments_get_a_mask_at_the_end(mode: str) -> None:
    many = gymnasium.make_vec("parlour/DoubleUp-v0", num_envs=2, vectorization_mode=mode, limit=4, opponent=None)
    _, infos = many.reset(seed=1)
    for _ in range(6):
        _, _, _, _, infos = many.step(infos["action_mask"].argmax(axis=1))
        assert infos["action_mask"].any(axis=1).all()
    many.close()


@pytest.mark.parametrize("copied", [True, False])
def test_games_with_refused_actions_are_truncated_one_by_one(copied: bool) -> None:
    """Game 0 repeats a refused action, game 1 plays legal games of two moves and is never truncated."""
    most = 4 * 2  # a game up to 3 is over after 2 and 3
    for mode in AutoresetMode:
        many = vector("double-up", 2, opponent=None, limit=3, autoreset_mode=mode, copy=copied)
        many.reset(seed=1)
        many.step(np.array([2, 2]))
        truncated_at: list[int] = []
        for step in range(2, 41):
            reset_only = mode is AutoresetMode.NEXT_STEP and truncated_at[-1:] == [step - 1]
            _, _, ended, truncated, infos = many.step(np.array([0, many.action_masks()[1].argmax()]))
            assert not ended[0]
            assert not truncated[1]
            assert infos["illegal"].tolist() == [not reset_only, False]
            if truncated[0]:
                truncated_at.append(step)
                if mode is AutoresetMode.SAME_STEP:
                    assert infos["_final_obs"].tolist() == [True, ended[1]]
                    assert infos["final_obs"][0].tolist() == ([0, 1] if len(truncated_at) == 1 else [1, 0]), (
                        "the position at the end: 2, then 1"
                    )
                elif mode is AutoresetMode.NEXT_STEP:
                    assert many.batch.position(0) == ((2,) if len(truncated_at) == 1 else (1,)), "not yet reset"
            waiting = ended | truncated
            if mode is AutoresetMode.DISABLED and waiting.any():
                if truncated[0]:
                    with pytest.raises(ResetNeeded):
                        many.step(np.array([0, 0]))
                many.reset(options={"reset_mask": waiting.copy()})
        between = most + 1 if mode is AutoresetMode.NEXT_STEP else most
        assert truncated_at == list(range(most, 41, between))


def test_the_limit_of_steps_can_be_set() -> None:
    many = vector("double-up", 2, opponent=None, max_episode_steps=3)
    many.reset(seed=1)
    assert [many.step([0, 0])[3].tolist() for _ in range(4)] == [[False] * 2, [False] * 2, [True] * 2, [False] * 2]
    for wrong in (0, 2.0, np.array([2]), True):
        with pytest.raises(ParlourError, match="bad max_episode_steps"):
            vector("double-up", 2, max_episode_steps=wrong)


def test_a_seed_with_a_mask_counts_or_is_refused() -> None:
    one, two = (vector("sequence-spot", 4, opponent=None, deals=50) for _ in range(2))
    first, _ = one.reset(seed=3)
    two.reset(seed=4)
    again, _ = two.reset(seed=3, options={"reset_mask": np.ones(4, np.bool_)})
    assert np.array_equal(first, again)
    before = two.batch.fields.copy()
    with pytest.raises(ParlourError, match="a seed is for all games: leave out the seed, or reset all of them"):
        two.reset(seed=3, options={"reset_mask": np.array([True, False, True, True])})
    assert np.array_equal(two.batch.fields, before)
    for wrong in ([1, 0, 1, 1], [True], "all"):
        with pytest.raises(ParlourError, match="bad reset_mask"):
            two.reset(options={"reset_mask": wrong})


def test_what_makes_no_vector_is_refused() -> None:
    for wrong in ({"opponent": "level:3"}, {"observations": "pixels"}, {"player": 3}, {"illegal": "raise"}):
        with pytest.raises(ParlourError, match=f"bad {next(iter(wrong))}"):
            ParlourVectorEnv(2, "double-up", **wrong)  # type: ignore[arg-type]
    with pytest.raises(ParlourError, match="bad games"):
        ParlourVectorEnv(0, "double-up")


def test_gymnasiums_wrappers_work_on_many_games() -> None:
    counted = gymnasium.wrappers.vector.RecordEpisodeStatistics(vector("double-up", 30, opponent="random", limit=12))
    counted.reset(seed=1)
    lengths = []
    for _ in range(20):
        _, _, ended, _, infos = counted.step(counted.unwrapped.batch.random_moves())
        if ended.any():
            lengths += infos["episode"]["l"][ended].tolist()
    assert lengths
    assert max(lengths) <= 6
