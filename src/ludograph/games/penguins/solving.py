"""Exact solutions of small games and of ends of games, to the last fish.

While two players can still get to the same tiles, alpha-beta search tells the best moves. Once
nobody can get to what is another's, each eats the most that it can alone (``feast.py``).
"""

from __future__ import annotations

import time as clock
from dataclasses import dataclass

import numpy as np

from ludograph.errors import InvalidInput
from ludograph.games.penguins.eat import lone_groups
from ludograph.games.penguins.feast import (
    DONE,
    LARGEST,
    LENGTH,
    advance,
    begin,
    make_feast,
    wander,
)
from ludograph.games.penguins.rules import GONE, REACH, SEAT_SLOTS, SEATS, UNPLACED, tiles_at
from ludograph.games.penguins.search_setup import make_search_setup
from ludograph.games.penguins.setup import PenguinsSetup
from ludograph.games.position import Position
from ludograph.rules import random_state
from ludograph.search.alphabeta import LARGE, AlphaBeta
from ludograph.search.pacing import chunks, deadline_after

EFFORT = 20_000
"""Steps to prove what a group eats inside of the search."""

MEMO = 2**18
"""Groups that it remembers."""

TABLE_BITS = 22
"""Positions that it remembers: 100 MB."""

SEEN = 2**20
"""Positions that the proof for a group remembers once all are apart."""


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


def solve(position: Position, seconds: float | None = None) -> Solution:
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


def check(position: Position) -> None:
    """Raise InvalidInput unless :func:`solve` can begin."""
    if position.is_over:
        raise InvalidInput(f"the game is over after {position.ply} moves: nothing is left to solve")
    if len(seats_left(position)) > 2 and not are_apart(position):
        raise InvalidInput(
            f"penguins: {len(seats_left(position))} players can still get to each other's tiles, "
            "a proof is for two, or for penguins that are apart"
        )


def seats_left(position: Position) -> list[int]:
    """Return the seats that were not eliminated."""
    return [
        seat
        for seat in range(position.seats)
        if not position.state[SEATS + SEAT_SLOTS * seat + GONE]
    ]


def are_apart(position: Position) -> bool:
    """Return whether nobody can get to a free tile that another player can get to."""
    setup, state = position.setup, position.state
    return not state[UNPLACED] and not any(
        lone_groups(setup, state, seat)[1] for seat in seats_left(position)
    )


class Solver:
    """One solution under way; the search's memory serves for all moves of the line."""

    def __init__(self, position: Position, seconds: float | None) -> None:
        self.position = position.copy()
        self.seat = int(position.turn or 0)
        # Kernels are compiled now, before any clock runs.
        setup = position.setup
        self.search = None
        if not are_apart(position):
            searched = make_search_setup(setup, effort=EFFORT, memo=MEMO)
            self.search = AlphaBeta(searched, table_bits=TABLE_BITS)
        self.deadline: float | None = None
        self.most_fish(setup, [0], [setup.fish.size - 1])
        self.started = clock.perf_counter()
        self.deadline = deadline_after(seconds)
        self.line: list[int] = []
        self.nodes = 0

    def solve(self) -> Solution:
        """Play the best moves until the game or the time is over."""
        margin: int | None = None
        while not self.position.is_over:
            if are_apart(self.position):
                if not self.eat():
                    break
            else:
                found = self.contest()
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

    def contest(self) -> int | None:
        """Play a best move while players can get to each other's tiles; return the margin."""
        assert self.search is not None  # players that are apart stay so
        found = self.search.search(self.position.state, time=self.time_left(), seat=self.seat)
        self.nodes += found.nodes
        if not found.exact:
            return None
        self.play(found.move)
        value = found.value
        return round(value - LARGE if value > 0 else value + LARGE if value < 0 else value)

    def eat(self) -> bool:
        """Play the rest of a game whose players are apart; False if the time was too short."""
        setup, state = self.position.setup, self.position.state
        plans: dict[int, list[int]] = {}
        for seat in seats_left(self.position):
            plans[seat] = []
            if not state[SEATS + SEAT_SLOTS * seat + REACH]:
                continue
            for group, free in lone_groups(setup, state, seat)[0]:
                tiles = [int(state[tiles_at(setup) + penguin]) for penguin in group]
                plan = self.most_fish(setup, tiles, free)
                if plan is None:
                    return False
                plans[seat] += plan
        while not self.position.is_over:
            self.play(plans[int(self.position.turn or 0)].pop(0))
        return True

    def most_fish(
        self, setup: PenguinsSetup, tiles: list[int], free: list[int]
    ) -> list[int] | None:
        """Return moves that eat the most of a group's free tiles; None if that is not proven."""
        if len(free) > LARGEST:
            return None
        rng = random_state(0)
        feast = make_feast(setup, np.array(tiles, np.int32), np.array(free, np.int32), SEEN)
        wander(setup, feast, 1, rng)
        begin(setup, feast, rng)
        for amount in chunks(self.deadline, first=64):
            advance(setup, feast, amount, rng)
            if feast.numbers[DONE]:
                break
        else:
            return None
        return [int(code) for code in feast.best[: feast.numbers[LENGTH]]]

    def play(self, move: int) -> None:
        """Go on along the line."""
        self.position.play(move)
        self.line.append(move)

    def time_left(self) -> float | None:
        """Return the seconds until the time is over; None: there is no end."""
        if self.deadline is None:
            return None
        return max(0.0, self.deadline - clock.perf_counter())
