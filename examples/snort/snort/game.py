"""The game of Snort."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from ludograph import rules
from ludograph.boards import Board
from ludograph.games import Position, VertexGame
from ludograph.rules import HEADER, OVER, PLY, TURN, Moves, Scores, State, compiled, implements
from snort import DECLARATION


class SnortSetup(NamedTuple):
    offsets: np.ndarray  # the graph as CSR: v has the neighbors
    neighbors: np.ndarray  # neighbors[offsets[v]:offsets[v + 1]]


# After the header comes one slot per vertex: 0 free, 1 or 2 claimed by seat 0 or 1.


@implements(rules.info, SnortSetup)
def snort_info(setup: SnortSetup) -> rules.GameInfo:
    return rules.GameInfo(
        state_size=HEADER + setup.offsets.size - 1,
        seats=2,
        move_capacity=setup.offsets.size - 1,
        ply_bound=setup.offsets.size - 1,
        lowest_score=0.0,
        highest_score=1.0,
    )


@compiled
def may_claim(setup: SnortSetup, state: State, seat: int, vertex: int) -> bool:
    if state[HEADER + vertex] != 0:
        return False
    for slot in range(setup.offsets[vertex], setup.offsets[vertex + 1]):
        if state[HEADER + setup.neighbors[slot]] == 2 - seat:  # the other seat's mark
            return False
    return True


@compiled
def can_move(setup: SnortSetup, state: State, seat: int) -> bool:
    for vertex in range(setup.offsets.size - 1):
        if may_claim(setup, state, seat, vertex):
            return True
    return False


@implements(rules.start, SnortSetup)
def snort_start(setup: SnortSetup, state: State) -> None:
    state[:] = 0


@implements(rules.legal_moves, SnortSetup)
def snort_legal_moves(setup: SnortSetup, state: State, out: Moves) -> int:
    count = 0
    if state[TURN] != OVER:
        for vertex in range(setup.offsets.size - 1):
            if may_claim(setup, state, state[TURN], vertex):
                out[count] = vertex
                count += 1
    return count


@implements(rules.play, SnortSetup)
def snort_play(setup: SnortSetup, state: State, move: int) -> None:
    seat = state[TURN]
    state[HEADER + move] = seat + 1
    state[PLY] += 1
    state[TURN] = 1 - seat
    if not can_move(setup, state, 1 - seat):
        state[TURN] = OVER


@implements(rules.scores, SnortSetup)
def snort_scores(setup: SnortSetup, state: State, out: Scores) -> None:
    last = 1 - state[PLY] % 2  # seat 0 plays the even plies: the seat that moved last is ahead
    out[0] = 1.0 if last == 0 else 0.0
    out[1] = 1.0 - out[0]


rules.register(SnortSetup)


class Snort(VertexGame[Position]):
    declaration = DECLARATION
    version = 1
    setup_type = SnortSetup

    def make_setup(self, board: Board, values: Mapping[str, Any]) -> SnortSetup:
        return SnortSetup(board.offsets.copy(), board.neighbors.copy())

    def fills(self, position: Position) -> State:  # 0 free, 1 or 2 claimed by seat 0 or 1
        return position.state[HEADER:].copy()


snort = Snort()
