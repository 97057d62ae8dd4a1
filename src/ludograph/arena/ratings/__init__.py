"""Ratings: how strong players are, from their games, and how sure that is."""

from ludograph.arena.ratings.fit import Estimate, estimate
from ludograph.arena.ratings.rating import ELO, Rating, Ratings, rate

__all__ = ["ELO", "Estimate", "Rating", "Ratings", "estimate", "rate"]
