"""What the page says of itself to those who show a link to it, and the picture that they show."""

from __future__ import annotations

import asyncio
import re
from html.parser import HTMLParser

import httpx
import pytest

from parlour import catalog
from parlour.web import chores, pages, previews
from parlour.web.pages import ALL_PAGES, PageHead, head_lines
from tests.support.png import decoded
from tests.support.seats import challenge, sit_down

SIZE = (1200, 630)
# As people are called: markup, quotes, joined emoji, a script from right to left, one with joiners, marks on letters.
NAMES = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=y>',
    "👩‍👩‍👧 & Co.",
    "שרה",
    "می‌خواهم",
    "Zoe\u0308 Ångström",
    "Ελένη Иванова",
]


@pytest.fixture(autouse=True)
def _can_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages name the pictures of positions, whether or not they can be drawn here."""
    monkeypatch.setattr(previews, "can_draw", lambda: True)


class _Head(HTMLParser):
    """The title of a document, and its meta tags by their names."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.title, self.metas, self.others = "", dict[str, str](), list[str]()
        self._in_title = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self._in_title = tag == "title"
        if tag == "meta" and (name := given.get("property") or given.get("name")):
            assert name not in self.metas or name == "theme-color", f"{name} is said twice"
            self.metas[name] = given["content"] or ""
        else:
            self.others.append(tag)

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.title += data
            self._in_title = False


def head_of(client: httpx.Client, path: str) -> _Head:
    answer = client.get(path)
    assert answer.status_code == 200
    return _Head(answer.text)


# What a page says of itself.


def test_the_first_page_says_what_this_is(client: httpx.Client) -> None:
    head = head_of(client, "/")
    assert head.title == "Parlour"
    assert head.metas["og:title"] == "Parlour: number games for two"
    assert head.metas["og:url"] == f"{client.base_url}/"
    assert head.metas["twitter:card"] == "summary_large_image"
    assert decoded(client.get(head.metas["og:image"]).content)[:2] == SIZE
    assert "robots" not in head.metas


@pytest.mark.parametrize("key", catalog.keys())
@pytest.mark.parametrize(("kind", "title"), [("play", "Play {}"), ("rules", "Rules of {}"), ("study", "Study {}")])
def test_pages_about_a_game_name_it(client: httpx.Client, kind: str, title: str, key: str) -> None:
    game = catalog.find_game(key)
    head = head_of(client, f"/{kind}/{key}")
    assert head.title == f"{title.format(game.title)} · Parlour"
    assert head.metas["og:title"] == title.format(game.title)
    assert game.content.summary in head.metas["description"] == head.metas["og:description"]
    assert head.metas["og:image"].startswith(f"{client.base_url}/study/{key}/start/table.png")


def test_a_studied_position_is_told_with_its_options(client: httpx.Client) -> None:
    head = head_of(client, "/study/double-up/2.3?limit=50&first=2")
    assert head.metas["description"].startswith("After 2 moves, Player 2 to move")
    assert head.metas["og:url"] == f"{client.base_url}/study/double-up/2.3?limit=50&first=2"
    assert head.metas["og:image"].startswith(f"{client.base_url}/study/double-up/2.3/table.png?")
    others = [head_of(client, f"/study/double-up/2.{3 if limit else 4}?{limit}") for limit in ("", "limit=60")]
    assert len({head.metas["og:image"], *(other.metas["og:image"] for other in others)}) == 3


@pytest.mark.parametrize(
    "path", ["/play/nothing", "/study/nothing/2", "/study/double-up/9.9", "/study/double-up/2?limit=x", "/m/abcdefghjk"]
)
def test_a_page_that_has_nothing_to_show_opens_all_the_same(client: httpx.Client, path: str) -> None:
    head = head_of(client, path)
    assert (head.title, head.metas["og:url"]) == ("Parlour", f"{client.base_url}/")


def test_other_pages_have_titles(client: httpx.Client) -> None:
    assert head_of(client, "/import").title == "Import a record · Parlour"
    assert head_of(client, "/about").title == "About · Parlour"


# Of matches.


def test_an_invitation_says_who_invites(client: httpx.Client) -> None:
    made = challenge(client, game="double-up", name="Ann", options={"limit": "60"})
    head = head_of(client, f"/m/{made['id']}")
    assert head.metas["og:title"] == "Ann invites you to play Double Up"
    assert "Up to 60." in head.metas["description"]
    nameless = challenge(client, game="double-up")
    assert head_of(client, f"/m/{nameless['id']}").metas["og:title"] == "An invitation to play Double Up"


def test_a_match_is_told_as_those_see_it_who_watch(client: httpx.Client) -> None:
    first, second = sit_down(client, game="double-up", name="Ann")
    second.post("name", name="Ben")
    made = first.id
    playing = head_of(client, f"/m/{made}")
    assert playing.metas["og:title"] == "Double Up: Ann and Ben"
    assert playing.metas["description"].startswith("Ann to move. ")
    for secret in (first.secret, second.secret):
        assert secret not in client.get(f"/m/{made}").text
    first.post("move", move="2", ply=0)
    moved = head_of(client, f"/m/{made}")
    assert moved.metas["description"].startswith("Ben to move. ")
    assert moved.metas["og:image"] != playing.metas["og:image"], "what was kept of the old table is not shown"
    second.post("resign")
    assert head_of(client, f"/m/{made}").metas["description"].startswith("Ann won by resignation. ")


def test_matches_can_be_shown_and_are_not_listed(client: httpx.Client) -> None:
    made = challenge(client, kind="local", game="double-up")
    answer = client.get(f"/m/{made['id']}")
    assert answer.headers["X-Robots-Tag"] == "noindex"
    assert _Head(answer.text).metas["robots"] == "noindex"
    assert "/m/" not in client.get("/robots.txt").text, "whoever shows a link has to be allowed to read the page"


@pytest.mark.parametrize("name", NAMES)
def test_names_are_text_whatever_is_in_them(client: httpx.Client, name: str) -> None:
    made = challenge(client, kind="local", game="sequence-builder", names=[name, "Ben"])
    usual = _Head(client.get("/").text)
    head = head_of(client, f"/m/{made['id']}")
    assert head.metas["og:title"] == f"Sequence Builder: {name} and Ben"
    assert head.title == f"Sequence Builder: {name} and Ben · Parlour"
    assert head.others == usual.others, "no tag more than elsewhere"


def test_a_host_that_somebody_makes_up_is_text_too(client: httpx.Client) -> None:
    text = client.get("/", headers={"Host": 'x"><script>y</script>'}).text
    assert "<script>y" not in text


def test_a_page_does_not_wait_for_what_is_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    async def slow() -> PageHead:
        await asyncio.sleep(60)
        return PageHead("Late")

    monkeypatch.setattr(previews, "SECONDS_FOR_A_HEAD", 0.01)
    assert asyncio.run(previews._in_time(slow)) is ALL_PAGES


# The pictures; those that are drawn are in tests/system/web/test_pictures.py.


@pytest.mark.parametrize(
    ("path", "status"),
    [("/m/abcdefghjk/table.png", 404), ("/study/nothing/2/table.png", 404), ("/study/double-up/9.9/table.png", 400)],
)
def test_what_is_not_there_has_no_picture(client: httpx.Client, path: str, status: int) -> None:
    answer = client.get(path)
    assert answer.status_code == status
    assert set(answer.json()) >= {"code", "error"}


def test_without_what_draws_links_have_the_picture_of_all_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(previews, "can_draw", lambda: False)
    lines = head_lines(previews._game_head("double-up", "Play {}", "/play/{}"), "http://here")
    (image,) = re.findall(r'og:image" content="http://here(.*?)"', lines)
    assert image == f"{pages.files_path()}/icons/link.png"


def test_names_that_the_font_has_not_are_counted() -> None:
    assert chores.drawable_names(("Ελένη", "Иванова")) == ("Ελένη", "Иванова")
    assert chores.drawable_names(("Zoe\u0308", "Ł<b>")) == ("Zoë", "Ł<b>")
    assert chores.drawable_names(("Ann", "שרה")) == ("Player 1", "Player 2")
