"""Draws the icons of the page and the picture of all its links, from ``icon.svg`` and the font of the cards.

Run it with: make icons

The same source gives the same files, so a test can tell when one of them is out of date.
"""

from __future__ import annotations

import re

import resvg_py

from parlour.web.chores import CARD_FAMILY, CARD_FONT
from parlour.web.pages import FOLDER

ICONS = FOLDER / "icons"
SAFE = 0.7  # of a maskable icon: a system may cut away what is further out


def drawn(svg: str, width: int, height: int) -> bytes:
    png: bytes = resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        height=height,
        skip_system_fonts=True,
        font_files=[str(CARD_FONT)],
        font_family=CARD_FAMILY,
    )
    return png


def icons() -> dict[str, bytes]:
    """Each by the name of its file."""
    icon = (FOLDER / "icon.svg").read_text("utf-8")
    ground, shapes = re.findall(r"<rect.*?/>", icon)[0], "".join(re.findall(r"<(?:circle|path).*?/>", icon))
    full = re.sub(r' rx="\d+"', "", ground)
    inside = f'<g transform="translate({32 * (1 - SAFE):g},{32 * (1 - SAFE):g}) scale({SAFE})">{shapes}</g>'
    maskable = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">{full}{inside}</svg>'
    files = {"touch-180.png": drawn(maskable, 180, 180)}
    for size in (192, 512):
        files[f"any-{size}.png"] = drawn(icon, size, size)
        files[f"maskable-{size}.png"] = drawn(maskable, size, size)
    files["link.png"] = drawn(LINK, 1200, 630)
    return files


LINK = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630" font-weight="600">
  <rect width="1200" height="630" fill="#1d4a39"/>
  <g text-anchor="middle" font-size="92" transform="translate(52,0)">
    <g transform="rotate(-7 772 240)">
      <rect x="682" y="162" width="180" height="180" rx="36" fill="#12352a"/>
      <rect x="682" y="150" width="180" height="180" rx="36" fill="#fffcf3" stroke="#cdbd96" stroke-width="3"/>
      <text x="772" y="272" fill="#221f19">13</text>
    </g>
    <circle cx="990" cy="214" r="98" fill="#e2714f"/>
    <text x="990" y="246" fill="#fff8ee">5</text>
    <path d="M890 312 1012 430 890 548 768 430Z" fill="#1d4a39" stroke="#f6efdf" stroke-width="14"
      stroke-linejoin="round"/>
    <text x="890" y="462" fill="#f6efdf">8</text>
  </g>
  <circle cx="102" cy="116" r="30" fill="#e2714f"/>
  <path d="M136 84 168 116 136 148 104 116Z" fill="none" stroke="#f6efdf" stroke-width="8" stroke-linejoin="round"/>
  <text x="192" y="132" font-size="46" fill="#f6efdf">Parlour</text>
  <g font-size="78" fill="#f6efdf"><text x="70" y="306">Number games</text><text x="70" y="402">for two</text></g>
  <g font-size="32" fill="#b8ccb8"><text x="72" y="490">A friend by link, the computer,</text>
  <text x="72" y="534">or each other across one table</text></g>
</svg>"""


def main() -> None:
    ICONS.mkdir(exist_ok=True)
    for name, body in icons().items():
        (ICONS / name).write_bytes(body)


if __name__ == "__main__":
    main()
