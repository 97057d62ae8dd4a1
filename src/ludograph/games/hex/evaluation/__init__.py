"""What a position of Hex is worth to a search, by two measures.

``distances``, ``by_distance``
    How many stones a color still needs, and the difference of both as the value of a position.
``circuit``, ``elimination``
    The resistance between a color's borders; how a board's circuit is solved sparsely.
``focus``
    Setups for searches that value positions by resistances and look at few moves.
"""
