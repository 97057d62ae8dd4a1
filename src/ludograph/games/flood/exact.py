"""The exact solver of Flood for two in the background of Monte Carlo search.

It is alpha-beta search on compact states, to the end of the game at once: it finds the margin
there, and a move that brings it. Deepening step by step takes ten times as many nodes, as the order
by territory seldom fails, and bounds of the scores cut only where values are final.
"""

from __future__ import annotations

import math

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
from ludograph.search.pacing import chunks
from ludograph.search.transpositions import make_table
from ludograph.search.values import INFINITY

TABLE_BITS = 18
"""Of the table that is kept for a game: 6 MiB."""

BATCH = 256
"""Nodes of alpha-beta search in what counts as a node of the solver."""

SIMULATIONS_PER_NODE = 200.0
"""What a batch takes: a quarter of a millisecond."""

SOLVED = 64
"""Free regions from which on a position is as good as solved: by some 40,000 nodes."""


class ExactSolver:
    """Solves positions of one game, and remembers what it has found from one to the next.

    A :class:`~ludograph.search.mcts.hints.Solver`. Values are those of seat 0.
    """

    simulations_per_node = SIMULATIONS_PER_NODE

    def __init__(self, setup: CompactSetup, table_bits: int = TABLE_BITS) -> None:
        self.setup = setup
        self.table = make_table(table_bits)
        self.stack = make_stack(setup, info(setup).ply_bound)

    def is_hopeful(self, state: State) -> bool:  # noqa: ARG002
        """Tell that there is hope: :attr:`distance` says how much."""
        return True

    def ask(self, state: State, above: float = -INFINITY, below: float = INFINITY) -> None:
        """Begin with a position; a value that is not between both limits is only a bound."""
        set_root(self.stack, to_compact(self.setup, state), 0)
        begin(self.stack, self.stack.states.shape[0] - 2)
        root = self.stack.frames[0]
        root.alpha, root.beta = above, below

    @property
    def is_known(self) -> bool:
        """Whether the margin is known."""
        return bool(self.stack.progress.step == DONE)

    def advance(self, nodes: int) -> bool:
        """Search on; tell whether the margin is known."""
        alphabeta(self.setup, self.stack, self.table, nodes * BATCH)
        return self.is_known

    @property
    def value(self) -> float:
        """What was found: the margin of seat 0, and ``LARGE`` more if it wins, less if it loses."""
        return float(self.stack.frames[0].best)

    def winner(self, state: State, deadline: float | None) -> tuple[int | None, int]:
        """Return the seat that wins with best play, and how many nodes that took.

        -1 is a draw, None a time that was too short. Margins are only told apart on both sides of
        0, which takes some hundred times fewer nodes.
        """
        nodes = 0
        for above, below, seat in ((0.0, 1.0, 0), (-1.0, 0.0, -1)):
            self.ask(state, above, below)
            nodes += self._search(deadline)
            if not self.is_known:
                return None, nodes
            if self.value > above:
                return seat, nodes
        return 1, nodes

    def best_move(self, state: State, deadline: float | None) -> tuple[int | None, int]:
        """Return a move that brings the best margin, and how many nodes that took.

        None is a time that was too short.
        """
        self.ask(state)
        nodes = self._search(deadline)
        return int(self.stack.frames[0].best_move) if self.is_known else None, nodes

    def _search(self, deadline: float | None) -> int:
        """Search until the margin is known or the time is over; return the number of nodes."""
        for batches in chunks(deadline):
            if self.advance(batches):
                break
        return int(self.stack.progress.nodes)

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
        vertices, margin = self.setup.base.region_of.size, margin_of(self.value)
        scores[0], scores[1] = (vertices + margin) / 2, (vertices - margin) / 2
        moves[0] = self.stack.frames[0].best_move
        return True, 1


def margin_of(value: float) -> float:
    """Return the margin that an exact value of alpha-beta search says."""
    return value - math.copysign(LARGE, value) if value else 0.0


class FloodKnowledge(GameKnowledge):
    """What Flood hands to a Monte Carlo search: the exact solver, if there are compact states."""

    def __init__(self, setup: FloodSearchSetup) -> None:
        self.setup = setup

    def solver(self) -> ExactSolver | None:
        """Return the exact solver."""
        return ExactSolver(make_compact(self.setup)) if is_compact(self.setup) else None
