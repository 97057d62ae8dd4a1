"""The sides of the tiles, and the straight lines that run through opposite sides."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ludograph.errors import InvalidInput

Ints = npt.NDArray[np.int32]

OUTSIDE = -1
"""The neighbor and the entry at a side on the border of the board."""


@dataclass(frozen=True, slots=True, eq=False)
class Sides:
    """The sides of every tile, clockwise from a direction common to all tiles; immutable.

    A tile with N sides has N slots, one per side.

    Attributes
    ----------
    offsets : int32[n + 1]
        The slots of tile ``v`` are ``offsets[v]`` to ``offsets[v + 1] - 1``.
    neighbors : int32[slots]
        The tile on the other side, or `OUTSIDE`.
    entries : int32[slots]
        The number of the same side among the sides of the other tile, or `OUTSIDE`.
    """

    offsets: Ints
    neighbors: Ints
    entries: Ints

    def __post_init__(self) -> None:
        for name in ("offsets", "neighbors", "entries"):
            array = np.array(getattr(self, name), dtype=np.int32)
            array.setflags(write=False)
            object.__setattr__(self, name, array)

    def __reduce__(self) -> tuple[object, ...]:
        return Sides, (self.offsets, self.neighbors, self.entries)

    def count(self, v: int) -> int:
        """Return the number of sides of ``v``."""
        return int(self.offsets[v + 1] - self.offsets[v])

    def check(self, offsets: Ints, neighbors: Ints) -> None:
        """Raise InvalidInput unless the sides lie on edges of this graph and come in pairs.

        Parameters
        ----------
        offsets, neighbors : int32[n + 1], int32[2 * edges]
            A valid graph.
        """
        n = len(offsets) - 1
        slots = len(self.neighbors)
        if self.offsets.ndim != 1 or len(self.offsets) != n + 1:
            raise InvalidInput(f"sides: expected one list per vertex ({n})")
        rises = (self.offsets[1:] >= self.offsets[:-1]).all()
        if self.offsets[0] != 0 or self.offsets[-1] != slots or not rises:
            raise InvalidInput(f"sides: the offsets do not rise from 0 to {slots}")
        if self.entries.shape != self.neighbors.shape or self.neighbors.ndim != 1:
            raise InvalidInput("sides: expected as many entries as neighbors")
        self.check_vertices(n)
        beyond = np.flatnonzero((self.neighbors == OUTSIDE) & (self.entries != OUTSIDE))
        if len(beyond):
            raise InvalidInput(
                f"{self.where(int(beyond[0]))}: there is an entry where no tile is beyond"
            )
        tiles = self.tiles()
        inside = self.neighbors != OUTSIDE
        edge_keys = np.repeat(np.arange(n, dtype=np.int64), np.diff(offsets)) * n + neighbors
        side_keys = tiles[inside].astype(np.int64) * n + self.neighbors[inside]
        place = np.searchsorted(edge_keys, side_keys)
        found = np.append(edge_keys, -1)[place] == side_keys
        self._refuse(inside, ~found, "there is no edge to the tile on this side")
        bad = self.entries[inside] < 0
        bad |= self.entries[inside] >= np.diff(self.offsets)[self.neighbors[inside]]
        self._refuse(inside, bad, "the other tile has no side of this number")
        back = self.offsets[self.neighbors[inside]] + self.entries[inside]
        mine = np.arange(slots, dtype=np.int32) - self.offsets[tiles]
        bad = (self.neighbors[back] != tiles[inside]) | (self.entries[back] != mine[inside])
        self._refuse(inside, bad, "the other tile's side does not lead back here")

    def check_vertices(self, n: int) -> None:
        """Raise InvalidInput unless the neighbors are below ``n`` or ``OUTSIDE``."""
        inside = self.neighbors != OUTSIDE
        bad = (self.neighbors[inside] < 0) | (self.neighbors[inside] >= n)
        self._refuse(
            inside, bad, f"the tile on this side does not exist (the board has {n} vertices)"
        )

    def tiles(self) -> Ints:
        """Return the tile of every slot: int32[slots]."""
        n = len(self.offsets) - 1
        return np.repeat(np.arange(n, dtype=np.int32), np.diff(self.offsets))

    def opposites(self) -> Ints:
        """Return the slot by which a line leaves after entering by each slot, or -1: int32[slots].

        The line leaves by the opposite side of the same tile; a tile with an odd number of sides
        has none.
        """
        counts = np.diff(self.offsets)[self.tiles()]
        first = self.offsets[self.tiles()]
        mine = np.arange(len(self.neighbors), dtype=np.int32) - first
        across = first + (mine + counts // 2) % np.maximum(counts, 1)
        return np.where(counts % 2 == 0, across, -1).astype(np.int32)

    def where(self, slot: int) -> str:
        """Return the name of a slot in errors: ``sides[tile][side]``."""
        v = int(np.searchsorted(self.offsets, slot, side="right")) - 1
        return f"sides[{v}][{slot - self.offsets[v]}]"

    def _refuse(
        self, inside: npt.NDArray[np.bool_], bad: npt.NDArray[np.bool_], reason: str
    ) -> None:
        if bad.any():
            slot = int(np.flatnonzero(inside)[np.argmax(bad)])
            raise InvalidInput(f"{self.where(slot)}: {reason}")


def line(sides: Sides, v: int, side: int) -> list[int]:
    """Return the tiles on the straight line out of ``v`` through ``side``, nearest first.

    The time is linear in the length of the line. On an unusual tiling a line may cross itself; then
    the crossing is listed twice. Every line ends: a slot is reached from one other slot only, so a
    line can only close where it began.

    Raises
    ------
    InvalidInput
        If there is no such tile or side.
    """
    n = len(sides.offsets) - 1
    if not 0 <= v < n:
        raise InvalidInput(f"line: vertex {v} does not exist (the board has {n} vertices)")
    if not 0 <= side < sides.count(v):
        raise InvalidInput(f"line: vertex {v} has {sides.count(v)} sides, none is number {side}")
    found: list[int] = []
    slot = int(sides.offsets[v]) + side
    while True:
        u = int(sides.neighbors[slot])
        if u in (OUTSIDE, v):
            return found
        found.append(u)
        count = sides.count(u)
        if count % 2:
            return found
        slot = int(sides.offsets[u]) + (int(sides.entries[slot]) + count // 2) % count


def sides_from_neighbors(offsets: npt.ArrayLike, neighbors: npt.ArrayLike) -> Sides:
    """Return sides with their entries computed; no two tiles may share two sides.

    Parameters
    ----------
    offsets, neighbors : int32[n + 1], int32[slots]
        As in `Sides`; the neighbors are tiles or `OUTSIDE`.

    Raises
    ------
    InvalidInput
        If a tile has two sides to the same neighbor, or a side to a neighbor without a side back.
    """
    sides = Sides(
        np.asarray(offsets, dtype=np.int32), np.asarray(neighbors, dtype=np.int32), np.array([])
    )
    n = len(sides.offsets) - 1
    sides.check_vertices(n)
    inside = np.flatnonzero(sides.neighbors != OUTSIDE)
    tiles = sides.tiles()[inside].astype(np.int64)
    there = tiles * n + sides.neighbors[inside]
    back = sides.neighbors[inside] * np.int64(n) + tiles
    by_there, by_back = np.argsort(there, kind="stable"), np.argsort(back, kind="stable")
    twice = np.flatnonzero(np.diff(there[by_there]) == 0)
    if len(twice):
        where = sides.where(int(inside[by_there[twice[0] + 1]]))
        raise InvalidInput(f"{where}: a second side to the same tile, so the entries are needed")
    alone = np.flatnonzero(~np.isin(back, there))
    if len(alone):
        where = sides.where(int(inside[alone[0]]))
        raise InvalidInput(f"{where}: the other tile has no side to this one")
    # Both lists have the same keys, so the i-th key of one in order is the i-th key of the other.
    entries = np.full(len(sides.neighbors), OUTSIDE, dtype=np.int32)
    partner = inside[by_there]
    entries[inside[by_back]] = partner - sides.offsets[sides.tiles()[partner]]
    return Sides(sides.offsets, sides.neighbors, entries)


def all_lines(sides: Sides) -> tuple[npt.NDArray[np.int64], Ints]:
    """Return the straight lines out of every side of every tile, as CSR over the slots.

    Returns
    -------
    offsets : int64[slots + 1]
    tiles : int32[total]
        The line through slot ``s`` is ``tiles[offsets[s]:offsets[s + 1]]``, nearest first, the same
        as `line` gives.

    Notes
    -----
    Time and memory are linear in the total length of the lines plus one numpy round per step of the
    longest. On a w x h board of squares that is ``w * h * (w + h - 2)`` tiles: fine for a game
    board, too much for one of 10^6 tiles; use `line` there, for one line at a time.
    """
    slots = len(sides.neighbors)
    origin = sides.tiles()
    opposite = sides.opposites()
    lengths = np.zeros(slots, dtype=np.int64)
    walkers = np.arange(slots, dtype=np.int32)  # lines that have not ended,
    at = walkers.copy()  # and the slot through which each leaves its current tile
    steps: list[tuple[Ints, Ints]] = []
    while len(walkers):
        tile = sides.neighbors[at]
        on = (tile != OUTSIDE) & (tile != origin[walkers])
        walkers, at, tile = walkers[on], at[on], tile[on]
        steps.append((walkers, tile))
        lengths[walkers] += 1
        leave = opposite[sides.offsets[tile] + sides.entries[at]]
        walkers, at = walkers[leave >= 0], leave[leave >= 0]
    offsets = np.zeros(slots + 1, dtype=np.int64)
    np.cumsum(lengths, out=offsets[1:])
    tiles = np.empty(int(offsets[-1]), dtype=np.int32)
    for step, (slot, tile) in enumerate(steps):
        tiles[offsets[slot] + step] = tile
    return offsets, tiles
