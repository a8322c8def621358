"""The match service over a store: what is loaded is what was stored, and one of several who are quick wins."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from parlour import record
from parlour.errors import BadName, BadRecord
from parlour.names import check_new_name
from parlour.service import matches as service_module
from parlour.service.commands import ComputerMove, Delete, Play, Rename, ReplaceComputer, Resign
from parlour.service.errors import NoOffer, NoSuchMatch, NotOnOffer, SeatNeeded, SeatWrong, ServerFull
from parlour.service.matches import MatchService
from parlour.service.new_matches import (
    ID_LENGTH,
    MatchRequest,
    SeatedMatch,
    is_id,
    match_of_record,
    match_on_one_device,
    match_with_computer,
    match_with_friend,
    new_id,
)
from parlour.service.offers import AnswerOffer, MakeOffer, Rematch
from parlour.store import IdTaken, StoredMatch, open_store
from parlour.store.errors import Busy

DOUBLE_UP = MatchRequest("double-up", {})
FINISHED = """[Parlour "1"]
[Game "sequence-spot"]
[Version "1"]
[Options "deal=any max_rounds=none"]
[Deal "grid=5,3,8,1,6,7,4,9,2"]
[Player1 "Ann"]
[Player2 "Stockfish"]
[Chooser1 "level:3"]
[Chooser2 "engine:sh -c 'touch started'"]
[First "2"]
[Seed "known to me"]
[Date "2026-11-15T19:00:00Z"]
[Result "0-1"]

1. 1,1
resign 1
"""


@pytest.fixture
def matches() -> Iterator[MatchService]:
    service = MatchService(open_store("sqlite://"))
    yield service
    service.store.close()


def test_what_is_added_is_loaded_with_the_seats_of_the_secret(matches: MatchService) -> None:
    made = matches.add(match_with_friend(DOUBLE_UP, "Ann", "me"))
    id = made.loaded.id
    assert is_id(id)
    assert len(id) == ID_LENGTH
    assert matches.load(id).seats == ()
    assert matches.load(id, made.seat).seats == (1,)
    with pytest.raises(SeatWrong):
        matches.load(id, made.invitation)
    assert made.invitation is not None
    joined = matches.join(id, made.invitation, "Bob")
    assert joined.loaded.seats == matches.load(id, joined.seat).seats == (2,)
    assert joined.loaded.match.names == ("Ann", "Bob")
    both = matches.add(match_on_one_device(DOUBLE_UP, (None, None), "1"))
    assert matches.load(both.loaded.id, both.seat).seats == (1, 2)


def test_a_match_that_is_not_there_has_a_name_that_is_told(matches: MatchService) -> None:
    for id in (new_id(), "", "x" * 100, "../../etc", "ABCDEFGHJK"):
        with pytest.raises(NoSuchMatch, match="there is no match"):
            matches.load(id)


def test_an_id_that_is_taken_is_replaced_by_another(matches: MatchService, monkeypatch: pytest.MonkeyPatch) -> None:
    made = matches.add(match_on_one_device(DOUBLE_UP, (None, None), "1"))
    other = match_on_one_device(DOUBLE_UP, (None, None), "1")
    same = replace(other, loaded=replace(other.loaded, stored=replace(other.loaded.stored, id=made.loaded.id)))
    added = matches.add(same)
    assert added.loaded.id != made.loaded.id
    assert matches.load(added.loaded.id, same.seat).seats == (1, 2)
    assert matches.load(made.loaded.id, made.seat).seats == (1, 2)
    # And so is that of a rematch.
    matches.apply(made.loaded.id, made.seat, Resign())
    original = matches.store.replace
    refused: list[StoredMatch] = []

    def taken_once(before: StoredMatch, after: StoredMatch, following: StoredMatch | None = None, *more: Any) -> bool:
        if following is not None and not refused:
            refused.append(following)
            raise IdTaken(following.id)
        return original(before, after, following, *more)

    monkeypatch.setattr(matches.store, "replace", taken_once)
    followed = matches.apply(made.loaded.id, made.seat, Rematch()).stored.rematch
    assert refused[0].id != followed
    assert matches.load(followed, made.seat).seats == (1, 2)


def test_whoever_is_not_quick_enough_looks_again(matches: MatchService, monkeypatch: pytest.MonkeyPatch) -> None:
    made = matches.add(match_on_one_device(DOUBLE_UP, (None, None), "1"))
    original = matches.store.replace
    overtaken = 0

    def slower(before: StoredMatch, *rest: Any) -> bool:
        nonlocal overtaken
        overtaken += 1
        if overtaken < 5:
            named = replace(before, seq=before.seq + 1, offer=f"{overtaken}")  # somebody else does something
            assert original(before, named)
        return original(before, *rest)

    with monkeypatch.context() as patch:
        patch.setattr(matches.store, "replace", slower)
        after = matches.apply(made.loaded.id, made.seat, Play("2", 0))
    assert (overtaken, after.stored.seq) == (5, 6)
    assert matches.load(made.loaded.id).match.round.moves == [2]
    monkeypatch.setattr(matches.store, "replace", lambda *_: False)
    with pytest.raises(Busy):
        matches.apply(made.loaded.id, made.seat, Play("4", 1))
    assert service_module.MAX_WRITE_ATTEMPTS > 5


def test_what_comes_back_from_a_change_is_what_is_loaded_then(matches: MatchService) -> None:
    made = matches.add(match_with_computer(DOUBLE_UP, None, "perfect", "me"))
    id = made.loaded.id
    for command in (
        Play("2", 0),
        ReplaceComputer("perfect", 1),
        ComputerMove("4", 1),
        Rename("Ann"),
        Play("8", 2),
        ComputerMove(None, 3),
    ):
        after = matches.apply(id, made.seat, command)
        then = matches.load(id, made.seat)
        assert after.stored == then.stored
        assert record.write_record(after.match) == record.write_record(then.match)
        assert after.seats == then.seats
    assert then.match.setup.players == ("human", "level:5")
    assert then.match.names == ("Ann", "Computer")
    assert record.lines(then.match) == ["1. 2", "2. 4", "3. 8", "resign 2"]


# Names.


characters = st.one_of(
    st.characters(),
    st.sampled_from(" \"'\\[]%:\u200c\u200d\u200e\u00ad\ufeff\U0001f469\U0001f4bb\u0915\u094d\u0937\u0301\u2028\n\t"),
)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.text(characters, min_size=1, max_size=31))
def test_any_name_that_is_allowed_leaves_the_match_readable(matches: MatchService, name: str) -> None:
    made = matches.add(match_on_one_device(DOUBLE_UP, (None, None), "1"))
    try:
        check_new_name(name)
    except BadName:
        with pytest.raises(BadName):
            matches.apply(made.loaded.id, made.seat, Rename(name))
        name = "Player 1"
    else:
        assume(name.casefold() != "player 2")
        matches.apply(made.loaded.id, made.seat, Rename(name))
    loaded = matches.load(made.loaded.id, made.seat)
    assert loaded.match.names == (name, "Player 2")
    assert matches.apply(made.loaded.id, made.seat, Play("2", 0)).match.round.moves == [2]
    assert record.read_record(matches.load(made.loaded.id).public_record()).names == (name, "Player 2")


@pytest.mark.parametrize(
    "name",
    ["\U0001f469\u200d\U0001f4bb", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "a\u200db"],
    ids=["woman technologist", "Persian", "letters"],
)
def test_a_match_that_a_name_with_a_joiner_had_broken_opens_again(matches: MatchService, name: str) -> None:
    """Such a head could be stored at all times, but not read."""
    made = match_on_one_device(DOUBLE_UP, ("Ann", "Ben"), "1")
    head = made.loaded.stored.head.replace('[Player2 "Ben"]', f'[Player2 "{name}"]')
    matches.store.add(replace(made.loaded.stored, head=head))
    loaded = matches.load(made.loaded.id, made.seat)
    assert loaded.match.names == ("Ann", name)
    matches.apply(loaded.id, made.seat, Play("2", 0))
    assert matches.apply(loaded.id, made.seat, Rename("Ben", 2)).match.names == ("Ann", "Ben")


@pytest.mark.parametrize("name", ["\u2800", "\u3164", "\ufe0f"])
def test_a_name_that_looks_empty_is_not_to_be_had_but_a_match_that_has_it_opens(
    matches: MatchService, name: str
) -> None:
    for make in (
        lambda: match_with_friend(DOUBLE_UP, name, "me"),
        lambda: match_with_computer(DOUBLE_UP, name, "level:1", "me"),
        lambda: match_on_one_device(DOUBLE_UP, ("Ann", name), "1"),
    ):
        with pytest.raises(BadName, match=r"do(es)? not show"):
            make()
    made = matches.add(match_with_friend(DOUBLE_UP, "Ann", "me"))
    assert made.invitation is not None
    with pytest.raises(BadName):
        matches.join(made.loaded.id, made.invitation, name)
    assert matches.load(made.loaded.id).waiting, "nothing happened"
    local = match_on_one_device(DOUBLE_UP, ("Ann", "Ben"), "1")
    old = replace(local.loaded.stored, head=local.loaded.stored.head.replace('"Ben"', f'"{name}"'))
    matches.store.add(old)
    assert matches.load(old.id).match.names == ("Ann", name)
    assert matches.apply(old.id, local.seat, Play("2", 0)).ply == 1
    assert matches.apply(old.id, local.seat, Rename("Ben", 2)).match.names == ("Ann", "Ben")
    with pytest.raises(BadName):
        matches.apply(old.id, local.seat, Rename(name, 2))


# Seats that are renewed.


def test_a_renewed_seat_has_the_new_secret_alone_and_may_be_renewed_twice(matches: MatchService) -> None:
    made = matches.add(match_with_friend(DOUBLE_UP, "Ann", "me"))
    assert made.invitation is not None
    id, old, new = made.loaded.id, made.seat, "n" * 22
    ben = matches.join(id, made.invitation, "Ben").seat
    matches.apply(id, old, Play("2", 0))
    for _ in range(2):  # the answer was lost, and it is sent again
        renewed = matches.renew_seat(id, old, new)
        assert (renewed.seat, renewed.loaded.seats, renewed.loaded.ply) == (new, (1,), 1)
    assert matches.load(id).stored.seq == renewed.loaded.stored.seq, "done once"
    with pytest.raises(SeatWrong):
        matches.apply(id, old, Resign())
    with pytest.raises(SeatWrong):
        matches.renew_seat(id, old, "o" * 22)
    with pytest.raises(SeatNeeded):
        matches.renew_seat(id, None, "o" * 22)
    assert matches.apply(id, ben, Play("4", 1)).seats == (2,), "the other's is as it was"
    assert matches.apply(id, new, Play("8", 2)).ply == 3
    both = matches.add(match_on_one_device(DOUBLE_UP, (None, None), "1"))
    assert matches.renew_seat(both.loaded.id, both.seat, new).loaded.seats == (1, 2)
    assert matches.load(both.loaded.id, new).seats == (1, 2)


def test_whoever_is_to_be_invited_can_still_come_when_the_seat_was_renewed(matches: MatchService) -> None:
    made = matches.add(match_with_friend(DOUBLE_UP, "Ann", "me"))
    assert made.invitation is not None
    matches.renew_seat(made.loaded.id, made.seat, "n" * 22)
    assert matches.join(made.loaded.id, made.invitation, "Ben").loaded.seats == (2,)


# Matches that are deleted.


def lies_in_the_store(matches: MatchService, id: str) -> int:
    with matches.store.database.reading() as connection:
        tables = ("matches WHERE id", "lines WHERE match", "visits WHERE match")
        return sum(
            connection.exec_driver_sql(f"SELECT count(*) FROM {where} = '{id}'").scalar_one() for where in tables
        )


@pytest.mark.parametrize("moves", [0, 1])
@pytest.mark.parametrize(
    "make",
    [
        lambda: match_on_one_device(DOUBLE_UP, (None, None), "1"),
        lambda: match_with_computer(DOUBLE_UP, "Ann", "level:1", "me"),
    ],
    ids=["local", "computer"],
)
def test_whoever_needs_to_ask_nobody_deletes_a_match_and_nothing_of_it_is_left(
    matches: MatchService, make: Callable[[], SeatedMatch], moves: int
) -> None:
    made, other = matches.add(make()), matches.add(make())
    id = made.loaded.id
    for each in (made, other):
        matches.store.begin_visit(f"visit {each.loaded.id}", each.loaded.id, 1)
        if moves:
            matches.apply(each.loaded.id, each.seat, Play("2", 0))
    with pytest.raises(SeatNeeded):
        matches.apply(id, None, Delete())
    with pytest.raises(SeatWrong):
        matches.apply(id, other.seat, Delete())
    heard: list[str | None] = []
    matches.store.listen(heard.append)
    deleted = matches.apply(id, made.seat, Delete())
    assert (deleted.deleted, deleted.computer_to_move, heard) == (True, False, [id])
    assert lies_in_the_store(matches, id) == 0
    assert lies_in_the_store(matches, other.loaded.id) == 2 + moves
    with pytest.raises(NoSuchMatch, match="may have expired or been deleted"):
        matches.apply(id, made.seat, Delete())


def test_what_two_have_played_is_deleted_when_both_want_it(matches: MatchService) -> None:
    made = matches.add(match_with_friend(DOUBLE_UP, "Ann", "me"))
    id, ann, invitation = made.loaded.id, made.seat, made.invitation
    assert invitation is not None
    ben = matches.join(id, invitation, "Ben").seat
    for step in ("begun", "over"):
        for seat in (ann, ben):
            with pytest.raises(NotOnOffer, match="when both agree"):
                matches.apply(id, seat, Delete())
        ply = matches.load(id).ply
        matches.apply(id, ann, MakeOffer("delete", ply))
        matches.apply(id, ann, MakeOffer("delete", ply))
        with pytest.raises(NoOffer):
            matches.apply(id, ann, AnswerOffer("delete", "accept", ply))
        matches.apply(id, ben, AnswerOffer("delete", "decline", ply))
        if step == "begun":
            matches.apply(id, ben, Resign())
    assert not matches.load(id).deleted
    matches.apply(id, ben, MakeOffer("delete", 1))
    assert matches.apply(id, ann, AnswerOffer("delete", "accept", 1)).deleted
    with pytest.raises(NoSuchMatch):
        matches.apply(id, ann, AnswerOffer("delete", "accept", 1))
    assert lies_in_the_store(matches, id) == 0


def test_a_match_that_nobody_has_joined_is_its_makers(matches: MatchService) -> None:
    made = matches.add(match_with_friend(DOUBLE_UP, "Ann", "me"))
    assert made.invitation is not None
    assert matches.apply(made.loaded.id, made.seat, Delete()).deleted
    with pytest.raises(NoSuchMatch):
        matches.join(made.loaded.id, made.invitation, "Ben")


def test_a_match_that_somebody_joins_in_that_moment_is_not_deleted(
    matches: MatchService, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = matches.add(match_with_friend(DOUBLE_UP, "Ann", "me"))
    invitation = made.invitation
    assert invitation is not None
    remove = matches.store.remove

    def somebody_was_quicker(match: StoredMatch, attempt: Any = None) -> bool:
        monkeypatch.setattr(matches.store, "remove", remove)
        matches.join(match.id, invitation, "Ben")
        return remove(match, attempt)

    monkeypatch.setattr(matches.store, "remove", somebody_was_quicker)
    with pytest.raises(NotOnOffer, match="when both agree"):
        matches.apply(made.loaded.id, made.seat, Delete())
    assert matches.load(made.loaded.id).match.names == ("Ann", "Ben")


# So many, and no more.


def test_there_are_no_more_matches_than_there_may_be() -> None:
    service = MatchService(open_store("sqlite://"), most=3)
    made = [service.add(match_on_one_device(DOUBLE_UP, (None, None), "1")) for _ in range(3)]
    for _ in range(2):
        with pytest.raises(ServerFull, match=r"stores no more than 3 matches.*delete one of yours"):
            service.add(match_on_one_device(DOUBLE_UP, (None, None), "1"))
    service.apply(made[0].loaded.id, made[0].seat, Resign(1))
    with pytest.raises(ServerFull):
        service.apply(made[0].loaded.id, made[0].seat, Rematch())
    assert service.load(made[0].loaded.id).stored.rematch == ""
    assert service.apply(made[1].loaded.id, made[1].seat, Play("2", 0)).ply == 1, "those that are there go on"
    service.apply(made[2].loaded.id, made[2].seat, Delete())
    assert service.apply(made[0].loaded.id, made[0].seat, Rematch()).stored.rematch
    assert service.store.count() == 3
    service.store.close()


# Seeds.


def test_whatever_is_dealt_in_a_new_match_follows_from_128_bits_that_nobody_is_told(matches: MatchService) -> None:
    spot = MatchRequest("sequence-spot", {})
    unfinished = FINISHED.replace("resign 1\n", "").replace("0-1", "*")
    made = [
        match_with_friend(spot, None, "me"), match_with_computer(spot, None, "level:1", "me"),
        match_on_one_device(spot, (None, None), "1"), match_of_record(unfinished),
    ]  # fmt: skip
    over = matches.add(match_of_record(unfinished))
    matches.apply(over.loaded.id, over.seat, Resign(1))
    following = matches.apply(over.loaded.id, over.seat, Rematch()).stored.rematch
    loaded = [each.loaded for each in made] + [matches.load(following)]
    seeds = {each.match.setup.seed for each in loaded}
    assert len(seeds) == 5
    assert all(re.fullmatch("[0-9a-f]{32}", seed) for seed in seeds), "16 bytes each"
    assert not any(seed in each.public_record() for seed in seeds for each in loaded)


# Records.


def test_a_record_that_is_over_is_taken_as_it_is(matches: MatchService) -> None:
    made = matches.add(match_of_record(FINISHED))
    assert made.seat is None
    loaded = matches.load(made.loaded.id)
    assert loaded.public_record() == FINISHED
    assert (loaded.stored.kind, loaded.status, loaded.computer_to_move) == ("record", "over", False)


def test_one_that_is_not_is_played_on_by_people_and_nobody_knows_what_is_dealt(matches: MatchService) -> None:
    made = matches.add(match_of_record(FINISHED.replace("resign 1\n", "").replace("0-1", "*")))
    loaded = matches.load(made.loaded.id, made.seat)
    setup = loaded.match.setup
    assert loaded.seats == (1, 2)
    assert setup.players == ("human", "human")
    assert re.fullmatch("[0-9a-f]{32}", setup.seed), "a new one"
    assert (setup.names, setup.first, setup.date) == (("Ann", "Stockfish"), 2, "2026-11-15T19:00:00Z")
    assert record.lines(loaded.match) == ["1. 1,1"]
    assert loaded.match.options == record.read_record(FINISHED).options, "what was dealt stays"
    assert "secret until" in loaded.public_record()


def test_tags_may_not_be_endless() -> None:
    long = FINISHED.replace("known to me", "7" * 4000)
    with pytest.raises(BadRecord, match="tags of the record are too long; at most 4,000 characters"):
        match_of_record(long)
    assert match_of_record(FINISHED.replace("known to me", "7" * 3000)).loaded.match.setup.seed == "7" * 3000


@pytest.mark.parametrize(
    "lines",
    [
        ["1. 2", "undo"] * 501,
        [f"{number}. {number + 1}" for number in range(1, 302)],
        [f"1. {'9' * 1000}"] * 18,
        ["undo"] * 9_000,
    ],
    ids=["actions", "moves in a round", "characters", "rubbish"],
)
def test_a_record_that_no_match_can_hold_is_refused_before_it_is_played(
    lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def replay(text: str) -> None:
        pytest.fail("a line of it was played")

    head = match_on_one_device(MatchRequest("double-up", {"limit": "none"}), (None, None), "1").loaded.public_record()
    monkeypatch.setattr(record, "replay_record", replay)
    for end in ("\n", "\r\n"):
        with pytest.raises(BadRecord, match=r"^the record is too long; at most 1,000 lines below its tags, 300 moves"):
            match_of_record((head + "\n".join(lines) + "\n").replace("\n", end))
