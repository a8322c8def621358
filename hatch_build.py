"""Makes the manual page when a wheel is built, from the very commands that go into it."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ManualPage(BuildHookInterface):
    """Puts ``share/man/man1/parlour.1`` into the wheel, where ``man parlour`` finds it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        sys.path.insert(0, str(Path(self.root) / "src"))
        from parlour.cli import parlour
        from parlour.cli.manual import manual

        self.folder = TemporaryDirectory()
        page = Path(self.folder.name) / "parlour.1"
        page.write_text(manual(parlour) + "\n", encoding="utf-8")
        build_data["shared_data"][str(page)] = "share/man/man1/parlour.1"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version != "editable":
            self.folder.cleanup()
