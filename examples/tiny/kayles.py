"""Kayles with dice: bowl at pins that stand on a graph. A good throw fells the neighbors, too.

A die is rolled before each throw. By 4 or more, the pin that you choose falls together with all
standing neighbors, else it falls alone. Each pin that you fell is a point.

    ludograph check-game examples/tiny/kayles.py
"""

from typing import NamedTuple

import numpy as np

from ludograph import rules
from ludograph.games import Declaration, Option, VertexGame
from ludograph.games.board_option import BoardType
from ludograph.games.declaration import Help
from ludograph.games.vertex_game import VertexPresentation
from ludograph.rules import CHANCE, HEADER, OVER, PLY, TURN, implements

ROLLED, PINS = HEADER, HEADER + 1
GOOD = 4

DECLARATION = Declaration(
    name="kayles",
    summary="fell most pins; a good throw fells the neighbors, too",
    home="kayles:kayles",
    options=(Option("board", BoardType(("hexagonal", "penrose")), "hexagonal:4", "a board"),),
    help=Help("Two players bowl at pins in turn; the dice say how far a throw goes.", ""),
)


class KaylesSetup(NamedTuple):
    offsets: np.ndarray
    neighbors: np.ndarray


@implements(rules.info, KaylesSetup)
def kayles_info(setup):
    n = setup.offsets.size - 1
    return rules.GameInfo(PINS + n, 2, max(n, 6), 2 * n, 0.0, float(n))


@implements(rules.start, KaylesSetup)
def kayles_start(setup, state):
    state[:] = 0
    state[TURN] = CHANCE


@implements(rules.legal_moves, KaylesSetup)
def kayles_legal_moves(setup, state, out):
    if state[TURN] == CHANCE:
        for face in range(6):
            out[face] = 1 + face
        return 6
    count = 0
    for vertex in range(setup.offsets.size - 1):
        if state[PINS + vertex] == 0:
            out[count] = vertex
            count += 1
    return count


@implements(rules.play, KaylesSetup)
def kayles_play(setup, state, move):
    state[PLY] += 1
    if state[TURN] == CHANCE:
        state[ROLLED] = move
        state[TURN] = state[PLY] // 2 % 2  # each turn has two plies: a roll and a throw
        return
    state[PINS + move] = 1 + state[TURN]
    if state[ROLLED] >= GOOD:
        for slot in range(setup.offsets[move], setup.offsets[move + 1]):
            pin = PINS + setup.neighbors[slot]
            if state[pin] == 0:
                state[pin] = 1 + state[TURN]
    state[TURN] = OVER
    for vertex in range(setup.offsets.size - 1):
        if state[PINS + vertex] == 0:
            state[TURN] = CHANCE


@implements(rules.scores, KaylesSetup)
def kayles_scores(setup, state, out):
    out[:] = 0.0
    for vertex in range(setup.offsets.size - 1):
        if state[PINS + vertex] > 0:
            out[state[PINS + vertex] - 1] += 1.0


rules.register(KaylesSetup)


class Throws(VertexPresentation):
    def describe_move(self, position, move):
        return f"rolls a {move}" if position.ply % 2 else f"bowls at {move}"


class Kayles(VertexGame):
    declaration = DECLARATION
    version = 1
    setup_type = KaylesSetup

    @property
    def presentation(self):
        return Throws(self)

    def make_setup(self, board, values):
        return KaylesSetup(board.offsets.copy(), board.neighbors.copy())

    def fills(self, position):
        return position.state[PINS:]


kayles = Kayles()
