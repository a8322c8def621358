"""Inspect runs the tasks: offline, with models of our own that land on the floor and the ceiling, and with rubbish."""

from __future__ import annotations

import csv
import importlib
import sys
from collections.abc import Callable
from importlib.metadata import entry_points
from inspect import signature
from pathlib import Path
from typing import Any

import pytest

import parlour
from parlour.errors import MissingExtra
from parlour.evals.instances import DROPPED, FORFEIT, POLICIES, RANDOM_MOVE, RETRIES, terms
from parlour.evals.leaderboard import Terms, read_runs
from tests.support.adapters import needed
from tests.support.command import run_parlour

needed("inspect_ai")
needed("pettingzoo")
needed("pyspiel")
from inspect_ai.log import write_eval_log  # noqa: E402
from inspect_ai.model import get_model  # noqa: E402

from parlour.evals.tasks import TASKS, PlayerModel  # noqa: E402
from tests.support.doors import DOORS, points, told_by  # noqa: E402
from tests.support.evaluations import (  # noqa: E402
    is_at_the_ceiling,
    is_on_the_floor,
    lands_where_expected,
    metrics,
    run_task,
    solves_puzzles_by_chance,
)

Evaluate = Callable[..., Any]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("logs")


@pytest.fixture(scope="module")
def run(folder: Path) -> Evaluate:
    """Run a task with a model; return its log, which is also a file below the folder of logs."""

    def run(task: str, model: Any, leader: bool = False, **parameters: Any) -> Any:
        place = folder / (parameters.get("disguise", "plain") if leader else "other")
        return run_task(task, model, place, **parameters)

    return run


def says(*answers: str) -> Any:
    return get_model("parlour/says", answers=list(answers), memoize=False)


def test_there_is_a_task_for_each_game_one_for_all_and_one_for_puzzles() -> None:
    names = [game.key.replace("-", "_") for game in parlour.list_games()]
    assert [*TASKS] == [*names, "suite", "puzzles"]
    assert {found.value for found in entry_points(group="inspect_ai", name="parlour")} == {"parlour.evals.tasks"}
    assert isinstance(get_model("parlour/perfect").api, PlayerModel)


# ``tests/proofs/test_evals.py`` repeats the comparisons with chance with more games.


@pytest.mark.parametrize("disguise", ["plain", "relabelled"])
def test_a_perfect_model_lands_on_the_ceiling(run: Evaluate, disguise: str) -> None:
    is_at_the_ceiling(run("double_up", "parlour/perfect", games=12, disguise=disguise))


def test_a_random_model_lands_on_the_floor(run: Evaluate) -> None:
    is_on_the_floor(run("double_up", "parlour/random", epochs=2, games=16, opponent="level:1"))


@pytest.fixture(scope="module")
def suite_of_random_play(run: Evaluate) -> Any:
    """The log of four games of each kind, played by a random model."""
    return run("suite", "parlour/random", games=4)


def test_in_every_game_a_random_model_lands_on_the_floor(suite_of_random_play: Any) -> None:
    lands_where_expected(suite_of_random_play, "random")


def test_in_every_game_a_perfect_model_lands_on_the_ceiling(run: Evaluate) -> None:
    lands_where_expected(run("suite", "parlour/perfect", games=4), "perfect")


def test_what_inspect_keeps_is_the_same_story_through_every_door(suite_of_random_play: Any) -> None:
    log = suite_of_random_play
    assert len(log.samples) == 4 * len(parlour.list_games())
    for sample in log.samples:
        kept = sample.store["record"]
        match = parlour.read_record(kept)
        rules = match.rules
        if "max_rounds" in rules.option_texts:
            rules = parlour.rules_of(rules.game, **{**rules.option_texts, "max_rounds": "1"})
        for door in DOORS:
            told = door(rules, 1, match.round.moves)
            assert told.moves == told_by(kept).moves, door.__name__
            assert points(told) == points(told_by(kept)), door.__name__


def test_a_model_that_answers_nonsense_is_counted_by_the_policy(run: Evaluate) -> None:
    log = run("double_up", says("Dear player, I would rather not.", "", "x" * 100_000), games=4)
    for policy in (FORFEIT, RETRIES):
        found = metrics(log, policy)
        assert (found["points"], found["legality"], found["readability"]) == (0, 0, 0)
    assert metrics(log, RANDOM_MOVE)["points"] <= 1
    assert "points" not in metrics(log, DROPPED)  # nothing is left
    for sample in log.samples:
        assert parlour.read_record(sample.store["record"]).outcome is not None
        assert len(sample.store["asked"]) >= 1


def test_an_explanation_agrees_with_the_score_beside_it(run: Evaluate) -> None:
    """A model that plays well, but in some games answers nonsense first, and in some nothing else."""
    clumsy = get_model("parlour/perfect", memoize=False)
    answer = clumsy.api.generate

    async def generate(input: Any, *rest: Any, **named: Any) -> Any:
        output = await answer(input, *rest, **named)
        manner = int(input[-1].metadata["seed"][-1]) % 3
        if manner == 1 or (manner == 2 and "last attempt" not in input[-1].text):
            output.completion = "I had rather not say."
        return output

    clumsy.api.generate = generate  # type: ignore[method-assign]
    seen = set[tuple[str, str]]()
    for log in (run("double_up", clumsy, games=6, attempts=2), run("puzzles", clumsy, puzzles=5, attempts=2)):
        for sample in log.samples:
            for policy in POLICIES:
                score = sample.scores[policy]
                points, (verdict, _, why) = score.value["points"], score.explanation.partition(": ")
                assert (
                    verdict.startswith("left out;") if not score.value["games"] else verdict == f"{points:g} of 1 point"
                )
                if why and points == 1:
                    assert why.startswith(("parlour/perfect won", "solved"))
                elif why:
                    assert "perfect won" not in why
                    assert not why.startswith("solved")
                seen.add((policy, verdict.partition(";")[0]))
    assert seen >= {(policy, f"{points} of 1 point") for policy in (FORFEIT, RETRIES, RANDOM_MOVE) for points in (0, 1)}
    assert (DROPPED, "left out") in seen


def test_the_model_is_told_the_terms_of_the_declared_policy(run: Evaluate) -> None:
    log = run("sequence_builder", "parlour/random", games=1, policy=FORFEIT, attempts=1)
    told = log.samples[0].messages[0].text
    assert terms(FORFEIT, 1) in told
    assert "cost" not in told


def test_one_bad_answer_costs_what_the_policy_says(run: Evaluate) -> None:
    """A model that is told its mistake and then plays on: lost under one policy, and not under the others."""

    hasty = get_model("parlour/perfect", memoize=False)
    answer = hasty.api.generate

    async def generate(input: Any, *rest: Any, **named: Any) -> Any:
        output = await answer(input, *rest, **named)
        if "not allowed" not in input[-1].text:
            output.completion = "MOVE: 999"  # illegal, whatever the limit
        return output

    hasty.api.generate = generate  # type: ignore[method-assign]
    log = run("double_up", hasty, games=4)
    assert metrics(log, FORFEIT)["points"] == 0
    assert metrics(log, RETRIES)["conversion"] == 1
    assert (metrics(log, RETRIES)["legality"], metrics(log, RETRIES)["readability"]) == (0, 1)


def test_a_game_that_inspect_cuts_short_is_lost_and_nothing_crashes(run: Evaluate) -> None:
    log = run("double_up", "parlour/perfect", games=4, message_limit=2)
    assert metrics(log, RETRIES)["points"] <= 0.5
    assert all(sample.limit for sample in log.samples if parlour.read_record(_record(sample)).outcome is None)


def _record(sample: Any) -> str:
    record: str = sample.scores[RETRIES].metadata["record"]
    return record


def test_puzzles_from_floor_to_ceiling(run: Evaluate) -> None:
    found = metrics(run("puzzles", "parlour/perfect", puzzles=10), RETRIES)
    assert (found["points"], found["points_perfect"], found["accuracy"], found["regret"]) == (1, 1, 1, 0)
    solves_puzzles_by_chance(run("puzzles", "parlour/random", puzzles=30))


@pytest.mark.parametrize(
    ("parameters", "line"),
    [
        ({"opponent": "mcts:9"}, "'mcts:9' is not a graded player"),
        ({"disguise": "wig"}, "bad disguise 'wig'; allowed: plain,"),
        ({"policy": "mercy"}, "bad policy 'mercy'; allowed: forfeit,"),
        ({"split": "mine"}, "bad split 'mine'; allowed: public, held-out"),
        ({"attempts": 0}, "bad attempts 0; allowed: a number from 1 to 20"),
        ({"games": "many"}, "bad number of games 'many'; allowed: from 1 to 1000"),
    ],
)
def test_a_bad_parameter_is_one_line(parameters: dict[str, Any], line: str) -> None:
    from inspect_ai._util.error import PrerequisiteError

    with pytest.raises(PrerequisiteError) as refused:
        TASKS["double_up"](**parameters)
    assert str(refused.value.message).startswith(line)
    assert "\n" not in str(refused.value.message)


def test_without_the_extra_it_says_which_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "inspect_ai", None)
    monkeypatch.setitem(sys.modules, "inspect_ai.log", None)
    monkeypatch.delitem(sys.modules, "parlour.evals.tasks")
    needs = r"needs Inspect; install it with: .* -m pip install .*\[evals\]'$"
    with pytest.raises(MissingExtra, match=f"^the evaluation of language models {needs}"):
        importlib.import_module("parlour.evals.tasks")
    with pytest.raises(MissingExtra, match=f"^a leaderboard {needs}"):
        read_runs([str(tmp_path)])


# The leaderboard.


@pytest.fixture(scope="module")
def logs(run: Evaluate, folder: Path) -> Path:
    run("double_up", "parlour/perfect", games=4, leader=True)
    run("double_up", "parlour/random", games=4, leader=True)
    run("double_up", says("nonsense"), games=4, leader=True, disguise="mirrored")
    return folder


def first_words(text: str) -> list[str]:
    return [line.partition("  ")[0] for line in text.splitlines()]


def test_the_leaderboard_has_every_model_between_random_and_perfect_play(logs: Path, tmp_path: Path) -> None:
    table, games = tmp_path / "scores.csv", tmp_path / "games"
    given = [str(logs / "plain"), str(logs / "mirrored"), "--csv", str(table), "--records", str(games)]
    found = run_parlour("leaderboard", *given)
    assert found.code == 0, found.err
    mirrored, plain, last = found.out.strip().split("\n\n")
    for told, disguise in ((mirrored, "mirrored"), (plain, "plain")):
        assert told.splitlines()[:2] == [
            (
                f"double_up against level:3: 4 games of seed 0, {disguise}, public, legal moves not listed, "
                "3 attempts, policy retries"
            ),
            f"Parlour {parlour.__version__}, task version 1.",
        ]
    assert first_words(mirrored)[4:] == ["parlour/says (answers=['nonsense'])", "random play", "perfect play"]
    assert first_words(plain)[4:] == ["parlour/perfect", "parlour/random", "random play", "perfect play"]
    assert last.startswith("12 records in ")
    with open(table, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {row["policy"] for row in rows} == {*POLICIES}
    for row in rows:
        assert float(row["low"]) - 1e-9 <= float(row["value"]) <= float(row["high"]) + 1e-9
    perfect = [row for row in rows if row["model"] == "parlour/perfect" and row["score"] == "accuracy"]
    assert {row["value"] for row in perfect} == {"1.0"}
    records = sorted(games.glob("*.parlour"))
    assert len(records) == 12
    report = run_parlour("report", str(records[0]))
    assert report.code == 0, report.err
    assert "Accuracy" in report.out


def test_every_parameter_of_a_task_is_among_the_terms() -> None:
    """Otherwise runs that differ in it would be taken for one."""
    parameters = {name for task in TASKS.values() for name in signature(task).parameters}
    renamed = {"games": "size", "puzzles": "size", "policy": "declared_policy"}
    assert {renamed.get(name, name) for name in parameters} <= set(Terms._fields)


@pytest.fixture(scope="module")
def nonsense(run: Evaluate) -> Any:
    """The log of a run of two games."""
    return run("double_up", says("nonsense"), games=2)


def test_runs_under_unlike_terms_are_separate_tables(nonsense: Any, tmp_path: Path) -> None:
    parameters = {
        "games": 3, "opponent": "level:1", "legal_moves": True, "disguise": "renamed", "policy": FORFEIT, "attempts": 1,
        "seed": "1", "split": "held-out",
    }  # fmt: skip
    assert set(parameters) == set(nonsense.eval.task_args)
    changed = [nonsense]
    for name, value in parameters.items():
        log = nonsense.model_copy(deep=True)
        log.eval.task_args[name] = value
        if name in log.eval.metadata:
            log.eval.metadata[name] = value
        changed.append(log)
    older, oldest, other, limited = (nonsense.model_copy(deep=True) for _ in range(4))
    older.eval.metadata["version"] = "0.0.9"
    del oldest.eval.metadata["version"]
    other.eval.task_version = 7
    limited.eval.config.message_limit = 2
    changed += [older, oldest, other, limited]
    for number, log in enumerate(changed):
        write_eval_log(log, str(tmp_path / f"{number}.eval"))
    runs, unfinished = read_runs([str(tmp_path)])
    assert not unfinished
    assert (
        len(runs)
        == len({run.terms for run in runs})
        == len({(run.terms.description, run.terms.versions) for run in runs})
        == len(changed)
    )


def test_a_model_with_other_settings_is_another_row(nonsense: Any, tmp_path: Path) -> None:
    cool, hurried = (nonsense.model_copy(deep=True) for _ in range(2))
    cool.eval.model_generate_config.temperature = 0.5
    hurried.eval.model_generate_config.max_connections = 5  # changes no answer
    for number, log in enumerate((nonsense, cool, hurried)):
        write_eval_log(log, str(tmp_path / f"{number}.eval"))
    runs = read_runs([str(tmp_path)]).runs
    assert [(run.model, len(run.games), len(run.sums(RETRIES))) for run in runs] == [
        ("parlour/says (answers=['nonsense'])", 4, 2),
        ("parlour/says (answers=['nonsense'], temperature=0.5)", 2, 2),
    ]


def test_logs_that_did_not_finish_are_named(nonsense: Any, tmp_path: Path) -> None:
    half, empty = (nonsense.model_copy(deep=True) for _ in range(2))
    half.status, half.samples[1].scores = "cancelled", None
    empty.status, empty.samples = "error", None
    empty.eval.model, empty.eval.model_args = "parlour/level:1", {}
    for log, name in ((nonsense, "whole.eval"), (half, "half.eval"), (empty, "empty.eval")):
        write_eval_log(log, str(tmp_path / name))
    found = run_parlour("leaderboard", str(tmp_path))
    assert found.code == 0, found.err
    lines = found.out.splitlines()
    assert "half.eval did not finish (parlour/says (answers=['nonsense']), status cancelled): 1 game counted." in lines
    assert "empty.eval did not finish (parlour/level:1, status error): no game counted." in lines


def test_every_policy_can_be_seen(logs: Path) -> None:
    found = run_parlour("leaderboard", str(logs / "plain"), "--policy", "all")
    assert found.code == 0, found.err
    for policy, about in POLICIES.items():
        assert f"Policy {policy}: {about}." in found.out


def test_the_plot_comes_out_the_same_each_time(logs: Path, tmp_path: Path) -> None:
    needed("matplotlib")
    for name in ("one.svg", "two.svg"):
        assert run_parlour("leaderboard", str(logs / "plain"), "--plot", str(tmp_path / name)).code == 0
    one, two = ((tmp_path / name).read_text(encoding="utf-8") for name in ("one.svg", "two.svg"))
    assert one == two
    assert "parlour/perfect" in one
    refused = run_parlour("leaderboard", str(logs / "plain"), "--plot", str(tmp_path / "one.gif2"))
    assert (refused.code, refused.err.count("\n")) == (1, 1)
    assert refused.err.startswith("parlour: cannot draw ")


def test_what_is_not_a_log_of_ours_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "torn.eval").write_bytes(b"PK\3\4 torn")
    (tmp_path / "poem.json").write_text('{"rose": "red"}', encoding="utf-8")
    for given, line in (
        ("missing.eval", "there is no file"),
        ("nowhere", "there is no file"),
        ("empty", "there is no log in"),
        ("torn.eval", "is not a log of Inspect"),
        ("poem.json", "is not a log of Inspect"),
    ):
        found = run_parlour("leaderboard", str(tmp_path / given))
        assert (found.code, found.out) == (1, ""), given
        assert line in found.err
        assert found.err.count("\n") == 1, found.err
    assert run_parlour("leaderboard").code == 2
