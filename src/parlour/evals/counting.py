"""How a game that was played is counted, under each policy for answers that are not legal moves.

A game is played once, and to its end: see ``dialogue``. What it would have come to under another policy follows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from parlour.evals.dialogue import Asked
from parlour.evals.expected import ended, grade, started
from parlour.evals.known import Known
from parlour.evals.sums import Sums
from parlour.match import Match
from parlour.score import Value
from parlour.text import counted
from parlour.view import PlayerNumber

FORFEIT, RETRIES, RANDOM_MOVE, DROPPED = "forfeit", "retries", "random_move", "dropped"
POLICIES = {
    FORFEIT: "the first answer that is not a legal move loses the game",
    RETRIES: "the game is lost when all attempts at a turn are used up",
    RANDOM_MOVE: "when all attempts are used up, a random legal move is made, and the game goes on",
    DROPPED: "games with an answer that was not a legal move are left out",
}
_TOLD = {  # the policies as the prompt states them
    FORFEIT: "An answer that names no legal move loses you the game.",
    RETRIES: "An answer that names no legal move counts against you. If you use up all attempts at a turn, you lose "
    "the game.",
    RANDOM_MOVE: "An answer that names no legal move counts against you.",
    DROPPED: "A game with an answer that names no legal move is left out of your results.",
}


def terms(policy: str, attempts: int) -> str:
    """Return what a model has to know about answers that are not legal moves."""
    return (
        f"You have {counted(attempts, 'attempt')} at each turn. {_TOLD[policy]} When all attempts are used up, a "
        "random legal move is made for you, and the game is played to its end."
    )


def outcome_for(match: Match, player: PlayerNumber) -> Value:
    """How a match ended for a player; one that was not finished is lost for the model that was to finish it."""
    outcome = match.outcome
    if outcome is None:
        return Value.LOSS
    if outcome.winner is None:
        return Value.DRAW
    return Value.WIN if outcome.winner == player else Value.LOSS


def turn_of_forfeit(asked: Sequence[Asked], policy: str) -> int | None:
    """At which of these turns the game was lost by its answers; None: at none."""
    for place, turn in enumerate(asked):
        if (policy == FORFEIT and turn.first != "legal") or (policy == RETRIES and not turn.answered):
            return place
    return None


def count(
    known: Known[Any, Any], start: Value, match: Match, player: PlayerNumber, asked: Sequence[Asked], policy: str
) -> Sums:
    """A game of a model in a player, from a position of this value for it on; nothing where the game is left out."""
    if policy == DROPPED and any(turn.first != "legal" for turn in asked):
        return Sums()
    lost_at = turn_of_forfeit(asked, policy)
    sums = started(start)
    for place, turn in enumerate(asked[: None if lost_at is None else lost_at + 1]):
        move = None if place == lost_at else match.round.moves[turn.ply]
        graded = grade(known, match.round.positions[turn.ply], move)
        sums = sums.plus(
            Sums(asked=1, readable=float(turn.first != "unreadable"), legal=float(turn.first == "legal"))._replace(
                **graded._asdict()
            )
        )
    return sums.plus(ended(start, Value.LOSS if lost_at is not None else outcome_for(match, player)))


def explain(sums: Sums, match: Match, asked: Sequence[Asked], policy: str, end: str = "") -> str:
    """Return in words why a game was counted like this; ``end`` says how it ended, if not as the match did."""
    bad = sum(turn.first != "legal" for turn in asked)
    turns = f"{counted(len(asked), 'turn')}, at {bad} of them the first answer was not a legal move"
    if not sums.games:
        return f"left out; {turns}"
    lost_at = turn_of_forfeit(asked, policy)
    if lost_at is not None:
        why = f"lost by its answers at its turn {lost_at + 1}: {POLICIES[policy]}"
    elif match.outcome is None:
        why = end or "the game was not played to its end"
    else:
        why = end or match.standing
    return f"{sums.points:g} of 1 point: {why}; {turns}"
