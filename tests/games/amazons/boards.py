"""Boards of Amazons for the tests, each with its lines as the reference writes them."""

from ludograph import amazons, boards
from tests.games.penguins.boards import tangle
from tests.reference.amazons import ReferenceAmazons, grid_lines

HATCHES = tuple(y * 6 + x for y in (0, 1, 4, 5) for x in (2, 3))
"""The cells that the hatched board of 6 x 6 has not."""


def side_lines(board):
    """The lines through opposite sides."""
    return [[board.line(v, side) for side in range(board.sides.count(v))] for v in range(board.n)]


def through_sides(board):
    return board, side_lines(board)


BOARDS = {
    "square 10": (boards.square(10), grid_lines(10, 10)),
    "square 6": (boards.square(6), grid_lines(6, 6)),
    "square 8": (boards.square(8), grid_lines(8, 8)),
    "square 5x8": (boards.square(5, 8), grid_lines(5, 8)),
    "square 13x10": (boards.square(13, 10), grid_lines(13, 10)),
    "torus 5": (boards.torus(5), grid_lines(5, 5, wrap=True)),
    "torus 2x3": (boards.torus(2, 3), grid_lines(2, 3, wrap=True)),
    "hatched 6": (boards.hatched(6), grid_lines(6, 6, holes=HATCHES)),
    "full-hexa 6x5": through_sides(boards.full_hexa(6, 5)),
    "octo-tetra 6": through_sides(boards.octo_tetra(6)),
    "dodeca-hexa-tetra 6": through_sides(boards.dodeca_hexa_tetra(6)),
    "penrose 6": through_sides(boards.penrose(6)),
    "triangular 5": through_sides(boards.triangular(5)),
    "tangle 1": through_sides(tangle(1)),
    "tangle 2": through_sides(tangle(2)),
}


def begin(name):
    """A start with up to four queens of each seat, and the same for the reference."""
    board, lines = BOARDS[name]
    position = amazons.position(board, queens=min(4, (board.n - 1) // 4))
    starts = position.setup.starts.tolist()
    return position, ReferenceAmazons(lines, [set(starts[0::2]), set(starts[1::2])])


def code_of(position, move):
    source, target, arrow = move
    return (source * position.board.n + target) * position.board.n + arrow
