"""Exact solving of games for two seats without chance, by proof numbers.

``dfpn`` tells the search, ``game`` what it asks of a game and how the rules of any game answer,
``solving`` puts questions to it.
"""

from ludograph.search.proof.solving import DRAW, LOSS, WIN, Prover, Solution, solve

__all__ = ["DRAW", "LOSS", "WIN", "Prover", "Solution", "solve"]
