"""What somebody has set up for all their games: a small TOML file, and ``parlour config``, which shows and sets it.

::

    name = "Ann"
    opponent = "level:2"

    [double-up]
    limit = 50

The file is for people: it counts at a terminal, and whatever is said on the command line counts more. A program that
plays through a pipe gets the same game everywhere. Nothing in the file can keep a game from being played: what is wrong
is said in one line and left out.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import click

from parlour import catalog, players
from parlour.errors import BadOptions, ParlourError
from parlour.folders import config_file
from parlour.match import DEFAULT_NAMES, check_new_name
from parlour.options import declared, flag, read_options, show_options, unflag
from parlour.rules import rules_of
from parlour.text import cleaned, clip, did_you_mean, joined, nearest

FIRST = ("1", "2", "toss")  # who begins: you, the other one, a coin


def _name(value: object) -> str:
    text = _text(value)
    check_new_name(text)
    if text == DEFAULT_NAMES[1]:
        raise BadOptions(f"{text!r} is what the other player is called; any other name will do")
    return text


def _friend(value: object) -> str:
    text = _text(value)
    check_new_name(text)
    return text


def _opponent(value: object) -> str:
    text = _text(value)
    players.load(text)
    return text


def _first(value: object) -> str:
    text = _text(value)
    if text not in FIRST:
        raise BadOptions(
            f"bad first {clip(text)!r}{did_you_mean(nearest(text, FIRST))}; allowed: {joined(FIRST, 'or')}"
        )
    return text


def _plain(value: object) -> bool:
    switch = {"true": True, "false": False, "yes": True, "no": False}.get(_text(value).lower())
    if switch is None:
        raise BadOptions(f"bad plain {clip(_text(value))!r}; allowed: true or false")
    return switch


def _server(value: object) -> str:
    text = _text(value).rstrip("/")
    if not text.startswith(("http://", "https://")) or not text.isprintable() or " " in text:
        raise BadOptions(f"bad server {clip(text)!r}; an address is needed, like https://parlour.example")
    return text


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


# Key: how its value is read, and what it is for.
KEYS: dict[str, tuple[Callable[[object], str | bool], str]] = {
    "name": (_name, "what you are called"),
    "friend": (_friend, "what whoever plays with you at this keyboard is called"),
    "opponent": (_opponent, "who plays as Player 2: human, random, level:2, perfect ..."),
    "first": (_first, "who begins: 1 for you, 2 for the other player, or toss"),
    "plain": (_plain, "true: nothing on the screen is drawn over"),
    "server": (_server, "where parlour invite makes matches"),
}


@dataclass
class Preferences:
    """What the file says, without what is wrong in it."""

    name: str | None = None
    friend: str | None = None
    opponent: str | None = None
    first: str | None = None
    plain: bool | None = None
    server: str | None = None
    options: dict[str, dict[str, str]] = field(default_factory=dict)  # by game: the texts of those that are given
    complaints: list[str] = field(default_factory=list)  # a line for each thing that is wrong

    def defaults_for(self, key: str) -> dict[str, Any]:
        """What ``parlour play`` takes for this game where the command line says nothing, by click's own names."""
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
        """Say what is wrong, each in one line, on standard error."""
        for line in self.complaints:
            click.echo(f"parlour: {line}", err=True)


def load() -> Preferences:
    """The preferences of whoever plays here. Nobody waits for what is not there: without a file nothing is loaded."""
    found = Preferences()
    try:
        values = _read()
    except (OSError, ValueError) as error:
        found.complaints.append(f"{config_file()}: {_reason(error)}; it is not used")
        return found
    for key, value in values.items():
        try:
            if isinstance(value, dict):
                game = _game_key(key)
                found.options[game] = _options(game, _readable(found, game, key, value))
            else:
                setattr(found, _known(key), KEYS[key][0](value))
        except ParlourError as error:
            _complain(found, key if not isinstance(value, dict) else f"[{key}]", error)
    return found


def _readable(found: Preferences, game: str, section: str, given: dict[str, object]) -> dict[str, object]:
    """Those of a section's options that can be read each by itself; about the others there is a complaint."""
    good = {}
    for name, value in given.items():
        try:
            _read_option(game, name, value)
            good[name] = value
        except ParlourError as error:
            _complain(found, name, error, section)
    return good


def _complain(found: Preferences, key: str, error: ParlourError, section: str = "") -> None:
    where = f"{section}.{clip(key)}" if section else clip(key)
    line = _line_of(key, section)
    found.complaints.append(f"{config_file()}: {f'line {line}, ' if line else ''}{where}: {error}; it is not used")


def keep(key: str, text: str | None) -> None:
    """Set one value, or with None take it away. Everything else in the file stays, comments too.

    BadOptions, BadName or UnknownPlayer if it is not a value of this key; ValueError if the file is no TOML.
    """
    section, _, name = key.rpartition(".")
    values = _read()
    value: object
    if section:
        section, name = _game_key(section), unflag(name)
        inside: dict[str, object] = dict(values.get(section, {}))
        inside = {unflag(given): old for given, old in inside.items() if unflag(given) != name}
        value = None if text is None else _options(section, {**inside, name: text})[name]
        name = flag(name)
    else:
        value = None if text is None else KEYS[_known(name)][0](text)
    _write(_edited(_file_text(), section, name, value))


def remember(key: str, text: str) -> None:
    """Keep what somebody has said once, if it can be kept at all."""
    with suppress(OSError, ValueError):
        keep(key, text)


# What stands in the file.


def _read() -> dict[str, Any]:
    text = _file_text()
    if not text.strip():
        return {}
    import tomllib

    return tomllib.loads(text)


def _file_text() -> str:
    try:
        with open(config_file(), encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def _reason(error: OSError | ValueError) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "this is not text in UTF-8"
    if isinstance(error, OSError):
        return f"it cannot be read: {error.strerror}"
    said = cleaned(str(error))
    return f"this is not TOML: {said[:1].lower()}{said[1:]}"


def _line_of(key: str, section: str) -> int | None:
    """The line of a key, as far as a look at the file tells."""
    lines = _file_text().splitlines()
    if key.startswith("["):
        return _section(lines, key.strip("[]"))[0] or None
    begin, end = _section(lines, section)
    return next((n + 1 for n in range(begin, end) if _key_of(lines[n]) == key), None)


def _known(key: str) -> str:
    if key not in KEYS:
        near = did_you_mean(nearest(key, [*KEYS, *catalog.keys()]))
        raise BadOptions(f"unknown key {clip(key)!r}{near}; known keys: {', '.join(KEYS)}, and GAME.OPTION")
    return key


def _game_key(word: str) -> str:
    return catalog.find_key(word)


def _options(key: str, given: Mapping[str, object]) -> dict[str, str]:
    """The texts of a game's options; BadOptions if there are none such, or they make no game together."""
    texts = {unflag(name): _read_option(key, name, value) for name, value in given.items()}
    rules_of(key, **texts)
    return texts


def _read_option(key: str, name: str, value: object) -> str:
    """The text of one option as its kind writes it; BadOptions if it is none."""
    if isinstance(value, bool | float | dict):
        raise BadOptions(f"bad {flag(name)} {clip(str(value))!r}; a number, a text or several numbers would do")
    options = catalog.find_game(key).options
    given: dict[str, Any] = {unflag(name): value}
    return show_options(read_options(options, given))[unflag(name)]


# Writing it. There is no writer of TOML in the standard library; ours only ever changes one line.


def _edited(text: str, section: str, name: str, value: object) -> str:
    """The text of the file with one value set, or taken away where it is None."""
    lines = text.splitlines()
    begin, end = _section(lines, section)
    at = next((n for n in range(begin, end) if _key_of(lines[n]) in (name, unflag(name))), None)
    new = [] if value is None else [f"{name} = {_toml(value)}"]
    if at is not None:
        lines[at : at + 1] = new
    elif new and section and not begin:
        lines += [*([""] if lines else []), f"[{section}]", *new]
    elif new:
        while end > begin and not lines[end - 1].strip():
            end -= 1
        lines[end:end] = [*new, *([""] if end < len(lines) and lines[end].strip() else [])]
    changed = "".join(f"{line}\n" for line in lines)
    import tomllib

    try:
        tomllib.loads(changed)
    except ValueError:  # a value that goes over several lines
        where = f"{section}.{name}" if section else name
        raise BadOptions(f"{config_file()} is too intricate for this command; set {where} with an editor") from None
    return changed


def _section(lines: list[str], section: str) -> tuple[int, int]:
    """Where the lines of a section begin and end; 0 and the end where it is not there. The first has no name."""
    heads = [n for n, line in enumerate(lines) if line.lstrip().startswith("[")]
    if not section:
        return 0, heads[0] if heads else len(lines)
    for place, head in enumerate(heads):
        if lines[head].partition("#")[0].strip().strip("[]").strip().strip('"') == section:
            return head + 1, heads[place + 1] if place + 1 < len(heads) else len(lines)
    return 0, 0


def _key_of(line: str) -> str:
    return line.partition("=")[0].strip().strip('"')


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    text = str(value)
    if text.isascii() and text.isdigit() and (text == "0" or not text.startswith("0")):
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _write(text: str) -> None:
    """Put the new file in the place of the old one in one step."""
    os.makedirs(os.path.dirname(config_file()), exist_ok=True)
    scratch = f"{config_file()}.{os.getpid()}.new"
    try:
        with open(scratch, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(
            scratch, os.path.realpath(config_file())
        )  # which may be a link into somebody's collection of such files
    finally:
        with suppress(FileNotFoundError):
            os.unlink(scratch)


# The command.


def _complete_key(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    own = [f"{key}.{flag(name)}" for key in catalog.keys() for name in declared(catalog.find_game(key).options)]
    return [key for key in [*KEYS, *own] if key.startswith(incomplete)]


def _complete_value(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    words: dict[str, list[str]] = {
        "opponent": [players.HUMAN, *(kind.word for kind in players.offered())],
        "first": list(FIRST),
        "plain": ["true", "false"],
    }
    return [word for word in words.get(context.params.get("key", ""), []) if word.startswith(incomplete)]


@click.command("config")
@click.argument("key", required=False, shell_complete=_complete_key)
@click.argument("value", required=False, shell_complete=_complete_value)
@click.option("--unset", is_flag=True, help="take the value of KEY away")
def config_command(key: str | None, value: str | None, unset: bool) -> None:
    """Show your preferences, or set KEY to VALUE.

    \b
    They are taken at a terminal where the command line says nothing:
      name          what you are called
      friend        what whoever plays with you at this keyboard is called
      opponent      who plays as Player 2: human, level:2 ...
      first         who begins: 1, 2 or toss
      plain         true: nothing on the screen is drawn over
      server        where parlour invite makes matches
      GAME.OPTION   an option of a game: double-up.limit
    """
    if key is None:
        _show()
        return
    if value is None and not unset:
        found = _settings(load())
        section, _, name = key.rpartition(".")
        full = f"{_game_key(section)}.{flag(unflag(name))}" if section else _known(key)
        click.echo(found.get(full, "not set"))
        return
    if value is not None and unset:
        raise click.UsageError("a value to set and --unset contradict each other; say one of them")
    try:
        keep(key, value)
    except ParlourError:
        raise
    except ValueError as error:
        raise click.ClickException(f"{config_file()}: {_reason(error)}; put that right first, with an editor") from None


def _show() -> None:
    found = load()
    settings = _settings(found)
    there = "" if os.path.exists(config_file()) else " (not there yet)"
    click.echo(f"{config_file()}{there}")
    for key, value in settings.items():
        click.echo(f"  {key} = {value}")
    if not settings:
        click.echo("  Nothing is set. For example: parlour config name Ann")
    found.complain()


def _settings(found: Preferences) -> dict[str, str]:
    own = {key: getattr(found, key) for key in KEYS}
    shown = {key: _text(value) for key, value in own.items() if value is not None}
    for key, texts in found.options.items():
        shown |= {f"{key}.{flag(name)}": text for name, text in texts.items()}
    return shown
