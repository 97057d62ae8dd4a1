"""The board: vertices, edges and their drawing, without knowledge of a game; its checks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ludograph.boards.breadth_first import (
    UNREACHED,
    count_components,
    distances,
    edges_of,
    far_apart,
)
from ludograph.boards.sides import Sides, line
from ludograph.errors import InvalidInput

if TYPE_CHECKING:
    from ludograph.views import Scene

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]

MAX_VERTICES = 2**24
"""The greatest number of vertices; larger boards are refused before memory is allocated."""

MAX_NAME = 200
MAX_COORDINATE = 1e9
MISPLACED = f"the coordinates are not finite or are beyond {MAX_COORDINATE:g}"
MAX_COUNTED = 1000  # components; each costs a search, and the exact number of many is of no use


def frozen_ints(where: str, values: npt.ArrayLike) -> Ints:
    """Return read-only whole numbers, int32[k]; raise InvalidInput for other values."""
    try:
        array = np.asarray(values)
    except (TypeError, ValueError):  # rows of different lengths
        array = np.array(None)
    if array.size == 0:
        array = array.astype(np.int32)
    if array.ndim != 1 or not np.issubdtype(array.dtype, np.integer):
        raise InvalidInput(f"{where}: expected a list of whole numbers")
    if array.size and not -(2**31) <= int(array.min()) <= int(array.max()) < 2**31:
        raise InvalidInput(f"{where}: a number does not fit into 32 bits")
    return _frozen(array, np.int32)


def frozen_points(where: str, values: npt.ArrayLike) -> Floats:
    """Return read-only points, float64[k, 2]; raise InvalidInput for impossible coordinates."""
    try:
        array = np.asarray(values)
    except (TypeError, ValueError):  # rows of different lengths
        array = np.array(None)
    if array.ndim != 2 or array.shape[1] != 2 or array.dtype.kind not in "iuf":
        raise InvalidInput(f"{where}: expected pairs of numbers")
    frozen: Floats = _frozen(array, np.float64)
    bad = first_misplaced(frozen)
    if bad is not None:
        raise InvalidInput(f"{where}[{bad}]: {MISPLACED}")
    return frozen


def first_misplaced(points: Floats) -> int | None:
    """Return the number of the first point that is not finite or is too far away, or None."""
    good = (np.abs(points) <= MAX_COORDINATE).all(axis=1)
    return None if good.all() else int(np.argmin(good))


def _frozen(array: npt.NDArray[Any], dtype: type[np.generic]) -> npt.NDArray[Any]:
    """Return a read-only array of this type, a copy if other code could write to the given one."""
    flags = array.flags
    if array.dtype == dtype and flags.owndata and flags.c_contiguous and not flags.writeable:
        return array  # shared between boards, for example by `with_marks`
    own = np.array(array, dtype=dtype, order="C")
    own.setflags(write=False)
    return own


def check_name(name: str) -> None:
    """Raise InvalidInput unless a name is printable, not empty and at most `MAX_NAME` long."""
    if not isinstance(name, str) or not 0 < len(name) <= MAX_NAME or not name.isprintable():
        raise InvalidInput(f"name: expected 1 to {MAX_NAME} printable characters")


def check_graph(offsets: Ints, neighbors: Ints) -> None:
    """Raise InvalidInput unless the rows are a connected graph, sorted, with both directions."""
    n = len(offsets) - 1
    if n < 1:
        raise InvalidInput("vertices: a board needs at least one vertex")
    if n > MAX_VERTICES:
        raise InvalidInput(f"vertices: a board has at most {MAX_VERTICES} vertices, got {n}")
    _check_offsets("offsets", offsets, len(neighbors))
    if len(neighbors) and not 0 <= neighbors.min() <= neighbors.max() < n:
        raise InvalidInput(f"neighbors: a vertex does not exist (the board has {n} vertices)")
    rows = np.repeat(np.arange(n, dtype=np.int64), np.diff(offsets))
    keys = rows * n + neighbors
    if not (np.diff(keys) > 0).all():
        raise InvalidInput("neighbors: a row is not in ascending order or names a vertex twice")
    if (rows == neighbors).any():
        v = rows[rows == neighbors][0]
        raise InvalidInput(f"neighbors: vertex {v} has an edge to itself")
    up = neighbors > rows
    if not np.array_equal(np.sort(neighbors[~up] * np.int64(n) + rows[~up]), keys[up]):
        raise InvalidInput("neighbors: an edge is there in one direction only")
    check_connected(offsets, neighbors)


def check_connected(
    offsets: Ints, neighbors: Ints, label: Callable[[int], str] = "vertex {}".format
) -> None:
    """Raise InvalidInput if a vertex cannot be reached from vertex 0; the error names one."""
    reached = distances(offsets, neighbors, 0) != UNREACHED
    if not reached.all():
        lost = int(np.argmin(reached))
        parts = count_components(offsets, neighbors, at_most=MAX_COUNTED)
        count = f"{parts}" if parts < MAX_COUNTED else f"{MAX_COUNTED} or more"
        raise InvalidInput(
            f"edges: the board is not connected, {label(lost)} cannot be reached from {label(0)} "
            f"({count} components)"
        )


def _check_offsets(where: str, offsets: Ints, length: int) -> None:
    if offsets[0] != 0 or offsets[-1] != length or (offsets[1:] < offsets[:-1]).any():
        raise InvalidInput(f"{where}: expected to rise from 0 to {length}")


def check_positions(n: int, positions: Floats) -> None:
    """Raise InvalidInput unless every vertex has a position."""
    if len(positions) != n:
        raise InvalidInput(f"positions: expected one per vertex ({n}), got {len(positions)}")


def check_outlines(n: int, outline_offsets: Ints, points: Floats) -> None:
    """Raise InvalidInput unless every vertex has a polygon."""
    if len(outline_offsets) != n + 1:
        raise InvalidInput(
            f"outlines: expected one per vertex ({n}), got {len(outline_offsets) - 1}"
        )
    _check_offsets("outline_offsets", outline_offsets, len(points))
    short = np.flatnonzero(np.diff(outline_offsets) < 3)
    if len(short):
        raise InvalidInput(f"outlines[{short[0]}]: a polygon needs at least three points")


def check_marks(n: int, marks: Mapping[str, Ints]) -> None:
    """Raise InvalidInput unless every mark is a set of vertices with a printable name."""
    for key, vertices in marks.items():
        if not isinstance(key, str) or not 0 < len(key) <= MAX_NAME or not key.isprintable():
            raise InvalidInput(f"marks: a key needs 1 to {MAX_NAME} printable characters")
        _check_vertices(f"marks.{key}", vertices, n)


def check_starts(n: int, starts: Mapping[int, Ints]) -> None:
    """Raise InvalidInput unless each number of seats has that number of distinct vertices."""
    for seats, vertices in starts.items():
        if not isinstance(seats, int) or seats < 1 or len(vertices) != seats:
            raise InvalidInput(
                f"starts.{seats}: expected as many vertices as seats, got {len(vertices)}"
            )
        _check_vertices(f"starts.{seats}", vertices, n)


def _check_vertices(where: str, vertices: Ints, n: int) -> None:
    bad = np.flatnonzero((vertices < 0) | (vertices >= n))
    if len(bad):
        raise InvalidInput(
            f"{where}[{bad[0]}]: vertex {vertices[bad[0]]} does not exist "
            f"(the board has {n} vertices)"
        )
    if len(np.unique(vertices)) < len(vertices):
        raise InvalidInput(f"{where}: a vertex is named twice")


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
        return edges_of(self.offsets, self.neighbors)

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
