"""Formats of tournaments: pure functions from finished games to those that come next."""

from ludograph.arena.schedules.knockout import Duel, Knockout, knockout_of, round_name
from ludograph.arena.schedules.round_robin import Gauntlet, RoundRobin
from ludograph.arena.schedules.rounds import Adaptive, Swiss, informative
from ludograph.arena.schedules.seatings import Pairing, Schedule, rotations

__all__ = [
    "Adaptive",
    "Duel",
    "Gauntlet",
    "Knockout",
    "Pairing",
    "RoundRobin",
    "Schedule",
    "Swiss",
    "informative",
    "knockout_of",
    "rotations",
    "round_name",
]
