"""A scene: the content of a picture of a position, in plain arrays.

A game turns a position into a `Scene`; the renderers (`terminal`, `plain`, `svg`, `animation`)
turn a scene into text. A scene depends on no game and no board: a new game is drawn everywhere if
it fills these arrays.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import msgspec
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]

EMPTY = -1
"""The fill of a missing cell (a melted tile): it is not drawn."""


@dataclass(frozen=True, slots=True)
class Swatch:
    """One entry of a palette.

    Attributes
    ----------
    name : str
        The name for people: ``"red"``.
    rgb : str
        ``"#rrggbb"``.
    symbol : str
        The character of its cells in pictures without colors.
    edge : str
        ``"#rrggbb"`` of the line around its cells in pictures; empty: the color of the background.
    rim : str
        ``"#rrggbb"`` of the visible side of its cells, which are raised in pictures; empty: flat.
    """

    name: str
    rgb: str
    symbol: str
    edge: str = ""
    rim: str = ""


@dataclass(frozen=True, slots=True)
class Stroke:
    """A highlighted line through the centers of some cells: a winning chain, a move.

    Attributes
    ----------
    cells : tuple of int
        The cells in the order of the line. A single cell is drawn as a ring: over its content, or
        around it if below.
    rgb : str
        ``"#rrggbb"``.
    below : bool
        Whether the line is below the pieces of a picture.
    arrow : bool
        Whether the line ends with an arrowhead, before the piece on the last cell.
    """

    cells: tuple[int, ...]
    rgb: str
    below: bool = False
    arrow: bool = False


@dataclass(frozen=True, slots=True)
class Numeral:
    """The number of the move that filled a cell.

    Attributes
    ----------
    ply : int
        The number of the move, from 1.
    ground : str
        ``"#rrggbb"`` of the surface on which the number is written.
    """

    ply: int
    ground: str


class Overlay(msgspec.Struct, frozen=True, omit_defaults=True):
    """Analysis of cells, drawn over a picture: numbers, a set of cells, or texts.

    Attributes
    ----------
    name : str
        The name of its content: ``"current of black"``, ``"cut"``.
    cells : tuple of int
        Each at most once.
    values : tuple of float, optional
        A number for each cell, drawn as a disc with an area in proportion, hollow if it is
        negative. Without numbers and texts, the cells are drawn as a set.
    texts : tuple of str, optional
        A short text for each cell.
    """

    name: str
    cells: tuple[int, ...]
    values: tuple[float, ...] | None = None
    texts: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """A polygon or a line, for pictures finer than cells.

    Attributes
    ----------
    points : float64[k, 2]
        The corners, in the unit of the scene; x to the right and y down.
    fill : str
        ``"#rrggbb"`` of the area, ``""`` without one.
    line : str
        ``"#rrggbb"`` of the line through the points, ``""`` without one.
    width : float
        The width of the line, in the unit of the scene.
    closed : bool
        Whether the line returns to the first point.
    blunt : bool
        Whether an open line ends at its last points, without round ends beyond them.
    curved : bool
        Whether the points describe a spline: see `ludograph.views.curves`.
    fade : str
        ``"#rrggbb"`` at the border of the area; then `fill` is the color of its bright part, in
        the upper left.
    opacity : float
        The opacity of the area, or of a line without an area: from 0, invisible, to 1.
    """

    points: Floats
    fill: str = ""
    line: str = ""
    width: float = 0.0
    closed: bool = True
    blunt: bool = False
    curved: bool = False
    fade: str = ""
    opacity: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Sketch:
    """Shapes that are shown and hidden together.

    Attributes
    ----------
    shapes : tuple of Shape
        In drawing order, around the origin.
    place : tuple of float, float
        The place of the origin in the scene.
    level : int
        Sketches of higher levels are drawn over all those of lower ones.
    held : bool
        Whether it lies beside the board, as a tile that is to be placed; pages show it apart.
    """

    shapes: tuple[Shape, ...]
    place: tuple[float, float] = (0.0, 0.0)
    level: int = 0
    held: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Spot:
    """A place on a picture, beside its cells, at which people point.

    Attributes
    ----------
    name : str
        The name of the place in a move: unique among the possible next places.
    points : float64[k, 2]
        The corners of the place, in the unit of the scene.
    sketches : tuple of Sketch
        The sketches shown while the place is chosen: the pieces to be put there.
    note : str
        A short text beside the place, such as the points that it brings.
    """

    name: str
    points: Floats
    sketches: tuple[Sketch, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """A part of a picture with a text of its own, such as its owner and its points.

    Attributes
    ----------
    text : str
        The text for a person who points at it.
    color : str
        ``"#rrggbb"`` of the seat that holds it, ``""`` if no seat does.
    cover : tuple of Sketch
        The area of the region; its colors do not matter.
    """

    text: str
    color: str
    cover: tuple[Sketch, ...]


@dataclass(frozen=True, slots=True, eq=False)
class CellLook:
    """The cells of a scene in a terminal and in plain text, where no pieces can be drawn on them.

    Attributes
    ----------
    fills : int32[n]
        Index into `palette`, or `EMPTY` if there is nothing to draw.
    palette : tuple of Swatch
        The colors of the cells, those of pieces among them.
    labels : mapping of int to str
        A short text (one or two characters) on a cell.
    strokes : tuple of Stroke
        Lines over the cells besides those of the scene, for facts that pictures show otherwise.
    positions : float64[n, 2], optional
        The centers of the cells, if pictures have others.
    outline_points : float64[k, 2], optional
        The corners of all polygons, if pictures have others.
    """

    fills: Ints
    palette: tuple[Swatch, ...]
    labels: Mapping[int, str] = field(default_factory=dict)
    strokes: tuple[Stroke, ...] = ()
    positions: Floats | None = None
    outline_points: Floats | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """All data for drawing one position.

    Attributes
    ----------
    positions : float64[n, 2]
        The center of each cell, x to the right and y down, in any unit.
    outline_offsets : int32[n + 1]
        The polygon of cell ``i`` is ``outline_points[outline_offsets[i]:outline_offsets[i + 1]]``.
    outline_points : float64[k, 2]
        The corners of all polygons, in the unit of `positions`.
    fills : int32[n]
        Index into `palette`, or `EMPTY` if there is nothing to draw.
    palette : tuple of Swatch
        The colors of the cells.
    labels : mapping of int to str
        A short text (one or two characters) on a cell.
    groups : int32[n], optional
        Cells with the same non-negative number form a group, such as a player's zone, whose
        border is made visible. Negative: no group.
    group_colors : tuple of str
        ``"#rrggbb"`` for the border of each group; a group without one gets a neutral border.
    links : int32[e, 2], optional
        Edges to draw as lines below the cells, for graphs whose outlines do not touch.
    strokes : tuple of Stroke
        Lines drawn over the cells.
    title : str
        One sentence above the board.
    captions : tuple of str
        Lines below the board.
    sketches : tuple of Sketch
        If there are any, pictures (`svg`, `animation`) show these, in the same coordinates, in
        place of the cells and their contents, except for notes and numerals; the cells are then
        for the terminal and plain text.
    pieces : tuple of Sketch
        Drawn over the cells in pictures, below strokes and labels: stones, penguins, fish.
    notes : mapping of int to str
        A small text at the lower edge of a cell: its number, its name.
    numerals : mapping of int to Numeral
        The number of the move that filled the cell, written over everything else.
    rows : mapping of int to str
        The name of a cell's row, written beside the board at the height of the cell.
    columns : mapping of int to str
        The name of a cell's column, written below the board under the cell.
    overlays : tuple of Overlay
        Overlays over everything except texts, in colors that are assigned in turn.
    remains : str
        A line about the rest of an unfinished game, such as ``3 tiles left``; empty without one.
    ground : tuple of Sketch
        The ground of the board in pictures: level 0 is below the cells, level 1 directly over
        them.
    look : CellLook, optional
        The cells in a terminal, where colors and labels replace `pieces`.
    """

    positions: Floats
    outline_offsets: Ints
    outline_points: Floats
    fills: Ints
    palette: tuple[Swatch, ...]
    labels: Mapping[int, str] = field(default_factory=dict)
    groups: Ints | None = None
    group_colors: tuple[str, ...] = ()
    links: Ints | None = None
    strokes: tuple[Stroke, ...] = ()
    title: str = ""
    captions: tuple[str, ...] = ()
    sketches: tuple[Sketch, ...] = ()
    pieces: tuple[Sketch, ...] = ()
    notes: Mapping[int, str] = field(default_factory=dict)
    numerals: Mapping[int, Numeral] = field(default_factory=dict)
    rows: Mapping[int, str] = field(default_factory=dict)
    columns: Mapping[int, str] = field(default_factory=dict)
    overlays: tuple[Overlay, ...] = ()
    remains: str = ""
    ground: tuple[Sketch, ...] = ()
    look: CellLook | None = None

    @property
    def in_cells(self) -> "Scene":
        """The same scene for a terminal, where cells show everything by colors and labels.

        It has no pieces and no ground; without a `look` it is the scene itself.
        """
        if self.look is None:
            return self
        look = self.look
        return replace(
            self,
            fills=look.fills,
            palette=look.palette,
            labels=look.labels,
            strokes=self.strokes + look.strokes,
            positions=self.positions if look.positions is None else look.positions,
            outline_points=self.outline_points
            if look.outline_points is None
            else look.outline_points,
            pieces=(),
            ground=(),
            look=None,
        )

    @property
    def size(self) -> int:
        """The number of cells."""
        return len(self.fills)
