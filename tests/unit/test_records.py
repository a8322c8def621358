"""Records: every match can be written and read again, and nothing else can be read."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import HealthCheck, assume, given
from hypothesis import strategies as st

from parlour import catalog, record
from parlour.errors import BadOptions, BadRecord, NoNextRound, ParlourError
from parlour.game import PASS
from parlour.match import DEAL, MOVE, RESIGN, UNDO, Action, Match
from parlour.names import check_names
from parlour.options import declared
from parlour.outcome import Outcome, result_of
from parlour.rules import Rules, read_rules, rules_of
from parlour.setup import Setup
from parlour.view import PLAYERS
from tests.support.strategies import examples, values

names = st.one_of(
    st.sampled_from(["Ann", "Zoë", 'The "Ace"', "back\\slash", '"', "\\", "李雷", "a b", "[Game]", "🎲", "1. 2", "'"]),
    st.text(st.characters(exclude_categories=("C", "Z"), include_characters=" "), min_size=1, max_size=30),
).filter(lambda name: name == name.strip())


@st.composite
def setups(draw: st.DrawFn, key: str) -> Setup:
    game = catalog.find_game(key)
    texts = {name: draw(values(kind)) for name, kind in declared(game.options).items() if draw(st.booleans())}
    try:
        rules = read_rules(game, texts)
    except BadOptions:
        assume(False)
    called = (draw(names), draw(names))
    try:
        check_names(called)
    except ParlourError:
        assume(False)
    return Setup(
        rules,
        called,
        (draw(st.sampled_from(["human", "random"])), draw(st.sampled_from(["human", "random"]))),
        draw(st.sampled_from(PLAYERS)),
        draw(st.text("abc 0123456789\"\\'ü", max_size=20)),
        draw(st.sampled_from([None, None, 1, 2, 7])),
        "2026-11-15T19:00:00Z",
        draw(st.booleans()),
    )


def play_somehow(setup: Setup, seed: int, most: int = 120) -> Match:
    """A match in which everything happens: moves, take-backs, new rounds, and now and then a resignation."""
    match, random = Match(setup), Random(seed)
    patience = random.choice([5, 30, 10**9])
    for _ in range(random.randrange(most)):
        if match.outcome is not None:
            break
        chance = random.random()
        if match.between_rounds:
            match.next_round()
        elif chance < 0.15 and (match.round.moves or len(match.rounds) > 1):
            match.undo()
        elif chance < 0.3:
            try:
                match.next_round()
            except NoNextRound:
                assert match.last_round or not match.game.rules.settled(match.rules.packed, match.position)
        elif random.randrange(patience) == 0:
            match.resign(random.choice(PLAYERS))
            if random.random() < 0.5:
                match.undo()
        else:
            legal = match.legal_moves
            match.play(legal[random.randrange(min(len(legal), 1000))] if len(legal) < 10**9 else legal[0])
    return match


def assert_same(match: Match, again: Match) -> None:
    assert again.log == match.log
    assert again.outcome == match.outcome
    assert again.names == match.names
    assert again.turn == match.turn
    assert again.resigned == match.resigned
    assert [(r.options, r.first, r.moves, r.positions) for r in again.rounds] == [
        (r.options, r.first, r.moves, r.positions) for r in match.rounds
    ]
    ours, theirs = match.setup, again.setup
    assert theirs.strict == ours.strict
    assert (theirs.game, theirs.options, theirs.players, theirs.first, theirs.seed, theirs.cap, theirs.date) == (
        ours.game, ours.options, ours.players, ours.first, ours.seed, ours.cap, ours.date,
    )  # fmt: skip


@pytest.mark.parametrize("key", catalog.keys())
@examples(8, suppress_health_check=[HealthCheck.filter_too_much])
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_a_match_written_and_read_is_the_same_match(key: str, data: st.DataObject, seed: int) -> None:
    match = play_somehow(data.draw(setups(key)), seed)
    text = record.write_record(match)
    again = record.read_record(text)
    assert_same(match, again)
    assert record.write_record(again) == text
    assert text.endswith("\n")
    assert all(character.isprintable() for line in text.split("\n") for character in line)
    # Line ends and marks that other programs put there change nothing.
    assert_same(match, record.read_record("\ufeff" + text.replace("\n", "\r\n")))
    assert_same(match, record.read_record(text.rstrip("\n")))


@pytest.mark.parametrize("key", catalog.keys())
@examples(6)
@given(seed=st.integers(0, 2**32))
def test_every_beginning_of_a_record_is_a_match(key: str, seed: int) -> None:
    """As a file grows, so does the match: cutting off actions gives the match before them."""
    match = play_somehow(Setup(rules_of(key), seed=str(seed)), seed, 30)
    head, actions = record.write_record(match).split("\n\n")
    lines = actions.splitlines()
    for count in range(len(lines)):
        shorter = record.read_record(
            re.sub(r'\[Result "[^"]*"\]', '[Result "*"]', head) + "\n\n" + "\n".join(lines[:count])
        )
        assert shorter.log == match.log[:count]


# The example of the documentation, and records written by hand from the rules.

HEAD = """\
[Parlour "1"]
[Game "sequence-builder"]
[Version "1"]
[Options "length=4 pool=20 increments=1,2,3"]
[Player1 "Alice"]
[Player2 "Bob"]
[Chooser1 "human"]
[Chooser2 "human"]
[First "1"]
[Seed "7"]
[Date "2026-11-15T19:00:00Z"]
[Result "{result}"]

"""
GOOD = HEAD.format(result="*") + "1. 5\n2. 6\n3. 8\n"
EXAMPLE = HEAD.format(result="*") + "1. 5\n2. 6\n3. 9\nundo\n3. 8\nresign 2\n"


def test_the_example_of_the_documentation_is_the_one_tested_here() -> None:
    assert record.__doc__
    written = "\n".join(line.removeprefix("    ") for line in record.__doc__.splitlines())
    assert HEAD.format(result="*") in written


def example(line: str) -> str:
    """The example with its third action, a step of 4, made a legal one."""
    return EXAMPLE.replace("3. 9\n", line)


def test_the_example_is_read_as_it_says() -> None:
    match = record.read_record(example("3. 7\n"))
    assert match.game.key == "sequence-builder"
    assert match.names == ("Alice", "Bob")
    assert match.setup.seed == "7"
    assert match.setup.date == "2026-11-15T19:00:00Z"
    assert match.log == [
        Action(MOVE, 5, 1),
        Action(MOVE, 6, 2),
        Action(MOVE, 7, 1),
        Action(UNDO, PASS, 1),
        Action(MOVE, 8, 1),
        Action(RESIGN, PASS, 2),
    ]
    assert match.outcome == Outcome(1, "resigned")
    assert record.write_record(match) == example("3. 7\n").replace('"*"', '"1-0"')


def test_the_documentation_shows_a_possible_game() -> None:
    assert record.__doc__
    written = "\n".join(line.removeprefix("    ") for line in record.__doc__.splitlines())
    shown = written[written.index("[Parlour") : written.index("Moves are numbered")].rstrip() + "\n"
    match = record.read_record(shown)
    assert record.write_record(match).replace('[Result "1-0"]', '[Result "*"]') == shown


def test_rounds_and_deals_by_hand() -> None:
    text = """\
[Parlour "1"]
[Game "sequence-spot"]
[Version "1"]
[Options "deal=any max_rounds=3"]
[Deal "grid=1,2,4,3,8,9,6,5,7"]
[Player1 "Alice"]
[Player2 "Bob"]
[Chooser1 "human"]
[Chooser2 "random"]
[First "2"]
[Seed "x"]
[Date ""]
[Result "1-0"]

1. 2,2
deal grid=2,7,6,9,5,1,4,3,8
1. 2,1
2. 1,1
3. 2,2
4. 3,3
5. 2,3
"""
    match = record.read_record(text)
    assert record.write_record(match) == text
    assert [(r.first, len(r.moves)) for r in match.rounds] == [(2, 1), (1, 5)]
    assert match.outcome == Outcome(1, "won")
    assert match.log[1] == Action(DEAL, PASS, 1, match.rounds[1].options)


def test_passes_by_hand() -> None:
    actions = "1. 20\n2. 1\n3. pass\n4. 2\n5. pass\n6. 4\n7. pass\n8. 7\n"
    match = record.read_record(HEAD.format(result="0-1") + actions)
    assert record.write_record(match) == HEAD.format(result="0-1") + actions
    assert match.outcome == Outcome(2, "won")


def test_a_cap_on_the_rounds_by_hand() -> None:
    text = GOOD.replace('[Player1 "', '[Rounds "2"]\n[Player1 "')
    match = record.read_record(text)
    assert match.setup.cap == 2
    assert record.write_record(match) == text


def test_a_strict_game_by_hand() -> None:
    text = GOOD.replace('[Result "', '[Strict "yes"]\n[Result "')
    match = record.read_record(text)
    assert match.setup.strict
    assert record.write_record(match) == text
    assert not record.read_record(GOOD).setup.strict


def test_a_forfeit_by_hand() -> None:
    text = HEAD.format(result="0-1") + "1. 5\nforfeit 1\n"
    match = record.read_record(text)
    assert match.outcome == Outcome(2, "forfeited")
    assert record.write_record(match) == text


def test_quotes_and_backslashes_by_hand() -> None:
    text = GOOD.replace('"Alice"', r'"The \"Ace\""').replace('"Bob"', r'"back\\slash"')
    match = record.read_record(text)
    assert match.names == ('The "Ace"', r"back\slash")
    assert record.write_record(match) == text


def test_marks_and_line_ends_of_other_programs_change_nothing() -> None:
    assert_same(record.read_record(GOOD), record.read_record("\ufeff" + GOOD.replace("\n", "\r\n")))


def test_names_may_have_joiners_and_other_tags_no_hidden_characters() -> None:
    match = record.read_record(GOOD.replace('"Alice"', '"مه\u200cسا"'))
    assert match.names == ("مه\u200cسا", "Bob")
    assert refusal(GOOD.replace('"7"', '"7\u200c7"')) == ("line 10: there are control characters in '[Seed \"7?7\"]'")


@pytest.mark.parametrize(
    ("outcome", "text"),
    [
        (None, "*"),
        (Outcome(1, "won"), "1-0"),
        (Outcome(2, "won"), "0-1"),
        (Outcome(1, "resigned"), "1-0"),
        (Outcome(None, "drawn"), "1/2-1/2"),
        (Outcome(None, "undecided"), "undecided"),
    ],
)
def test_results(outcome: Outcome | None, text: str) -> None:
    assert result_of(outcome) == text


# What is refused.


def refusal(text: str) -> str:
    with pytest.raises(BadRecord) as caught:
        record.read_record(text)
    assert type(caught.value) is BadRecord
    message = str(caught.value)
    assert re.match(r"line \d+: [^A-Z]", message), message
    assert not message.endswith(".")
    assert "\n" not in message
    assert all(character.isprintable() for character in message), message
    assert len(message) < 1000
    return message


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ("3. 8", "3. 9", 16, "9 is 4 more than 5; you need 1, 2 or 3 more"),
        ("3. 8", "3. 6", 16, "6 is taken"),
        ("3. 8", "3. 21", 16, "21 is out of range: choose 1 to 20"),
        ("3. 8", "3. pass", 16, "you cannot pass"),
        ("3. 8", "3. eight", 16, "unreadable move 'eight'"),
        ("3. 8", "4. 8", 16, "move 3 is expected here, found '4. 8'"),
        ("3. 8", "8", 16, "unreadable line '8'"),
        ("3. 8", "3. 8 9", 16, "unreadable line '3. 8 9'"),
        ("3. 8", "3. 8 ; a remark", 16, "unreadable line"),
        ("3. 8", "undo 1", 16, "unreadable line"),
        ("3. 8", "resign", 16, "unreadable line"),
        ("3. 8", "resign 3", 16, "unreadable line"),
        ("3. 8", "RESIGN 1", 16, "unreadable line"),
        ("3. 8", "deal", 16, "a player can still win it"),
        ("3. 8", "deal grid=1,2,3,4,5,6,7,8,9", 16, "'grid' is nothing that is dealt"),
        ("3. 8", "deal pool=30", 16, "'pool' is nothing that is dealt"),
        ("3. 8", "resign 1\n3. 8", 17, "the game is over"),
        ("3. 8", "resign 1\nresign 2", 17, "the game is over"),
        ("1. 5", "undo", 14, "nothing has been played yet"),
        ("1. 5", "0. 5", 14, "move 1 is expected here"),
        ("1. 5", "٣. 5", 14, "unreadable line"),
        ("1. 5", "1. ٥", 14, "unreadable move"),
        ("1. 5", "9999999999. 5", 14, "unreadable line"),
        ('[Parlour "1"]', '[Parlour "2"]', 1, "record format '2' is unknown; this Parlour reads format 1"),
        ('[Parlour "1"]\n', "", 1, "this is not a Parlour record, it begins with the tag 'Game'"),
        ('[Parlour "1"]', 'Parlour "1"', 1, "this is not a Parlour record"),
        ('"sequence-builder"', '"builder"', 2, f"unknown game 'builder'; known games: {', '.join(catalog.keys())}"),
        ('"sequence-builder"', '"Sequence-Builder"', 2, "unknown game"),
        ('[Version "1"]', '[Version "2"]', 3, "version '2'"),
        ("length=4", "length=1", 4, "bad length '1'; allowed: a number from 2 to 30"),
        ("length=4", "size=4", 4, "unknown option 'size'; known options: length, pool, increments"),
        ("length=4", "length", 4, "bad length ''"),
        ("pool=20", "pool=2", 4, "needs a pool of at least 4, not 2"),
        ('"Alice"', '""', 5, "bad name ''"),
        ('"Alice"', '"bob"', 6, "both players are called 'bob'"),
        ('"Alice"', '"\x07"', 5, "control characters"),
        ('"Bob"', '"' + "b" * 31 + '"', 6, "at most 30 characters"),
        ('"Alice"', '"Al"ice"', 5, "a tag looks like"),
        ('"Alice"', '"Al\\ice"', 5, "a tag looks like"),
        ('"Alice"', "Alice", 5, "a tag looks like"),
        ('[First "1"]', '[First "3"]', 9, "'3' is not a player: 1 or 2"),
        ('[First "1"]', '[First ""]', 9, "'' is not a player: 1 or 2"),
        ('[First "1"]', '[First "1"]\n[First "2"]', 10, "tag First is repeated"),
        ('[First "1"]', '[Rounds "0"]\n[First "1"]', 9, "'0' is not a number of rounds"),
        ('[First "1"]', '[Rounds "٣"]\n[First "1"]', 9, "is not a number of rounds"),
        ('[First "1"]', '[Strict "no"]\n[First "1"]', 9, "'no' is unknown here"),
        ('[First "1"]', '[Deal "grid=1,2,3,4,5,6,7,8,9"]\n[First "1"]', 9, "'grid' is nothing that is dealt"),
        ('[First "1"]', '[Colour "red"]\n[First "1"]', 9, "unknown tag 'Colour'"),
        ('[First "1"]\n', "", 12, "tag First is missing"),
        ('[First "1"]\n', "\n", 9, "tag First is missing"),
        ('[Result "*"]', '[Result "1-0"]', 12, "the result is given as '1-0', but the moves lead to '*'"),
        ('[Result "*"]', '[Result "won"]', 12, "the result is given as 'won'"),
        ("\n\n1.", "\n1.", 13, "a tag looks like"),
    ],
)  # fmt: skip
def test_a_changed_line_is_named_with_the_reason(old: str, new: str, line: int, reason: str) -> None:
    assert GOOD.count(old) == 1
    message = refusal(GOOD.replace(old, new))
    assert message.startswith(f"line {line}: ")
    assert reason in message


def test_what_is_no_record_is_told_so_in_plain_words() -> None:
    assert refusal("") == "line 1: this is not a Parlour record, it is empty"
    assert refusal("hello") == "line 1: this is not a Parlour record, found 'hello'"
    assert refusal(GOOD.replace('"Alice"', "Alice")) == (
        "line 5: a tag looks like [Name \"value\"], found '[Player1 Alice]'"
    )
    assert refusal(GOOD.replace("3. 8", "eight")) == (
        "line 16: unreadable line 'eight'; known are '1. MOVE', 'undo', 'deal' and 'resign 1'"
    )
    assert refusal(GOOD.replace('"sequence-builder"', '"chess"')).endswith(f"known games: {', '.join(catalog.keys())}")


def test_an_endless_tag_is_shown_in_part() -> None:
    name = "Abcdefghijklmnopqrstuvwxyz"
    assert refusal(f'[{name} "1"]') == (
        "line 1: this is not a Parlour record, it begins with the tag 'Abcdefghijklmnopqrst'"
    )
    assert refusal(GOOD.replace("[First", f'[{name} "1"]\n[First')) == "line 9: unknown tag 'Abcdefghijklmnopqrst'"


def test_what_chance_decides_is_part_of_the_record() -> None:
    head = GOOD.split("\n\n")[0].replace("sequence-builder", "sequence-spot")
    without = re.sub(r'\[Options "[^"]*"\]', '[Options "deal=any max_rounds=none"]', head) + "\n\n"
    assert refusal(without) == "line 4: what was dealt is missing"
    assert refusal(without.replace("[Player1", '[Deal ""]\n[Player1')) == "line 5: what was dealt is missing"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "\n\n\n",
        " ",
        "\ufeff",
        "\x00",
        "\x00" * 1000,
        "hello",
        "x" * 100_000,
        "[" * 10_000,
        '[Parlour "' + "\\" * 10_001 + '"]',
        '[Event "F/S Return Match"]\n[Site "Belgrade"]\n[Result "1/2-1/2"]\n\n1. e4 e5 2. Nf3 Nc6 1/2-1/2\n',
        '{"Parlour": "1"}',
        "[]",
        "<html></html>",
        "(;FF[4]GM[1]SZ[19])",
        "\x89PNG\r\n\x1a\n",
        "".join(map(chr, range(256))),
        '[Parlour "1"]',
        '[Parlour "1"]\n\n1. 5\n',
        '[Parlour ""]',
        '[Parlour "1"] [Game "double-up"]',
    ],
)
def test_foreign_files(text: str) -> None:
    refusal(text)


def read_or_refuse(text: str) -> Match | None:
    """The match, or None where it was refused as it should be; nothing else may happen."""
    try:
        match = record.read_record(text)
    except BadRecord:
        refusal(text)
        return None
    # Whatever can be read is a match of its own: it can be written, and read again.
    again = record.read_record(record.write_record(match))
    assert_same(match, again)
    return match


def some_record(key: str, seed: int) -> str:
    game = catalog.find_game(key)
    return record.write_record(play_somehow(Setup(Rules(game, game.defaults), seed=str(seed)), seed, 20))


@pytest.mark.parametrize("key", catalog.keys())
def test_every_line_deleted_doubled_or_swapped(key: str) -> None:
    lines = some_record(key, 11).splitlines()
    assert len(lines) > 14
    tags = lines.index("")
    for at in range(len(lines)):
        deleted = read_or_refuse("\n".join(lines[:at] + lines[at + 1 :]))
        if at < tags and not lines[at].startswith(("[Deal", "[Rounds")):
            assert deleted is None, f"read without {lines[at]}"
        doubled = read_or_refuse("\n".join([*lines[:at], lines[at], *lines[at:]]))
        if at < tags:
            assert doubled is None, f"read with {lines[at]} twice"
        for other in range(at + 1, len(lines), 4):
            swapped = list(lines)
            swapped[at], swapped[other] = swapped[other], swapped[at]
            read_or_refuse("\n".join(swapped))


@pytest.mark.parametrize("key", catalog.keys())
@examples(12)
@given(data=st.data())
def test_changed_characters(key: str, data: st.DataObject) -> None:
    text = some_record(key, data.draw(st.integers(0, 5)))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text) - 1))
        width = data.draw(st.sampled_from([0, 1, 1, 1, 5, 40]))
        new = data.draw(
            st.one_of(st.text(max_size=3), st.sampled_from(list('0123456789[]"\\ .,=-*\n\r\t\x00\x85\u2028٣')))
        )
        text = text[:at] + new + text[at + width :]
    read_or_refuse(text)


@examples(30)
@given(text=st.text())
def test_any_text(text: str) -> None:
    assert read_or_refuse(text) is None


def test_an_endless_move_is_refused_or_read_but_never_crashes() -> None:
    head = GOOD.split("\n\n")[0].replace("sequence-builder", "double-up")
    head = re.sub(r'\[Options "[^"]*"\]', '[Options "limit=none"]', head)
    doubling = [f"{number}. {2**number}" for number in range(1, 400)]
    for count in (10, 300, 399):
        read_or_refuse("\n".join([head, "", *doubling[:count]]))
    refusal("\n".join([head, "", "1. " + "9" * 10_000]))


def test_what_can_be_played_can_be_written_and_read() -> None:
    """Double Up without a limit: the numbers outgrow every bound, and the record keeps up."""
    game = catalog.find_game("double-up")
    match = Match(Setup(read_rules(game, {"limit": "none"})))
    for exponent in range(1, 400):
        match.play(2**exponent)
    assert_same(match, record.read_record(record.write_record(match)))
    assert match.read(str(2**400)) == 2**400


# Records that are too long.

BEGUN = record.write_record(Match(Setup(rules_of("double-up"))))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (BEGUN + "1. 2\nundo\n" * 500_000, "at most 2,000,000 characters"),
        (BEGUN + "\n" * 1_000_000, "it has 1,000,013 lines; at most 10,000"),
        (BEGUN + "undo\n" * 20_000, "it has 20,013 lines; at most 10,000"),
        ("\0" * 3_000_000, "at most 2,000,000 characters"),
    ],
    ids=["a million lines", "empty lines", "20,000 lines", "zeros"],
)
def test_what_is_longer_than_any_game_is_refused_before_it_is_played(
    text: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record, "replay_record", lambda text: pytest.fail("a line of it was read"))
    with pytest.raises(BadRecord) as caught:
        record.read_record(text)
    assert str(caught.value).startswith("the record is too long")
    assert str(caught.value).endswith(reason)


def test_a_long_game_is_read() -> None:
    moves = "".join(f"{number}. {number + 1}\n" for number in range(1, 1201))
    assert record.read_record(BEGUN.replace("limit=100", "limit=none") + moves).position == (1201,)


def test_a_large_maximum_of_rounds_is_read() -> None:
    setup = Setup(rules_of("sequence-spot"), cap=10**12)
    assert record.read_record(record.write_record(Match(setup))).setup.cap == 10**12
