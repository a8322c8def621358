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
from parlour.documents.checked import Examination, Problem
from parlour.errors import BadRecord
from parlour.folders import make_private, state_folder
from parlour.installation import install_command, make_command, own_command
from parlour.limit import Limit
from parlour.text import counted
from parlour.writer import write_json

if TYPE_CHECKING:
    import uvicorn
    from fastapi import FastAPI


MOST_OPEN_FILES = 20_000  # of this process, its connections included
SPARE_FILES = 200  # of those, that no connection takes
ACCEPTED_AT_ONCE = 5  # connections, before it is somebody else's turn, however many knock
MOST_KNOCKING = 1000  # who wait for that, in the system
MOST_MATCHES = 100_000
NOT_OURS_TO_KNOW = (
    "Invalid UTF-8 sequence received",
    "Invalid HTTP request received",
    "Unsupported upgrade request",
    "No supported WebSocket library detected",
)
PLAIN_HTTP = (
    "It is plain http: everyone on the way can read and change what is sent. "
    "Beyond your own network put a web server with https in front."
)
ENDING_SECONDS = 0.7  # that connections have to end when the server does


@click.command("serve")
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="the address to listen at; 0.0.0.0: every one of this computer, so that phones in your network can join",
)
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0: any that is free")
@click.option(
    "--database",
    metavar="URL",
    envvar="PARLOUR_DATABASE",
    show_envvar=True,
    help="where matches are kept: sqlite:///FILE or postgresql://USER@HOST/NAME; by default a SQLite file of your own",
)
@click.option(
    "--matches",
    type=click.IntRange(1),
    metavar="NUMBER",
    default=MOST_MATCHES,
    show_default=True,
    help="how many to keep at most; then none can be begun until one has expired or is deleted",
)
@click.option("--unlimited", is_flag=True, help="let everybody ask as often as they like: among friends, or to measure")
@click.option("--metrics", is_flag=True, help="numbers for Prometheus at /metrics, for programs on this machine alone")
@click.option(
    "--log",
    type=click.Choice(["plain", "json"]),
    default="plain",
    show_default=True,
    help="how to tell on stderr what goes wrong; json has each request as well, one object a line",
)
@click.option(
    "--drain",
    type=click.FloatRange(0, 600),
    default=0,
    metavar="SECONDS",
    help="when told to end, serve on for so long while /ready says 503, so that a proxy sends nobody new",
)
@click.option(
    "--cold",
    is_flag=True,
    envvar="PARLOUR_COLD",
    help="do not find the first answers about every game before anybody asks for them",
)
@click.option(
    "--no-offline",
    is_flag=True,
    help="let browsers keep nothing with which the page opens without the server, and forget what they have kept",
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
    sys.setswitchinterval(0.001)  # seconds: whoever answers a move does not wait long for who reads a long match
    most = _raise_limit()
    with _listen(host, port) as listening:
        store = open_store(database or default_database())
        # We say that we are busy, in JSON, before uvicorn does.
        settings = ServerSettings(
            rates=None if unlimited else Rates(),
            most_matches=matches,
            most_open=most and most * 9 // 10,
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
            backlog=ACCEPTED_AT_ONCE,
            log_level=None if log == "json" else "warning",
            log_config=JSON_LOG if log == "json" else PLAIN_LOG,
            access_log=False,
            timeout_graceful_shutdown=ENDING_SECONDS,  # type: ignore[arg-type]  # which need not be a whole number
            ws_max_size=4096,
            ws_per_message_deflate=False,  # states are small, and a compressor for each page is not
            server_header=False,
            forwarded_allow_ips=_trusted(),
        )
        logging.getLogger("uvicorn.error").addFilter(_is_ours_to_know)
        try:
            _server(config, app, drain, _greeting(listening)).run(sockets=[listening])
        except KeyboardInterrupt:
            if log == "plain":
                click.echo("", err=True)
    _leave_threads()
    return 0


def _is_ours_to_know(entry: logging.LogRecord) -> bool:
    """Whether an entry of uvicorn's goes into the log: not that somebody sent what is no text, or no request."""
    return not entry.getMessage().startswith(NOT_OURS_TO_KNOW)


def _raise_limit() -> int | None:
    """Allow as many open connections as this process may have; how many to take, so that files can still be opened."""
    try:
        import resource
    except ImportError:  # not on Windows
        return None
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_OPEN_FILES)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return max(most - SPARE_FILES, most // 2)


def default_database() -> str:
    """A file beside the games of the terminal, for nobody else to read."""
    path = os.path.join(state_folder(), "web.sqlite3")
    for existing in filter(os.path.exists, (path, f"{path}-wal", f"{path}-shm")):
        make_private(existing)
    return f"sqlite:///{path}"


def _listen(host: str, port: int) -> socket.socket:
    """Have the address, before anything else is opened; one line if that cannot be done.

    Nobody can connect yet: until the server is ready a proxy is to go elsewhere, and not to wait for it.
    """
    try:
        # Said to be TCP in so many words: otherwise asyncio does not know it is, leaves Nagle's algorithm on, and every
        # answer takes 40 ms.
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
    """Return what is printed when the server is ready."""
    host, port = listening.getsockname()[:2]
    shown = _network_address() if host in ("0.0.0.0", "::") else host
    greeting = f"Parlour is open at http://{f'[{shown}]' if ':' in shown else shown}:{port}/ (Ctrl-C closes it)"
    if _is_loopback(host):
        return greeting
    return f"{greeting}\n{PLAIN_HTTP}"


def _is_loopback(host: str) -> bool:
    return host == "::1" or host.startswith("127.")


def _network_address() -> str:
    """Return the address of this machine in its network, which a phone can open; the host name if there is none.

    To connect a UDP socket sends nothing: the system only chooses the interface that leads there.
    """
    for family, elsewhere in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):  # for documentation
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asked:
            asked.connect((elsewhere, 9))
            address: str = asked.getsockname()[0]
            if not _is_loopback(address):
                return address
    return socket.gethostname()


def _trusted() -> list[str]:
    """Return the addresses and networks from which X-Forwarded-For is believed.

    Those of IPv4 are there twice, for they look different at a socket of IPv6.
    """
    said = os.environ.get("FORWARDED_ALLOW_IPS", "127.0.0.1,::1")
    addresses = [address.strip() for address in said.split(",")]
    return [*addresses, *(_mapped(address) for address in addresses if "." in address)]


def _mapped(address: str) -> str:
    """Return an IPv4 address or network as IPv6 writes it: ``::ffff:10.0.0.0/104`` for ``10.0.0.0/8``."""
    host, slash, bits = address.partition("/")
    return f"::ffff:{host}/{96 + int(bits)}" if slash and bits.isdecimal() else f"::ffff:{address}"


def _leave_threads() -> None:
    """End the process here if a thread waits for a database that does not answer: Python would wait for the thread."""
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
            except OSError as error:  # somebody else was quicker to listen there
                raise _cannot_listen(error, *(sockets or [])[0].getsockname()[:2]) from None
            if self.started:
                for listening in sockets or []:
                    listening.listen(MOST_KNOCKING)  # asyncio has one number for both
                gc.collect()
                gc.freeze()  # to look through the whole program now and then would keep everybody waiting
                click.echo(greeting)
                _tell_systemd("READY=1")

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            app.state.readiness.closing = True
            _tell_systemd("STOPPING=1")
            end = time.monotonic() + drain
            while time.monotonic() < end and not self.force_exit:  # Ctrl-C a second time
                await asyncio.sleep(0.1)
            for server in self.servers:
                server.close()  # first of all: whoever is sent away comes back at once, and is to find another server
            await app.state.close_doors()
            await super().shutdown(sockets)

    return DrainingServer(config)


def _tell_systemd(what: str) -> None:
    """Say how far we are to systemd, if that is who started us and wants to know."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if address:
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
            told.sendto(what.encode(), f"\0{address[1:]}" if address[0] == "@" else address)


@click.command("backup")
@click.option(
    "--database",
    metavar="URL",
    envvar="PARLOUR_DATABASE",
    show_envvar=True,
    help="the database, as for parlour serve, or a SQLite file; by default your own",
)
@click.argument("file", metavar="FILE")
def backup_command(database: str | None, file: str) -> None:
    """Copy a server's matches into a new FILE, while it runs."""
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
    help="how long it may take; what is found by then is shown  [default: any time]",
)
@click.option("--json", "as_json", is_flag=True, help="one JSON document, for programs")
def check_command(database: str | None, seconds: float | None, as_json: bool) -> int:
    """Examine the database of a server, or your saved games.

    With a URL or an SQLite FILE it is that database; without either, your saved games.

    Says what is damaged, a line each; the exit code is 1 if anything is, or if there was no time for all. A database of
    an earlier version is brought up to date first.
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
    """Recover what is intact from a damaged database.

    The web's database at URL, or in the SQLite FILE, is copied to NEW: each match up to where it is damaged.

    NEW is a file that is not there yet, or the URL of an empty database. With the ID of a saved game instead, that is
    kept up to the damage as a new game. What is damaged is left as it is.
    """
    if new is None:
        if not damaged.isdigit():
            raise click.UsageError(f"say where to keep what is left: {own_command()} salvage DATABASE NEW")
        return _salvage_game(damaged)
    return _salvage_database(damaged, new)


def _examine_games(limit: Limit) -> Examination:
    kept = list(takewhile(lambda _: not limit.time_is_up, saves.all_games()))
    problems = [
        Problem(where=f"game {number}", what=str(match))
        for number, match in reversed(kept)
        if isinstance(match, BadRecord)
    ]
    return Examination(count=len(kept), left=len(saves.numbers()) - len(kept), unsealed=0, problems=problems)


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
        data = file.read()
    whole_lines = data[: data.rfind(b"\n") + 1]  # a last one that was cut short was never announced
    match, damage = record.read_beginning(whole_lines.decode(errors="replace"))
    if damage is None:
        click.echo(f"game {number} is not damaged")
        return 0
    added = saves.add(match)
    click.echo(f"game {number} is damaged: {damage}")
    click.echo(
        f"Kept as game {added}, up to there: {match.game.title}, {match.standing}, {counted(len(match.log), 'line')}."
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
        place = url_of(ending.enter_context(new_file(new))) if "://" not in new else new
        copy = ending.enter_context(closing(open_store(place)))
        if copy.count():
            raise BadDatabase("there are matches in the new database already; it has to be empty")
        for id, lines, damage in salvage(old, copy):
            if damage is None:
                whole += 1
                continue
            cut, lost = cut + (lines is not None), lost + (lines is None)
            kept = "nothing could be kept" if lines is None else f"kept up to line {lines}"
            click.echo(f"match {id}: {damage}; {kept}")
    click.echo(f"{counted(whole, 'match', 'matches')} kept whole, {cut:,} up to the damage, {lost:,} lost")
    return 1 if lost else 0
