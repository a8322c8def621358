"""A text in its parts, for whoever draws it."""

from __future__ import annotations

from typing import Literal

from parlour.fields import about, document


@document
class Block:
    """A part of a text: a paragraph, a heading or a list."""

    kind: Literal["p", "h", "ul"] = about("the kind: paragraph (`p`), heading (`h`) or list (`ul`)")
    text: str | None = about("the text of a paragraph or a heading")
    items: list[str] | None = about("the items of a list")


def prose_blocks(text: str) -> list[Block]:
    """Prose as a game's docstring has it: paragraphs, "- " items, and a line before items as their heading.

    Options are called as forms call them: limit none, where a command line has --limit none.
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
