"""A series: many games of the same players, counted, kept and gone on with."""

from ludograph.arena.series.series import (
    PlayerTally,
    SeriesPlan,
    SeriesResult,
    play_series,
    seating_of,
)

__all__ = ["PlayerTally", "SeriesPlan", "SeriesResult", "play_series", "seating_of"]
