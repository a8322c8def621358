"""The report of a match: every decision that was not taken back, graded by exact value and distance.

A *real decision* is a turn with more than one move in a position that is not lost, and that somebody can still win.
Everything else is left out of the count and said to be. A real decision is *held* if no other move would have been
worth more: then it is not a mistake, however long it takes. ``accuracy`` is held decisions by real decisions. A
decision is *critical* if some move would have thrown value away.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Generic, Literal, NamedTuple

from parlour.errors import TooBig
from parlour.game import P, opponent, player_at
from parlour.limit import Limit, limit_of
from parlour.match import FORFEIT, UNDO, Match, Round, check_match
from parlour.options import O, show_words
from parlour.rules import Rules
from parlour.score import Score, Value
from parlour.solver import Analysis, Solver
from parlour.study.words import Line, in_per_cent, line_in_words, moves_in_words
from parlour.text import counted, joined
from parlour.view import PLAYERS, PlayerNumber

POSITION_SECONDS = 30.0  # that one position may take

# Grades: of decisions that count ...
KEPT, SLOWER, THREW_WIN, THREW_DRAW = "kept", "slower", "threw-win", "threw-draw"
# ... and of turns that are left out.
FORCED, LOST, SETTLED, UNGRADED = "forced", "lost", "settled", "ungraded"
COUNTED = (KEPT, SLOWER, THREW_WIN, THREW_DRAW)
LEFT_OUT = (FORCED, LOST, SETTLED, UNGRADED)

# How a round ended; settled: it was left, because nobody could win it any more.
RoundEnd = Literal["won", "drawn", "settled", "resigned", "forfeited", "unfinished"]


class Decision(NamedTuple):
    """One turn of a round. Scores are for the player who moved; their turns count from before the move.

    >>> import parlour
    >>> match = parlour.new_match("double-up", limit=30, names=("Ann", "Ben"))
    >>> match.play_line("2 4 5 6 7 14 15 30")
    >>> decision = parlour.make_report(match).rounds[0].decisions[2]
    >>> decision.move, decision.grade, str(decision.before), str(decision.after), decision.held_by
    (5, 'threw-win', 'win in 5 turns', 'loss in 6 turns', (6,))
    """

    ply: int  # its number in the round, from 1
    player: PlayerNumber  # that moved
    move: int  # that was played
    grade: str  # "kept", "slower", "threw-win" or "threw-draw"; left out: "forced", "lost", "settled", "ungraded"
    before: Score | None  # what the position was worth; None: not known
    after: Score | None  # what the move was worth
    legal: int  # how many moves there were
    held_by: tuple[int, ...]  # the moves that keep the value; empty where the turn is left out
    critical: bool  # some move would have thrown value away

    @property
    def turning(self) -> bool:
        """Whether it threw value away."""
        return self.grade in (THREW_WIN, THREW_DRAW)


class TurningPoint(NamedTuple):
    """A decision that threw value away, and the play that shows it.

    >>> import parlour
    >>> match = parlour.new_match("double-up", limit=30, names=("Ann", "Ben"))
    >>> match.play_line("2 4 5 6 7 14 15 30")
    >>> point = parlour.make_report(match).rounds[0].turning_points[0]
    >>> point.decision.move, point.told
    (5, 'Ben: 6, Ann: 7, Ben: 14, Ann: 15, Ben: 30, and Ben wins')
    """

    decision: Decision  # that threw it away
    line: list[int]  # after the move; empty where it is not known
    told: str  # the line with names


class LastChance(NamedTuple):
    """The last turn at which a player had something in hand, and the moves that would have kept it.

    >>> import parlour
    >>> match = parlour.new_match("double-up", limit=30, names=("Ann", "Ben"))
    >>> match.play_line("2 4 5 6 7 14 15 30")
    >>> parlour.make_report(match).rounds[0].chances[0].win
    LastChance(ply=3, moves=(6,))
    """

    ply: int  # its number in the round, from 1
    moves: tuple[int, ...]  # any of them


class Chances(NamedTuple):
    """The last turns at which a player could still have won, or at least drawn; None: there was none that we know.

    >>> import parlour
    >>> match = parlour.new_match("double-up", limit=30, names=("Ann", "Ben"))
    >>> match.play_line("2 4 5 6 7 14 15 30")
    >>> ann, ben = parlour.make_report(match).rounds[0].chances
    >>> ann.win.ply, ben.winning_since
    (3, 4)
    """

    player: PlayerNumber  # whose chances they were
    win: LastChance | None  # the position was won
    draw: LastChance | None  # the position was won or drawn
    winning_since: int | None  # of the winner: from this turn on, the end included, the position was won
    now: Score | None = None  # the value of an unfinished round for this player; None: finished, or not known


class Resignation(NamedTuple):
    """What the position was worth to the player who gave it up, or forfeited it.

    >>> import parlour
    >>> match = parlour.new_match("double-up", limit=30)
    >>> match.play_line("2 4 5")
    >>> action = match.resign(2)
    >>> print(parlour.make_report(match).rounds[0].resignation.score)
    win in 5 turns
    """

    player: PlayerNumber  # that gave up
    score: Score | None  # for that player; None: not known

    @property
    def threw(self) -> Value | None:
        """Return the win or draw that was given up; None if the position was lost or its value is not known."""
        return self.score.value if self.score is not None and self.score.value > Value.LOSS else None


class RoundReport(NamedTuple, Generic[O, P]):
    """One round of a match, graded.

    >>> import parlour
    >>> match = parlour.new_match("double-up", limit=30, names=("Ann", "Ben"))
    >>> match.play_line("2 4 5 6 7 14 15 30")
    >>> graded = parlour.make_report(match).rounds[0]
    >>> graded.how, graded.winner, str(graded.start), len(graded.turning_points)
    ('won', 2, 'win in 7 turns', 1)
    """

    number: int  # from 1
    rules: Rules[O, P]  # with everything dealt
    first: PlayerNumber  # the player who began
    start: Score | None  # for the player who began
    winner: PlayerNumber | None  # the player who won by playing it out
    how: RoundEnd  # "won", "drawn", "settled", "resigned", "forfeited" or "unfinished"
    decisions: list[Decision]  # every turn, in the order of play
    turning_points: list[TurningPoint]  # the decisions that threw value away
    chances: list[Chances]  # of each player
    resignation: Resignation | None  # where somebody gave up


class Account(NamedTuple):
    """One player's decisions, all rounds together.

    >>> import parlour
    >>> match = parlour.new_match("double-up", limit=30, names=("Ann", "Ben"))
    >>> match.play_line("2 4 5 6 7 14 15 30")
    >>> ann, ben = parlour.make_report(match).accounts
    >>> ann.decisions, ann.threw_win, ben.decisions, ben.accuracy
    (1, 1, 3, 1.0)
    """

    player: PlayerNumber  # whose they are
    decisions: int  # real ones
    held: int  # of these, so many kept the value
    critical: int  # so many could have thrown value away
    slower: int  # so many kept the value and took longer than they had to
    threw_win: int  # so many threw a win away
    threw_draw: int  # so many threw a draw away
    left_out: dict[str, int]  # by reason

    @property
    def accuracy(self) -> float | None:
        """Held decisions by real ones; None without a real decision."""
        return self.held / self.decisions if self.decisions else None


class Report(NamedTuple, Generic[O, P]):
    """A match, graded; ``str`` tells it in words.

    >>> import parlour
    >>> match = parlour.new_match("double-up", limit=30, names=("Ann", "Ben"))
    >>> match.play_line("2 4 5 6 7 14 15 30")
    >>> parlour.make_report(match)
    <Report on <Match of Double Up: Ann - Ben, 8 moves, Ben won>>
    """

    match: Match[O, P]  # that it is about
    undone: int  # moves that were taken back
    seconds: float  # what a position was given
    rounds: list[RoundReport[O, P]]  # one after the other
    accounts: tuple[Account, Account]  # of the decisions of each player

    def __repr__(self) -> str:
        return f"<Report on {self.match!r}>"

    def __str__(self) -> str:
        return "\n".join(line.text for line in told(self))


def make_report(match: Match[O, P], limit: Limit | None = None, *, seconds: float = POSITION_SECONDS) -> Report[O, P]:
    """Grade every decision of a match, finished or not.

    ``seconds`` is what one position may take, ``limit`` bounds the whole. What cannot be solved in time is left
    ungraded, together with all that came before it in its round: those positions are larger still.

    >>> import parlour
    >>> match = parlour.new_match("double-up", limit=30, names=("Ann", "Ben"))
    >>> match.play_line("2 4 5 6 7 14 15 30")
    >>> report = parlour.make_report(match)
    >>> [account.accuracy for account in report.accounts]
    [0.0, 1.0]
    >>> print(report)
    Moves are counted for both players, passes included...
    """
    check_match(match)
    limit = limit_of(limit)
    rounds = [_report_round(match, number, limit, seconds) for number in range(1, len(match.rounds) + 1)]
    undone = sum(action.kind == UNDO for action in match.log)
    return Report(match, undone, seconds, rounds, (_account(1, rounds), _account(2, rounds)))


def _report_round(match: Match[O, P], number: int, limit: Limit, seconds: float) -> RoundReport[O, P]:
    round, last = match.rounds[number - 1], number == len(match.rounds)
    grader = _Grader(round, limit, seconds)
    turn = round.player(len(round.moves))
    winner, how = _end(round, last=last)
    resignation, pending, now = None, None, None
    if how == "unfinished" and match.resigned is None:
        pending, now = grader.pending, grader.score
    elif last and match.resigned is not None:
        how = "forfeited" if match.log[-1].kind == FORFEIT else "resigned"
        score = grader.score
        resignation = Resignation(match.resigned, score and (score if match.resigned == turn else score.for_opponent()))
        pending = grader.pending if match.resigned == turn else None
    decisions = grader.grade()
    points = [grader.turning_point(decision, match.names) for decision in decisions if decision.turning]
    chances = []
    for player in PLAYERS:
        seen = now and (now if player == turn else now.for_opponent())
        chances.append(_chances(round, decisions, player, winner, pending)._replace(now=seen))
    return RoundReport(
        number, round.rules, round.first, grader.score, winner, how, decisions, points, chances, resignation
    )


def _end(round: Round[O, P], *, last: bool) -> tuple[PlayerNumber | None, RoundEnd]:
    """Who won a round by playing it out, and how it ended; ``last``: nothing was played after it."""
    position, turn = round.positions[-1], round.player(len(round.moves))
    if not round.rules.is_over(position):
        return None, "unfinished" if last else "settled"
    value = Value.of_result(round.rules.result(position))
    if value is Value.DRAW:
        return None, "drawn"
    return turn if value is Value.WIN else opponent(turn), "won"


class _Grader(Generic[O, P]):
    """Grades a round from its end to its beginning, so that what is small is known before what is large."""

    def __init__(self, round: Round[O, P], limit: Limit, seconds: float) -> None:
        """``seconds`` for each position, all of them together within the limit."""
        self.round, self.rules = round, round.rules
        self.score: Score | None = None  # of the position that was looked at last, for its player to move
        self.pending: Decision | None = None  # the turn after the last move, if somebody was to move
        self._limit, self._seconds = limit, seconds
        self._too_big = False  # a position was, and so is all that came before it in the round
        self._solver: Solver[O, P] | None = None
        with suppress(TooBig):  # it need not end, or takes too long to
            self._solver = Solver(self.rules)
        position = round.positions[-1]
        if self.rules.is_over(position):
            value = Value.of_result(self.rules.result(position))
            self.score = Score(value, None if value is Value.DRAW else 0)
        else:
            self.pending = self._decision(len(round.moves) + 1, position, None)

    def grade(self) -> list[Decision]:
        """Every turn of the round, in the order of play."""
        turns = list(enumerate(zip(self.round.positions, self.round.moves, strict=False), 1))
        graded = [self._decision(ply, position, move) for ply, (position, move) in reversed(turns)]
        return graded[::-1]

    def _decision(self, ply: int, position: P, move: int | None) -> Decision:
        """``move`` is None for a turn that was not taken: then no grade is given, but what there is to know."""
        number = self.rules.count_legal(position)
        player = self.round.player(ply - 1)
        played = self.rules.legal(position)[0] if move is None else move

        def left_out(grade: str, before: Score | None, after: Score | None) -> Decision:
            self.score = before
            return Decision(ply, player, played, grade, before, after, number, (), False)

        if self.rules.settled(position):
            return left_out(SETTLED, Score(Value.DRAW), Score(Value.DRAW))
        if number == 1 and move is not None:
            score = self.score and self.score.before_move()
            return left_out(FORCED, score, score)
        found = self._analyse(position)
        if found is None:
            return left_out(UNGRADED, None, None)
        before, kept = found.score, tuple(found.keeping)
        after = next(choice.score for choice in found.choices if choice.move == played)
        if before.value is Value.LOSS:
            return left_out(LOST, before, after)
        self.score = before
        grade = KEPT
        if after.value != before.value:
            grade = THREW_WIN if before.value is Value.WIN else THREW_DRAW
        elif after < before:
            grade = SLOWER
        return Decision(ply, player, played, grade, before, after, number, kept, len(kept) < number)

    def _analyse(self, position: P) -> Analysis | None:
        """What each move is worth, without distances if these take too long; None if even that does."""
        if self._solver is None or self._too_big:
            return None
        try:
            return self._solver.analyse(position, self._limit.part(self._seconds))
        except TooBig:
            self._too_big = True
            return None

    def turning_point(self, decision: Decision, names: tuple[str, str]) -> TurningPoint:
        """A graded decision that threw value away, with the play that shows it."""
        position, line = self.round.positions[decision.ply], list[int]()
        try:
            if self._solver is not None:
                line = self._solver.line(position, self._limit.part(self._seconds))
        except TooBig:
            return TurningPoint(decision, [], "the line is too long to be found in time")
        return TurningPoint(decision, line, line_in_words(self.rules, names, opponent(decision.player), position, line))


def _chances(
    round: Round[O, P],
    decisions: list[Decision],
    player: PlayerNumber,
    winner: PlayerNumber | None,
    pending: Decision | None,
) -> Chances:
    mine = [decision for decision in (*decisions, *([pending] if pending else [])) if decision.player == player]

    def last_with(value: Value) -> LastChance | None:
        """The last turn at which the position was worth at least so much."""
        for decision in reversed(mine):
            if decision.before is not None and decision.before.value >= value:
                # A turn that is left out and not lost was forced or settled: whatever was legal kept the value.
                legal = round.rules.legal(round.positions[decision.ply - 1])
                return LastChance(decision.ply, decision.held_by or tuple(legal))
        return None

    since = None
    if winner == player:
        for decision in reversed(decisions):
            if decision.before is None or decision.before.value != (
                Value.WIN if decision.player == player else Value.LOSS
            ):
                break
            since = decision.ply
    return Chances(player, last_with(Value.WIN), last_with(Value.DRAW), since)


def _account(player: PlayerNumber, rounds: list[RoundReport[O, P]]) -> Account:
    mine = [decision for round in rounds for decision in round.decisions if decision.player == player]
    real = [decision for decision in mine if decision.grade in COUNTED]
    grades = [decision.grade for decision in mine]
    return Account(
        player,
        len(real),
        sum(not decision.turning for decision in real),
        sum(decision.critical for decision in real),
        grades.count(SLOWER),
        grades.count(THREW_WIN),
        grades.count(THREW_DRAW),
        {grade: grades.count(grade) for grade in LEFT_OUT},
    )


# For people.


def told(report: Report[O, P]) -> Iterator[Line]:
    """The report in words; an empty line separates its parts."""
    match = report.match
    yield Line("Moves are counted for both players, passes included. Every value is exact, for the player who moved.")
    if report.undone:
        gone = f"{counted(report.undone, 'move')} {'was' if report.undone == 1 else 'were'} taken back"
        yield Line(f"{gone}; the report grades what was played in the end.")
    for round in report.rounds:
        yield Line("")
        if len(report.rounds) > 1:
            dealt = show_words(round.rules.options, match.setup.options).replace("=", " ")
            yield Line(f"Round {round.number} of {len(report.rounds)}" + (f", {dealt}" if dealt else ""), True)
        yield from _told_round(match, round)
    yield Line("")
    yield Line("Accuracy", True)
    for account in report.accounts:
        yield Line(f"- {_told_account(match.names[account.player - 1], account)}")
    yield Line(
        "A choice counts if there is more than one move and the position is not lost yet. It keeps the best result if "
        "no other move would have been worth more."
    )
    if any(account.left_out[UNGRADED] for account in report.accounts):
        yield Line(_told_ungraded(report))


def _told_ungraded(report: Report[O, P]) -> str:
    if _need_not_end(report):
        return "A game that need not end has no exact values, so nothing can be graded."
    return f"Ungraded moves could not be solved within {report.seconds:g} seconds each; --seconds allows more."


def _need_not_end(report: Report[O, P]) -> bool:
    """Under the options of this match a game can go on for ever."""
    return report.match.rules.bounds is None


def _told_round(match: Match[O, P], round: RoundReport[O, P]) -> Iterator[Line]:
    names, rules = match.names, round.rules
    yield Line(_told_start(match, round))
    settled = [decision.ply for decision in round.decisions if decision.grade == SETTLED]
    if round.decisions and len(settled) < len(round.decisions):
        yield Line("")
        yield Line("Move by move", True)
    for decision, name in zip(round.decisions, rules.spoken(each.move for each in round.decisions), strict=True):
        if decision.grade != SETTLED:
            told = f"- {decision.ply}. {names[decision.player - 1]}: {name} {_told_grade(decision)}"
            yield Line(told, decision.turning)
    if settled and len(settled) < len(round.decisions):
        span = f"{settled[0]}." if len(settled) == 1 else f"{settled[0]}. to {settled[-1]}."
        yield Line(f"- {span} (nobody could win any more)")
    elif settled:
        yield Line("Nobody could win this round, so none of its moves is graded.")
        return
    yield Line("")
    given_up = round.resignation.threw if round.resignation is not None else None
    not_known = round.resignation is not None and round.resignation.score is None
    if round.turning_points or given_up is not None:
        yield Line("Turning points", True)
    elif not_known or any(decision.grade == UNGRADED for decision in round.decisions):
        yield Line("No turning point among the moves that are graded.")
    else:
        yield Line("No turning point: nobody threw anything away.")
    for point in round.turning_points:
        decision = point.decision
        (name,) = rules.spoken([decision.move])
        better = moves_in_words(rules, decision.held_by)
        lost = "win" if decision.grade == THREW_WIN else "draw"
        yield Line(
            f"- Move {decision.ply}, {names[decision.player - 1]}: {name} threw away the {lost}; "
            f"{better} would have kept it. After {name}: {point.told}."
        )
    if round.resignation is not None and given_up is not None:
        was = "won" if given_up is Value.WIN else "drawn"
        yield Line(
            f"- {names[round.resignation.player - 1]} {round.how} a {was} position and so threw away the {given_up}."
        )
    yield Line("")
    yield Line("How it stands" if round.how == "unfinished" else "Last chances", True)
    for chances in round.chances:
        yield Line(f"- {_told_chances(match, round, chances)}")


def _told_start(match: Match[O, P], round: RoundReport[O, P]) -> str:
    names = match.names
    first, second = names[round.first - 1], names[opponent(round.first) - 1]
    if round.start is None:
        start = "it is not known who wins with best play"
    elif round.start.value is Value.DRAW:
        start = "with best play nobody wins"
    else:
        winner = first if round.start.value is Value.WIN else second
        start = f"with best play {winner} wins{_told_distance(round.start)}"
    return f"{first} began; {start}. {_told_end(match, round)}."


def _told_end(match: Match[O, P], round: RoundReport[O, P]) -> str:
    what = "game" if len(match.rounds) == 1 else "round"
    if round.resignation is not None:
        return _told_resignation(match.names, round)
    if round.winner is not None:
        return f"{match.names[round.winner - 1]} won in {counted(len(round.decisions), 'move')}"
    if round.how == "drawn":
        return f"The {what} was drawn"
    if round.how == "settled":
        return f"The {what} was left because nobody could win it any more"
    return f"The {what} is not finished"


def _told_distance(score: Score) -> str:
    """`` in 7 moves``; nothing where the distance is not known."""
    return "" if score.plies is None else f" in {counted(score.plies, 'move')}"


def _told_grade(decision: Decision) -> str:
    before, after = decision.before, decision.after
    if decision.grade == FORCED:
        return "(the only move)"
    if before is None or after is None:
        return "(ungraded)"
    soon = _told_distance(after)
    if decision.grade == LOST:
        return f"(already lost{soon})"
    if decision.grade == SLOWER:
        return f"kept the win{soon}, though {counted(before.plies or 0, 'move')} would have done"
    if decision.grade == KEPT:
        return f"kept the {after.value}{soon}"
    return f"threw away the {before.value}: now a {after.value}{soon}"


def _told_chances(match: Match[O, P], round: RoundReport[O, P], chances: Chances) -> str:
    name = match.names[chances.player - 1]
    resigned = None if round.resignation is None else round.resignation.player

    def when(found: LastChance) -> str:
        return f"was move {found.ply}, with {moves_in_words(round.rules, found.moves)}"

    if round.winner == chances.player:
        if chances.winning_since is None:
            return f"{name} won; it is not known from which move on that was certain."
        since = "the start" if chances.winning_since == 1 else f"move {chances.winning_since} on"
        return f"{name} won, and was winning from {since}."
    if resigned == opponent(chances.player):
        return f"{match.standing}."
    now = None if chances.now is None else chances.now.value
    if now is Value.WIN:
        return f"{name} is winning."
    left = _left_on_resigning(round, chances)
    when_left = f"after move {len(round.decisions)}" if round.decisions else "at the start"
    if left is Value.WIN:
        return f"{name} was still winning {when_left}."
    has_lost = round.winner is not None or resigned == chances.player or now is Value.LOSS
    said = []
    if chances.win is not None:
        said.append(f"to win {when(chances.win)}")
    if left is Value.DRAW:
        lost = f"{name}'s last chance {said[0]}; " if said else ""
        return f"{lost}{name} still had a draw {when_left}."
    if chances.draw is not None and chances.draw != chances.win and has_lost:
        said.append(f"to draw {when(chances.draw)}")
    if now is not None:
        standing = f"{name} is losing" if now is Value.LOSS else f"{name} has a draw with best play"
        return f"{standing}; the last chance {'; the last '.join(said)}." if said else f"{standing}."
    if said:
        return f"{name}'s last chance {'; the last '.join(said)}."
    if round.how == "unfinished":
        return f"{name}'s chances are not known."
    if any(decision.grade == UNGRADED for decision in round.decisions):
        return f"{name}'s chances are not known."
    could = "neither win nor draw" if has_lost and match.game.can_draw else "not win"
    return f"{name} could {could} at any point."


def _left_on_resigning(round: RoundReport[O, P], chances: Chances) -> Value | None:
    """Return the win or draw that a player gave up while the other was to move; None if it gave up neither."""
    resignation, turn = round.resignation, player_at(round.first, len(round.decisions))
    if resignation is None or resignation.player != chances.player or turn == chances.player:
        return None
    return resignation.threw


def _told_resignation(names: tuple[str, str], round: RoundReport[O, P]) -> str:
    assert round.resignation is not None
    player, score = round.resignation
    if score is None:
        return f"{names[player - 1]} {round.how}; it is not known what the position was worth"
    soon = _told_distance(score)
    worth = {Value.WIN: f"won{soon}", Value.DRAW: "a draw with best play", Value.LOSS: f"lost{soon} against best play"}
    return f"{names[player - 1]} {round.how} when the position was {worth[score.value]}"


def _told_account(name: str, account: Account) -> str:
    rest = _told_left_out(account.left_out)
    if not account.decisions:
        return f"{name} had no choice that counts.{rest}"
    told = f"{name}: {in_per_cent(account.held, account.decisions)}. "
    told += f"{account.held} of {counted(account.decisions, 'choice')} kept the best result"
    if 0 < account.critical < account.decisions:
        errors = account.threw_win + account.threw_draw
        told += f"; {account.critical} could have gone wrong" + (f", and {errors} did" if errors else "")
    return f"{told}.{rest}"


def _told_left_out(out: dict[str, int]) -> str:
    """What was not graded, and why: a sentence after a space, or nothing."""
    one = {
        FORCED: "it was forced",
        LOST: "the position was lost",
        SETTLED: "nobody could win any more",
        UNGRADED: "it could not be solved",
    }
    many = {
        FORCED: f"{out[FORCED]} {'was' if out[FORCED] == 1 else 'were'} forced",
        LOST: f"{out[LOST]} came in {'a lost position' if out[LOST] == 1 else 'lost positions'}",
        SETTLED: f"{out[SETTLED]} came when nobody could win any more",
        UNGRADED: f"{out[UNGRADED]} could not be solved",
    }
    number = sum(out.values())
    if number < 2:
        return "".join(f" 1 move was not graded: {one[grade]}." for grade in LEFT_OUT if out[grade])
    return f" {number} moves were not graded: {joined([many[grade] for grade in LEFT_OUT if out[grade]])}."
