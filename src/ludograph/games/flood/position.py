"""A position of Flood with its colors, its zones and the gain of each color."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludograph.games.flood.rules import COLOR, OWNER, TOUCHING, cells_at, gains_at, zone_at
from ludograph.games.flood.setup import FloodSetup, forbidden_sets, vertex_colors
from ludograph.games.position import Position
from ludograph.rules import State, compiled

IntArray = npt.NDArray[np.int32]


class FloodPosition(Position):
    """A game of Flood in progress.

    Colors are numbers from 0. The number of a color is also the code of the move that plays it;
    the code of a pass is ``color_count``. ``Position.text(color)`` returns the name of a color.

    Examples
    --------
    >>> from ludograph import boards, flood
    >>> position = flood.position(boards.square(2), colors=3, coloring=[0, 1, 1, 2])
    >>> position.play(1)
    >>> position.colors.tolist(), position.zone(0).tolist()
    ([1, 1, 1, 2], [0, 1, 2])
    """

    __slots__ = ()
    setup: FloodSetup

    @property
    def color_count(self) -> int:
        """The number of colors of the game."""
        return int(self.setup.color_count)

    @property
    def colors(self) -> IntArray:
        """The present color of each vertex: ``int32[n]``."""
        owners = self._owners()
        colors = self.setup.colors.copy()
        for seat in range(self.seats):
            colors[owners == seat] = self.color_of_zone(seat)
        return colors[self.setup.region_of]

    @property
    def first_colors(self) -> IntArray:
        """The color of each vertex at the start: ``int32[n]``."""
        return vertex_colors(self.setup)

    @property
    def zones(self) -> IntArray:
        """The seat whose zone contains each vertex, or -1: ``int32[n]``."""
        return self._owners()[self.setup.region_of]

    def zone(self, seat: int) -> npt.NDArray[np.int64]:
        """Return the vertices of a seat's zone, ascending: ``int64[size]``."""
        return np.flatnonzero(self.zones == seat)

    def color_of_zone(self, seat: int) -> int:
        """Return the color of a seat's zone."""
        return int(self.state[zone_at(seat) + COLOR])

    def touches(self, seat: int, other: int) -> bool:
        """Tell whether the zones of two seats touch each other."""
        return bool((self.state[zone_at(seat) + TOUCHING] >> other) & 1)

    def gains(self, seat: int) -> IntArray:
        """Return the number of vertices that each color gains for a seat: ``int32[color_count]``.

        Colors that the seat may not play have their gain, too.
        """
        first = gains_at(self.setup, seat)
        return self.state[first : first + self.color_count].copy()

    def forbidden(self, seat: int) -> frozenset[int]:
        """Return the colors that the seat may never play."""
        return frozenset(forbidden_sets(self.setup)[seat])

    @property
    def starts(self) -> list[int]:
        """The start vertex of each seat."""
        starts: list[int] = self.setup.start_vertices.tolist()
        return starts

    @property
    def captures(self) -> bool:
        """Whether the game is the variant in which taking an opponent's color wins."""
        return bool(self.setup.capture)

    def _owners(self) -> IntArray:
        """Return the seat whose zone contains each region, or -1: ``int32[regions]``."""
        first = cells_at(self.setup)
        cells = self.state[first : first + self.setup.sizes.size]
        return (cells & OWNER) - 1


@compiled
def gain(setup: FloodSetup, state: State, seat: int, color: int) -> int:
    """Return the number of vertices that a color gains for a seat; O(1).

    Parameters
    ----------
    color
        0 to ``setup.color_count - 1``; it need not be legal for the seat.
    """
    return state[gains_at(setup, seat) + color]
