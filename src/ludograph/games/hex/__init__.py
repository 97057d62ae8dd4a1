"""Hex: two players join their own two borders of a graph with stones of their color."""

from ludograph.games.hex.game import Hex, hex
from ludograph.games.hex.layouts import hex_board

__all__ = ["Hex", "hex", "hex_board"]
