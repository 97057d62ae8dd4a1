"""What Hex knows of a position beyond its rules.

``distances``
    The number of stones that a color still needs, and the difference of both as the value.
``circuit``
    The resistance between a color's borders.
``patterns``, ``network``
    The likely moves and the value of a position, as learned from games of our own search.
``openings``
    Values of first moves, near-even openings, and the pie rule.
"""
