"""Errors without an entry in the table of answers, as an event and as a response."""

from __future__ import annotations

import json

import pytest

from parlour.cli.json_teller import JsonTeller
from parlour.errors import BadDatabase, UnreadableMove
from parlour.web.refusals import refuse
from tests.support.tabletop import begin


def test_an_unlisted_error_is_an_event_and_a_response(capsys: pytest.CaptureFixture[str]) -> None:
    move = type("Odd", (UnreadableMove,), {})("odd", "it is odd", "1-2")
    JsonTeller().refuses(begin("double-up"), "odd", move)
    assert json.loads(capsys.readouterr().out)["code"] == "move/unreadable"
    assert json.loads(bytes(refuse(move).body))["code"] == "move/unreadable"
    database = type("Gone", (BadDatabase,), {})("postgres: password ...")
    response = refuse(database)
    assert (response.status_code, b"password" in bytes(response.body)) == (503, False)
