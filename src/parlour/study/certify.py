"""Certificates: what a position is worth, with a proof that can be checked without trusting whoever made it.

A won position is proved by a strategy of the side that wins, a draw by one of each side. They merge nothing but equal
positions, so that a verifier needs to know the rules and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import time

from parlour.errors import BadStrategy, GameOver
from parlour.game import Game, P, opponent, player_at
from parlour.limit import Limit, limit_of, limit_within
from parlour.match import Match
from parlour.options import O, OptionValue
from parlour.rules import Rules
from parlour.score import Value
from parlour.solver.solver import Solver
from parlour.study.puzzle import ScoreOf, score_of_move
from parlour.study.strategy import Claim, Strategy, check_strategy, read_strategies, write_strategy
from parlour.subject import rules_and_moves
from parlour.text import clip
from parlour.version import __version__
from parlour.view import PLAYERS, PlayerNumber
from parlour.writer import utc


def certify(
    rules: Rules[O, P],
    moves: Sequence[int],
    score: ScoreOf[P],
    notes: dict[str, str] | None = None,
    limit: Limit | None = None,
) -> list[Strategy[O, P]]:
    """The strategies that prove what the position after some moves is worth: one, or for a draw one of each side."""
    position = rules.position_after(moves)
    worth, limit = score(position), limit_of(limit)
    mover = player_at(1, len(moves))
    if worth.value is Value.DRAW:
        sides = [(player, Claim(Value.DRAW, None)) for player in PLAYERS]
    else:
        winner = mover if worth.value is Value.WIN else opponent(mover)
        sides = [(winner, Claim(Value.WIN, worth.plies))]
    return [_strategy(rules, tuple(moves), position, side, claim, score, notes or {}, limit) for side, claim in sides]


def _strategy(
    rules: Rules[O, P],
    moves: tuple[int, ...],
    start: P,
    side: PlayerNumber,
    claim: Claim,
    score: ScoreOf[P],
    notes: dict[str, str],
    limit: Limit,
) -> Strategy[O, P]:
    """What a side plays against everything: the quickest win, and of equal moves the lowest."""
    answers: dict[P, int] = {}
    seen: set[P] = set()  # positions with the other side to move
    todo = [(start, player_at(1, len(moves)) == side)]
    while todo:
        position, mine = todo.pop()
        if rules.is_over(position) or position in (answers if mine else seen):
            continue
        limit.spend(1)
        limit.check()
        if not mine:
            seen.add(position)
            todo += [(rules.after(position, move), True) for move in rules.legal(position)]
            continue
        here = position
        move = max(rules.legal(here), key=lambda each: (score_of_move(rules, here, each, score), -each))
        answers[position] = move
        todo.append((rules.after(position, move), False))
    return Strategy(rules, moves, side, claim, answers, notes, merged=False)


def claim_in_words(strategies: Sequence[Strategy[O, P]], limit: Limit | None = None) -> str:
    """Check a certificate and say what it proves; BadStrategy, with the reason, if it proves nothing."""
    limit = limit_of(limit)
    if len({(each.rules, each.moves) for each in strategies}) != 1:
        raise BadStrategy("a certificate is about one position")
    checked = [check_strategy(each, limit) for each in strategies]
    first = strategies[0]
    after = f" after {' '.join(first.rules.names(first.moves))}" if first.moves else ""
    where, positions = f"{first.rules.title}{after}", sum(each.positions for each in checked)
    if len(strategies) == 1 and first.claim.value is Value.WIN:
        return f"{where}: Player {first.side} wins, in {checked[0].plies} turns at most ({positions:,} positions)"
    if sorted(each.side for each in strategies) == [1, 2] and all(
        each.claim.value is Value.DRAW for each in strategies
    ):
        return f"{where}: a draw, each side can hold it ({positions:,} positions)"
    raise BadStrategy("it shows that one side can hold the draw; for a draw both have to")


def write_certificate(
    what: str | Game[O, P] | Rules[O, P] | Match[O, P],
    limit: Limit | None = None,
    /,
    *,
    seconds: float | None = None,
    **options: OptionValue,
) -> str:
    """Return a certificate: a text that proves the value of a match's position, or of the start of a game.

    A game and its options are as in ``new_match``. ``verifier/`` checks it without any code of Parlour, and
    ``check_certificate`` does with it.

    Raises:
        UnknownGame: there is no such game.
        BadOptions: these options make no game, or come with a match.
        GameOver: the game is over, so there is nothing to prove.
        TooBig: there is no proof within the limit.

    >>> import parlour
    >>> print(parlour.check_certificate(parlour.write_certificate("double-up", limit=20)))
    Double Up: limit=20: Player 2 wins, in 6 turns at most (14 positions)
    """
    limit = limit_within(limit, seconds)
    rules, moves = rules_and_moves(what, options)
    if rules.is_over(rules.position_after(moves)):
        raise GameOver("the game is over: there is nothing to prove")
    solver = Solver(rules)
    notes = {"by": f"Parlour {__version__}", "date": utc(time())[:10]}
    strategies = certify(rules, moves, lambda position: solver.score(position, limit), notes, limit)
    return "".join(map(write_strategy, strategies))


def check_certificate(text: str, limit: Limit | None = None, *, seconds: float | None = None) -> str:
    """Return what a certificate proves, in words.

    Raises:
        BadStrategy: it is not a text, proves nothing, or not what it claims.
        TooBig, Cancelled: the limit is used up before all of it is checked.

    >>> import parlour
    >>> print(parlour.check_certificate(parlour.write_certificate("double-up", limit=30)))
    Double Up: limit=30: Player 1 wins, in 7 turns at most (23 positions)
    """
    if not isinstance(text, str):
        raise BadStrategy(f"a certificate is a text, not {clip(repr(text))}")
    return claim_in_words(read_strategies(text), limit_within(limit, seconds))
