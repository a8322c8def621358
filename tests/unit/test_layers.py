"""What may be imported where, and what the first prompt must not wait for."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import parlour
from parlour import catalog

SOURCE = Path(parlour.__file__).parent
HEAVY = ("numpy", "numba", "sqlalchemy", "fastapi", "rich")


def loaded_by(code: str, tmp_path: Path) -> set[str]:
    """The top-level modules in a fresh interpreter after this code."""
    script = f"import sys\n{code}\nprint(' '.join(sys.modules), file=sys.stderr)"
    environment = {"XDG_STATE_HOME": str(tmp_path), "PATH": ""}
    run = subprocess.run(
        [sys.executable, "-c", script],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    return {name.split(".")[0] for name in run.stderr.splitlines()[-1].split()}


def test_loading_the_catalog_needs_nothing_heavy(tmp_path: Path) -> None:
    code = "from parlour import catalog\nfor key in catalog.keys(): catalog.find_game(key)"
    assert not loaded_by(code, tmp_path) & {*HEAVY, "click"}


def test_the_first_prompt_needs_nothing_heavy(tmp_path: Path) -> None:
    code = (
        "from parlour.cli import main\nsys.argv = ['parlour', 'play', 'double-up']\n"
        "try: main()\nexcept SystemExit as left: assert left.code == 1"
    )
    loaded = loaded_by(code, tmp_path)
    assert "click" in loaded, "the prompt was not reached"
    assert not loaded & set(HEAVY)


def test_the_match_service_needs_nothing_of_the_web(tmp_path: Path) -> None:
    code = "import parlour.service.matches, parlour.store"
    loaded = loaded_by(code, tmp_path)
    assert "sqlalchemy" in loaded
    assert not loaded & {"fastapi", "starlette", "pydantic", "uvicorn", "websockets", "click"}


def test_no_module_but_its_own_names_a_game() -> None:
    words = [form for key in catalog.keys() for form in (key, key.replace("-", "_"), catalog.find_game(key).title)]
    pattern = re.compile("|".join(words))
    for path in SOURCE.rglob("*.py"):
        # The help page's examples and the record format's own example show games to people; no code looks at them.
        text = re.sub(r'"""(?:.|\n)*?"""', "", path.read_text())
        assert path.parent.name == "games" or not pattern.search(text), f"{path.name} names a game"
