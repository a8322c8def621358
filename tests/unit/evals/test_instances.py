"""Seeds, splits and puzzles of the evaluation. tests/proofs/test_instances.py makes the games of every setting."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

import parlour
from parlour.errors import ParlourError, UnknownPlayer
from parlour.evals.dialogue import Asked
from parlour.evals.instances import (
    HELD_OUT,
    POLICIES,
    PUBLIC,
    RETRIES,
    Instance,
    PuzzleInstance,
    make_instances,
    make_puzzles,
    sources,
    split_of,
)
from parlour.evals.metrics import Known, Sums, expect
from parlour.rules import Rules
from parlour.score import Value
from tests.support.naive import Textbook
from tests.support.old_data import DEV
from tests.support.small import TINY

COUNT = 6
DEFAULT_PUZZLES = 50
every_game = pytest.mark.parametrize("key", TINY)


@pytest.mark.parametrize("key", ["double-up"])
def test_seats_and_values_are_in_balance(key: str) -> None:
    game = parlour.find_game(key)
    found = make_instances(game, COUNT)
    kinds = Counter((instance.value, instance.player) for instance in found)
    assert len(found) == len({instance.id for instance in found}) == COUNT
    assert {value for value, _ in kinds} == ({*Value} if game.rules.can_draw else {Value.WIN, Value.LOSS})
    assert max(kinds.values()) - min(kinds.values()) <= 1
    assert {instance.player for instance in found} == {1, 2}


@pytest.mark.parametrize("key", ["double-up"])
def test_the_value_is_that_of_minimax_and_much_is_decided(key: str) -> None:
    for instance in make_instances(parlour.find_game(key), COUNT):
        worth = Textbook(instance.rules).worth(instance.position).value
        assert instance.value == (worth if instance.mine else -worth)
        assert instance.ceiling().critical >= (0.25 if instance.value is Value.LOSS else 1.5)
        assert instance.floor().points <= instance.ceiling().points + 1e-9
        assert Instance.read({**instance.as_metadata(), "split": "public"}) == instance


def test_logs_of_before_version_0_2_name_the_same_instances() -> None:
    """They number the seats 0 and 1; the same seed makes the same instances today."""
    logged = json.loads((DEV / "metadata.json").read_text())
    assert {each["seat"] for each in logged} == {0, 1}
    read = [Instance.read(each) for each in logged]
    assert [instance.id for instance in read] == [each["id"] for each in logged]
    assert [instance.player for instance in read] == [each["seat"] + 1 for each in logged]
    assert [instance.value.word for instance in read] == [each["value"] for each in logged]
    for key in ("double-up", "sequence-spot"):
        assert tuple(each for each in read if each.game == key) == make_instances(parlour.find_game(key), 2)


@pytest.mark.parametrize("seed", ["0", "1", "2"])
@pytest.mark.parametrize("split", [PUBLIC, HELD_OUT])
def test_every_split_has_the_default_number_of_puzzles(split: str, seed: str) -> None:
    assert len({puzzle.id for puzzle in make_puzzles(DEFAULT_PUZZLES, seed=seed, split=split)}) == DEFAULT_PUZZLES


def test_a_perfect_opponent_leaves_nothing_to_decide_after_a_lost_start() -> None:
    """So there are no such starts: by enumeration, whoever is lost stays lost whatever they do."""
    rules = parlour.rules_of("double-up", limit=12)
    textbook, known = Textbook(rules), Known(rules, rules.start)
    position, lost = rules.start, 0
    todo, seen = [position], {position}
    while todo:
        position = todo.pop()
        if textbook.worth(position).value == Value.LOSS:
            lost += 1
            assert expect(known, position, mine=True, model="perfect", opponent="perfect").critical == 0
        for move in rules.legal(position):
            after = rules.play(position, move)
            if after not in seen and not rules.is_over(after):
                seen.add(after)
                todo.append(after)
    assert lost


def test_the_same_seed_gives_the_same_and_another_others() -> None:
    game = parlour.find_game("double-up")
    first = make_instances(game, 12, seed="7")
    make_instances.cache_clear()
    again, other = (make_instances(game, 12, seed=seed) for seed in ("7", "8"))
    assert first == again
    assert {instance.id for instance in first} != {instance.id for instance in other}


def test_what_is_held_out_is_never_public() -> None:
    game = parlour.find_game("double-up")
    public = {i.id for seed in range(3) for i in make_instances(game, 12, seed=str(seed))}
    for seed in range(2):
        for instance in make_instances(game, 8, seed=str(seed), split=HELD_OUT):
            assert instance.id not in public
            assert split_of(instance.rules, instance.position) == HELD_OUT


def test_mirror_images_are_in_one_split() -> None:
    rules = parlour.rules_of("increasing-differences", length=5, range=12)
    for number in range(1, 7):
        one, other = (rules.play(rules.start, move) for move in (number, 13 - number))
        assert split_of(rules, one) == split_of(rules, other)


def test_one_position_in_four_is_held_out() -> None:
    rules = parlour.rules_of("sequence-builder")
    splits = Counter(
        split_of(rules, rules.play(rules.play(rules.start, a), b)) for a in range(1, 21) for b in range(1, 21) if a != b
    )
    assert splits[HELD_OUT] / splits.total() == pytest.approx(0.25, abs=0.07)
    assert set(splits) == {PUBLIC, HELD_OUT}


@every_game
def test_options_are_those_that_the_game_names(key: str) -> None:
    game = parlour.find_game(key)
    named = {
        "",
        *(variant.words for variant in game.content.variants),
        *(source.options for source in game.content.puzzles),
    }
    assert sources(game)
    assert set(sources(game)) <= named


def test_bad_wishes_are_one_line_each() -> None:
    """tests/proofs/test_instances.py asks for more instances than there are."""
    game = parlour.find_game("double-up")
    with pytest.raises(ParlourError, match=r"^bad split 'mine'; allowed: public, held-out$"):
        make_instances(game, 4, split="mine")
    with pytest.raises(UnknownPlayer, match="'engine:x' is not a graded player"):
        make_instances(game, 4, opponent="engine:x")
    with pytest.raises(ParlourError, match=r"^bad split 'mine'"):
        make_puzzles(4, split="mine")
    with pytest.raises(ParlourError, match=r"there are no 99,999 puzzles in the split held-out; [\d,]+ at most"):
        make_puzzles(99_999, split=HELD_OUT)


# Puzzles.


def test_puzzles_are_of_every_game_and_grade() -> None:
    found = make_puzzles(40)
    games = Counter(puzzle.game for puzzle in found)
    assert set(games) == {game.key for game in parlour.list_games()}
    assert found == make_puzzles(40)
    assert not {puzzle.id for puzzle in found} & {puzzle.id for puzzle in make_puzzles(40, split=HELD_OUT)}
    assert PuzzleInstance.read(found[0].as_metadata()) == found[0]


def answers(puzzle: PuzzleInstance, right: int) -> tuple[Any, list[Asked]]:
    """A match in which so many turns of a puzzle are answered rightly, and the next one wrongly, if there is one."""
    match, asked = puzzle.begin(("A", "B"), ("human", "human")), list[Asked]()
    textbook = Textbook(match.rules)
    while not puzzle.is_over(match):
        if match.turn != puzzle.player or match.only_move is not None:
            match.play(puzzle.reply(match, match.setup.random()))
            continue
        (keeping,) = textbook.keeping(match.position)
        wrong = textbook.losing(match.position)[0]
        asked.append(Asked(len(match.round.moves), "legal", 1, True))
        match.play(keeping if len(asked) <= right else wrong)
    return match, asked


def regret_by_minimax(rules: Rules, match: Any, asked: list[Asked]) -> float:
    textbook, given = Textbook(rules), 0
    for turn in asked:
        position = match.round.positions[turn.ply]
        given += textbook.worth(position).value - textbook.moves(position)[match.round.moves[turn.ply]].value
    return given


@pytest.mark.parametrize("number", range(3))
def test_a_puzzle_is_counted_turn_by_turn(number: int) -> None:
    small = [puzzle for puzzle in make_puzzles(60) if puzzle.game in ("double-up", "sequence-spot")]
    puzzle = small[number]
    turns = int(puzzle.ceiling().decisions)
    for right in range(turns + 1):
        match, asked = answers(puzzle, right)
        sums = puzzle.count(match, asked, RETRIES)
        assert sums.points == (right == turns)
        assert (sums.held, sums.decisions) == (right, min(right + 1, turns))
        assert sums.regret == regret_by_minimax(match.rules, match, asked)
        assert {puzzle.count(match, asked, policy) for policy in POLICIES} == {sums}
    assert puzzle.count(*answers(puzzle, turns), RETRIES) == puzzle.ceiling()
    bad = [Asked(len(puzzle._puzzle.moves), "illegal", 3, False)]
    match = answers(puzzle, 0)[0]
    lost = puzzle.count(match, bad, RETRIES)
    assert (lost.points, lost.regret, lost.legal) == (0, puzzle.value - Value.LOSS, 0)


def test_what_random_play_can_expect_of_a_puzzle() -> None:
    """Over every way to answer it, each with its chance."""
    puzzle = next(p for p in make_puzzles(80) if p.game == "sequence-spot" and p.ceiling().decisions > 1)

    def follow(match: Any, asked: list[Asked], chance: float) -> Sums:
        match = match.copy()
        while not puzzle.is_over(match) and (match.turn != puzzle.player or match.only_move is not None):
            match.play(puzzle.reply(match, match.setup.random()))
        if puzzle.is_over(match):
            return Sums().plus(puzzle.count(match, asked, RETRIES), chance)
        whole = Sums()
        for move in match.legal_moves:
            other = match.copy()
            other.play(move)
            turn = Asked(len(match.round.moves), "legal", 1, True)
            whole = whole.plus(follow(other, [*asked, turn], chance / len(match.legal_moves)))
        return whole

    start = puzzle.begin(("A", "B"), ("human", "human"))
    assert puzzle.floor()._asdict() == pytest.approx(follow(start, [], 1.0)._asdict())
