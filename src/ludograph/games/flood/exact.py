"""The exact solver of Flood for two in the background of Monte Carlo search.

It is alpha-beta search on compact states, deepened until no line is cut: then the margin at the end
of the game is known, and a move that brings it. On 12 x 12 vertices that takes 0.1 seconds from the
position on where some 45 of the 100 regions are free.
"""

from __future__ import annotations

from ludograph.games.flood.compact import (
    CompactSetup,
    free_regions,
    is_compact,
    make_compact,
    to_compact,
)
from ludograph.games.flood.search_setup import FloodSearchSetup
from ludograph.rules import Moves, Scores, State, info
from ludograph.search.alphabeta import LARGE
from ludograph.search.alphabeta.search import alphabeta
from ludograph.search.alphabeta.stack import DONE, begin, make_stack, set_root
from ludograph.search.mcts import GameKnowledge
from ludograph.search.transpositions import make_table

TABLE_BITS = 18
"""Of the table that is kept for a game: 6 MiB."""

BATCH = 256
"""Nodes of alpha-beta search in what counts as a node of the solver."""

SIMULATIONS_PER_NODE = 200.0
"""What a batch takes: a quarter of a millisecond."""

SOLVED = 44
"""Free regions from which on a position is as good as solved."""


class ExactSolver:
    """Solves positions of one game, and remembers what it has found from one to the next.

    A :class:`~ludograph.search.mcts.hints.Solver`. Values are those of seat 0.
    """

    simulations_per_node = SIMULATIONS_PER_NODE

    def __init__(self, setup: CompactSetup, table_bits: int = TABLE_BITS) -> None:
        self.setup = setup
        self.table = make_table(table_bits)
        self.stack = make_stack(setup, info(setup).ply_bound)
        self.limit = self.stack.states.shape[0] - 2
        self.depth = 1
        self.is_known = False

    def is_hopeful(self, state: State) -> bool:  # noqa: ARG002
        """Tell that there is hope: :attr:`distance` says how much."""
        return True

    def ask(self, state: State) -> None:
        """Begin with a position."""
        set_root(self.stack, to_compact(self.setup, state), 0)
        self.depth = 1
        self.is_known = False
        begin(self.stack, self.depth)

    def advance(self, nodes: int) -> bool:
        """Search on; tell whether the margin is known."""
        progress = self.stack.progress
        last = int(progress.nodes) + nodes * BATCH
        while not self.is_known and progress.nodes < last:
            alphabeta(self.setup, self.stack, self.table, int(last - progress.nodes))
            if progress.step == DONE:
                if not self.stack.frames[0].cut:
                    self.is_known = True
                elif self.depth == self.limit:
                    break
                else:
                    self.depth += 1
                    begin(self.stack, self.depth)
        return self.is_known

    @property
    def nodes(self) -> int:
        """How many batches of nodes the question has taken so far."""
        return -(-int(self.stack.progress.nodes) // BATCH)

    @property
    def effort(self) -> int:
        """The same."""
        return self.nodes

    @property
    def distance(self) -> int:
        """How far the answer seems to be, by the free regions."""
        return max(1, 4 * (free_regions(self.setup, self.stack.states[0]) - SOLVED))

    def answer(self, scores: Scores, moves: Moves) -> tuple[bool, int]:
        """Write scores of the margin that is known, and a best move."""
        if not self.is_known:
            return False, 0
        root = self.stack.frames[0]
        value = float(root.best)
        margin = value - LARGE if value > 0.0 else value + LARGE if value < 0.0 else 0.0
        vertices = self.setup.base.region_of.size
        scores[0], scores[1] = (vertices + margin) / 2, (vertices - margin) / 2
        moves[0] = root.best_move
        return True, 1


class FloodKnowledge(GameKnowledge):
    """What Flood hands to a Monte Carlo search: the exact solver, if there are compact states."""

    def __init__(self, setup: FloodSearchSetup) -> None:
        self.setup = setup

    def solver(self) -> ExactSolver | None:
        """Return the exact solver."""
        return ExactSolver(make_compact(self.setup)) if is_compact(self.setup) else None
