"""The board of Hex for three: a hexagon of hexagons, with a border along each of its six sides."""

import numpy as np

from hex3 import COLORS
from ludograph import boards


def hexagon(width):
    """Return a hexagon with ``width`` free cells in each side, in a ring of border cells."""
    whole = boards.hexagonal(2 * width + 1)
    rows, columns = np.divmod(np.arange(whole.n), 2 * width + 1)
    down, right = rows - width, columns - width
    # How far each cell lies from the middle toward each of the six sides, clockwise.
    toward = np.array([right, right + down, down, -right, -right - down, -down])
    inside = np.flatnonzero((toward <= width).all(axis=0))
    # A corner of the ring is on two sides: it belongs to the second.
    on_side = (toward == width) & (np.roll(toward, -1, axis=0) < width)
    number = np.full(whole.n, -1)
    number[inside] = np.arange(inside.size)
    edges = number[whole.edges()]
    outlines = np.concatenate([whole.outline_of(cell) for cell in inside])
    return boards.from_edges(
        inside.size,
        edges[(edges >= 0).all(axis=1)],
        name=f"hexagon:{width}",
        positions=whole.positions[inside],
        outlines=(6 * np.arange(inside.size + 1, dtype=np.int32), outlines),
        marks={
            color: np.flatnonzero((on_side[seat] | on_side[seat + 3])[inside])
            for seat, color in enumerate(COLORS)
        },
    )
