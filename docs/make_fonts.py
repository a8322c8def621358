"""Makes the two font files that Parlour ships, out of the npm packages they come from.

    npm pack @fontsource/fraunces @fontsource/literata
    (unpack each into a folder of that name)
    pip install fonttools brotli
    python docs/make_fonts.py FOLDER

``fraunces.woff2`` is for headings and numbers of the page: one weight, and the letters of western Europe. ``cards.ttf``
is for the pictures beside links, which a server draws without the fonts of any machine: the same weight, with the
letters that names have in Latin, Greek and Cyrillic scripts. Fraunces has no Greek
and no Cyrillic; Literata lends them.
"""

from __future__ import annotations

import sys
from pathlib import Path

from fontTools import subset
from fontTools.merge import Merger
from fontTools.ttLib import TTFont
from fontTools.ttLib.scaleUpem import scale_upem

WEB = Path(__file__).parents[1] / "src" / "parlour" / "web"
PAGE_LETTERS = (
    "U+0020-007E,U+00A0,U+00B7,U+00C4-00C9,U+00D6,U+00D8,U+00DC,U+00DF-00EF,U+00F1-00F6,U+00F8-00FC,"
    "U+2013,U+2014,U+2019,U+2026"
)
CARD_LETTERS = (
    ("fraunces", "latin", "U+0020-007E,U+00A0-00FF,U+0131,U+0152-0153,U+2013-2026,U+2212"),
    ("fraunces", "latin-ext", "U+0100-024F,U+1E00-1EFF"),
    ("fraunces", "vietnamese", "U+1EA0-1EF9"),
    ("literata", "greek", "U+0370-03FF"),
    ("literata", "cyrillic", "U+0400-04FF"),
)
FAMILY = "Parlour Cards"
UNITS = 1000  # of an em; merging wants one number


def cut(source: Path, letters: set[int], features: list[str], flavor: str | None) -> TTFont:
    """What is left of a font with these letters."""
    options = subset.Options()
    options.layout_features, options.hinting, options.flavor = features, False, flavor
    options.drop_tables += ["STAT", "GDEF", "vhea", "vmtx", "gasp"]
    font = subset.load_font(source, options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=letters)
    subsetter.subset(font)
    font.flavor = flavor
    return font


def main(packages: Path) -> None:
    def source(family: str, script: str) -> Path:
        return packages / family / "package" / "files" / f"{family}-{script}-600-normal.woff2"

    page = cut(source("fraunces", "latin"), set(subset.parse_unicodes(PAGE_LETTERS)), ["tnum"], "woff2")
    page.save(WEB / "page" / "vendor" / "fraunces.woff2")

    parts: list[Path] = []
    known: set[int] = set()
    for number, (family, script, letters) in enumerate(CARD_LETTERS):
        part = cut(source(family, script), set(subset.parse_unicodes(letters)) - known, ["kern"][number:], None)
        known |= set(part.getBestCmap())
        scale_upem(part, UNITS)
        parts.append(packages / f"part{number}.ttf")
        part.save(parts[-1])
    cards = Merger().merge([str(part) for part in parts])
    for entry in cards["name"].names:
        if entry.nameID in (1, 4, 6, 16):  # the names by which it is found
            entry.string = FAMILY.replace(" ", "") if entry.nameID == 6 else FAMILY
    cards.recalcTimestamp = False  # the same source gives the same file
    cards["head"].created = cards["head"].modified = page["head"].created
    cards.save(WEB / "vendor" / "cards.ttf")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
