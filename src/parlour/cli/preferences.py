"""The commands ``config`` and ``completion``, and the user's configuration file."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import click

from parlour import catalog, players
from parlour.errors import BadOptions, ParlourError
from parlour.files import write_whole
from parlour.folders import config_file
from parlour.installation import own_command
from parlour.names import DEFAULT_NAMES, check_new_name
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
            elif key in catalog.keys():
                raise _not_a_section(key)
            else:
                setattr(found, _known(key), KEYS[key][0](value))
        except ParlourError as error:
            _complain(found, "", error, key) if isinstance(value, dict) else _complain(found, key, error)
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
    where = clip(key) if not section else f"{section}.{clip(key)}" if key else f"[{clip(section)}]"
    line = _line_of(*filter(None, (section, key)))
    found.complaints.append(f"{config_file()}: {f'line {line}, ' if line else ''}{where}: {error}; it is not used")


def keep(key: str, text: str | None) -> None:
    """Set one value, or remove it if the text is None. The rest of the file is preserved, comments included.

    Raises:
        BadOptions: the key is unknown, or the text is not a value of it.
        BadName, UnknownPlayer: likewise, for keys that hold a name or a player.
        ValueError: the file is not TOML.
    """
    section, _, name = key.rpartition(".")
    values = _read()
    value: str | bool | None = None
    if section:
        game = _game_key(section)
        section = next((written for written in reversed(values) if _is_key_of(written, game)), game)
        inside = values.get(section, {})
        if not isinstance(inside, dict):
            raise _not_a_section(game)
        written = next((given for given in inside if unflag(given) == unflag(name)), None)
        if text is not None:
            others = {given: old for given, old in inside.items() if given != written}
            value = _options(game, {**others, name: text})[unflag(name)]
        elif written is None and unflag(name) not in declared(catalog.find_game(game).options):
            _read_option(game, name, "")  # refuses the name
        name = written or flag(unflag(name))
    elif text is not None:
        value = KEYS[_known(name)][0](text)
    elif name not in values:
        _known(name)
    _write(_edited(section, name, value))


# What stands in the file.


def _read() -> dict[str, Any]:
    return _parsed(_file_text())


def _parsed(text: str) -> dict[str, Any]:
    if not text.strip():
        return {}
    import tomllib

    return tomllib.loads(text)


def _file_text() -> str:
    try:
        with open(config_file(), encoding="utf-8", newline="") as file:
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


def _line_of(*path: str) -> int | None:
    """Return the line of a key or section in the file, None if it can't be found."""
    import tomlkit

    mark = "the line that is looked for"
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


def _known(key: str) -> str:
    if key in catalog.keys():
        option = flag(next(iter(declared(catalog.find_game(key).options))))
        raise BadOptions(f"{key!r} is a game; name one of its options, like {key}.{option}")
    if key not in KEYS:
        near = did_you_mean(nearest(key, [*KEYS, *catalog.keys()]))
        raise BadOptions(f"unknown key {clip(key)!r}{near}; known keys: {', '.join(KEYS)}, and GAME.OPTION")
    return key


def _game_key(word: str) -> str:
    return catalog.find_key(word)


def _is_key_of(word: str, game: str) -> bool:
    """Return whether a top-level key of the file names this game."""
    try:
        return word not in KEYS and _game_key(word) == game
    except ParlourError:
        return False


def _not_a_section(game: str) -> BadOptions:
    return BadOptions(f"the options of this game belong in one section with single brackets: [{game}]")


def _options(key: str, given: Mapping[str, object]) -> dict[str, str]:
    """The texts of a game's options; BadOptions if there are none such, or they make no game together."""
    texts = {unflag(name): _read_option(key, name, value) for name, value in given.items()}
    rules_of(key, **texts)
    return texts


def _read_option(key: str, name: str, value: object) -> str:
    """The text of one option as its kind writes it; BadOptions if it is none."""
    if isinstance(value, bool | float | dict):
        raise BadOptions(f"bad {flag(name)} {clip(str(value))!r}; give a number, a text or several numbers")
    options = catalog.find_game(key).options
    given: dict[str, Any] = {unflag(name): value}
    return show_options(read_options(options, given))[unflag(name)]


# Writing it.


def _edited(section: str, name: str, value: str | bool | None) -> str:
    """Return the text of the file with one value set, or removed if it is None.

    Raises:
        BadOptions: the edit would change more than this value.
    """
    import tomlkit  # slow to import, and only needed here and for complaints

    expected = _read()
    where = f"{section}.{name}" if section else name
    too_intricate = BadOptions(f"{config_file()} is too intricate for this command; set {where} with an editor")
    typed = int(value) if isinstance(value, str) and re.fullmatch("0|[1-9][0-9]{0,17}", value) else value
    try:
        document = tomlkit.parse(_file_text())
        for table in (expected, document):
            if section and section not in table and typed is not None:
                table[section] = {} if table is expected else tomlkit.table()
            place: Any = table.get(section, {}) if section else table
            if typed is not None:
                place[name] = typed
            elif name in place:
                del place[name]
        changed: str = document.as_string()
        if _parsed(changed) != expected:
            raise too_intricate
    except tomlkit.exceptions.TOMLKitError:
        raise too_intricate from None
    return changed


def _write(text: str) -> None:
    os.makedirs(os.path.dirname(config_file()), exist_ok=True)
    write_whole(config_file(), text.encode())


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
        click.echo(f"  Nothing is set. For example: {own_command()} config name Ann")
    found.complain()


def _settings(found: Preferences) -> dict[str, str]:
    own = {key: getattr(found, key) for key in KEYS}
    shown = {key: _text(value) for key, value in own.items() if value is not None}
    for key, texts in found.options.items():
        shown |= {f"{key}.{flag(name)}": text for name, text in texts.items()}
    return shown


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion_command(context: click.Context, shell: str) -> None:
    """Print the completion script for a SHELL.

    \b
    bash: eval "$(parlour completion bash)"        in ~/.bashrc
    zsh:  eval "$(parlour completion zsh)"         in ~/.zshrc
    fish: parlour completion fish | source         in ~/.config/fish/config.fish
    """
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None  # the three shells above are click's own
    click.echo(kind(context.find_root().command, {}, "parlour", "_PARLOUR_COMPLETE").source())
