"""Pictures of positions, which need resvg, and QR codes as cameras read them."""

from __future__ import annotations

import re
import runpy
from base64 import b64decode

import httpx
import numpy
import pytest
import resvg_py
import zxingcpp

from parlour import catalog, new_match, record
from parlour.web import chores
from parlour.web.messages import CardQuestion
from parlour.web.pages import FOLDER
from tests.support import ROOT
from tests.support.png import decoded
from tests.support.qr import TEXTS, modules
from tests.support.seats import Seat, challenge

SIZE = (1200, 630)


@pytest.mark.parametrize("key", catalog.keys())
def test_every_game_has_a_picture_in_the_middle_and_at_the_end(key: str) -> None:
    match = new_match(key, names=("Ann", "Ben"), seed=3)
    drawn = set()
    while match.round_result == 0 and len(match.round.moves) < 200:
        if len(match.round.moves) in (0, 4):
            drawn.add(picture_of(match))
        match.play(match.legal_moves[0])
    drawn.add(picture_of(match))
    assert len(drawn) == 3
    for png in drawn:
        width, height, colours = decoded(png)
        assert (width, height) == SIZE
        assert colours > 50
        assert len(png) < 200_000


def picture_of(match: object) -> bytes:
    return b64decode(chores.card(CardQuestion(record=record.write_record(match))).png)  # type: ignore[arg-type]


def test_a_picture_is_kept_and_can_be_shown_elsewhere(client: httpx.Client) -> None:
    made = challenge(client, kind="local", game="double-up")
    of_match = f"/m/{made['id']}/table.png"
    for path, keep in ((of_match, "max-age=300"), ("/study/double-up/2/table.png", "max-age=86400")):
        first = client.get(path)
        assert first.headers["Content-Type"] == "image/png"
        assert first.headers["Cache-Control"] == f"public, {keep}"
        assert first.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
        again = client.get(path, headers={"If-None-Match": first.headers["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert client.get(path).content == first.content
    Seat(client, made["id"], made["seat"]).post("move", move="2", ply=0)
    moved = client.get(of_match)
    assert moved.content != client.get("/study/double-up/start/table.png").content
    assert client.get("/api/games").headers["Cross-Origin-Resource-Policy"] == "same-origin", "as everything else"


@pytest.mark.parametrize("names", [["<script>alert(1)</script>", "Zoe\u0308 Ångström"], ["👩‍👩‍👧 & Co.", "שרה"]])
def test_names_are_drawn_whatever_is_in_them(client: httpx.Client, names: list[str]) -> None:
    made = challenge(client, kind="local", game="sequence-builder", names=names)
    (path,) = re.findall(r'og:image" content="(.*?)"', client.get(f"/m/{made['id']}").text)
    assert decoded(client.get(path).content)[:2] == SIZE


def test_the_picture_of_a_studied_position_has_the_size_of_a_card(client: httpx.Client) -> None:
    assert decoded(client.get("/study/double-up/2.3/table.png?limit=50&first=2").content)[:2] == SIZE


def test_the_font_has_every_letter_that_is_said_to_be_drawable() -> None:
    """Each is drawn, and not as the box that stands for a letter there is none of."""

    def drawn(letter: str) -> bytes:
        text = f'<text x="4" y="20" font-size="20">{letter}</text>'
        return bytes(
            resvg_py.svg_to_bytes(
                svg_string=f'<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32">{text}</svg>',
                skip_system_fonts=True,
                font_files=[str(chores.CARD_FONT)],
                font_family=chores.CARD_FAMILY,
            )
        )

    missing = {drawn("&#x5d0;"), drawn("&#x20;")}
    letters = [chr(code) for code in range(0x21, 0x3000) if chores.DRAWABLE.fullmatch(chr(code))]
    assert len(letters) > 500
    blank = [hex(ord(letter)) for letter in letters if drawn(f"&#x{ord(letter):x};") in missing]
    assert blank == ["0xa0", "0xad"], "a space, and a hyphen that shows only at the end of a line"


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_qr_code_is_read_back(client: httpx.Client, text: str) -> None:
    code = client.post("/api/qr", json={"text": text}).json()
    light = numpy.pad(~numpy.array(modules(code)), 4, constant_values=True)
    image = numpy.kron(light, numpy.ones((4, 4), bool)).astype(numpy.uint8) * 255
    assert [found.text for found in zxingcpp.read_barcodes(image)] == [text]


def test_the_icons_are_what_they_are_drawn_from() -> None:
    drawn = runpy.run_path(str(ROOT / "docs" / "draw_icons.py"))["icons"]()
    there = {path.name: path.read_bytes() for path in (FOLDER / "icons").iterdir()}
    assert {name for name in drawn.keys() | there.keys() if drawn.get(name) != there.get(name)} == set(), "make icons"
