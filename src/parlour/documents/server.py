"""What a server tells besides games and matches."""

from __future__ import annotations

from parlour.writer import about, document


@document
class Health:
    """The server is up."""

    ok: bool = about("always true")
    version: str = about("of Parlour")
    format: int = about("the version of this and all other documents")
    expiry: str = about("how long matches are kept, in words")


@document
class QrCode:
    """A QR code as one SVG path over unit modules, without its quiet zone."""

    size: int = about("how many modules it is wide and high")
    path: str = about("the dark modules")
