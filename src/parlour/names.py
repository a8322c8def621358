"""Checks of players' names: one for names in records and a stricter one for new names."""

from __future__ import annotations

import unicodedata

from parlour.errors import BadName
from parlour.text import clip

DEFAULT_NAMES = ("Player 1", "Player 2")
MAX_NAME_LENGTH = 30  # characters
MAX_ACCENTS = 3  # combining marks on one letter; Vietnamese and Thai need two, vocalised Hebrew three
JOINERS = "\u200c\u200d"
BLANKS = {  # invisible letters and symbols of Unicode
    "\u115f": "hangul choseong filler",
    "\u1160": "hangul jungseong filler",
    "\u2800": "braille pattern blank",
    "\u3164": "hangul filler",
    "\uffa0": "halfwidth hangul filler",
    "\U00013441": "egyptian hieroglyph full blank",
    "\U00013442": "egyptian hieroglyph half blank",
    "\U0001d159": "musical symbol null notehead",
}


def check_name(name: str) -> None:
    """Raise BadName if a record cannot have this name; see also ``check_new_name``."""
    if not isinstance(name, str):
        raise BadName(f"bad name {clip(repr(name))}; a name is a text")
    if not name.strip() or name != name.strip():
        raise BadName(f"bad name {clip(name)!r}; a name has at least one letter and no spaces around it")
    if len(name) > MAX_NAME_LENGTH:
        raise BadName(f"bad name {clip(name)!r}; at most {MAX_NAME_LENGTH} characters")
    if not _without_joiners(name).isprintable():
        raise BadName(f"bad name {clip(name)!r}; control characters do not show")


def check_new_name(name: str) -> None:
    """Raise BadName if a new player cannot have this name.

    Unlike ``check_name`` this refuses invisible names, and stacks of accents, which overlap other lines. Records of
    older versions may have both.
    """
    check_name(name)
    for character in name:
        if character in BLANKS:
            code = f"U+{hex(ord(character))[2:].upper()}"
            raise BadName(f"bad name {clip(name)!r}; {code}, the {BLANKS[character]}, does not show")
    if not any(unicodedata.category(character)[0] in "LNPS" for character in name):
        raise BadName(f"bad name {clip(name)!r}; marks without a letter do not show")
    accents = 0
    before = " "
    for character in _without_joiners(name):
        if unicodedata.category(character)[0] != "M":
            accents = 0
        elif before == " ":
            raise BadName(f"bad name {clip(name)!r}; an accent follows a letter")
        elif unicodedata.combining(character) or unicodedata.category(character) == "Me":
            accents += 1
            if accents > MAX_ACCENTS:
                raise BadName(f"bad name {clip(name)!r}; at most {MAX_ACCENTS} accents on one letter")
        before = character


def _without_joiners(name: str) -> str:
    """Remove the joiners between two characters, which many scripts and emoji need."""
    if name.isascii():
        return name
    neighbours = zip(f" {name}", name, f"{name[1:]} ", strict=False)
    return "".join(
        character
        for before, character, after in neighbours
        if character not in JOINERS or any(each.isspace() or each in JOINERS for each in (before, after))
    )


def pair_of(names: tuple[str, ...] | list[str]) -> tuple[str, str]:
    """Return the names as a pair; BadName unless there are two."""
    if not isinstance(names, tuple | list) or len(names) != 2:
        raise BadName(f"bad names {clip(repr(names))}; a pair of them, like {DEFAULT_NAMES}")
    return names[0], names[1]


def check_new_names(names: tuple[str, ...] | list[str]) -> None:
    """Raise BadName if a new player cannot have one of these names. ``check_names`` refuses equal names."""
    for name in pair_of(names):
        check_new_name(name)


def check_names(names: tuple[str, str]) -> None:
    """Raise BadName if a record cannot have one of these names, or they are equal."""
    for name in pair_of(names):
        check_name(name)
    one, two = (_without_joiners(name).casefold() for name in names)
    if one == two:
        raise BadName(f"both players are called {names[0]!r}; give them different names")
