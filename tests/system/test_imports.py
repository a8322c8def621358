"""Modules that a fresh interpreter loads: heavy ones only when they are needed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from parlour import documents

HEAVY = {"numpy", "wasmtime", "sqlalchemy", "fastapi", "rich"}


def loaded_by(code: str, tmp_path: Path) -> set[str]:
    """Return the modules in a fresh interpreter after this code, with their packages."""
    script = f"import sys\n{code}\nprint(' '.join(sys.modules), file=sys.stderr)"
    run = subprocess.run(
        [sys.executable, "-c", script],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        env={"XDG_STATE_HOME": str(tmp_path), "PATH": ""},
    )
    return set(run.stderr.splitlines()[-1].split())


def test_loading_the_catalog_imports_nothing_heavy(tmp_path: Path) -> None:
    code = "from parlour import catalog\nfor key in catalog.keys(): catalog.find_game(key)"
    assert not loaded_by(code, tmp_path) & {*HEAVY, "click"}


def test_the_first_prompt_imports_nothing_heavy(tmp_path: Path) -> None:
    code = (
        "from parlour.cli import main\nsys.argv = ['parlour', 'play', 'double-up']\n"
        "try: main()\nexcept SystemExit as left: assert left.code == 1"
    )
    loaded = loaded_by(code, tmp_path)
    assert "click" in loaded, "the prompt was not reached"
    assert not loaded & HEAVY


def test_the_match_service_imports_nothing_of_the_web(tmp_path: Path) -> None:
    loaded = loaded_by("import parlour.service.matches, parlour.store", tmp_path)
    assert "sqlalchemy" in loaded
    assert not loaded & {"fastapi", "starlette", "pydantic", "uvicorn", "websockets", "click"}


def test_documents_import_no_framework(tmp_path: Path) -> None:
    kinds = [path.stem for path in Path(documents.__file__).parent.glob("*.py") if path.stem != "__init__"]
    loaded = loaded_by("\n".join(f"import parlour.documents.{kind}" for kind in kinds), tmp_path)
    assert "parlour.documents.events" in loaded
    assert not loaded & {"pydantic", "fastapi", "click", "numpy", "wasmtime", "sqlalchemy"}


def test_the_library_imports_heavy_modules_late(tmp_path: Path) -> None:
    heavy = {"numpy", "wasmtime", "click", "asyncio", "concurrent.futures", "sqlite3", "parlour.solver"}
    early = loaded_by("import parlour", tmp_path)
    assert not early & {*heavy, "parlour.picture"}
    played = "match = parlour.new_match('double-up'); match.play_line('2 3'); str(match), match.svg(), dir(parlour)"
    assert not loaded_by(f"import parlour\n{played}", tmp_path) & heavy
    late = loaded_by("import parlour\nparlour.Solver, parlour.tabulate, parlour.playouts", tmp_path)
    assert "parlour.solver" in late
    assert not late & {"numpy", "wasmtime"}
