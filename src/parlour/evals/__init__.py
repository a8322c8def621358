"""Evaluation of language models with Inspect: positions to play, opponents and exact scores.

``tasks`` is the entry point of Inspect; ``leaderboard`` reads its logs. Both need the extra ``evals``.
"""
