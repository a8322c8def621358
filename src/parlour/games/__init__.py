"""One file for each game. The catalog finds them here; a new file is a new game."""
