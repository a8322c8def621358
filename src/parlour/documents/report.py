"""The report of a match: every decision with its grade, for programs."""

from __future__ import annotations

from typing import Literal, cast

from parlour.documents import VERSION, about, document
from parlour.documents.solution import ScoreDocument, score_document
from parlour.outcome import TerminationWord, result_of
from parlour.rules import LISTED_MOVES, Rules
from parlour.score import Score, ValueWord
from parlour.study.report import Account, Chances, Decision, Report, RoundEnd, RoundReport, TurningPoint, told
from parlour.view import PlayerNumber

Grade = Literal["kept", "slower", "threw-win", "threw-draw", "forced", "lost", "settled", "ungraded"]


@document
class AccountDocument:
    """One player's decisions, all rounds together."""

    player: PlayerNumber = about("whose they are")
    accuracy: float | None = about("held decisions by real ones, from 0 to 1; null without a real decision")
    decisions: int = about("real ones: more than one move, the position not lost, and somebody can still win it")
    held: int = about("of those: no other move would have been worth more")
    critical: int = about("of those: some move would have thrown value away")
    slower: int = about("of those: the win was kept, but it takes longer")
    threw_win: int = about("wins thrown away")
    threw_draw: int = about("draws thrown away")
    left_out: dict[str, int] = about("turns that do not count, by grade")


@document
class DecisionDocument:
    """One turn of a round. Worths are for the player who moved, their plies counted from before the move."""

    ply: int = about("its number in the round, counted from 1")
    player: PlayerNumber = about("who moved")
    move: str = about("the move")
    grade: Grade = about("what it did to the value of the position")
    before: ScoreDocument | None = about("what the position was worth; null: not known")
    after: ScoreDocument | None = about("what the move was worth; null: not known")
    legal: int = about("how many moves there were")
    holding: int = about("how many of them would have kept the value; 0 where the turn is left out")
    critical: bool = about("some move would have thrown value away")


@document
class TurningPointDocument:
    """A decision that threw value away, and the play that shows it."""

    ply: int = about("its number in the round, counted from 1")
    player: PlayerNumber = about("who moved")
    move: str = about("the move")
    from_: ValueWord | None = about("what the position was worth", name="from")
    to: ValueWord | None = about("what the move was worth")
    held_by: list[str] = about(f"the moves that would have kept the value, the first {LISTED_MOVES:,}")
    line: list[str] = about("best play after the move")


@document
class ChanceDocument:
    """A turn at which a player still had something in hand."""

    ply: int = about("its number in the round, counted from 1")
    moves: list[str] = about(f"what would have kept it, the first {LISTED_MOVES:,}")


@document
class ChancesDocument:
    """The last chances of a player in a round."""

    player: PlayerNumber = about("whose they are")
    win: ChanceDocument | None = about("the last turn at which the position was won; null: none that is known")
    draw: ChanceDocument | None = about("the last turn at which it was at least drawn; null: none that is known")
    winning_since: int | None = about("of the winner: the ply from which on the position was won to the end")
    now: ScoreDocument | None = about(
        "the value of an unfinished round for this player; null: it is finished, or not known", default=None
    )


@document
class ResignationDocument:
    """What was given up."""

    player: PlayerNumber = about("who resigned")
    standing: ScoreDocument | None = about("what the position was worth to that player; null: not known")


@document
class RoundReportDocument:
    """One round of a report."""

    round: int = about("its number, counted from 1")
    options: dict[str, str] = about("all options, with everything that was dealt")
    first: PlayerNumber = about("who began it")
    start: ScoreDocument | None = about("what it was worth to the player who began; null: not known")
    how: RoundEnd = about("how it ended; settled: left, because nobody could win it any more")
    winner: PlayerNumber | None = about("who won it by playing")
    decisions: list[DecisionDocument] = about("every turn")
    turning_points: list[TurningPointDocument] = about("the decisions that threw value away")
    chances: list[ChancesDocument] = about("the last chances of each player")
    resignation: ResignationDocument | None = about("what was given up, if somebody resigned")


@document
class ReportDocument:
    """A match with every decision graded by what it was exactly worth."""

    format: int = about("the version of this and all other documents")
    game: str = about("the name of the game")
    version: int = about("of its rules")
    options: dict[str, str] = about("as they were chosen")
    names: list[str] = about("what the players are called")
    players: list[str] = about("who chose the moves of each")
    result: str = about('as a record has it: "1-0", "0-1", "1/2-1/2", "undecided" or "*"')
    how: TerminationWord | None = about("in which way it ended; null while it goes on")
    winner: PlayerNumber | None = about("who has won; null if nobody")
    undone: int = about("moves that were taken back")
    seconds: float = about("what one position was allowed to take")
    accuracy: list[AccountDocument] = about("one for each player")
    rounds: list[RoundReportDocument] = about("in the order of play")
    text: list[str] | None = about("the same in words, line by line; on the web", default=None)


def report_document(report: Report, *, with_text: bool = False) -> ReportDocument:
    """A report as programs read it; ``with_text``: and people, line by line."""
    match, outcome = report.match, report.match.outcome
    return ReportDocument(
        format=VERSION,
        game=match.game.key,
        version=match.game.version,
        options=Rules(match.game, match.setup.options).option_texts,
        names=list(match.names),
        players=list(match.setup.players),
        result=result_of(outcome),
        how=outcome.how.value if outcome else None,
        winner=outcome.winner if outcome else None,
        undone=report.undone,
        seconds=report.seconds,
        accuracy=[_account(account) for account in report.accounts],
        rounds=[_round(played.rules, graded) for played, graded in zip(match.rounds, report.rounds, strict=True)],
        text=[line.text for line in told(report)] if with_text else None,
    )


def _account(account: Account) -> AccountDocument:
    return AccountDocument(
        player=account.player,
        accuracy=None if account.accuracy is None else round(account.accuracy, 4),
        decisions=account.decisions,
        held=account.held,
        critical=account.critical,
        slower=account.slower,
        threw_win=account.threw_win,
        threw_draw=account.threw_draw,
        left_out=account.left_out,
    )


def _round(rules: Rules, graded: RoundReport) -> RoundReportDocument:
    resignation = graded.resignation
    return RoundReportDocument(
        round=graded.number,
        options=rules.option_texts,
        first=graded.first,
        start=_score(graded.start),
        how=graded.how,
        winner=graded.winner,
        decisions=[_decision(rules, decision) for decision in graded.decisions],
        turning_points=[_turning_point(rules, point) for point in graded.turning_points],
        chances=[_chances(rules, chances) for chances in graded.chances],
        resignation=resignation and ResignationDocument(player=resignation.player, standing=_score(resignation.score)),
    )


def _decision(rules: Rules, decision: Decision) -> DecisionDocument:
    return DecisionDocument(
        ply=decision.ply,
        player=decision.player,
        move=rules.name(decision.move),
        grade=cast(Grade, decision.grade),
        before=_score(decision.before),
        after=_score(decision.after),
        legal=decision.legal,
        holding=len(decision.held_by),
        critical=decision.critical,
    )


def _turning_point(rules: Rules, point: TurningPoint) -> TurningPointDocument:
    decision = point.decision
    return TurningPointDocument(
        ply=decision.ply,
        player=decision.player,
        move=rules.name(decision.move),
        from_=decision.before.value.word if decision.before else None,
        to=decision.after.value.word if decision.after else None,
        held_by=rules.names(decision.held_by[:LISTED_MOVES]),
        line=rules.names(point.line[:LISTED_MOVES]),
    )


def _chances(rules: Rules, chances: Chances) -> ChancesDocument:
    win, draw = (
        None if found is None else ChanceDocument(ply=found.ply, moves=rules.names(found.moves[:LISTED_MOVES]))
        for found in (chances.win, chances.draw)
    )
    return ChancesDocument(
        player=chances.player,
        win=win,
        draw=draw,
        winning_since=chances.winning_since,
        now=_score(chances.now),
    )


def _score(score: Score | None) -> ScoreDocument | None:
    return None if score is None else score_document(score)
