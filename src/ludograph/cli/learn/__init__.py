"""``ludograph learn``: a network learns a game by self-play."""
