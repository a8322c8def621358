"""QR codes as the API sends them."""

from __future__ import annotations

import re
from typing import Any

TEXTS = {
    "invitation": "https://parlour.example/m/abcdefghjk#join=Zm9vYmFyYmF6cXV4cXV1eA",
    "short": "2",
    "not ASCII": "Grüße, 世界",
    "long": "x" * 300,
    "long though short": "\N{GRINNING FACE}" * 75,
}


def modules(code: dict[str, Any]) -> list[list[bool]]:
    """The code as rows of dark and light."""
    dark = set(re.findall(r"M(\d+) (\d+)h1v1h-1z", code["path"]))
    assert "".join(f"M{x} {y}h1v1h-1z" for x, y in re.findall(r"M(\d+) (\d+)", code["path"])) == code["path"]
    return [[(str(x), str(y)) in dark for x in range(code["size"])] for y in range(code["size"])]
