"""Matches between people and programs on a server, independent of the interface.

The store has the record of each match. ``MatchService`` loads it, replays it through the referee, applies a command and
writes the change unless another process has changed the match meanwhile. Nothing here knows HTTP or the page: the web
and the MCP server are two interfaces to this service.
"""
