"""The SDK's own client, connected to a server in this process or to ``parlour mcp`` as a process."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client, StdioServerParameters, types

from parlour.adapters.mcp import Aids, make_server, make_tools
from parlour.service.matches import MatchService
from parlour.store import open_store


class Session:
    """A connection, asked from an ordinary thread."""

    def __init__(self, portal: BlockingPortal, client: Client) -> None:
        self._portal = portal
        self.client = client

    def tools(self) -> dict[str, types.Tool]:
        return {tool.name: tool for tool in self._portal.call(self.client.list_tools).tools}

    def call(self, tool: str, **arguments: Any) -> types.CallToolResult:
        result = self._portal.call(self.client.call_tool, tool, arguments)
        assert isinstance(result, types.CallToolResult)
        return result

    def ask(self, tool: str, **arguments: Any) -> Any:
        """What a tool answers. The client has held it against the tool's output schema."""
        result = self.call(tool, **arguments)
        assert not result.is_error, result.content
        assert result.structured_content is not None
        return result.structured_content

    def refusal(self, tool: str, **arguments: Any) -> str:
        """The one line with which a tool refuses."""
        result = self.call(tool, **arguments)
        assert result.is_error
        assert result.structured_content is None
        (content,) = result.content
        assert isinstance(content, types.TextContent)
        assert content.text
        assert "\n" not in content.text
        return content.text


@contextmanager
def connected(database: str = "sqlite://", aids: Aids = "analysis", seconds: float = 10) -> Iterator[Session]:
    """Connect to a server in this process, by the messages of the protocol."""
    store = open_store(database)
    try:
        server = make_server(make_tools(MatchService(store), aids, seconds))
        with _session(Client(server, mode="legacy")) as session:
            yield session
    finally:
        store.close()


@contextmanager
def connected_process(*arguments: str) -> Iterator[Session]:
    """Connect to ``parlour mcp`` with these arguments as a process, at the other end of a pipe."""
    command = ["-m", "parlour", "mcp", *arguments]
    parameters = StdioServerParameters(command=sys.executable, args=command, env=dict(os.environ))
    with _session(Client(parameters)) as session:
        yield session


@contextmanager
def _session(client: Client) -> Iterator[Session]:
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(client) as entered:
        yield Session(portal, entered)
