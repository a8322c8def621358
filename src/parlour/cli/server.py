"""The commands ``serve``, ``backup``, ``check`` and ``salvage``."""

from __future__ import annotations

import gc
import logging
import os
import socket
import sys
import threading
import time
from contextlib import ExitStack, closing, suppress
from itertools import takewhile
from typing import TYPE_CHECKING

import click

from parlour import record, saves
from parlour.cli.options import needs_web, url_of
from parlour.documents.saved import Examination, Problem
from parlour.errors import BadRecord
from parlour.files import make_private, state_folder
from parlour.installation import install_command, make_command, own_command
from parlour.limit import Limit
from parlour.text import counted
from parlour.writer import write_json

if TYPE_CHECKING:
    import uvicorn
    from fastapi import FastAPI


MAX_OPEN_FILES = 20_000  # files and connections of this process
SPARE_FILES = 200  # open files reserved for other than connections
ACCEPT_BATCH = 5  # connections accepted before other work continues
BACKLOG = 1000  # connections that the system queues
MAX_MATCHES = 100_000
IGNORED_LOG_ENTRIES = (  # about malformed requests
    "Invalid UTF-8 sequence received",
    "Invalid HTTP request received",
    "Unsupported upgrade request",
    "No supported WebSocket library detected",
)
PLAIN_HTTP = (
    "This is plain http: others on the network can read and change what is sent. "
    "Beyond your own network, put a web server with https in front."
)
ENDING_SECONDS = 0.7  # time for connections to end at shutdown


@click.command("serve")
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="address to listen at; 0.0.0.0 lets other devices on your network connect",
)
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0: any free port")
@click.option(
    "--database",
    metavar="URL",
    envvar="PARLOUR_DATABASE",
    show_envvar=True,
    help="where to store matches: sqlite:///FILE or postgresql://USER@HOST/NAME; by default your own SQLite file",
)
@click.option(
    "--matches",
    type=click.IntRange(1),
    metavar="NUMBER",
    default=MAX_MATCHES,
    show_default=True,
    help="maximum number of stored matches; when it is reached, new ones are refused",
)
@click.option("--unlimited", is_flag=True, help="no rate limits, for private servers and load tests")
@click.option("--metrics", is_flag=True, help="Prometheus metrics at /metrics, only for programs on this machine")
@click.option(
    "--log",
    type=click.Choice(["plain", "json"]),
    default="plain",
    show_default=True,
    help="format of the log on stderr; json also logs every request",
)
@click.option(
    "--drain",
    type=click.FloatRange(0, 600),
    default=0,
    metavar="SECONDS",
    help="on shutdown, answer /ready with 503 and keep serving for this time, so that proxies drain",
)
@click.option(
    "--cold",
    is_flag=True,
    envvar="PARLOUR_COLD",
    help="do not warm up the solver at start",
)
@click.option(
    "--no-offline",
    is_flag=True,
    help="do not store the page in browsers for offline use; remove stored copies",
)
def serve_command(
    host: str,
    port: int,
    database: str | None,
    matches: int,
    unlimited: bool,
    metrics: bool,
    log: str,
    drain: float,
    cold: bool,
    no_offline: bool,
) -> int:
    """Serve the games as a web page.

    Play a friend by link, play the computer, study any position.
    """
    try:
        import uvicorn

        from parlour.store import open_store
        from parlour.web.app import ServerSettings, make_app
        from parlour.web.connections import Connections, protocols_for
        from parlour.web.costs import Rates
        from parlour.web.logs import JSON_LOG, PLAIN_LOG
    except ModuleNotFoundError as missing:
        make = make_command("serve")
        how = f"start it with: {make}" if make else f"install it with: {install_command('web')}"
        raise click.ClickException(f"the page needs {missing.name}; {how}") from None
    sys.setswitchinterval(0.001)  # seconds; requests must not wait for a thread that reads a long match
    most = _raise_limit()
    with _listen(host, port) as listening:
        store = open_store(database or default_database())
        settings = ServerSettings(
            rates=None if unlimited else Rates(),
            most_matches=matches,
            most_open=most and most * 9 // 10,  # refuse with JSON before uvicorn refuses
            warm=not cold,
            metrics=metrics,
            log_requests=log == "json",
            offline=not no_offline,
        )
        app = make_app(store, settings)
        connections = Connections(app.state.budgets, most, _trusted())
        config = uvicorn.Config(
            app,
            **protocols_for(connections),
            backlog=ACCEPT_BATCH,
            log_level=None if log == "json" else "warning",
            log_config=JSON_LOG if log == "json" else PLAIN_LOG,
            access_log=False,
            timeout_graceful_shutdown=ENDING_SECONDS,  # type: ignore[arg-type]  # fractions work
            ws_max_size=4096,
            ws_per_message_deflate=False,  # states are small, a compressor per page is large
            server_header=False,
            forwarded_allow_ips=_trusted(),
        )
        logging.getLogger("uvicorn.error").addFilter(_is_logged)
        try:
            _server(config, app, drain, _greeting(listening)).run(sockets=[listening])
        except KeyboardInterrupt:
            if log == "plain":
                click.echo("", err=True)
    _leave_threads()
    return 0


def _is_logged(entry: logging.LogRecord) -> bool:
    """Return whether to log a message of uvicorn; messages about malformed requests are dropped."""
    return not entry.getMessage().startswith(IGNORED_LOG_ENTRIES)


def _raise_limit() -> int | None:
    """Raise the limit of open files; return the maximum number of connections, None if unknown."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MAX_OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, MAX_OPEN_FILES)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return max(most - SPARE_FILES, most // 2)


def default_database() -> str:
    """Return the URL of the private database next to the saved games."""
    path = os.path.join(state_folder(), "web.sqlite3")
    for existing in filter(os.path.exists, (path, f"{path}-wal", f"{path}-shm")):
        make_private(existing)
    return f"sqlite:///{path}"


def _listen(host: str, port: int) -> socket.socket:
    """Return a socket bound to the address. It doesn't listen yet, so that proxies don't wait for the server.

    Raises ClickException if the address is not available.
    """
    try:
        # asyncio disables Nagle's algorithm, which delays every answer by 40 ms, only if the protocol is given as TCP.
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP
        )[0]
        listening = socket.socket(family, kind, protocol)
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(address)
        except BaseException:
            listening.close()
            raise
        return listening
    except OSError as error:
        raise _cannot_listen(error, host, port) from None


def _cannot_listen(error: OSError, host: str, port: int) -> click.ClickException:
    reason = (error.strerror or str(error)).lower()
    return click.ClickException(f"cannot listen at {host} port {port}: {reason}; try --port 0")


def _greeting(listening: socket.socket) -> str:
    """Return the message that is printed when the server is ready."""
    host, port = listening.getsockname()[:2]
    shown = _network_address() if host in ("0.0.0.0", "::") else host
    greeting = f"Parlour is open at http://{f'[{shown}]' if ':' in shown else shown}:{port}/ (Ctrl-C closes it)"
    if _is_loopback(host):
        return greeting
    return f"{greeting}\n{PLAIN_HTTP}"


def _is_loopback(host: str) -> bool:
    return host == "::1" or host.startswith("127.")


def _network_address() -> str:
    """Return the address of this machine in its network, for phones; the host name if there is none.

    Connecting a UDP socket sends nothing: the system only chooses the interface.
    """
    for family, elsewhere in (
        (socket.AF_INET, "192.0.2.1"),
        (socket.AF_INET6, "2001:db8::1"),
    ):  # unused networks
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asked:
            asked.connect((elsewhere, 9))
            address: str = asked.getsockname()[0]
            if not _is_loopback(address):
                return address
    return socket.gethostname()


def _trusted() -> list[str]:
    """Return the addresses and networks whose X-Forwarded-For is trusted.

    IPv4 addresses are listed twice, because they look different at an IPv6 socket.
    """
    listed = os.environ.get("FORWARDED_ALLOW_IPS", "127.0.0.1,::1")
    addresses = [address.strip() for address in listed.split(",")]
    return [*addresses, *(_mapped(address) for address in addresses if "." in address)]


def _mapped(address: str) -> str:
    """Return an IPv4 address or network as IPv6: ``::ffff:10.0.0.0/104`` for ``10.0.0.0/8``."""
    host, slash, bits = address.partition("/")
    return f"::ffff:{host}/{96 + int(bits)}" if slash and bits.isdecimal() else f"::ffff:{address}"


def _leave_threads() -> None:
    """Exit now if a thread hangs on an unresponsive database, because Python would wait for the thread."""
    for thread in threading.enumerate():
        if thread is not threading.current_thread():
            thread.join(0.1)
            if thread.is_alive():
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(0)


def _server(config: uvicorn.Config, app: FastAPI, drain: float, greeting: str) -> uvicorn.Server:
    import asyncio

    import uvicorn

    class DrainingServer(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            try:
                await super().startup(sockets)
            except OSError as error:  # another program has started to listen there
                raise _cannot_listen(error, *(sockets or [])[0].getsockname()[:2]) from None
            if self.started:
                for listening in sockets or []:
                    listening.listen(BACKLOG)  # asyncio uses the same number for this and the batch
                gc.collect()
                gc.freeze()  # full collections would delay all requests
                click.echo(greeting)
                _notify_systemd("READY=1")

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            app.state.readiness.closing = True
            _notify_systemd("STOPPING=1")
            end = time.monotonic() + drain
            while time.monotonic() < end and not self.force_exit:  # True after a second Ctrl-C
                await asyncio.sleep(0.1)
            for server in self.servers:
                server.close()  # first, because disconnected clients reconnect immediately
            await app.state.close_doors()
            await super().shutdown(sockets)

    return DrainingServer(config)


def _notify_systemd(state: str) -> None:
    """Send the state to systemd if it started this process and expects it."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if address:
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
            notify.sendto(state.encode(), f"\0{address[1:]}" if address[0] == "@" else address)


@click.command("backup")
@click.option(
    "--database",
    metavar="URL",
    envvar="PARLOUR_DATABASE",
    show_envvar=True,
    help="database: a URL as for parlour serve, or an SQLite file; by default your own",
)
@click.argument("file", metavar="FILE")
def backup_command(database: str | None, file: str) -> None:
    """Back up the matches of a server to a new FILE, even while it runs."""
    try:
        from parlour.store import back_up
    except ModuleNotFoundError as missing:
        raise needs_web(missing) from None
    count = back_up(url_of(database) if database else default_database(), file)
    click.echo(f"{counted(count, 'match', 'matches')} copied to {file}")


@click.command("check")
@click.argument("database", metavar="[URL|FILE]", required=False)
@click.option(
    "--seconds",
    type=click.FloatRange(0),
    help="time limit; shows what was found by then  [default: none]",
)
@click.option("--json", "as_json", is_flag=True, help="one JSON document, for programs")
def check_command(database: str | None, seconds: float | None, as_json: bool) -> int:
    """Check your saved games, or a server's database, for damage.

    Name a database by its URL or as an SQLite FILE; a database of an earlier version is upgraded first.

    Each problem is one line. The exit code is 1 if there are problems or if time ran out.
    """
    limit = Limit(seconds)
    found = _examine_games(limit) if database is None else _examine_database(database, limit)
    if as_json:
        click.echo(write_json(found, indent=2))
    else:
        for problem in found.problems:
            click.echo(f"{problem.where}: {problem.what}")
        things = counted(found.count, "saved game") if database is None else counted(found.count, "match", "matches")
        unsealed = f"; {found.unsealed:,} of an earlier version, not sealed yet" if found.unsealed else ""
        click.echo(f"{things} examined, {counted(len(found.problems), 'problem')} found{unsealed}")
    if found.left:
        click.echo(
            f"parlour: {seconds:g} seconds were not enough for {found.left:,} more; --seconds allows more", err=True
        )
    return 1 if found.problems or found.left else 0


@click.command("salvage")
@click.argument("damaged", metavar="URL|FILE|ID")
@click.argument("new", metavar="[NEW]", required=False)
def salvage_command(damaged: str, new: str | None) -> int:
    """Recover the intact part of a damaged database or saved game.

    Copies the matches of the database at URL, or in the SQLite FILE, to NEW, each up to its damage. NEW is a new file
    or the URL of an empty database.

    With the ID of a saved game, saves its part before the damage as a new game. The original is never changed.
    """
    if new is None:
        if not damaged.isdigit():
            raise click.UsageError(f"name the new database: {own_command()} salvage DATABASE NEW")
        return _salvage_game(damaged)
    return _salvage_database(damaged, new)


def _examine_games(limit: Limit) -> Examination:
    games = list(takewhile(lambda _: not limit.time_is_up, saves.all_games()))
    problems = [
        Problem(where=f"game {number}", what=str(match))
        for number, match in reversed(games)
        if isinstance(match, BadRecord)
    ]
    return Examination(count=len(games), left=len(saves.numbers()) - len(games), unsealed=0, problems=problems)


def _examine_database(database: str, limit: Limit) -> Examination:
    try:
        from parlour.service.examination import examine
        from parlour.store import open_existing
    except ModuleNotFoundError as missing:
        raise needs_web(missing) from None
    with closing(open_existing(url_of(database))) as store:
        return examine(store, limit)


def _salvage_game(word: str) -> int:
    number = saves.find(word)
    with open(saves.path_of(number), "rb") as file:
        data = saves.complete_lines(file.read())
    match, damage = record.read_beginning(data.decode(errors="replace"))
    if damage is None:
        click.echo(f"game {number} is not damaged")
        return 0
    added = saves.add(match)
    click.echo(f"game {number} is damaged: {damage}")
    click.echo(
        f"Saved up to there as game {added}: {match.game.title}, {match.standing}, {counted(len(match.log), 'line')}."
    )
    return 0


def _salvage_database(damaged: str, new: str) -> int:
    try:
        from parlour.service.examination import salvage
        from parlour.store import new_file, open_existing, open_store
        from parlour.store.errors import BadDatabase
    except ModuleNotFoundError as missing:
        raise needs_web(missing) from None
    whole = cut = lost = 0
    with ExitStack() as ending:
        old = ending.enter_context(closing(open_existing(url_of(damaged))))
        url = url_of(ending.enter_context(new_file(new))) if "://" not in new else new
        copy = ending.enter_context(closing(open_store(url)))
        if copy.count():
            raise BadDatabase("the new database already has matches; it has to be empty")
        for id, lines, damage in salvage(old, copy):
            if damage is None:
                whole += 1
                continue
            cut, lost = cut + (lines is not None), lost + (lines is None)
            copied = "nothing could be copied" if lines is None else f"copied up to line {lines}"
            click.echo(f"match {id}: {damage}; {copied}")
    click.echo(f"{counted(whole, 'match', 'matches')} copied whole, {cut:,} up to the damage, {lost:,} lost")
    return 1 if lost else 0
