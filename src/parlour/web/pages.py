"""The page and its files, read once and kept compressed."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import NamedTuple

from fastapi import APIRouter, HTTPException, Request, Response

router = APIRouter(include_in_schema=False)

PAGES = ("/", "/play/{game}", "/m/{id}", "/study/{game}", "/study/{game}/{token}", "/rules/{game}", "/import", "/about")
SMALL = 500  # bytes that are not worth compressing


class File(NamedTuple):
    """A file as it is sent."""

    kind: str
    body: bytes
    zipped: bytes | None
    tag: str  # a weak one: compressed or not, it is the same


def pack(kind: str, body: bytes) -> File:
    zipped = gzip.compress(body, 9, mtime=0) if len(body) > SMALL else None
    return File(kind, body, zipped, f'W/"{hashlib.sha256(body).hexdigest()[:20]}"')


@cache
def files() -> dict[str, File]:
    """Every file of the page by its path."""
    found: dict[str, File] = {}

    def add(folder: Traversable, path: str) -> None:
        for item in folder.iterdir():
            if item.is_dir():
                add(item, f"{path}{item.name}/")
            else:
                kind = mimetypes.guess_type(item.name)[0] or "application/octet-stream"
                if kind.startswith("text/") or kind.endswith(("javascript", "json", "xml")):
                    kind += "; charset=utf-8"
                found[f"{path}{item.name}"] = pack(kind, item.read_bytes())

    add(resources.files("parlour.web") / "page", "")
    return found


def send(request: Request, file: File, status: int = 200) -> Response:
    # Always asked for again, and nearly always answered with "not modified": a new version is seen at once.
    headers = {"ETag": file.tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    known = request.headers.get("If-None-Match", "")
    if file.tag in known and status == 200:  # alone or in a list
        return Response(status_code=304, headers=headers)
    if file.zipped is not None and _takes_gzip(request.headers.get("Accept-Encoding", "")):
        return Response(file.zipped, status, {**headers, "Content-Encoding": "gzip"}, file.kind)
    return Response(file.body, status, headers, file.kind)


def _takes_gzip(accepted: str) -> bool:
    for word in accepted.lower().split(","):
        name, _, weight = word.replace(" ", "").partition(";q=")
        if name == "gzip":
            return not weight or weight.strip("0.") != ""
    return False


async def page(request: Request) -> Response:
    """The page, which looks at its own address to see what it is to show."""
    return send(request, files()["index.html"])


for path in PAGES:
    router.add_api_route(path, page, methods=["GET", "HEAD"])


@router.api_route("/static/{path:path}", methods=["GET", "HEAD"])
async def static(request: Request, path: str) -> Response:
    file = files().get(path)
    if file is None:
        raise HTTPException(404)
    return send(request, file)


@router.api_route("/favicon.ico", methods=["GET", "HEAD"])
async def icon(request: Request) -> Response:
    return await static(request, "icon.svg")


@router.api_route("/robots.txt", methods=["GET", "HEAD"])
async def robots() -> Response:
    return Response("User-agent: *\nDisallow: /m/\nDisallow: /api/\n", media_type="text/plain")


def not_found(request: Request) -> Response | None:
    """The page that says so, for a person; None for a program."""
    if request.url.path.startswith(("/api/", "/static/")) or "text/html" not in request.headers.get("Accept", ""):
        return None
    return send(request, files()["index.html"], 404)
