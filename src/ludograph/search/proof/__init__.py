"""Exact solving of games for two seats without chance, by proof numbers.

``search`` tells how it works, ``game`` what it asks of a game and how the rules of any game answer;
``prover`` is what players and programs use.
"""

from ludograph.search.proof.prover import DRAW, LOSS, WIN, Prover, Solution, solve

__all__ = ["DRAW", "LOSS", "WIN", "Prover", "Solution", "solve"]
