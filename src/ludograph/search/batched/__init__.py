"""Searches of many games side by side; a function of the caller evaluates their leaves in batches.

Programs use ``searches``; ``descent`` describes a simulation.
"""

from ludograph.search.batched.evaluator import Evaluate
from ludograph.search.batched.gumbel import Gumbel
from ludograph.search.batched.searches import BatchedResult, BatchedSearch

__all__ = ["BatchedResult", "BatchedSearch", "Evaluate", "Gumbel"]
