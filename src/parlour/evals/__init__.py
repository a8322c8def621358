"""The games as an evaluation of language models, for Inspect: positions to play on from, an opponent, and exact scores.

``tasks`` is what Inspect finds, and needs the extra ``evals``; so does ``leaderboard``, which reads its logs. All below
them is plain Python: what is known of a position (``known``), how likely a graded player chooses which move
(``chances``), which games are played (``instances``) and under which disguise (``disguise``), how a game is played by
question and answer (``dialogue``), and how it is counted (``sums``, ``expected``). No file here knows a game or a rule.
"""
