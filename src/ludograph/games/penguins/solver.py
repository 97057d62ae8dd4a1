"""Exact solutions of small games and of endgames, to the last fish.

While two players can still get to the same tiles, alpha-beta search finds the best moves. Once all
regions are isolated, each player eats the most that it can in its own (``endgame.py``).
"""

from __future__ import annotations

import time as clock
from dataclasses import dataclass

import numpy as np

from ludograph.errors import InvalidInput
from ludograph.games.penguins.eat import best_path, is_proven
from ludograph.games.penguins.endgame import (
    MAX_EXACT_TILES,
    advance,
    make_endgame,
    random_paths,
    start_search,
)
from ludograph.games.penguins.isolated import isolated_regions
from ludograph.games.penguins.position import PenguinsPosition
from ludograph.games.penguins.search_setup import make_search_setup
from ludograph.games.penguins.setup import PenguinsSetup
from ludograph.rules import random_state
from ludograph.search.alphabeta import LARGE, AlphaBeta
from ludograph.search.pacing import chunks, deadline_after

EFFORT = 20_000
"""Steps to prove what is eaten in a region, within the search."""

MEMO = 2**18
"""Regions that it remembers."""

TABLE_BITS = 22
"""Positions that it remembers: 100 MB."""

VISITED = 2**20
"""Nodes that the proof for a region remembers once all are isolated."""


@dataclass(frozen=True, slots=True)
class Solution:
    """What best play leads to.

    Attributes
    ----------
    margin
        Fish of the seat to move less those of the best other seat, at the end; None where the
        time was over before that was proven.
    fish
        What each seat has at the end of the line, -1 if it was eliminated; None where the time
        was over before the line was complete.
    line
        Best moves of all to the very end of the game, or as far as the time has reached.
    nodes, seconds
        Positions searched, and how long it took.
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


def solve(position: PenguinsPosition, seconds: float | None = None) -> Solution:
    """Find best moves for all from here to the end of the game, and prove that they are.

    Parameters
    ----------
    position
        Of Penguins. It stays as it is.
    seconds
        About so long at most; None: until it is proven.

    Raises
    ------
    InvalidInput
        If the game is over, or three players or more can still get to each other's tiles.
    """
    check(position)
    return Solver(position, seconds).solve()


def check(position: PenguinsPosition) -> None:
    """Raise InvalidInput unless :func:`solve` can begin."""
    if position.is_over:
        raise InvalidInput(f"the game is over after {position.ply} moves: nothing is left to solve")
    if len(seats_left(position)) > 2 and not are_isolated(position):
        raise InvalidInput(
            f"penguins: {len(seats_left(position))} players can still get to each other's tiles, "
            "a proof is for two, or for penguins that are isolated"
        )


def seats_left(position: PenguinsPosition) -> list[int]:
    """Return the seats that were not eliminated."""
    return [seat for seat in range(position.seats) if not position.is_eliminated(seat)]


def are_isolated(position: PenguinsPosition) -> bool:
    """Return whether nobody can get to a free tile that another player can get to."""
    return not position.is_placing and not any(
        isolated_regions(position.setup, position.state, seat)[1] for seat in seats_left(position)
    )


class Solver:
    """One solution under way; the search's memory serves for all moves of the line."""

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

    def solve(self) -> Solution:
        """Play the best moves until the game or the time is over."""
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
        return Solution(margin, fish, tuple(self.line), self.nodes, seconds)

    def play_contested(self) -> int | None:
        """Play a best move while players can get to each other's tiles; return the margin."""
        assert self.search is not None  # isolated players stay so
        found = self.search.search(self.position.state, time=self.time_left(), seat=self.seat)
        self.nodes += found.nodes
        if not found.exact:
            return None
        self.play(found.move)
        value = found.value
        return round(value - LARGE if value > 0 else value + LARGE if value < 0 else value)

    def play_endgames(self) -> bool:
        """Play the rest of a game of isolated players; False if the time was too short."""
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
        """Return moves that eat the most of a region's free tiles; None if that is not proven."""
        if len(free) > MAX_EXACT_TILES:
            return None
        rng = random_state(0)
        endgame = make_endgame(setup, np.array(tiles, np.int32), np.array(free, np.int32), VISITED)
        random_paths(setup, endgame, 1, rng)
        start_search(setup, endgame, rng)
        for amount in chunks(self.deadline, first=64):
            advance(setup, endgame, amount, rng)
            if is_proven(endgame):
                return best_path(endgame)
        return None

    def play(self, move: int) -> None:
        """Go on along the line."""
        self.position.play(move)
        self.line.append(move)

    def time_left(self) -> float | None:
        """Return the seconds until the time is over; None: there is no end."""
        if self.deadline is None:
            return None
        return max(0.0, self.deadline - clock.perf_counter())
