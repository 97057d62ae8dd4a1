"""The game of Snort."""

from typing import NamedTuple

import numpy as np

from ludograph import rules
from ludograph.games import VertexGame
from ludograph.rules import HEADER, OVER, PLY, TURN, compiled, implements
from snort import DECLARATION


class SnortSetup(NamedTuple):
    offsets: np.ndarray  # the graph as CSR: v has the neighbors
    neighbors: np.ndarray  # neighbors[offsets[v]:offsets[v + 1]]


# After the header comes one slot per vertex: 0 free, 1 or 2 claimed by seat 0 or 1.


@implements(rules.info, SnortSetup)
def snort_info(setup):
    return rules.GameInfo(
        state_size=HEADER + setup.offsets.size - 1,
        seats=2,
        move_capacity=setup.offsets.size - 1,
        ply_bound=setup.offsets.size - 1,
        lowest_score=0.0,
        highest_score=1.0,
    )


@compiled
def may_claim(setup, state, seat, vertex):
    if state[HEADER + vertex] != 0:
        return False
    for slot in range(setup.offsets[vertex], setup.offsets[vertex + 1]):
        if state[HEADER + setup.neighbors[slot]] == 2 - seat:  # the other seat's mark
            return False
    return True


@compiled
def can_move(setup, state, seat):
    for vertex in range(setup.offsets.size - 1):
        if may_claim(setup, state, seat, vertex):
            return True
    return False


@implements(rules.start, SnortSetup)
def snort_start(setup, state):
    state[:] = 0


@implements(rules.legal_moves, SnortSetup)
def snort_legal_moves(setup, state, out):
    count = 0
    if state[TURN] != OVER:
        for vertex in range(setup.offsets.size - 1):
            if may_claim(setup, state, state[TURN], vertex):
                out[count] = vertex
                count += 1
    return count


@implements(rules.play, SnortSetup)
def snort_play(setup, state, move):
    seat = state[TURN]
    state[HEADER + move] = seat + 1
    state[PLY] += 1
    state[TURN] = 1 - seat
    if not can_move(setup, state, 1 - seat):
        state[TURN] = OVER


@implements(rules.scores, SnortSetup)
def snort_scores(setup, state, out):
    last = 1 - state[PLY] % 2  # seat 0 plays the even plies: the seat that moved last is ahead
    out[0] = 1.0 if last == 0 else 0.0
    out[1] = 1.0 - out[0]


rules.register(SnortSetup)


class Snort(VertexGame):
    declaration = DECLARATION
    version = 1
    setup_type = SnortSetup

    def make_setup(self, board, values):
        return SnortSetup(board.offsets.copy(), board.neighbors.copy())

    def fills(self, position):  # per vertex: 0 free, 1 or 2 claimed by seat 0 or 1
        return position.state[HEADER:].copy()


snort = Snort()
