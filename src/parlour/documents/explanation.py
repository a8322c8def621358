"""What is known about a game, as ``parlour explain --json`` writes it."""

from __future__ import annotations

from collections.abc import Iterable

from parlour.rules import Rules
from parlour.study.words import Line
from parlour.writer import about, document


@document
class ExplanationPart:
    """One part of an explanation."""

    title: str = about("what it is about")
    text: list[str] = about("what is known about it, a paragraph each")


@document
class Explanation:
    """What is known about a game under its options."""

    game: str = about("the name of the game")
    options: dict[str, str] = about("its options; what is still to be dealt is empty")
    parts: list[ExplanationPart] = about("the explanation, from who wins to what else is good to know")


def explanation_document(rules: Rules, lines: Iterable[Line]) -> Explanation:
    """An explanation out of its lines; what is strong among them begins a part."""
    parts: list[ExplanationPart] = []
    for line in lines:
        if line.strong or not parts:
            parts.append(ExplanationPart(title=line.text if line.strong else "", text=[]))
        if line.text and not line.strong:
            parts[-1].text.append(line.text)
    return Explanation(game=rules.game.key, options=rules.option_texts, parts=parts)
