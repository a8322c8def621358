"""The page: one document for all of its addresses, and the files that draw it.

The files are served as they are written, but for their comments. They have a digest of them all in their address. So a
browser keeps them for good, what they import from each other is of one version, and a new version is seen at once: only
the document is asked for again. A page that is still open when the server is upgraded finds the files of its version in
the browser, where its service worker keeps them, or else loads itself anew.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from functools import cache, lru_cache
from html import escape
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from fastapi import APIRouter, Request, Response
from starlette.exceptions import HTTPException

from parlour.web.costs import FILE, costs

router = APIRouter(include_in_schema=False)

FOLDER = Path(__file__).parent / "page"
FILES = "/static/"  # in the document; its digest follows when it is sent
FOR_GOOD = "public, max-age=31536000, immutable"
FOR_A_DAY = "public, max-age=86400"
ASK_AGAIN = "no-cache"  # which is nearly always answered with "not modified"
KINDS = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
}
# Comments that have their lines to themselves. They are a fifth of what would be sent.
COMMENTS = re.compile(r"^[ \t]*(?://.*|/\*(?:(?!\*/)(?s:.))*\*/[ \t]*)$", re.MULTILINE)
NOT_OFFLINE = '<meta name="offline" content="no">'  # tells the page to unregister its service worker
HEAD = '<meta name="head">'  # in the document, where what it says of itself belongs
DESCRIPTION = "Number games for two, solved to the last move: play a friend by link, the computer, or across one table."


def page_files() -> dict[str, bytes]:
    """All files of the page, by their paths within its folder."""
    paths = sorted(path for path in FOLDER.rglob("*") if path.is_file())
    return {path.relative_to(FOLDER).as_posix(): path.read_bytes() for path in paths}


@cache
def files_path() -> str:
    """Where the files of the page are: another place whenever one of them has changed."""
    digest = hashlib.sha256()
    for name, body in page_files().items():
        digest.update(f"{name}\n{len(body)}\n".encode())
        digest.update(body)
    return f"{FILES}{digest.hexdigest()[:16]}"


def without_comments(text: str) -> str:
    """A module or a style sheet without its comments; every line of code stays where it is."""
    return COMMENTS.sub(lambda comment: "\n" * comment[0].count("\n"), text)


class Prepared(NamedTuple):
    """An answer that is the same for everybody, ready to be sent."""

    kind: str
    body: bytes
    zipped: bytes
    tag: str  # a weak one: compressed or not, it is the same


def prepare(kind: str, body: bytes) -> Prepared:
    return Prepared(kind, body, gzip.compress(body, 9, mtime=0), weak_tag(body))


def weak_tag(body: bytes) -> str:
    """What an answer is known by, compressed or not."""
    return f'W/"{hashlib.sha256(body).hexdigest()[:20]}"'


def has_it(request: Request, tag: str) -> bool:
    """Whether whoever asks has what goes by this tag."""
    return tag in request.headers.get("If-None-Match", "")  # alone or in a list


def send(request: Request, answer: Prepared, status: int = 200, keep: str = ASK_AGAIN) -> Response:
    """The answer, or that whoever asks has it already."""
    headers = {"ETag": answer.tag, "Cache-Control": keep, "Vary": "Accept-Encoding"}
    if status == 200 and has_it(request, answer.tag):
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("Accept-Encoding", "") and len(answer.zipped) < len(answer.body):
        return Response(answer.zipped, status, {**headers, "Content-Encoding": "gzip"}, answer.kind)
    return Response(answer.body, status, headers, answer.kind)


# The files.


@costs(FILE)
async def file(request: Request) -> Response:
    version, name = request.path_params["version"], request.path_params["name"]
    if f"{FILES}{version}" != files_path() or name not in served_files():
        raise HTTPException(404)
    return send(request, served_files()[name], keep=FOR_GOOD)


router.add_route(FILES + "{version}/{name:path}", file, methods=["GET", "HEAD"])  # FastAPI's would take twice as long


@cache
def served_files() -> dict[str, Prepared]:
    """The files that a browser may ask for, as it gets them."""
    return {name: _served(name, body) for name, body in page_files().items() if PurePosixPath(name).suffix in KINDS}


def _served(name: str, body: bytes) -> Prepared:
    suffix = PurePosixPath(name).suffix
    if suffix in (".js", ".css") and not name.startswith("vendor/"):
        body = without_comments(body.decode()).encode()
    return prepare(KINDS[suffix], body)


# The document.


class LinkPicture(NamedTuple):
    """What is shown beside a link: its address on this server, and what there is to see, in words."""

    path: str
    words: str


class PageHead(NamedTuple):
    """What a page says of itself, for its tab, for search engines, and for those who show a link to it."""

    title: str = ""
    description: str = DESCRIPTION
    path: str = "/"  # where it is, without what only leads there
    picture: LinkPicture | None = None  # None: the one of all pages
    listed: bool = True  # search engines may list it


ALL_PAGES = PageHead()


def head_lines(head: PageHead, origin: str) -> str:
    """A head as HTML; ``origin`` is what this server is called by whoever asks, for links need whole addresses."""
    title = f"{head.title} · Parlour" if head.title else "Parlour"
    picture = head.picture or LinkPicture(f"{files_path()}/icons/link.png", "A disc, a diamond and the word Parlour")
    shown = {
        "og:site_name": "Parlour",
        "og:type": "website",
        "og:title": head.title or "Parlour: number games for two",
        "og:description": head.description,
        "og:url": origin + head.path,
        "og:image": origin + picture.path,
        "og:image:type": "image/png",
        "og:image:width": "1200",
        "og:image:height": "630",
        "og:image:alt": picture.words,
    }
    lines = [f"<title>{escape(title)}</title>", f'<meta name="description" content="{escape(head.description)}">']
    lines += [f'<meta property="{name}" content="{escape(text)}">' for name, text in shown.items()]
    lines.append('<meta name="twitter:card" content="summary_large_image">')
    if not head.listed:
        lines.append('<meta name="robots" content="noindex">')
    return "\n".join(lines)


def show_page(request: Request, head: PageHead = ALL_PAGES, status: int = 200) -> Response:
    """The document, which looks at its own address to see what it is to show."""
    origin = f"{request.url.scheme}://{request.url.netloc}"
    lines = head_lines(head, origin)
    if not request.app.state.offline:
        lines += f"\n{NOT_OFFLINE}"
    response = send(request, document(lines), status)
    if not head.listed:
        response.headers["X-Robots-Tag"] = "noindex"
    return response


@lru_cache(maxsize=100)
def document(head: str) -> Prepared:
    """The document with a head."""
    return prepare("text/html; charset=utf-8", _template().replace(HEAD, head).encode())


@cache
def _template() -> str:
    """Return the document without its head. The head names the host, so that clients can ask for any number of them."""
    return (FOLDER / "index.html").read_text("utf-8").replace(FILES, f"{files_path()}/")


def not_found(request: Request) -> Response | None:
    """The page that says so, for a person; None for a program."""
    if request.url.path.startswith(("/api/", FILES)) or "text/html" not in request.headers.get("Accept", ""):
        return None
    return show_page(request, status=404)


@router.api_route("/favicon.ico", methods=["GET", "HEAD"])
@costs(FILE)
async def icon(request: Request) -> Response:
    return send(request, served_files()["icon.svg"])


@router.api_route("/robots.txt", methods=["GET", "HEAD"])
@costs(FILE)
async def robots() -> Response:
    """Matches are not listed, which their pages say: whoever shows a link to one has to be able to read that."""
    return Response("User-agent: *\nDisallow: /api/\n", media_type="text/plain")
