"""A tournament: declared once, played by an executor, kept in a store."""

from ludograph.arena.tournament.running import (
    enrolled,
    play_games,
    play_tournament,
    remarks_on_new,
)
from ludograph.arena.tournament.tournament import FORMATS, Format, Starter, Tournament

__all__ = [
    "FORMATS",
    "Format",
    "Starter",
    "Tournament",
    "enrolled",
    "play_games",
    "play_tournament",
    "remarks_on_new",
]
