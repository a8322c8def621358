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

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from click.shell_completion import CompletionItem


T = TypeVar("T")

HELP = {"help_option_names": ["-h", "--help"]}
CLUSTER_HELP = "the address of a Dask cluster that does the work, or local to start one here"


class GameCommands(click.Group):
    """One sub-command for each game; a game is called by its key or an unambiguous part of it."""

    def __init__(self, name: str, make: Callable[[Game], click.Command], help: str) -> None:
        super().__init__(name, subcommand_metavar="GAME [OPTIONS]...", context_settings=HELP, help=help)
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
            if context.resilient_parsing:  # somebody asks for completions
                return None, None, []
            raise click.UsageError(str(error), context) from None
        return key, self.get_command(context, key), args[1:]

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        list_in_full(self, context, formatter, "Games")

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(context, args)
        except click.NoSuchOption as error:
            raise click.UsageError(
                f"options go after the game: {context.command_path} GAME {error.option_name}", context
            ) from None


def game_argument(function: Callable[..., T]) -> Callable[..., T]:
    """Declare the argument GAME of a command; without it the command is refused with a list of the games."""
    return click.argument("game", metavar="GAME", required=False, callback=_check_given, shell_complete=complete_game)(
        function
    )


def _check_given(context: click.Context, parameter: click.Parameter, game: str | None) -> str | None:
    if game is None and not context.resilient_parsing:
        raise click.UsageError(f"which game? {context.command_path} {one_of_the_games()}", context)
    return game


def one_of_the_games() -> str:
    return f"GAME takes one of: {', '.join(catalog.keys())}"


def list_in_full(
    group: click.Group, context: click.Context, formatter: click.HelpFormatter, title: str = "Commands"
) -> None:
    """The commands of a group with a whole sentence each; click would cut them off at the end of the line."""
    found = ((name, group.get_command(context, name)) for name in group.list_commands(context))
    rows = [(name, command.get_short_help_str(limit=1000)) for name, command in found if command is not None]
    with formatter.section(title):
        formatter.write_dl(rows)


def game_options(game: Game) -> list[click.Option]:
    """The game's own options, as the command line takes them."""
    options = []
    defaults = show_options(game.defaults)
    for name, kind in declared(game.options).items():
        default = f"  [{kind.allowed}; default: {defaults[name]}]" if defaults[name] else f"  [{kind.allowed}]"
        options.append(click.Option([f"--{flag(name)}", f"option_{name}"], metavar="X", help=kind.help + default))
    return options


def seconds_option(default: float, text: str) -> click.Option:
    """An option that bounds how long a command may take."""
    return click.Option(["--seconds"], type=click.FloatRange(0), default=default, show_default=True, help=text)


def chosen_texts(given: Mapping[str, str | None]) -> dict[str, str]:
    """Which of the game's own options were given, as text."""
    options = {name.removeprefix("option_"): text for name, text in given.items() if name.startswith("option_")}
    return {name: text for name, text in options.items() if text is not None}


MOST_COMPLETED = 50  # kept games, the newest


def complete_game(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The games there are."""
    return [_completion(key) for key in catalog.keys() if key.startswith(incomplete)]


def complete_kept(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The numbers of the kept games, the newest first, each with what it is."""
    with suppress(OSError):
        numbers = (number for number in reversed(saves.numbers()) if str(number).startswith(incomplete))
        return _completions((number, _match(number)) for number in numbers)
    return []


def complete_unfinished(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The same of those that are not over."""
    with suppress(OSError):
        return _completions(
            (number, match) for number, match in saves.unfinished() if str(number).startswith(incomplete)
        )
    return []


def complete_player(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The words of players; where a number or a command is to follow, up to the colon."""
    words = {HUMAN: "whoever sits at this keyboard"}
    for kind in players.list_player_kinds():
        words[f"{kind.name}:" if kind.is_open else kind.word] = kind.about
    return [_completion(word, help=about) for word, about in words.items() if word.startswith(incomplete)]


def complete_players(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The same for a list with commas, whose last word is being typed."""
    before, comma, last = incomplete.rpartition(",")
    chosen = before.split(",")
    found = complete_player(context, parameter, last)
    return [
        _completion(f"{before}{comma}{item.value}", help=item.help) for item in found
        if item.value != HUMAN and item.value not in chosen
    ]  # fmt: skip


def _completion(value: str, help: str | None = None) -> CompletionItem:
    from click.shell_completion import CompletionItem  # the first prompt does not wait for it

    return CompletionItem(value, help=help)


def _match(number: int) -> Match | None:
    try:
        return saves.load(number)
    except (ValueError, OSError):
        return None


def _completions(found: Iterable[tuple[int, Match | None]]) -> list[CompletionItem]:
    items = []
    for number, match in islice(found, MOST_COMPLETED):
        told = "damaged" if match is None else f"{match.game.title}, {' - '.join(match.names)}: {match.standing}"
        items.append(_completion(str(number), help=told))
    return items


def url_of(database: str) -> str:
    """The URL of a database; what is no URL is the name of a file of SQLite."""
    return database if "://" in database else f"sqlite:///{database}"


def needs_web(missing: ModuleNotFoundError) -> click.ClickException:
    """What to say where the extra is not installed that databases need."""
    return click.ClickException(f"this needs {missing.name}; install it with: {install_command('web')}")


@contextmanager
def chosen_executor(cluster: str | None, jobs: int) -> Iterator[tuple[Executor | None, int]]:
    """Yield the executor of a command and its number of workers, with a warning if others could use the cluster."""
    from parlour.parallel import ProcessExecutor, dask_executor, is_unprotected

    if cluster is not None:
        with dask_executor(cluster, jobs) as chosen:
            if is_unprotected(cluster):
                click.echo(
                    f"parlour: the cluster at {cluster} is not protected: everyone who reaches it can run programs on "
                    "its machines; a tls:// address requires a certificate",
                    err=True,
                )
            yield chosen
    elif jobs == 1:
        yield None, 1
    else:
        with ProcessExecutor(jobs) as executor:
            yield executor, jobs
