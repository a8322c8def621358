"""Matches over HTTP: made, joined, played, undone, offered, resigned, followed, and told as they are."""

from __future__ import annotations

import json
import re
import threading
from pathlib import Path
from random import Random

import httpx
import pytest

from parlour import catalog, record
from parlour.documents.table import replay_document, table_document
from parlour.match import Action, Match
from parlour.rules import read_rules
from parlour.secrets import hash_secret, secret_fits
from parlour.setup import Setup
from parlour.store.errors import BadDatabase
from tests.support.asgi import StartApp, WebApp
from tests.support.seats import SMALL, Document, Seat, challenge, refused, sit_down, wait_until

all_games = pytest.mark.parametrize("game", catalog.keys())


@all_games
def test_two_friends_play_to_the_end_and_the_record_is_a_possible_game(client: httpx.Client, game: str) -> None:
    few = {"max_rounds": "2"} if game == "sequence-spot" else {}  # by chance most of its rounds are drawn
    players = sit_down(client, game=game, options=SMALL[game] | few)
    random = Random(f"friends {game}")
    for _ in range(300):
        state = players[0].state()
        if state["status"] == "over":
            break
        if state["status"] == "between":
            assert players[random.randrange(2)].post("next", ply=state["ply"]).status_code == 200
            continue
        table = state["table"]
        mover = players[table["turn"] - 1]
        assert ("move" in state["can"]) == (mover is players[0])
        answer = mover.move(random.choice(table["legal"]), state["ply"])
        assert answer.status_code == 200, answer.text
        assert answer.json()["ply"] > state["ply"]
    outcome = state["outcome"]
    assert outcome is not None
    match = record.read_record(client.get(f"/api/matches/{state['id']}/record").text)
    assert match.outcome is not None
    assert (match.outcome.how, match.outcome.winner) == (outcome["how"], outcome["winner"])
    refused(players[0].move("1"), 409, "game/over")


@all_games
def test_the_tiles_say_exactly_which_moves_are_legal(client: httpx.Client, game: str) -> None:
    first, second = sit_down(client, game=game)
    for player in (first, second, first):
        table = player.state()["table"]
        tiles = [tile for group in table["view"] for row in group["rows"] for tile in row]
        assert sorted(tile["move"] for tile in tiles if tile["legal"]) == sorted(table["legal"])
        assert table["legal_count"] == len(table["legal"])
        player.move(table["legal"][len(table["legal"]) // 2])


def test_whoever_opens_the_invitation_first_has_the_seat(client: httpx.Client) -> None:
    made = challenge(client, game="double-up", name="Ann")
    invitation = {"invite": made["invite"], "name": "Bob"}
    joined = client.post(f"/api/matches/{made['id']}/join", json=invitation)
    assert joined.status_code == 200
    assert [player["name"] for player in joined.json()["state"]["players"]] == ["Ann", "Bob"]
    assert joined.json()["state"]["you"] == [2]
    refused(client.post(f"/api/matches/{made['id']}/join", json=invitation), 409, "seat/taken")


def test_joining_can_be_sent_twice_with_a_secret_of_ones_own(client: httpx.Client) -> None:
    made = challenge(client, game="double-up")
    own = {"invite": made["invite"], "seat": "x" * 22}
    for _ in range(2):
        assert client.post(f"/api/matches/{made['id']}/join", json=own).json()["seat"] == "x" * 22


def test_of_many_who_open_an_invitation_at_once_one_has_it(client: httpx.Client) -> None:
    made = challenge(client, game="double-up")
    codes: list[int] = []

    def join() -> None:
        codes.append(client.post(f"/api/matches/{made['id']}/join", json={"invite": made["invite"]}).status_code)

    threads = [threading.Thread(target=join) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(codes) == [200] + [409] * 7


def test_a_move_sent_twice_is_played_once(client: httpx.Client) -> None:
    first, second = sit_down(client, game="double-up")
    for text in ("2", "2", " 2 "):
        answer = first.move(text, 0)
        assert answer.status_code == 200
        assert answer.json()["table"]["moves"] == ["2"]
    assert second.move("3", 1).json()["table"]["moves"] == ["2", "3"]
    assert first.move("2", 0).json()["table"]["moves"] == ["2", "3"], "still the same move, however late"
    refused(second.move("2", 0), 409, "move/stale")  # which was somebody else's


def test_of_two_different_moves_at_once_one_is_played_and_the_other_is_told_so(client: httpx.Client) -> None:
    for attempt in range(2):
        made = challenge(client, "local", game="sequence-builder", first="1")
        seat = Seat(client, made["id"], made["seat"])
        answers: list[httpx.Response] = []

        def move(text: str, seat: Seat = seat, answers: list[httpx.Response] = answers) -> None:
            answers.append(seat.move(text, 0))

        threads = [threading.Thread(target=move, args=(str(number),)) for number in range(1, 7)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        codes = sorted(answer.status_code for answer in answers)
        assert codes == [200] + [409] * 5, attempt
        stale = next(answer for answer in answers if answer.status_code == 409)
        document = refused(stale, 409, "move/stale")
        assert document["state"]["ply"] == 1
        assert len(document["state"]["table"]["moves"]) == 1


def test_a_refused_move_says_why_and_changes_nothing(client: httpx.Client) -> None:
    first, second = sit_down(client, game="increasing-differences")
    for player, move in ((first, "5"), (second, "7"), (first, "8"), (second, "9")):
        player.move(move)
    document = refused(first.move("10"), 400, "move/illegal")
    assert document["reason"] == "10 is only 2 away from 8; you need more than 3"
    assert "12" in document["error"] or "12-20" in document["legal"]
    refused(first.move("rubbish"), 400, "move/unreadable")
    refused(second.move("12"), 409, "turn/other")
    assert first.state()["table"]["moves"] == ["5", "7", "8", "9"]


def test_watching_is_free_and_playing_is_not(client: httpx.Client) -> None:
    first, second = sit_down(client, game="double-up")
    watcher = Seat(client, first.id, None)
    state = watcher.state()
    assert state["you"] == []
    assert state["can"] == []
    for what, body in (
        ("move", {"move": "2", "ply": 0}),
        ("undo", {"ply": 0}),
        ("next", {"ply": 0}),
        ("offer", {"kind": "undo", "ply": 0}),
        ("offer/accept", {"kind": "undo", "ply": 0}),
        ("resign", {}),
        ("rematch", {}),
        ("name", {"name": "Eve"}),
    ):
        refused(watcher.post(what, **body), 401, "seat/needed")
        refused(Seat(client, first.id, "x" * 22).post(what, **body), 403, "seat/wrong")
    assert first.secret not in json.dumps(state)
    assert second.secret not in json.dumps(state)


def test_a_take_back_among_friends_is_offered_and_accepted(client: httpx.Client) -> None:
    first, second = sit_down(client, game="sequence-builder")
    first.move("5")
    refused(first.post("undo", ply=1), 409, "offer/impossible")
    offered = first.post("offer", kind="undo", ply=1).json()
    assert offered["offer"] == {"kind": "undo", "by": 1}
    assert "withdraw" in offered["can"]
    refused(first.post("offer/accept", kind="undo", ply=1), 409, "offer/none")
    refused(second.post("offer/accept", kind="rematch", ply=1), 409, "offer/none")
    refused(second.post("offer", kind="next", ply=1), 409, "offer/pending")
    state = second.post("offer/accept", kind="undo", ply=1).json()
    assert second.post("offer/accept", kind="undo", ply=1).json()["seq"] == state["seq"], "sent twice"
    assert state["table"]["moves"] == []
    assert state["offer"] is None
    assert state["ply"] == 2, "a ply never names two positions"
    refused(first.move("6", 0), 409, "move/stale")
    assert first.move("6", 2).status_code == 200


def test_an_offer_ends_with_a_move_a_refusal_or_a_change_of_mind(client: httpx.Client) -> None:
    first, second = sit_down(client, game="sequence-builder")
    first.move("5")
    first.post("offer", kind="undo", ply=1)
    assert second.move("9", 1).json()["offer"] is None
    refused(second.post("offer/accept", kind="undo", ply=1), 409, "move/stale")
    refused(second.post("offer/accept", kind="undo", ply=2), 409, "offer/none")
    first.post("offer", kind="undo", ply=2)
    for _ in range(2):
        assert second.post("offer/decline", kind="undo", ply=2).json()["offer"] is None
    first.post("offer", kind="undo", ply=2)
    assert first.post("offer/withdraw", kind="undo", ply=2).json()["offer"] is None
    assert first.state()["table"]["moves"] == ["5", "9"]
    # Taking back one's own move takes back the answer as well.
    first.post("offer", kind="undo", ply=2)
    assert second.post("offer/accept", kind="undo", ply=2).json()["table"]["moves"] == []


def test_two_who_want_the_same_agree(client: httpx.Client) -> None:
    first, second = sit_down(client, game="double-up")
    assert first.post("resign").json()["outcome"]["winner"] == 2
    assert first.post("resign").status_code == 200, "sent twice"
    ply = first.state()["ply"]
    first.post("offer", kind="rematch", ply=ply)
    state = second.post("offer", kind="rematch", ply=ply).json()
    assert state["rematch"]


def test_a_rematch_swaps_the_seats_and_keeps_the_secrets(client: httpx.Client) -> None:
    first, second = sit_down(client, game="double-up", name="Ann", options={"limit": "50"})
    refused(first.post("offer", kind="rematch", ply=0), 409, "offer/impossible")
    second.post("resign")
    ply = first.state()["ply"]
    first.post("offer", kind="rematch", ply=ply)
    state = second.post("offer/accept", kind="rematch", ply=ply).json()
    for sent_twice in (
        second.post("offer/accept", kind="rematch", ply=ply),
        first.post("offer", kind="rematch", ply=ply),
        second.post("offer", kind="rematch", ply=ply),
        first.post("rematch"),
    ):
        assert sent_twice.status_code == 200
        assert (sent_twice.json()["seq"], sent_twice.json()["rematch"]) == (state["seq"], state["rematch"])
    again = Seat(client, state["rematch"], first.secret).state()
    assert again["you"] == [2]
    assert [player["name"] for player in again["players"]] == ["Player 1", "Ann"]
    assert again["table"]["options"] == {"limit": "50"}
    assert again["status"] == "playing"
    assert Seat(client, state["rematch"], second.secret).move("2", 0).status_code == 200


def test_a_rematch_with_a_friend_is_offered_and_not_taken(client: httpx.Client) -> None:
    first, second = sit_down(client, game="double-up")
    refused(first.post("rematch"), 409, "offer/impossible")
    second.post("resign")
    refused(first.post("rematch"), 409, "offer/impossible")


def test_nobody_resigns_for_somebody_else(client: httpx.Client) -> None:
    first, second = sit_down(client, game="double-up")
    refused(first.post("resign", player=2), 403, "seat/wrong")
    assert second.state()["status"] == "playing"
    assert second.post("resign", player=2).json()["outcome"]["winner"] == 1


def test_a_computer_answers_and_undo_is_free(client: httpx.Client) -> None:
    made = challenge(client, "computer", game="sequence-builder", level="perfect", first="me")
    seat = Seat(client, made["id"], made["seat"])
    seat.move("5", 0)
    state = wait_until(seat, lambda state: not state["thinking"])
    assert len(state["table"]["moves"]) == 2
    assert state["table"]["turn"] == 1
    assert "undo" in state["can"]
    state = seat.post("undo", ply=state["ply"]).json()
    assert state["table"]["moves"] == []
    assert seat.post("undo", ply=2).json()["seq"] == state["seq"], "sent twice"
    refused(seat.post("undo", ply=state["ply"]), 409, "undo/nothing")
    refused(
        client.post("/api/challenge/computer", json={"game": "double-up", "level": "engine:sh"}), 400, "player/unknown"
    )


@pytest.mark.parametrize("game", ["double-up", "sequence-spot"])  # all of them are in tests/system/web/test_searches.py
def test_a_computer_plays_a_game_to_its_end(client: httpx.Client, game: str) -> None:
    options = {"max_rounds": "1"} if game == "sequence-spot" else SMALL[game]
    made = challenge(client, "computer", game=game, options=options, level="level:2", first="you")
    seat = Seat(client, made["id"], made["seat"])
    random = Random(f"computer {game}")
    for _ in range(60):
        state = wait_until(seat, lambda state: not state["thinking"])
        if state["status"] == "over":
            break
        seat.move(random.choice(state["table"]["legal"]), state["ply"])
    else:
        pytest.fail("no end")


def test_two_on_one_device_have_both_seats(client: httpx.Client) -> None:
    made = challenge(client, "local", game="double-up", names=["Ann", "Bob"], first="2")
    seat = Seat(client, made["id"], made["seat"])
    assert seat.state()["you"] == [1, 2]
    assert seat.state()["table"]["turn"] == 2
    seat.move("2")
    seat.move("4")
    assert seat.post("undo", ply=2).json()["table"]["moves"] == ["2"]
    assert seat.post("resign", player=2).json()["outcome"]["winner"] == 1
    following = seat.post("rematch").json()["rematch"]
    assert [player["name"] for player in Seat(client, following, made["seat"]).state()["players"]] == ["Bob", "Ann"]


def test_a_match_goes_on_through_rounds(client: httpx.Client) -> None:
    """A full grid without a winner: the next one is dealt, and the other player begins."""
    grid = "5,3,8,1,6,7,4,9,2"
    first, second = sit_down(client, game="sequence-spot", options={"grid": grid})
    for number, cell in enumerate(("1,1", "2,2", "1,2", "2,3", "1,3", "3,2", "2,1", "3,3", "3,1")):
        assert (first, second)[number % 2].move(cell).status_code == 200
    state = first.state()
    assert state["status"] == "between"
    refused(second.move("1,1"), 409, "game/over")
    state = second.post("next", ply=state["ply"]).json()
    assert state["status"] == "playing"
    assert state["round"] == 2
    assert state["table"]["turn"] == 2
    assert state["table"]["moves"] == []
    assert first.post("next", ply=9).json()["round"] == 2, "both pressed it: one round is dealt"
    replay = client.get(f"/api/matches/{first.id}/replay", params={"round": 1}).json()
    assert len(replay["tables"]) == 10
    assert replay["tables"][-1]["result"]["winner"] is None


def test_a_pass_is_made_at_once_and_shown_as_what_it_is(client: httpx.Client) -> None:
    # 20 is the end of the pool: nothing can follow it, so Player 1 passes from then on.
    first, second = sit_down(client, game="sequence-builder")
    first.move("20")
    state = second.move("5").json()
    assert state["table"]["moves"] == ["20", "5", "pass"]
    assert state["table"]["last"]["passed"] is True
    assert state["table"]["turn"] == 2
    assert any("skips" in line for line in state["table"]["last"]["text"])


def test_a_record_goes_out_and_comes_in(client: httpx.Client) -> None:
    first, second = sit_down(client, game="sequence-builder", name="Ann")
    for player, move in ((first, "5"), (second, "7"), (first, "6")):
        player.move(move)
    exported = client.get(f"/api/matches/{first.id}/record")
    assert exported.headers["content-type"].startswith("text/plain")
    made = client.post("/api/import", json={"record": exported.text})
    assert made.status_code == 201
    seat = Seat(client, made.json()["id"], made.json()["seat"])
    assert seat.state()["kind"] == "local"
    assert seat.state()["table"]["moves"] == ["5", "7", "6"]
    assert seat.move("8").status_code == 200
    finished = exported.text.replace("3. 6\n", "resign 1\n")
    over = client.post("/api/import", json={"record": finished}).json()
    assert over["state"]["kind"] == "record"
    assert over["state"]["can"] == []
    refused(client.post("/api/import", json={"record": "rubbish"}), 400, "record/bad")


def test_a_strict_record_is_imported_and_is_strict_no_more_once_it_is_played_on(client: httpx.Client) -> None:
    strict = GIVEN.replace('[Result "', '[Strict "yes"]\n[Result "')
    made = client.post("/api/import", json={"record": strict})
    assert made.status_code == 201
    assert "Strict" not in client.get(f"/api/matches/{made.json()['id']}/record").text
    over = client.post("/api/import", json={"record": f"{strict}resign 1\n"}).json()
    assert '[Strict "yes"]' in client.get(f"/api/matches/{over['id']}/record").text


def test_a_record_that_names_a_program_starts_none(client: httpx.Client) -> None:
    text = GIVEN.replace('[Chooser2 "human"]', '[Chooser2 "engine:sh"]')
    made = client.post("/api/import", json={"record": text}).json()
    assert [player["computer"] for player in made["state"]["players"]] == [None, None]


def test_of_a_record_its_players_its_seed_and_an_endless_date_are_not_kept(client: httpx.Client) -> None:
    text = GIVEN.replace('[Date ""]', f'[Date "{"2026-11-15 " * 5000}"]').replace(
        '[Seed "7"]', f'[Seed "{"7" * 30_000}"]'
    )
    text = text.replace('[Chooser1 "human"]', f'[Chooser1 "level:{"1" * 9000}"]')
    assert 90_000 < len(text) < 100_000
    made = client.post("/api/import", json={"record": text}).json()
    seat = Seat(client, made["id"], made["seat"])
    assert seat.post("resign").status_code == 200
    kept = client.get(f"/api/matches/{made['id']}/record").text
    assert len(kept) < 1000
    match = record.read_record(kept)
    assert match.setup.date == ("2026-11-15 " * 5000)[:40]
    assert re.fullmatch("[0-9a-f]{32}", match.setup.seed), "a new one"
    assert match.setup.players == ("human", "human")


def test_a_record_may_have_its_own_date_but_only_one_that_is_over_its_own_seed(client: httpx.Client) -> None:
    text = GIVEN.replace('[Date ""]', '[Date "2026-11-15T19:00:00Z"]').replace('[Seed "7"]', '[Seed "known to me"]')
    made = client.post("/api/import", json={"record": text}).json()
    Seat(client, made["id"], made["seat"]).post("resign")
    kept = record.read_record(client.get(f"/api/matches/{made['id']}/record").text)
    assert kept.setup.date == "2026-11-15T19:00:00Z"
    assert re.fullmatch("[0-9a-f]{32}", kept.setup.seed), "a new one"
    over = client.post("/api/import", json={"record": f"{text}resign 1\n"}).json()
    kept = record.read_record(client.get(f"/api/matches/{over['id']}/record").text)
    assert (kept.setup.date, kept.setup.seed) == ("2026-11-15T19:00:00Z", "known to me")


def test_a_record_that_is_over_comes_out_as_it_went_in(client: httpx.Client) -> None:
    text = f"{GIVEN}1. 2\nresign 1\n".replace('[Result "*"]', '[Result "0-1"]')
    text = text.replace('[Chooser1 "human"]', '[Chooser1 "level:2"]')
    text = text.replace('[Chooser2 "human"]', '[Chooser2 "engine:./program --fast"]')
    made = client.post("/api/import", json={"record": text}).json()
    assert [player["computer"] for player in made["state"]["players"]] == ["level:2", "engine:./program --fast"]
    assert client.get(f"/api/matches/{made['id']}/record").text == text


def test_a_record_is_refused_if_it_holds_more_than_a_match_can(client: httpx.Client) -> None:
    def send(moves: list[int], more: str = "") -> httpx.Response:
        lines = "".join(f"{number}. {move}\n" for number, move in enumerate(moves, 1))
        return client.post("/api/import", json={"record": GIVEN.replace("limit=100", "limit=none") + lines + more})

    assert send(list(range(2, 302))).status_code == 201
    told = refused(send(list(range(2, 303))), 400, "record/bad")["error"]
    assert all(words in told for words in ("1,000 lines", "300 moves in a round", "16,000 characters of moves"))
    doubled = [2**power for power in range(1, 301)]
    assert send(doubled).status_code == 201
    again = f"undo\n300. {doubled[-1]}\n"
    assert refused(send(doubled, again * 20), 400, "record/bad")["error"] == told
    spaced = f"{GIVEN}1. 2{' ' * 90_000}"  # what is not kept does not count
    assert client.post("/api/import", json={"record": spaced}).status_code == 201
    refused(client.post("/api/import", json={"record": spaced + " " * 10_000}), 400, "request/bad")


def test_what_a_full_match_exports_can_be_imported(client: httpx.Client) -> None:
    lines = "".join(f"{power}. {2**power}\n" for power in range(1, 290)) + f"290. {2**290}\nundo\n" * 18
    made = client.post("/api/import", json={"record": GIVEN.replace("limit=100", "limit=none") + lines}).json()
    seat, moved = Seat(client, made["id"], made["seat"]), 0
    while "move" in (state := seat.state())["can"]:
        assert seat.move("1" + "0" * 87, state["ply"]).status_code == 200
        seat.post("undo", ply=state["ply"] + 1)  # refused if the match is full now
        moved += 1
    assert moved
    assert seat.post("resign").status_code == 200
    text = client.get(f"/api/matches/{made['id']}/record").text
    assert client.post("/api/import", json={"record": text}).status_code == 201


GIVEN = """[Parlour "1"]
[Game "double-up"]
[Version "1"]
[Options "limit=100"]
[Player1 "Alice"]
[Player2 "Bob"]
[Chooser1 "human"]
[Chooser2 "human"]
[First "1"]
[Seed "7"]
[Date ""]
[Result "*"]

"""


def test_play_can_go_on_from_any_position(client: httpx.Client) -> None:
    made = challenge(client, "local", game="double-up", moves=["2", "4", "7"], first="1")
    assert made["state"]["table"]["moves"] == ["2", "4", "7"]
    assert made["state"]["table"]["turn"] == 2
    over = {"game": "double-up", "options": {"limit": "4"}, "moves": ["2", "4"]}
    refused(client.post("/api/challenge/local", json=over), 409, "game/over")
    refused(client.post("/api/challenge/local", json={"game": "double-up", "moves": ["3"]}), 400, "move/illegal")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"game": "chess"}, 404, "game/unknown"),
        ({"game": "double-up", "options": {"limit": "1"}}, 400, "options/bad"),
        ({"game": "double-up", "options": {"size": "1"}}, 400, "options/bad"),
        ({"game": "double-up", "name": "x" * 40}, 400, "name/bad"),
        ({"game": "double-up", "name": "a\u202eb"}, 400, "name/bad"),
        ({"game": "double-up", "name": "a\u0007b"}, 400, "name/bad"),
        ({"game": "double-up", "name": "Player 2"}, 400, "name/bad"),
        ({"game": "double-up", "name": "x" * 400}, 400, "request/bad"),
        ({"game": "double-up", "first": "nobody"}, 400, "request/bad"),
        ({"game": "double-up", "colour": "red"}, 400, "request/bad"),
        ({}, 400, "request/bad"),
    ],
)
def test_a_bad_challenge_is_told_what_is_wrong(client: httpx.Client, body: Document, status: int, code: str) -> None:
    refused(client.post("/api/challenge/open", json=body), status, code)


def test_what_cannot_be_read_is_refused_in_one_line(client: httpx.Client) -> None:
    broken = client.post("/api/challenge/open", content=b"{", headers={"Content-Type": "application/json"})
    refused(broken, 400, "request/bad")
    large = client.post("/api/import", json={"record": "x" * 200_000})
    refused(large, 413, "body/too-large")
    refused(client.get("/api/nothing"), 404, "page/unknown")
    refused(client.get("/api/challenge/open"), 405, "method/wrong")
    refused(client.get("/api/matches/abc"), 404, "match/unknown")
    refused(client.get("/api/matches/a%00bcdefghi"), 404, "match/unknown")


def test_a_name_can_be_changed(client: httpx.Client) -> None:
    first, second = sit_down(client, game="double-up")
    assert first.post("name", name="Ann").json()["players"][0]["name"] == "Ann"
    refused(second.post("name", name="ann"), 400, "name/bad")
    refused(second.post("name", name="Bob", player=1), 403, "seat/wrong")
    assert '[Player1 "Ann"]' in client.get(f"/api/matches/{first.id}/record").text


def test_nothing_can_be_played_before_somebody_joins(client: httpx.Client) -> None:
    made = challenge(client, game="double-up", first="me")
    seat = Seat(client, made["id"], made["seat"])
    assert seat.state()["status"] == "waiting"
    refused(seat.move("2", 0), 409, "match/waiting")
    refused(seat.post("resign"), 409, "match/waiting")


def test_secrets_are_long_and_names_are_public(client: httpx.Client) -> None:
    made = challenge(client, game="double-up")
    assert len(made["seat"]) >= 22, "128 bits in base 64"
    assert re.fullmatch(r"[a-z0-9]{10}", made["id"])
    assert made["seat"] != made["invite"]


def test_secrets_are_compared_in_a_time_that_tells_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    right, wrong = hash_secret("right"), hash_secret("wrong")
    assert secret_fits("right", right)
    assert not secret_fits("right", wrong)
    assert not secret_fits("right", None)
    compared: list[tuple[bytes, bytes]] = []

    def compare(one: bytes, other: bytes) -> bool:
        compared.append((one, other))
        return one != other  # what the true one would not say

    monkeypatch.setattr("hmac.compare_digest", compare)
    assert secret_fits("right", wrong)
    assert not secret_fits("right", right)
    assert compared == [(right, wrong), (right, right)]


def test_what_the_database_says_is_for_whoever_runs_the_server(start_app: StartApp, tmp_path: Path) -> None:
    app = start_app()

    def broken(id: str) -> None:
        raise BadDatabase(f"the database {tmp_path}/web.sqlite3 at host.example cannot be used: it is locked")

    app.state.matches.store.load = broken
    match = "/api/matches/abcdefghjk"
    with app.client() as client:
        answers = [client.get(f"{match}{what}") for what in ("", "/replay", "/record", "/report", "/stream")]
        answers.append(client.post(f"{match}/move", json={"move": "2", "ply": 0}))
    for answer in answers:
        refused(answer, 503, "database/bad")
        for detail in (str(tmp_path), "sqlite", "host.example", "locked"):
            assert detail not in answer.text


# A page that is connected.


@pytest.mark.parametrize(
    "hello", ["[]", "5", "{}", '"seat"', "null", '{"seat": 5}', '{"seat": ["x"]}', b'{"seat": null}']
)
def test_a_first_message_without_a_seat_is_none(app: WebApp, client: httpx.Client, hello: str | bytes) -> None:
    made = challenge(client, "local", game="double-up")
    with app.socket(made["id"]) as page:
        page.send(hello)
        assert page.closed() == 1008


@pytest.mark.parametrize("message", ["rubbish", b"\x00", b"", '{"seat": 5}'])
def test_nothing_that_a_page_says_later_is_read(app: WebApp, client: httpx.Client, message: str | bytes) -> None:
    made = challenge(client, "local", game="double-up", first="1")
    with app.page(made["id"]) as page:
        page.state()
        page.send(message)
        Seat(client, made["id"], made["seat"]).move("2", 0)
        page.state(lambda state: state["ply"] == 1)


# A round, position by position.


def test_a_replay_plays_a_round_once(monkeypatch: pytest.MonkeyPatch) -> None:
    game = catalog.find_game("double-up")
    match = Match(Setup(read_rules(game, {"limit": "none"})))
    match.play_line(str(number) for number in range(2, 102))
    match.resign(1)
    played: list[int] = []
    play = Match.play

    def count(self: Match, move: int) -> Action:
        played.append(move)
        return play(self, move)

    monkeypatch.setattr(Match, "play", count)
    tables = replay_document(match, 0).tables
    assert played == match.round.moves
    assert [len(table.moves) for table in tables] == list(range(101))
    assert tables[-1].turn == 1, "who resigned is no part of it"
    assert table_document(match).turn is None
    assert len(played) == 100, "and where the match stands needs no playing at all"


def test_what_is_dealt_next_is_not_to_be_read_from_a_record(client: httpx.Client) -> None:
    first, _ = sit_down(client, game="sequence-spot")
    going_on = client.get(f"/api/matches/{first.id}/record").text
    assert "secret until the match is over" in going_on
    first.post("resign")
    over = record.read_record(client.get(f"/api/matches/{first.id}/record").text)
    assert re.fullmatch("[0-9a-f]{32}", over.setup.seed)
    assert record.read_record(going_on).options == over.rounds[0].options, "what was dealt is told"
