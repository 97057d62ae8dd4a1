"""Carcassonne by the rules of the board game, written a second time from `docs/carcassonne.md`.

Slow and obvious: roads, cities and fields are sets of places (x, y, v), found anew after each move.
"""

import copy
from collections import Counter
from collections.abc import Sequence

from tests.reference.carcassonne import FINITE_MEEPLE, Move, ReferenceCarcassonne
from tests.reference.carcassonne_world import CENTER, Cell, Part, Tile, World, turned

FIELD, ROAD, CASTLE = 0, 1, 3
WHAT = ("roads", "cities", "monasteries", "farms")


class ReferenceOfficial(ReferenceCarcassonne):
    """One game by the official rules.

    Args:
        first, kinds, counts: as in the course's game.
        shields: for the first tile and then for each kind, the vertices that bear a shield.
        monasteries: for the first tile and then for each kind, whether it has one.

    Attributes:
        monks: the seat whose meeple stands in the monastery of a cell.
        shielded: all (x, y, v) on the table that bear a shield.
        cloisters: the cells with a monastery.
        tally: for each seat its points by what they are for.
        at_end: those of them that the end of the game has brought.

    """

    def __init__(
        self,
        first: Tile,
        kinds: Sequence[Tile],
        counts: Sequence[int],
        *,
        shields: Sequence[Sequence[int]],
        monasteries: Sequence[bool],
        seats: int = 2,
        meeples: int = 7,
    ) -> None:
        super().__init__(
            first, kinds, counts, seats=seats, mode=FINITE_MEEPLE, meeples=meeples, discard=True
        )
        self.shields, self.monasteries = shields, monasteries
        self.monks: dict[Cell, int] = {}
        self.shielded = {(0, 0, v) for v in shields[0]}
        self.cloisters = {(0, 0)} if monasteries[0] else set()
        self.tally = [dict.fromkeys(WHAT, 0) for _ in range(seats)]
        self.at_end = copy.deepcopy(self.tally)

    def legal_moves(self) -> list[Move]:
        """As in the course's game, but meeples stand on roads, cities, fields and monasteries.

        So the center alone is nothing, except with a monastery.
        """
        moves = [move for move in super().legal_moves() if move[3] is None or self._counts(move)]
        if moves and self.monasteries[1 + self.dealt] and self.supply[self.turn] > 0:
            moves += [(*move[:3], CENTER) for move in moves if move[3] is None]
        return sorted(moves, key=lambda move: (*move[:3], -1 if move[3] is None else move[3]))

    def _counts(self, move: Move) -> bool:
        """Whether a meeple's vertex is on the rim of the tile, and road, city or field."""
        _, terrains = turned(self.kinds[self.dealt], move[2])
        return move[3] != CENTER and terrains[move[3]] in (FIELD, ROAD, CASTLE)

    def play(self, x: int, y: int, quarters: int, meeple: int | None = None) -> None:
        """Place the dealt tile; `ValueError` if that is not legal."""
        if (x, y, quarters, meeple) not in self.legal_moves():
            raise ValueError(f"illegal move {(x, y, quarters, meeple)} for seat {self.turn}")
        kind, self.dealt = self.dealt, None
        self.world = World({**self.world.tiles, (x, y): turned(self.kinds[kind], quarters)})
        for v in self.shields[1 + kind]:
            self.shielded.add((x, y, v if v == CENTER else (v + 3 * quarters) % 12))
        if self.monasteries[1 + kind]:
            self.cloisters.add((x, y))
        if meeple is not None:
            self.supply[self.turn] -= 1
            if meeple == CENTER:
                self.monks[x, y] = self.turn
            else:
                self.meeples[x, y, meeple] = self.turn
        self._finish_features(x, y)
        self._finish_monasteries()
        self._pass_on()

    def copy(self) -> "ReferenceOfficial":
        """A game that goes on independently of this one."""
        other = copy.copy(self)
        for name in ("meeples", "supply", "left", "points", "eliminated"):
            setattr(other, name, copy.copy(getattr(self, name)))
        other.monks, other.tally = dict(self.monks), copy.deepcopy(self.tally)
        other.at_end = copy.deepcopy(self.at_end)
        other.shielded, other.cloisters = set(self.shielded), set(self.cloisters)
        return other

    # --- points -------------------------------------------------------------------------------

    def _finish_features(self, x: int, y: int) -> None:
        """Score the roads and cities that a tile has completed; their meeples come back."""
        for part in self.world.parts:
            here = any(place[:2] == (x, y) for place in part)
            if not (here and self._is_finished(part)):
                continue
            if self.world.terrain(part) == ROAD:
                self._reward(part, "roads", len(tiles_of(part)))
            elif self.world.terrain(part) == CASTLE:
                self._reward(part, "cities", 2 * (len(tiles_of(part)) + self._shields_in(part)))
            else:
                continue
            for place in part:
                if place in self.meeples:
                    self.supply[self.meeples.pop(place)] += 1

    def _finish_monasteries(self) -> None:
        """Score the monasteries with tiles all around; their meeples come back."""
        for cell in list(self.monks):
            if self._tiles_near(cell) == 9:
                seat = self.monks.pop(cell)
                self._give(seat, "monasteries", 9)
                self.supply[seat] += 1

    def _end_if_due(self) -> None:
        """End the game as the course does, and count what is left on the table, once."""
        was_over = self.over
        super()._end_if_due()
        if self.over and not was_over:
            self._count_the_end()

    def _count_the_end(self) -> None:
        before = copy.deepcopy(self.tally)
        for part in self.world.parts:
            terrain = self.world.terrain(part)
            if terrain == ROAD:
                self._reward(part, "roads", len(tiles_of(part)))
            elif terrain == CASTLE:
                self._reward(part, "cities", len(tiles_of(part)) + self._shields_in(part))
            elif terrain == FIELD:
                self._reward(part, "farms", 3 * len(self._cities_near(part)))
        for cell, seat in self.monks.items():
            self._give(seat, "monasteries", self._tiles_near(cell))
        for seat, tally in enumerate(self.tally):
            self.at_end[seat] = {what: tally[what] - before[seat][what] for what in WHAT}

    def _reward(self, part: Part, what: str, points: int) -> None:
        """Give points to all who have most meeples there; to nobody if there are none."""
        owners = Counter(self._owners(part))
        for seat in owners:
            if owners[seat] == max(owners.values()):
                self._give(seat, what, points)

    def _give(self, seat: int, what: str, points: int) -> None:
        self.points[seat] += points
        self.tally[seat][what] += points

    # --- on the table -------------------------------------------------------------------------

    def _is_finished(self, part: Part) -> bool:
        """Whether all sides of a road or city go on; a center alone is no road."""
        return self.world.is_closed(part) and {v for _, _, v in part} != {CENTER}

    def _shields_in(self, part: Part) -> int:
        return len(self.shielded & part)

    def _tiles_near(self, cell: Cell) -> int:
        """How many tiles lie on a cell and on the eight around it."""
        x, y = cell
        near = {(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
        return len(near & set(self.world.tiles))

    def _cities_near(self, field: Part) -> set[Part]:
        """The finished cities that lie beside a field on a rim of some tile."""
        near = set()
        for x, y, v in field:
            if v != CENTER:
                near |= {(x, y, (v + 1) % 12), (x, y, (v - 1) % 12)}
        cities = (part for part in self.world.parts if self.world.terrain(part) == CASTLE)
        return {city for city in cities if self._is_finished(city) and city & near}


def tiles_of(part: Part) -> set[Cell]:
    """The cells of a road or city, each once."""
    return {(x, y) for x, y, _ in part}
