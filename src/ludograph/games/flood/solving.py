"""Solutions of Flood: the winner and the margin, or the fewest moves of a single seat.

The exact solver for two seats also runs in the background of Monte Carlo search. It is alpha-beta
search on compact states. It searches to the end of the game at once, and finds the margin there and
a best move. Iterative deepening would take ten times as many nodes: the order of moves by territory
is good without it, and bounds of the scores cut only in searches to the end.
"""

from __future__ import annotations

import math
import time as clock
from collections.abc import Callable

from ludograph.games.flood.compact import CompactSetup, free_regions, make_compact, to_compact
from ludograph.games.flood.position import FloodPosition
from ludograph.games.flood.setup import FloodSetup
from ludograph.games.flood.solo import solve_optimal
from ludograph.games.knowledge import holds_for
from ludograph.games.solution import UNKNOWN, Progress, Solution, silent
from ludograph.games.solving import Solving, sentence
from ludograph.rules import Moves, Scores, State, info
from ludograph.search.alphabeta import LARGE
from ludograph.search.alphabeta.search import alphabeta
from ludograph.search.alphabeta.stack import DONE, begin, make_stack, set_root
from ludograph.search.pacing import chunks, deadline_after, is_over
from ludograph.search.transpositions import make_table
from ludograph.search.values import INFINITY

TABLE_BITS = 21
"""The size of the transposition table of a solution for two seats: 48 MiB."""


class FloodSolving(Solving[FloodPosition]):
    """Proofs for a single seat, and for two seats if the game has compact states."""

    def solve(
        self, position: FloodPosition, seconds: float, progress: Progress = silent
    ) -> Solution:
        """Return the winner of a game of two, or a shortest solution for a single seat.

        Parameters
        ----------
        seconds
            The time of the search.
        progress
            Gets the progress of the general search in games that these proofs do not cover.
        """
        if position.seats == 1 and holds_for(position, FloodSetup):
            return shortest(position, seconds)
        if not position.is_over and (setup := compact_setup(position)) is not None:
            return best_play(position, setup, seconds)
        return super().solve(position, seconds, progress)

    def solver(self) -> Callable[[FloodPosition, float], Solution]:
        """Return a function that finds the winner of one position of a board after another."""
        return Winners(self).solve


class Winners:
    """A solver for the winners of a board's positions; later ones use the table of earlier ones."""

    def __init__(self, solving: FloodSolving) -> None:
        self.solving = solving
        self.setup: FloodSetup | None = None
        self.solver: ExactSolver | None = None

    def solve(self, position: FloodPosition, seconds: float) -> Solution:
        """Return the solution of a position, with its winner alone."""
        if self.setup is not position.setup:
            self.setup, setup = position.setup, compact_setup(position)
            self.solver = None if setup is None else ExactSolver(setup, TABLE_BITS)
        if self.solver is None or position.is_over:
            return self.solving.solve(position, seconds)
        return winner(self.solver, position, seconds)


def compact_setup(position: FloodPosition) -> CompactSetup | None:
    """Return the Setup of a game with compact states; None if it has none."""
    if not holds_for(position, FloodSetup):
        return None
    return make_compact(position.setup)


def winner(solver: ExactSolver, position: FloodPosition, seconds: float) -> Solution:
    """Return the winner of a game of two, without a line of moves."""
    started = clock.perf_counter()
    seat, nodes = solver.winner(to_compact(solver.setup, position.state), deadline_after(seconds))
    took = clock.perf_counter() - started
    if seat is None:
        text = f"Nothing is proven after {seconds:g} s; --time gives more."
        return Solution(text, UNKNOWN, (), nodes, took)
    verdict = "draw" if seat < 0 else "win" if seat == position.turn else "loss"
    return Solution(f"{sentence(position, verdict)}.", verdict, (), nodes, took)


def best_play(position: FloodPosition, setup: CompactSetup, seconds: float) -> Solution:
    """Return the winner of a game of two, and, if the time suffices, the margin and best play."""
    solver = ExactSolver(setup, TABLE_BITS)
    started, deadline = clock.perf_counter(), deadline_after(seconds)
    found = winner(solver, position, seconds)
    text, nodes = found.text, found.nodes
    end, line = position.copy(), list[int]()
    while found.proven and not (end.is_over or is_over(deadline)):
        move, took = solver.best_move(to_compact(setup, end.state), deadline)
        nodes += took
        if move is None:
            break
        line.append(move)
        end.play(move)
    if end.is_over:
        text = f"{text[:-1]}, {' to '.join(f'{score:g}' for score in end.scores())}."
    passed, start = clock.perf_counter() - started, position.copy()
    return Solution(text, found.verdict, tuple(line), nodes, passed, position=start)


def shortest(position: FloodPosition, seconds: float) -> Solution:
    """Return a shortest solution of a solo game, or the best one found in time."""
    found = solve_optimal(position.setup, position.state, seconds=seconds)
    moves = len(found.moves)
    count = f"{moves} move" + ("" if moves == 1 else "s")
    if not found.solves:
        text, verdict = "The board cannot be solved: a forbidden color is needed.", "unsolvable"
    elif found.proven:
        text, verdict = f"The board is solved in {count}, and in no fewer.", "solved"
    else:
        least = f"at least {found.lower_bound} are needed"
        text = f"{count} solve the board, {least}; more --time may find the exact number."
        verdict = UNKNOWN
    start = position.copy()
    return Solution(text, verdict, found.moves, found.nodes, found.seconds, position=start)


GAME_TABLE_BITS = 18
"""The size of the transposition table of a game: 6 MiB."""

BATCH = 256
"""The nodes of alpha-beta search that count as one node of the solver."""

SIMULATIONS_PER_NODE = 200.0
"""The simulations of Monte Carlo search in the time of a batch: a quarter of a millisecond."""

SOLVED = 64
"""With at most this number of free regions a position is solved quickly: in some 40,000 nodes."""


class ExactSolver:
    """The solver of one game's positions; later ones use the table of earlier ones.

    It is a :class:`~ludograph.search.mcts.hints.StepwiseSolver`. Its values are margins of seat 0.
    """

    simulations_per_node = SIMULATIONS_PER_NODE

    def __init__(self, setup: CompactSetup, table_bits: int = GAME_TABLE_BITS) -> None:
        self.setup = setup
        self.table = make_table(table_bits)
        self.stack = make_stack(setup, info(setup).ply_bound)

    def is_hopeful(self, state: State) -> bool:  # noqa: ARG002
        """Return True: a search may always succeed; :attr:`distance` estimates its effort."""
        return True

    def ask(self, state: State, alpha: float = -INFINITY, beta: float = INFINITY) -> None:
        """Begin the search of a position.

        A value that is not between ``alpha`` and ``beta`` is only a bound of the margin.
        """
        set_root(self.stack, state, 0)
        begin(self.stack, self.stack.states.shape[0] - 2)
        root = self.stack.frames[0]
        root.alpha, root.beta = alpha, beta

    @property
    def is_known(self) -> bool:
        """Whether the search has found the margin, or its bound."""
        return bool(self.stack.progress.step == DONE)

    def advance(self, nodes: int) -> bool:
        """Continue the search for ``nodes`` batches; return :attr:`is_known`."""
        alphabeta(self.setup, self.stack, self.table, nodes * BATCH)
        return self.is_known

    @property
    def value(self) -> float:
        """The found value: the margin of seat 0, plus ``LARGE`` if it wins, minus if it loses."""
        return float(self.stack.frames[0].best)

    def winner(self, state: State, deadline: float | None) -> tuple[int | None, int]:
        """Return the seat that wins with best play, and the number of nodes of the search.

        The seat is -1 for a draw, and None if the time was too short. The search finds only the
        sign of the margin, which takes about a hundredth of the nodes.

        Parameters
        ----------
        deadline
            The end of the time, by :func:`ludograph.search.pacing.deadline_after`; None: no limit.
        """
        nodes = 0
        for alpha, beta, seat in ((0.0, 1.0, 0), (-1.0, 0.0, -1)):
            self.ask(state, alpha, beta)
            nodes += self._search(deadline)
            if not self.is_known:
                return None, nodes
            if self.value > alpha:
                return seat, nodes
        return 1, nodes

    def best_move(self, state: State, deadline: float | None) -> tuple[int | None, int]:
        """Return a move with the best margin, and the number of nodes of the search.

        The move is None if the time was too short.
        """
        self.ask(state)
        nodes = self._search(deadline)
        return int(self.stack.frames[0].best_move) if self.is_known else None, nodes

    def _search(self, deadline: float | None) -> int:
        """Search until the margin is known or the time is over; return the number of nodes.

        These are nodes of alpha-beta search.
        """
        for batches in chunks(deadline):
            if self.advance(batches):
                break
        return int(self.stack.progress.nodes)

    @property
    def nodes(self) -> int:
        """The number of batches of nodes that the search of this position has taken so far."""
        return -(-int(self.stack.progress.nodes) // BATCH)

    @property
    def effort(self) -> int:
        """The effort of the search so far: its :attr:`nodes`."""
        return self.nodes

    @property
    def distance(self) -> int:
        """An estimate of the distance to the answer, by the number of free regions; at least 1."""
        return max(1, 4 * (free_regions(self.setup, self.stack.states[0]) - SOLVED))

    def answer(self, scores: Scores, moves: Moves) -> tuple[bool, int]:
        """Write the scores of the known margin and a best move; return whether it is known.

        The second value is the number of best moves written.
        """
        if not self.is_known:
            return False, 0
        vertices, margin = self.setup.base.region_of.size, margin_of(self.value)
        scores[0], scores[1] = (vertices + margin) / 2, (vertices - margin) / 2
        moves[0] = self.stack.frames[0].best_move
        return True, 1


def margin_of(value: float) -> float:
    """Return the margin in an exact value of alpha-beta search."""
    return value - math.copysign(LARGE, value) if value else 0.0
