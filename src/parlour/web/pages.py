"""The page: one document for all of its addresses, and the files that draw it.

The files have a digest of them all in their address. So a browser keeps them for good, what they import from each other
is of one version, and a new version is seen at once: only the document is asked for again. A page that is still open
when the server is upgraded finds the files of its version gone and loads itself anew.
"""

from __future__ import annotations

import gzip
import hashlib
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.responses import FileResponse
from starlette.middleware.gzip import GZipMiddleware
from starlette.staticfiles import StaticFiles

from parlour.web.costs import LOOK, costs

router = APIRouter(include_in_schema=False)

PAGES = ("/", "/play/{game}", "/m/{id}", "/study/{game}", "/study/{game}/{token}", "/rules/{game}", "/import", "/about")
FOLDER = Path(__file__).parent / "page"
FILES = "/static/"  # in the document; its digest follows when it is sent
FOR_GOOD = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"  # which is nearly always answered with "not modified"


def add_files(app: FastAPI) -> None:
    """Let an application serve the files of the page."""
    app.mount(files_path(), GZipMiddleware(UnchangingFiles(directory=FOLDER)))


class UnchangingFiles(StaticFiles):
    """Files that stay what they are as long as they have this address."""

    def file_response(self, *args: Any, **more: Any) -> Response:
        response = super().file_response(*args, **more)
        response.headers["Cache-Control"] = FOR_GOOD
        return response


@cache
def files_path() -> str:
    """Where the files of the page are: another place whenever one of them has changed."""
    digest = hashlib.sha256()
    for path in sorted(path for path in FOLDER.rglob("*") if path.is_file()):
        body = path.read_bytes()
        digest.update(f"{path.relative_to(FOLDER).as_posix()}\n{len(body)}\n".encode())
        digest.update(body)
    return f"{FILES}{digest.hexdigest()[:16]}"


class Prepared(NamedTuple):
    """An answer that is the same for everybody, ready to be sent."""

    kind: str
    body: bytes
    zipped: bytes
    tag: str  # a weak one: compressed or not, it is the same


def prepare(kind: str, body: bytes) -> Prepared:
    return Prepared(kind, body, gzip.compress(body, 9, mtime=0), f'W/"{hashlib.sha256(body).hexdigest()[:20]}"')


def send(request: Request, answer: Prepared, status: int = 200) -> Response:
    """The answer, or that whoever asks has it already."""
    headers = {"ETag": answer.tag, "Cache-Control": ASK_AGAIN, "Vary": "Accept-Encoding"}
    if status == 200 and answer.tag in request.headers.get("If-None-Match", ""):  # alone or in a list
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        return Response(answer.zipped, status, {**headers, "Content-Encoding": "gzip"}, answer.kind)
    return Response(answer.body, status, headers, answer.kind)


@cache
def document() -> Prepared:
    """The document of the page, which looks at its own address to see what it is to show."""
    text = (FOLDER / "index.html").read_text("utf-8")
    return prepare("text/html; charset=utf-8", text.replace(FILES, f"{files_path()}/").encode())


@costs(LOOK)
async def page(request: Request) -> Response:
    return send(request, document())


for path in PAGES:
    router.add_api_route(path, page, methods=["GET", "HEAD"])


@router.api_route("/favicon.ico", methods=["GET", "HEAD"])
@costs(LOOK)
async def icon() -> FileResponse:
    return FileResponse(FOLDER / "icon.svg", headers={"Cache-Control": ASK_AGAIN})


@router.api_route("/robots.txt", methods=["GET", "HEAD"])
@costs(LOOK)
async def robots() -> Response:
    return Response("User-agent: *\nDisallow: /m/\nDisallow: /api/\n", media_type="text/plain")


def not_found(request: Request) -> Response | None:
    """The page that says so, for a person; None for a program."""
    if request.url.path.startswith(("/api/", FILES)) or "text/html" not in request.headers.get("Accept", ""):
        return None
    return send(request, document(), 404)
