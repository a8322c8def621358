"""The laboratory: many options of a game, each measured exactly, in one file."""
