"""How fast the environments for learners are, beside what they would use instead, in one run.

    python bench/agents.py [--without-pgx] [--pgx PYTHON]

- PettingZoo: our AEC environments beside PettingZoo's own tic-tac-toe, both as people use them, wrappers included. A
  turn is ``last``, the choice of a move from the mask, and ``step``; resets are part of it.
- Gymnasium: our step beside that of an environment written in the manner of gg-bench, with lists and loops over NumPy
  arrays, which makes the very same observations and masks: that they are the same is checked on the way.
- Gymnasium's vector environments: ours beside pgx's tic-tac-toe on the processor, 4,096 games at once, with moves that
  were drawn beforehand. pgx steps inside one compiled loop, as in ``bench/batch.py``, and makes masks and observations;
  ours is called from Python, step by step, once with both of them written out and once with neither.

What is compared is measured in turns, in processor time. The tables have the best run of each; a ratio is the median of
those of neighbouring runs, since a machine that others use is now faster and now slower.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial
from random import Random
from statistics import median
from time import perf_counter, process_time
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from pettingzoo.classic import tictactoe_v3

from batch import STEPS, Cost, started_pgx
from parlour import Batch, Game, find_game, list_games, rules_of
from parlour.adapters import pettingzoo
from parlour.adapters.gymnasium import ParlourEnv
from parlour.adapters.gymnasium_vector import ParlourVectorEnv

TURNS = 3_000  # of one measurement, with an environment for one game
REPEATS = 15
GAMES = 4096  # at once
WARM_UP = 60  # runs of a vector environment, after which it has changed to native code
JUDGED = "increasing-differences"
LEAST_PETTINGZOO, LEAST_GYMNASIUM, LEAST_BOTH, LEAST_NEITHER = 1, 2.2, 4, 10  # times as fast: what we allow ourselves
AIM_PETTINGZOO, AIM_GYMNASIUM, AIM_BOTH, AIM_NEITHER = 1, 3, 5, 20  # and what we aim at
LIKE_TIC_TAC_TOE = "sequence-spot"  # three by three cells as well, and judged beside it

Choose = Callable[[Any], int]


def chooser() -> Choose:
    """Picks one of the allowed actions of a mask: what every learner does in some way, the same for all."""
    draw = Random(1).random

    def choose(mask: Any) -> int:
        legal = mask.nonzero()[0]
        return int(legal[int(draw() * len(legal))])

    return choose


def measured(work: Callable[[], int]) -> float:
    """Processor time of a piece of work, for each of the turns that it says it has taken."""
    begin = process_time()
    turns = work()
    return (process_time() - begin) / turns


def agents_in_turn(env: Any) -> int:
    choose, turns = chooser(), 0
    while turns < TURNS:
        env.reset()
        for _ in env.agent_iter():
            seen, _, terminated, truncated, _ = env.last()
            env.step(None if terminated or truncated else choose(seen["action_mask"]))
            turns += not (terminated or truncated)
    return turns


class InTheirManner(gymnasium.Env[Any, Any]):
    """Increasing Differences as gg-bench writes its environments: NumPy arrays, looked at number by number."""

    def __init__(self, highest: int = 20, length: int = 4) -> None:
        self.highest, self.length = highest, length
        self.bits = highest.bit_length()
        self.action_space = spaces.Discrete(highest + 1)
        self.observation_space = spaces.Box(0, 1, (highest + 1 + 4 * self.bits,), np.int8)

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.available = np.ones(self.highest + 1, dtype=np.int8)
        self.available[0] = 0
        self.sequences = {1: np.zeros(self.length, dtype=np.int32), 2: np.zeros(self.length, dtype=np.int32)}
        self.lengths = {1: 0, 2: 0}
        self.current_player = 1
        self.done = False
        return self._get_observation(), {"action_mask": self._get_mask()}

    def valid_moves(self) -> list[int]:
        found = []
        sequence = self.sequences[self.current_player][: self.lengths[self.current_player]]
        for number in range(1, self.highest + 1):
            if self.available[number] == 1 and self._is_valid(sequence, number):
                found.append(number)
        return found

    def _is_valid(self, sequence: Any, number: int) -> bool:
        if len(sequence) < 2:
            return True
        return bool(abs(number - sequence[-1]) > abs(sequence[-1] - sequence[-2]))

    def _get_mask(self) -> Any:
        mask = np.zeros(self.highest + 1, dtype=np.int8)
        mask[0 if self.done else self.valid_moves()] = 1
        return mask

    def _get_observation(self) -> Any:
        parts = [self.available.copy()]
        for player in (self.current_player, 3 - self.current_player):
            sequence = self.sequences[player][: self.lengths[player]]
            gap = abs(sequence[-1] - sequence[-2]) if len(sequence) > 1 else 0
            for number in (sequence[-1] if len(sequence) else 0, gap):
                parts.append(np.array([number >> bit & 1 for bit in range(self.bits)], dtype=np.int8))
        return np.concatenate(parts)

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        if action not in self.valid_moves():
            self.done = True
            return self._get_observation(), -10.0, True, False, {"action_mask": self._get_mask()}
        player = self.current_player
        self.available[action] = 0
        self.sequences[player][self.lengths[player]] = action
        self.lengths[player] += 1
        self.current_player = 3 - player
        self.done = self.lengths[player] >= self.length or not self.valid_moves()
        return self._get_observation(), float(self.done), self.done, False, {"action_mask": self._get_mask()}


def placements(env: Any, drawn: list[list[int]]) -> int:
    """Play these games; how many placements they have."""
    for actions in drawn:
        env.reset()
        for action in actions:
            env.step(action)
    return sum(map(len, drawn))


def drawn_games(ours: Any, theirs: Any) -> list[list[int]]:
    """Random games, in which both see the same."""
    choose, games = chooser(), []
    for _ in range(TURNS // 6):
        seen = [env.reset() for env in (ours, theirs)]
        actions: list[int] = []
        while True:
            assert np.array_equal(seen[0][0], seen[1][0])
            assert np.array_equal(seen[0][-1]["action_mask"], seen[1][-1]["action_mask"])
            assert seen[0][1:-1] == seen[1][1:-1]
            if len(seen[0]) > 2 and seen[0][2]:
                break
            actions.append(choose(seen[0][-1]["action_mask"]))
            seen = [env.step(actions[-1]) for env in (ours, theirs)]
        games.append(actions)
    return games


class Vector:
    """A vector environment at its start, and actions to play from there."""

    def __init__(self, game: Game, **arguments: Any) -> None:
        dealt = Batch(rules_of(game), 1, deals=1).deals[0]  # pgx has nothing to deal either
        self.env = ParlourVectorEnv(GAMES, game, opponent=None, copy=False, **arguments, **dealt.option_texts)
        self.env.reset(seed=1)
        ahead = self.env.batch.copy()
        self.actions = []
        for _ in range(STEPS):
            self.actions.append(ahead.random_moves(np.empty(GAMES, np.int64)))
            ahead.step(self.actions[-1])
        for _ in range(WARM_UP):
            self.once()

    def once(self) -> Cost:
        self.env.reset(seed=1)
        wall, processor = perf_counter(), process_time()
        for actions in self.actions:
            self.env.step(actions)
        steps = GAMES * STEPS
        return Cost(((perf_counter() - wall) / steps,), ((process_time() - processor) / steps,))


def judge(what: str, ratio: float, least: float, aim: float) -> bool:
    """Say how it went, and whether it is good enough."""
    print(f"{what}: {ratio:.1f} times as fast (at least {least}, the aim is {aim})", flush=True)
    return ratio >= least


def in_turn(works: dict[str, Callable[[], float]], repeats: int) -> tuple[dict[str, float], dict[str, float]]:
    """The best time of each, and how many times as fast as the first it is, in the median over neighbouring runs."""
    runs: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(repeats):
        for name, work in works.items():
            runs[name].append(work())
    first = next(iter(runs.values()))
    times = {name: median(a / b for a, b in zip(first, taken, strict=True)) for name, taken in runs.items()}
    return {name: min(taken) for name, taken in runs.items()}, times


def beside_pettingzoo() -> bool:
    envs = {"its tic-tac-toe": tictactoe_v3.env()}
    envs |= {game.title: pettingzoo.env(game) for game in list_games()}
    works = {name: partial(measured, partial(agents_in_turn, env)) for name, env in envs.items()}
    best, times = in_turn(works, REPEATS)
    print("| PettingZoo AEC | a turn | times |\n|---|---|---|")
    for name, ours in best.items():
        print(f"| {name} | {ours * 1e6:.1f} µs | {times[name]:.1f} |")
    return judge("PettingZoo AEC", min(list(times.values())[1:]), LEAST_PETTINGZOO, AIM_PETTINGZOO)


def beside_gg_bench() -> bool:
    ours, theirs = ParlourEnv(JUDGED, opponent=None), InTheirManner()
    games = drawn_games(ours, theirs)
    envs = {"in gg-bench's manner": theirs, "ours": ours}
    works = {name: partial(measured, partial(placements, env, games)) for name, env in envs.items()}
    best, times = in_turn(works, REPEATS)
    print(f"\n| Gymnasium, {find_game(JUDGED).title} | a placement | times |\n|---|---|---|")
    for name, taken in best.items():
        print(f"| {name} | {taken * 1e6:.1f} µs | {times[name]:.1f} |")
    return judge("Gymnasium", times["ours"], LEAST_GYMNASIUM, AIM_GYMNASIUM)


def beside_pgx(python: str | None) -> bool:
    with started_pgx(python, GAMES) as pgx:
        if pgx is None:
            return True
        ways: dict[str, Callable[[], Cost]] = {"pgx's tic-tac-toe": pgx}
        for game in list_games():
            ways[f"{game.title} with masks and observations"] = Vector(game).once
            ways[f"{game.title} without"] = Vector(game, observations="fields", masks=False).once
        works = {name: lambda once=once: once().processor for name, once in ways.items()}  # type: ignore[misc]
        best, times = in_turn(works, 2 * REPEATS)
        print(f"\n| {GAMES:,} games at once | processor's time for a step | times |\n|---|---|---|")
        for name, taken in best.items():
            print(f"| {name} | {taken * 1e9:.1f} ns | {times[name]:.1f} |")
        judged = find_game(LIKE_TIC_TAC_TOE).title
        both, neither = (times[f"{judged} {how}"] for how in ("with masks and observations", "without"))
        good = judge(f"vectors of {judged} with masks and observations", both, LEAST_BOTH, AIM_BOTH)
        return judge(f"vectors of {judged} without", neither, LEAST_NEITHER, AIM_NEITHER) and good


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--without-pgx", action="store_true")
    parser.add_argument("--pgx", metavar="PYTHON", help="an interpreter that has pgx")
    given = parser.parse_args()
    good = [beside_pettingzoo(), beside_gg_bench()]
    if not given.without_pgx:
        good.append(beside_pgx(given.pgx))
    sys.exit(not all(good))


if __name__ == "__main__":
    main()
