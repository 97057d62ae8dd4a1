"""Virtual connections (VCs) and semi connections (SCs) of a color's two borders: H-search.

A *virtual connection* of two nodes holds even if the other color moves first, a *semi connection*
holds if its own color may move first; the *carrier* of either is the set of free cells that it
needs. A node is a free cell, or a group of own stones, named by its lowest cell or border
(Anshelevich: "A hierarchical approach to computer Hex", Artificial Intelligence 134, 2002;
Henderson: "Playing and solving the game of Hex", PhD thesis, University of Alberta, 2010). Cells
are any graph: its neighbors are given as sets.

``carriers``
    The known carriers of a pair of ends, and the OR rule.
``search``
    The nodes, and the pairs of them that are adjacent or a bridge apart; the AND rule, along paths
    from either border to the other.
``verdicts``
    The winner by connections, or else the must-play region, for the hint ``settle`` of a search.
"""
