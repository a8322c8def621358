"""Study: hints while a game is played, reports of finished games, and what is known of a game. All of it exact."""
