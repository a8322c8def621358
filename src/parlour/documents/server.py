"""What a server tells besides games and matches."""

from __future__ import annotations

from parlour.fields import about, document


@document
class Health:
    """The health of the server."""

    ok: bool = about("always true")
    version: str = about("the version of Parlour")
    format: int = about("the version of all JSON documents")
    expiry: str = about("the lifetimes of matches, as text")


@document
class QrCode:
    """A QR code as one SVG path over unit modules, without its quiet zone."""

    size: int = about("the width and height in modules")
    path: str = about("the SVG path of the dark modules")
