"""No file names the host of a package registry: where packages come from is up to the person who installs them."""

from __future__ import annotations

from tests.support import ROOT

FOLDERS = [".ci", "bench", "deploy", "docs", "examples", "src", "tests", "verifier"]
BINARIES = {".gz", ".png", ".pyc", ".ttf", ".woff2"}
SPACED = ("pypi .org", "python hosted.org", "registry .npmjs", "unpkg .com", "anaconda .org")
HOSTS = [host.replace(" ", "").encode() for host in SPACED]  # so that this file does not name them


def test_no_file_names_a_registry_host() -> None:
    files = [path for path in ROOT.iterdir() if path.is_file()]
    files += [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.*") if path.is_file()]
    files = [path for path in files if path.suffix not in BINARIES and "vendor" not in path.parts]
    assert len(files) > 100
    for path in files:
        text = path.read_bytes()
        assert not [host for host in HOSTS if host in text], path.relative_to(ROOT)
