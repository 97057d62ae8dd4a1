"""Solving a game by its first moves: kept one by one, in several processes."""

from ludograph.arena.solved.running import solve_moves
from ludograph.arena.solved.store import Known, SolvedStore

__all__ = ["Known", "SolvedStore", "solve_moves"]
