"""The boards of Hex.

``layouts``
    Boards of hexagonal, square and triangular cells, with the borders of both colors.
``rings``
    The six cells around a hexagonal cell, and the colors in them that make the cell dead.
"""
