"""A tournament: declared once, played by an executor, kept in a store."""

from ludograph.arena.sprt import Decided, decided
from ludograph.arena.tournament.declaration import FORMATS, Format, Tournament
from ludograph.arena.tournament.running import enrolled, play_tournament, remarks_on_new

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
