"""What the few words beside a drawn table owe, in every game and at every moment."""

from __future__ import annotations

import re

from parlour.match import Match

# A verb in the past tense, so that "You" or a name can go before it.
PREDICATE = re.compile(r"([a-z]+ed|ate|could|found|gave|got|had|left|lost|made|put|took|went|won)\b")


def check_short_words(match: Match) -> None:
    """The words about the last move, the player to move, and the end of the round where it has one."""
    game, rules, position = match.game, match.rules, match.position
    if match.round.moves:
        told = game.display.told(match.moment)
        assert PREDICATE.match(told), f"{game.key}: {told!r} cannot follow a name"
        assert not told.endswith("."), told
    if match.legal_moves:
        assert bool(rules.stuck(position)) == match.stuck, f"{game.key}: why does a player pass, or not?"
        for text in (rules.needs(position), rules.stuck(position)):
            assert not text.endswith("."), text
            assert text[:1] == text[:1].lower(), text
    else:
        subject, text = game.display.verdict(match.moment, match.round_winner)
        if subject is None:
            assert match.round_winner is None, f"{game.key}: {text!r} says it of nobody, though somebody has won"
            assert re.match(r"[A-Z0-9]", text), f"{game.key}: {text!r} is a sentence of its own"
        else:
            assert PREDICATE.match(text), f"{game.key}: {text!r} cannot follow a name"
        assert not text.endswith("."), text
