"""The solo game of Flood, the classic Flood-It: one color in as few moves as possible."""

from ludograph.games.flood.solo.beam import SoloSolution, solve_beam
from ludograph.games.flood.solo.optimal import solve_optimal
from ludograph.games.flood.solo.strategies import SOLO_STRATEGIES

__all__ = ["SOLO_STRATEGIES", "SoloSolution", "solve_beam", "solve_optimal"]
