"""Who may do what: what a state lists as possible is what the commands do, and nothing else."""

from __future__ import annotations

import pytest

from parlour.errors import ParlourError
from parlour.service import capacity
from parlour.service.commands import (
    Join,
    Play,
    Resign,
)
from parlour.service.loaded import LoadedMatch
from parlour.service.new_matches import (
    MatchRequest,
    match_of_record,
    match_on_one_device,
    match_with_friend,
)
from parlour.service.offers import MakeOffer
from parlour.service.rights import usable_rights
from parlour.view import PLAYERS
from tests.support.rights import (
    DEAD_GRID,
    after,
    check_that_rights_and_commands_agree,
    check_walk,
    seen_by,
)

CELLS = ("1,1", "1,2", "1,3", "2,1", "2,2", "2,3", "3,1", "3,2", "3,3")


def friends(game: str, joined: bool = True, **options: str) -> LoadedMatch:
    made = match_with_friend(MatchRequest(game, options), None, "me")
    assert made.invitation is not None
    return after(seen_by(made.loaded), Join(made.invitation, "x" * 22)) if joined else made.loaded


@pytest.mark.parametrize("game", ["double-up", "sequence-spot"])
def test_what_is_listed_is_what_can_be_done(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check_walk(game, monkeypatch)


def test_a_record_that_is_over_is_for_looking_at() -> None:
    made = match_on_one_device(MatchRequest("double-up", {}), (None, None), "1").loaded
    over = match_of_record(after(made, Resign()).public_record()).loaded
    assert over.seats == ()
    assert usable_rights(over) == []
    check_that_rights_and_commands_agree(over)


# The lists themselves, told from the rules of the page: docs/web.md and docs/api.md.


def test_who_waits_has_no_more_than_the_seat() -> None:
    assert usable_rights(friends("double-up", joined=False)) == ["rename", "renew", "delete"]


def test_friends_ask_each_other() -> None:
    begun = seen_by(friends("sequence-builder"), 1)
    assert usable_rights(begun) == ["rename", "move", "resign", "offer delete", "renew"]
    assert usable_rights(seen_by(begun, 2)) == ["rename", "resign", "offer delete", "renew"]
    assert usable_rights(seen_by(begun)) == []
    moved = after(begun, Play("5", 0))
    assert usable_rights(moved) == ["rename", "resign", "offer undo", "offer delete", "renew"]
    assert usable_rights(seen_by(moved, 2)) == ["rename", "move", "resign", "offer delete", "renew"]
    asked = after(moved, MakeOffer("undo", 1))
    assert usable_rights(asked) == ["rename", "resign", "withdraw", "renew"]
    assert usable_rights(seen_by(asked, 2)) == ["rename", "move", "resign", "accept", "decline", "renew"]
    over = after(seen_by(asked, 2), Resign())
    assert usable_rights(over) == usable_rights(seen_by(over, 1))
    assert usable_rights(over) == ["rename", "offer rematch", "offer delete", "renew"]


def test_friends_agree_on_the_next_round_if_this_one_is_dead_and_need_not_ask_when_it_is_over() -> None:
    loaded = friends("sequence-spot", grid=DEAD_GRID)
    assert "offer next" in usable_rights(seen_by(loaded, 1))
    assert "next" not in usable_rights(seen_by(loaded, 1))
    for number, cell in enumerate(CELLS):
        loaded = after(seen_by(loaded, PLAYERS[number % 2]), Play(cell, number))
    assert loaded.status == "between"
    assert usable_rights(seen_by(loaded, 1)) == ["rename", "resign", "next", "offer delete", "renew"]


def test_in_the_last_round_nobody_goes_on_to_the_next() -> None:
    loaded = seen_by(friends("sequence-spot", grid=DEAD_GRID, max_rounds="1"), 1)
    assert usable_rights(loaded) == ["rename", "move", "resign", "offer delete", "renew"]
    with pytest.raises(ParlourError, match="this is the last round: play it out"):
        MakeOffer("next", 0).apply_to(loaded)


def test_nobody_is_asked_on_one_device() -> None:
    made = match_on_one_device(MatchRequest("sequence-builder", {}), (None, None), "1").loaded
    assert usable_rights(made) == ["rename", "move", "resign", "renew", "delete"]
    moved = after(made, Play("5", 0))
    assert usable_rights(moved) == ["rename", "move", "resign", "undo", "renew", "delete"]
    assert usable_rights(after(moved, Resign(1))) == ["rename", "rematch", "renew", "delete"]


def test_a_full_match_can_only_be_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    made = match_on_one_device(MatchRequest("sequence-builder", {}), (None, None), "1").loaded
    monkeypatch.setattr(capacity, "MAX_ACTIONS", 1)
    assert usable_rights(after(made, Play("5", 0))) == ["rename", "resign", "renew", "delete"]
