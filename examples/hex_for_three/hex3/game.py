"""The game of Hex for three: a state of its own, on boards whose borders are like those of Hex."""

from typing import NamedTuple

import numpy as np

from hex3 import COLORS, DECLARATION
from ludograph import rules
from ludograph.errors import InvalidInput
from ludograph.games import VertexGame
from ludograph.games.hex.setup import chains_of
from ludograph.games.presentation import SeatFacts
from ludograph.games.vertex_game import VertexInteraction, VertexPresentation
from ludograph.rules import HEADER, OVER, PLY, TURN, compiled, implements
from ludograph.views import Swatch

SEATS = 3
WINNER = HEADER  # 1 + the seat that has won; 0 before the end
OUT = HEADER + 1  # per seat: 1 when it cannot join its sides any more, 2 when it was dropped
CELLS = HEADER + 4  # per vertex: 0 free, 1 + the seat whose stone or border is there

# After the cells: per vertex a place for the walk of `is_joined`, 0 at all other times.

SEEN = 4  # added to a cell that the walk has met


class Hex3Setup(NamedTuple):
    offsets: np.ndarray  # the graph as CSR: v has the neighbors
    neighbors: np.ndarray  # neighbors[offsets[v]:offsets[v + 1]]
    owners: np.ndarray  # per vertex: 1 + the seat whose border it is, or 0
    ends: np.ndarray  # per seat: a vertex of its first border, and one of its second


@implements(rules.info, Hex3Setup)
def hex3_info(setup):
    return rules.GameInfo(
        state_size=CELLS + 2 * setup.owners.size,
        seats=SEATS,
        move_capacity=setup.owners.size,
        ply_bound=setup.owners.size,
        lowest_score=0.0,
        highest_score=1.0,
    )


@implements(rules.start, Hex3Setup)
def hex3_start(setup, state):
    state[:] = 0
    for vertex in range(setup.owners.size):
        state[CELLS + vertex] = setup.owners[vertex]


@implements(rules.legal_moves, Hex3Setup)
def hex3_legal_moves(setup, state, out):
    count = 0
    if state[TURN] != OVER:
        for vertex in range(setup.owners.size):
            if state[CELLS + vertex] == 0:
                out[count] = vertex
                count += 1
    return count


@compiled
def is_joined(setup, state, seat, over_free):
    """Tell whether cells of a seat join its borders; with ``over_free`` free cells count as its."""
    queue = CELLS + setup.owners.size
    first, last = setup.ends[2 * seat], setup.ends[2 * seat + 1]
    state[queue] = first
    state[CELLS + first] += SEEN
    met = 1
    place = 0
    while place < met and state[CELLS + last] < SEEN:
        vertex = state[queue + place]
        for slot in range(setup.offsets[vertex], setup.offsets[vertex + 1]):
            near = setup.neighbors[slot]
            cell = state[CELLS + near]
            if cell == seat + 1 or (over_free and cell == 0):
                state[queue + met] = near
                state[CELLS + near] += SEEN
                met += 1
        place += 1
    joined = state[CELLS + last] >= SEEN
    for place in range(met):
        state[CELLS + state[queue + place]] -= SEEN
        state[queue + place] = 0
    return joined


@compiled
def go_on(state):
    """Give the turn to the next seat that is not out; the last one that is left has won."""
    left = 0
    for seat in range(SEATS):
        if state[OUT + seat] == 0:
            left += 1
    turn = (state[TURN] + 1) % SEATS
    while state[OUT + turn] != 0:
        turn = (turn + 1) % SEATS
    state[TURN] = turn
    if left == 1:
        state[WINNER] = turn + 1
        state[TURN] = OVER


@implements(rules.play, Hex3Setup)
def hex3_play(setup, state, move):
    seat = state[TURN]
    state[CELLS + move] = seat + 1
    state[PLY] += 1
    if is_joined(setup, state, seat, False):
        state[WINNER] = seat + 1
        state[TURN] = OVER
        return
    for other in range(SEATS):
        if other != seat and state[OUT + other] == 0:
            state[OUT + other] = 0 if is_joined(setup, state, other, True) else 1
    go_on(state)


@implements(rules.drop, Hex3Setup)
def hex3_drop(setup, state, seat):
    state[OUT + seat] = 2
    if state[TURN] == OVER:
        return
    turn = state[TURN]
    go_on(state)
    if turn != seat and state[TURN] != OVER:
        state[TURN] = turn


@implements(rules.scores, Hex3Setup)
def hex3_scores(setup, state, out):
    for seat in range(SEATS):
        out[seat] = 1.0 if state[WINNER] == seat + 1 else 0.0


rules.register(Hex3Setup, hex3_drop)


class Hex3Presentation(VertexPresentation):
    def seat_facts(self, position, seat):
        out = int(position.state[OUT + seat])
        return SeatFacts(color=COLORS[seat], stuck="its sides are cut off" if out == 1 else "")

    def result(self, position, outcome, names):
        seat = outcome.winner
        return f"{names[seat]} (seat {seat}, {COLORS[seat]}) wins after {position.ply} moves."


class Hex3Interaction(VertexInteraction):
    def tasks(self, position):
        return ("Put a stone on a free cell",)

    def why_not_move(self, position, move):
        owners = position.setup.owners
        if 0 <= move < owners.size and owners[move]:
            return f"{move} is a border of {COLORS[owners[move] - 1]}"
        return super().why_not_move(position, move)


class Hex3(VertexGame):
    declaration = DECLARATION
    version = 1
    setup_type = Hex3Setup
    palette = (
        Swatch("free", "#dfb877", "."),
        Swatch("red", "#c62f2f", "x"),
        Swatch("green", "#2e8540", "o"),
        Swatch("blue", "#2f5fc6", "+"),
        Swatch("red border", "#e3a3a0", "X"),
        Swatch("green border", "#a3cfab", "O"),
        Swatch("blue border", "#a6b9e6", "#"),
    )

    @property
    def presentation(self):
        return Hex3Presentation(self)

    @property
    def interaction(self):
        return Hex3Interaction(self)

    def make_setup(self, board, values):
        owners, ends = np.zeros(board.n, np.int32), []
        for seat, color in enumerate(COLORS):
            mark = board.marks.get(color, np.zeros(0, np.int32))
            if owners[mark].any():
                raise InvalidInput(f"hex3: a vertex has the mark {color} and another one")
            owners[mark] = seat + 1
            chains = chains_of(board, owners == seat + 1)
            if len(chains) != 2:
                raise InvalidInput(
                    f"hex3: the mark {color} must be two connected chains, got {len(chains)}"
                )
            ends += [chain[0] for chain in chains]
        setup = Hex3Setup(board.offsets.copy(), board.neighbors.copy(), owners, np.array(ends))
        state = np.zeros(rules.info(setup).state_size, np.int32)
        rules.start(setup, state)
        for seat, color in enumerate(COLORS):
            if not is_joined(setup, state, seat, True):
                raise InvalidInput(f"hex3: no path over free vertices joins the sides of {color}")
        return setup

    def fills(self, position):
        cells = position.state[CELLS : CELLS + position.board.n].copy()
        return cells + SEATS * (position.setup.owners > 0)


hex3 = Hex3()
