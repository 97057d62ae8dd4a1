"""Iteratively deepened alpha-beta search for every game; exact where it reaches the end.

``search`` describes the algorithm; ``alpha_beta`` is what players and programs use.
"""

from ludograph.search.alphabeta.alpha_beta import AlphaBeta, AlphaBetaResult, search
from ludograph.search.alphabeta.stack import LARGE

__all__ = ["LARGE", "AlphaBeta", "AlphaBetaResult", "search"]
