"""Pickles of matches: new ones are loaded as they were, and those from before version 0.2 can still be read.

`tests/compiled/adapters/test_pickles.py` has those of environments.
"""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import parlour
from parlour import catalog
from parlour.match import Match
from tests.support.tabletop import begin

OLD = Path(__file__).parents[1] / "fixtures" / "pickles"
OLD_MATCHES = sorted(path.stem for path in OLD.glob("*.parlour"))
LOAD = "import pickle, sys; import parlour; print(parlour.write_record(pickle.load(open(sys.argv[1], 'rb'))), end='')"
DEAD = "1,2,4,3,8,9,6,5,7"  # a grid without an arithmetic line


def load(name: str) -> Match:
    match: Match = pickle.loads((OLD / f"{name}.pickle").read_bytes())
    return match


def test_there_are_two_of_every_game() -> None:
    assert sorted(f"{kind}-{key}" for kind in ("match", "resigned") for key in catalog.keys()) == OLD_MATCHES


@pytest.mark.parametrize("name", OLD_MATCHES)
def test_an_old_pickle_is_the_match_of_its_record(name: str) -> None:
    match = load(name)
    record = (OLD / f"{name}.parlour").read_text(encoding="utf-8")
    assert parlour.write_record(match) == record
    read = parlour.read_record(record)
    assert (match.log, match.turn, match.outcome) == (read.log, read.turn, read.outcome)
    assert match.round == read.round
    assert match.rules == read.rules
    assert match.game is catalog.find_game(match.game.key)


def test_an_old_pickle_is_loaded_by_a_fresh_process() -> None:
    command = [sys.executable, "-c", LOAD, str(OLD / "resigned-sequence-spot.pickle")]
    loaded = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (loaded.stdout, loaded.stderr) == ((OLD / "resigned-sequence-spot.parlour").read_text(), "")


@pytest.mark.parametrize("key", catalog.keys())
def test_an_old_match_continues(key: str) -> None:
    match = load(f"resigned-{key}")
    assert match.winner == 1
    match.undo()
    assert match.outcome is None
    while match.legal_moves:
        match.play(match.legal_moves[0])
    again = parlour.read_record(parlour.write_record(match))
    assert again.log == match.log


def everything(match: Match) -> object:
    return match.setup, match.log, match.rounds, match.resigned, match.turn, match.outcome


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_is_loaded_as_it_was(protocol: int) -> None:
    match = begin("sequence-spot", "1,1 1,2", first=2, grid=DEAD, names=("Ann", "Ben"))
    match.next_round()
    match.play("1,1")
    for resigned in (False, True):
        if resigned:
            match.resign(2, forfeit=True)
        loaded = pickle.loads(pickle.dumps(match, protocol))
        assert everything(loaded) == everything(match)
        assert everything(pickle.loads(pickle.dumps(loaded, protocol))) == everything(match)
        assert loaded.game is match.game


def test_a_game_of_the_catalog_is_pickled_as_its_name() -> None:
    game = catalog.find_game("double-up")
    assert pickle.loads(pickle.dumps(game)) is copy.copy(game) is copy.deepcopy(game) is game
    assert len(pickle.dumps(game)) < 100


def test_a_game_outside_the_catalog_is_pickled_with_its_functions() -> None:
    from tests.support.foreign_games import chomp

    loaded = pickle.loads(pickle.dumps(Match(parlour.Setup(parlour.Rules(chomp.GAME, chomp.GAME.defaults)))))
    assert loaded.game is not chomp.GAME
    assert loaded.game.rules.start is chomp.GAME.rules.start
    assert loaded.legal_names == Match(parlour.Setup(parlour.Rules(chomp.GAME, chomp.GAME.defaults))).legal_names
