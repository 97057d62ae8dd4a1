"""Carcassonne, written a second time from the page `docs/carcassonne.md`: slow, obvious, on graphs.

The world graph is built anew from the tiles after every move; nothing of it is kept up to date.
Where the page leaves a detail open, the docstrings below settle it.
"""

import copy
from collections import Counter
from collections.abc import Sequence

from tests.reference.carcassonne_world import Part, Tile, Vertex, World, same, turned

Move = tuple[int, int, int, int | None]
"""The cell, the quarters by which the dealt tile is turned clockwise, and the vertex on which a
meeple is put, if any."""

Component = tuple[int, int, bool, tuple[int, ...]]
"""Terrain, number of vertices, closed or not, and the number of meeples of each seat."""

NO_MEEPLE, INFINITE_MEEPLE, FINITE_MEEPLE = range(3)

GREEN, GRAY, BROWN = 0, 1, 3
POINTS = {GREEN: 1, GRAY: 4, BROWN: 8}
"""For each vertex; other terrains are worth nothing."""

DROPPED_SCORE = -1.0


class ReferenceCarcassonne:
    """One game of Carcassonne.

    Whoever is to move is dealt a tile, by `deal`, and then plays it, by `play`.

    Args:
        first: the tile at (0, 0).
        kinds: the tiles to be dealt, by kinds.
        counts: how many there are of each kind.
        seats: the number of players.
        mode: one of `NO_MEEPLE`, `INFINITE_MEEPLE`, `FINITE_MEEPLE`.
        meeples: what each player has in the finite mode.
        discard: what happens with a dealt tile that has no place: it is thrown away, and the same
            player is dealt another one. Otherwise the player is eliminated with it.

    Attributes:
        world: the placed tiles.
        meeples: the seat whose meeple stands on a vertex (x, y, v).
        supply: the meeples that each seat has in hand; in the infinite mode it is infinite.
        left: how many of each kind have not been dealt.
        dealt: the kind of the tile to be placed now, `None` while one has to be dealt.
        turn: the seat to move or to be dealt a tile, `None` when the game is over.
        points: of each seat so far.
        eliminated: the seats that are out, in this order.

    """

    def __init__(
        self,
        first: Tile,
        kinds: Sequence[Tile],
        counts: Sequence[int],
        *,
        seats: int = 2,
        mode: int = NO_MEEPLE,
        meeples: int = 7,
        discard: bool = False,
    ) -> None:
        self.kinds = kinds
        self.seats = seats
        self.mode = mode
        self.discard = discard
        self.world = World({(0, 0): first})
        self.meeples: dict[Vertex, int] = {}
        each = {NO_MEEPLE: 0, INFINITE_MEEPLE: float("inf"), FINITE_MEEPLE: meeples}[mode]
        self.supply = [each] * seats
        self.left = list(counts)
        self.dealt: int | None = None
        self.turn: int | None = 0
        self.points = [0] * seats
        self.eliminated: list[int] = []

    # --- what one can ask ---------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether the deck is used up or fewer than two players are left."""
        return self.turn is None

    @property
    def loser(self) -> int | None:
        """The seat that was eliminated first."""
        return self.eliminated[0] if self.eliminated else None

    def scores(self) -> list[float]:
        """The points of each seat; eliminated ones have `DROPPED_SCORE` and come last."""
        return [
            DROPPED_SCORE if seat in self.eliminated else float(self.points[seat])
            for seat in range(self.seats)
        ]

    def components(self) -> list[Component]:
        """Every component, those of one vertex too; sorted, as they have no names."""
        return sorted(map(self._describe, self.world.parts))

    def component(self, x: int, y: int, v: int) -> Component:
        """The component of one vertex."""
        return self._describe(self.world.part_of((x, y, v)))

    def places(self, kind: int) -> list[tuple[int, int, int]]:
        """The free cells next to a tile and the turns with which a kind fits, ascending.

        Turns that give the same tile are listed once, by the least number of quarters.
        """
        ways = [turned(self.kinds[kind], quarters) for quarters in range(4)]
        different = [q for q in range(4) if not any(same(ways[q], ways[p]) for p in range(q))]
        return [
            (x, y, quarters)
            for x, y in self.world.free_cells()
            for quarters in different
            if self.world.fits(x, y, ways[quarters])
        ]

    def legal_moves(self) -> list[Move]:
        """What the seat to move can do with the tile that it was dealt, ascending; no meeple first.

        For the meeple there is one vertex for each component of the tile, the least. Two components
        of the tile that hang together outside of it both are listed.
        """
        if self.turn is None or self.dealt is None:
            return []
        moves: list[Move] = []
        for x, y, quarters in self.places(self.dealt):
            moves.append((x, y, quarters, None))
            if self.supply[self.turn] > 0:
                tile = turned(self.kinds[self.dealt], quarters)
                moves += [(x, y, quarters, v) for v in self._free(x, y, tile)]
        return moves

    # --- what happens -------------------------------------------------------------------------

    def deal(self, kind: int) -> None:
        """Deal a tile of a kind; `ValueError` if none is due, or none of the kind is left.

        If it has no place, what happens then happens at once, and the next one is due.
        """
        if self.turn is None or self.dealt is not None or not self.left[kind]:
            raise ValueError(f"kind {kind} cannot be dealt")
        self.left[kind] -= 1
        if self.places(kind):
            self.dealt = kind
        elif not self.discard:
            self.drop(self.turn)
        self._end_if_due()

    def play(self, x: int, y: int, quarters: int, meeple: int | None = None) -> None:
        """Place the dealt tile; `ValueError` if that is not legal.

        The meeple is put before components are closed, so that it counts for those and may come
        back at once; but it has to be there: what comes back now is of use for the next move.
        """
        if (x, y, quarters, meeple) not in self.legal_moves():
            raise ValueError(f"illegal move {(x, y, quarters, meeple)} for seat {self.turn}")
        tile = turned(self.kinds[self.dealt], quarters)
        self.world = World({**self.world.tiles, (x, y): tile})
        self.dealt = None
        if meeple is not None:
            self.meeples[x, y, meeple] = self.turn
            self.supply[self.turn] -= 1
        for part in self.world.parts:
            if self.world.is_closed(part) and any(vertex[:2] == (x, y) for vertex in part):
                self._close(part)
        self._pass_on()

    def drop(self, seat: int) -> None:
        """Eliminate a seat. Its meeples stay and count; if it was to move, its tile is lost."""
        if self.over or seat in self.eliminated:
            raise ValueError(f"seat {seat} cannot be eliminated")
        self.eliminated.append(seat)
        if self.turn == seat:
            self.dealt = None
            self._pass_on()
        else:
            self._end_if_due()

    def copy(self) -> "ReferenceCarcassonne":
        """A game that goes on independently of this one."""
        other = copy.copy(self)
        for name in ("meeples", "supply", "left", "points", "eliminated"):
            setattr(other, name, copy.copy(getattr(self, name)))
        return other

    def _close(self, part: Part) -> None:
        """Score a component that has just been closed, and take its meeples back."""
        owners = Counter(self._owners(part))
        winners = [seat for seat in owners if owners[seat] == max(owners.values())]
        if self.mode == NO_MEEPLE:
            winners = [self.turn]
        size = self.world.size(part)
        if len(winners) == 1 and size > 1:
            self.points[winners[0]] += POINTS.get(self.world.terrain(part), 0) * size
        for vertex in part:
            if vertex in self.meeples:
                self.supply[self.meeples.pop(vertex)] += 1

    def _pass_on(self) -> None:
        """Give the turn to the next seat that is not out."""
        order = [(self.turn + step) % self.seats for step in range(1, self.seats + 1)]
        self.turn = next((seat for seat in order if seat not in self.eliminated), None)
        self._end_if_due()

    def _end_if_due(self) -> None:
        """End the game if one player is left, or there is no tile to be dealt or placed."""
        if self.seats - len(self.eliminated) < 2 or (self.dealt is None and not any(self.left)):
            self.turn = self.dealt = None

    # --- on components ------------------------------------------------------------------------

    def _describe(self, part: Part) -> Component:
        owners = Counter(self._owners(part))
        meeples = tuple(owners[seat] for seat in range(self.seats))
        world = self.world
        return world.terrain(part), world.size(part), world.is_closed(part), meeples

    def _owners(self, part: Part) -> list[int]:
        """The seats of the meeples in a component."""
        return [seat for vertex, seat in self.meeples.items() if vertex in part]

    def _free(self, x: int, y: int, tile: Tile) -> list[int]:
        """The least vertex of each component of a tile that joins no meeple there."""
        components, _ = tile
        least = sorted(components.index(number) for number in set(components))
        return [
            v for v in least if not any(map(self._owners, self.world.would_join(x, y, tile, v)))
        ]
