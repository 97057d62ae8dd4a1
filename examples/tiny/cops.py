"""Cops and Robbers: a cop chases a robber along the edges of a graph.

The cop chooses a vertex, then the robber. In turn each goes to a neighbor or stays. The robber
wins by staying free for as many rounds as there are vertices. Which graphs are safe for robbers?

    ludograph solve ./examples/tiny/cops.py --board square:3
"""

from typing import NamedTuple

import numpy as np

from ludograph import rules
from ludograph.games import Declaration, Option, VertexGame
from ludograph.games.board_option import BoardType
from ludograph.games.declaration import Help
from ludograph.rules import HEADER, OVER, PLY, TURN, implements
from ludograph.views import Swatch

PLACES = HEADER  # 1 + the vertex of the cop, then of the robber; 0 before they have chosen

DECLARATION = Declaration(
    name="cops",
    summary="catch the robber, or stay free",
    home="cops:cops",
    options=(Option("board", BoardType(("hexagonal", "square")), "hexagonal:4", "a board"),),
    solving={"board": "hexagonal:2x3"},
    help=Help("A cop chases a robber along the edges of the board.", ""),
)


class CopsSetup(NamedTuple):
    offsets: np.ndarray
    neighbors: np.ndarray


@implements(rules.info, CopsSetup)
def cops_info(setup):
    n = setup.offsets.size - 1
    return rules.GameInfo(HEADER + 2, 2, n, 2 * n, 0.0, 1.0)


@implements(rules.start, CopsSetup)
def cops_start(setup, state):
    state[:] = 0


@implements(rules.legal_moves, CopsSetup)
def cops_legal_moves(setup, state, out):
    if state[TURN] == OVER:
        return 0
    place = state[PLACES + state[TURN]] - 1
    count = 0
    for vertex in range(setup.offsets.size - 1):
        if place < 0 or vertex == place:
            out[count] = vertex
            count += 1
    if place >= 0:
        for slot in range(setup.offsets[place], setup.offsets[place + 1]):
            out[count] = setup.neighbors[slot]
            count += 1
    return count


@implements(rules.play, CopsSetup)
def cops_play(setup, state, move):
    state[PLACES + state[TURN]] = 1 + move
    state[PLY] += 1
    caught = state[PLACES] == state[PLACES + 1]
    ended = caught or state[PLY] == 2 * (setup.offsets.size - 1)
    state[TURN] = OVER if ended else 1 - state[TURN]


@implements(rules.scores, CopsSetup)
def cops_scores(setup, state, out):
    out[0] = 1.0 if state[PLACES] == state[PLACES + 1] else 0.0
    out[1] = 1.0 - out[0]


rules.register(CopsSetup)


class Cops(VertexGame):
    declaration = DECLARATION
    version = 1
    setup_type = CopsSetup
    palette = (
        Swatch("free", "#dddddd", "."),
        Swatch("the cop", "#2266cc", "c"),
        Swatch("the robber", "#cc4422", "r"),
    )

    def make_setup(self, board, values):
        return CopsSetup(board.offsets.copy(), board.neighbors.copy())

    def fills(self, position):
        fills = np.zeros(position.board.n, np.int32)
        for seat in (1, 0):  # the cop stands above a robber who is caught
            if position.state[PLACES + seat] > 0:
                fills[position.state[PLACES + seat] - 1] = 1 + seat
        return fills


cops = Cops()
