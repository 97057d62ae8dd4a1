"""Ratings: the strengths of players on the Elo scale, estimated from games, with intervals."""
