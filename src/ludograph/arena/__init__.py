"""Tournaments: schedules, ratings, tests and tables as pure functions of finished games."""

from ludograph.arena.played import Forfeit, GameKey, PlayedGame
from ludograph.arena.ratings import Rating, Ratings, rate
from ludograph.arena.schedules import Adaptive, Gauntlet, Knockout, RoundRobin, Schedule, Swiss
from ludograph.arena.sprt import Sprt, pentanomial
from ludograph.arena.tables import Standing, cross_table, standings

__all__ = [
    "Adaptive",
    "Forfeit",
    "GameKey",
    "Gauntlet",
    "Knockout",
    "PlayedGame",
    "Rating",
    "Ratings",
    "RoundRobin",
    "Schedule",
    "Sprt",
    "Standing",
    "Swiss",
    "cross_table",
    "pentanomial",
    "rate",
    "standings",
]
