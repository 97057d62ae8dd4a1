"""A small convolutional network for Hex: the value of a position, and the likely moves.

It is learned from games of our own search (``scripts/learn-hex-network``), and reads a board of any
size. A board lies in a *grid* with two rows more on each side, as the color to move sees it: for
white it is mirrored in its long diagonal, so that the color to move always joins top and bottom.

``weights``
    The layers, and what a search needs to run them on a board.
``forward``
    From the stones to the features of each cell, and on to what they promise.
``judging``
    What a search gets.
"""
