"""The board: vertices, edges and their drawing, without knowledge of a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ludograph.boards.breadth_first import distances
from ludograph.boards.checks import (
    check_graph,
    check_marks,
    check_name,
    check_outlines,
    check_positions,
    check_starts,
    frozen_ints,
    frozen_points,
)
from ludograph.boards.sides import Sides, line
from ludograph.boards.starts import far_apart
from ludograph.errors import InvalidInput

if TYPE_CHECKING:
    from ludograph.views import Scene

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]

NO_POINTS: Floats = np.zeros((0, 2))
NO_OFFSETS: Ints = np.zeros(0, np.int32)

NUMBERED = 200
"""The greatest number of vertices for which the picture shows their numbers by default."""


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """A connected undirected graph and its picture; immutable, checked once when it is made.

    Most boards come from a family (`square`, `torus`, ...), from a file (`load`) or from a
    networkx graph (`from_networkx`); `from_edges` makes one from a list of edges.

    Attributes
    ----------
    name : str
        The board's name, for example ``"hatched 12x12"``.
    offsets : int32[n + 1]
        The neighbors of ``v`` are ``neighbors[offsets[v]:offsets[v + 1]]``.
    neighbors : int32[2 * edges]
        Ascending in every row; both directions of every edge, no self-loop, no duplicate.
    positions : float64[n, 2]
        Centers, x to the right and y down, about one unit between neighbors. A board made without
        positions (`NO_POINTS`) is laid out when they are first read, see `layout`.
    outline_offsets : int32[n + 1]
        The outline of ``v`` is ``outline_points[outline_offsets[v]:outline_offsets[v + 1]]``.
    outline_points : float64[k, 2]
        One polygon of at least three points per vertex. On a board made without outlines, every
        vertex gets a small octagon when they are first read.
    marks : mapping of str to int32[...]
        Named sets of vertices, such as borders.
    fixed_starts : mapping of int to int32[seats]
        Start vertices by number of seats, for the numbers that the family defines; see `starts`.
    sides : Sides or None
        The sides of the tiles in clockwise order; None if the tiling has none; see `line`.
    links : bool
        Whether edges are drawn as lines, because the outlines do not show which vertices touch.

    Raises
    ------
    InvalidInput
        If the parts do not fit together; the error names the part and the place.

    Notes
    -----
    All arrays are read-only. Checking costs a sort of the edges and one search through the graph.
    """

    name: str
    offsets: Ints
    neighbors: Ints
    positions: Floats
    outline_offsets: Ints
    outline_points: Floats
    marks: Mapping[str, Ints] = field(default_factory=dict)
    fixed_starts: Mapping[int, Ints] = field(default_factory=dict)
    sides: Sides | None = None
    links: bool = False

    def __post_init__(self) -> None:
        _set(self, "offsets", frozen_ints("offsets", self.offsets))
        _set(self, "neighbors", frozen_ints("neighbors", self.neighbors))
        _set(self, "positions", frozen_points("positions", self.positions))
        _set(self, "outline_offsets", frozen_ints("outline_offsets", self.outline_offsets))
        _set(self, "outline_points", frozen_points("outline_points", self.outline_points))
        marks = {key: frozen_ints(f"marks.{key}", of) for key, of in self.marks.items()}
        starts = {key: frozen_ints(f"starts.{key}", of) for key, of in self.fixed_starts.items()}
        _set(self, "marks", MappingProxyType(marks))
        _set(self, "fixed_starts", MappingProxyType(starts))
        check_name(self.name)
        check_graph(self.offsets, self.neighbors)
        self._check_picture()
        check_marks(self.n, self.marks)
        check_starts(self.n, self.fixed_starts)
        if self.sides is not None:
            self.sides.check(self.offsets, self.neighbors)

    def _check_picture(self) -> None:
        """Check the given parts of the picture; a missing part is drawn when it is first read."""
        if len(self.outline_points) or len(self.outline_offsets):
            check_outlines(self.n, self.outline_offsets, self.outline_points)
        else:
            object.__delattr__(self, "outline_offsets")
            object.__delattr__(self, "outline_points")
        if len(self.positions):
            check_positions(self.n, self.positions)
        else:
            object.__delattr__(self, "positions")

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Draw a missing part of the picture, which is read for the first time."""
            if name not in PICTURE:
                raise AttributeError(f"a Board has no attribute {name!r}")
            from ludograph.boards.layout import layout, octagons

            if name == "positions":
                centers = layout(self.offsets, self.neighbors)
                _set(self, name, frozen_points(name, centers))
            else:
                offsets, points = octagons(self.positions, self.offsets, self.neighbors)
                _set(self, "outline_offsets", frozen_ints("outline_offsets", offsets))
                _set(self, "outline_points", frozen_points("outline_points", points))
            return object.__getattribute__(self, name)

    def _picture(self) -> dict[str, Any]:
        """Return the parts of the picture; those that are not drawn yet are empty arrays."""
        return {name: _get(self, name, none) for name, none in PICTURE.items()}

    @property
    def n(self) -> int:
        """The number of vertices."""
        return len(self.offsets) - 1

    @property
    def edge_count(self) -> int:
        """The number of undirected edges."""
        return len(self.neighbors) // 2

    def degree(self, v: int) -> int:
        """Return the number of neighbors of ``v``."""
        return int(self.offsets[v + 1] - self.offsets[v])

    def neighbors_of(self, v: int) -> Ints:
        """Return the neighbors of ``v`` in ascending order, as a read-only view."""
        return self.neighbors[self.offsets[v] : self.offsets[v + 1]]

    def outline_of(self, v: int) -> Floats:
        """Return the polygon of ``v``: float64[corners, 2], a read-only view."""
        return self.outline_points[self.outline_offsets[v] : self.outline_offsets[v + 1]]

    def edges(self) -> Ints:
        """Return every edge once, as int32[edge_count, 2] in ascending order with ``u < v``."""
        rows = np.repeat(np.arange(self.n, dtype=np.int32), np.diff(self.offsets))
        once = rows < self.neighbors
        return np.stack([rows[once], self.neighbors[once]], axis=1)

    def starts(self, seats: int) -> Ints:
        """Return one start vertex per seat: those that the family defines, or vertices far apart.

        Parameters
        ----------
        seats : int
            From 1 to the number of vertices.

        Returns
        -------
        int32[seats]
            Distinct vertices, always the same for the same board and number.

        Raises
        ------
        InvalidInput
            If the number of seats is out of range.
        """
        if not 1 <= seats <= self.n:
            raise InvalidInput(
                f"seats: a board of {self.n} vertices has room for 1 to {self.n}, got {seats}"
            )
        if seats in self.fixed_starts:
            return self.fixed_starts[seats]
        return far_apart(self.offsets, self.neighbors, seats)

    def distances(self, source: int) -> Ints:
        """Return the number of edges from ``source`` to every vertex: int32[n], in O(n + e)."""
        return distances(self.offsets, self.neighbors, source)

    def line(self, v: int, side: int) -> list[int]:
        """Return the vertices on the straight line that leaves ``v`` through a side, nearest first.

        The line leaves every tile through the side opposite to its entry. It ends at the border, at
        a tile with an odd number of sides, or before it would return to ``v``.

        Raises
        ------
        InvalidInput
            If the board has no sides, or ``v`` has no side of this number.
        """
        if self.sides is None:
            raise InvalidInput(f"{self.name}: this board has no straight lines")
        return line(self.sides, v, side)

    def with_marks(self, marks: Mapping[str, npt.ArrayLike], *, name: str | None = None) -> Board:
        """Return this board with other marks, and with another name if one is given."""
        arrays = {key: np.asarray(of) for key, of in marks.items()}
        name = self.name if name is None else name
        return replace(self, marks=arrays, name=name, **self._picture())

    def scene(self, *, title: bool = True, numbers: bool | None = None) -> Scene:
        """Return the picture of :meth:`svg` before it is drawn.

        A vertex in several marks has the color of the last.
        """
        from ludograph.boards.picture import palette
        from ludograph.views import Scene

        fills = np.zeros(self.n, dtype=np.int32)
        for number, vertices in enumerate(self.marks.values(), 1):
            fills[vertices] = number
        numbered = self.n <= NUMBERED if numbers is None else numbers
        marked = f"Marked: {', '.join(self.marks)}." if self.marks else ""
        return Scene(
            positions=self.positions,
            outline_offsets=self.outline_offsets,
            outline_points=self.outline_points,
            fills=fills,
            palette=palette(self.marks),
            labels={v: str(v) for v in range(self.n)} if numbered else {},
            links=self.edges() if self.links else None,
            title=f"{self.name}, {self.n} vertices, {self.edge_count} edges" if title else "",
            captions=(marked,) if title and marked else (),
        )

    def svg(self, size: int = 600, *, title: bool = True, numbers: bool | None = None) -> str:
        """Return a picture of the bare board as a standalone SVG document.

        Parameters
        ----------
        size
            The width in pixels.
        title
            Whether the name and the size of the board are written above it.
        numbers
            Whether vertices show their numbers; by default on boards of at most 200 vertices.
        """
        from ludograph.views import svg

        return svg.render(self.scene(title=title, numbers=numbers), size=size)

    def png(self, size: int = 600, *, title: bool = True, numbers: bool | None = None) -> bytes:
        """Return the picture of :meth:`svg` as a PNG file with twice the width in pixels.

        Raises
        ------
        InvalidInput
            If the package that draws PNG files is not installed; the extra ``png`` installs it.
        """
        from ludograph.views import bitmaps

        return bitmaps.png_from_svg(self.svg(size, title=title, numbers=numbers))

    def _repr_svg_(self) -> str:
        """Return the picture that a notebook shows."""
        return self.svg()

    def __repr__(self) -> str:
        return f"<Board {self.name!r}: {self.n} vertices, {self.edge_count} edges>"

    def __reduce__(self) -> tuple[Any, ...]:
        # A mapping proxy cannot be pickled, and unpickled arrays would be writable.
        return Board, (
            self.name,
            self.offsets,
            self.neighbors,
            *self._picture().values(),
            dict(self.marks),
            dict(self.fixed_starts),
            self.sides,
            self.links,
        )


def _set(board: Board, attribute: str, value: object) -> None:
    object.__setattr__(board, attribute, value)


def _get(board: Board, attribute: str, default: object) -> object:
    """Return an attribute, or the default if it is not drawn yet."""
    try:
        return object.__getattribute__(board, attribute)
    except AttributeError:
        return default


PICTURE = {"positions": NO_POINTS, "outline_offsets": NO_OFFSETS, "outline_points": NO_POINTS}
"""The parts of a picture in their order, each with the array that represents a missing one."""
