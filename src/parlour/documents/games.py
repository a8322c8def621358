"""The games with their options, rules and worked examples."""

from __future__ import annotations

from typing import Literal

from parlour import players
from parlour.documents.table import TableDocument, option_label, round_tables
from parlour.fields import about, document
from parlour.game import Game, Variant
from parlour.match import Match
from parlour.options import Arrangement, Kind, Number, Numbers, Word, declared, pack_options, read_words, show_options
from parlour.rules import read_rules
from parlour.setup import Setup
from parlour.writer import extend


@document
class Block:
    """A part of a text: a paragraph, a heading or a list."""

    kind: Literal["p", "h", "ul"] = about("the kind: paragraph (`p`), heading (`h`) or list (`ul`)")
    text: str | None = about("the text of a paragraph or a heading")
    items: list[str] | None = about("the items of a list")


def prose_blocks(text: str) -> list[Block]:
    """Parse the text of a game's rules: paragraphs, "- " items, and a line before items as their heading.

    Options lose their dashes, as in forms: "--limit none" becomes "limit none".
    """
    found: list[Block] = []
    first, *others = text.split("--")
    plain = first + "".join(part if part[:1].isalpha() else f"--{part}" for part in others)
    for part in plain.strip().split("\n\n"):
        items: list[str] = []
        prose: list[str] = []
        for line in part.splitlines():
            if line.startswith("- "):
                items.append(line[2:])
            elif items:
                items[-1] += f" {line.strip()}"
            else:
                prose.append(line.strip())
        if prose:
            found.append(Block(kind="h" if items else "p", text=" ".join(prose), items=None))
        if items:
            found.append(Block(kind="ul", text=None, items=items))
    return found


MAX_DEMO_BOARDS = 30  # positions of a worked example


@document
class OptionDocument:
    """One option of a game."""

    name: str = about("the name")
    label: str = about("the label of a form")
    help: str = about("a short description")
    kind: Literal["number", "word", "numbers", "arrangement"] = about("the type of the value")
    default: str | None = about("the default of the book; empty, or null in `parlour list`: dealt at random")
    allowed: str = about("the allowed values, as text")
    low: int | None = about("the smallest number")
    high: int | None = about("the largest number")
    none: bool = about('whether "none" is allowed as well')
    words: list[str] = about("the allowed words")
    by_chance: bool = about("whether the value is dealt at random if it is left out")


@document
class GameDocument:
    """A game and its options."""

    key: str = about("the key of the game")
    title: str = about("the title of the game")
    version: int = about("the version of its rules")
    summary: str = about("the rule in one sentence")
    known: str | None = about(
        "the proven result of the book's own game, in one sentence; left out for agents that play without advice",
        default=None,
    )
    rounds: bool = about("whether a drawn round is followed by another")
    options: list[OptionDocument] = about("the options, in the order of their declaration")
    variants: list[Variant] = about("suggested options, the best contest first")
    quick: Variant | None = about("the variant of a quick game; null: the book's own game")


@document
class Card(GameDocument):
    """A game with sample positions."""

    sample: TableDocument = about("a position in the middle of the worked example")
    demo: list[TableDocument] = about(f"the worked example, {MAX_DEMO_BOARDS} positions at most")


@document
class RulesDocument(Card):
    """A game with its rules."""

    rules: list[Block] = about("the rules as text for players")


@document
class LevelDocument:
    """A computer player."""

    key: str = about("the key of the level")
    title: str = about("the title of the level")
    nickname: str = about('one word for its style of play: "steady"; empty if the title is one')
    about: str = about("a short description")


@document
class GameList:
    """All games and computer players."""

    games: list[Card] = about("the games, sorted by key")
    levels: list[LevelDocument] = about("the computer players, the weakest first")


def game_document(game: Game) -> GameDocument:
    """Return a game and its options."""
    defaults = show_options(game.defaults)
    return GameDocument(
        key=game.key,
        title=game.title,
        version=game.version,
        summary=game.content.summary,
        known=game.content.known,
        rounds=game.rounds.maximum(pack_options(game.defaults)) is not None,
        options=[_option(name, kind, defaults[name]) for name, kind in declared(game.options).items()],
        variants=list(game.content.variants),
        quick=game.content.quick,
    )


def card_document(game: Game) -> Card:
    """Return a game with its worked example."""
    demo = round_tables(worked_example(game), 0)[:MAX_DEMO_BOARDS]
    return extend(Card, game_document(game), sample=demo[(2 * len(demo)) // 3], demo=demo)


def rules_document(game: Game) -> RulesDocument:
    """Return a game with its rules."""
    return extend(RulesDocument, card_document(game), rules=prose_blocks(game.content.rules_text))


def worked_example(game: Game) -> Match:
    """Return the game's example, played to its end, or the start of a game without one."""
    moves, texts = (game.content.example.moves, game.content.example.options) if game.content.example else ("", "")
    match = Match(Setup(read_rules(game, read_words(texts))))
    match.play_line(moves.split())
    return match


def level_documents() -> list[LevelDocument]:
    """Return the computer players, the weakest first."""
    return [
        LevelDocument(key=kind.word, title=kind.title, nickname=kind.nickname, about=kind.about)
        for kind in players.offered()
    ]


def _option(name: str, kind: Kind, default: str) -> OptionDocument:
    kinds: dict[type[Kind], Literal["number", "word", "numbers", "arrangement"]] = {
        Number: "number",
        Word: "word",
        Numbers: "numbers",
        Arrangement: "arrangement",
    }
    return OptionDocument(
        name=name,
        label=option_label(name),
        help=kind.help,
        kind=kinds[type(kind)],
        default=default,
        allowed=kind.allowed,
        low=kind.low if isinstance(kind, Number | Numbers) else None,
        high=kind.high if isinstance(kind, Number | Numbers) else None,
        none=isinstance(kind, Number) and kind.none,
        words=list(kind.words) if isinstance(kind, Word) else [],
        by_chance=isinstance(kind, Arrangement),
    )
