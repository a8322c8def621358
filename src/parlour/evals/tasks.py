"""Inspect: a task for each game, one for all of them, and one for puzzles. Needs the extra ``evals``.

``inspect eval parlour/double_up --model ...`` finds this file by its entry point. ``docs/evals.md`` tells what the
parameters mean, how the instances are made and what every score is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from parlour.arguments import check_choice
from parlour.catalog import list_games
from parlour.errors import BadArgument, BadName, MissingExtra, ParlourError
from parlour.evals.chances import PERFECT, RANDOM
from parlour.evals.counting import DROPPED, FORFEIT, POLICIES, RANDOM_MOVE, RETRIES, terms
from parlour.evals.dialogue import ATTEMPTS, Asked, Dialogue
from parlour.evals.disguise import DISGUISES, PLAIN, make_disguise
from parlour.evals.instances import OPPONENT, PUBLIC, Instance, make_instances
from parlour.evals.puzzles import PuzzleInstance, make_puzzles
from parlour.evals.sums import MEASURES, Sums, estimate, quotient, total
from parlour.game import Game
from parlour.match import Match
from parlour.names import DEFAULT_NAMES, LONGEST_NAME, check_new_names
from parlour.record import read_record, write_record
from parlour.text import cleaned, clip
from parlour.version import __version__

try:
    from inspect_ai import Task, task
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ChatMessageSystem, ChatMessageUser
    from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
    from inspect_ai.solver import Generate, Solver, TaskState, solver
except ImportError as missing:
    raise MissingExtra("the evaluation of language models needs Inspect", "evals") from missing

from parlour.evals.provider import one_line

GAMES = 24  # of each task
VERSION = 1  # version of all tasks; raised when the games of given parameters, the prompt or a score change
Item = Instance | PuzzleInstance


def read_item(metadata: dict[str, Any]) -> Item:
    """What a sample is about."""
    return PuzzleInstance.read(metadata) if "puzzle" in metadata else Instance.read(metadata)


# What is played, and how.


@solver
def play(attempts: int, legal_moves: bool, disguise: str, policy: str) -> Solver:
    """Asks the model for its moves until the game is over, and keeps the record."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        item = read_item(state.metadata)
        players = ("human", item.opponent) if item.player == 1 else (item.opponent, "human")
        match = item.begin(DEFAULT_NAMES, players, state.epoch)
        mask = make_disguise(disguise, match.rules, item.seed)
        told = terms(policy, attempts)
        dialogue = Dialogue(match, item.player, item, mask, terms=told, attempts=attempts, list_legal=legal_moves)
        state.messages = [ChatMessageSystem(content=dialogue.rules_told)]
        while (question := dialogue.question()) is not None:
            # For our own models, and sent to no other.
            shown = {"record": write_record(match), "disguise": disguise, "seed": item.seed}
            state.messages.append(ChatMessageUser(content=question, metadata=shown))
            state = await generate(state)
            dialogue.answer(state.output.completion)
            _keep(state, item, dialogue)
        _keep(state, item, dialogue)
        return state

    return solve


def _keep(state: TaskState, item: Item, dialogue: Dialogue) -> None:
    """What is known of the game so far: a limit of Inspect's may end it at any time."""
    state.store.set("record", write_record(with_names(dialogue.match, item, str(state.model))))
    state.store.set("asked", [list(turn) for turn in dialogue.asked])


def with_names(match: Match, item: Item, model: str) -> Match:
    """The match with the names of who played it."""
    mine, other = cleaned(model[:LONGEST_NAME]).strip(), item.opponent
    names = (mine, other) if item.player == 1 else (other, mine)
    try:
        check_new_names(names)
        return match.with_setup(replace(match.setup, names=names))
    except BadName:
        return match


# How it is counted.


@metric
def measures() -> Metric:
    """Every score with its interval, and what random and perfect play can expect of the same games."""

    def reckon(scores: list[SampleScore]) -> Value:
        pairs = [(Sums(**each.score.as_dict()), each.sample_metadata or {}) for each in scores]  # type: ignore[arg-type]
        pairs = [(sums, metadata) for sums, metadata in pairs if sums.games]  # without those that are left out
        told: dict[str, str | int | float | bool | None] = {}
        for name in MEASURES:
            estimated = estimate([sums for sums, _ in pairs], name)
            if estimated is not None:
                told |= {name: estimated.value, f"{name}_low": estimated.low, f"{name}_high": estimated.high}
                for word in (RANDOM, PERFECT):
                    told[f"{name}_{word}"] = quotient(total(Sums(**metadata[word]) for _, metadata in pairs), name)
        return told

    return reckon


def _count(policy: str) -> Scorer:
    async def score(state: TaskState, target: Target) -> Score:
        item = read_item(state.metadata)
        record, turns = state.store.get("record"), state.store.get("asked")
        asked = [Asked(*turn) for turn in turns or []]
        if not record:  # a limit came before the first answer
            record = write_record(item.begin(DEFAULT_NAMES, DEFAULT_NAMES))
        match = read_record(record)
        sums = item.count(match, asked, policy)
        told = item.explain(sums, match, asked, policy)
        return Score(value={**sums._asdict()}, explanation=told, metadata={"record": record})

    return score


@scorer(metrics=[measures()])
def forfeit() -> Scorer:
    """The first answer that is not a legal move loses the game."""
    return _count(FORFEIT)


@scorer(metrics=[measures()])
def retries() -> Scorer:
    """The game is lost when all attempts at a turn are used up."""
    return _count(RETRIES)


@scorer(metrics=[measures()])
def random_move() -> Scorer:
    """When all attempts are used up, a random legal move is made, and the game goes on."""
    return _count(RANDOM_MOVE)


@scorer(metrics=[measures()])
def dropped() -> Scorer:
    """Games with an answer that was not a legal move are left out."""
    return _count(DROPPED)


SCORERS: dict[str, Callable[[], Scorer]] = {
    FORFEIT: forfeit,
    RETRIES: retries,
    RANDOM_MOVE: random_move,
    DROPPED: dropped,
}


# The tasks.


def _make_task(
    items: Callable[[], Sequence[Item]], *, legal_moves: bool, disguise: str, policy: str, attempts: int, split: str
) -> Task:
    """A task of these games, its declared policy first; a bad parameter is one line."""
    try:
        check_choice("policy", policy, tuple(POLICIES))
        check_choice("disguise", disguise, DISGUISES)
        if type(attempts) is not int or not 1 <= attempts <= 20:
            raise BadArgument(f"bad attempts {clip(repr(attempts))}; allowed: a number from 1 to 20")
        samples = [_sample(item, split) for item in items()]
    except ParlourError as error:
        raise one_line(error) from None
    order = [policy, *(other for other in POLICIES if other != policy)]
    declared = {
        "parlour": 1,
        "version": __version__,
        "policy": policy,
        "disguise": disguise,
        "legal_moves": legal_moves,
        "split": split,
    }
    return Task(
        dataset=MemoryDataset(samples),
        solver=play(attempts, legal_moves, disguise, policy),
        scorer=[SCORERS[each]() for each in order],
        metadata=declared,
        version=VERSION,
    )


def _check_count(count: int) -> int:
    if type(count) is not int or not 1 <= count <= 1000:
        raise BadArgument(f"bad number of games {clip(repr(count))}; allowed: from 1 to 1000")
    return count


def _sample(item: Item, split: str) -> Sample:
    metadata = {
        **item.as_metadata(),
        "split": split,
        "value": item.value.word,
        RANDOM: item.floor()._asdict(),
        PERFECT: item.ceiling()._asdict(),
    }
    title = f"{item.game}, {item.value.word} for the model"
    return Sample(id=item.id, input=title, metadata=metadata)


def _game_task(*chosen: Game) -> Callable[..., Task]:
    """A task of these games."""

    def make(
        games: int = GAMES,
        opponent: str = OPPONENT,
        legal_moves: bool = False,
        disguise: str = PLAIN,
        policy: str = RETRIES,
        attempts: int = ATTEMPTS,
        seed: str = "0",
        split: str = PUBLIC,
    ) -> Task:
        def items() -> list[Item]:
            count = _check_count(games)
            made = [make_instances(game, count, seed=str(seed), split=split, opponent=opponent) for game in chosen]
            return [item for each in made for item in each]

        return _make_task(
            items, legal_moves=legal_moves, disguise=disguise, policy=policy, attempts=attempts, split=split
        )

    return make


def _puzzle_task(
    puzzles: int = 50,
    legal_moves: bool = False,
    disguise: str = PLAIN,
    policy: str = RETRIES,
    attempts: int = ATTEMPTS,
    seed: str = "0",
    split: str = PUBLIC,
) -> Task:
    """Positions in which exactly one move holds what can be had."""
    return _make_task(
        lambda: make_puzzles(_check_count(puzzles), seed=str(seed), split=split),
        legal_moves=legal_moves,
        disguise=disguise,
        policy=policy,
        attempts=attempts,
        split=split,
    )


TASKS: dict[str, Callable[..., Task]] = {
    **{game.key.replace("-", "_"): task(name=game.key.replace("-", "_"))(_game_task(game)) for game in list_games()},
    "suite": task(name="suite")(_game_task(*list_games())),
    "puzzles": task(name="puzzles")(_puzzle_task),
}
