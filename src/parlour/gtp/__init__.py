"""A text protocol between Parlour and other programs, in the style of GTP (Go Text Protocol).

``docs/engine.md`` documents its commands. ``protocol`` has the shared definitions, ``client`` runs another program as a
player, and ``server`` is Parlour as an engine.
"""
