"""The referee: one match with its clocks, verdicts and record; many matches in a row."""

from ludograph.referee.clock import Clock
from ludograph.referee.match import play_match
from ludograph.referee.reading import read_record
from ludograph.referee.record import Record
from ludograph.referee.result import Fault, MatchResult, PlayedMove, Usage
from ludograph.referee.series import play_series
from ludograph.referee.tallies import SeriesResult

__all__ = [
    "Clock",
    "Fault",
    "MatchResult",
    "PlayedMove",
    "Record",
    "SeriesResult",
    "Usage",
    "play_match",
    "play_series",
    "read_record",
]
