"""JSON documents of the server, the terminal and MCP that are not results of the library itself."""
