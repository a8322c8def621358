"""A client of ``parlour mcp``: the SDK's own, with the server as a real process at the other end of a pipe."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client, StdioServerParameters, types


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
def connected(*arguments: str) -> Iterator[Session]:
    """A server with these arguments, and a session with it."""
    command = ["-m", "parlour", "mcp", *arguments]
    parameters = StdioServerParameters(command=sys.executable, args=command, env=dict(os.environ))
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(Client(parameters)) as client:
        yield Session(portal, client)
