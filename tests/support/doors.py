"""One game through every interface that needs no server: the deal, the moves and the result that each one reports.

Needs numpy, pyspiel, pettingzoo and gymnasium.
"""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

import numpy as np
import pyspiel

import parlour
import parlour.adapters.openspiel
from parlour import record
from parlour.adapters.ggbench import custom_env
from parlour.adapters.gymnasium import ParlourEnv
from parlour.adapters.gymnasium_vector import ParlourVectorEnv
from parlour.adapters.openspiel import _show
from parlour.adapters.pettingzoo import env as pettingzoo_env
from parlour.evals.dialogue import PLAIN, Dialogue, make_disguise
from parlour.gtp.server import Engine
from parlour.match import Match
from parlour.options import declared, left_to_chance, show_words
from parlour.rules import Rules
from parlour.setup import Setup
from parlour.view import PLAYERS


class Told(NamedTuple):
    """What a record says of a game that was played out, beside names, seeds and dates."""

    options: str  # with what was dealt
    moves: list[str]
    result: str


def told_by(text: str) -> Told:
    match = record.read_record(text)
    assert len(match.rounds) == 1
    tag = text.partition('[Result "')[2].partition('"')[0]
    return Told(show_words(match.options), match.rules.names(match.round.moves), tag)


def told_of(match: Match) -> Told:
    return told_by(record.write_record(match))


# Each interface gets the options as chosen, the seed, and the moves as numbers.


def by_engine(rules: Rules, seed: int, moves: list[int]) -> Told:
    engine = Engine(parlour.find_player("random"), "1")
    dealt = Match(Setup(rules, seed=str(seed))).rules

    def ask(command: str) -> str:
        reply = engine.answer(command).strip()
        assert reply.startswith("="), reply
        return reply.removeprefix("=").strip()

    ask(f"game {rules.game.key}")
    ask("options " + show_words(dealt.options))
    for move in moves:
        assert dealt.name(move) in ask("legal").split()
        ask(f"play {dealt.name(move)}")
    assert ask("legal") == ""
    return told_of(engine._board)


def by_batch(rules: Rules, seed: int, moves: list[int]) -> Told:
    dealt = Match(Setup(rules, seed=str(seed))).rules
    batch = parlour.Batch(dealt, 3, autoreset="never")
    for move in moves:
        assert not batch.over.any()
        assert batch.masks()[1, move] == 1
        step = batch.step([move] * 3)
    assert step.ended.all()
    first, second = step.by_player()[2].tolist()
    result = {(1, -1): "1-0", (-1, 1): "0-1", (0, 0): "1/2"}[first, second]
    return Told(show_words(dealt.options), dealt.names(moves), result)


def by_pettingzoo(rules: Rules, seed: int, moves: list[int]) -> Told:
    env = pettingzoo_env(rules.game, **chosen(rules))
    env.reset(seed=seed)
    for ply, move in enumerate(moves):
        assert env.agent_selection == f"player_{ply % 2}"
        env.step(move)
    told = told_of(env.unwrapped.match)
    assert [env.rewards[f"player_{seat}"] for seat in (0, 1)] == points(told)
    return told


def by_gymnasium(rules: Rules, seed: int, moves: list[int]) -> Told:
    env = ParlourEnv(rules.game, opponent=None, **chosen(rules))
    env.reset(seed=seed)
    for move in moves:
        _, reward, terminated, _, info = env.step(move)
        assert "illegal" not in info
    told = told_of(env.match)
    assert terminated
    assert reward == points(told)[(len(moves) - 1) % 2]
    return told


def by_vector(rules: Rules, seed: int, moves: list[int]) -> Told:
    dealt = Match(Setup(rules, seed=str(seed))).rules
    env = ParlourVectorEnv(2, rules.game, opponent=None, **chosen(dealt))
    env.reset(seed=seed)
    for move in moves:
        _, rewards, ended, _, infos = env.step(np.array([move, move]))
        assert not infos["illegal"].any()
    assert ended.all()
    won = rewards[1] * (1 if len(moves) % 2 else -1)
    return Told(show_words(dealt.options), dealt.names(moves), {1: "1-0", -1: "0-1", 0: "1/2"}[int(won)])


def by_openspiel(rules: Rules, seed: int, moves: list[int]) -> Told:
    kinds = declared(rules.game.options)
    given: dict[str, Any] = {name: _show(kind, getattr(rules.packed, name)) for name, kind in kinds.items()}
    name = f"parlour_{rules.game.key.replace('-', '_')}"
    if not left_to_chance(rules.game.options):
        state = pyspiel.load_game(name, given).new_initial_state()
    else:
        state = pyspiel.load_game(name, {**given, "deals": seed + 1}).new_initial_state()
    if state.is_chance_node():
        state.apply_action(seed)
    for move in moves:
        state.apply_action(move)
    assert state.is_terminal()
    told = told_of(state.match())
    assert state.returns() == points(told)
    return told


def by_gg_bench(rules: Rules, seed: int, moves: list[int]) -> Told:
    env = custom_env(rules.game, **chosen(rules))()
    env.reset(seed=seed)
    for move in moves:
        assert move in env.valid_moves()
        _, reward, terminated, _, _ = env.step(move)
    told = told_of(env.match)
    assert terminated
    assert reward == points(told)[(len(moves) - 1) % 2]
    return told


class Script(NamedTuple):
    """Whoever moves in the other seat of an evaluation, and knows what comes next."""

    moves: list[int]

    def reply(self, match: Match, random: Random) -> int:
        return self.moves[len(match.round.moves)]

    def is_over(self, match: Match) -> bool:
        return match.outcome is not None


def by_questions(rules: Rules, seed: int, moves: list[int]) -> Told:
    """As a language model is asked for its moves in an evaluation."""
    match = Match(Setup(rules, seed=str(seed)))
    dialogue = Dialogue(match, PLAYERS[seed % 2], Script(moves), make_disguise(PLAIN, match.rules, "1"), terms="")
    while dialogue.question() is not None:
        spoken = match.rules.spoken([moves[len(match.round.moves)]])[0]
        dialogue.answer(f"That is hard to say.\nMOVE: {spoken}")
    assert all(turn.first == "legal" for turn in dialogue.asked)
    return told_of(match)


DOORS = (by_engine, by_batch, by_pettingzoo, by_gymnasium, by_vector, by_openspiel, by_gg_bench, by_questions)


def chosen(rules: Rules) -> dict[str, Any]:
    return {name: text for name, text in rules.option_texts.items() if text}


def points(told: Told) -> list[int]:
    return {"1-0": [1, -1], "0-1": [-1, 1]}.get(told.result, [0, 0])


def same(one: Told, other: Told) -> bool:
    """A drawn game is written as 1/2 where a draw is an end, and as undecided where more rounds could have followed."""
    return one[:2] == other[:2] and points(one) == points(other)
