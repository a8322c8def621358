"""The same game, the same story: at the terminal, by the engine protocol, over HTTP, in a batch and through every
adapter it has the same deal, the same moves and the same end."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import httpx
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import parlour
from parlour import catalog, record
from parlour.evals.dialogue import Dialogue
from parlour.evals.disguise import PLAIN, make_disguise
from parlour.game import PASS, Game
from parlour.gtp.server import Engine
from parlour.kernels.packing import compiles
from parlour.match import Match, Setup
from parlour.options import declared, left_to_chance, show_words
from parlour.rules import LISTED_MOVES, Rules, read_rules
from tests.support.adapters import needed
from tests.support.command import run_parlour
from tests.support.server import Server
from tests.support.strategies import rules_of

np = needed("numpy")
pyspiel = needed("pyspiel")
needed("pettingzoo")
needed("gymnasium")
needed("mcp")
import parlour.adapters.openspiel  # noqa: E402
from parlour.adapters.ggbench import custom_env  # noqa: E402
from parlour.adapters.gymnasium import ParlourEnv  # noqa: E402
from parlour.adapters.gymnasium_vector import ParlourVectorEnv  # noqa: E402
from parlour.adapters.openspiel import _show  # noqa: E402
from parlour.adapters.pettingzoo import env as pettingzoo_env  # noqa: E402
from tests.support.mcp_client import Session, connected  # noqa: E402

LONGEST = 60  # moves of a game that is played through every door


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


# Through each of the doors: the options as they were chosen, the seed, and the moves as numbers.


def by_terminal(rules: Rules, seed: int, moves: list[int]) -> Told:
    options = [
        word for name, text in rules.option_texts.items() if text for word in (f"--{name.replace('_', '-')}", text)
    ]
    typed = "".join(f"{rules.name(move)}\n" for move in moves if move != PASS)
    run = run_parlour("play", rules.game.key, *options, "--seed", str(seed), stdin=typed)
    assert run.code == 0, run.err
    return told_by(run_parlour("export", "1").out)


def by_engine(rules: Rules, seed: int, moves: list[int]) -> Told:
    engine = Engine(parlour.find_player("random"), "1")
    dealt = Match(Setup(rules.game, rules.options, seed=str(seed))).rules

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
    dealt = Match(Setup(rules.game, rules.options, seed=str(seed))).rules
    batch = parlour.Batch(dealt, 3, autoreset="never")
    for move in moves:
        assert not batch.over.any()
        assert batch.masks()[1, move] == 1
        step = batch.step([move] * 3)
    assert step.ended.all()
    first, second = step.by_seat()[2].tolist()
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
    dealt = Match(Setup(rules.game, rules.options, seed=str(seed))).rules
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
    given: dict[str, Any] = {name: _show(kind, getattr(rules.options, name)) for name, kind in kinds.items()}
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
    match = Match(Setup(rules.game, rules.options, seed=str(seed)))
    dialogue = Dialogue(match, seed % 2, Script(moves), make_disguise(PLAIN, match.rules, "1"), terms="")
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


def game_of(game: Game, rules: Rules, seed: int) -> tuple[Rules, list[int], Told]:
    """A random game of one round, played by the referee alone."""
    if "max_rounds" in rules.option_texts:
        rules = read_rules(game, {**chosen(rules), "max_rounds": "1"})
    match = Match(Setup(game, rules.options, seed=str(seed)))
    random = Random(seed)
    while match.outcome is None:
        match.play(random.choice(match.legal))
    return rules, list(match.round.moves), told_of(match)


@st.composite
def some_rules(draw: st.DrawFn) -> Rules:
    """A game under any options, as they are chosen: what is dealt is left to chance half of the time."""
    game = catalog.find_game(draw(st.sampled_from(catalog.keys())))
    rules = draw(rules_of(game))
    assume(compiles(rules))
    assert rules.bounds is not None
    assume(rules.bounds.moves <= LISTED_MOVES)  # an engine lists no more, and says so
    if left_to_chance(game.options) and draw(st.booleans()):
        texts = {name: text for name, text in chosen(rules).items() if name != "grid"}
        return read_rules(game, texts)
    return rules


@given(some_rules(), st.integers(0, 200))
@settings(deadline=None, max_examples=40)
def test_every_door_that_needs_no_server_tells_the_same_story(rules: Rules, seed: int) -> None:
    rules, moves, expected = game_of(rules.game, rules, seed)
    assume(len(moves) <= 10 * LONGEST)
    for door in DOORS:
        assert same(door(rules, seed, moves), expected), door.__name__


@given(some_rules(), st.integers(0, 200))
@settings(deadline=None, max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_terminal_tells_the_same_story(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory, rules: Rules, seed: int
) -> None:
    rules, moves, expected = game_of(rules.game, rules, seed)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
    assert same(by_terminal(rules, seed, moves), expected)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    server = Server(f"sqlite:///{tmp_path_factory.mktemp('web')}/web.sqlite3", "--unlimited")
    try:
        with server.client() as client:
            yield client
    finally:
        server.stop()


def by_http(client: httpx.Client, rules: Rules, seed: int, moves: list[int]) -> Told:
    dealt = Match(Setup(rules.game, rules.options, seed=str(seed))).rules
    made = client.post(
        "/api/challenge/open", json={"game": rules.game.key, "options": chosen(dealt), "first": "me"}
    ).json()
    joined = client.post(f"/api/matches/{made['id']}/join", json={"invite": made["invite"]}).json()
    place = f"/api/matches/{made['id']}"
    for ply, move in enumerate(moves):
        if move != PASS:  # the server passes for whoever can do nothing else
            secret = (made["seat"], joined["seat"])[ply % 2]
            answer = client.post(
                f"{place}/move",
                json={"move": dealt.name(move), "ply": ply},
                headers={"Authorization": f"Bearer {secret}"},
            )
            assert answer.status_code == 200, answer.text
    return told_by(client.get(f"{place}/record").text)


@given(some_rules(), st.integers(0, 200))
@settings(deadline=None, max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_http_tells_the_same_story(client: httpx.Client, rules: Rules, seed: int) -> None:
    rules, moves, expected = game_of(rules.game, rules, seed)
    assume(len(moves) <= LONGEST)
    assert same(by_http(client, rules, seed, moves), expected)


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with connected() as session:
        yield session


def by_mcp(session: Session, rules: Rules, seed: int, moves: list[int]) -> Told:
    dealt = Match(Setup(rules.game, rules.options, seed=str(seed))).rules
    made = session.ask("start_game", game=rules.game.key, options=chosen(dealt), opponent="invitation", first="me")
    match = made["match"]
    joined = session.ask("join_game", match=match, invitation=made["invitation"])
    for ply, move in enumerate(moves):
        if move != PASS:  # the service passes for whoever can do nothing else
            secret = (made["seat"], joined["seat"])[ply % 2]
            session.ask("play", match=match, seat=secret, move=dealt.name(move), ply=ply)
    return told_by(session.ask("read_record", match=match)["record"])


@given(some_rules(), st.integers(0, 200))
@settings(deadline=None, max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_mcp_tells_the_same_story(session: Session, rules: Rules, seed: int) -> None:
    rules, moves, expected = game_of(rules.game, rules, seed)
    assume(len(moves) <= LONGEST)
    assert same(by_mcp(session, rules, seed, moves), expected)


def test_a_different_story_would_be_noticed() -> None:
    rules, moves, expected = game_of(catalog.find_game("sequence-spot"), parlour.rules_of("sequence-spot"), 3)
    assert not same(by_gymnasium(rules, 4, moves), expected), "another deal"
