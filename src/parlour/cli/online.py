"""The commands ``invite`` and ``join``: matches on a server, played at the terminal."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from parlour.cli.options import HELP, GameCommands, chosen_texts, game_options
from parlour.documents.match import NewMatch
from parlour.game import Game
from parlour.installation import own_command
from parlour.rules import read_rules
from parlour.terminal import preferences
from parlour.terminal.connection import (
    Link,
    Malformed,
    NoAnswer,
    Refused,
    Server,
    delete_seat,
    load_seat,
    read_link,
    save_seat,
)
from parlour.terminal.remote import RemoteSession
from parlour.terminal.screen import Screen, at_terminal

DEFAULT_SERVER = "http://127.0.0.1:8000"  # the default of `parlour serve`


@click.command("join")
@click.argument("link", required=False)
@click.option("--name", metavar="NAME", help="your name  [default: your preference]")
def join_command(link: str | None, name: str | None) -> int:
    """Join a match on a server, or watch it.

    LINK is an invitation, or the address of any match: you play if you have joined it before, and otherwise watch.
    Your seat is saved, so you can leave and come back.
    """
    _require_terminal()
    if link is None:
        link = click.prompt("Invitation link", err=True)
    found = read_link(link)
    if found is None:
        raise click.UsageError("this is not a link to a match; one looks like https://parlour.example/m/ID#join=SECRET")
    server, own = Server(found.server), load_seat(found) or found
    with _failures(server, found):
        state = server.state(found.match, None)  # refused if there is no such match
        if own.invite is not None:
            if own.seat is None:
                own = own._replace(seat=secrets.token_urlsafe(24))
            save_seat(own)  # before the request: a lost answer must not lose the seat
            body = {"invite": own.invite, "seat": own.seat}
            if called := name or preferences.load().name:
                body["name"] = called
            path = f"/api/matches/{own.match}/join"
            server.retry(NewMatch, path, body, on_retry=lambda text: click.echo(text, err=True))
            own = own._replace(invite=None)
        if own.seat is not None:
            state = server.state(own.match, own.seat)
            save_seat(own)
        return RemoteSession(server, own, state).play()


def _invite(game: Game) -> click.Command:
    def run(server: str | None, name: str | None, first: str | None, **given: str | None) -> int:
        _require_terminal()
        texts = chosen_texts(given)
        read_rules(game, texts)
        found = preferences.load()
        found.complain()
        first = first or {"1": "me", "2": "you"}.get(found.first or "", "toss")
        at = Server(server or found.server or DEFAULT_SERVER)
        body: dict[str, Any] = {"game": game.key, "options": texts, "first": first, "key": secrets.token_urlsafe(24)}
        if called := name or found.name:
            body["name"] = called
        with _failures(at):
            made = at.create(body)
            link = read_link(f"{at.url}/m/{made.id}#join={made.invite}")
            if link is None or made.seat is None:
                raise Malformed(f"{at.url} is not a Parlour server")
            own = Link(link.server, link.match, seat=made.seat)
            save_seat(own)
            screen = Screen()
            screen.say(["Send this link to the person you want to play with:", ""])
            click.echo(f"  {link.address}#join={link.invite}\n")
            if at.is_local:
                screen.say(["It works on this machine only, because the server runs here.", ""])
            return RemoteSession(at, own, made.state).play()

    return click.Command(
        game.key,
        callback=run,
        help=f"Start a match of {game.title} on a server and invite a friend.\n\n{game.content.summary}",
        short_help=game.content.summary,
        params=[
            *game_options(game),
            click.Option(
                ["--server"], metavar="URL", help=f"the server  [default: your preference, or {DEFAULT_SERVER}]"
            ),
            click.Option(["--name"], metavar="NAME", help="your name  [default: your preference]"),
            click.Option(
                ["--first"],
                type=click.Choice(["me", "you", "toss"]),
                help="who begins  [default: your preference, or toss]",
            ),
        ],
        context_settings=HELP,
    )


invite_command = GameCommands("invite", _invite, help="Start a match on a server and invite a friend.")


@contextmanager
def _failures(server: Server, link: Link | None = None) -> Iterator[None]:
    """Report errors of the server in one line; forget the saved seat of ``link`` if the server rejects it."""
    try:
        yield
    except Refused as refused:
        if link is not None and not refused.retryable:
            delete_seat(link)
        raise click.ClickException(refused.reason) from None
    except NoAnswer as error:
        hint = f"; start one with: {own_command()} serve" if server.is_local and link is None else ""
        raise click.ClickException(f"no server answers at {server.url}: {error}{hint}") from None
    except Malformed as error:
        raise click.ClickException(str(error)) from None


def _require_terminal() -> None:
    if not at_terminal():
        raise click.UsageError("this command needs a terminal; programs use the HTTP interface of the server")
