"""The games as those who train and compare programs want them, one file for each library or protocol.

Each needs the extra that its first lines name, and none has a rule in it: moves are judged by the referee, and what an
agent sees is the position itself. ``docs/agents.md`` shows the first five minutes with each.
"""
