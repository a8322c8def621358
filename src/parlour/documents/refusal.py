"""How the web says no: one line for people, and a code for programs."""

from __future__ import annotations

from parlour.documents.match import State
from parlour.errors import ANSWERS
from parlour.writer import about, document

# What can go wrong besides what ``errors.ANSWERS`` has, by status: before Parlour is asked, and if it has a mistake.
HTTP_ERRORS = {
    400: ("request/bad", "the request cannot be read"),
    404: ("page/unknown", "there is nothing at this address; GET /api/openapi.json lists what there is"),
    405: ("method/wrong", "this address does not do that; GET /api/openapi.json lists what it does"),
    413: ("body/too-large", "the request is too large; 128 KB are the most"),
    415: ("body/encoded", "the body is compressed or otherwise encoded; send it without Content-Encoding"),
    500: ("server/failed", "something went wrong on this side; try again in a moment"),
}


def _codes_by_status() -> str:
    """Every code: "401 seat/needed; 403 seat/wrong"."""
    by_status: dict[int, list[str]] = {status: [code] for status, (code, _) in HTTP_ERRORS.items()}
    for answer in ANSWERS.values():
        by_status.setdefault(answer.status, []).append(answer.code)
    return "; ".join(f"{status} {', '.join(codes)}" for status, codes in sorted(by_status.items()))


@document
class Refusal:
    """What every refusal looks like."""

    code: str = about(f"stable, for programs. By status: {_codes_by_status()}")
    error: str = about("what was wrong and what would work, in one line")
    reason: str | None = about("why a move was refused", default=None)
    legal: str | None = about("what could be played instead of it", default=None)
    state: State | None = about("where the match stands, for a move that came too late", default=None)
