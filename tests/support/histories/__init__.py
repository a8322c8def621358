"""Histories: what many clients did to a server and were told by it, and whether that is possible.

``history`` is what is noted, ``checker`` decides, ``clients`` play, ``faults`` break things, and ``run`` does it all.
The checker knows the documents (docs/api.md, docs/records.md) and nothing of Parlour's code; a test holds it to that.
"""
