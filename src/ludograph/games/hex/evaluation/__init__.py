"""The evaluation of a position of Hex, by three measures.

``distances``, ``by_distance``
    How many stones a color still needs, and the difference of both as the value of a position.
``two_distance``
    The same for a color whose best way is always taken: the second-best one counts.
``circuit``, ``elimination``
    The resistance between a color's borders; how a board's circuit is solved sparsely.
``focus``
    The setup of a search that values positions by resistances and looks at few moves.
"""
