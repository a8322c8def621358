"""The result of examining a database or the saved games: ``parlour check --json``."""

from __future__ import annotations

from parlour.writer import about, document


@document
class Problem:
    """Something that is wrong."""

    where: str = about('"match ID", "game NUMBER" or "the file"')
    what: str = about("what is missing, altered or against the rules, in one line")


@document
class Examination:
    """The result of an examination."""

    count: int = about("matches, or saved games, that were examined")
    left: int = about("matches, or saved games, that there was no time for")
    unsealed: int = about("matches that an earlier version wrote: not all damage to these is noticed until they go on")
    problems: list[Problem] = about("what is wrong; none: nothing is")
