"""Iteratively deepened alpha-beta search for every game; exact where it reaches the end.

``kernel`` tells how it works; ``deepening`` is what players and programs use.
"""

from ludograph.search.alphabeta.deepening import AlphaBeta, Result, search
from ludograph.search.alphabeta.hints import LARGE

__all__ = ["LARGE", "AlphaBeta", "Result", "search"]
