"""How good a contest a game makes under its options: between equals who sometimes err, exactly and not by trial.

A game is a contest if both players can win it, if choices decide it rather than who begins, and if it is over before
anybody tires of it. So imagine two players who are equally good. At each turn they take one of the moves that keep the
value of the position, each as likely as the others; but now and then, one time in five unless told otherwise, they err
and take any legal move. Every position is looked at, and what is said is exact.
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

# How likely a player chooses which move, position by position: as a table, or as a function.
Policy = Mapping[P, Mapping[int, float]] | Callable[[P], Mapping[int, float]]
CHUNK = 1000  # positions between two looks at the clock

ERROR = 0.2  # how often a player errs
TURNS = (8, 20)  # that a good contest takes


@document
class Contest:
    """What to expect of a game between equals who sometimes err.

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
        """how good a contest it is: the turns that decide something, times the openness"""
        return self.critical * self.openness

    @property
    @written
    def character(self) -> str:
        """what sort of contest it is in a few words, like "short and sharp" """
        share = self.critical / self.turns if self.turns else 0.0
        if self.turns < 9.5 and share >= 1 / 3:
            return "short and sharp"
        if self.turns >= 13.5 and share >= 1 / 2:
            return "a long duel"
        return "every turn counts" if share >= 0.45 else "a few turning points"

    @property
    def is_handy(self) -> bool:
        """Whether it takes as many turns as a good contest does: eight to twenty."""
        shortest, longest = TURNS
        return shortest <= self.turns <= longest


class Survey(NamedTuple):
    """What was counted over all positions of a game with somebody to move, and what to expect of it.

    Positions with the same future that the game's ``canonical`` makes one are counted once.
    """

    contest: Contest
    positions: int
    decisions: int  # positions with more than one move
    critical: int  # of these, those where some move loses value
    holding: int  # moves that keep the value, in all decisions together


def measure_contest(
    rules: str | Game[O, P] | Rules[O, P],
    error: float = ERROR,
    limit: Limit | None = None,
    *,
    seconds: float | None = None,
) -> Contest:
    """Measure how good a contest a game makes between equals who err so often; see ``Contest``.

    ``seconds`` bounds the work, beside the limit.

    Raises:
        UnknownGame: there is no such game.
        BadArgument: the error is not a share from 0 to 1.
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
    """The contest that a game makes, and what is found by looking at all its positions; errors as above.

    ``runtime`` is as in ``Solver``, for all but the first few thousand positions.
    """
    rules = as_rules(rules)
    limit = limit_of(limit)
    error = check_error(error)
    if rules.bounds is None:
        raise TooBig("a game that need not end cannot be measured; set a limit")
    if rules.bounds.plies > DEEPEST:
        raise TooBig(f"a game of up to {rules.bounds.plies:,} turns is too long to measure; at most {DEEPEST:,}")
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
            runtime = "python"  # this is decided once
            table = _compiled(rules, table, chosen)
    value, first, drawn, turns, critical = found
    contest = Contest(value=Value(int(value)), first=first, drawn=drawn, turns=turns, critical=critical, error=error)
    return Survey(contest, len(table), table.counts[DECISIONS], table.counts[CRITICAL], table.counts[HOLDING])


def check_error(error: float) -> float:
    """Return the share of turns at which a player errs.

    Raises:
        BadArgument: it is not a number from 0 to 1.
    """
    if isinstance(error, bool) or not isinstance(error, int | float) or not 0 <= error <= 1:
        raise BadArgument(f"bad error {clip(repr(error))}; give the share of moves that are errors, from 0 to 1")
    return float(error)


def _compiled(rules: Rules[O, P], plain: Expectations[O, P], runtime: Compiled) -> Expectations[O, P]:
    """Return a table in compiled code; the plain one where it cannot run."""
    from parlour.engine.sessions import CompiledExpectation, has_engine

    is_able = compiles(rules) and has_engine(rules.game, runtime)
    return CompiledExpectation(rules, runtime) if is_able else plain


# What a way of playing gets from a perfect opponent who knows it.


@document
class Exploitability:
    """What a policy gets on average from a perfect opponent who knows it: 1 for a win, -1 for a loss, 0 for a draw.

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
    """Measure what a perfect opponent wins against a policy; see ``Exploitability``.

    A policy says for each position how likely which move is: a table, or a function. It is asked only about positions
    that it can come to. ``seconds`` bounds the work, beside the limit.

    Raises:
        UnknownGame: there is no such game.
        BadArgument: the policy is neither a table nor a function, says nothing about a position, or does not choose
            among its legal moves.
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
    if rules.bounds is None:
        raise TooBig("a game that need not end cannot be measured; set a limit")
    if rules.bounds.plies > DEEPEST:
        raise TooBig(f"a game of up to {rules.bounds.plies:,} turns is too long to measure; at most {DEEPEST:,}")
    make_room(rules.bounds.plies)
    measure = _Measure(rules, policy, limit)
    value = Solver(rules).value(rules.start, limit)
    first, second = measure.worth(rules.start, True), -measure.worth(rules.start, False)
    return Exploitability(first=first, second=second, value=value)


class _Measure(Generic[P]):
    """What positions are worth to the player to move, if one side plays the policy and the other perfectly."""

    def __init__(self, rules: Rules[Any, P], policy: Policy[P], limit: Limit) -> None:
        self.rules = rules
        self.choose = policy if callable(policy) else policy.get
        self.limit = limit
        self.known: tuple[dict[P, float], dict[P, float]] = {}, {}  # where the opponent is to move, and the policy

    def worth(self, position: P, mine: bool) -> float:
        """For the player to move; ``mine``: the policy is, and not its opponent."""
        known, rules = self.known[mine], self.rules
        found = known.get(position)
        if found is None:
            if rules.is_over(position):
                found = float(Value.of_result(rules.result(position)))
            elif mine:
                shares = self._shares(position)
                found = sum(share * -self.worth(rules.after(position, move), False) for move, share in shares)
            else:
                found = max(-self.worth(rules.after(position, move), True) for move in rules.legal(position))
            known[position] = found
            if len(known) % CHUNK == 0:
                self.limit.spend(CHUNK)
                self.limit.check()
                self.limit.check_memory(2 * len(known) * POSITION_BYTES)
        return found

    def _shares(self, position: P) -> list[tuple[int, float]]:
        """Return the policy's moves with their shares, as Python's own numbers: they may come from NumPy."""
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
            raise BadArgument(f"the policy's shares at {position} add up to {total:g}, and not to 1")
        return found


def _as_float(share: Any) -> float | None:
    """Return a share as a float; None if that is impossible."""
    try:
        return float(share)
    except (TypeError, ValueError):
        return None
