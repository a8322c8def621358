"""Contests and exploitability: exact expectations of imperfect play.

A game is a good contest if both players can win it, choices rather than the first move decide it, and it is not too
long. The measure assumes two equal players. At each turn they choose at random among the moves that keep the value of
the position, or, with the error rate, among all legal moves. Every position is examined, so the result is exact.

Exploitability is the loss of a given policy against a perfect opponent who knows it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isclose
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeAlias

from parlour.arguments import as_index
from parlour.engine import Compiled, Runtime, compiled_runtime
from parlour.engine.plain import POSITION_BYTES, PlainExpectation, make_room
from parlour.engine.search import CRITICAL, DECISIONS, DEEPEST, HOLDING, NOTHING_KNOWN, compiles
from parlour.errors import BadArgument, TooBig
from parlour.fields import about, document, written
from parlour.game import Game, P
from parlour.limit import Limit, limit_of, limit_within
from parlour.options import O
from parlour.rules import Rules, as_rules
from parlour.score import Value
from parlour.solver import Solver
from parlour.text import clip

if TYPE_CHECKING:
    from parlour.engine.sessions import CompiledExpectation

    Expectations: TypeAlias = PlainExpectation[O, P] | CompiledExpectation[O, P]

# The probabilities of a player's moves in each position, as a table or a function.
Policy = Mapping[P, Mapping[int, float]] | Callable[[P], Mapping[int, float]]
CHUNK = 1000  # positions between checks of the limit

ERROR = 0.2  # error rate
TURNS = (8, 20)  # length of a good contest


@document
class Contest:
    """The expectations of a game between equal players who sometimes err.

    >>> import parlour
    >>> contest = parlour.measure_contest(parlour.rules_of("double-up"))
    >>> f"{contest.first:.0%} {contest.drawn:.0%} {contest.second:.0%}, {contest.turns:.1f} turns"
    '57% 0% 43%, 11.0 turns'
    >>> f"{contest.critical:.1f} of them decide something, measure {contest.measure:.1f}"
    '5.5 of them decide something, measure 4.7'
    """

    value: Value = about("the value with best play, for the player who begins")
    first: float = about("the probability that the player who begins wins")
    drawn: float = about("the probability of a draw")
    turns: float = about("the turns of both players, passes included, on average")
    critical: float = about("turns at which some moves keep the value and others do not, on average")
    error: float = about("the error rate of both players")

    @property
    @written
    def second(self) -> float:
        """the probability that the player who does not begin wins"""
        return 1 - self.first - self.drawn

    @property
    @written
    def openness(self) -> float:
        """from 0, where one side never wins, to 1, where both win half of the games"""
        return 2 * min(self.first, self.second)

    @property
    @written
    def measure(self) -> float:
        """the quality of the contest: the critical turns, times the openness"""
        return self.critical * self.openness

    @property
    @written
    def character(self) -> str:
        """the kind of contest in a few words, like "short and sharp" """
        share = self.critical / self.turns if self.turns else 0.0
        if self.turns < 9.5 and share >= 1 / 3:
            return "short and sharp"
        if self.turns >= 13.5 and share >= 1 / 2:
            return "a long duel"
        return "every turn counts" if share >= 0.45 else "a few turning points"

    @property
    def is_handy(self) -> bool:
        """Whether its length is that of a good contest, 8 to 20 turns."""
        shortest, longest = TURNS
        return shortest <= self.turns <= longest


class Survey(NamedTuple):
    """A contest, with counts over all unfinished positions; equivalent ones count once."""

    contest: Contest
    positions: int
    decisions: int  # positions with several moves
    critical: int  # decisions where some move loses value
    holding: int  # moves that keep the value, over all decisions


def measure_contest(
    rules: str | Game[O, P] | Rules[O, P],
    error: float = ERROR,
    limit: Limit | None = None,
    *,
    seconds: float | None = None,
) -> Contest:
    """Measure how good a contest a game is between equal players with an error rate; see ``Contest``.

    ``seconds`` and the limit bound the work.

    Raises:
        UnknownGame: there is no such game.
        BadArgument: the error is not a number from 0 to 1.
        TooBig: the game need not end, or has more positions than the limit allows.

    >>> import parlour
    >>> parlour.measure_contest(parlour.rules_of("double-up", limit=3)).first
    0.0
    """
    return survey(rules, error, limit_within(limit, seconds)).contest


def survey(
    rules: str | Game[O, P] | Rules[O, P],
    error: float = ERROR,
    limit: Limit | None = None,
    *,
    runtime: Runtime | None = None,
) -> Survey:
    """Return the contest of a game and counts of its positions; errors are those of ``measure_contest``.

    ``runtime`` is as in ``Solver``, for all but the first few thousand positions.
    """
    rules = as_rules(rules)
    limit = limit_of(limit)
    error = check_error(error)
    _check_length(rules)
    table: Expectations[O, P] = PlainExpectation(rules)
    while True:
        limit.check_memory(table.needed_memory)
        found, spent = table.expected(rules.start, error, limit.allowance(table.chunk))
        limit.spend(spent)
        if found != NOTHING_KNOWN:
            break
        limit.check()
        chosen = compiled_runtime(runtime, large=True)
        if chosen is not None:
            runtime = "python"  # no second switch
            table = _compiled(rules, table, chosen)
    value, first, drawn, turns, critical = found
    contest = Contest(value=Value(int(value)), first=first, drawn=drawn, turns=turns, critical=critical, error=error)
    return Survey(contest, len(table), table.counts[DECISIONS], table.counts[CRITICAL], table.counts[HOLDING])


def _check_length(rules: Rules[O, P]) -> int:
    """Return the maximum length of a game in plies; TooBig if it need not end or is too long to measure."""
    if rules.bounds is None:
        raise TooBig("a game that need not end cannot be measured; set a limit")
    if rules.bounds.plies > DEEPEST:
        raise TooBig(f"a game of up to {rules.bounds.plies:,} turns is too long to measure; at most {DEEPEST:,}")
    return rules.bounds.plies


def check_error(error: float) -> float:
    """Return an error rate as a float.

    Raises:
        BadArgument: it is not a number from 0 to 1.
    """
    if isinstance(error, bool) or not isinstance(error, int | float) or not 0 <= error <= 1:
        raise BadArgument(f"bad error {clip(repr(error))}; give the share of moves that are errors, from 0 to 1")
    return float(error)


def _compiled(rules: Rules[O, P], plain: Expectations[O, P], runtime: Compiled) -> Expectations[O, P]:
    """Return a table in compiled code, or the given one if the game cannot be compiled."""
    from parlour.engine.sessions import CompiledExpectation, has_engine

    can_compile = compiles(rules) and has_engine(rules.game, runtime)
    return CompiledExpectation(rules, runtime) if can_compile else plain


# Exploitability.


@document
class Exploitability:
    """The mean result of a policy against a perfect opponent who knows it: 1 for a win, -1 for a loss, 0 for a draw.

    >>> import parlour
    >>> rules = parlour.rules_of("double-up", limit=4)
    >>> at_random = lambda position: dict.fromkeys(legal := rules.legal(position), 1 / len(legal))
    >>> found = parlour.measure_exploitability(rules, at_random)
    >>> found.first, found.second, found.value
    (-1.0, 0.0, <Value.LOSS: -1>)
    >>> found.given_away
    0.5
    """

    first: float = about("the points of the policy when it begins")
    second: float = about("the points of the policy when the opponent begins")
    value: Value = about("the value of the game with best play, for the player who begins")

    @property
    @written
    def given_away(self) -> float:
        """the loss against perfect play, on average over beginning and replying: 0 for a perfect policy"""
        return ((self.value - self.first) + (-self.value - self.second)) / 2


def measure_exploitability(
    rules: str | Game[O, P] | Rules[O, P],
    policy: Policy[P],
    limit: Limit | None = None,
    *,
    seconds: float | None = None,
) -> Exploitability:
    """Measure the results of a policy against a perfect opponent; see ``Exploitability``.

    A policy gives the probability of each move, as a table or a function of positions. Only positions that it can reach
    are looked up. ``seconds`` and the limit bound the work.

    Raises:
        UnknownGame: there is no such game.
        BadArgument: the policy is neither a table nor a function, lacks a position, or has an illegal move.
        TooBig: the game need not end, or has more positions than the limit allows.

    >>> import parlour
    >>> rules = parlour.rules_of("double-up", limit=8)
    >>> highest = {position: {rules.legal(position)[-1]: 1.0} for position in parlour.tabulate(rules)}
    >>> parlour.measure_exploitability(rules, highest)
    Exploitability(first=-1.0, second=-1.0, value=<Value.LOSS: -1>)
    """
    rules = as_rules(rules)
    limit = limit_within(limit, seconds)
    if not callable(policy) and not isinstance(policy, Mapping):
        raise BadArgument(
            f"a policy is needed, not {clip(repr(policy))}; a function or mapping from positions to {{move: share}}"
        )
    make_room(_check_length(rules))
    results = _PolicyResults(rules, policy, limit)
    value = Solver(rules).value(rules.start, limit)
    first, second = results.expected(rules.start, True), -results.expected(rules.start, False)
    return Exploitability(first=first, second=second, value=value)


class _PolicyResults(Generic[P]):
    """The expected results of a policy against perfect play, by position."""

    def __init__(self, rules: Rules[Any, P], policy: Policy[P], limit: Limit) -> None:
        self.rules = rules
        self.choose = policy if callable(policy) else policy.get
        self.limit = limit
        self.known: tuple[dict[P, float], dict[P, float]] = {}, {}  # opponent to move, policy to move

    def expected(self, position: P, mine: bool) -> float:
        """Return the mean result for the player to move; ``mine``: whether the policy is to move."""
        known, rules = self.known[mine], self.rules
        found = known.get(position)
        if found is None:
            if rules.is_over(position):
                found = float(Value.of_result(rules.result(position)))
            elif mine:
                shares = self._shares(position)
                found = sum(share * -self.expected(rules.after(position, move), False) for move, share in shares)
            else:
                found = max(-self.expected(rules.after(position, move), True) for move in rules.legal(position))
            known[position] = found
            if len(known) % CHUNK == 0:
                self.limit.spend(CHUNK)
                self.limit.check()
                self.limit.check_memory(2 * len(known) * POSITION_BYTES)
        return found

    def _shares(self, position: P) -> list[tuple[int, float]]:
        """Return the policy's moves with their probabilities, both as Python numbers instead of NumPy's."""
        shares = self.choose(position)
        if not isinstance(shares, Mapping):
            raise BadArgument(f"the policy says nothing about {position}: found {clip(repr(shares))}")
        legal = self.rules.legal(position)
        found: list[tuple[int, float]] = []
        for key, given in shares.items():
            move, share = as_index(key), _as_float(given)
            if share is None or share < 0 or (share and (move is None or move not in legal)):
                raise BadArgument(
                    f"the policy does not choose among the legal moves of {position}: {clip(repr(shares))}"
                )
            if share and move is not None:
                found.append((move, share))
        total = sum(share for _, share in found)
        if not isclose(total, 1, abs_tol=1e-6):
            raise BadArgument(f"the policy's shares at {position} add up to {total:g} instead of 1")
        return found


def _as_float(share: Any) -> float | None:
    """Return a share as a float; None if that is impossible."""
    try:
        return float(share)
    except (TypeError, ValueError):
        return None
