"""The report of a match: every decision as it was finally played, graded by exact value and distance.

A *real decision* is a turn with more than one move in a position that is not lost, and that somebody can still win.
Everything else is left out of the count and said to be. A real decision is *held* if no other move would have been
worth more: then it is no mistake, however long it takes. ``accuracy`` is held decisions by real decisions. A decision
is *critical* if some move would have thrown value away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from parlour import referee
from parlour.errors import TooBig
from parlour.game import DRAWN, MOVER_LOSES, MOVER_WINS, ONGOING, AnyGame, count
from parlour.match import UNDO, Match, Round
from parlour.options import show_words
from parlour.solver import Choice, Standing
from parlour.study.oracle import DRAW, LOSS, WIN, Oracle, best_of, best_value, holding
from parlour.study.words import counted, joined, listed, plies, share, told_line

SECONDS = 30.0  # that one position may take

# Grades: of decisions that count ...
KEPT, SLOWER, THREW_WIN, THREW_DRAW = "kept", "slower", "threw-win", "threw-draw"
# ... and of turns that are left out.
FORCED, LOST, SETTLED, UNGRADED = "forced", "lost", "settled", "ungraded"
COUNTED = (KEPT, SLOWER, THREW_WIN, THREW_DRAW)
LEFT_OUT = (FORCED, LOST, SETTLED, UNGRADED)
OPPOSITE = {WIN: LOSS, DRAW: DRAW, LOSS: WIN}


class Decision(NamedTuple):
    """One turn of a round. Standings are for the player who moved; their plies count from before the move."""

    ply: int  # its number in the round, from 1
    seat: int
    move: int
    grade: str
    before: Standing | None  # what the position was worth; None: not known
    after: Standing | None  # what the move was worth
    legal: int  # how many moves there were
    held_by: tuple[int, ...]  # the moves that keep the value; empty where the turn is left out
    critical: bool  # some move would have thrown value away

    @property
    def turning(self) -> bool:
        return self.grade in (THREW_WIN, THREW_DRAW)


class TurningPoint(NamedTuple):
    """A decision that threw value away, and the play that shows it."""

    decision: Decision
    line: list[int]  # after the move; empty where it is not known
    told: str  # the line with names


class Moment(NamedTuple):
    """A turn at which a player still had something in hand, and what would have kept it."""

    ply: int
    moves: tuple[int, ...]


class Chances(NamedTuple):
    """The last turns at which a seat could still have won, or at least drawn; None: there was none that we know."""

    seat: int
    win: Moment | None
    draw: Moment | None  # the position was won or drawn
    winning_since: int | None  # of the winner: from this turn on, the end included, the position was won


class Resignation(NamedTuple):
    """What the position was worth to the player who gave it up."""

    seat: int
    standing: Standing | None


class RoundReport(NamedTuple):
    """One round."""

    number: int
    options: Any  # with everything dealt
    first: int  # the seat that began
    start: Standing | None  # for the player who began
    winner: int | None  # the seat that won by playing it out
    how: str  # "won", "drawn", "settled" (left, because nobody could win it), "resigned" or "unfinished"
    decisions: list[Decision]
    turning_points: list[TurningPoint]
    chances: list[Chances]
    resignation: Resignation | None


class Account(NamedTuple):
    """One seat's decisions, all rounds together."""

    seat: int
    decisions: int  # real ones
    held: int
    critical: int
    slower: int
    threw_win: int
    threw_draw: int
    left_out: dict[str, int]  # by reason

    @property
    def accuracy(self) -> float | None:
        return self.held / self.decisions if self.decisions else None


class Report(NamedTuple):
    """A match, graded."""

    match: Match
    undone: int  # moves that were taken back
    seconds: float  # what a position was given
    rounds: list[RoundReport]
    accounts: tuple[Account, Account]


def make(match: Match, *, seconds: float = SECONDS, progress: Callable[[int], None] | None = None) -> Report:
    """Grade a match, finished or not. Positions that cannot be solved in time are left ungraded."""
    rounds = [_round(match, number, round, seconds, progress) for number, round in enumerate(match.rounds, 1)]
    undone = sum(action.kind == UNDO for action in match.log)
    return Report(match, undone, seconds, rounds, (_account(0, rounds), _account(1, rounds)))


def _round(
    match: Match, number: int, round: Round, seconds: float, progress: Callable[[int], None] | None
) -> RoundReport:
    game, options, last = match.game, round.options, round is match.rounds[-1]
    final = round.positions[-1]
    result = game.result(options, final)
    turn = (round.first + len(round.moves)) % 2
    winner = turn if result == MOVER_WINS else 1 - turn if result == MOVER_LOSES else None
    resigned = match.resigned if last else None
    how = "won" if winner is not None else "drawn" if result == DRAWN else "unfinished" if last else "settled"
    try:
        oracle = Oracle(game, options, seconds, progress)
    except TooBig:  # it need not end
        oracle = None
    grader = Grader(game, round, oracle)
    resignation = None
    if resigned is not None:
        how = "resigned"
        standing = grader.standing
        if standing is not None and resigned != turn:
            standing = Standing(OPPOSITE[standing.value], standing.plies)
        resignation = Resignation(resigned, standing)
    pending = grader.pending if resigned == turn else None
    decisions = grader.grade()
    points = [_turning_point(match, round, oracle, decision) for decision in decisions if decision.turning]
    chances = [_chances(match.game, round, decisions, seat, winner, pending) for seat in (0, 1)]
    return RoundReport(
        number, options, round.first, grader.standing, winner, how, decisions, points, chances, resignation
    )


class Grader:
    """Grades a round from its end to its beginning, so that what is small is known before what is large."""

    def __init__(self, game: AnyGame, round: Round, oracle: Oracle | None) -> None:
        self.game, self.options, self.round = game, round.options, round
        self.oracle = oracle
        self.standing: Standing | None = None  # of the position that was looked at last, for its player to move
        self.pending: Decision | None = None  # the turn after the last move, if somebody was to move
        self._look_at_the_end()

    def _look_at_the_end(self) -> None:
        position = self.round.positions[-1]
        result = self.game.result(self.options, position)
        if result == ONGOING:
            ply = len(self.round.moves) + 1
            self.pending = self._decision(ply, position, None)
        else:
            self.standing = Standing({DRAWN: DRAW, MOVER_WINS: WIN}.get(result, LOSS), None if result == DRAWN else 0)

    def grade(self) -> list[Decision]:
        """Every turn of the round, in the order of play."""
        turns = list(enumerate(zip(self.round.positions, self.round.moves, strict=False), 1))
        graded = [self._decision(ply, position, move) for ply, (position, move) in reversed(turns)]
        return graded[::-1]

    def _decision(self, ply: int, position: Any, move: int | None) -> Decision:
        """``move`` is None for a turn that was not taken: then no grade is given, but what there is to know."""
        legal = referee.legal_moves(self.game, self.options, position)
        number = count(self.game.moves(self.options, position))  # a range can be too long for len()
        seat = (self.round.first + ply - 1) % 2
        played = legal[0] if move is None else move

        def left_out(grade: str, before: Standing | None, after: Standing | None) -> Decision:
            self.standing = before
            return Decision(ply, seat, played, grade, before, after, number, (), False)

        if self.game.settled(self.options, position):
            return left_out(SETTLED, Standing(DRAW, None), Standing(DRAW, None))
        if number == 1 and move is not None:
            standing = _passed_on(self.standing)
            return left_out(FORCED, standing, standing)
        choices = self._choices(position)
        if choices is None:
            return left_out(UNGRADED, None, None)
        value, kept = best_value(choices), tuple(holding(choices))
        by_move = {choice.move: Standing(choice.value, choice.plies) for choice in choices}
        before, after = by_move[best_of(choices)[0]], by_move[played]
        if value == LOSS:
            return left_out(LOST, before, after)
        self.standing = before
        grade = KEPT
        if after.value != value:
            grade = THREW_WIN if value == WIN else THREW_DRAW
        elif after.plies != before.plies:
            grade = SLOWER
        return Decision(ply, seat, played, grade, before, after, number, kept, len(kept) < number)

    def _choices(self, position: Any) -> list[Choice] | None:
        """What each move is worth, without distances if these take too long; None if even that does."""
        if self.oracle is None:
            return None
        try:
            return self.oracle.judged(position)
        except TooBig:
            self.oracle = None  # what came before in the game is larger still
            return None


def _passed_on(standing: Standing | None) -> Standing | None:
    """What a position is worth whose only move leads to one with this standing."""
    if standing is None:
        return None
    return Standing(OPPOSITE[standing.value], None if standing.plies is None else standing.plies + 1)


def _turning_point(match: Match, round: Round, oracle: Oracle | None, decision: Decision) -> TurningPoint:
    game, options = match.game, round.options
    position, line = round.positions[decision.ply], []
    try:
        line = oracle.line(position) if oracle is not None else []
    except TooBig:
        return TurningPoint(decision, [], "the line is too long to be found in time")
    return TurningPoint(decision, line, told_line(game, options, match.names, 1 - decision.seat, position, line))


def _chances(
    game: AnyGame, round: Round, decisions: list[Decision], seat: int, winner: int | None, pending: Decision | None
) -> Chances:
    mine = [decision for decision in (*decisions, *([pending] if pending else [])) if decision.seat == seat]

    def last(*values: str) -> Moment | None:
        for decision in reversed(mine):
            if decision.before is not None and decision.before.value in values:
                # A turn that is left out and not lost was forced or settled: whatever was legal kept the value.
                legal = referee.legal_moves(game, round.options, round.positions[decision.ply - 1])
                return Moment(decision.ply, decision.held_by or tuple(legal))
        return None

    since = None
    if winner == seat:
        for decision in reversed(decisions):
            if decision.before is None or decision.before.value != (WIN if decision.seat == seat else LOSS):
                break
            since = decision.ply
    return Chances(seat, last(WIN), last(WIN, DRAW), since)


def _account(seat: int, rounds: list[RoundReport]) -> Account:
    mine = [decision for round in rounds for decision in round.decisions if decision.seat == seat]
    real = [decision for decision in mine if decision.grade in COUNTED]
    grades = [decision.grade for decision in mine]
    return Account(
        seat,
        len(real),
        sum(not decision.turning for decision in real),
        sum(decision.critical for decision in real),
        grades.count(SLOWER),
        grades.count(THREW_WIN),
        grades.count(THREW_DRAW),
        {grade: grades.count(grade) for grade in LEFT_OUT},
    )


# For people.


class Line(NamedTuple):
    """A paragraph, or an item that begins with ``- ``. ``strong`` is to be seen at a glance, and says so in words."""

    text: str
    strong: bool = False


def told(report: Report) -> Iterator[Line]:
    """The report in words; an empty line separates its parts."""
    match = report.match
    yield Line("A ply is one player's turn, a pass included. Values are exact, for the player who moved.")
    if report.undone:
        gone = f"{counted(report.undone, 'move')} {'was' if report.undone == 1 else 'were'} taken back"
        yield Line(f"{gone}; what is graded is what was finally played.")
    for round in report.rounds:
        yield Line("")
        if len(report.rounds) > 1:
            dealt = show_words(round.options, match.setup.options).replace("=", " ")
            yield Line(f"Round {round.number} of {len(report.rounds)}" + (f", {dealt}" if dealt else ""), True)
        yield from _told_round(match, round)
    yield Line("")
    yield Line("Accuracy", True)
    for account in report.accounts:
        yield Line(f"- {_told_account(match.names[account.seat], account)}")
    yield Line(
        "A real decision has more than one move, in a position that is not lost yet. It is held if no other move would "
        "have been worth more, and critical if some move would have been worth less."
    )
    if any(account.left_out[UNGRADED] for account in report.accounts):
        yield Line(_told_ungraded(report))


def _told_ungraded(report: Report) -> str:
    if need_not_end(report):
        return "A game that need not end has no exact values: nothing can be graded."
    return f"Ungraded turns could not be solved within {report.seconds:g} seconds each; --seconds allows more."


def need_not_end(report: Report) -> bool:
    """Under the options of this match a game can go on for ever."""
    return report.match.game.bounds(report.match.options) is None


def _told_round(match: Match, round: RoundReport) -> Iterator[Line]:
    names, game = match.names, match.game
    yield Line(_told_start(match, round))
    settled = [decision.ply for decision in round.decisions if decision.grade == SETTLED]
    if round.decisions and len(settled) < len(round.decisions):
        yield Line("")
        yield Line("Move by move", True)
    for decision in round.decisions:
        if decision.grade != SETTLED:
            name = referee.name_move(game, round.options, decision.move)
            told = f"- {decision.ply}. {names[decision.seat]}: {name} {_told_grade(decision)}"
            yield Line(told, decision.turning)
    if settled and len(settled) < len(round.decisions):
        span = f"{settled[0]}." if len(settled) == 1 else f"{settled[0]}. to {settled[-1]}."
        yield Line(f"- {span} (nobody could win any more)")
    elif settled:
        yield Line("Nobody could ever win it: no move of this round is graded.")
        return
    yield Line("")
    if round.turning_points:
        yield Line("Turning points", True)
    elif any(decision.grade == UNGRADED for decision in round.decisions):
        yield Line("No turning point among the moves that are graded.")
    else:
        yield Line("No turning point: nobody threw anything away.")
    for point in round.turning_points:
        decision = point.decision
        name = referee.name_move(game, round.options, decision.move)
        better = listed(game, round.options, decision.held_by)
        lost = "win" if decision.grade == THREW_WIN else "draw"
        yield Line(
            f"- Move {decision.ply}, {names[decision.seat]}: {name} threw away the {lost}; "
            f"{better} would have kept it. After {name}: {point.told}."
        )
    yield Line("")
    yield Line("Last chances", True)
    for chances in round.chances:
        yield Line(f"- {_told_chances(match, round, chances)}")


def _told_start(match: Match, round: RoundReport) -> str:
    names = match.names
    first, second = names[round.first], names[1 - round.first]
    if round.start is None:
        start = "who wins with best play is not known"
    elif round.start.value == DRAW:
        start = "with best play nobody wins"
    else:
        soon = f" in {plies(round.start.plies)}" if round.start.plies is not None else ""
        start = f"with best play {first if round.start.value == WIN else second} wins{soon}"
    what = "game" if len(match.rounds) == 1 else "round"
    end = {
        "drawn": f"The {what} was drawn",
        "settled": f"The {what} was left when nobody could win it any more",
        "unfinished": f"The {what} is not finished",
    }.get(round.how, "")
    if round.resignation is not None:
        end = _told_resignation(names, round.resignation)
    elif round.winner is not None:
        end = f"{names[round.winner]} won in {plies(len(round.decisions))}"
    return f"{first} begins; {start}. {end}."


def _told_grade(decision: Decision) -> str:
    before, after = decision.before, decision.after
    if decision.grade == FORCED:
        return "(the only move)"
    if before is None or after is None:
        return "(ungraded)"
    soon = "" if after.plies is None else f" in {plies(after.plies)}"
    if decision.grade == LOST:
        return f"(lost already{soon and ',' + soon})"
    if decision.grade == SLOWER:
        return f"kept the win{soon}; {plies(before.plies or 0)} would have done"
    if decision.grade == KEPT:
        return f"kept the {after.value}{soon}"
    thrown = "win" if decision.grade == THREW_WIN else "draw"
    return f"threw away the {thrown}: " + ("only a draw" if after.value == DRAW else f"lost{soon}")


def _told_chances(match: Match, round: RoundReport, chances: Chances) -> str:
    name = match.names[chances.seat]
    resigned = None if round.resignation is None else round.resignation.seat

    def when(found: Moment) -> str:
        return f"at move {found.ply}, with {listed(match.game, round.options, found.moves)}"

    if round.winner == chances.seat:
        if chances.winning_since is None:
            return f"{name} won; since when that was certain is not known."
        since = "the start" if chances.winning_since == 1 else f"move {chances.winning_since} on"
        return f"{name} won, and was winning from {since}."
    if resigned == 1 - chances.seat:
        return f"{name} won by resignation."
    has_lost = round.winner is not None or resigned == chances.seat
    said = []
    if chances.win is not None:
        said.append(f"have won {when(chances.win)}")
    if chances.draw is not None and chances.draw != chances.win and has_lost:
        said.append(f"have drawn {when(chances.draw)}")
    if said:
        return f"{name} could last {'; and last '.join(said)}."
    if any(decision.grade == UNGRADED for decision in round.decisions):
        return f"{name}: not known."
    return f"{name} was lost all the time." if has_lost else f"{name} never had a win in hand."


def _told_resignation(names: tuple[str, str], resignation: Resignation) -> str:
    name, standing = names[resignation.seat], resignation.standing
    if standing is None:
        return f"{name} resigned; what the position was worth is not known"
    soon = f" in {plies(standing.plies)}" if standing.plies is not None else ""
    worth = {WIN: f"won{soon}", DRAW: "a draw with best play", LOSS: f"lost{soon} against best play"}[standing.value]
    return f"{name} resigned a position that was {worth}"


def _told_account(name: str, account: Account) -> str:
    out = account.left_out
    reasons = {
        FORCED: counted(out[FORCED], "only move"),
        LOST: f"{out[LOST]} in {'a lost position' if out[LOST] == 1 else 'lost positions'}",
        SETTLED: f"{out[SETTLED]} when nobody could win any more",
        UNGRADED: f"{out[UNGRADED]} ungraded",
    }
    left_out = [text for grade, text in reasons.items() if out[grade]]
    rest = f" Left out: {joined(left_out)}." if left_out else ""
    if not account.decisions:
        return f"{name}: n/a, there was no real decision.{rest}"
    told = f"{name}: {share(account.held, account.decisions)}. "
    told += f"Held {account.held} of {counted(account.decisions, 'real decision')}"
    if account.critical:
        errors = account.threw_win + account.threw_draw
        told += f", {account.critical - errors} of {account.critical} critical"
    return f"{told}.{rest}"
