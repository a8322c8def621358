"""The files of the page: as they lie in the package, and as they are served."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from pathlib import Path

import httpx
import pytest

import parlour.web
from parlour.web.pages import without_comments
from tests.support import ROOT

PAGE = Path(parlour.web.__file__).parent / "page"
PACKAGE = ROOT / "package.json"  # only where Parlour is developed
MODULES = sorted(path for path in PAGE.glob("*.js") if path.name != "early.js")
LONGEST = 300  # lines


def imports(name: str) -> set[str]:
    """The modules that a module imports before it runs, by their paths without the ending."""
    text = (PAGE / f"{name}.js").read_text("utf-8")
    return set(re.findall(r'^(?:import|\}) .*?from "\./(.+)\.js";$', text, re.MULTILINE))


def needs(name: str) -> set[str]:
    """Those and whatever they import, the module itself included."""
    found, new = {name}, {name}
    while new:
        new = {each for one in new for each in imports(one)} - found
        found |= new
    return found


def preloaded() -> dict[str, set[str]]:
    """What is fetched at once, by the first word of the address."""
    text = (PAGE / "early.js").read_text("utf-8")
    words = dict(re.findall(r'const (always|table|puzzle) = "(.*)";', text))
    lists = re.findall(r'^    "?(\w*)"?: ["`](.*)["`],$', text, re.MULTILINE)
    lists += [("about", other) for other in re.findall(r'\?\? "(.*)";', text)]  # as all pages that are not listed
    lists += [(kind, words[word or kind]) for kind, word in re.findall(r"^    (\w+)(?:: (\w+))?,$", text, re.MULTILINE)]
    for word, names in words.items():
        lists = [(kind, listed.replace(f"${{{word}}}", names)) for kind, listed in lists]
    named = {kind: set(names.split()) for kind, names in lists}
    return {kind: names | set(words["always"].split()) for kind, names in named.items()}


def test_what_a_page_needs_is_fetched_at_once() -> None:
    pages = {"": "home", "play": "setup", "m": "match", "study": "study", "rules": "rules", "about": "others"}
    pages |= {"daily": "puzzle", "puzzle": "puzzle", "puzzles": "puzzles", "atlas": "atlas"}
    pages |= {"mistakes": "mistakes", "mistake": "puzzle", "master": "master", "exam": "exam"}
    app = needs("app") - {"app"}  # the document itself asks for that one
    assert preloaded() == {kind: app | needs(name) for kind, name in pages.items()}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_no_module_is_too_long_to_be_read(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) < LONGEST


def test_the_libraries_are_what_their_table_says() -> None:
    table = (PAGE / "vendor" / "README.md").read_text("utf-8")
    rows = [[cell.strip(" `") for cell in row.split("|")[1:-1]] for row in table.splitlines() if row.startswith("| `")]
    files = [path for path in (PAGE / "vendor").iterdir() if path.suffix in (".js", ".woff2")]
    assert {row[0] for row in rows} == {path.name for path in files}
    for file, package, version, _, _, digest in rows:
        assert hashlib.sha256((PAGE / "vendor" / file).read_bytes()).hexdigest() == digest
        if PACKAGE.exists() and file.endswith(".js"):  # their types have to be those of the same version
            assert json.loads(PACKAGE.read_text("utf-8"))["devDependencies"][package] == version


def test_the_font_of_the_cards_is_what_its_table_says() -> None:
    table = (PAGE.parent / "vendor" / "README.md").read_text("utf-8")
    assert hashlib.sha256((PAGE.parent / "vendor" / "cards.ttf").read_bytes()).hexdigest() in table


def test_the_font_of_the_page_is_small() -> None:
    assert (PAGE / "vendor" / "fraunces.woff2").stat().st_size < 14_000


# As they are served.


def files_of(client: httpx.Client) -> str:
    """Where the document says that its files are."""
    found = set(re.findall(r'(?:src|href)="(/static/\w+/)', client.get("/").text))
    assert len(found) == 1
    return found.pop()


def without_head(text: str) -> str:
    """The document without what it says of itself."""
    return re.sub(r"<title>.*(?=<meta name=.color-scheme)", "", text, flags=re.DOTALL)


@pytest.mark.parametrize("path", ["/", "/m/abcdefghjk", "/study/double-up/2.3", "/about"])
def test_the_document_is_asked_for_each_time_and_sent_only_once(client: httpx.Client, path: str) -> None:
    answer = client.get(path)
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-cache"
    assert without_head(answer.text) == without_head(client.get("/").text)
    again = client.get(path, headers={"If-None-Match": f'"another", {answer.headers["ETag"]}'})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get(path, headers={"If-None-Match": '"another"'}).status_code == 200
    head = client.head(path)
    assert (head.status_code, head.content, head.headers["ETag"]) == (200, b"", answer.headers["ETag"])


def test_the_files_are_kept_for_good(client: httpx.Client) -> None:
    place = files_of(client)
    kinds = {".js": "javascript", ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png", ".woff2": "font/"}
    files = [file for file in PAGE.rglob("*") if file.suffix in kinds]
    assert len(files) > 40
    for file in files:
        answer = client.get(f"{place}{file.relative_to(PAGE).as_posix()}")
        if file.suffix in (".js", ".css") and file.parent.name != "vendor":
            assert_is_without_comments(answer.text, file.read_text("utf-8"))
        else:
            assert answer.content == file.read_bytes()
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert kinds[file.suffix] in answer.headers["Content-Type"]


def assert_is_without_comments(served: str, written: str) -> None:
    """Line by line as it was written; but where there was nothing but a comment, there is nothing."""
    lines = list(zip(served.splitlines(), written.splitlines(), strict=True))
    inside = False
    for sent, line in lines:
        begins, ends = line.lstrip().startswith("/*"), line.rstrip().endswith("*/")
        alone = line.lstrip().startswith("//") or inside or (begins and (ends or "*/" not in line))
        inside = (inside or (begins and "*/" not in line)) and not ends
        assert sent == ("" if alone else line)
    assert sum(bool(line) and not sent for sent, line in lines), "every file says what it is for"


def test_only_comments_are_left_out() -> None:
    text = '// a\nconst b = 1; // c\n  /** d\n   * e */\n/** @type {F} */ (g)\nh("// i"); /* j\nk */\n'
    assert without_comments(text) == '\nconst b = 1; // c\n\n\n/** @type {F} */ (g)\nh("// i"); /* j\nk */\n'


def test_the_files_travel_compressed_and_only_once(client: httpx.Client) -> None:
    address = f"{files_of(client)}style.css"
    plain = client.get(address, headers={"Accept-Encoding": "identity"})
    assert "Content-Encoding" not in plain.headers
    with client.stream("GET", address, headers={"Accept-Encoding": "gzip"}) as zipped:
        raw = b"".join(zipped.iter_raw())
    assert zipped.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in zipped.headers["Vary"]
    assert gzip.decompress(raw) == plain.content
    assert len(raw) < len(plain.content) / 3
    again = client.get(address, headers={"If-None-Match": plain.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["Cache-Control"] == plain.headers["Cache-Control"]
    head = client.head(address)
    assert (head.status_code, head.content, head.headers["ETag"]) == (200, b"", plain.headers["ETag"])


@pytest.mark.parametrize(
    "path", ["app.js", "0123456789abcdef/app.js", "{here}nothing.js", "{here}", "{here}%2e%2e/pages.py"]
)
def test_what_is_not_one_of_the_files_is_not_there(client: httpx.Client, path: str) -> None:
    """Those of another version included, which must not be mixed with these."""
    place = files_of(client).removeprefix("/static/")
    answer = client.get(f"/static/{path.format(here=place)}", headers={"Accept": "text/html"})
    assert (answer.status_code, answer.json()["code"]) == (404, "page/unknown")
    assert answer.headers["Cache-Control"] == "no-store"


def test_the_icon_is_also_where_browsers_look_for_it(client: httpx.Client) -> None:
    icon = client.get("/favicon.ico")
    assert icon.content == (PAGE / "icon.svg").read_bytes()
    assert icon.headers["Content-Type"] == "image/svg+xml"
    assert icon.headers["Cache-Control"] == "no-cache"
