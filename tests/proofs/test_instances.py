"""The games of the evaluation, at every documented setting: balanced, decided by play, and the same in each release."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256

import pytest

import parlour
from parlour.errors import ParlourError
from parlour.evals.instances import HELD_OUT, OPPONENT, PUBLIC, Instance, make_instances, split_of
from parlour.evals.metrics import AT_RANDOM
from parlour.score import Value
from tests.support.naive import Textbook

COUNT = 6
DEFAULT_GAMES = 24
# Critical decisions that a lost start needs against opponents who err less often than level:3, which is 0.25 for 30 %.
AFTER_LOSS = {"level:4": 0.125, "level:5": 0.25 / 6}
DIGESTS = {  # of the default games
    "double-up": "2233705e8c751c93",
    "increasing-differences": "a74948e718fe5587",
    "pyramid-challenge": "dcb58042503c9b08",
    "sequence-builder": "5cfe13a86dddbef2",
    "sequence-spot": "c3e58c1f06db6ff0",
}
SETTINGS = [
    (game.key, split, opponent)
    for game in parlour.list_games()
    for split, opponents in ((PUBLIC, AT_RANDOM), (HELD_OUT, ("level:3", "level:5", "perfect")))
    for opponent in opponents
]


every_game = pytest.mark.parametrize("key", sorted(DIGESTS))


@every_game
def test_seats_and_values_are_in_balance(key: str) -> None:
    game = parlour.find_game(key)
    found = make_instances(game, COUNT)
    kinds = Counter((instance.value, instance.player) for instance in found)
    assert len(found) == len({instance.id for instance in found}) == COUNT
    assert {value for value, _ in kinds} == ({*Value} if game.rules.can_draw else {Value.WIN, Value.LOSS})
    assert max(kinds.values()) - min(kinds.values()) <= 1
    assert {instance.player for instance in found} == {1, 2}


@every_game
def test_the_value_is_that_of_minimax_and_much_is_decided(key: str) -> None:
    for instance in make_instances(parlour.find_game(key), COUNT):
        worth = Textbook(instance.rules).worth(instance.position).value
        assert instance.value == (worth if instance.mine else -worth)
        assert instance.ceiling().critical >= (0.25 if instance.value is Value.LOSS else 1.5)
        assert instance.floor().points <= instance.ceiling().points + 1e-9
        assert Instance.read({**instance.as_metadata(), "split": "public"}) == instance


@pytest.mark.parametrize(("key", "split", "opponent"), SETTINGS)
def test_every_documented_setting_has_its_default_number_of_games(key: str, split: str, opponent: str) -> None:
    """Under several seeds: a seed for each setting, so that a few cases try many.

    Results can be compared across releases only if the default games stay the same: if their digest changes, raise the
    task's version.
    """
    default = (split, opponent) == (PUBLIC, OPPONENT)
    game, seed = parlour.find_game(key), "0" if default else str(SETTINGS.index((key, split, opponent)) % 7)
    found = make_instances(game, DEFAULT_GAMES, seed=seed, split=split, opponent=opponent)
    assert len({instance.id for instance in found}) == DEFAULT_GAMES
    assert {split_of(instance.rules, instance.position) for instance in found} == {split}
    kinds = Counter((instance.value, instance.player) for instance in found)
    possible = {
        Value.WIN,
        *([Value.DRAW] if game.rules.can_draw else []),
        *([Value.LOSS] if opponent != "perfect" else []),
    }
    assert set(kinds) == {(value, player) for value in possible for player in (1, 2)}
    assert max(kinds.values()) - min(kinds.values()) <= 1
    for instance in found:
        needed = AFTER_LOSS.get(opponent, 0.25) if instance.value is Value.LOSS else 1.5
        assert instance.ceiling().critical >= needed - 1e-9
    if default:
        made = [(instance.id, instance.seed) for instance in found]
        assert sha256(repr(made).encode()).hexdigest()[:16] == DIGESTS[key]


def test_more_instances_than_there_are_is_refused() -> None:
    with pytest.raises(ParlourError, match="Double Up has no 900 instances in the split held-out; ask for fewer"):
        make_instances(parlour.find_game("double-up"), 900, split=HELD_OUT)
