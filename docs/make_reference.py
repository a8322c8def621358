"""Writes the reference in ``docs/python.md`` from the docstrings and signatures of everything that ``parlour`` exports.

Run it with: make reference

What stands above the heading "Reference" is left alone. Griffe reads the source and griffe2md makes Markdown of it.
Done here is only what they leave open: which names, in which order, that examples are blocks of Python, and that the
comment behind a field says what the field is, as it does in the source.
"""

from __future__ import annotations

import doctest
import pydoc
import re
from dataclasses import fields, is_dataclass
from pathlib import Path

import griffe
import griffe2md

from parlour.text import sentence

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "python.md"
HEADING = "## Reference\n"

# Every public name, under what it is about.
SECTIONS = {
    "Games": ["list_games", "find_game", "Game", "Content"],
    "Matches": ["new_match", "Match", "Round", "Action", "Setup", "Outcome", "Termination"],
    "Rules, positions and moves": [
        "rules_of",
        "Rules",
        "Move",
        "Bounds",
        "Status",
        "PASS",
    ],
    "Records": ["write_record", "read_record"],
    "Solving": ["solve", "Solver", "Analysis", "Choice", "Score", "Value", "Limit"],
    "Tables": ["tabulate", "kept_table", "ScoreTable", "Statistics"],
    "Players": [
        "find_player",
        "list_player_kinds",
        "PlayerKind",
        "play_out",
        "take_turn",
        "Player",
        "Turn",
        "Resigned",
    ],
    "Studying": [
        "Hints",
        "Hint",
        "Reason",
        "make_report",
        "Report",
        "RoundReport",
        "RoundEnd",
        "Decision",
        "TurningPoint",
        "Chances",
        "LastChance",
        "Resignation",
        "Account",
        "explain",
        "Explanation",
        "ExplanationPart",
        "Line",
        "measure_contest",
        "Contest",
        "measure_exploitability",
        "Exploitability",
    ],
    "Puzzles and exams": [
        "find_puzzle",
        "daily_puzzle",
        "list_puzzles",
        "Puzzle",
        "Stage",
        "Features",
        "start_exam",
        "Exam",
        "ExamQuestion",
        "Marked",
    ],
    "Certificates": ["write_certificate", "check_certificate"],
    "Tournaments and sweeps": [
        "play_tournament",
        "Tournament",
        "GameStandings",
        "Rating",
        "Played",
        "sweep",
        "Sweep",
        "Row",
    ],
    "JSON": ["write_json"],
    "Random games": ["playouts", "Playouts", "random_game"],
    "Batches": ["Batch", "BatchStep", "Scores", "Encoding"],
    "The table": ["View", "Group", "Tile", "Moment"],
    "Refusals": [
        "ParlourError",
        "BadInput",
        "UnknownGame",
        "UnknownPlayer",
        "BadName",
        "BadArgument",
        "BadOptions",
        "BadPosition",
        "MoveRefused",
        "UnreadableMove",
        "IllegalMove",
        "Conflict",
        "GameOver",
        "NoNextRound",
        "NothingToUndo",
        "NotFound",
        "NoSuchPuzzle",
        "NoSuchExam",
        "BadData",
        "BadRecord",
        "BadStrategy",
        "NoAnswer",
        "TooBig",
        "Cancelled",
        "EngineFailed",
        "MissingExtra",
    ],
}

# Where most of a class is for whoever writes a game, and told in CONTRIBUTING.
SHOWN_MEMBERS = {
    "PlayerKind": ["word", "title", "about", "argument", "offered", "needs_proof"],
    "Game": ["key", "title", "version", "options", "content", "defaults"],
    "Content": ["summary", "rules_text", "example", "variants", "known"],
}

# Descriptions of fields that JSON writes in another form.
OBJECTS = {"Game": "the game", "Rules": "the game under its options"}

# The classes that a program makes objects of itself; those of the others are handed to it.
MADE_BY_CALLING = ("Match", "Setup", "Rules", "Solver", "Limit", "Hints", "Batch")

LOOKS = griffe2md.ConfigDict(
    heading_level=4,
    show_root_full_path=False,
    show_root_members_full_path=False,
    show_object_full_path=False,
    show_signature_annotations=True,
    separate_signature=False,
    show_bases=False,
    members_order="source",
    summary=False,
    inherited_members=False,
    line_length=120,
)


def reference() -> str:
    """The reference, from its heading on."""
    package = griffe.load("parlour", search_paths=[ROOT / "src"], resolve_aliases=True)
    parts = [HEADING]
    for title, names in SECTIONS.items():
        parts.append(f"### {title}\n")
        parts += [_entry(_target(_find(package, name))) for name in names]
    return "\n".join(parts)


def _find(package: griffe.Object, name: str) -> griffe.Object | griffe.Alias:
    """Return a public object: of the package, or a type of results."""
    return package[name] if name in package.members else package["results"][name]


def _target(found: griffe.Object | griffe.Alias) -> griffe.Object:
    return found.final_target if isinstance(found, griffe.Alias) else found


def _entry(found: griffe.Object) -> str:
    looks = LOOKS
    _prepare(found)
    for member in found.members.values():
        if isinstance(member, griffe.Object) and member.is_public:
            _prepare(member)
    looks = LOOKS
    if found.is_class and is_dataclass(pydoc.locate(found.path)):  # a result has the fields of the one it extends
        for member in found.inherited_members.values():
            _prepare(_target(member))
        looks = looks | griffe2md.ConfigDict(inherited_members=True, filters=["!^_", "!^WRITTEN$"])
    if "__init__" in found.members and found.name not in MADE_BY_CALLING:
        found.del_member("__init__")
    if found.name != "ParlourError" and found.name in SECTIONS["Refusals"]:  # whose attributes these are
        for inherited in {"code", "status", "exit_code"} & {*found.members}:
            found.del_member(inherited)
    if found.name in SHOWN_MEMBERS:
        looks = looks | griffe2md.ConfigDict(members=SHOWN_MEMBERS[found.name])
    text = griffe2md.render_object_docs(found, looks)
    if found.is_class:  # what it is called stands above how it is made
        text = re.sub(r"\A(#+) `(\w+)(\(.*)`\n", r"\1 `\2`\n\n```python\n\2\3\n```\n", text).replace(
            ") -> None\n", ")\n", 1
        )
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def _prepare(found: griffe.Object) -> None:
    if found.docstring is None and found.is_attribute and (comment := _comment(found)):
        found.docstring = griffe.Docstring(comment, parent=found)
    annotation = getattr(found, "annotation", None)
    if isinstance(annotation, griffe.ExprSubscript) and str(annotation.left) == "Annotated":
        assert isinstance(annotation.slice, griffe.ExprTuple)
        found.annotation = annotation.slice.elements[0]  # the description is the docstring
    if found.docstring is not None:
        if found.docstring.value[:1].islower() and "\n" not in found.docstring.value:  # the description of a field
            found.docstring.value = _in_python(found, found.docstring.value)
        found.docstring.value = _fenced(found.docstring.value)
        found.docstring.parser = None


def _in_python(found: griffe.Object, described: str) -> str:
    """Return the description of a field for Python, where a game or rules are objects, not texts."""
    kind = str(found.annotation).partition("[")[0]
    return re.sub(r"\bnull\b", "None", sentence(OBJECTS.get(kind, described)))


def _comment(found: griffe.Object) -> str:
    """What the source says behind a field."""
    if described := _description(found):
        return _in_python(found, described)
    lines = found.source.splitlines()
    for decorator in getattr(found.parent, "decorators", ()):
        described = re.search(rf"\b{found.name}='(.*?)'", str(decorator.value))
        if decorator.callable_path == "parlour.fields.record" and described:
            return _in_python(found, described[1])
    comments = [line.partition("  # ")[2].strip() for line in lines if "  # " in line]
    return sentence(" ".join(comments)) if comments else ""


def _description(found: griffe.Object) -> str:
    """Return the description that a document declares for a field; an empty string for other attributes."""
    cls = pydoc.locate(found.parent.path) if found.parent else None
    if not (isinstance(cls, type) and is_dataclass(cls)):
        return ""
    return next((each.metadata.get("description", "") for each in fields(cls) if each.name == found.name), "")


def _fenced(text: str) -> str:
    """A docstring whose examples are blocks of Python."""
    pieces: list[str] = []
    inside = False
    for piece in doctest.DocTestParser().parse(text):
        if isinstance(piece, doctest.Example):
            if not inside:
                pieces.append("```python\n")
            lines = piece.source.rstrip("\n").split("\n")
            pieces.append("".join(f"{'>>>' if at == 0 else '...'} {line}\n" for at, line in enumerate(lines)))
            pieces.append(piece.want)
            inside = True
        elif inside and not piece.strip():
            continue  # between two examples
        else:
            pieces.append(f"```\n{piece}" if inside else piece)
            inside = False
    return "".join(pieces) + ("```\n" if inside else "")


def page() -> str:
    """The whole page with the reference as it should be."""
    tour, _, _ = PAGE.read_text(encoding="utf-8").partition(HEADING)
    return f"{tour.rstrip()}\n\n{reference()}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(PAGE.relative_to(ROOT))
