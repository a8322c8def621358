"""The installation of Parlour: how it is called, and the commands that install its extras."""

from __future__ import annotations

import os
import sys


def own_command() -> str:
    """Return the command that runs Parlour: its name, or its path if it is not on the shell's search path."""
    own = sys.argv[0]
    if os.path.basename(own) != "parlour":
        return "parlour"
    found = any(os.access(os.path.join(folder, "parlour"), os.X_OK) for folder in os.get_exec_path())
    return "parlour" if found else os.path.relpath(own)


def install_command(extra: str) -> str:
    """Return the shell command that installs an extra for the running Python.

    It uses the same source as this installation, because a package index may have another package of that name.
    """
    from shlex import join

    return join([_short(sys.executable) or "python", "-m", "pip", "install", *_source(extra)])


def make_command(target: str) -> str | None:
    """Return the ``make`` command for a target; None outside the virtual environment of a checkout."""
    checkout = _checkout()
    if checkout is None or not os.path.isfile(os.path.join(checkout, "Makefile")):
        return None
    if os.path.realpath(sys.prefix) != os.path.realpath(os.path.join(checkout, ".venv")):
        return None
    from shlex import join

    where = _short(checkout)
    return join(["make", *([] if where == "." else ["-C", where]), target])


def _checkout() -> str | None:
    """Return the folder of the source tree that this package runs from; None if it is installed elsewhere."""
    here = os.path.dirname(os.path.abspath(__file__))
    source, root = os.path.dirname(here), os.path.dirname(os.path.dirname(here))
    in_tree = os.path.basename(source) == "src" and os.path.isfile(os.path.join(root, "pyproject.toml"))
    return root if in_tree else None


def _source(extra: str) -> list[str]:
    """Return the arguments of ``pip install`` for this package with an extra."""
    checkout = _checkout()
    if checkout is not None:
        return ["--editable", f"{_as_path(checkout)}[{extra}]"]
    import json
    from importlib import metadata
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    try:
        origin = json.loads(metadata.distribution("parlour").read_text("direct_url.json") or "{}")
    except metadata.PackageNotFoundError:
        origin = {}
    url = origin.get("url", "")
    if not url:  # installed from an index
        return [f"parlour[{extra}]"]
    if "dir_info" in origin:
        return [f"{_as_path(url2pathname(urlsplit(url).path))}[{extra}]"]
    if vcs := origin.get("vcs_info"):
        url = f"{vcs['vcs']}+{url}@{vcs['commit_id']}"
    return [f"parlour[{extra}] @ {url}"]


def _short(path: str) -> str:
    """Return a path relative to the current folder if it is inside it."""
    try:
        relative = os.path.relpath(path)
    except (ValueError, OSError):  # on another drive, or the current folder is gone
        return path
    return path if relative.startswith(os.pardir) else relative


def _as_path(path: str) -> str:
    """Return a path that ``pip`` can't take for the name of a package."""
    short = _short(path)
    return short if short == "." or os.sep in short else os.path.join(".", short)
