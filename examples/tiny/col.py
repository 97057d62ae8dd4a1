"""Col: claim a vertex, never next to one of your own. If you cannot move, you lose.

ludograph check-game examples/tiny/col.py
"""

from typing import NamedTuple

import numpy as np

from ludograph import rules
from ludograph.games import Declaration, Option, VertexGame
from ludograph.games.board_option import BoardType
from ludograph.games.declaration import Help
from ludograph.rules import HEADER, OVER, PLY, TURN, compiled, implements

DECLARATION = Declaration(
    name="col",
    summary="claim vertices, never next to your own",
    home="col:col",
    options=(Option("board", BoardType(("square", "torus", "penrose")), "square:4", "a board"),),
    solving={"board": "square:3"},
    help=Help("Two players take turns to claim a vertex; if you cannot move, you lose.", ""),
)


class ColSetup(NamedTuple):
    offsets: np.ndarray  # the graph as CSR: v has the neighbors
    neighbors: np.ndarray  # neighbors[offsets[v]:offsets[v + 1]]


@implements(rules.info, ColSetup)
def col_info(setup):
    n = setup.offsets.size - 1
    return rules.GameInfo(HEADER + n, 2, n, n, 0.0, 1.0)


@compiled
def may_claim(setup, state, seat, vertex):
    if state[HEADER + vertex] != 0:
        return False
    for slot in range(setup.offsets[vertex], setup.offsets[vertex + 1]):
        if state[HEADER + setup.neighbors[slot]] == 1 + seat:
            return False
    return True


@implements(rules.start, ColSetup)
def col_start(setup, state):
    state[:] = 0


@implements(rules.legal_moves, ColSetup)
def col_legal_moves(setup, state, out):
    count = 0
    if state[TURN] != OVER:
        for vertex in range(setup.offsets.size - 1):
            if may_claim(setup, state, state[TURN], vertex):
                out[count] = vertex
                count += 1
    return count


@implements(rules.play, ColSetup)
def col_play(setup, state, move):
    state[HEADER + move] = 1 + state[TURN]
    state[PLY] += 1
    state[TURN] = 1 - state[TURN]
    for vertex in range(setup.offsets.size - 1):
        if may_claim(setup, state, state[TURN], vertex):
            return
    state[TURN] = OVER


@implements(rules.scores, ColSetup)
def col_scores(setup, state, out):
    out[0] = float(state[PLY] % 2)  # the seat that moved last has won, or is ahead
    out[1] = 1.0 - out[0]


rules.register(ColSetup)


class Col(VertexGame):
    declaration = DECLARATION
    version = 1
    setup_type = ColSetup

    def make_setup(self, board, values):
        return ColSetup(board.offsets.copy(), board.neighbors.copy())

    def fills(self, position):
        return position.state[HEADER:]


col = Col()
