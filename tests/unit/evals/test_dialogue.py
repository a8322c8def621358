"""A model is asked in the language of the rules, and whatever it answers is dealt with."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import parlour
from parlour.errors import ParlourError
from parlour.evals.dialogue import (
    DISGUISES,
    MAX_ANSWER,
    MIRRORED,
    PLAIN,
    RELABELLED,
    RENAMED,
    Dialogue,
    make_disguise,
    named_move,
)
from parlour.evals.instances import DROPPED, FORFEIT, RANDOM_MOVE, RETRIES, terms
from parlour.match import Match
from parlour.view import PLAYERS, PlayerNumber
from tests.support.small import TINY

every_game = pytest.mark.parametrize("key", TINY)
every_disguise = pytest.mark.parametrize("disguise", DISGUISES)


class RandomHost:
    """Moves at random, until the game is over."""

    def reply(self, match: Match, random: Random) -> int:
        return random.choice(match.legal_moves)

    def is_over(self, match: Match) -> bool:
        return match.outcome is not None


def sit(
    key: str, disguise: str = PLAIN, *, player: PlayerNumber = 1, list_legal: bool = False, line: str = ""
) -> Dialogue:
    match = parlour.new_match(key, seed=3, **(TINY[key] | ({"max_rounds": 1} if "spot" in key else {})))
    match.play_line(line)
    mask = make_disguise(disguise, match.rules, "1")
    return Dialogue(match, player, RandomHost(), mask, terms=terms(RETRIES, 3), list_legal=list_legal)


@pytest.mark.parametrize(
    ("answer", "move"),
    [
        ("MOVE: 7", "7"),
        ("I think 9 is bad, so:\n\nMOVE: 7\n", "7"),
        ("MOVE: 3\nNo, wait. Rather:\n**Move: 7**", "7"),
        ("move = `2,1`", "2,1"),
        ("> MOVE: (2, 1)", "(2, 1)"),
        ("7", "7"),
        (" 7. ", "7."),
        ("", ""),
        ("We could move: to 5, or to 8", "We could move: to 5, or to 8"),  # not a line of its own
    ],
)
def test_the_last_line_that_names_a_move_counts(answer: str, move: str) -> None:
    assert named_move(answer) == move


def test_of_a_very_long_answer_the_end_counts() -> None:
    assert named_move("hm. " * 10**5 + "\nMOVE: 7") == "7"
    assert len(named_move("9" * 10**5)) == MAX_ANSWER


@every_game
@every_disguise
@pytest.mark.parametrize("player", PLAYERS)
def test_every_legal_move_can_be_answered_under_every_disguise(key: str, disguise: str, player: PlayerNumber) -> None:
    """And only those: what stands in the list of legal moves is read as the move that it is."""
    dialogue, random = sit(key, disguise, player=player, list_legal=True), Random(5)
    while (question := dialogue.question()) is not None:
        match, mask = dialogue.match, dialogue.disguise
        for move, spoken in zip(match.legal_moves, match.rules.spoken(match.legal_moves), strict=True):
            assert match.read(mask.read(named_move(f"So:\nMOVE: {mask.write(spoken)}"))) == move
        listed = re.search(r"Your move must be one of: (.*)", question)
        assert listed
        words = re.findall(r"[^\s,]+", listed[1]) if mask.written else []
        assert len(words) in (0, len(match.legal_moves))
        dialogue.answer(f"MOVE: {mask.write(match.rules.spoken([random.choice(match.legal_moves)])[0])}")
    assert dialogue.match.outcome is not None
    assert all(turn.first == "legal" and turn.answered for turn in dialogue.asked)


@every_game
def test_nobody_is_asked_about_what_is_forced(key: str) -> None:
    dialogue = sit(key)
    while dialogue.question() is not None:
        assert len(dialogue.match.legal_moves) > 1
        dialogue.answer(f"MOVE: {dialogue.match.legal_names[0]}")


def test_the_question_is_made_of_the_rules_and_the_table() -> None:
    dialogue = sit("increasing-differences", line="1 2")
    assert dialogue.match.rules.bare_rules.strip() in dialogue.system_prompt
    question = dialogue.question()
    assert question is not None
    assert "Player 1  1 _ _" in question
    assert question.endswith("It is your turn, Player 1.")


@every_game
@every_disguise
def test_the_rules_are_told_without_advice_and_without_the_table_s_own_terms(key: str, disguise: str) -> None:
    """What a game's file says below its rules is for people at a table, where a refused move costs nothing."""
    told, game = " ".join(sit(key, disguise).system_prompt.split()), parlour.find_game(key)
    _, _, remarks = game.content.rules_text.partition("\nGood to know\n")
    for remark in [
        game.content.known,
        sit(key).match.rules.game.display.secret(sit(key).match.rules.packed),
        *remarks.split("\n- "),
    ]:
        for sentence in re.split(r"(?<=[.:]) ", " ".join(remark.removeprefix("- ").split())):
            assert not sentence or sentence not in told
    assert "cost" not in told
    assert "3 attempts" in told


@pytest.mark.parametrize(
    ("policy", "says"),
    [
        (FORFEIT, "An answer that names no legal move loses you the game."),
        (RETRIES, "If you use up all attempts at a turn, you lose the game."),
        (RANDOM_MOVE, "An answer that names no legal move counts against you. When all attempts are used up, a random"),
        (DROPPED, "A game with an answer that names no legal move is left out of your results."),
    ],
)
def test_a_model_knows_what_the_declared_policy_does(policy: str, says: str) -> None:
    assert says in terms(policy, 3)
    assert terms(policy, 1).startswith("You have 1 attempt at each turn.")
    assert terms(policy, 20).startswith("You have 20 attempts at each turn.")


def test_a_model_knows_how_many_attempts_are_left() -> None:
    dialogue = sit("double-up", line="2 3")
    for left in ("You have 2 attempts left at this turn.", "This is your last attempt at this turn."):
        dialogue.question()
        dialogue.answer("MOVE: 99")
        assert left in str(dialogue.question())


@every_game
def test_without_the_list_the_table_does_not_tell_what_is_legal(key: str) -> None:
    """Where two players could choose differently from the same numbers, both see the same ones."""
    dialogue = sit(key)
    assert dialogue.question() is not None
    dialogue.answer(f"MOVE: {dialogue.match.legal_names[-1]}")
    question = dialogue.question()
    if question is not None:
        assert "(" not in question  # brackets are around what cannot be chosen
        assert "must be one of" not in question
        assert "Next" not in question
    refused = sit(key)
    refused.question()
    refused.answer("MOVE: 99")
    again = refused.question()
    assert again is not None
    assert "legal:" not in again


@pytest.mark.parametrize(
    "answer", ["", "   ", "I resign.", "MOVE:", "MOVE: banana", "x" * 300_000, "\0\x1b[2J", "MOVE: 7 or 8"]
)
def test_nonsense_is_asked_again_and_then_played_by_lot(answer: str) -> None:
    dialogue = sit("double-up", line="2 3")
    for left in (2, 1, 0):
        assert dialogue.question() is not None
        assert len(dialogue.match.round.moves) == 2
        dialogue.answer(answer)
        assert len(dialogue.asked) == (left == 0)
    (turn,) = dialogue.asked
    assert (turn.ply, turn.first, turn.attempts, turn.answered) == (2, "unreadable", 3, False)
    assert len(dialogue.match.round.moves) == 3


def test_an_illegal_move_is_told_from_nonsense_and_gets_its_reason() -> None:
    dialogue = sit("double-up", line="2 3")
    dialogue.question()
    dialogue.answer("MOVE: 11")
    assert "11 is more than 6, the double of 3" in str(dialogue.question())
    dialogue.answer("MOVE: 5")
    assert dialogue.asked[0][1:] == ("illegal", 2, True)
    assert dialogue.match.round.moves[2] == 5


@given(st.lists(st.text(max_size=40) | st.integers(0, 15).map(lambda n: f"MOVE: {n}"), max_size=60), st.booleans())
@settings(deadline=None, max_examples=25)
def test_whatever_is_answered_the_game_goes_on_by_the_rules(answers: list[str], list_legal: bool) -> None:
    dialogue = sit("sequence-builder", list_legal=list_legal)
    for answer in answers:
        if dialogue.question() is None:
            break
        dialogue.answer(answer)
    again = parlour.read_record(parlour.write_record(dialogue.match))
    assert again.round.moves == dialogue.match.round.moves
    assert len({turn.ply for turn in dialogue.asked}) == len(dialogue.asked)


# Disguises.


def test_a_renamed_game_does_not_say_its_name_nor_its_words() -> None:
    for key, gone in (("sequence-spot", ("Spot", "grid", "cell")), ("pyramid-challenge", ("yramid", "Challenge"))):
        told = sit(key, RENAMED).system_prompt
        assert not [word for word in gone if re.search(word, told)]


def test_a_relabelled_game_is_played_in_words() -> None:
    dialogue = sit("double-up", RELABELLED, line="2 3")
    legend = dict(re.findall(r"(\d+) is ([a-z]{4})", dialogue.system_prompt))
    assert set(legend) == {str(number) for number in range(1, 13)}
    assert len(set(legend.values())) == 12
    question = str(dialogue.question())
    assert re.findall(r"[a-z]+", question.splitlines()[0])[1:] == [legend["1"], legend["2"], legend["3"]]
    dialogue.answer("MOVE: 5")  # the number itself is no move here
    assert "names no move" in str(dialogue.question())
    dialogue.answer(f"MOVE: {legend['5'].upper()}")
    assert dialogue.match.round.moves[2] == 5


def test_a_mirrored_game_counts_from_the_other_end() -> None:
    dialogue = sit("double-up", MIRRORED, line="2 3")
    assert "1 as 12, 12 as 1." in dialogue.system_prompt
    assert "12 11 10" in str(dialogue.question())
    dialogue.answer("MOVE: 8")  # 5
    assert dialogue.match.round.moves[2] == 5


def test_an_unknown_disguise_is_refused_in_one_line() -> None:
    with pytest.raises(ParlourError, match=r"^bad disguise 'wig'; allowed: plain, renamed, relabelled, mirrored$"):
        make_disguise("wig", parlour.rules_of("double-up"), "1")
