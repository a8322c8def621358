"""What worker processes do besides searching: it is soon done, but too long for the process that answers everybody."""

from __future__ import annotations

from parlour import catalog, record
from parlour.documents.questions import (
    CheckedLine,
    ImportedRecord,
    ImportQuestion,
    LineQuestion,
    QrQuestion,
    ReplayQuestion,
)
from parlour.documents.server import QrCode
from parlour.documents.table import Replay, replay_document, table_document
from parlour.errors import NoSuchRound, ParlourError
from parlour.match import Match, Setup
from parlour.rules import read_rules
from parlour.service.creating import match_of_record


def qr_code(question: QrQuestion) -> QrCode:
    import segno

    try:
        rows = [bytes(row) for row in segno.make(question.text, error="m", micro=False).matrix]
    except ValueError as error:
        raise ParlourError("this text makes no QR code") from error
    path = "".join(f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, dark in enumerate(row) if dark)
    return QrCode(size=len(rows), path=path)


def play_line(question: LineQuestion) -> Match:
    """The match after these moves; a ParlourError if it cannot come to that."""
    game = catalog.find_game(question.game)
    options = read_rules(game, question.options).options
    names = (question.names[0], question.names[1])
    match = Match(Setup(game, options, names, first=question.first, seed=question.seed))
    match.play_line(question.moves)
    return match


def check_line(question: LineQuestion) -> CheckedLine:
    match = play_line(question)
    return CheckedLine(record=record.write_record(match), table=table_document(match))


def replay(question: ReplayQuestion) -> Replay:
    match = record.read_record(question.record)
    if question.round >= len(match.rounds):
        raise NoSuchRound(f"there is no round {question.round + 1} yet; rounds so far: {len(match.rounds)}")
    return replay_document(match, question.round)


def import_record(question: ImportQuestion) -> ImportedRecord:
    made = match_of_record(question.text, question.key)
    stored = made.loaded.stored
    return ImportedRecord(
        id=stored.id,
        kind=stored.kind,
        head=stored.head,
        lines=list(stored.lines),
        over=stored.over,
        seat=made.seat,
    )
