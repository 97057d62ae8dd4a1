"""A small convolutional network for Hex: the value of a position, and the likely moves.

It is trained on games of our own search (``scripts/learn-hex-network``), and evaluates boards of
any size. The board is stored in a *grid* with two more rows on each side. If white is to move, the
board is mirrored in its long diagonal, so that the color to move always joins top and bottom.

``weights``
    The layers, and the arrays with which a search evaluates them on a board.
``forward``
    The forward pass: from the stones to the features of each cell and to the outputs.
``judging``
    The evaluation of a position for a search.
"""
