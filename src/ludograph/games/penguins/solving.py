"""The solver of Penguins: exact results of small games and of endgames, to the last fish.

While two players can still reach the same tiles, alpha-beta search finds the best moves. When all
regions are isolated, each player eats as many fish as possible in its own (``endgame.py``).
"""

from __future__ import annotations

import time as clock
from dataclasses import dataclass

import numpy as np

from ludograph.errors import InvalidInput
from ludograph.games.knowledge import holds_for
from ludograph.games.penguins.eat import solve_endgame
from ludograph.games.penguins.endgame import MAX_EXACT_TILES
from ludograph.games.penguins.evaluation import make_search_setup
from ludograph.games.penguins.isolated import isolated_regions
from ludograph.games.penguins.position import PenguinsPosition
from ludograph.games.penguins.setup import PenguinsSetup
from ludograph.games.solution import UNKNOWN, Progress, Solution, silent
from ludograph.games.solving import Solving
from ludograph.rules import random_state
from ludograph.search.alphabeta import LARGE, AlphaBeta
from ludograph.search.pacing import deadline_after


class PenguinsSolving(Solving[PenguinsPosition]):
    """Proofs for two seats, and for more seats if their penguins are isolated."""

    def solve(
        self, position: PenguinsPosition, seconds: float, progress: Progress = silent
    ) -> Solution:
        """Return the result of best play, to the last fish."""
        if not holds_for(position, PenguinsSetup):
            return super().solve(position, seconds, progress)
        return best_play(position, seconds)


def best_play(position: PenguinsPosition, seconds: float) -> Solution:
    """Return the result of best play of all seats.

    Raises
    ------
    InvalidInput
        If the game is over, or three or more players can still reach each other's tiles.
    """
    found = solve(position, seconds)
    verdict = UNKNOWN
    if found.margin is not None:
        verdict = ("draw", "win", "loss")[(found.margin > 0) - (found.margin < 0)]
    data = {"turn": position.turn, "margin": found.margin, "fish": found.fish}
    text = sentence(position, found, seconds)
    line, start = found.line, position.copy()
    return Solution(text, verdict, line, found.nodes, found.seconds, data, start)


def sentence(position: PenguinsPosition, found: BestLine, seconds: float) -> str:
    """Return the answer as a sentence."""
    if found.margin is None:
        return f"Nothing is proven after {seconds:g} s; --time gives more."
    if found.fish is None:  # the time ended before the line was complete
        if found.margin == 0:
            return "Best play leads to a draw."
        what = "wins" if found.margin > 0 else "loses"
        who = subject(position, position.turn or 0)
        return f"{who} {what} with best play, by {abs(found.margin)} fish."
    most = max(found.fish)
    first = [seat for seat, fish in enumerate(found.fish) if fish == most]
    if len(first) > 1:
        between = f" between seats {' and '.join(map(str, first))}" if position.seats > 2 else ""
        return f"Best play leads to a draw{between}, {most} fish each."
    others = " and ".join(
        str(fish) if fish >= 0 else "none (out)"
        for seat, fish in enumerate(found.fish)
        if seat != first[0]
    )
    return f"{subject(position, first[0])} wins with best play, {most} fish to {others}."


def subject(position: PenguinsPosition, seat: int) -> str:
    """Return a seat as the subject of a sentence."""
    if position.ply == 0:
        return f"Seat {seat}, which moves {'second' if seat else 'first'},"
    return f"Seat {seat}, which is to move," if seat == position.turn else f"Seat {seat}"


EFFORT = 20_000
"""The steps of a proof for a region within the search, at most."""

MEMO = 2**18
"""The number of regions in the memory of the search."""

TABLE_BITS = 22
"""The binary logarithm of the number of positions in the search's table: 100 MB."""

VISITED = 2**20
"""The number of nodes in the memory of a proof for a region when all are isolated."""


@dataclass(frozen=True, slots=True)
class BestLine:
    """The result of best play.

    Attributes
    ----------
    margin
        The final fish of the seat to move less those of the best other seat; None if the time ended
        before a proof.
    fish
        The final fish of each seat, -1 if it was eliminated; None if the time ended before the line
        was complete.
    line
        The best moves of all seats to the end of the game, or as far as the time allowed.
    nodes, seconds
        The number of searched positions, and the time.
    """

    margin: int | None
    fish: tuple[int, ...] | None
    line: tuple[int, ...]
    nodes: int
    seconds: float

    @property
    def proven(self) -> bool:
        """Whether the margin is proven."""
        return self.margin is not None


def solve(position: PenguinsPosition, seconds: float | None = None) -> BestLine:
    """Find best moves of all seats from here to the end of the game, and prove them.

    Parameters
    ----------
    position
        A position of Penguins, which is not changed.
    seconds
        The approximate time limit; None: until a proof.

    Raises
    ------
    InvalidInput
        If the game is over, or three or more players can still reach each other's tiles.
    """
    if position.is_over:
        raise InvalidInput(f"the game is over after {position.ply} moves: nothing is left to solve")
    if len(seats_left(position)) > 2 and not are_isolated(position):
        raise InvalidInput(
            f"penguins: {len(seats_left(position))} players can still reach each other's tiles; "
            "a proof needs two players, or isolated penguins"
        )
    return Solver(position, seconds).solve()


def seats_left(position: PenguinsPosition) -> list[int]:
    """Return the seats that were not eliminated."""
    return [seat for seat in range(position.seats) if not position.is_eliminated(seat)]


def are_isolated(position: PenguinsPosition) -> bool:
    """Return whether no free tile can be reached by two players."""
    return not position.is_placing and not any(
        isolated_regions(position.setup, position.state, seat)[1] for seat in seats_left(position)
    )


class Solver:
    """The state of one solution; the search's memory is used for all moves of the line."""

    def __init__(self, position: PenguinsPosition, seconds: float | None) -> None:
        self.position = position.copy()
        self.seat = int(position.turn or 0)
        # Kernels are compiled now, before any clock runs.
        setup = position.setup
        self.search = None
        if not are_isolated(position):
            searched = make_search_setup(setup, effort=EFFORT, memo=MEMO)
            self.search = AlphaBeta(searched, table_bits=TABLE_BITS)
        self.deadline: float | None = None
        self.best_plan(setup, [0], [setup.fish.size - 1])
        self.started = clock.perf_counter()
        self.deadline = deadline_after(seconds)
        self.line: list[int] = []
        self.nodes = 0

    def solve(self) -> BestLine:
        """Play the best moves until the end of the game, or of the time."""
        margin: int | None = None
        while not self.position.is_over:
            if are_isolated(self.position):
                if not self.play_endgames():
                    break
            else:
                found = self.play_contested()
                if found is None:
                    break
                margin = found if margin is None else margin
        fish = None
        if self.position.is_over:
            fish = tuple(int(score) for score in self.position.scores())
            others = (count for seat, count in enumerate(fish) if seat != self.seat)
            margin = fish[self.seat] - max(others)
        seconds = clock.perf_counter() - self.started
        return BestLine(margin, fish, tuple(self.line), self.nodes, seconds)

    def play_contested(self) -> int | None:
        """Play a best move while regions are contested; return the margin, None without a proof."""
        assert self.search is not None  # isolated players stay isolated
        found = self.search.search(self.position.state, time=self.time_left(), seat=self.seat)
        self.nodes += found.nodes
        if not found.exact:
            return None
        self.play(found.move)
        value = found.value
        return round(value - LARGE if value > 0 else value + LARGE if value < 0 else value)

    def play_endgames(self) -> bool:
        """Play the rest of a game of isolated players; return False if the time was too short."""
        setup, state = self.position.setup, self.position.state
        plans: dict[int, list[int]] = {}
        for seat in seats_left(self.position):
            plans[seat] = []
            for region in isolated_regions(setup, state, seat)[0]:
                plan = self.best_plan(setup, region.tiles, region.free)
                if plan is None:
                    return False
                plans[seat] += plan
        while not self.position.is_over:
            self.play(plans[int(self.position.turn or 0)].pop(0))
        return True

    def best_plan(
        self, setup: PenguinsSetup, tiles: list[int], free: list[int]
    ) -> list[int] | None:
        """Return moves that eat most fish on a region's free tiles; None without a proof."""
        if len(free) > MAX_EXACT_TILES:
            return None
        _, plan, proven = solve_endgame(
            setup,
            np.array(tiles, np.int32),
            np.array(free, np.int32),
            random_state(0),
            self.time_left(),
            visited=VISITED,
            exact_part=1.0,
        )
        return plan if proven else None

    def play(self, move: int) -> None:
        """Play a move, and add it to the line."""
        self.position.play(move)
        self.line.append(move)

    def time_left(self) -> float | None:
        """Return the remaining seconds; None without a time limit."""
        if self.deadline is None:
            return None
        return max(0.0, self.deadline - clock.perf_counter())
