"""The user's configuration file.

::

    name = "Ann"
    opponent = "level:2"

    [double-up]
    limit = 50

The file applies only at a terminal, and the command line overrides it. Programs that play through a pipe get the same
game everywhere. Invalid settings are reported in one line each and ignored, so a bad file never prevents a game.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

import click

from parlour import catalog, players
from parlour.errors import BadOptions, ParlourError
from parlour.files import config_file, write_whole
from parlour.names import DEFAULT_NAMES, check_new_name
from parlour.options import declared, flag, read_options, show_options, unflag
from parlour.rules import rules_of
from parlour.text import cleaned, clip, did_you_mean, joined, nearest

FIRST = ("1", "2", "toss")  # player 1, player 2, at random


def _friend(text: str) -> str:
    check_new_name(text)
    return text


def _name(text: str) -> str:
    if text == DEFAULT_NAMES[1]:
        raise BadOptions(f"{text!r} is what the other player is called; choose another name")
    return _friend(text)


def _opponent(text: str) -> str:
    players.load(text)
    return text


def _first(text: str) -> str:
    if text not in FIRST:
        raise BadOptions(
            f"bad first {clip(text)!r}{did_you_mean(nearest(text, FIRST))}; allowed: {joined(FIRST, 'or')}"
        )
    return text


def _plain(text: str) -> bool:
    switch = {"true": True, "false": False, "yes": True, "no": False}.get(text.lower())
    if switch is None:
        raise BadOptions(f"bad plain {clip(text)!r}; allowed: true or false")
    return switch


def _server(text: str) -> str:
    text = text.rstrip("/")
    if not text.startswith(("http://", "https://")) or not text.isprintable() or " " in text:
        raise BadOptions(f"bad server {clip(text)!r}; an address is needed, like https://parlour.example")
    return text


def _key(read: Callable[[str], str | bool], about: str) -> Any:
    """Declare a key of the file: ``read`` checks its text and returns the value."""
    return field(default=None, metadata={"read": read, "about": about})


@dataclass
class Preferences:
    """The valid settings of the file."""

    name: str | None = _key(_name, "your name")
    friend: str | None = _key(_friend, "the name of your friend at this keyboard")
    opponent: str | None = _key(_opponent, "who plays as Player 2: human, random, level:2, perfect ...")
    first: str | None = _key(_first, "who begins: 1 (you), 2 (the other player) or toss")
    plain: bool | None = _key(_plain, "true: plain lines, no redrawing")
    server: str | None = _key(_server, "where parlour invite creates matches")
    options: dict[str, dict[str, str]] = field(default_factory=dict)  # option texts by game
    complaints: list[str] = field(default_factory=list)  # a line for each invalid setting

    def defaults_for(self, key: str) -> dict[str, Any]:
        """Return the defaults of ``parlour play`` for a game, by click's parameter names."""
        chosen = {
            "name1": self.name,
            "name2": self.friend,
            "p2": self.opponent,
            "first": self.first,
            "plain": self.plain,
        }
        options = {f"option_{name}": text for name, text in self.options.get(key, {}).items()}
        return {name: value for name, value in chosen.items() if value is not None} | options

    def complain(self) -> None:
        """Print the complaints on standard error."""
        for line in self.complaints:
            click.echo(f"parlour: {line}", err=True)


KEYS: dict[str, Mapping[str, Any]] = {each.name: each.metadata for each in fields(Preferences) if each.metadata}


def load() -> Preferences:
    """Return the user's preferences; without a file, import nothing slow."""
    preferences = Preferences()
    try:
        values = _read()
    except (OSError, ValueError) as error:
        preferences.complaints.append(f"{config_file()}: {reason_of(error)}; it is not used")
        return preferences
    for key, value in values.items():
        try:
            if isinstance(value, dict):
                game = catalog.find_key(key)
                preferences.options[game] = _options(game, _valid_options(preferences, game, key, value))
            elif key in catalog.keys():
                raise _not_a_section(key)
            else:
                setattr(preferences, key, _value(key, value))
        except ParlourError as error:
            _complain(preferences, error, *([f"[{clip(key)}]"] if isinstance(value, dict) else [clip(key)]), key)
    return preferences


def _valid_options(preferences: Preferences, game: str, section: str, given: dict[str, object]) -> dict[str, object]:
    """Return the valid options of a section, and complain about the others."""
    valid = {}
    for name, value in given.items():
        try:
            _option(game, name, value)
            valid[name] = value
        except ParlourError as error:
            _complain(preferences, error, f"{section}.{clip(name)}", section, name)
    return valid


def _complain(preferences: Preferences, error: ParlourError, label: str, *path: str) -> None:
    line = _line_of(*path)
    where = f"line {line}, {label}" if line else label
    preferences.complaints.append(f"{config_file()}: {where}: {error}; it is not used")


def set_value(key: str, text: str | None) -> None:
    """Set one value, or remove it if the text is None. The rest of the file is preserved, comments included.

    Raises:
        BadOptions: the key is unknown, or the value is invalid.
        BadName, UnknownPlayer: the name or player is invalid.
        ValueError: the file is not TOML.
    """
    section, _, name = key.rpartition(".")
    values = _read()
    value: str | bool | None = None
    if section:
        game = catalog.find_key(section)
        section = next((title for title in reversed(values) if _is_section_of(title, game)), game)
        inside = values.get(section, {})
        if not isinstance(inside, dict):
            raise _not_a_section(game)
        written = next((given for given in inside if unflag(given) == unflag(name)), None)
        if text is not None:
            others = {given: old for given, old in inside.items() if given != written}
            value = _options(game, {**others, name: text})[unflag(name)]
        elif written is None:
            _check_option(game, name)
        name = written or flag(unflag(name))
    elif text is not None:
        value = _value(name, text)
    elif name not in values:
        check_key(name)
    os.makedirs(os.path.dirname(config_file()), exist_ok=True)
    write_whole(config_file(), _edited(section, name, value).encode())


# The file.


def _file_text() -> str:
    try:
        with open(config_file(), encoding="utf-8", newline="") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def _read() -> dict[str, Any]:
    text = _file_text()
    if not text.strip():
        return {}
    import tomllib

    return tomllib.loads(text)


def _edited(section: str, name: str, value: str | bool | None) -> str:
    """Return the text of the file with one value set, or removed if it is None."""
    import tomlkit  # slow to load

    try:
        document = tomlkit.parse(_file_text())
        if section and section not in document and value is not None:
            document[section] = tomlkit.table()
        table: Any = document.get(section, {}) if section else document
        if value is None:
            table.pop(name, None)
        else:
            is_number = isinstance(value, str) and re.fullmatch("0|[1-9][0-9]{0,17}", value)
            table[name] = int(value) if is_number else value
        return document.as_string()
    except tomlkit.exceptions.TOMLKitError:
        raise BadOptions(f"{config_file()} is too intricate for this command; use an editor") from None


def _line_of(*path: str) -> int | None:
    """Return the line of a key or section in the file, None if it can't be found."""
    import tomlkit

    mark = "the line to find"  # added as a comment, because tomlkit has no positions
    try:
        item: Any = tomlkit.parse(_file_text())
        document = item
        for key in path:
            item = item[key]
        item = item[0] if isinstance(item, tomlkit.items.AoT) else item
        rows = 0 if isinstance(item, tomlkit.items.Table) else item.as_string().count("\n")
        item.comment(mark)
        lines = document.as_string().splitlines()
    except (ValueError, LookupError, AttributeError, tomlkit.exceptions.TOMLKitError):
        return None
    return next((number - rows for number, line in enumerate(lines, 1) if line.endswith(mark)), None)


def reason_of(error: OSError | ValueError) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "this is not text in UTF-8"
    if isinstance(error, OSError):
        return f"it cannot be read: {error.strerror}"
    message = cleaned(str(error))
    return f"this is not TOML: {message[:1].lower()}{message[1:]}"


# Keys and values.


def check_key(key: str) -> None:
    if key in catalog.keys():
        option = flag(next(iter(declared(catalog.find_game(key).options))))
        raise BadOptions(f"{key!r} is a game; name one of its options, like {key}.{option}")
    if key not in KEYS:
        suggestion = did_you_mean(nearest(key, [*KEYS, *catalog.keys()]))
        raise BadOptions(f"unknown key {clip(key)!r}{suggestion}; known keys: {', '.join(KEYS)}, and GAME.OPTION")


def _value(key: str, value: object) -> str | bool:
    """Return the value of a key. Raises BadOptions, BadName or UnknownPlayer if it is invalid."""
    check_key(key)
    valid: str | bool = KEYS[key]["read"](text_of(value))
    return valid


def text_of(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _is_section_of(title: str, game: str) -> bool:
    try:
        return title not in KEYS and catalog.find_key(title) == game
    except ParlourError:
        return False


def _not_a_section(game: str) -> BadOptions:
    return BadOptions(f"the options of this game belong in one section with single brackets: [{game}]")


def _options(game: str, given: Mapping[str, object]) -> dict[str, str]:
    """Return the texts of a game's options. Raises BadOptions if they are invalid, alone or together."""
    texts = {unflag(name): _option(game, name, value) for name, value in given.items()}
    rules_of(game, **texts)
    return texts


def _option(game: str, name: str, value: object) -> str:
    """Return the text of one option. Raises BadOptions if it is invalid."""
    if isinstance(value, bool | float | dict):
        raise BadOptions(f"bad {flag(name)} {clip(str(value))!r}; give a number, a text or several numbers")
    options = catalog.find_game(game).options
    given: dict[str, Any] = {unflag(name): value}
    return show_options(read_options(options, given))[unflag(name)]


def _check_option(game: str, name: str) -> None:
    if unflag(name) not in declared(catalog.find_game(game).options):
        _option(game, name, "")  # raises BadOptions with the known names
