"""The results of a sweep, as ``parlour sweep --json`` writes them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict

from parlour.lab.measures import Method, Row
from parlour.lab.results import SweepHead
from parlour.options import read_words
from parlour.writer import about, document


@document
class SweepSettings:
    """How the rows of a sweep were measured."""

    measures: list[str] = about("what was measured: some of value, distance, first-moves, decisions and contest")
    error: float = about("how often each of two equal players errs")
    games: int = about("how many games were sampled where there were too many positions to look at them all")
    seed: int = about("of these games")


@document
class SweepRow:
    """A game under its options, measured; null: not asked for, or it did not fit, or there is no such number."""

    options: dict[str, str] = about("all its options")
    alike: int = about("how many arrangements are this same game; 1 where nothing is arranged")
    value: str | None = about("with best play, for the player who begins: win, draw or loss")
    distance: int | None = about("turns until then, passes included; null for a draw")
    first_moves: int | None = about("how many there are")
    keeping_first_moves: int | None = about("how many of them keep the value")
    kept_by: list[str] | None = about("the names of these")
    positions: int | None = about("with somebody to move, those with the same future counted once")
    decisions_from: str | None = about("which were looked at: all positions, or those met in sampled games")
    decisions: int | None = about("positions with more than one move, among these")
    critical: int | None = about("decisions where some move loses value")
    critical_share: float | None = about("the same as a share of the decisions")
    critical_low: float | None = about("where sampled: the lower end of an interval of 95 % around the share")
    critical_high: float | None = about("where sampled: its upper end")
    holding: float | None = about("how many moves keep the value, on average over the decisions")
    holding_low: float | None = about("where sampled: the lower end of an interval of 95 % around it")
    holding_high: float | None = about("where sampled: its upper end")
    first: float | None = about("between equals who sometimes err: how likely the player who begins wins")
    drawn: float | None = about("how likely nobody wins")
    second: float | None = about("how likely the other player wins")
    turns: float | None = about("how many turns a game takes, on average")
    critical_turns: float | None = about("turns at which some move loses value, on average")
    measure: float | None = about("how good a contest it is: the critical turns, times the openness")
    unfinished: dict[str, str] = about("what did not fit the budget, and why, by its measure")
    allowed_seconds: float = about("how long it might take, by the clock")
    allowed_memory: int = about("how many bytes the tables of one search might take")
    seconds: float = about("of processor time that it took")
    memory: int | None = about("bytes that the process held at most; null where the system does not say")
    command: str = about("makes this row again")
    version: str = about("of Parlour, which made it")
    digest: str = about("of what it says about the game, with the rules and the settings; not of what it cost")


@document
class SweepDocument:
    """What a sweep has found out."""

    game: str = about("the name of the game")
    game_version: int = about("of its rules")
    settings: SweepSettings = about("how it was measured")
    left_out: int = about("combinations of options that make no game")
    rows: list[SweepRow] = about("one for each combination of options")


def sweep_document(head: SweepHead, rows: Iterable[Row], left_out: int) -> SweepDocument:
    """What is written of a sweep."""
    return SweepDocument(
        game=head.game.key,
        game_version=head.game.version,
        settings=_settings(head.settings),
        left_out=left_out,
        rows=[_row(row) for row in rows],
    )


def _settings(settings: Method) -> SweepSettings:
    return SweepSettings(
        measures=list(settings.measures), error=settings.error, games=settings.games, seed=settings.seed
    )


def _row(row: Row) -> SweepRow:
    reasons = (line.split(": ", 1) for line in (row.unfinished or "").splitlines())
    told = asdict(row) | {
        "options": read_words(row.options),
        "kept_by": None if row.kept_by is None else row.kept_by.split(),
        "unfinished": dict(reasons),
    }
    return SweepRow(**told)
