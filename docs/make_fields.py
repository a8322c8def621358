"""Write the tables of fields in ``docs/json.md`` and ``docs/api.md`` from the documents in the source.

Run it with: make reference (or with --check, which only says whether the tables are current)

A table belongs between ``<!-- fields: State -->`` and ``<!-- end of fields -->``. ``<!-- fields: TurnEvent without
RoundEvent -->`` leaves out the fields of another class.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Annotated, get_args, get_origin, get_type_hints

from parlour.schema import share_schemas
from parlour.text import sentence
from parlour.view import Range
from parlour.writer import TABLES

share_schemas()  # imports the module of every document
PAGES = tuple(Path(__file__).parent / name for name in ("json.md", "api.md"))
TABLE = re.compile(r"(<!-- fields: (\w+)(?: without (\w+))? -->\n)(.*?)(<!-- end of fields -->\n)", re.DOTALL)
DESCRIPTIONS = {cls.__name__: {row.key: row.description for row in rows} for cls, rows in TABLES.items()}
DESCRIPTIONS |= {
    cls.__name__: {
        name: get_args(hint)[1]
        for name, hint in get_type_hints(cls, include_extras=True).items()
        if get_origin(hint) is Annotated
    }
    for cls in (Range,)  # a record that is written by name
}


def updated(page: str) -> str:
    """Return a page with the current tables."""
    return TABLE.sub(lambda found: f"{found[1]}\n{table(found[2], found[3])}\n{found[5]}", page)


def table(name: str, without: str | None) -> str:
    """Return the fields of a document, but for those of another one, as a table."""
    left_out = DESCRIPTIONS[without] if without else {}
    rows = ["| Field | Description |", "|---|---|"]
    rows += [f"| `{key}` | {_cell(text)} |" for key, text in DESCRIPTIONS[name].items() if key not in left_out]
    return "\n".join(rows) + "\n"


def _cell(description: str) -> str:
    return re.sub(r"\b(null|true|false)\b", r"`\1`", sentence(description)).replace("|", "\\|")


def main() -> None:
    for path in PAGES:
        page = path.read_text(encoding="utf-8")
        new = updated(page)
        if "--check" in sys.argv[1:]:
            if new != page:
                sys.exit(f"the tables in docs/{path.name} are not current: make reference")
        else:
            path.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()
