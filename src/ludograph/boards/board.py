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

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]

NO_POINTS: Floats = np.zeros((0, 2))
NO_OFFSETS: Ints = np.zeros(0, np.int32)


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """A connected undirected graph and its picture; immutable, checked once when it is made.

    Most boards come from a family (`square`, `torus`, ...), from a file (`load`) or from a
    networkx graph (`from_networkx`); `from_edges` makes one from a list of edges.

    Attributes
    ----------
    name : str
        What to call the board, for example ``"hatched 12x12"``.
    offsets : int32[n + 1]
        The neighbors of ``v`` are ``neighbors[offsets[v]:offsets[v + 1]]``.
    neighbors : int32[2 * edges]
        Ascending in every row; both directions of every edge, no self-loop, no duplicate.
    positions : float64[n, 2]
        Centers, x to the right and y down, about one unit between neighbors. Made from none
        (`NO_POINTS`), the board is laid out when it is first looked at, see `layout`.
    outline_offsets : int32[n + 1]
        The outline of ``v`` is ``outline_points[outline_offsets[v]:outline_offsets[v + 1]]``.
    outline_points : float64[k, 2]
        One polygon of at least three points per vertex; made from none, every vertex gets a small
        octagon when the board is first looked at.
    marks : mapping of str to int32[...]
        Named sets of vertices, such as borders.
    fixed_starts : mapping of int to int32[seats]
        Start vertices by number of seats, where the family settles them; see `starts`.
    sides : Sides or None
        The sides of the tiles in clockwise order, where the tiling has them; see `line`.
    links : bool
        Draw edges as lines, because the outlines do not show who touches whom.

    Raises
    ------
    InvalidInput
        When the parts do not fit together; the sentence names the part and the place.

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
        self._take_picture()
        check_marks(self.n, self.marks)
        check_starts(self.n, self.fixed_starts)
        if self.sides is not None:
            self.sides.check(self.offsets, self.neighbors)

    def _take_picture(self) -> None:
        """Check what there is of the picture; what is not there has no value until it is asked."""
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
            """Draw what has not been drawn yet."""
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
        """Return what there is of the picture, and nothing for what has not been drawn."""
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
        """Return one start vertex per seat: those of the family, or vertices far apart.

        Parameters
        ----------
        seats : int
            From 1 to the number of vertices.

        Returns
        -------
        int32[seats]
            Distinct vertices; the same board and number always give the same ones.

        Raises
        ------
        InvalidInput
            When there are no such seats.
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

        The line leaves every tile through the side opposite the one it came in by. It ends at the
        the border, at a tile with an odd number of sides, or before it would return to ``v``.

        Raises
        ------
        InvalidInput
            When the board has no sides, or ``v`` has no such side.
        """
        if self.sides is None:
            raise InvalidInput(f"{self.name}: this board has no straight lines")
        return line(self.sides, v, side)

    def with_marks(self, marks: Mapping[str, npt.ArrayLike], *, name: str | None = None) -> Board:
        """Return the same board with these marks instead of its own, and perhaps another name."""
        arrays = {key: np.asarray(of) for key, of in marks.items()}
        name = self.name if name is None else name
        return replace(self, marks=arrays, name=name, **self._picture())

    def svg(self, size: int = 600, *, title: bool = True, numbers: bool | None = None) -> str:
        """Return a picture of the bare board as a standalone SVG document.

        Parameters
        ----------
        size
            Its width in pixels.
        title
            Say above it what the board is called and how large it is.
        numbers
            Write its number on every vertex; by default on boards of 200 vertices at most.
        """
        from ludograph.boards.picture import scene_of
        from ludograph.views import svg

        return svg.render(scene_of(self, title=title, numbers=numbers), size=size)

    def png(self, size: int = 600, *, title: bool = True, numbers: bool | None = None) -> bytes:
        """Return the picture of :meth:`svg` as a PNG file, twice as many pixels wide.

        Raises
        ------
        InvalidInput
            If the package that draws it is not installed, which comes with the extra ``png``.
        """
        from ludograph.views import bitmaps

        return bitmaps.png_from_svg(self.svg(size, title=title, numbers=numbers))

    def _repr_svg_(self) -> str:
        """Return what a notebook shows."""
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
    """Return an attribute without drawing it."""
    try:
        return object.__getattribute__(board, attribute)
    except AttributeError:
        return default


PICTURE = {"positions": NO_POINTS, "outline_offsets": NO_OFFSETS, "outline_points": NO_POINTS}
"""What a picture consists of, with what stands for it where there is none, in their order."""
