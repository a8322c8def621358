"""Metrics of played games, and their exact expectations for random and perfect play.

A metric is a quotient of two sums over games, so nothing is averaged twice. Games are independent, but the moves of one
game are not: a confidence interval is calculated from one pair of sums for each game. Expectations come from the value
of every position that can follow (``Known``) and the move probabilities of the graded players (``chooser``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import comb
from typing import Generic, NamedTuple

from parlour.engine.plain import PlainFill
from parlour.engine.search import DEEPEST, FLAGS, STOPPED, unpack_score
from parlour.errors import TooBig, UnknownPlayer
from parlour.game import P
from parlour.lab.measures import wilson
from parlour.options import O
from parlour.players.level import LEVELS
from parlour.players.perfect import COMPARED_MOVES, COMPARED_REPLIES
from parlour.rules import Rules
from parlour.score import Score, Value
from parlour.text import clip


class Sums(NamedTuple):
    """Sums over games; sums of expectations are not whole numbers."""

    games: float = 0
    points: float = 0  # 1 for a win, 1/2 for a draw, also for a match without a winner
    decisions: float = 0  # turns with a choice, in positions not lost and not settled
    regret: float = 0  # value lost in them: 1 from a win to a draw or from a draw to a loss, 2 from a win to a loss
    critical: float = 0  # decisions in which some move loses value
    held: float = 0  # critical decisions that lost no value
    asked: float = 0  # turns at which the model was asked
    readable: float = 0  # turns at which its first answer named a move
    legal: float = 0  # turns at which that move was legal
    won_starts: float = 0  # games that began with a position won for the model
    converted: float = 0  # won starts that it won
    drawn_starts: float = 0  # games that began with a drawn position
    saved: float = 0  # drawn starts that it did not lose
    lost_starts: float = 0  # games that began with a lost position
    escaped: float = 0  # lost starts that it did not lose

    def plus(self, other: Sums, times: float = 1) -> Sums:
        """Return the sum of both, the other multiplied by ``times``."""
        return Sums(*(mine + times * theirs for mine, theirs in zip(self, other, strict=True)))


class Measure(NamedTuple):
    """A metric: the quotient of two sums."""

    part: str  # a field of ``Sums``
    whole: str  # another field of ``Sums``
    most: float  # the highest possible value
    title: str
    about: str


MEASURES = {
    "points": Measure("points", "games", 1, "points", "points a game: a win is 1, a draw 1/2"),
    "regret": Measure("regret", "decisions", 2, "regret", "value given away a decision, from 0 to 2"),
    "accuracy": Measure("held", "critical", 1, "accuracy", "critical decisions that kept the value"),
    "legality": Measure("legal", "asked", 1, "legal", "first answers that were legal moves"),
    "readability": Measure("readable", "asked", 1, "readable", "first answers that named a move"),
    "conversion": Measure("converted", "won_starts", 1, "converted", "won beginnings that were won"),
    "save": Measure("saved", "drawn_starts", 1, "saved", "drawn beginnings that were not lost"),
    "escape": Measure("escaped", "lost_starts", 1, "escaped", "lost beginnings that were not lost"),
}


class Estimate(NamedTuple):
    """A metric over several games, with its 95 % confidence interval."""

    value: float
    low: float
    high: float


def total(games: Iterable[Sums]) -> Sums:
    """Return the sum of the sums of several games."""
    whole = Sums()
    for game in games:
        whole = whole.plus(game)
    return whole


def quotient(sums: Sums, name: str) -> float | None:
    """Return the value of a metric; None if the divisor is 0."""
    measure = MEASURES[name]
    whole = float(getattr(sums, measure.whole))
    return float(getattr(sums, measure.part)) / whole if whole else None


def estimate(games: Sequence[Sums], name: str) -> Estimate | None:
    """Estimate a metric from independent games; None if the divisor is 0.

    The variance of the quotient gives the equivalent number of independent trials, and these Wilson's interval. Unlike
    the normal interval, it stays within the possible values and is not empty if all games had the same result.
    """
    measure = MEASURES[name]
    pairs = [(getattr(game, measure.part) / measure.most, getattr(game, measure.whole)) for game in games]
    pairs = [(part, whole) for part, whole in pairs if whole]
    if not pairs:
        return None
    clusters, whole = len(pairs), sum(whole for _, whole in pairs)
    share = min(max(sum(part for part, _ in pairs) / whole, 0.0), 1.0)
    spread = sum((part - share * size) ** 2 for part, size in pairs) / whole**2
    variance = spread * clusters / (clusters - 1) if clusters > 1 else 0.0
    trials = share * (1 - share) / variance if variance > 0 else float(clusters)
    low, high = wilson(share, trials)
    return Estimate(share * measure.most, low * measure.most, high * measure.most)


MAX_POSITIONS = 2_000  # positions that follow the first of an instance; a tenth of a second


class ScoredMove(NamedTuple, Generic[P]):
    """A legal move, the position after it, and its score for the player who makes it."""

    move: int
    after: P
    score: Score


class Known(Generic[O, P]):
    """The exact scores of all positions that can follow a position.

    Raises:
        TooBig: there are more than ``most`` of them.
    """

    def __init__(self, rules: Rules[O, P], position: P, most: int = MAX_POSITIONS) -> None:
        if rules.bounds is None or rules.bounds.plies > DEEPEST:
            raise TooBig("a game that need not end or is very long cannot be searched completely; set a limit")
        self.rules = rules
        fill = PlainFill(rules, merged=False)  # symmetry reduction costs more here than it saves
        self._entries = fill.table
        self._moves: dict[P, list[ScoredMove[P]]] = {}
        self._wrong: dict[P, int] = {}
        self.expected: dict[tuple[str, str], dict[tuple[P, bool], list[float]]] = {}  # the cache of ``expect``
        if not rules.is_over(position) and fill.fill(position, most) == STOPPED:
            raise TooBig(f"more than {most:,} positions can follow")

    def __len__(self) -> int:
        return len(self._entries)

    def score(self, position: P) -> Score:
        """Return the score of a position for the player to move."""
        entry = self._entries.get(position)
        if entry is not None:
            return unpack_score(entry >> FLAGS)
        value = Value.of_result(self.rules.result(position))
        return Score(value, None if value is Value.DRAW else 0)

    def value(self, position: P) -> Value:
        """Return the value of a position for the player to move."""
        return self.score(position).value

    def moves(self, position: P) -> list[ScoredMove[P]]:
        """Return the legal moves; none if the game is over."""
        found = self._moves.get(position)
        if found is None:
            rules = self.rules
            pairs = ((move, rules.after(position, move)) for move in rules.legal(position))
            found = self._moves[position] = [ScoredMove(move, to, self.score(to).before_move()) for move, to in pairs]
        return found

    def wrong(self, position: P) -> int:
        """Return the number of moves that lose value."""
        found = self._wrong.get(position)
        if found is None:
            value = self.value(position)
            found = self._wrong[position] = sum(move.score.value != value for move in self.moves(position))
        return found


RANDOM, PERFECT = "random", "perfect"
AT_RANDOM = {RANDOM: 1.0, **{f"level:{number}": level.at_random for number, level in LEVELS.items()}, PERFECT: 0.0}

Chances = Mapping[int, float]  # probabilities of moves
Chooser = Callable[[Known[O, P], P], Chances]


def chooser(word: str) -> Chooser[O, P]:
    """Return the function that calculates the move probabilities of a graded player.

    The graded players are ``random``, the levels and ``perfect``, as implemented in ``parlour.players``.

    Raises:
        UnknownPlayer: there is no such graded player.
    """
    share = AT_RANDOM.get(word)
    if share is None:
        raise UnknownPlayer(
            f"{clip(word)!r} is not a graded player with known move probabilities; allowed: {', '.join(AT_RANDOM)}"
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
    """Return the move probabilities of perfect play.

    It chooses at random among the quickest wins. Without a win, it chooses the best moves with the most losing replies.
    """
    legal = known.moves(position)
    most = max(move.score for move in legal)
    best = [move for move in legal if move.score == most]
    if len(legal) == 1 or most.value is Value.WIN:
        return dict.fromkeys((move.move for move in best), 1 / len(best))
    tempting: dict[int, list[int]] = {}  # moves by the number of replies that lose value
    for move in best:
        if known.rules.count_legal(move.after) > COMPARED_REPLIES:
            raise TooBig(f"more than {COMPARED_REPLIES} replies: a random sample of them is compared")
        tempting.setdefault(known.wrong(move.after), []).append(move.move)
    # The player compares a random sample of them: the probability that the best of the sample is one of these.
    drawn, below, chances = min(COMPARED_MOVES, len(best)), 0, dict[int, float]()
    for _, moves in sorted(tempting.items()):
        chance = (comb(below + len(moves), drawn) - comb(below, drawn)) / comb(len(best), drawn)
        chances |= dict.fromkeys(moves, chance / len(moves))
        below += len(moves)
    return chances


POINTS = {Value.WIN: 1.0, Value.DRAW: 0.5, Value.LOSS: 0.0}


class Graded(NamedTuple):
    """The contribution of a turn to ``Sums``."""

    decisions: int
    regret: int
    critical: int
    held: int


NOT_COUNTED = Graded(0, 0, 0, 0)


def grade(known: Known[O, P], position: P, move: int | None) -> Graded:
    """Grade a move; None means that the player forfeited the game.

    Only turns count that have more than one legal move, in a position that is not lost and not settled.
    """
    before, legal = known.value(position), known.moves(position)
    if len(legal) < 2 or before is Value.LOSS or known.rules.settled(position):
        return NOT_COUNTED
    after = Value.LOSS if move is None else next(each.score.value for each in legal if each.move == move)
    critical = known.wrong(position) > 0
    return Graded(1, before - after, critical, critical and after == before)


def started(value: Value) -> Sums:
    """Return the sums of a game at its start, which has this value for the model."""
    return Sums(
        games=1,
        won_starts=float(value is Value.WIN),
        drawn_starts=float(value is Value.DRAW),
        lost_starts=float(value is Value.LOSS),
    )


def ended(start: Value, end: Value) -> Sums:
    """Return the sums that the end of a game adds; ``start`` and ``end`` are values for the model."""
    return Sums(
        points=POINTS[end],
        converted=float(start is Value.WIN and end is Value.WIN),
        saved=float(start is Value.DRAW and end is not Value.LOSS),
        escaped=float(start is Value.LOSS and end is not Value.LOSS),
    )


class _Prospect(NamedTuple):
    """Expected results and expected turns of the model, from a position on."""

    won: float
    drawn: float
    asked: float
    decisions: float
    regret: float
    critical: float
    held: float


def expect(known: Known[O, P], position: P, *, mine: bool, model: str, opponent: str) -> Sums:
    """Return the expected sums of a graded player against another; ``mine``: it is to move in the position."""
    seen: dict[tuple[P, bool], list[float]] = known.expected.setdefault((model, opponent), {})
    choose: dict[bool, Chooser[O, P]] = {True: chooser(model), False: chooser(opponent)}

    def prospect(position: P, mine: bool) -> list[float]:
        found = seen.get((position, mine))
        if found is None:
            found = seen[position, mine] = compute(position, mine)
        return found

    def compute(position: P, mine: bool) -> list[float]:
        legal = known.moves(position)
        if not legal:
            value = known.value(position) if mine else known.value(position).for_opponent()
            return [*_Prospect(value is Value.WIN, value is Value.DRAW, 0, 0, 0, 0, 0)]
        chances = choose[mine](known, position)
        sums = [0.0] * len(_Prospect._fields)
        for move, after, _ in legal:
            chance = chances[move]
            if chance:
                for at, amount in enumerate(prospect(after, not mine)):
                    sums[at] += chance * amount
                if mine and len(legal) > 1:
                    sums[2] += chance  # asked
                    for at, amount in enumerate(grade(known, position, move), 3):
                        sums[at] += chance * amount
        return sums

    found = _Prospect(*prospect(position, mine))
    start = known.value(position) if mine else known.value(position).for_opponent()
    sums = started(start).plus(ended(start, Value.WIN), found.won).plus(ended(start, Value.DRAW), found.drawn)
    return sums._replace(
        asked=found.asked,
        readable=found.asked,
        legal=found.asked,
        decisions=found.decisions,
        regret=found.regret,
        critical=found.critical,
        held=found.held,
    )
