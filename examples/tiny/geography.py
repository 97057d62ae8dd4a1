"""Edge geography: move the token along an edge, which is then gone. If you cannot move, you lose.

ludograph check-game examples/tiny/geography.py
"""

import dataclasses
from typing import NamedTuple

import numpy as np

from ludograph import rules
from ludograph.games import Declaration, Option, VertexGame
from ludograph.games.board_option import BoardType
from ludograph.games.declaration import Help
from ludograph.games.vertex_game import VertexPresentation
from ludograph.rules import HEADER, OVER, PLY, TURN, compiled, implements

TOKEN, USED = HEADER, HEADER + 1  # the vertex of the token; for each edge whether it is gone

DECLARATION = Declaration(
    name="geography",
    summary="move the token along edges that vanish",
    home="geography:geography",
    options=(Option("board", BoardType(("hexagonal", "square")), "hexagonal:4", "a board"),),
    solving={"board": "square:3"},
    help=Help("Move the token along an edge, which vanishes; if you cannot move, you lose.", ""),
)


class GeographySetup(NamedTuple):
    offsets: np.ndarray
    neighbors: np.ndarray
    edges: np.ndarray  # int32: for each place among the neighbors the number of the edge to it


@implements(rules.info, GeographySetup)
def geography_info(setup):
    edges = setup.neighbors.size // 2
    return rules.GameInfo(USED + edges, 2, setup.offsets.size - 1, edges, 0.0, 1.0)


@compiled
def is_stuck(setup, state):
    for slot in range(setup.offsets[state[TOKEN]], setup.offsets[state[TOKEN] + 1]):
        if state[USED + setup.edges[slot]] == 0:
            return False
    return True


@implements(rules.start, GeographySetup)
def geography_start(setup, state):
    state[:] = 0  # the token on vertex 0


@implements(rules.legal_moves, GeographySetup)
def geography_legal_moves(setup, state, out):
    count = 0
    for slot in range(setup.offsets[state[TOKEN]], setup.offsets[state[TOKEN] + 1]):
        if state[USED + setup.edges[slot]] == 0:
            out[count] = setup.neighbors[slot]
            count += 1
    return count


@implements(rules.play, GeographySetup)
def geography_play(setup, state, move):
    for slot in range(setup.offsets[state[TOKEN]], setup.offsets[state[TOKEN] + 1]):
        if setup.neighbors[slot] == move:
            state[USED + setup.edges[slot]] = 1
    state[TOKEN] = move
    state[PLY] += 1
    state[TURN] = OVER if is_stuck(setup, state) else 1 - state[TURN]


@implements(rules.scores, GeographySetup)
def geography_scores(setup, state, out):
    out[0] = float(state[PLY] % 2)  # the seat that moved last has won, or is ahead
    out[1] = 1.0 - out[0]


rules.register(GeographySetup)


class Edges(VertexPresentation):
    def scene(self, position):
        left = position.state[USED:] == 0
        return dataclasses.replace(super().scene(position), links=position.board.edges()[left])


class Geography(VertexGame):
    declaration = DECLARATION
    version = 1
    setup_type = GeographySetup

    @property
    def presentation(self):
        return Edges(self)

    def make_setup(self, board, values):
        ends = np.repeat(np.arange(board.n), np.diff(board.offsets))
        pairs = np.sort([ends, board.neighbors], axis=0)
        edges = np.unique(pairs, axis=1, return_inverse=True)[1].ravel().astype(np.int32)
        return GeographySetup(board.offsets.copy(), board.neighbors.copy(), edges)

    def fills(self, position):
        fills = np.zeros(position.board.n, np.int32)
        fills[position.state[TOKEN]] = 1 + position.ply % 2  # the color of the seat to move
        return fills


geography = Geography()
