"""Games unlike ours, each in one file as CONTRIBUTING asks for, and a Parlour that has them among its games."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import parlour
from tests.support import ROOT

HERE = Path(__file__).parent
FOREIGN = sorted(path for path in HERE.glob("*.py") if path.name != "__init__.py")
COUNTDOWN: str = re.search(r"```python\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(), re.DOTALL)[1]  # type: ignore[index]


def with_more_games(home: Path) -> dict[str, str]:
    """The environment of a Parlour in which nothing was edited, but some files were added to its games."""
    shutil.copytree(Path(parlour.__file__).parent, home / "parlour", ignore=shutil.ignore_patterns("__pycache__"))
    for path in FOREIGN:
        shutil.copy(path, home / "parlour" / "games")
    (home / "parlour" / "games" / "countdown.py").write_text(COUNTDOWN)
    return {
        **os.environ,
        "PYTHONPATH": str(home),
        "XDG_STATE_HOME": str(home / "state"),
        "XDG_CACHE_HOME": str(home / "cache"),
    }
