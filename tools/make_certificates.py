"""Write a certificate for every built-in game and variant, and for one deal of each kind where chance deals.

python tools/make_certificates.py FOLDER [--seconds S]
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import click

from parlour.catalog import list_games
from parlour.cli.proofs import write_certificate_file
from parlour.errors import TooBig
from parlour.lab.sweep import combine
from parlour.limit import Limit
from parlour.options import left_to_chance, show_words
from parlour.rules import Rules, read_rules


def built_in_rules() -> Iterator[Rules]:
    """Yield the rules to certify: each game by the book and in its variants, or each kind of deal."""
    for game in list_games():
        if left_to_chance(game.options):
            yield from combine(game, {}).rules  # includes the deals of the variants
            continue
        for options in ({}, *(variant.options for variant in game.content.variants)):
            rules = read_rules(game, options)
            if rules.bounds is not None:  # a game that need not end has no value
                yield rules


@click.command()
@click.argument("folder", type=click.Path(file_okay=False))
@click.option("--seconds", type=click.FloatRange(0), help="time limit for each certificate  [default: no limit]")
def main(folder: str, seconds: float | None) -> None:
    """Write certificates to FOLDER, one file each. Those that exceed the time limit are left out and listed."""
    os.makedirs(folder, exist_ok=True)
    left_out = False
    for rules in built_in_rules():
        name = "_".join([rules.game.key, *show_words(rules.options, rules.game.defaults).split()]) + ".gz"
        try:
            write_certificate_file(rules, [], os.path.join(folder, name), Limit(seconds))
        except TooBig as error:
            left_out = True
            click.echo(f"LEFT OUT {rules.title}: {error}")
    sys.exit(1 if left_out else 0)


if __name__ == "__main__":
    main()
