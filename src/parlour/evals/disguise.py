"""The same game in other words, with other labels, or in a mirror: to tell play from memory.

A disguise changes what is said and how numbers are written, never the game: an answer is put back into the game's own
language before the referee reads it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product
from random import Random

from parlour.arguments import check_choice
from parlour.rules import Rules
from parlour.view import Group, Tile, View

PLAIN, RENAMED, RELABELLED, MIRRORED = "plain", "renamed", "relabelled", "mirrored"
DISGUISES = (PLAIN, RENAMED, RELABELLED, MIRRORED)

# Other words for what number games have; whole words, in the plural too.
OTHER_WORDS = {
    "sequence": "trail",
    "pyramid": "stack",
    "grid": "field",
    "cell": "plot",
    "pool": "store",
    "bottom": "base row",
    "marker": "flag",
    "mark": "claim",
    "skip": "wait",
    "step": "stride",
}
TITLES = ("Larkspur", "Quillon", "Tamber", "Vesper", "Ostrava", "Merrow", "Hollin", "Candle")


@dataclass(frozen=True)
class Disguise:
    """How a game is spoken of to a model."""

    title: str = ""  # of the game; empty: its own
    words: dict[str, str] = field(default_factory=dict)
    written: dict[str, str] = field(default_factory=dict)  # how numbers are written, where they are written otherwise
    note: str = ""  # what a model has to be told of that

    def say(self, text: str) -> str:
        """A text of the game's in other words."""
        for word, other in self.words.items():
            for one, another in ((word, other), (word.capitalize(), other.capitalize())):
                text = re.sub(rf"\b{one}(s?)\b", rf"{another}\1", text)
        return text

    def write(self, text: str) -> str:
        """A number, or a text that has one, as it is written."""
        return re.sub(r"\d+", lambda found: self.written.get(found[0], found[0]), text) if self.written else text

    def read(self, text: str) -> str:
        """An answer in the game's own language; of what is written otherwise, nothing but that is understood."""
        if not self.written:
            return text
        back = {written: number for number, written in self.written.items()}
        word = text.strip().strip("()[]{}. ").lower()
        return back.get(word, "?" if word not in ("pass", "skip") else word)

    def view(self, view: View) -> View:
        """The table in other words; remarks with numbers in them are left out where these are written otherwise."""

        def note(text: str) -> str:
            return "" if self.written and re.search(r"\d", text) else self.say(text)

        def tile(each: Tile) -> Tile:
            return each._replace(text=self.write(each.text), note=note(each.note))

        def group(each: Group) -> Group:
            rows = tuple(tuple(map(tile, row)) for row in each.rows)
            return each._replace(title=self.say(each.title), rows=rows, note=note(each.note))

        return tuple(map(group, view))

    def moves(self, rules: Rules, moves: Sequence[int]) -> str:
        """A list of moves, as a model may name them."""
        if not self.written:
            return rules.spell(moves)
        return "  ".join(map(self.write, rules.spoken(moves)))


def make_disguise(name: str, rules: Rules, seed: str) -> Disguise:
    """Return the disguise of this name for a game, with random labels; BadArgument if there is none."""
    check_choice("disguise", name, DISGUISES)
    random = Random(f"{seed} {name}")
    if name == PLAIN:
        return Disguise()
    title = random.choice(TITLES)
    if name == RENAMED:
        return Disguise(title, OTHER_WORDS)
    numbers = _numbers(rules)
    if name == MIRRORED:
        top = numbers[-1] + numbers[0]
        written = {str(number): str(top - number) for number in numbers}
        low, high = str(numbers[0]), str(numbers[-1])
        how = f"as what it lacks to {top}: {low} as {written[low]}, {high} as {written[high]}"
        return Disguise(title, {}, written, _note(how))
    syllables = ["".join(pair) for pair in product("bdfgklmnprstvz", "aeiou")]
    labels = random.sample(["".join(pair) for pair in product(syllables, repeat=2)], len(numbers))
    written = {str(number): label for number, label in zip(numbers, labels, strict=True)}
    listed = ", ".join(f"{number} is {label}" for number, label in written.items())
    return Disguise(title, {}, written, _note(f"as a word: {listed}"))


def _note(how: str) -> str:
    return (
        f"In this game every number is written {how}. The table is written so, and so are your moves; the rules speak "
        "of the numbers themselves."
    )


def _numbers(rules: Rules) -> list[int]:
    """The numbers that moves have in the players' language."""
    bounds = rules.bounds
    assert bounds is not None  # an instance ends
    spoken = rules.spoken(range(1, bounds.moves))
    return sorted({int(number) for name in spoken for number in re.findall(r"\d+", name)})
