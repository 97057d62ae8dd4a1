"""The strategy ``eat``: it eats as many fish as possible when its penguins are isolated."""

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
from ludograph.games.penguins.isolated import IsolatedRegion, isolated_regions
from ludograph.games.penguins.notation import path_of
from ludograph.games.penguins.position import PenguinsPosition
from ludograph.games.penguins.rules import reaches_at
from ludograph.games.penguins.setup import IntArray, PenguinsSetup
from ludograph.games.search_players import DEFAULT_TIME
from ludograph.games.timing import UNLIMITED, TimeLeft
from ludograph.rules import Rng, random_state
from ludograph.search.pacing import chunks, deadline_after

VISITED = 2**17
"""The number of nodes in the memory of the exact search."""

EXACT_PART = 0.5


def solve_endgame(
    setup: PenguinsSetup,
    tiles: IntArray,
    free: IntArray,
    rng: Rng,
    seconds: float | None,
    *,
    visited: int = VISITED,
    exact_part: float = EXACT_PART,
) -> tuple[int, list[int], bool]:
    """Return the most fish found for isolated penguins of one seat.

    Parameters
    ----------
    tiles, free
        ``int32[k]``: the tiles of the penguins; ``int32[m]``: the free tiles connected to them.
    seconds
        The approximate time limit; None: until the result is proven, if there are at most
        ``MAX_EXACT_TILES`` free tiles.
    visited
        The number of nodes in the memory of the exact search.
    exact_part
        The share of the time for the exact search; without a proof, random paths use the rest.

    Returns
    -------
    fish, moves, proven
        The fish on the eaten tiles, the codes of the moves, and whether no path eats more.
    """
    endgame = make_endgame(setup, tiles, free, visited)
    now = clock.perf_counter()
    random_paths(setup, endgame, 1, rng)
    if free.size <= MAX_EXACT_TILES:
        start_search(setup, endgame, rng)
        end = None if seconds is None else now + exact_part * seconds
        for amount in chunks(end, first=64):
            advance(setup, endgame, amount, rng)
            if is_proven(endgame):
                break
    if not is_proven(endgame):
        end = deadline_after(0.0) if seconds is None else now + seconds
        for amount in chunks(end):
            random_paths(setup, endgame, amount, rng)
    fish, length = (int(endgame.progress[name][0]) for name in ("fish", "length"))
    return fish, endgame.best[:length].tolist(), is_proven(endgame)


def is_proven(endgame: SoloEndgame) -> bool:
    """Tell whether the best path found is proven to be optimal."""
    return bool(endgame.progress["proven"][0])


class Eat:
    """Plays as ``line`` with contested penguins, then eats most fish with the isolated ones."""

    def __init__(self, seed: int, time: float | None = None) -> None:
        self.rng = random_state(seed)
        self.time = DEFAULT_TIME if time is None else time
        self.plan: list[int] = []
        self.fish, self.proven = 0, False

    def prepare(self, position: PenguinsPosition) -> None:
        """Load the kernels of the first moves, so that these are not delayed."""
        setup, rng = position.setup, self.rng.copy()
        greedy_move(setup, position.state, rng)
        isolated_regions(setup, position.state, 0)
        last = np.array([setup.fish.size - 1], np.int32)
        solve_endgame(setup, np.zeros(1, np.int32), last, rng, 1.0)

    def choose(self, position: PenguinsPosition, time_left: TimeLeft = UNLIMITED) -> int:
        """Return a move; if all penguins are isolated, the next move of the best plan found."""
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
        move = self.plan.pop(0)
        self.fish -= int(setup.fish[path_of(setup, move)[-1]])
        return move

    def think(
        self, setup: PenguinsSetup, regions: list[IsolatedRegion], known: bool, seconds: float
    ) -> None:
        """Search for a plan; replace the rest of a known plan if the new one has more fish.

        Regions are disjoint: each has a plan of its own, and they are eaten one after the other.
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
        """Return whether the plan can be played from here."""
        standing, left = set(tiles), set(free)
        for move in self.plan:
            source, *way = path_of(setup, move)
            if source not in standing or not left.issuperset(way):
                return False
            standing = standing - {source} | {way[-1]}
            left.remove(way[-1])
        return True
