"""A tournament: declared once, played by an executor, kept in a store."""

from ludograph.arena.sprt import Decided, decided
from ludograph.arena.tournament.running import enrolled, play_tournament, remarks_on_new
from ludograph.arena.tournament.tournament import FORMATS, Format, Tournament

__all__ = [
    "FORMATS",
    "Decided",
    "Format",
    "Tournament",
    "decided",
    "enrolled",
    "play_tournament",
    "remarks_on_new",
]
