"""The same game, the same story: at the terminal, by the engine protocol, over HTTP, in a batch and through every
adapter it has the same deal, the same moves and the same end."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import parlour
from parlour import catalog
from parlour.engine.search import compiles
from parlour.game import PASS, Game
from parlour.match import Match
from parlour.options import left_to_chance
from parlour.rules import LISTED_MOVES, Rules, read_rules
from parlour.setup import Setup
from parlour.store import open_store
from parlour.web.app import ServerSettings, make_app
from tests.support.adapters import needed
from tests.support.command import run_parlour
from tests.support.strategies import rules_of

needed("numpy")
needed("pyspiel")
needed("pettingzoo")
needed("gymnasium")
needed("mcp")
from starlette.testclient import TestClient  # noqa: E402

from tests.support.doors import DOORS, Told, by_gymnasium, chosen, same, told_by, told_of  # noqa: E402
from tests.support.mcp_client import Session, connected  # noqa: E402

LONGEST = 60  # moves of a game that is played over HTTP or MCP


def by_terminal(rules: Rules, seed: int, moves: list[int]) -> Told:
    options = [
        word for name, text in rules.option_texts.items() if text for word in (f"--{name.replace('_', '-')}", text)
    ]
    typed = "".join(f"{rules.name(move)}\n" for move in moves if move != PASS)
    run = run_parlour("play", rules.game.key, *options, "--seed", str(seed), stdin=typed)
    assert run.code == 0, run.err
    return told_by(run_parlour("export", "1").out)


def game_of(game: Game, rules: Rules, seed: int) -> tuple[Rules, list[int], Told]:
    """A random game of one round, played by the referee alone."""
    if "max_rounds" in rules.option_texts:
        rules = read_rules(game, {**chosen(rules), "max_rounds": "1"})
    match = Match(Setup(rules, seed=str(seed)))
    random = Random(seed)
    while match.outcome is None:
        match.play(random.choice(match.legal_moves))
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
def client() -> Iterator[TestClient]:
    with TestClient(make_app(open_store("sqlite://"), ServerSettings(rates=None))) as client:
        yield client


def by_http(client: TestClient, rules: Rules, seed: int, moves: list[int]) -> Told:
    dealt = Match(Setup(rules, seed=str(seed))).rules
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
def test_http_tells_the_same_story(client: TestClient, rules: Rules, seed: int) -> None:
    rules, moves, expected = game_of(rules.game, rules, seed)
    assume(len(moves) <= LONGEST)
    assert same(by_http(client, rules, seed, moves), expected)


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with connected() as session:
        yield session


def by_mcp(session: Session, rules: Rules, seed: int, moves: list[int]) -> Told:
    dealt = Match(Setup(rules, seed=str(seed))).rules
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
