"""``parlour invite GAME`` and ``parlour join LINK``: a match on a server, played from the terminal."""

from __future__ import annotations

import secrets
from typing import Any

import click

from parlour.cli.connection import (
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
from parlour.cli.options import HELP, GameCommands, chosen_texts, game_options
from parlour.cli.remote_table import RemoteTable, print_once
from parlour.documents.match import NewMatch
from parlour.game import Game
from parlour.installation import own_command
from parlour.rules import read_rules
from parlour.terminal import preferences
from parlour.terminal.screen import Screen, at_terminal

USUAL_SERVER = "http://127.0.0.1:8000"  # of whoever has started `parlour serve` here


@click.command("join")
@click.argument("link", required=False)
@click.option("--name", metavar="NAME", help="what you are called  [default: as in your preferences]")
def join_command(link: str | None, name: str | None) -> int:
    """Play a match on a server, by the LINK you were sent.

    The address of a match that you have a seat in will do too.

    Without a seat or an invitation you watch. Your seat is kept, so that you can leave and come back.
    """
    _need_terminal()
    if link is None:
        link = click.prompt("The link you were sent", err=True)
    found = read_link(link)
    if found is None:
        raise click.UsageError("this is not a link to a match; one looks like https://parlour.example/m/ID#join=SECRET")
    server = Server(found.server)
    own = load_seat(found)
    try:
        server.state(found.match, None)  # whether there is such a match at all
    except Refused as refused:
        if not refused.retryable:
            delete_seat(found)
            raise click.ClickException(refused.reason) from None
    except NoAnswer as error:
        raise click.ClickException(f"no server answers at {found.server}: {error}") from None
    except Malformed as error:
        raise click.ClickException(str(error)) from None
    if own is None and found.invite is not None:
        own = found._replace(seat=secrets.token_urlsafe(24))
        save_seat(own)  # before the server knows it, so that no answer that is lost can cost it
    if own is not None and own.invite is not None:
        _take_seat(server, own, name or preferences.load().name)
        own = own._replace(invite=None)
        save_seat(own)
    elif own is None and found.seat is not None:
        own = found
        save_seat(own)
    return RemoteTable(server, own or found).play()


def _take_seat(server: Server, link: Link, name: str | None) -> None:
    body = {"invite": link.invite, "seat": link.seat, **({"name": name} if name else {})}
    try:
        server.retry(NewMatch, f"/api/matches/{link.match}/join", body, on_retry=print_once())
    except Refused as refused:
        delete_seat(link)
        raise click.ClickException(refused.reason) from None
    except Malformed as error:
        raise click.ClickException(str(error)) from None


def _invite(game: Game) -> click.Command:
    def run(server: str | None, name: str | None, first: str | None, **given: str | None) -> int:
        _need_terminal()
        texts = chosen_texts(given)
        read_rules(game, texts)
        found = preferences.load()
        found.complain()
        first = first or {"1": "me", "2": "you"}.get(found.first or "", "toss")
        at = Server(server or found.server or USUAL_SERVER)
        wish: dict[str, Any] = {"game": game.key, "options": texts, "first": first, "key": secrets.token_urlsafe(24)}
        if called := name or found.name:
            wish["name"] = called
        try:
            made = at.create(wish)
        except Refused as refused:
            raise click.ClickException(refused.reason) from None
        except NoAnswer as error:
            hint = f"; start one with: {own_command()} serve" if at.is_local else ""
            raise click.ClickException(f"no server answers at {at.url}: {error}{hint}") from None
        except Malformed as error:
            raise click.ClickException(str(error)) from None
        link = read_link(f"{at.url}/m/{made.id}#join={made.invite}")
        if link is None or made.seat is None:
            raise click.ClickException(f"{at.url} is not a Parlour server")
        own = Link(link.server, link.match, seat=made.seat)
        save_seat(own)
        screen = Screen()
        screen.say(["Send this link to whoever you want to play with:", ""])
        click.echo(f"  {link.address}#join={link.invite}\n")
        if at.is_local:
            screen.say(["It works on this machine alone: the server runs here."])
        return RemoteTable(at, own).play()

    return click.Command(
        game.key,
        callback=run,
        help=f"Invite somebody to a match of {game.title} on a server.\n\n{game.content.summary}",
        short_help=game.content.summary,
        params=[
            *game_options(game),
            click.Option(
                ["--server"],
                metavar="URL",
                help=f"where the match is made  [default: your preference, or {USUAL_SERVER}]",
            ),
            click.Option(["--name"], metavar="NAME", help="what you are called  [default: as in your preferences]"),
            click.Option(
                ["--first"],
                type=click.Choice(["me", "you", "toss"]),
                help="who begins  [default: your preference, or toss]",
            ),
        ],
        context_settings=HELP,
    )


invite_command = GameCommands("invite", _invite, help="Invite somebody to a match on a server, and play from here.")


def _need_terminal() -> None:
    if not at_terminal():
        raise click.UsageError("this is for people at a terminal; programs use the interface of the server")
