"""Virtual connections (VCs) and semi connections (SCs) of a color's borders: H-search on any graph.

A *virtual connection* of two nodes holds even if the other color moves first, a *semi connection*
holds if its own color moves first; the *carrier* of either is the set of free cells that it needs.
A node is a free cell, a group of own stones, or a border with what hangs on it (Anshelevich: "A
hierarchical approach to computer Hex", Artificial Intelligence 134, 2002; Henderson: "Playing and
solving the game of Hex", PhD thesis, University of Alberta, 2010; Pawlewicz, Hayward, Henderson,
Arneson: "Stronger virtual connections in Hex", IEEE TCIAIG 7, 2015).

``room``
    The memory that a search takes, and its limits.
``nodes``
    Which nodes there are, and which are adjacent.
``queue``
    Connections wait by the size of their carriers, and are kept unless a smaller one will do.
``rules``
    The AND rule and the OR rule.
``search``
    The search itself, for one color.
``verdicts``
    Who wins by connections, and the moves that are left where they do not tell.

:mod:`ludograph.games.hex.solving.connections` is its quicker sister for proofs, which looks along
paths from the borders only.
"""
