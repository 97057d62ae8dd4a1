"""Monte Carlo tree search for every game: any number of seats, chance, one or more threads.

``search`` describes the algorithm; ``monte_carlo`` is what players and programs use.
"""

from ludograph.search.mcts.hints import GameKnowledge, LeafEvaluation
from ludograph.search.mcts.monte_carlo import MonteCarlo, search
from ludograph.search.mcts.options import EXPLORATION, SearchOptions
from ludograph.search.mcts.result import MonteCarloResult

__all__ = [
    "EXPLORATION",
    "GameKnowledge",
    "LeafEvaluation",
    "MonteCarlo",
    "MonteCarloResult",
    "SearchOptions",
    "search",
]
