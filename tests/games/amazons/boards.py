"""Boards of Amazons for the tests, and their lines as the reference writes them."""

from ludograph import amazons, boards
from tests.games.penguins.boards import tangle
from tests.reference.amazons import grid_lines

HATCHES = tuple(y * 6 + x for y in (0, 1, 4, 5) for x in (2, 3))
"""The cells that the hatched board of 6 x 6 has not."""

BOARDS = {
    "square 10": boards.square(10),
    "square 6": boards.square(6),
    "square 8": boards.square(8),
    "square 5x8": boards.square(5, 8),
    "square 13x10": boards.square(13, 10),  # alone in needing sets of four words
    "torus 5": boards.torus(5),
    "torus 2x3": boards.torus(2, 3),
    "hatched 6": boards.hatched(6),
    "full-hexa 6x5": boards.full_hexa(6, 5),
    "octo-tetra 6": boards.octo_tetra(6),
    "dodeca-hexa-tetra 6": boards.dodeca_hexa_tetra(6),
    "penrose 6": boards.penrose(6),
    "triangular 5": boards.triangular(5),
    "tangle 1": tangle(1),
    "tangle 2": tangle(2),
}


def lines_of(board):
    """Return the lines of a board: of squares by their coordinates, of others by their sides."""
    family, _, size = board.name.partition(" ")
    if family in ("square", "torus") or board.name == "hatched 6x6":
        width, height = map(int, size.split("x"))
        holes = HATCHES if family == "hatched" else ()
        return grid_lines(width, height, wrap=family == "torus", holes=holes)
    return [[board.line(v, side) for side in range(board.sides.count(v))] for v in range(board.n)]


def begin(name):
    """Return a start with up to four queens of each seat."""
    board = BOARDS[name]
    return amazons.position(board, queens=min(4, (board.n - 1) // 4))
