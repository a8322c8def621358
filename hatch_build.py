"""Writes the man pages when a wheel is built, from the commands that go into it."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ManPages(BuildHookInterface):
    """Puts the pages into ``share/man/man1`` of the wheel, where ``man parlour`` finds them."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        sys.path[:0] = [str(Path(self.root) / "src"), str(Path(self.root) / "tools")]
        from man_pages import write_man_pages

        self.folder = TemporaryDirectory()
        write_man_pages(self.folder.name)
        for page in Path(self.folder.name).iterdir():
            build_data["shared_data"][str(page)] = f"share/man/man1/{page.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version != "editable":
            self.folder.cleanup()
