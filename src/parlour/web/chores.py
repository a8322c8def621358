"""What worker processes do besides searching: it is soon done, but too long for the process that answers everybody."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import replace
from pathlib import Path
from typing import Any
from unicodedata import normalize

from parlour import catalog, record
from parlour.documents.server import QrCode
from parlour.documents.table import Replay, TableDocument, replay_document, table_document
from parlour.errors import ParlourError
from parlour.match import Match
from parlour.rules import read_rules
from parlour.service.errors import NoSuchRound
from parlour.service.new_matches import match_of_record
from parlour.setup import Setup
from parlour.web.messages import (
    CardPicture,
    CardQuestion,
    CheckedLine,
    ImportedRecord,
    ImportQuestion,
    LineQuestion,
    MovesQuestion,
    QrQuestion,
    ReplayQuestion,
)

DEAL_SEED = "4"  # the seed if the address has no deal: it deals a grid with four lines that can win
CARD_FONT = Path(__file__).parent / "vendor" / "cards.ttf"
CARD_FAMILY = "Parlour Cards"  # as the file calls itself
# What the font can draw of the letters that names are made of.
DRAWABLE = re.compile(
    "[ -~\\xa0-\\u0148\\u014a-\\u017e\\u0218-\\u021b\\u1ea0-\\u1ef9"
    "\\u0386\\u0388-\\u038a\\u038c\\u038e-\\u03a1\\u03a3-\\u03ce"
    "\\u0401-\\u044f\\u0451-\\u045f\\u0490\\u0491\\u2013\\u2014\\u2018-\\u201a\\u201c-\\u201e\\u2026]+"
)


def qr_code(question: QrQuestion) -> QrCode:
    import segno

    try:
        rows = [bytes(row) for row in segno.make(question.text, error="m", micro=False).matrix]
    except ValueError as error:
        raise ParlourError("this text makes no QR code") from error
    path = "".join(f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, dark in enumerate(row) if dark)
    return QrCode(size=len(rows), path=path)


def card(question: CardQuestion) -> CardPicture:
    """The picture beside a link. It is drawn with our own font alone, so that it looks the same wherever it is made."""
    import resvg_py

    match = record.read_record(question.record)
    match = match.with_setup(replace(match.setup, names=drawable_names(match.names)))
    png = resvg_py.svg_to_bytes(
        svg_string=match.card(", ".join(table_document(match).terms)),
        skip_system_fonts=True,
        font_files=[str(CARD_FONT)],
        font_family=CARD_FAMILY,
        serif_family=CARD_FAMILY,
        sans_serif_family=CARD_FAMILY,
    )
    return CardPicture(png=b64encode(png).decode())


def drawable_names(names: tuple[str, str]) -> tuple[str, str]:
    """The names, if the font has all their letters; otherwise the players are counted."""
    composed = (normalize("NFC", names[0]), normalize("NFC", names[1]))
    return composed if all(map(DRAWABLE.fullmatch, composed)) else ("Player 1", "Player 2")


def play_line(question: MovesQuestion[Any]) -> Match:
    """Return the match after these moves; a ParlourError if there is no such game, option or legal move."""
    rules = read_rules(catalog.find_game(question.game), question.options)
    match = Match(Setup(rules, (question.p1, question.p2), first=question.first, seed=DEAL_SEED))
    match.play_line(question.moves)
    return match


def check_line(question: LineQuestion) -> CheckedLine:
    return CheckedLine(record=record.write_record(play_line(question)))


def position(question: MovesQuestion[Any]) -> TableDocument:
    return table_document(play_line(question))


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
