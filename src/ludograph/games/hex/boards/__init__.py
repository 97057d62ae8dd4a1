"""The boards of Hex.

``layouts``
    Boards of hexagonal, square and triangular cells, with whose border is where.
``rings``
    The six cells around a hexagonal one: which colors in them make it dead.
"""
