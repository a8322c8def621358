"""The games as an evaluation of language models, for Inspect: positions to play, an opponent and exact scores.

``tasks`` is the entry point for Inspect. It and ``leaderboard``, which reads Inspect's logs, need the extra ``evals``.
"""
