"""Tournaments: schedules, ratings, tests and tables as pure functions of finished games."""

from typing import TYPE_CHECKING

from ludograph.lazy import look_up

if TYPE_CHECKING:
    from ludograph.arena.played_game import Forfeit, GameKey, PlayedGame
    from ludograph.arena.ratings import Rating, Ratings, rate
    from ludograph.arena.schedules import Adaptive, Gauntlet, Knockout, RoundRobin, Schedule, Swiss
    from ludograph.arena.sprt import Sprt, pentanomial
    from ludograph.arena.tables import Standing, cross_table, standings

__getattr__ = look_up(
    __name__,
    {
        **dict.fromkeys(("Forfeit", "GameKey", "PlayedGame"), "played_game"),
        **dict.fromkeys(("Rating", "Ratings", "rate"), "ratings"),
        **dict.fromkeys(
            ("Adaptive", "Gauntlet", "Knockout", "RoundRobin", "Schedule", "Swiss"), "schedules"
        ),
        **dict.fromkeys(("Sprt", "pentanomial"), "sprt"),
        **dict.fromkeys(("Standing", "cross_table", "standings"), "tables"),
    },
)

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
