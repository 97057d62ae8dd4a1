"""Searches for every game, written once on the rule contract.

``AlphaBetaSearch``, ``MonteCarloSearch`` and ``ProofSearch`` search from a position, with optional
functions of an author; ``BatchedSearch`` searches many games at once, and a Python function
evaluates their leaves in batches. Names are looked up when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludograph.lazy import look_up

if TYPE_CHECKING:
    from ludograph.search.batched.gumbel import Gumbel
    from ludograph.search.batched.searches import BatchedResult, BatchedSearch
    from ludograph.search.custom.searches import (
        AlphaBetaSearch,
        MonteCarloSearch,
        ProofSearch,
    )
    from ludograph.search.mcts.options import SearchOptions

_HOMES = {
    "AlphaBetaSearch": "custom.searches",
    "BatchedResult": "batched.searches",
    "BatchedSearch": "batched.searches",
    "Gumbel": "batched.gumbel",
    "MonteCarloSearch": "custom.searches",
    "ProofSearch": "custom.searches",
    "SearchOptions": "mcts.options",
}

__all__ = [
    "AlphaBetaSearch",
    "BatchedResult",
    "BatchedSearch",
    "Gumbel",
    "MonteCarloSearch",
    "ProofSearch",
    "SearchOptions",
]

__getattr__ = look_up(__name__, _HOMES)
