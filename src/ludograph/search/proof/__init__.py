"""Exact solving of games for two seats without chance, by proof numbers.

``search`` describes the algorithm; ``game`` has the functions that a game can replace, with
defaults by its rules; ``prover`` is what players and programs use.
"""

from ludograph.search.proof.prover import DRAW, LOSS, WIN, ProofResult, Prover, solve

__all__ = ["DRAW", "LOSS", "WIN", "ProofResult", "Prover", "solve"]
