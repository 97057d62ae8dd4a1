"""Exact solving of Hex on the usual board, up to 7 x 7 cells."""

from ludograph.games.hex.solving.openings import OpeningMap, solve_openings
from ludograph.games.hex.solving.position import solve_position
from ludograph.games.hex.solving.solver import HexSolver, Verdict

__all__ = ["HexSolver", "OpeningMap", "Verdict", "solve_openings", "solve_position"]
