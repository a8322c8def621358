"""A rule about imports and names that import-linter (``make check``) can't express."""

from __future__ import annotations

import re
from pathlib import Path

import parlour
from parlour import catalog

SOURCE = Path(parlour.__file__).parent


def test_no_module_but_its_own_names_a_game() -> None:
    words = [form for key in catalog.keys() for form in (key, key.replace("-", "_"), catalog.find_game(key).title)]
    pattern = re.compile("|".join(words))
    for path in SOURCE.rglob("*.py"):
        # The help page's examples and the record format's own example show games to people; no code looks at them.
        text = re.sub(r'"""(?:.|\n)*?"""', "", path.read_text())
        assert path.parent.name == "games" or not pattern.search(text), f"{path.name} names a game"
