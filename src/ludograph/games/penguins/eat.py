"""The strategy ``eat``: once its penguins are isolated, it eats as many fish as possible."""

from __future__ import annotations

import time as clock

import numpy as np

from ludograph.games.penguins.endgame import (
    MAX_EXACT_TILES,
    SoloEndgame,
    advance,
    make_endgame,
    random_paths,
    start_search,
)
from ludograph.games.penguins.greedy import greedy_move
from ludograph.games.penguins.isolated import Region, isolated_regions
from ludograph.games.penguins.notation import path_of
from ludograph.games.penguins.position import PenguinsPosition
from ludograph.games.penguins.rules import reaches_at
from ludograph.games.penguins.setup import IntArray, PenguinsSetup
from ludograph.games.searching import DEFAULT_TIME
from ludograph.games.timing import UNLIMITED, TimeLeft
from ludograph.rules import Rng, random_state
from ludograph.search.pacing import chunks, deadline_after

VISITED = 2**17
"""Nodes that the exact search remembers."""

EXACT_PART = 0.5
"""Of the time, for the exact search; the rest is for random paths if that was not enough."""


def solve_endgame(
    setup: PenguinsSetup, tiles: IntArray, free: IntArray, rng: Rng, seconds: float | None
) -> tuple[int, list[int], bool]:
    """Return the most fish found for penguins on free tiles that are theirs alone.

    Parameters
    ----------
    tiles, free
        ``int32[k]``: where they stand; ``int32[m]``: the free tiles connected to them.
    seconds
        About so long at most; None: until it is proven, on at most ``MAX_EXACT_TILES`` tiles.

    Returns
    -------
    fish, moves, proven
        The fish on the tiles stepped on, the codes of the moves, and whether it is the most.
    """
    endgame = make_endgame(setup, tiles, free, VISITED)
    now = clock.perf_counter()
    random_paths(setup, endgame, 1, rng)
    if free.size <= MAX_EXACT_TILES:
        start_search(setup, endgame, rng)
        end = None if seconds is None else now + EXACT_PART * seconds
        for amount in chunks(end, first=64):
            advance(setup, endgame, amount, rng)
            if is_proven(endgame):
                break
    if not is_proven(endgame):
        end = deadline_after(0.0) if seconds is None else now + seconds
        for amount in chunks(end):
            random_paths(setup, endgame, amount, rng)
    fish = int(endgame.progress["fish"][0])
    return fish, best_path(endgame), is_proven(endgame)


def is_proven(endgame: SoloEndgame) -> bool:
    """Tell whether the best path found is proven to be best."""
    return bool(endgame.progress["proven"][0])


def best_path(endgame: SoloEndgame) -> list[int]:
    """Return the codes of the moves of the best path found."""
    path: list[int] = endgame.best[: int(endgame.progress["length"][0])].tolist()
    return path


class Eat:
    """Plays ``line`` with contested penguins, then eats most with the isolated ones."""

    def __init__(self, seed: int, time: float | None = None) -> None:
        self.rng = random_state(seed)
        self.time = DEFAULT_TIME if time is None else time
        self.plan: list[int] = []
        self.fish, self.proven = 0, False
        self.expected: tuple[list[int], list[int]] = ([], [])

    def prepare(self, position: PenguinsPosition) -> None:
        """Load the kernels that the first moves would wait for."""
        setup, rng = position.setup, self.rng.copy()
        greedy_move(setup, position.state, rng)
        last = np.array([setup.fish.size - 1], np.int32)
        solve_endgame(setup, np.zeros(1, np.int32), last, rng, 1.0)

    def choose(self, position: PenguinsPosition, time_left: TimeLeft = UNLIMITED) -> int:
        """Return a move; once isolated, the next one of the best plan found so far."""
        setup, state = position.setup, position.state
        if position.is_placing:
            return int(greedy_move(setup, state, self.rng))
        regions, contested = isolated_regions(setup, state, position.turn or 0)
        if contested:  # isolated penguins can wait
            seen = state.copy()
            for region in regions:
                for penguin in region.penguins:
                    place = reaches_at(setup) + penguin * setup.sides
                    seen[place : place + setup.sides] = 0
            return int(greedy_move(setup, seen, self.rng))
        tiles = [tile for region in regions for tile in region.tiles]
        free = [tile for region in regions for tile in region.free]
        known = bool(self.plan) and self.is_valid(setup, tiles, free)
        if not (known and self.proven):
            self.think(setup, regions, known, time_left.budget(self.time) or DEFAULT_TIME)
        return self.step(setup, tiles, free)

    def think(
        self, setup: PenguinsSetup, regions: list[Region], known: bool, seconds: float
    ) -> None:
        """Look for a plan, better than what is left of the last one if that is known.

        Regions do not meet: each has a plan of its own, and one is eaten after the other.
        """
        plan: list[int] = []
        fish, proven = 0, True
        for region in regions:
            found = solve_endgame(
                setup,
                np.array(region.tiles, np.int32),
                np.array(region.free, np.int32),
                self.rng,
                seconds / len(regions),
            )
            fish, plan, proven = fish + found[0], plan + found[1], proven and found[2]
        if not known or fish > self.fish:
            self.fish, self.plan = fish, plan
        self.proven = proven

    def is_valid(self, setup: PenguinsSetup, tiles: list[int], free: list[int]) -> bool:
        """Return whether the plan goes on from here: its next move's tiles are as expected."""
        source, *_, tile = path_of(setup, self.plan[0])
        before_tiles, before_free = self.expected
        left = set(free)
        return (
            source in tiles
            and tile in left
            and set(tiles) <= set(before_tiles)
            and left <= set(before_free)
            and all(path_of(setup, code)[-1] in left for code in self.plan)
        )

    def step(self, setup: PenguinsSetup, tiles: list[int], free: list[int]) -> int:
        """Return the plan's next move and expect what it leaves."""
        move = self.plan.pop(0)
        source, *_, tile = path_of(setup, move)
        self.fish -= int(setup.fish[tile])
        self.expected = (
            [tile if each == source else each for each in tiles],
            [each for each in free if each != tile],
        )
        return move
