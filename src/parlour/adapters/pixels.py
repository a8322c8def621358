"""Boards as arrays of pixels: the SVG of ``Picture``, drawn with Pillow.

It supports only the elements of Parlour's own pictures: rectangles, polygons, texts and translated groups.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from parlour.errors import MissingExtra

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WIDTH, HEIGHT = 640, 560  # frame size in pixels
SCALE = 2  # supersampling, for smooth edges
BACKGROUND = "#ffffff"


def draw(svg: str) -> NDArray[np.uint8]:
    """Draw an SVG as large as it fits into an RGB frame of HEIGHT by WIDTH pixels."""
    import numpy as np

    try:
        from PIL import Image
    except ImportError:
        raise MissingExtra("drawing a board in pixels needs Pillow", "rl") from None
    root = ElementTree.fromstring(svg)
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    scale = min(WIDTH / width, HEIGHT / height) * SCALE
    image = Image.new("RGB", (WIDTH * SCALE, HEIGHT * SCALE), BACKGROUND)
    left, top = (WIDTH * SCALE - width * scale) / 2, (HEIGHT * SCALE - height * scale) / 2
    _Painter(image, scale).paint(root, left, top)
    return np.asarray(image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS))


class _Painter:
    """A painter of SVG elements; ``left`` and ``top`` are the offset of the current group in pixels."""

    def __init__(self, image: Any, scale: float) -> None:
        from PIL import ImageDraw

        self.canvas = ImageDraw.Draw(image)
        self.scale = scale

    def paint(self, element: ElementTree.Element, left: float, top: float) -> None:
        name, given = element.tag.rpartition("}")[2], element.attrib
        if "transform" in given:
            x, y = given["transform"].removeprefix("translate(").removesuffix(")").split(",")
            left, top = left + float(x) * self.scale, top + float(y) * self.scale
        if name == "rect":
            self._rectangle(given, left, top)
        elif name == "polygon":
            corners = [corner.split(",") for corner in given["points"].split()]
            points = [(left + float(x) * self.scale, top + float(y) * self.scale) for x, y in corners]
            self.canvas.polygon(points, _colour(given["fill"]), _colour(given["stroke"]), self._stroke(given))
        elif name == "text":
            self._text(element.text or "", given, left, top)
        for inner in element:
            self.paint(inner, left, top)

    def _rectangle(self, given: dict[str, str], left: float, top: float) -> None:
        x, y = left + float(given["x"]) * self.scale, top + float(given["y"]) * self.scale
        across, down = (float(given[name]) * self.scale for name in ("width", "height"))
        radius = min(float(given["rx"]) * self.scale, across / 2, down / 2)
        fill, stroke = _colour(given["fill"]), _colour(given["stroke"])
        self.canvas.rounded_rectangle((x, y, x + across, y + down), radius, fill, stroke, self._stroke(given))

    def _stroke(self, given: dict[str, str]) -> int:
        return max(1, round(float(given["stroke-width"]) * self.scale))

    def _text(self, text: str, given: dict[str, str], left: float, top: float) -> None:
        place = left + float(given["x"]) * self.scale, top + float(given["y"]) * self.scale
        shown = text.replace("\u2068", "").replace("\u2069", "")  # Unicode isolates around names
        anchor = "mm" if given.get("text-anchor") == "middle" else "ls"
        font = _font(round(float(given["font-size"]) * self.scale))
        self.canvas.text(place, shown, _colour(given["fill"]), font, anchor)


def _colour(value: str) -> str | None:
    return None if value == "none" else value


@cache
def _font(size: int) -> Any:
    from PIL import ImageFont

    return ImageFont.load_default(size)
