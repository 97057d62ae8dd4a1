"""Boards of Penguins for the tests."""

import random

import numpy as np

from ludograph import boards, penguins

TILINGS = ("full-tetra", "full-hexa", "octo-tetra", "dodeca-hexa-tetra", "penrose")

BOARDS = {
    f"{tiling} {width}x{height}": penguins.board(tiling, width, height)
    for tiling in TILINGS
    for width, height in ((8, 7), (5, 6))
}


def around(board):
    """What lies beyond each side of each tile; None is the water."""
    sides = board.sides
    return [
        [
            None if near == boards.OUTSIDE else near
            for near in sides.neighbors[sides.offsets[v] : sides.offsets[v + 1]].tolist()
        ]
        for v in range(board.n)
    ]


def tangle(seed: int):
    """Tiles whose sides are joined anyhow: lines that close, cross themselves and run side by side.

    A ring through sides 0 and 1 keeps them together.
    """
    rng = random.Random(seed)
    counts = [rng.choice((2, 4, 6)) for _ in range(rng.randrange(6, 16))]
    n = len(counts)
    offsets = np.concatenate([[0], np.cumsum(counts)])
    neighbors = np.full(offsets[-1], boards.OUTSIDE)
    entries = np.full(offsets[-1], boards.OUTSIDE)
    pairs = [((v, 0), ((v + 1) % n, 1)) for v in range(n)]
    loose = [(v, side) for v in range(n) for side in range(2, counts[v])]
    rng.shuffle(loose)
    pairs += [(a, b) for a, b in zip(loose[::2], loose[1::2], strict=False) if a[0] != b[0]]
    for (u, one), (v, other) in pairs:
        neighbors[offsets[u] + one], entries[offsets[u] + one] = v, other
        neighbors[offsets[v] + other], entries[offsets[v] + other] = u, one
    edges = {tuple(sorted((u, v))) for (u, _), (v, _) in pairs}
    sides = boards.Sides(offsets, neighbors, entries)
    return boards.from_edges(n, sorted(edges), sides=sides)
