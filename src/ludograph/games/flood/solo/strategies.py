"""The strategies of the solo game: they solve it at their first move and then follow the plan."""

from __future__ import annotations

from collections import deque

import numpy as np

from ludograph import boards
from ludograph.games.flood.position import FloodPosition
from ludograph.games.flood.solo.beam import SoloSolution, solve_beam
from ludograph.games.flood.solo.optimal import SECONDS, solve_optimal
from ludograph.games.options import Option, Seconds, Whole
from ludograph.games.strategy import Strategy
from ludograph.games.timing import UNLIMITED, TimeLeft

WIDTH = 200


class Planner:
    """A strategy that follows a plan; if the game differs from the plan, it makes a new one."""

    def __init__(self) -> None:
        self.plan: deque[int] = deque()
        self._expected: FloodPosition | None = None

    def choose(self, position: FloodPosition, time_left: TimeLeft = UNLIMITED) -> int:
        """Return the next move of the plan; it uses its time for the first one.

        On a board that cannot be solved it returns the color that gains the most vertices.

        Raises
        ------
        InvalidInput
            If the game has more than one seat.
        """
        if not self.plan or not self._is_expected(position):
            self.plan = deque(self.solve(position, time_left).moves)
        move = self.plan.popleft() if self.plan else largest_gain(position)
        self._expected = position.copy()
        self._expected.push(move)
        return move

    def prepare(self, position: FloodPosition) -> None:
        """Compile the kernels before clocks start, by solving another board."""
        other = position.game.position(boards.square(7), colors=5, seats=1, seed=1)
        self.solve(other, TimeLeft(move=0.2))

    def solve(self, position: FloodPosition, time_left: TimeLeft) -> SoloSolution:
        """Return a solution from a position."""
        raise NotImplementedError

    def _is_expected(self, position: FloodPosition) -> bool:
        expected = self._expected
        return (
            expected is not None
            and expected.setup is position.setup
            and np.array_equal(expected.state, position.state)
        )


class BeamPlanner(Planner):
    """The planner with beam search."""

    def __init__(self, seed: int = 0, *, width: int = WIDTH) -> None:  # noqa: ARG002
        super().__init__()
        self.width = width

    def solve(self, position: FloodPosition, time_left: TimeLeft) -> SoloSolution:
        """Return a good solution from a position."""
        budget = time_left.budget(None, moves_left=2)
        return solve_beam(position.setup, position.state, width=self.width, seconds=budget)


class OptimalPlanner(Planner):
    """The planner with iterative deepening: a shortest plan, or the best one found in its time."""

    def __init__(self, seed: int = 0, *, time: float = SECONDS) -> None:  # noqa: ARG002
        super().__init__()
        self.time = time

    def solve(self, position: FloodPosition, time_left: TimeLeft) -> SoloSolution:
        """Return the best solution found from a position."""
        budget = time_left.budget(self.time, moves_left=2)
        return solve_optimal(position.setup, position.state, seconds=budget)


def largest_gain(position: FloodPosition) -> int:
    """Return the legal color that gains the most vertices; the lowest of equal ones."""
    gains = position.gains(0)
    return max(position.legal_moves(), key=lambda color: int(gains[color]))


SOLO_STRATEGIES: dict[str, Strategy] = {
    "beam": Strategy(
        name="beam",
        summary="solo: beam search; a wider beam finds shorter plans",
        make=BeamPlanner,
        options=(
            Option(
                "width",
                Whole(1, 100_000),
                WIDTH,
                "number of plans that are kept after each move",
            ),
        ),
        seats=(1, 1),
    ),
    "optimal": Strategy(
        name="optimal",
        summary="solo: a proven shortest plan, or the best one found in time",
        make=OptimalPlanner,
        options=(Option("time", Seconds(0.001, 3600.0), SECONDS, "seconds to plan"),),
        seats=(1, 1),
    ),
}
"""Strategies that play the solo game only."""
