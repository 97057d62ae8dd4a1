"""A position of Carcassonne with its tiles, the drawn tile and its meeples.

Pictures, explanations, C players and Python players use this class; only rules and searches read
the slots of a state.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ludograph.boards import Board
from ludograph.games.carcassonne.decks import Deck, Kind
from ludograph.games.carcassonne.notation import Placement, coordinates, placement_of
from ludograph.games.carcassonne.official import AROUND, MARK, feature_points
from ludograph.games.carcassonne.options import COURSE, OFFICIAL
from ludograph.games.carcassonne.setup import (
    AT_END,
    COMPONENT,
    COMPONENT_COUNT,
    FINITE_MEEPLE,
    INFINITE_MEEPLE,
    MODES,
    SEAT_SLOTS,
    TALLY,
    TALLY_SLOTS,
    TILE_SLOTS,
    CarcassonneSetup,
)
from ludograph.games.carcassonne.table import (
    CELL,
    CLOSED,
    DEALT,
    FIRST_NODE,
    GONE,
    HAND,
    LAID,
    LAST,
    MEEPLE,
    NEXT,
    NO_TILE,
    ORIENTATION,
    PARENT,
    SEATS,
    SIZE,
)
from ludograph.games.carcassonne.tiles import CENTER, SIDES, VERTICES, Tile
from ludograph.games.position import Position
from ludograph.rules import State, compiled

if TYPE_CHECKING:
    from ludograph.games.game import AnyGame


@dataclass(frozen=True, slots=True)
class PlacedTile:
    """A tile on the table.

    Attributes
    ----------
    x, y
        Its cell: x grows to the east, y to the north, and the first tile lies at (0, 0).
    kind
        The name of its kind; None for the first tile of the deck.
    quarters
        The number of quarter turns, clockwise.
    tile
        The turned tile.
    closed
        For each of the 13 vertices: whether its component has been closed. A center alone is
        closed from the start, and counts as open here.
    meeple
        Seat and vertex of the meeple on it; None if there is none, or it has returned.
    """

    x: int
    y: int
    kind: str | None
    quarters: int
    tile: Tile
    closed: tuple[bool, ...] = (False,) * VERTICES
    meeple: tuple[int, int] | None = None


class CarcassonnePosition(Position):
    """A position in a game of Carcassonne.

    Attributes
    ----------
    deck
        The given deck, shared by all copies. It does not contain the order of the tiles.

    Examples
    --------
    >>> from ludograph import carcassonne
    >>> position = carcassonne.position(mode="finite")
    >>> position.play("deal road-curve")
    >>> position.dealt.name, position.meeples(0), [(each.x, each.y) for each in position.tiles]
    ('road-curve', 7, [(0, 0)])
    """

    __slots__ = ("deck",)

    setup: CarcassonneSetup

    def __init__(
        self,
        game: AnyGame,
        board: Board,
        setup: CarcassonneSetup,
        state: State | None = None,
        *,
        deck: Deck,
    ) -> None:
        super().__init__(game, board, setup, state)
        self.deck = deck

    @property
    def mode(self) -> str:
        """``NO_MEEPLE``, ``INFINITE_MEEPLE`` or ``FINITE_MEEPLE``."""
        return MODES[self.setup.mode]

    @property
    def rules(self) -> str:
        """``course`` or ``official``."""
        return OFFICIAL if self.setup.official else COURSE

    @property
    def dealt(self) -> Kind | None:
        """The kind of the dealt tile; None if there is no tile to place."""
        kind = int(self.state[DEALT])
        return None if kind == NO_TILE else self.deck.kinds[kind]

    @property
    def remaining(self) -> dict[str, int]:
        """The number of tiles of each kind still to be dealt, by the kind's name."""
        first = self.setup.layout.left
        left = self.state[first : first + self.setup.kinds].tolist()
        return {kind.name: count for kind, count in zip(self.deck.kinds, left, strict=True)}

    @property
    def tiles(self) -> list[PlacedTile]:
        """The tiles on the table, in the order in which they were laid; O(tiles)."""
        known: dict[int, Tile] = {}
        return [
            self._placed(record, known) for record in tile_records(self.setup, self.state).tolist()
        ]

    @property
    def last_tile(self) -> PlacedTile:
        """The tile laid last."""
        return self._placed(tile_records(self.setup, self.state)[-1].tolist(), {})

    def roots(self) -> list[int]:
        """Return the root nodes of the components at the 13 vertices of the last tile."""
        return self._roots(tile_records(self.setup, self.state)[-1].tolist())

    def components(self) -> Iterator[tuple[PlacedTile, list[int]]]:
        """Yield each tile, and the root nodes of the components at its 13 vertices."""
        known: dict[int, Tile] = {}
        for record in tile_records(self.setup, self.state).tolist():
            yield self._placed(record, known), self._roots(record)

    def size_of(self, root: int) -> int:
        """Return the number of vertices of the component with a root node."""
        return int(self.state[root + SIZE])

    def meeples_put(self) -> dict[int, Counter[int]]:
        """Return each seat's number of meeples in a component, by the root node; as it closed."""
        found: dict[int, Counter[int]] = defaultdict(Counter)
        for record in tile_records(self.setup, self.state).tolist():
            seat, vertex = divmod(record[MEEPLE] - 1, VERTICES)
            if seat >= 0 and not self._in_monastery(vertex):
                found[self._roots(record)[vertex]][seat] += 1
        return found

    def points_at(self, number: int, vertex: int) -> int:
        """Return the current points of the feature at a vertex, by the official rules.

        Parameters
        ----------
        number
            The number of a tile on the table, in the order of laying; -1 is the last tile.
        vertex
            A vertex of the tile; the center of a tile with a monastery means the monastery.
        """
        record = tile_records(self.setup, self.state)[number]
        orientation = int(record[ORIENTATION])
        if vertex == CENTER:
            return len(self._near(int(record[CELL])))
        component = int(self.setup.orientations[orientation, COMPONENT + vertex])
        root = root_of(self.state, int(record[FIRST_NODE] + self.setup.layout.width * component))
        layout, scratch = self.setup.layout, self.state.copy()  # a field marks the cities it counts
        scratch[layout.nodes + layout.parts + MARK : layout.tally : layout.width] = 0
        return int(feature_points(self.setup, scratch, orientation, component, root))

    def finished_monasteries(self) -> list[int]:
        """Return the seats whose monasteries the tile laid last has finished."""
        records = tile_records(self.setup, self.state)
        found = []
        for number in self._near(int(records[-1, CELL])) if self.setup.official else ():
            seat, vertex = divmod(int(records[number, MEEPLE]) - 1, VERTICES)
            if seat >= 0 and vertex == CENTER and self._is_surrounded(int(records[number, CELL])):
                found.append(seat)
        return found

    @property
    def last_move(self) -> int | None:
        """The code of the placement played last; None before the first one."""
        move = int(self.state[LAST])
        return None if move < 0 else move

    @property
    def next_seat(self) -> int:
        """The seat to which the next tile is dealt."""
        return int(self.state[NEXT])

    def meeples(self, seat: int) -> int | None:
        """Return the number of meeples in a seat's hand; None if meeples are unlimited."""
        if self.setup.mode == INFINITE_MEEPLE:
            return None
        return int(self.state[SEATS + SEAT_SLOTS * seat + HAND])

    def points_for(self, seat: int) -> dict[str, int]:
        """Return the points of a seat for ``roads``, ``cities``, ``monasteries`` and ``farms``."""
        during, end = self._tally(seat), self._tally(seat, AT_END)
        return {what: during[what] + end[what] for what in TALLY}

    def points_at_end(self, seat: int) -> dict[str, int]:
        """Return the part of :meth:`points_for` that was scored at the end of the game.

        By the official rules it has the points for unfinished features and for fields. By the
        course rules, and before the end, all are 0.
        """
        return self._tally(seat, AT_END)

    def is_eliminated(self, seat: int) -> bool:
        """Tell whether a seat was eliminated."""
        return bool(self.state[SEATS + SEAT_SLOTS * seat + GONE])

    def placement(self, move: int) -> Placement:
        """Return the placement with a code."""
        return placement_of(self.setup, move)

    def __eq__(self, other: Any) -> bool:
        """Return whether two positions are equal, decks included."""
        same = super().__eq__(other)
        if isinstance(other, CarcassonnePosition):
            return same is True and self.deck == other.deck
        return same

    __hash__ = None  # positions change

    def _tally(self, seat: int, begin: int = 0) -> dict[str, int]:
        """Return the half of a seat's tally that begins at a slot."""
        first = int(self.setup.layout.tally) + TALLY_SLOTS * seat + begin
        return dict(zip(TALLY, self.state[first : first + len(TALLY)].tolist(), strict=True))

    def _in_monastery(self, vertex: int) -> bool:
        """Tell whether a meeple on a vertex stands in a monastery."""
        return bool(self.setup.official) and vertex == CENTER

    def _near(self, cell: int) -> list[int]:
        """Return the numbers of the tiles on a cell and on its eight neighbors."""
        records = tile_records(self.setup, self.state)
        rows, columns = np.divmod(records[:, CELL], self.setup.layout.stride)
        row, column = divmod(cell, self.setup.layout.stride)
        near = (abs(rows - row) <= 1) & (abs(columns - column) <= 1)
        return [int(number) for number in np.flatnonzero(near)]

    def _is_surrounded(self, cell: int) -> bool:
        """Tell whether tiles lie on all eight neighbors of a cell."""
        return len(self._near(cell)) == 1 + AROUND

    def _roots(self, record: list[int]) -> list[int]:
        """Return the root nodes of the components at the 13 vertices of a tile."""
        packed = self.setup.orientations[record[ORIENTATION]]
        components = packed[COMPONENT : COMPONENT + VERTICES].tolist()
        width, first = self.setup.layout.width, record[FIRST_NODE]
        return [root_of(self.state, first + width * component) for component in components]

    def _placed(self, record: list[int], known: dict[int, Tile]) -> PlacedTile:
        """Return the tile of a record; ``known`` caches turned tiles by orientation."""
        orientation, first = record[ORIENTATION], record[FIRST_NODE]
        width = self.setup.layout.width
        kind, quarters = divmod(orientation, SIDES)
        dealt = self.deck.kinds[kind] if kind < self.setup.kinds else None
        if orientation not in known:
            known[orientation] = (dealt.tile if dealt else self.deck.first).rotated(quarters)
        packed = self.setup.orientations[orientation]
        components = packed[COMPONENT : COMPONENT + VERTICES].tolist()
        closed = [
            self.state[root_of(self.state, first + width * component) + PARENT] == CLOSED
            for component in range(packed[COMPONENT_COUNT])
        ]
        seat, vertex = divmod(record[MEEPLE] - 1, VERTICES)
        if seat >= 0 and self._in_monastery(vertex):
            back = self._is_surrounded(record[CELL])
        else:
            back = seat < 0 or closed[components[vertex]]
        meeple = None if back else (seat, vertex)
        if components.count(components[CENTER]) == 1:  # it was closed from the start
            closed[components[CENTER]] = False
        return PlacedTile(
            *coordinates(self.setup, record[CELL]),
            dealt.name if dealt else None,
            quarters,
            known[orientation],
            tuple(closed[component] for component in components),
            meeple,
        )


def tile_records(setup: CarcassonneSetup, state: State) -> Any:
    """Return the records of the tiles on the table, in the order in which they were laid.

    Returns
    -------
    int32[tiles, TILE_SLOTS]
        See :mod:`ludograph.games.carcassonne.table`.
    """
    begin = setup.layout.tiles
    count = int(state[LAID])
    return state[begin : begin + TILE_SLOTS * count].reshape(count, TILE_SLOTS)


def root_of(state: State, node: int) -> int:
    """Return the root of a node: the node that stands for its whole component."""
    while (parent := int(state[node + PARENT])) >= 0:
        node = parent
    return node


@compiled
def meeples_left(setup: CarcassonneSetup, state: State, seat: int) -> int:
    """Return the number of meeples in a seat's hand; 0 in a mode without a limit of meeples."""
    return state[SEATS + SEAT_SLOTS * seat + HAND] if setup.mode == FINITE_MEEPLE else 0
