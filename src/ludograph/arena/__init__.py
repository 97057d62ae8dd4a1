"""Tournaments: schedules, ratings, tests and tables as pure functions of finished games."""

from typing import TYPE_CHECKING

from ludograph.lazy import look_up

if TYPE_CHECKING:
    from ludograph.arena.comparison import Sprt
    from ludograph.arena.finished_game import FinishedGame, GameKey
    from ludograph.arena.ratings.rating import Rating, Ratings, rate
    from ludograph.arena.results import Results
    from ludograph.arena.schedules import Knockout, RoundRobin, Schedule, Swiss
    from ludograph.arena.tables import Standing, cross_table, standings

__getattr__ = look_up(
    __name__,
    {
        **dict.fromkeys(("FinishedGame", "GameKey"), "finished_game"),
        **dict.fromkeys(("Rating", "Ratings", "rate"), "ratings.rating"),
        "Results": "results",
        **dict.fromkeys(("Knockout", "RoundRobin", "Schedule", "Swiss"), "schedules"),
        "Sprt": "comparison",
        **dict.fromkeys(("Standing", "cross_table", "standings"), "tables"),
    },
)

__all__ = [
    "FinishedGame",
    "GameKey",
    "Knockout",
    "Rating",
    "Ratings",
    "Results",
    "RoundRobin",
    "Schedule",
    "Sprt",
    "Standing",
    "Swiss",
    "cross_table",
    "rate",
    "standings",
]
