"""Monte-Carlo tree search for every game: any number of seats, chance, one or more threads.

``simulation`` tells how it works; ``montecarlo`` is what players and programs use.
"""

from ludograph.search.mcts.montecarlo import EXPLORATION, MonteCarlo, search
from ludograph.search.mcts.result import Result

__all__ = ["EXPLORATION", "MonteCarlo", "Result", "search"]
