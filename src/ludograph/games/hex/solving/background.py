"""The exact solver in the background of a search: a few nodes at a time, between simulations."""

from __future__ import annotations

import numpy as np

from ludograph.games.hex.rules import CELLS, STONE, SWAPPED
from ludograph.games.hex.setup import BLACK, WHITE, HexSetup
from ludograph.games.hex.solving.solver import HexSolver
from ludograph.rules import PLY, TURN, Moves, Scores, State
from ludograph.rules.kernels.sets import as_int, from_int, put
from ludograph.search.proof.game import find, work_at
from ludograph.search.proof.search import prove
from ludograph.search.proof.stack import DONE, begin

TABLE_BITS = 17
"""The size of the table of a game: 4 MiB up to 8 x 8, 6 MiB up to 11 x 11, 10 MiB for larger
boards."""

SIMULATIONS_PER_NODE = 60.0
"""The simulations in the time of a node of the proof: a third of a millisecond for the first
hundred nodes, on 9 x 9 and on 11 x 11, and less later."""

SMALL = 7
"""The width of the largest board on which the solver works from the first stone on."""

STONES_A_ROW = 3
"""On a larger board, the number of stones, for each further row, before the solver works: among
games on 9 x 9, 2048 nodes decided none before ply 7; on 11 x 11, none before ply 14."""


class SteppedSolver:
    """The solver of one board's positions; later ones use the table of earlier ones.

    It is a :class:`~ludograph.search.mcts.hints.StepwiseSolver` of the game without the pie rule.
    """

    simulations_per_node = SIMULATIONS_PER_NODE

    def __init__(self, setup: HexSetup, table_bits: int = TABLE_BITS) -> None:
        self.solver = HexSolver(setup.columns - 2, table_bits=table_bits)
        size = self.solver.n
        rows, columns = np.divmod(np.arange(size * size), size)
        self.vertices = (rows + 1) * setup.columns + columns + 1
        self.earliest = STONES_A_ROW * max(0, size - SMALL)
        self.state: State | None = None
        table, key = self.solver.workspace.table, self.solver.workspace.levels[0].key
        work_at(table, max(0, find(table, key)))  # loaded now, before any clock runs

    def is_hopeful(self, state: State) -> bool:
        """Tell whether a position has enough stones for a solution."""
        return bool(state[PLY] >= self.earliest)

    def ask(self, state: State) -> None:
        """Begin the proof of a position."""
        self.state = np.array(state)
        solver = self.solver
        words = len(solver.grid.board)
        cells = state[CELLS + self.vertices]
        for color in (BLACK, WHITE):
            stones = np.flatnonzero(cells == STONE - color).tolist()
            bits = sum(1 << cell for cell in stones)
            put(solver.workspace.levels[0].stones[color], from_int(bits, words))
        begin(solver.stack, int(state[TURN] ^ state[SWAPPED]))

    @property
    def nodes(self) -> int:
        """The number of nodes that the proof of this position has taken so far."""
        return int(self.solver.stack.progress[0].nodes)

    def advance(self, nodes: int) -> bool:
        """Continue the proof for some nodes; return whether the winner is known."""
        solver = self.solver
        prove(solver.grid, solver.workspace, solver.stack, nodes)
        return bool(solver.stack.progress[0].mode == DONE)

    @property
    def distance(self) -> int:
        """An estimate of the distance to the result: the lesser of the root's proof numbers."""
        stack = self.solver.stack
        count = int(stack.frames[0].count)
        if count == 0:
            return 0
        return min(int(stack.deltas[0, :count].min()), int(stack.phis[0, :count].max()) + count - 1)

    @property
    def effort(self) -> int:
        """The number of nodes of the proof, now or when the table got its result."""
        workspace = self.solver.workspace
        place = find(workspace.table, workspace.levels[0].key)
        return self.nodes if place < 0 else max(self.nodes, work_at(workspace.table, place))

    def answer(self, scores: Scores, moves: Moves) -> tuple[bool, int]:
        """Write the known result and moves, as :func:`~ludograph.search.mcts.hints.settle` does.

        The moves of a won position are the winning move, or, if it is unknown, those of the
        carrier, one of which wins. The moves of a lost position are those of the carrier, which the
        winner has to answer. The moves of an open position are those not refuted so far, without
        dead, captured and dominated cells.

        Returns
        -------
        settled, count
            Whether the winner is known; the number of moves.
        """
        assert self.state is not None
        solver, stack = self.solver, self.solver.stack
        progress, frame = stack.progress[0], stack.frames[0]
        settled = bool(progress.mode == DONE)
        cells: list[int]
        if not settled:
            cells = stack.moves[0, : frame.count].tolist()
        elif progress.phi == 0 and frame.move >= 0:
            cells = [int(frame.move)]
        else:
            carrier = as_int(tuple(solver.workspace.carrier))
            cells = [cell for cell in range(solver.n**2) if carrier >> cell & 1]
        if settled:
            mover = int(self.state[TURN])
            winner = mover if progress.phi == 0 else 1 - mover
            scores[winner], scores[1 - winner] = 1.0, 0.0
        free = [cell for cell in cells if self.state[CELLS + self.vertices[cell]] >= 0]
        moves[: len(free)] = self.vertices[free]
        return settled, len(free)
