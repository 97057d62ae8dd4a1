"""A series: many games of the same players, counted, kept in files, and continued from them."""

from ludograph.arena.series.result import PlayerTally, SeriesResult
from ludograph.arena.series.series import Series, play_series, seating_of

__all__ = ["PlayerTally", "Series", "SeriesResult", "play_series", "seating_of"]
