"""What a state lists as possible, against what the commands do."""

from __future__ import annotations

from random import Random

import pytest

from parlour import record
from parlour.errors import ParlourError
from parlour.service import capacity, new_matches
from parlour.service.commands import (
    Change,
    ComputerMove,
    DealNextRound,
    Delete,
    Join,
    MatchCommand,
    Play,
    Rename,
    RenewSeat,
    Resign,
    TakeBack,
)
from parlour.service.loaded import LoadedMatch
from parlour.service.new_matches import (
    MatchRequest,
    SeatedMatch,
    match_on_one_device,
    match_with_computer,
    match_with_friend,
)
from parlour.service.offers import AnswerOffer, MakeOffer, Rematch
from parlour.service.rights import RIGHTS, usable_rights
from parlour.view import PlayerNumber

DEAD_GRID = "1,2,4,3,8,9,6,5,7"  # no line of it is arithmetic


def seen_by(loaded: LoadedMatch, *seats: PlayerNumber) -> LoadedMatch:
    return LoadedMatch(loaded.stored, loaded.match, seats)


def after(loaded: LoadedMatch, command: MatchCommand) -> LoadedMatch:
    """The match after a command, as the store would give it back."""
    change = command.apply_to(loaded)
    assert change is not None
    stored = change.applied_to(loaded, loaded.stored.changed_at + 1)
    # Only what has changed is written anew; together with the rest it has to be the whole record.
    assert (stored.head, stored.lines) == (record.head(change.match.at(0)), tuple(record.lines(change.match)))
    return LoadedMatch(stored, change.match, loaded.seats)


def command_for(word: str, loaded: LoadedMatch) -> MatchCommand:
    """What somebody sends who makes use of this right."""
    ply, legal = loaded.ply, loaded.match.legal_moves
    kind = loaded.offer.kind if loaded.offer else "undo"
    move = loaded.match.rules.name(legal[0]) if legal else "1"
    commands: dict[str, MatchCommand] = {
        "rename": Rename(f"Name {ply} {loaded.stored.seq}"),
        "move": Play(move, ply),
        "resign": Resign(),
        "next": DealNextRound(ply),
        "undo": TakeBack(ply),
        "rematch": Rematch(),
        "withdraw": AnswerOffer(kind, "withdraw", ply),
        "accept": AnswerOffer(kind, "accept", ply),
        "decline": AnswerOffer(kind, "decline", ply),
        "offer undo": MakeOffer("undo", ply),
        "offer next": MakeOffer("next", ply),
        "offer rematch": MakeOffer("rematch", ply),
        "offer delete": MakeOffer("delete", ply),
        "renew": RenewSeat(f"{loaded.stored.seq:022}"),
        "delete": Delete(),
    }
    return commands[word]


def change_of(command: MatchCommand, loaded: LoadedMatch) -> Change | None:
    """What comes of a command; None if it is refused, or was done already. The loaded match stays as it is."""
    before = loaded.stored, list(loaded.match.log), loaded.match.setup, list(loaded.match.round.moves)
    try:
        return command.apply_to(loaded)
    except ParlourError:
        return None
    finally:
        assert before == (loaded.stored, loaded.match.log, loaded.match.setup, loaded.match.round.moves)


def check_that_rights_and_commands_agree(loaded: LoadedMatch) -> None:
    listed = usable_rights(loaded)
    offer = loaded.offer
    for right in RIGHTS:
        if right.word == "rematch" and loaded.stored.rematch:
            continue  # it is there already: asked for again, it is told once more
        if offer and right.word == f"offer {offer.kind}" and offer.by not in loaded.seats:
            continue  # to ask for what the other asks for is to accept
        done = change_of(command_for(right.word, loaded), loaded) is not None
        assert (right.word in listed) == done, f"{right.word} by {loaded.seats} at {loaded.status}"


def play_at_random(seated: SeatedMatch, random: Random, steps: int) -> set[str]:
    """Do anything that can be done, and see at each step that rights and commands agree; what was listed on the way."""
    loaded, met = seated.loaded, set()
    if seated.invitation is not None:
        check_that_rights_and_commands_agree(loaded)
        loaded = after(seen_by(loaded), Join(seated.invitation, "x" * 22))
    views: tuple[tuple[PlayerNumber, ...], ...] = (
        ((1,), (2,)) if seated.invitation is not None else (seated.loaded.seats,)
    )
    for _ in range(steps):
        check_that_rights_and_commands_agree(seen_by(loaded))
        for seats in views:
            view = seen_by(loaded, *seats)
            met |= {f"{loaded.status}: {word}" for word in usable_rights(view)}
            check_that_rights_and_commands_agree(view)
        if loaded.computer_to_move and random.random() < 0.9:
            move = random.choice(loaded.match.legal_names)
            loaded = after(loaded, ComputerMove(move, loaded.ply))
            continue
        view = seen_by(loaded, *random.choice(views))
        words = [word for word in usable_rights(view) if word not in ("renew", "delete", "offer delete")]
        words = [word for word in words if word != "rematch" or not loaded.stored.rematch]
        words = [word for word in words if word not in ("rename", "resign") or random.random() < 0.05]
        if not words:
            continue
        word = random.choice(words)
        command = command_for(word, view)
        if word == "move":
            command = Play(random.choice(loaded.match.legal_names), loaded.ply)
        loaded = after(view, command)
    return met


def check_walk(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Walk at random through matches of every kind until every right has been listed."""
    monkeypatch.setattr(capacity, "MAX_ACTIONS", 24)
    grid = {"grid": DEAD_GRID} if game == "sequence-spot" else {}
    monkeypatch.setattr(new_matches, "new_seed", lambda: "1")  # the walk is the same each time
    wanted = {right.word for right in RIGHTS} - {"next", "offer next"}
    between = {"between: next", "playing: next", "playing: offer next"} if grid else set()
    met: set[str] = set()
    for seed in range(100):
        random = Random(f"{game} {seed}")
        request = MatchRequest(game, grid)
        met |= play_at_random(match_with_friend(request, None, random.choice(["me", "you"])), random, 40)
        met |= play_at_random(match_with_computer(request, None, "level:1", random.choice(["me", "you"])), random, 40)
        met |= play_at_random(match_on_one_device(request, (None, None), random.choice(["1", "2"])), random, 40)
        if between <= met and wanted <= {word.partition(": ")[2] for word in met}:
            break
    assert {word.partition(": ")[2] for word in met} >= wanted
    assert between <= met
