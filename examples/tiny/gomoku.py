"""Go-moku on lines: be the first with five stones side by side on a straight line of the board.

Lines are those of Penguins and Amazons, so the game is played on hexagons, octagons, Penrose's
rhombs, or a map with straight streets. On squares they run along rows and columns only.

    ludograph check-game examples/tiny/gomoku.py
"""

from typing import NamedTuple

import numpy as np

from ludograph import rules
from ludograph.errors import InvalidInput
from ludograph.games import Declaration, Option, VertexGame
from ludograph.games.board_option import BoardType
from ludograph.games.declaration import Help
from ludograph.games.options import Whole
from ludograph.rules import HEADER, OVER, PLY, TURN, implements

WINNER, STONES = HEADER, HEADER + 1
FAMILIES = ("hexagonal", "octo-tetra", "penrose", "square")

DECLARATION = Declaration(
    name="gomoku",
    summary="be the first with a row of stones on a straight line",
    home="gomoku:gomoku",
    options=(
        Option("board", BoardType(FAMILIES), "hexagonal:9", "a board with straight lines"),
        Option("row", Whole(2, 20), 5, "the number of stones that win"),
    ),
    solving={"board": "hexagonal:3", "row": 3},
    help=Help("Put stones in turn; a row of stones on a straight line wins.", ""),
)


class GomokuSetup(NamedTuple):
    rows: np.ndarray  # int32[rows, length]: the vertices of each row that wins
    vertices: int


@implements(rules.info, GomokuSetup)
def gomoku_info(setup):
    n = setup.vertices
    return rules.GameInfo(STONES + n, 2, n, n, 0.0, 1.0)


@implements(rules.start, GomokuSetup)
def gomoku_start(setup, state):
    state[:] = 0


@implements(rules.legal_moves, GomokuSetup)
def gomoku_legal_moves(setup, state, out):
    count = 0
    if state[TURN] != OVER:
        for vertex in range(setup.vertices):
            if state[STONES + vertex] == 0:
                out[count] = vertex
                count += 1
    return count


@implements(rules.play, GomokuSetup)
def gomoku_play(setup, state, move):
    stone = 1 + state[TURN]
    state[STONES + move] = stone
    state[PLY] += 1
    for row in range(setup.rows.shape[0]):
        length = 0
        while length < setup.rows.shape[1] and state[STONES + setup.rows[row, length]] == stone:
            length += 1
        if length == setup.rows.shape[1]:
            state[WINNER] = stone
    ended = state[WINNER] > 0 or state[PLY] == setup.vertices
    state[TURN] = OVER if ended else 1 - state[TURN]


@implements(rules.scores, GomokuSetup)
def gomoku_scores(setup, state, out):
    out[0] = (0.5, 1.0, 0.0)[state[WINNER]]
    out[1] = 1.0 - out[0]


rules.register(GomokuSetup)


class Gomoku(VertexGame):
    declaration = DECLARATION
    version = 1
    setup_type = GomokuSetup

    def make_setup(self, board, values):
        sides, rest = board.sides, values["row"] - 1
        lines = (
            (vertex, *board.line(vertex, side)[:rest])
            for vertex in range(board.n)
            for side in range(sides.count(vertex) if sides else 0)
        )
        rows = {tuple(sorted(line)): line for line in lines if len(line) == rest + 1}
        if not rows:
            raise InvalidInput(f"gomoku: {board.name} has no straight line of {rest + 1} cells")
        return GomokuSetup(np.array(list(rows.values()), np.int32), board.n)

    def values_of(self, position):
        return {"row": position.setup.rows.shape[1]}

    def fills(self, position):
        return position.state[STONES:]


gomoku = Gomoku()
