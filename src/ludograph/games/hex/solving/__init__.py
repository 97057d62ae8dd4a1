"""Exact solving of Hex on the usual board, up to 7 x 7 cells."""

from ludograph.games.hex.solving.openings import OpeningMap, solve_openings
from ludograph.games.hex.solving.solver import HexSolver, Verdict
from ludograph.games.hex.solving.variation import solve_position

__all__ = ["HexSolver", "OpeningMap", "Verdict", "solve_openings", "solve_position"]
