"""Ratings: the strengths of players on the Elo scale, estimated from games, with intervals."""

from ludograph.arena.ratings.fit import Estimate, estimate
from ludograph.arena.ratings.rating import ELO, Rating, Ratings, rate

__all__ = ["ELO", "Estimate", "Rating", "Ratings", "estimate", "rate"]
