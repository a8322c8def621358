"""Matches for tests: ``begin`` makes one, ``play`` plays moves as a person types them."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import parlour
from parlour.errors import BadOptions, IllegalMove, UnreadableMove
from parlour.match import Match
from parlour.outcome import Outcome
from parlour.view import PLAYERS, PYRAMID, PlayerNumber
from tests.support.command import run_parlour

PLAYER_1, PLAYER_2 = PLAYERS
PLAYER_1_WINS, PLAYER_2_WINS = Outcome(PLAYER_1, "won"), Outcome(PLAYER_2, "won")
PLAYER_1_RESIGNS, PLAYER_2_RESIGNS = Outcome(PLAYER_2, "resigned"), Outcome(PLAYER_1, "resigned")
DRAW, UNDECIDED = Outcome(None, "drawn"), Outcome(None, "undecided")

NO_TIME_TO_PASS = "you can still move, so you cannot pass"


def begin(key: str, moves: str = "", *, cap: int | None = None, seed: int | str | None = "0", **given: Any) -> Match:
    """Return a match in which these moves were played.

    ``given`` are the other arguments of ``parlour.new_match``: names, first and options; ``cap`` limits the rounds.
    """
    match = parlour.new_match(key, seed=seed, **given)
    if cap is not None:
        match = Match(replace(match.setup, cap=cap))
    return play(match, moves)


def play(match: Match, moves: str) -> Match:
    """Play moves, separated by spaces, and return the match."""
    for text in moves.split():
        match.play(match.read(text))
    return match


def choices(match: Match) -> list[str]:
    """The names of the moves that are possible now."""
    return match.legal_names


def numbers(match: Match) -> list[int]:
    """The moves that are possible now, in the games whose moves are numbers."""
    return list(match.legal_moves)


def sequence(match: Match, player: PlayerNumber) -> list[int]:
    """What a player has chosen in this round, in order."""
    return match.moment.taken(player)


def pyramid(match: Match, player: PlayerNumber) -> list[list[str]]:
    """A player's pyramid as it is shown, the top first; an empty position is an empty text."""
    groups = [
        group for group in match.game.display.view(match.moment) if group.shape == PYRAMID and group.owner == player
    ]
    return [[tile.text for tile in row] for row in groups[0].rows]


def refusal(match: Match, text: str) -> str:
    """Why this move is refused. Nothing changes by asking: the same player is still to move."""
    before = (match.turn, match.position, list(match.log))
    with pytest.raises(IllegalMove) as caught:
        match.play(match.read(text))
    assert (match.turn, match.position, list(match.log)) == before
    return caught.value.reason


def unreadable(match: Match, text: str) -> str:
    """What is asked for where a text names no move at all."""
    before = (match.turn, match.position, list(match.log))
    with pytest.raises(UnreadableMove) as caught:
        match.read(text)
    assert (match.turn, match.position, list(match.log)) == before
    return caught.value.reason


def refused_options(key: str, **options: int | str) -> str:
    """What is said about options that make no game."""
    with pytest.raises(BadOptions) as caught:
        begin(key, **options)
    return str(caught.value)


def all_outcomes(match: Match) -> set[Outcome]:
    """Every way in which this match can end from here."""
    if match.outcome is not None:
        return {match.outcome}
    found: set[Outcome] = set()
    for move in list(match.legal_moves):
        match.play(move)
        found |= all_outcomes(match)
        match.undo()
    return found


def asked(match: Match) -> list[str]:
    """The lines before the player to move answers, the prompt last."""
    return match.game.display.prompt(match.moment)


def told(match: Match) -> list[str]:
    """The lines about the move just played."""
    return match.game.display.announce(match.moment)


def announced(match: Match) -> list[str]:
    """The lines at the end of a round."""
    return match.game.display.ending(match.moment, match.round_winner)


def command(state: Path, arguments: list[str], typed: list[str]) -> subprocess.CompletedProcess[str]:
    """Run ``parlour play`` in this process, with these lines on a pipe."""
    text = "".join(f"{line}\n" for line in typed)
    out, err, code = run_parlour("play", *arguments, stdin=text, env={"XDG_STATE_HOME": str(state)})
    return subprocess.CompletedProcess(arguments, code, out, err)
