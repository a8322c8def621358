"""Adapters for reinforcement learning libraries and agent protocols, one module each.

Each needs the extra named in its docstring. Adapters contain no rules: the library checks the moves, and an observation
is the position itself. ``docs/agents.md`` has a short introduction to each.
"""
