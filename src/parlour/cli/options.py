"""Options, arguments and completions that commands share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

import click

from parlour import catalog, players, saves
from parlour.errors import UnknownGame
from parlour.game import Game
from parlour.installation import install_command
from parlour.match import Match
from parlour.options import declared, flag, show_options
from parlour.players import HUMAN
from parlour.text import clip, did_you_mean, nearest

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from click.shell_completion import CompletionItem

T = TypeVar("T")

HELP = {"help_option_names": ["-h", "--help"]}
CLUSTER_HELP = "run on the Dask cluster at this address; local starts one on this machine"
MAX_COMPLETED = 50  # saved games that completion offers


class GameCommands(click.Group):
    """A group with a subcommand for each game. A unique part of a key is enough, and options may precede the game."""

    def __init__(self, name: str, make: Callable[[Game], click.Command], help: str) -> None:
        super().__init__(
            name,
            options_metavar=None,
            subcommand_metavar="GAME [OPTIONS]...",
            context_settings=HELP,
            help=help,
            epilog=f"The options of a game: parlour {name} GAME --help",
        )
        self._make = make

    def list_commands(self, context: click.Context) -> list[str]:
        return list(catalog.keys())

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        return self._make(catalog.find_game(name))

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            key = catalog.find_key(args[0])
        except UnknownGame as error:
            if context.resilient_parsing:  # shell completion
                return None, None, []
            raise click.UsageError(str(error), context) from None
        return key, self.get_command(context, key), args[1:]

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Games"):
            formatter.write_dl(game_summaries())

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        if args and args[0].startswith("-") and not context.resilient_parsing:
            args = self._with_game_first(context, args)
        return super().parse_args(context, args)

    def _with_game_first(self, context: click.Context, args: list[str]) -> list[str]:
        """Return the arguments with the game before the options.

        Raises UsageError if there is no game, or if no game has one of the options before it.
        """
        commands = [self.get_command(context, key) for key in self.list_commands(context)]
        parameters = [parameter for command in commands if command for parameter in command.params]
        options = {name: option for option in parameters if isinstance(option, click.Option) for name in option.opts}
        own = {name for parameter in self.params for name in parameter.opts}
        index = 0
        while index < len(args) and args[index].startswith("-"):
            name, equals, _ = args[index].partition("=")
            if name in HELP["help_option_names"]:
                return [name]
            if name in own:
                return args
            if name not in options:
                suggestion = did_you_mean(nearest(name, options))
                raise click.UsageError(f"there is no option {clip(name)!r}{suggestion}", context)
            index += 1 if equals or options[name].is_flag else 2
        if index >= len(args):
            games = ", ".join(catalog.keys())
            raise click.UsageError(f"which game? {context.command_path} GAME takes one of: {games}", context)
        return [args[index], *args[:index], *args[index + 1 :]]


def game_argument(function: Callable[..., T]) -> Callable[..., T]:
    """Add the argument GAME to a command; if it is missing, the command lists the games and exits."""
    return click.argument("game", metavar="GAME", required=False, callback=_require_game, shell_complete=complete_game)(
        function
    )


def _require_game(context: click.Context, parameter: click.Parameter, game: str | None) -> str | None:
    if game is None and not context.resilient_parsing:
        formatter = context.make_formatter()
        formatter.write(f"Which game? For example: {context.command_path} {catalog.keys()[0]}\n\n")
        formatter.indent()
        formatter.write_dl(game_summaries())
        click.echo(formatter.getvalue(), nl=False, err=True)
        context.exit(2)
    return game


def game_summaries() -> list[tuple[str, str]]:
    """Return the key and the summary of every game."""
    return [(game.key, game.content.summary) for game in catalog.list_games()]


def game_options(game: Game) -> list[click.Option]:
    """Return the options of a game as options of a command."""
    options = []
    defaults = show_options(game.defaults)
    for name, kind in declared(game.options).items():
        default = f"  [{kind.allowed}; default: {defaults[name]}]" if defaults[name] else f"  [{kind.allowed}]"
        options.append(click.Option([f"--{flag(name)}", f"option_{name}"], metavar="X", help=kind.help + default))
    return options


def seconds_option(default: float, text: str) -> click.Option:
    """Return the option for a command's time limit."""
    return click.Option(["--seconds"], type=click.FloatRange(0), default=default, show_default=True, help=text)


def chosen_texts(given: Mapping[str, str | None]) -> dict[str, str]:
    """Return the game options on the command line, as text by name."""
    options = {name.removeprefix("option_"): text for name, text in given.items() if name.startswith("option_")}
    return {name: text for name, text in options.items() if text is not None}


def complete_game(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the key of a game."""
    return [_completion(key) for key in catalog.keys() if key.startswith(incomplete)]


def complete_saved(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the ID of a saved game, the newest first."""
    with suppress(OSError):
        numbers = (number for number in reversed(saves.numbers()) if str(number).startswith(incomplete))
        return _completions((number, _match(number)) for number in numbers)
    return []


def complete_unfinished(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the ID of an unfinished game."""
    with suppress(OSError):
        return _completions(
            (number, match) for number, match in saves.unfinished() if str(number).startswith(incomplete)
        )
    return []


def complete_player(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete a player, up to the colon if a number or a command follows."""
    names = {HUMAN: "a person at this keyboard"}
    for kind in players.list_player_kinds():
        names[f"{kind.name}:" if kind.is_open else kind.word] = kind.about
    return [_completion(name, help=about) for name, about in names.items() if name.startswith(incomplete)]


def complete_players(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the last player of a comma-separated list."""
    before, comma, last = incomplete.rpartition(",")
    chosen = before.split(",")
    return [
        _completion(f"{before}{comma}{item.value}", help=item.help)
        for item in complete_player(context, parameter, last)
        if item.value != HUMAN and item.value not in chosen
    ]


def _completion(value: str, help: str | None = None) -> CompletionItem:
    from click.shell_completion import CompletionItem  # only needed for completion

    return CompletionItem(value, help=help)


def _match(number: int) -> Match | None:
    try:
        return saves.load(number)
    except (ValueError, OSError):
        return None


def _completions(games: Iterable[tuple[int, Match | None]]) -> list[CompletionItem]:
    items = []
    for number, match in islice(games, MAX_COMPLETED):
        about = "damaged" if match is None else f"{match.game.title}, {' - '.join(match.names)}: {match.standing}"
        items.append(_completion(str(number), help=about))
    return items


def url_of(database: str) -> str:
    """Return the URL of a database, given as a URL or an SQLite file."""
    return database if "://" in database else f"sqlite:///{database}"


def needs_web(missing: ModuleNotFoundError) -> click.ClickException:
    """Return the error for a command that needs the extra ``web``."""
    return click.ClickException(f"this needs {missing.name}; install it with: {install_command('web')}")


@contextmanager
def chosen_executor(cluster: str | None, jobs: int) -> Iterator[tuple[Executor | None, int]]:
    """Yield the executor of a command and its number of workers; warn if the cluster is unprotected."""
    from parlour.parallel import ProcessExecutor, dask_executor, is_unprotected

    if cluster is not None:
        with dask_executor(cluster, jobs) as chosen:
            if is_unprotected(cluster):
                click.echo(
                    f"parlour: the cluster at {cluster} is not protected: anyone who can reach it can run programs on "
                    "its machines; use a tls:// address, which requires a certificate",
                    err=True,
                )
            yield chosen
    elif jobs == 1:
        yield None, 1
    else:
        with ProcessExecutor(jobs) as executor:
            yield executor, jobs
