"""How likely a graded player chooses which move: exactly, so that what it gives away can be reckoned.

The graded players are ``random``, the levels and ``perfect``. What they do is said in ``parlour.players``; here stands
what follows from it, and a test holds the one against the other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import comb

from parlour.errors import TooBig, UnknownPlayer
from parlour.evals.known import Known
from parlour.game import P
from parlour.options import O
from parlour.players.level import LEVELS
from parlour.players.perfect import COMPARED_MOVES, COMPARED_REPLIES
from parlour.score import Value
from parlour.text import clip

RANDOM, PERFECT = "random", "perfect"
AT_RANDOM = {RANDOM: 1.0, **{f"level:{number}": level.at_random for number, level in LEVELS.items()}, PERFECT: 0.0}

Chances = Mapping[int, float]  # by move
Chooser = Callable[[Known[O, P], P], Chances]


def chooser(word: str) -> Chooser[O, P]:
    """The chances of the graded player that a word names; UnknownPlayer if it names none."""
    share = AT_RANDOM.get(word)
    if share is None:
        raise UnknownPlayer(
            f"{clip(word)!r} is not a graded player, whose chances are known exactly; allowed: {', '.join(AT_RANDOM)}"
        )

    def choose(known: Known[O, P], position: P) -> Chances:
        legal = known.moves(position)
        chances = {move.move: share / len(legal) for move in legal}
        if share < 1:
            for move, chance in _perfect(known, position).items():
                chances[move] += (1 - share) * chance
        return chances

    return choose


def _perfect(known: Known[O, P], position: P) -> Chances:
    """Any of the quickest wins; where there is none, of the best moves those that tempt the opponent most."""
    legal = known.moves(position)
    most = max(move.score for move in legal)
    best = [move for move in legal if move.score == most]
    if len(legal) == 1 or most.value is Value.WIN:
        return dict.fromkeys((move.move for move in best), 1 / len(best))
    tempting: dict[int, list[int]] = {}  # moves by how many replies to them lose value
    for move in best:
        if known.rules.count_legal(move.after) > COMPARED_REPLIES:
            raise TooBig(f"more than {COMPARED_REPLIES} replies are compared by lot")
        tempting.setdefault(known.wrong(move.after), []).append(move.move)
    # If there are many, so many of them by lot are compared: the chance that none of them is better.
    drawn, below, chances = min(COMPARED_MOVES, len(best)), 0, dict[int, float]()
    for _, moves in sorted(tempting.items()):
        chance = (comb(below + len(moves), drawn) - comb(below, drawn)) / comb(len(best), drawn)
        chances |= dict.fromkeys(moves, chance / len(moves))
        below += len(moves)
    return chances
