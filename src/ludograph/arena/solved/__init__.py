"""Solving the first moves of a game in several processes, with each proof stored in a file."""

from ludograph.arena.solved.running import solve_moves
from ludograph.arena.solved.store import Known, SolvedStore

__all__ = ["Known", "SolvedStore", "solve_moves"]
