"""JSON documents: fields, descriptions and names. tests/interfaces/cli/test_documents.py checks what is written."""

from __future__ import annotations

import json
from typing import Any, NamedTuple, get_args

import pytest

from parlour.catalog import find_game
from parlour.documents import events
from parlour.game import Move
from parlour.outcome import Outcome, Termination
from parlour.rules import read_rules
from parlour.score import Score, Value
from parlour.solver import Choice
from parlour.writer import TABLES, about, document, extend, fields_of, record, retired, utc, write_json, written
from tests.support import ROOT

SCHEMA = ROOT / "docs" / "schema.json"


def schema() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(SCHEMA.read_text(encoding="utf-8"))
    return found


# The schema.


def test_every_field_is_described() -> None:
    for name, part in schema()["$defs"].items():
        assert part["description"], name
        assert ">>>" not in part["description"], f"{name}: examples are for Python"
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


@document
class Reordered(Sample):
    """A document that writes some fields first."""

    WRITTEN = ("extra", "*")

    extra: int = about("a field of its own")


def test_a_star_stands_for_all_other_fields() -> None:
    assert list(fields_of(Reordered(from_="here", old=1, extra=2))) == ["extra", "from", "old"]


def test_a_document_is_extended_with_more_fields() -> None:
    sample = Sample(from_="here", old=1, more="x")
    assert extend(Reordered, sample, extra=2) == Reordered(from_="here", old=1, more="x", extra=2)
    assert extend(Sample, sample, old=3) == Sample(from_="here", old=3, more="x")


@record(score="what it is worth")
class Pair(NamedTuple):
    """A record that doesn't write all of its fields."""

    score: Score | None
    other: int = 0


class Unregistered(NamedTuple):
    """A tuple that is no record."""

    number: int


def test_records_are_written_with_names_wherever_they_are() -> None:
    win = Score(Value.WIN, 3)
    assert write_json(win) == '{"value": "win", "plies": 3}'
    assert write_json([Pair(win), (Pair(None), 1)]) == (
        '[{"score": {"value": "win", "plies": 3}}, [{"score": null}, 1]]'
    )
    assert write_json({Value.WIN: Outcome(2, Termination.RESIGNED)}) == '{"win": {"winner": 2, "how": "resigned"}}'


def test_only_results_are_written() -> None:
    for other in (Unregistered(1), [Unregistered(1)], object()):
        with pytest.raises(TypeError, match="is not a document"):
            write_json(other)


def test_a_choice_is_written_with_the_names_of_its_rules() -> None:
    choice = Choice(move=Move(4), value=Value.DRAW, plies=None)
    spot = read_rules(find_game("sequence-spot"), {"grid": "5,3,8,1,6,7,4,9,2"})
    assert json.loads(write_json(choice, spot)) == {"move": spot.name(4), "value": "draw", "plies": None}


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
    assert all(TABLES[kind][0].key == "event" for kind in get_args(events.TableEvent))


def event_names(kind: Any) -> list[str]:
    told = schema()["$defs"][kind.__name__]["properties"]["event"]
    return [told["const"]] if "const" in told else list(told["enum"])
