"""Write src/parlour/__init__.pyi, where type checkers find the public names. Run it with: make reference"""

from __future__ import annotations

from pathlib import Path

import parlour

STUB = Path(__file__).parent.parent / "src" / "parlour" / "__init__.pyi"
MODULES = ("errors", "game", "options", "view")  # the public ones


def stub() -> str:
    """Return the stub: each name of ``parlour`` as an import that type checkers take for an export."""
    lines = ["# Written by `make reference`."]
    for module, names in {"parlour": MODULES, "parlour.version": ("__version__",), **parlour._NAMES}.items():
        lines += [f"from {module} import {name} as {name}" for name in names]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    STUB.write_text(stub(), encoding="utf-8")
