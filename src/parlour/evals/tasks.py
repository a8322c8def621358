"""Inspect tasks: one for each game, one for all games and one for puzzles. Needs the extra ``evals``.

``inspect eval parlour/double_up --model ...`` finds this module by its entry point. ``docs/evals.md`` describes the
parameters, instances and metrics.

The provider ``parlour`` has models that need no network: ``--model parlour/level:3`` plays like that player, and
``parlour/says`` repeats a list of answers. They read the game from the metadata of a question, which other models don't
receive.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from parlour.arguments import check_choice
from parlour.catalog import list_games
from parlour.errors import BadArgument, BadName, MissingExtra, ParlourError
from parlour.evals.dialogue import ATTEMPTS, DISGUISES, PLAIN, Asked, Dialogue, make_disguise
from parlour.evals.instances import (
    DROPPED,
    FORFEIT,
    OPPONENT,
    POLICIES,
    PUBLIC,
    RANDOM_MOVE,
    RETRIES,
    Instance,
    PuzzleInstance,
    make_instances,
    make_puzzles,
    terms,
)
from parlour.evals.metrics import MEASURES, PERFECT, RANDOM, Sums, estimate, quotient, total
from parlour.game import Game
from parlour.match import Match
from parlour.names import DEFAULT_NAMES, MAX_NAME_LENGTH, check_new_names
from parlour.players import find_player
from parlour.record import read_record, write_record
from parlour.text import cleaned, clip
from parlour.version import __version__

try:
    from inspect_ai import Task, task
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import (
        ChatMessage,
        ChatMessageSystem,
        ChatMessageUser,
        GenerateConfig,
        ModelAPI,
        ModelOutput,
        ModelUsage,
        modelapi,
    )
    from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
    from inspect_ai.solver import Generate, Solver, TaskState, solver
    from inspect_ai.tool import ToolChoice, ToolInfo
except ImportError as missing:
    raise MissingExtra("the evaluation of language models needs Inspect", "evals") from missing

SAYS = "says"


class PlayerModel(ModelAPI):
    """A player of Parlour as a model; it answers only the questions of these tasks."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig | None = None,
        answers: list[str] | str = "",
        **model_args: Any,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config or GenerateConfig())
        self._answers = [answers] if isinstance(answers, str) else answers
        self._given = 0
        try:
            self._player = None if model_name == SAYS else find_player(model_name)
        except ParlourError as error:
            raise _prerequisite_error(error) from None

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        text = self._say(input[-1].metadata or {})
        output = ModelOutput.from_content(self.model_name, text)
        output.usage = ModelUsage()  # otherwise Inspect downloads a tokenizer to count tokens
        return output

    def _say(self, question: dict[str, Any]) -> str:
        if self._player is None:
            self._given += 1
            return self._answers[(self._given - 1) % len(self._answers)]
        match = read_record(question["record"])
        move = self._player.choose(match, match.setup.random("model", len(match.round.moves), self.model_name))
        disguise = make_disguise(question["disguise"], match.rules, question["seed"])
        return f"MOVE: {disguise.write(match.rules.spoken([move])[0])}"


def _prerequisite_error(error: ParlourError) -> Exception:
    """Return an error that Inspect shows in one line."""
    from inspect_ai._util.error import PrerequisiteError  # there is no public name

    return PrerequisiteError(str(error))


@modelapi(name="parlour")
def parlour_models() -> type[ModelAPI]:
    """Register the provider."""
    return PlayerModel


GAMES = 24  # default number in each task
VERSION = 1  # version of all tasks; raise it when the instances, the prompt or a score change
Item = Instance | PuzzleInstance


def read_item(metadata: dict[str, Any]) -> Item:
    """Return the instance of a sample."""
    return PuzzleInstance.read(metadata) if "puzzle" in metadata else Instance.read(metadata)


@solver
def play(attempts: int, legal_moves: bool, disguise: str, policy: str) -> Solver:
    """Play a game: ask the model for its moves until the game is over."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        item = read_item(state.metadata)
        players = ("human", item.opponent) if item.player == 1 else (item.opponent, "human")
        match = item.begin(DEFAULT_NAMES, players, state.epoch)
        chosen = make_disguise(disguise, match.rules, item.seed)
        dialogue = Dialogue(
            match, item.player, item, chosen, terms=terms(policy, attempts), attempts=attempts, list_legal=legal_moves
        )
        state.messages = [ChatMessageSystem(content=dialogue.system_prompt)]
        while (question := dialogue.question()) is not None:
            # For Parlour's own models; other models do not receive it.
            shown = {"record": write_record(match), "disguise": disguise, "seed": item.seed}
            state.messages.append(ChatMessageUser(content=question, metadata=shown))
            state = await generate(state)
            dialogue.answer(state.output.completion)
            _store(state, item, dialogue)
        _store(state, item, dialogue)
        return state

    return solve


def _store(state: TaskState, item: Item, dialogue: Dialogue) -> None:
    """Store the game so far, because a limit of Inspect may end it at any time."""
    state.store.set("record", write_record(with_names(dialogue.match, item, str(state.model))))
    state.store.set("asked", [list(turn) for turn in dialogue.asked])


def with_names(match: Match, item: Item, model: str) -> Match:
    """Return the match with the names of the model and its opponent."""
    mine, other = cleaned(model[:MAX_NAME_LENGTH]).strip(), item.opponent
    names = (mine, other) if item.player == 1 else (other, mine)
    try:
        check_new_names(names)
        return match.with_setup(replace(match.setup, names=names))
    except BadName:
        return match


@metric
def measures() -> Metric:
    """Return every metric with its interval, and the expectations of random and perfect play in the same games."""

    def calculate(scores: list[SampleScore]) -> Value:
        pairs = [(Sums(**each.score.as_dict()), each.sample_metadata or {}) for each in scores]  # type: ignore[arg-type]
        pairs = [(sums, metadata) for sums, metadata in pairs if sums.games]  # left out by the policy
        results: dict[str, str | int | float | bool | None] = {}
        for name in MEASURES:
            estimated = estimate([sums for sums, _ in pairs], name)
            if estimated is not None:
                results |= {name: estimated.value, f"{name}_low": estimated.low, f"{name}_high": estimated.high}
                for word in (RANDOM, PERFECT):
                    results[f"{name}_{word}"] = quotient(total(Sums(**metadata[word]) for _, metadata in pairs), name)
        return results

    return calculate


def _count(policy: str) -> Scorer:
    async def score(state: TaskState, target: Target) -> Score:
        item = read_item(state.metadata)
        record, turns = state.store.get("record"), state.store.get("asked")
        asked = [Asked(*turn) for turn in turns or []]
        if not record:  # a limit ended the game before the first answer
            record = write_record(item.begin(DEFAULT_NAMES, DEFAULT_NAMES))
        match = read_record(record)
        sums = item.count(match, asked, policy)
        explanation = item.explain(sums, match, asked, policy)
        return Score(value={**sums._asdict()}, explanation=explanation, metadata={"record": record})

    return score


@scorer(metrics=[measures()])
def forfeit() -> Scorer:
    """Score a game as lost at the first answer that is not a legal move."""
    return _count(FORFEIT)


@scorer(metrics=[measures()])
def retries() -> Scorer:
    """Score a game as lost when all attempts at a turn are used up."""
    return _count(RETRIES)


@scorer(metrics=[measures()])
def random_move() -> Scorer:
    """Score a game with the random moves made when all attempts were used up."""
    return _count(RANDOM_MOVE)


@scorer(metrics=[measures()])
def dropped() -> Scorer:
    """Leave out a game with an answer that was not a legal move."""
    return _count(DROPPED)


SCORERS: dict[str, Callable[[], Scorer]] = {
    FORFEIT: forfeit,
    RETRIES: retries,
    RANDOM_MOVE: random_move,
    DROPPED: dropped,
}


def _make_task(
    items: Callable[[], Sequence[Item]], *, legal_moves: bool, disguise: str, policy: str, attempts: int, split: str
) -> Task:
    """Return a task with the declared policy as its first scorer; bad parameters raise a one-line error."""
    try:
        check_choice("policy", policy, tuple(POLICIES))
        check_choice("disguise", disguise, DISGUISES)
        if type(attempts) is not int or not 1 <= attempts <= 20:
            raise BadArgument(f"bad attempts {clip(repr(attempts))}; allowed: a number from 1 to 20")
        samples = [_sample(item, split) for item in items()]
    except ParlourError as error:
        raise _prerequisite_error(error) from None
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
    """Return the function that creates a task of these games."""

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
    """Return a task of positions in which exactly one move preserves the value."""
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
