"""Advice that fits this installation: the command to type, and how to install what is missing."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import pytest

from parlour import installation
from parlour.installation import install_command, make_command, own_command
from tests.support.command import Run


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a source tree that Parlour seems to run from, with the environment of its Makefile."""
    root = tmp_path / "own tree"
    package = root / "src" / "parlour"
    for folder in (package, root / "docs", root / ".venv" / "bin"):
        folder.mkdir(parents=True)
    for name in ("pyproject.toml", "Makefile"):
        (root / name).touch()
    monkeypatch.setattr(installation, "__file__", str(package / "installation.py"))
    monkeypatch.setattr(sys, "prefix", str(root / ".venv"))
    monkeypatch.setattr(sys, "executable", str(root / ".venv" / "bin" / "python"))
    return root


@pytest.mark.parametrize("folder", [".", "docs", ".."])
def test_in_a_checkout_its_own_python_installs_from_it(
    checkout: Path, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cwd = (checkout / folder).resolve()
    monkeypatch.chdir(cwd)
    python, *words, target = shlex.split(install_command("batch"))
    assert words == ["-m", "pip", "install", "--editable"]
    assert target.endswith("[batch]")
    place = target.removesuffix("[batch]")
    assert place == "." or os.sep in place, "pip would take it for the name of a package"
    assert (cwd / place).resolve() == checkout
    assert cwd / python == checkout / ".venv" / "bin" / "python"


def test_make_is_advised_in_its_own_environment(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(checkout)
    assert make_command("serve") == "make serve"
    monkeypatch.chdir("/")
    assert make_command("serve") == shlex.join(["make", "-C", str(checkout).lstrip("/"), "serve"])
    monkeypatch.setattr(sys, "prefix", "/usr")
    assert make_command("serve") is None
    monkeypatch.setattr(sys, "prefix", str(checkout / ".venv"))
    (checkout / "Makefile").unlink()
    assert make_command("serve") is None


def test_a_page_without_its_server_advises_make(
    checkout: Path, run: Callable[..., Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    told = run("serve", cwd=checkout)
    assert (told.code, told.err) == (1, "parlour: the page needs uvicorn; start it with: make serve\n")


ARCHIVE = Path("/downloads/parlour-0.1.0-py3-none-any.whl").as_uri()
ORIGINS: dict[str, tuple[dict[str, object] | None, str]] = {
    "an index": (None, "parlour[batch]"),
    "a folder": ({"url": Path("/source/of mine").as_uri(), "dir_info": {}}, "/source/of mine[batch]"),
    "a wheel": ({"url": ARCHIVE, "archive_info": {}}, f"parlour[batch] @ {ARCHIVE}"),
    "a repository": (
        {"url": "https://code.example/p.git", "vcs_info": {"vcs": "git", "commit_id": "c0ffee"}},
        "parlour[batch] @ git+https://code.example/p.git@c0ffee",
    ),
}


@pytest.mark.parametrize("origin", ORIGINS)
def test_elsewhere_it_is_installed_from_where_it_came(
    tmp_path: Path, origin: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, target = ORIGINS[origin]
    information = tmp_path / "parlour-0.1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: parlour\nVersion: 0.1.0\n")
    if found is not None:
        (information / "direct_url.json").write_text(json.dumps(found))
    monkeypatch.setattr(metadata, "distribution", lambda name: metadata.PathDistribution(information))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(installation, "__file__", str(tmp_path / "parlour" / "installation.py"))
    assert shlex.split(install_command("batch")) == [sys.executable, "-m", "pip", "install", target]
    assert make_command("serve") is None


def test_a_parlour_without_metadata_is_installed_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def distribution(name: str) -> metadata.Distribution:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "distribution", distribution)
    monkeypatch.setattr(installation, "__file__", str(tmp_path / "parlour" / "installation.py"))
    assert shlex.split(install_command("batch"))[-1] == "parlour[batch]"


def test_the_command_is_named_by_its_path_where_the_shell_would_not_find_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "bin" / "parlour"
    script.parent.mkdir()
    script.touch(mode=0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [str(script)])
    monkeypatch.setenv("PATH", str(tmp_path))
    assert own_command() == os.path.join("bin", "parlour")
    monkeypatch.setenv("PATH", str(script.parent))
    assert own_command() == "parlour"
    monkeypatch.setattr(sys, "argv", ["-c"])
    assert own_command() == "parlour"
