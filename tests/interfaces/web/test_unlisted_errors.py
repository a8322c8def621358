"""Errors without a code of their own, as an event and as a response."""

from __future__ import annotations

import io
import json

import pytest

from parlour.errors import MoveRefused, ParlourError, UnreadableMove
from parlour.store.errors import BadDatabase
from parlour.terminal.events import Refused
from parlour.terminal.json_lines import JsonLines
from parlour.web.framing import frame, read_message
from parlour.web.pool import _answer
from parlour.web.refusals import ERRORS, refuse
from parlour.web.worker import ERROR_MODULES, _error
from tests.support.errors import examples, tree
from tests.support.tabletop import begin


def test_an_unlisted_error_is_an_event_and_a_response(capsys: pytest.CaptureFixture[str]) -> None:
    move = type("Odd", (UnreadableMove,), {})("odd", "it is odd", "1-2")
    JsonLines().show(Refused("odd", move), begin("double-up"))
    assert json.loads(capsys.readouterr().out)["code"] == "move/unreadable"
    assert json.loads(bytes(refuse(move).body))["code"] == "move/unreadable"
    database = type("Gone", (BadDatabase,), {})("postgres: password ...")
    response = refuse(database)
    assert (response.status_code, b"password" in bytes(response.body)) == (503, False)


def test_an_unlisted_error_leaves_a_search_process_as_its_parent() -> None:
    assert _error(1, type("Odd", (UnreadableMove,), {})("odd", "it is odd", "1-2")).error == "UnreadableMove"
    assert _error(1, type("Odd", (ParlourError,), {})("odd")).error == "ParlourError"


@pytest.mark.parametrize("error", examples(), ids=lambda error: type(error).__name__)
def test_an_error_of_a_search_process_is_raised_in_the_server(error: ParlourError) -> None:
    sent = read_message(io.BytesIO(frame(_error(1, error))))
    assert sent is not None
    with pytest.raises(ParlourError) as raised:
        _answer(sent)
    assert (str(raised.value), raised.value.code) == (str(error), error.code)
    assert type(raised.value) in type(error).__mro__
    response = json.loads(bytes(refuse(raised.value).body))
    assert response.get("reason") == ("too large" if isinstance(error, MoveRefused) else None)


def test_a_search_process_and_the_server_know_the_same_errors() -> None:
    assert set(ERRORS.values()) == set(tree())
    assert {error.__module__ for error in ERRORS.values()} == set(ERROR_MODULES)
