"""Print the schemas of the web's documents as an OpenAPI document. The page's types are made of it."""

from __future__ import annotations

import json
from typing import Any

from parlour.store import open_store
from parlour.web.app import make_app

WORDS = ("title", "description")


def schemas() -> dict[str, Any]:
    """Without addresses and without words: types change only when a document does."""
    described = make_app(open_store("sqlite://")).openapi()
    return {**described, "paths": {}, "components": without_words(described["components"])}


def without_words(part: Any) -> Any:
    if isinstance(part, list):
        return [without_words(each) for each in part]
    if not isinstance(part, dict):
        return part
    kept = {name: value for name, value in part.items() if not (name in WORDS and isinstance(value, str))}
    return {name: without_words(value) for name, value in kept.items()}


if __name__ == "__main__":
    print(json.dumps(schemas()))
