"""The result of examining a database or the saved games: ``parlour check --json``."""

from __future__ import annotations

from parlour.fields import about, document


@document
class Problem:
    """A problem found by an examination."""

    where: str = about('"match ID", "game NUMBER" or "the file"')
    what: str = about("the missing, altered or illegal part, in one line")


@document
class Examination:
    """The result of an examination."""

    count: int = about("the number of examined matches or saved games")
    left: int = about("the number of matches or saved games that were not examined for lack of time")
    unsealed: int = about(
        "matches saved by an earlier version, in which some damage is only noticed when they continue"
    )
    problems: list[Problem] = about("the problems; empty if there are none")
