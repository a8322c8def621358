"""What ``parlour check --json`` says about a database or of the saved games."""

from __future__ import annotations

from parlour.writer import about, document


@document
class ProblemDocument:
    """Something that is wrong."""

    where: str = about('"match ID", "game NUMBER" or "the file"')
    what: str = about("what is missing, altered or against the rules, in one line")


@document
class Examined:
    """What was examined, and what is wrong with it."""

    count: int = about("how many matches, or saved games, were examined")
    left: int = about("how many were not, because the time was up")
    unsealed: int = about("matches that an earlier version wrote: not all damage to these is noticed until they go on")
    problems: list[ProblemDocument] = about("what is wrong; none: nothing is")
