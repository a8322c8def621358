"""JSON documents of the server, the terminal and MCP. Documents of the library's own results are next to their code."""
