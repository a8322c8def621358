"""Everything interactive at a terminal: games, lessons, puzzles, exams, replay and the menu."""
