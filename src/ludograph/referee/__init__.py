"""The referee: one match with its clocks, verdicts and record."""

from typing import TYPE_CHECKING

from ludograph.lazy import look_up

if TYPE_CHECKING:
    from ludograph.referee.clock import Clock
    from ludograph.referee.match import play_match
    from ludograph.referee.record import Record
    from ludograph.referee.record_reader import read_record
    from ludograph.referee.result import Fault, MatchResult, PlayedMove, Usage

__getattr__ = look_up(
    __name__,
    {
        "Clock": "clock",
        "play_match": "match",
        "Record": "record",
        "read_record": "record_reader",
        **dict.fromkeys(("Fault", "MatchResult", "PlayedMove", "Usage"), "result"),
    },
)

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
