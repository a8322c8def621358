"""The protocol between a program that plays and a program that lets it, in the style of GTP, the Go Text Protocol.

``docs/engine.md`` tells it command by command. ``protocol`` is what both halves share, ``client`` lets another program
play, and ``server`` is Parlour as such a program.
"""
