"""The grading of a match by exact value and distance, and exercises from its turning points.

A turning point has the stages of a puzzle if `compose` finds one. Otherwise it has a single stage, in which every move
that keeps the value is right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Generic

from parlour.errors import TooBig
from parlour.fields import about, document
from parlour.game import Move, P, opponent
from parlour.limit import Limit, check_seconds, limit_within
from parlour.match import FORFEIT, UNDO, Match, Round, check_match
from parlour.options import O
from parlour.outcome import result_of
from parlour.rules import Rules
from parlour.score import Score, Value
from parlour.solver import Analysis, Solver
from parlour.study.puzzle import Exercise, Stage, best_play, compose, puzzle_id
from parlour.study.report import (
    COUNTED,
    FORCED,
    KEPT,
    LEFT_OUT,
    LOST,
    SETTLED,
    SLOWER,
    THREW_DRAW,
    THREW_WIN,
    UNGRADED,
    Account,
    Chances,
    Decision,
    Grade,
    LastChance,
    Report,
    Resignation,
    RoundEnd,
    RoundReport,
    TurningPoint,
)
from parlour.study.words import line_in_words
from parlour.view import PLAYERS, PlayerNumber
from parlour.writer import VERSION

POSITION_SECONDS = 30.0  # time limit for one position


def make_report(
    match: Match[O, P], limit: Limit | None = None, *, seconds: float | None = POSITION_SECONDS
) -> Report[O, P]:
    """Grade every decision of a match, finished or not.

    ``seconds`` limits one position and ``limit`` the whole report. A position that cannot be solved in time is left
    ungraded, and so are the earlier positions of its round, which are larger.

    Raises:
        ParlourError: this is not a match, not a limit, or not a number of seconds.

    >>> import parlour
    >>> match = parlour.new_match("double-up", limit=30, names=("Ann", "Ben"))
    >>> match.play_line("2 4 5 6 7 14 15 30")
    >>> report = parlour.make_report(match)
    >>> [account.accuracy for account in report.accounts]
    [0.0, 1.0]
    >>> print(report)
    All values are exact and from the mover's side...
    """
    check_match(match)
    limit, seconds = limit_within(limit), check_seconds(seconds)
    rounds = [_report_round(match, number, limit, seconds) for number in range(1, len(match.rounds) + 1)]
    undone = sum(action.kind == UNDO for action in match.log)
    outcome = match.outcome
    return Report(
        match=match,
        format=VERSION,
        rules=match.setup.rules,
        names=match.names,
        players=match.setup.players,
        result=result_of(outcome),
        how=outcome and outcome.how,
        winner=match.winner,
        undone=undone,
        seconds=seconds,
        accounts=(_account(1, rounds), _account(2, rounds)),
        rounds=rounds,
    )


def _report_round(match: Match[O, P], number: int, limit: Limit, seconds: float) -> RoundReport[O, P]:
    round, last = match.rounds[number - 1], number == len(match.rounds)
    grader = _Grader(round, limit, seconds)
    turn = round.player(len(round.moves))
    winner, how = _end(round, last=last)
    resignation, pending, now = None, None, None
    if how is RoundEnd.UNFINISHED and match.resigned is None:
        pending, now = grader.pending, grader.score
    elif last and match.resigned is not None:
        how = RoundEnd.FORFEITED if match.log[-1].kind == FORFEIT else RoundEnd.RESIGNED
        score = grader.score
        resignation = Resignation(
            player=match.resigned, score=score and (score if match.resigned == turn else score.for_opponent())
        )
        pending = grader.pending if match.resigned == turn else None
    decisions = grader.grade()
    points = [grader.turning_point(decision, match.names) for decision in decisions if decision.turning]
    chances = []
    for player in PLAYERS:
        seen = now and (now if player == turn else now.for_opponent())
        chances.append(replace(_chances(round, decisions, player, winner, pending), now=seen))
    return RoundReport(
        number=number,
        rules=round.rules,
        first=round.first,
        start=grader.score,
        winner=winner,
        how=how,
        decisions=decisions,
        turning_points=points,
        chances=chances,
        resignation=resignation,
    )


def _end(round: Round[O, P], *, last: bool) -> tuple[PlayerNumber | None, RoundEnd]:
    """Return the winner of a finished round and the way it ended; ``last`` marks the last round."""
    position, turn = round.positions[-1], round.player(len(round.moves))
    if not round.rules.is_over(position):
        return None, RoundEnd.UNFINISHED if last else RoundEnd.SETTLED
    value = Value.of_result(round.rules.result(position))
    if value is Value.DRAW:
        return None, RoundEnd.DRAWN
    return turn if value is Value.WIN else opponent(turn), RoundEnd.WON


class _Grader(Generic[O, P]):
    """A grader of one round, from its end to its beginning, which solves small positions before large ones."""

    def __init__(self, round: Round[O, P], limit: Limit, seconds: float) -> None:
        """``seconds`` limits each position, ``limit`` all of them."""
        self.round, self.rules = round, round.rules
        self.score: Score | None = None  # the value of the last position, for its player to move
        self.pending: Decision | None = None  # the turn after the last move of an unfinished round
        self._limit, self._seconds = limit, seconds
        self._too_big = False  # whether a position was too big, and with it all earlier ones
        self._solver: Solver[O, P] | None = None
        with suppress(TooBig):  # the game may never end, or takes too long
            self._solver = Solver(self.rules)
        position = round.positions[-1]
        if self.rules.is_over(position):
            value = Value.of_result(self.rules.result(position))
            self.score = Score(value, None if value is Value.DRAW else 0)
        else:
            self.pending = self._decision(len(round.moves) + 1, position, None)

    def grade(self) -> list[Decision]:
        """Return every turn of the round, in the order of play."""
        turns = list(enumerate(zip(self.round.positions, self.round.moves, strict=False), 1))
        graded = [self._decision(ply, position, move) for ply, (position, move) in reversed(turns)]
        return graded[::-1]

    def _decision(self, ply: int, position: P, move: Move | None) -> Decision:
        """Return a graded turn. A turn without a move gets the scores of its first legal move."""
        number = self.rules.count_legal(position)
        player = self.round.player(ply - 1)
        played = self.rules.legal(position)[0] if move is None else move

        def graded(grade: Grade, before: Score | None, after: Score | None, kept: tuple[Move, ...] = ()) -> Decision:
            self.score = before
            return Decision(
                ply=ply,
                player=player,
                move=played,
                grade=grade,
                before=before,
                after=after,
                legal=number,
                held_by=kept,
                critical=0 < len(kept) < number,
            )

        if self.rules.settled(position):
            return graded(SETTLED, Score(Value.DRAW), Score(Value.DRAW))
        if number == 1 and move is not None:
            score = self.score and self.score.before_move()
            return graded(FORCED, score, score)
        found = self._analyse(position)
        if found is None:
            return graded(UNGRADED, None, None)
        before, kept = found.score, tuple(found.keeping)
        after = next(choice.score for choice in found.choices if choice.move == played)
        if before.value is Value.LOSS:
            return graded(LOST, before, after)
        grade: Grade = KEPT
        if after.value != before.value:
            grade = THREW_WIN if before.value is Value.WIN else THREW_DRAW
        elif after < before:
            grade = SLOWER
        return graded(grade, before, after, kept)

    def _analyse(self, position: P) -> Analysis | None:
        """Return the analysis of a position, without distances if these take too long; None if all of it does."""
        if self._solver is None or self._too_big:
            return None
        try:
            return self._solver.analyse(position, self._limit.part(self._seconds))
        except TooBig:
            self._too_big = True
            return None

    def turning_point(self, decision: Decision, names: tuple[str, str]) -> TurningPoint:
        """Return a decision that threw value away, with the play that refutes it."""
        position, line = self.round.positions[decision.ply], list[Move]()
        try:
            if self._solver is not None:
                line = self._solver.line(position, self._limit.part(self._seconds))
            told = line_in_words(self.rules, names, opponent(decision.player), position, line)
        except TooBig:
            told = "there was no time to find the line"
        return TurningPoint(
            decision=decision,
            ply=decision.ply,
            player=decision.player,
            move=decision.move,
            from_=decision.before and decision.before.value,
            to=decision.after and decision.after.value,
            held_by=decision.held_by,
            line=line,
            told=told,
        )


def _chances(
    round: Round[O, P],
    decisions: list[Decision],
    player: PlayerNumber,
    winner: PlayerNumber | None,
    pending: Decision | None,
) -> Chances:
    mine = [decision for decision in (*decisions, *([pending] if pending else [])) if decision.player == player]

    def last_with(value: Value) -> LastChance | None:
        """Return the last turn at which the position had at least a value."""
        for decision in reversed(mine):
            if decision.before is not None and decision.before.value >= value:
                # A turn that is left out and not lost was forced or settled: every legal move kept the value.
                legal = round.rules.legal(round.positions[decision.ply - 1])
                return LastChance(ply=decision.ply, moves=decision.held_by or tuple(legal))
        return None

    since = None
    if winner == player:
        for decision in reversed(decisions):
            if decision.before is None or decision.before.value != (
                Value.WIN if decision.player == player else Value.LOSS
            ):
                break
            since = decision.ply
    return Chances(player=player, win=last_with(Value.WIN), draw=last_with(Value.DRAW), winning_since=since)


def _account(player: PlayerNumber, rounds: list[RoundReport[O, P]]) -> Account:
    mine = [decision for round in rounds for decision in round.decisions if decision.player == player]
    real = [decision for decision in mine if decision.grade in COUNTED]
    grades = [decision.grade for decision in mine]
    return Account(
        player=player,
        decisions=len(real),
        held=sum(not decision.turning for decision in real),
        critical=sum(decision.critical for decision in real),
        slower=grades.count(SLOWER),
        threw_win=grades.count(THREW_WIN),
        threw_draw=grades.count(THREW_DRAW),
        left_out={grade: grades.count(grade) for grade in LEFT_OUT},
    )


@document
class Mistake:
    """A turning point of a match, to practise."""

    id: str = about("a digest of game, options and position")
    player: PlayerNumber = about("the player who made the mistake")
    question: Exercise = about("the question in short, as saved in a progress file")


def mistakes_of(
    match: Match, players: Sequence[PlayerNumber], seconds: float, limit: Limit | None = None
) -> Iterator[Mistake]:
    """Yield the mistakes of some players; ``seconds`` limits each position, ``limit`` all of them."""
    for graded in make_report(match, limit, seconds=seconds).rounds:
        moves = tuple(map(Move, match.rounds[graded.number - 1].moves))
        for point in graded.turning_points:
            if point.decision.player in players:
                with suppress(TooBig):
                    before = moves[: point.decision.ply - 1]
                    question = _exercise(
                        graded.rules, before, point.decision, limit.part(seconds) if limit else Limit(seconds)
                    )
                    id = puzzle_id(graded.rules, graded.rules.position_after(before))
                    yield Mistake(id=id, player=point.decision.player, question=question)


def _exercise(rules: Rules, moves: tuple[Move, ...], decision: Decision, limit: Limit) -> Exercise:
    solver, position = Solver(rules), rules.position_after(moves)
    assert decision.before is not None  # a turning point has known scores
    stages = compose(rules, position, lambda each: solver.score(each, limit))
    if not stages:
        wrong = {
            move: best_play(rules, rules.after(position, move), lambda each: solver.score(each, limit))
            for move in rules.legal(position)
            if move not in decision.held_by
        }
        stages = (Stage(right=dict.fromkeys(decision.held_by, ()), wrong=wrong),)
    return Exercise(rules=rules, moves=moves, goal=decision.before.value, stages=stages)
