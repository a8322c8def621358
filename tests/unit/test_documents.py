"""JSON documents: fields, descriptions and names. tests/interfaces/cli/test_documents.py checks what is written."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from typing import Any, get_args

from parlour.documents import events
from parlour.writer import about, document, fields_of, retired, utc, write_json, written
from tests.support import ROOT

SCHEMA = ROOT / "docs" / "schema.json"


def schema() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(SCHEMA.read_text(encoding="utf-8"))
    return found


# The schema.


def test_every_field_is_described() -> None:
    for name, part in schema()["$defs"].items():
        assert part["description"], name
        for field, about_it in part["properties"].items():
            assert about_it["description"], f"{name}.{field}"
            assert not about_it["description"].endswith("."), f"{name}.{field}: a description is no sentence"


def test_what_is_to_go_says_so() -> None:
    deprecated = {
        (name, field)
        for name, part in schema()["$defs"].items()
        for field, about_it in part["properties"].items()
        if about_it.get("deprecated") or "kept for readers" in about_it["description"]
    }
    assert deprecated == {("GroupDocument", "player"), ("GroupFrame", "player"), ("TileDocument", "player")}


# What a document is.


@document
class Sample:
    """An example."""

    from_: str = about("a word that Python keeps for itself", name="from")
    old: int = retired("the same as nothing")
    more: str | None = about("mostly nothing", default=None)


@document
class Short(Sample):
    """A document that is written in an order of its own."""

    WRITTEN = ("extra", "from_", "length")

    extra: int = about("a field of its own")

    @property
    @written
    def length(self) -> int:
        """characters of the word"""
        return len(self.from_)


@document
class Long(Short):
    """A document that writes all that its bases declare."""


def test_a_document_can_select_and_order_what_is_written() -> None:
    assert list(fields_of(Short(from_="here", old=1, extra=2)).items()) == [
        ("extra", 2),
        ("from", "here"),
        ("length", 4),
    ]
    assert list(fields_of(Long(from_="here", old=1, extra=2))) == ["from", "old", "extra", "length"]


def test_a_field_is_left_out_while_it_has_its_default() -> None:
    assert fields_of(Sample(from_="here", old=1)) == {"from": "here", "old": 1}
    assert write_json([Sample(from_="hé", old=1, more="x")]) == '[{"from": "hé", "old": 1, "more": "x"}]'
    assert write_json({"some": Sample(from_="", old=2)}) == '{"some": {"from": "", "old": 2}}'


def test_times_are_utc() -> None:
    assert utc(0) == "1970-01-01T00:00:00Z"
    assert utc(1_000_000_000.9) == "2001-09-09T01:46:40Z"


def test_every_event_has_a_name_of_its_own() -> None:
    names = [name for kind in get_args(events.TableEvent) for name in event_names(kind)]
    assert len(names) == len(set(names)) == 13
    assert all(is_dataclass(kind) and fields(kind)[0].name == "event" for kind in get_args(events.TableEvent))


def event_names(kind: Any) -> list[str]:
    told = schema()["$defs"][kind.__name__]["properties"]["event"]
    return [told["const"]] if "const" in told else list(told["enum"])
