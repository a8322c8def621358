"""Puzzles over the wire: everything that solving one takes, and one line each for those who study them all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from typing import Literal

from parlour.documents.table import GroupDocument, TableDocument, table_document
from parlour.match import Match, Setup
from parlour.rules import Rules, as_move
from parlour.study.archive import Archive, Entry, daily_number
from parlour.study.puzzle import KeyTurn, Puzzle
from parlour.view import PlayerNumber
from parlour.writer import about, document

NAMES = ("Player 1", "Player 2")
Goal = Literal["win", "draw"]


@document
class PuzzleFeatures:
    """What a puzzle is graded by; all of it is exact."""

    choices: int = about("moves to choose from at the first turn")
    decisions: int = about("turns of the solver")
    depth: int = about(
        "plies that one has to look ahead until the answer looks best, at the hardest turn; 10: more than 8"
    )
    trap: float = about("how much better the best wrong move looks than the answer to random play, from -2 to 2")
    latest: int = about("plies until the last of the wrong moves is refuted, this move counted")


@document
class PuzzleLine:
    """A puzzle in short, as the archive is exported: one line each."""

    id: str = about("a digest of game, options and position; it never changes")
    number: int = about("its number in the archive; it never changes either")
    game: str = about("the name of the game")
    options: dict[str, str] = about("all its options")
    moves: list[str] = about("what leads to the position")
    side: PlayerNumber = about("who is to move and to solve it; 1 began")
    goal: Goal = about("what can be had: a win, or at least a draw")
    answer: list[str] = about("the solver's moves and the replies, the answer first")
    grade: int = about("from 1, the easiest, to 5")
    features: PuzzleFeatures = about("what it was graded by")
    kind: str = about("the same for puzzles whose game trees are the same; no two of the archive are of one kind")


@document
class PuzzleStep:
    """One move that is shown, and the table after it."""

    move: str = about("its name")
    by: PlayerNumber = about("who makes it")
    told: str = about('what it does, to follow a name or "You"')
    why: str = about("of a pass: why nothing else could be played")
    view: list[GroupDocument] = about("what lies on the table then")
    result: str = about("how the game ended with it; empty if it goes on")


@document
class PuzzleTurn:
    """One decision: the only right move, what follows it, and what is wrong with all others."""

    answer: str = about("the move that is right")
    right: list[PuzzleStep] = about("the answer, the reply that resists longest, and what is forced after it")
    wrong: dict[str, list[PuzzleStep]] = about("each wrong move, with the play that refutes it, to the end of the game")


@document
class PuzzleDocument:
    """A puzzle with its whole answer: solving it needs no server."""

    id: str = about("its identity, which never changes")
    number: int = about("its number in the archive")
    daily: int | None = about("the number of the daily puzzle that it was asked for as; null otherwise")
    date: str | None = about("the day of that")
    game: str = about("the name of the game")
    title: str = about("what the game is called")
    side: PlayerNumber = about("who is to move and to solve it")
    goal: Goal = about("what can be had")
    question: str = about("what is asked")
    grade: int = about("from 1, the easiest, to 5")
    moves: list[str] = about("what leads to the position")
    table: TableDocument = about("the position")
    turns: list[PuzzleTurn] = about("the decisions, one after the other")
    features: PuzzleFeatures = about("what it was graded by")


@document
class PuzzleCard:
    """What a list of puzzles shows."""

    id: str = about("its identity")
    number: int = about("its number in the archive")
    game: str = about("the name of the game")
    grade: int = about("from 1, the easiest, to 5")


@document
class DailyCard:
    """A daily puzzle in a list: the puzzle itself is not told."""

    daily: int = about("its number")
    date: str = about("its day")
    game: str = about("the name of the game")
    grade: int = about("from 1, the easiest, to 5")


@document
class PuzzleList:
    """Puzzles of the archive."""

    count: int = about("how many there are that fit")
    puzzles: list[PuzzleCard] = about("some of them, in the order of their numbers")


@document
class DailyList:
    """Daily puzzles, the newest first."""

    newest: int = about("the number of the newest")
    days: list[DailyCard] = about("some of them")


def puzzle_line(puzzle: Puzzle) -> PuzzleLine:
    """A puzzle in short."""
    rules = puzzle.rules
    return PuzzleLine(
        id=puzzle.id,
        number=puzzle.number,
        game=rules.game.key,
        options=rules.option_texts,
        moves=rules.names(puzzle.moves),
        side=puzzle.side,
        goal=_goal(puzzle),
        answer=rules.names(puzzle.answer),
        grade=puzzle.grade,
        features=_features(puzzle),
        kind=puzzle.kind,
    )


def puzzle_document(puzzle: Puzzle, day: date | None = None) -> PuzzleDocument:
    """A puzzle with all that solving it takes; ``day``: as the daily puzzle of that day."""
    match = match_of_puzzle(puzzle)
    return PuzzleDocument(
        id=puzzle.id,
        number=puzzle.number,
        daily=None if day is None else daily_number(day),
        date=None if day is None else day.isoformat(),
        game=puzzle.rules.game.key,
        title=puzzle.rules.game.title,
        side=puzzle.side,
        goal=_goal(puzzle),
        question=puzzle.question,
        grade=puzzle.grade,
        moves=puzzle.rules.names(puzzle.moves),
        table=table_document(match),
        turns=[_turn(match, turn) for turn in puzzle.turns],
        features=_features(puzzle),
    )


def match_of_puzzle(puzzle: Puzzle, names: tuple[str, str] = NAMES) -> Match:
    """A match that stands where the puzzle begins."""
    return match_after(puzzle.rules, puzzle.moves, names)


def match_after(rules: Rules, moves: Sequence[int], names: tuple[str, str] = NAMES) -> Match:
    """A match that stands after these moves."""
    return Match.after(Setup(rules, names), moves)


def puzzle_list(archive: Archive, entries: list[Entry], begin: int, most: int) -> PuzzleList:
    """Some of the entries of an archive, from a place on."""
    cards = [
        PuzzleCard(id=entry.id, number=entry.number, game=archive.game_of(entry), grade=entry.grade)
        for entry in entries[begin : begin + most]
    ]
    return PuzzleList(count=len(entries), puzzles=cards)


def daily_list(archive: Archive, newest: date, days: Iterable[date]) -> DailyList:
    """Daily puzzles in short."""
    cards = []
    for day in days:
        puzzle = archive.daily(day)
        card = DailyCard(daily=daily_number(day), date=day.isoformat(), game=puzzle.rules.game.key, grade=puzzle.grade)
        cards.append(card)
    return DailyList(newest=daily_number(newest), days=cards)


def _goal(puzzle: Puzzle) -> Goal:
    return "win" if puzzle.goal > 0 else "draw"


def _features(puzzle: Puzzle) -> PuzzleFeatures:
    return PuzzleFeatures(**puzzle.features._asdict())


def _turn(match: Match, turn: KeyTurn) -> PuzzleTurn:
    """A turn that begins where the match stands, which is then moved on to the next."""
    name = match.rules.name
    wrong = {name(move): steps_of(match.copy(), (move, *line)) for move, line in turn.wrong.items()}
    return PuzzleTurn(answer=name(turn.answer), right=steps_of(match, (turn.answer, *turn.then)), wrong=wrong)


def steps_of(
    match: Match, moves: tuple[int, ...], on_view: Callable[[list[GroupDocument]], None] = lambda view: None
) -> list[PuzzleStep]:
    """Play moves on a match: each, and the table after it; ``on_view`` receives every board, and may raise."""
    steps = []
    for move in moves:
        match.play(as_move(move))
        table = table_document(match)
        on_view(table.view)
        assert table.last is not None  # it has just been played
        steps.append(
            PuzzleStep(
                move=table.last.move,
                by=table.last.player,
                told=table.last.told,
                why=table.last.why,
                view=table.view,
                result="" if table.result is None else _how_it_ended(match, table),
            )
        )
    return steps


def _how_it_ended(match: Match, table: TableDocument) -> str:
    result = table.result
    assert result is not None
    about_whom = "" if result.subject is None else f"{match.names[result.subject - 1]} "
    return f"{about_whom}{result.told}."
