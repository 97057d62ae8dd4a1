"""Flood: each move recolors a zone, which grows by all that it touches of that color."""

from ludograph.games.flood.game import Flood, flood

__all__ = ["Flood", "flood"]
