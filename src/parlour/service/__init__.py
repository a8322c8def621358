"""The matches that people and programs play with each other through a server, whatever door they come in by.

A match lies in the store as its record. ``MatchService`` loads it, replays it through the referee, lets a command do
one thing to it, and writes what comes of that on condition that nobody was quicker. Nothing here knows of HTTP or
of pages: a door (the web is one, the MCP server another) asks the service, and tells what it answers in its own way.
"""
