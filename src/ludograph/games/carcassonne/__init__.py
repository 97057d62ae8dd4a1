"""Carcassonne: lay tiles so that they fit, and close castles, roads and fields."""

from ludograph.games.carcassonne.game import Carcassonne, carcassonne

__all__ = ["Carcassonne", "carcassonne"]
