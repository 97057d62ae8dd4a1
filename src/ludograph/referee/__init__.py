"""The referee: one match with its clocks, verdicts and record."""

from ludograph.referee.clock import Clock
from ludograph.referee.match import play_match
from ludograph.referee.record import Record
from ludograph.referee.record_reader import read_record
from ludograph.referee.result import Fault, MatchResult, PlayedMove, Usage

__all__ = [
    "Clock",
    "Fault",
    "MatchResult",
    "PlayedMove",
    "Record",
    "Usage",
    "play_match",
    "read_record",
]
