"""Virtual connections (VCs) and semi connections (SCs) of a color's two borders: H-search.

A *virtual connection* of two nodes holds even if the other color moves first, a *semi connection*
holds if its own color may move first; the *carrier* of either is the set of free cells that it
needs. A node is a free cell, or a group of own stones, named by its lowest cell or border
(Anshelevich: "A hierarchical approach to computer Hex", Artificial Intelligence 134, 2002;
Henderson: "Playing and solving the game of Hex", PhD thesis, University of Alberta, 2010). Cells
are any graph: its neighbors are given as sets.

``nodes``
    Which nodes there are, and which are adjacent or a bridge apart.
``carriers``
    What is known of a pair of ends, and the OR rule.
``search``
    The AND rule, along paths from either border to the other.
``after_stone``
    The same where most is known from the position before a stone: for proofs.
``verdicts``
    Who wins by connections, and the moves that are left where they do not tell: for search.
"""

from ludograph.games.hex.connections.after_stone import connect_after
from ludograph.games.hex.connections.nodes import Connections, make_connections
from ludograph.games.hex.connections.search import NO_CONNECTION, SEMI, VIRTUAL, connect

__all__ = [
    "NO_CONNECTION",
    "SEMI",
    "VIRTUAL",
    "Connections",
    "connect",
    "connect_after",
    "make_connections",
]
