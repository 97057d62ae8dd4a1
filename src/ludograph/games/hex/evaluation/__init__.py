"""The evaluation of a position of Hex, by three measures.

``distances``, ``by_distance``
    The number of stones that a color still needs, and the difference of both as the value.
``two_distance``
    The same if the opponent always blocks the best way, so that the second-best one counts.
``circuit``, ``elimination``
    The resistance between a color's borders, and the sparse solution of a board's circuit.
``focus``
    The setup of a search with values by resistances and few moves in each position.
"""
