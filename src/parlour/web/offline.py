"""What makes the page an app: a manifest to install it by, and a service worker with which it opens without the server.

The worker gets all that it keeps in one answer, so it has the page of one version or none, and whoever comes for the
first time costs one request more and not fifty.
"""

from __future__ import annotations

import json
from base64 import b64encode
from functools import cache
from pathlib import PurePosixPath

from fastapi import APIRouter, HTTPException, Request, Response

from parlour import catalog
from parlour.web.costs import FILE, LOOK, costs
from parlour.web.games import all_games, game_rules
from parlour.web.pages import (
    ALL_PAGES,
    DESCRIPTION,
    FOR_A_DAY,
    Prepared,
    document,
    files_path,
    head_lines,
    prepare,
    send,
    served_files,
)

router = APIRouter(include_in_schema=False)

GROUND = "#f4ecda"  # of the page by day, as in index.html: a manifest knows no night
WORKER = "worker.js"
NEEDED = (".js", ".css", ".svg", ".woff2")  # kinds of files without which the page does not open


@router.api_route("/manifest.json", methods=["GET", "HEAD"])
@costs(FILE)
async def manifest(request: Request) -> Response:
    return send(request, _manifest(), keep=FOR_A_DAY)


@cache
def _manifest() -> Prepared:
    """What a system needs to know to install the page: name, icons, colours, and where to begin."""
    icons = [{"src": f"{files_path()}/icon.svg", "sizes": "any", "type": "image/svg+xml"}]
    for size in (192, 512):
        for purpose in ("any", "maskable"):
            source = f"{files_path()}/icons/{purpose}-{size}.png"
            icons.append({"src": source, "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose})
    games = [catalog.find_game(key) for key in catalog.keys()]
    described = {
        "id": "/",
        "name": "Parlour: number games for two",
        "short_name": "Parlour",
        "description": DESCRIPTION,
        "lang": "en-GB",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": GROUND,
        "theme_color": GROUND,
        "categories": ["games"],
        "icons": icons,
        "shortcuts": [{"name": game.title, "url": f"/play/{game.key}"} for game in games],
    }
    return prepare("application/manifest+json", json.dumps(described, ensure_ascii=False).encode())


@router.api_route("/worker.js", methods=["GET", "HEAD"])
@costs(FILE)
async def worker(request: Request) -> Response:
    if not request.app.state.offline:
        raise HTTPException(404)
    return send(request, _worker())


@cache
def _worker() -> Prepared:
    """The service worker. It is another one whenever a file of the page has changed."""
    kind, body, _, _ = served_files()[WORKER]
    return prepare(kind, f'self.place = "{files_path()}/";\n'.encode() + body)


@router.api_route("/offline.json", methods=["GET", "HEAD"])
@costs(LOOK)
async def offline_files(request: Request) -> Response:
    return send(request, _offline_files())


@cache
def _offline_files() -> Prepared:
    """All that the page needs to open without the server: itself, its files, the games and their rules."""
    page = document(head_lines(ALL_PAGES, ""))
    kept = [{"path": "/", "kind": page.kind, "text": page.body.decode()}]
    for name, file in served_files().items():
        suffix = PurePosixPath(name).suffix
        if suffix in NEEDED and name != WORKER:
            content = {"base64": b64encode(file.body).decode()} if suffix == ".woff2" else {"text": file.body.decode()}
            kept.append({"path": f"{files_path()}/{name}", "kind": file.kind, **content})
    answers = {"/api/games": all_games(), **{f"/api/games/{key}": game_rules(key) for key in catalog.keys()}}
    kept += [{"path": path, "kind": answer.kind, "text": answer.body.decode()} for path, answer in answers.items()]
    return prepare("application/json", json.dumps({"place": f"{files_path()}/", "files": kept}).encode())
