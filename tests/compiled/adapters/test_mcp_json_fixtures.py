"""The JSON of every MCP tool equals its fixture in keys, order and values."""

from __future__ import annotations

from tests.support.adapters import needed
from tests.support.json_fixtures import compare, recorded_sources
from tests.support.more_json_fixtures import mcp_tools

needed("mcp")
from tests.support.mcp_client import connected  # noqa: E402


def test_tools() -> None:
    with connected() as session:
        for name, documents, sources in mcp_tools(session):
            compare(name, documents, sources)
        assert {f"mcp {tool}" for tool in session.tools()} <= recorded_sources()
