"""Holds what Parlour writes against docs/schema.json, more strictly than a reader should: no field may be unknown."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import jsonschema_rs

from tests.support import ROOT

SCHEMA = ROOT / "docs" / "schema.json"


def check(document: Any, name: str) -> None:
    """Fail if this is not a document of that name."""
    _validator(name).validate(document)


@cache
def _validator(name: str) -> jsonschema_rs.Validator:
    parts = json.loads(SCHEMA.read_text(encoding="utf-8"))["$defs"]
    for part in parts.values():
        part["additionalProperties"] = False
    return jsonschema_rs.validator_for({"$ref": f"#/$defs/{name}", "$defs": parts})
