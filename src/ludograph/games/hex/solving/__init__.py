"""Exact solving of Hex on the usual board, up to 16 x 16 cells."""

from ludograph.games.hex.solving.openings import OpeningMap, Openings, solve_openings
from ludograph.games.hex.solving.solver import HexSolver, Verdict, solve_position

__all__ = ["HexSolver", "OpeningMap", "Openings", "Verdict", "solve_openings", "solve_position"]
