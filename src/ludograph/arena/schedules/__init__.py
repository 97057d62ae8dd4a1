"""Formats of tournaments: pure functions from finished games to those that come next."""

from typing import TYPE_CHECKING

from ludograph.lazy import look_up

if TYPE_CHECKING:
    from ludograph.arena.schedules.knockout import Duel, Knockout, knockout_of, round_name
    from ludograph.arena.schedules.round_robin import RoundRobin
    from ludograph.arena.schedules.rounds import Swiss
    from ludograph.arena.schedules.seatings import Pairing, Schedule, rotations
    from ludograph.arena.schedules.series import Series

__getattr__ = look_up(
    __name__,
    {
        **dict.fromkeys(("Duel", "Knockout", "knockout_of", "round_name"), "knockout"),
        "RoundRobin": "round_robin",
        "Swiss": "rounds",
        **dict.fromkeys(("Pairing", "Schedule", "rotations"), "seatings"),
        "Series": "series",
    },
)

__all__ = [
    "Duel",
    "Knockout",
    "Pairing",
    "RoundRobin",
    "Schedule",
    "Series",
    "Swiss",
    "knockout_of",
    "rotations",
    "round_name",
]
