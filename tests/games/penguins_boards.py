"""Boards of Penguins for the tests."""

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
            None if near == boards.WATER else near
            for near in sides.neighbors[sides.offsets[v] : sides.offsets[v + 1]].tolist()
        ]
        for v in range(board.n)
    ]
