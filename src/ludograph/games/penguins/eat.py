"""The strategy ``eat``: once nobody else can get where its penguins are, it eats most fish."""

from __future__ import annotations

import time as clock

import numpy as np

from ludograph.games.penguins.apart import find_groups, make_groups
from ludograph.games.penguins.feast import BEST, DONE, LARGEST, LENGTH, advance, begin, make_feast
from ludograph.games.penguins.feast import wander as wander_about
from ludograph.games.penguins.greedy import best_at_sight
from ludograph.games.penguins.rules import (
    UNPLACED,
    reaches_at,
    tiles_at,
)
from ludograph.games.penguins.setup import IntArray, PenguinsSetup
from ludograph.games.position import Position
from ludograph.games.searching import DEFAULT_TIME
from ludograph.games.timing import UNLIMITED, TimeLeft
from ludograph.rules import Rng, State, random_state
from ludograph.rules.kernels.slides import slot_after
from ludograph.search.pacing import chunks, deadline_after

SEEN = 2**17
"""Positions that the exact search remembers."""

EXACT_PART = 0.5
"""Of the time, for the exact search; the rest is for random paths if that was not enough."""


def lone_groups(
    setup: PenguinsSetup, state: State, seat: int
) -> tuple[list[tuple[list[int], list[int]]], list[int]]:
    """Return a seat's penguins that can move, by the free tiles that they share; O(slots).

    Returns
    -------
    groups, contested
        Of each group that nobody else can get to, the penguins and the free tiles; the penguins
        of the others.
    """
    found = make_groups(setup)
    groups: list[tuple[list[int], list[int]]] = []
    contested: list[int] = []
    for group in range(find_groups(setup, state, seat, found, 0, False)):
        free = found.free[found.free_ends[group] : found.free_ends[group + 1]]
        penguins = found.penguins[found.penguin_ends[group] : found.penguin_ends[group + 1]]
        if found.alone[group]:
            groups.append((penguins.tolist(), free.tolist()))
        else:
            contested += penguins.tolist()
    return groups, contested


def feast_on(
    setup: PenguinsSetup, tiles: IntArray, free: IntArray, rng: Rng, seconds: float | None
) -> tuple[int, list[int], bool]:
    """Return the most fish found for penguins on free tiles that are theirs alone.

    Parameters
    ----------
    tiles, free
        ``int32[k]``: where they stand; ``int32[m]``: the free tiles joined to them.
    seconds
        About so long at most; None: until it is proven, on at most ``LARGEST`` tiles.

    Returns
    -------
    fish, moves, proven
        The fish on the tiles stepped on, the codes of the moves, and whether it is the most.
    """
    feast = make_feast(setup, tiles, free, SEEN)
    now = clock.perf_counter()
    wander_about(setup, feast, 1, rng)
    if free.size <= LARGEST:
        begin(setup, feast, rng)
        end = None if seconds is None else now + EXACT_PART * seconds
        for amount in chunks(end, first=64):
            advance(setup, feast, amount, rng)
            if feast.numbers[DONE]:
                break
    if not feast.numbers[DONE]:
        end = deadline_after(0.0) if seconds is None else now + seconds
        for amount in chunks(end):
            wander_about(setup, feast, amount, rng)
    length = int(feast.numbers[LENGTH])
    return int(feast.numbers[BEST]), feast.best[:length].tolist(), bool(feast.numbers[DONE])


class Eat:
    """Plays ``line`` with penguins that are not alone, then eats most with those that are."""

    def __init__(self, seed: int, time: float | None = None) -> None:
        self.rng = random_state(seed)
        self.time = DEFAULT_TIME if time is None else time
        self.plan: list[int] = []
        self.fish, self.proven = 0, False
        self.expected: tuple[list[int], list[int]] = ([], [])

    def prepare(self, position: Position) -> None:
        """Load the kernels that the first moves would wait for."""
        setup, rng = position.setup, self.rng.copy()
        best_at_sight(setup, position.state, rng)
        feast_on(setup, np.zeros(1, np.int32), np.array([setup.fish.size - 1], np.int32), rng, 1.0)

    def choose(self, position: Position, time_left: TimeLeft = UNLIMITED) -> int:
        """Return a move; alone, the next one of the best plan found so far."""
        setup, state = position.setup, position.state
        if state[UNPLACED] > 0:
            return int(best_at_sight(setup, state, self.rng))
        groups, contested = lone_groups(setup, state, position.turn or 0)
        if contested:  # those that are alone can wait
            seen = state.copy()
            for penguins, _ in groups:
                for penguin in penguins:
                    place = reaches_at(setup) + penguin * setup.sides
                    seen[place : place + setup.sides] = 0
            return int(best_at_sight(setup, seen, self.rng))
        own = tiles_at(setup)
        lone = [([int(state[own + each]) for each in group], free) for group, free in groups]
        tiles = [tile for group, _ in lone for tile in group]
        free = [tile for _, part in lone for tile in part]
        known = bool(self.plan) and self.reachable(setup, tiles, free)
        if not (known and self.proven):
            self.think(setup, lone, known, time_left.budget(self.time) or DEFAULT_TIME)
        return self.step(setup, tiles, free)

    def think(
        self,
        setup: PenguinsSetup,
        groups: list[tuple[list[int], list[int]]],
        known: bool,
        seconds: float,
    ) -> None:
        """Look for a plan, better than what is left of the last one if that is known.

        Groups do not meet: each has a plan of its own, and one is eaten after the other.
        """
        plan: list[int] = []
        fish, proven = 0, True
        for tiles, free in groups:
            found = feast_on(
                setup,
                np.array(tiles, np.int32),
                np.array(free, np.int32),
                self.rng,
                seconds / len(groups),
            )
            fish, plan, proven = fish + found[0], plan + found[1], proven and found[2]
        if not known or fish > self.fish:
            self.fish, self.plan = fish, plan
        self.proven = proven

    def reachable(self, setup: PenguinsSetup, tiles: list[int], free: list[int]) -> bool:
        """Return whether the plan goes on from here: its next move's tiles are as expected."""
        source, tile = ends(setup, self.plan[0])
        before_tiles, before_free = self.expected
        left = set(free)
        return (
            source in tiles
            and tile in left
            and set(tiles) <= set(before_tiles)
            and left <= set(before_free)
            and all(ends(setup, code)[1] in left for code in self.plan)
        )

    def step(self, setup: PenguinsSetup, tiles: list[int], free: list[int]) -> int:
        """Return the plan's next move and expect what it leaves."""
        move = self.plan.pop(0)
        source, tile = ends(setup, move)
        self.fish -= int(setup.fish[tile])
        self.expected = (
            [tile if each == source else each for each in tiles],
            [each for each in free if each != tile],
        )
        return move


def ends(setup: PenguinsSetup, move: int) -> tuple[int, int]:
    """Return where a move starts and where it ends."""
    slot, steps = divmod(move - setup.fish.size, 1 << setup.shift)
    return int(setup.tiles[slot]), int(setup.beyond[slot_after(setup.ahead, slot, steps)])
