"""The commands ``certify`` and ``verify``: proofs of the values of positions."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Sequence

import click

from parlour.cli.options import HELP, GameCommands, chosen_texts, game_options
from parlour.errors import BadStrategy, ParlourError
from parlour.files import write_whole
from parlour.game import Game
from parlour.limit import Limit
from parlour.match import Match
from parlour.rules import Rules, read_rules
from parlour.setup import Setup

MAX_BYTES = 50_000_000  # size of a compressed certificate


def _command(game: Game) -> click.Command:
    def run(moves: str, output: str, seconds: float | None, **given: str | None) -> None:
        rules = read_rules(game, chosen_texts(given))
        match = Match(Setup(rules), rules.options)  # not dealt: a certificate is about the given options
        match.play_line(moves)
        write_certificate_file(match.rules, match.round.moves, output, Limit(seconds))

    return click.Command(
        game.key,
        callback=run,
        help=f"Prove the value of a position of {game.title} and write a certificate to a file.",
        short_help=f"Prove the value of a position of {game.title}.",
        params=[
            *game_options(game),
            click.Option(["--moves"], metavar="MOVES", default="", help='the moves so far, like "5 7"'),
            click.Option(["-o", "--output"], metavar="FILE", required=True, help="the file to write"),
            click.Option(["--seconds"], type=click.FloatRange(0), help="time limit  [default: none]"),
        ],
        context_settings=HELP,
    )


def write_certificate_file(rules: Rules, moves: Sequence[int], output: str, limit: Limit) -> None:
    """Prove the value of a position, check the proof and write it to a file."""
    from parlour.study.strategy import check_certificate, write_certificate

    text = write_certificate(Match.after(Setup(rules), moves, rules.options), limit)
    data = gzip.compress(text.encode(), 9, mtime=0)
    claim = check_certificate(text, limit)
    write_whole(output, data)
    click.echo(f"{claim}: {output}, {len(data):,} bytes")


certify_command = GameCommands("certify", _command, help="Prove the value of a position and write a certificate.")


@click.command("verify")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
def verify_command(files: tuple[str, ...]) -> int:
    """Check certificates by playing each strategy against every reply."""
    from parlour.study.strategy import claim_in_words, read_strategies

    failed = 0
    for name in files:
        try:
            click.echo(f"proved  {claim_in_words(read_strategies(strategy_text(name)))}")
        except (ParlourError, OSError) as error:
            failed = 1
            click.echo(f"REFUSED {name}: {error.strerror if isinstance(error, OSError) else error}")
    return failed


def strategy_text(name: str) -> str:
    """Return the text of a strategy file, with or without gzip. Raises BadStrategy if it can't be read."""
    with open(name, "rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise BadStrategy(f"bad strategy: more than {MAX_BYTES:,} bytes")
    try:
        if data[:2] == b"\x1f\x8b":
            inflate = zlib.decompressobj(31)
            data = inflate.decompress(data, 2 * MAX_BYTES)
            if inflate.unconsumed_tail or not inflate.eof:
                raise BadStrategy("bad strategy: it is cut off, or too large")
        return data.decode()
    except (zlib.error, UnicodeDecodeError) as error:
        raise BadStrategy(f"bad strategy: it cannot be read: {error}") from None
