"""The files of the page as an app: manifest, icons, service worker, and the list of what it caches."""

from __future__ import annotations

import json
import re

import httpx

from parlour import catalog
from parlour.web.pages import FOLDER
from tests.support.asgi import StartApp
from tests.support.png import decoded


def test_the_manifest_is_complete(client: httpx.Client) -> None:
    answer = client.get("/manifest.json")
    assert answer.headers["Content-Type"] == "application/manifest+json"
    manifest = answer.json()
    assert (manifest["start_url"], manifest["scope"], manifest["display"]) == ("/", "/", "standalone")
    assert [shortcut["url"] for shortcut in manifest["shortcuts"]] == [f"/play/{key}" for key in catalog.keys()]
    sizes = {(icon["sizes"], icon.get("purpose", "any")) for icon in manifest["icons"]}
    assert sizes == {("any", "any"), *((f"{n}x{n}", purpose) for n in (192, 512) for purpose in ("any", "maskable"))}
    for icon in manifest["icons"]:
        shown = client.get(icon["src"])
        assert shown.headers["Content-Type"] == icon["type"]
        if icon["type"] == "image/png":
            assert "{}x{}".format(*decoded(shown.content)) == icon["sizes"]
    assert manifest["theme_color"] in client.get("/").text


def test_what_is_kept_is_of_one_version_and_all_that_the_page_needs(client: httpx.Client) -> None:
    kept = client.get("/offline.json").json()
    place = re.findall(r"/static/\w+/", client.get("/").text)[0]
    assert kept["place"] == place
    assert f'self.place = "{place}";' in client.get("/worker.js").text
    files = {file["path"]: file for file in kept["files"]}
    assert len(files) == len(kept["files"])
    wanted = {f"{place}{path.relative_to(FOLDER).as_posix()}" for path in FOLDER.rglob("*.js")}
    assert wanted - files.keys() == {f"{place}worker.js"}
    for path, file in files.items():
        answer = client.get(path)
        assert answer.headers["Content-Type"].split(";")[0] == file["kind"].split(";")[0]
        if path.startswith("/api/"):
            assert answer.json() == json.loads(file["text"])
        elif "text" in file and path != "/":
            assert answer.text == file["text"]
    with client.stream("GET", "/offline.json", headers={"Accept-Encoding": "gzip"}) as zipped:
        assert len(b"".join(zipped.iter_raw())) < 150_000


def test_the_worker_is_asked_for_each_time(client: httpx.Client) -> None:
    answer = client.get("/worker.js")
    assert answer.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-cache"
    assert "worker-src 'self'" in answer.headers["Content-Security-Policy"]


def test_a_server_without_a_worker_says_so_in_its_pages(start_app: StartApp, client: httpx.Client) -> None:
    says_so = '<meta name="offline" content="no">'
    with start_app(offline=False).client() as without:
        assert says_so in without.get("/").text
        assert without.get("/worker.js").status_code == 404
    assert says_so not in client.get("/").text


def test_every_level_has_a_word(client: httpx.Client) -> None:
    for level in client.get("/api/games").json()["levels"]:
        assert level["about"]
        assert not level["about"].endswith(".")  # it is made a sentence of


def test_an_unknown_atlas_is_refused_and_an_unchanged_one_is_not_sent_again(client: httpx.Client) -> None:
    answer = client.get("/api/atlas/chess")
    assert (answer.status_code, answer.json()["code"]) == (404, "game/unknown")
    again = client.get("/api/atlas/double-up")
    cached = client.get("/api/atlas/double-up", headers={"If-None-Match": again.headers["ETag"]})
    assert (cached.status_code, cached.content) == (304, b"")
