"""Adapters for reinforcement learning libraries and agent protocols, one module each.

Each needs the extra named at its top. No adapter contains rules: moves are checked as everywhere in Parlour, and an
observation is the position itself. ``docs/agents.md`` has a short introduction to each.
"""
