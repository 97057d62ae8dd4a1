"""Penguins, written a second time from the page `docs/penguins.md`: slow, obvious, on sets.

Nothing is remembered between moves that can be found again on the board: every question is
answered by walking the lines anew. Where the page leaves a detail open, the docstrings below
settle it.
"""

import copy
from collections.abc import Sequence

Around = Sequence[Sequence[int | None]]
"""For each tile, what lies beyond each of its sides, clockwise; `None` is the water. No two tiles
share two sides."""

Move = int | tuple[int, int]
"""A placement on a tile, or a move from a tile to another."""

DROPPED_SCORE = -1.0


class ReferencePenguins:
    """One game of Penguins.

    Args:
        around: the tiles around each tile; every tile has an even number of sides.
        fish: how many fish are on each tile.
        seats: the number of players.
        penguins: how many penguins each of them has.

    Attributes:
        standing: the seat of the penguin on a tile, for tiles that have one.
        melted: tiles that are gone.
        collected: fish of each seat from tiles that are gone.
        dropped: seats that were eliminated; their penguins stay and never move.
        turn: the seat to move, `None` when the game is over.
        ply: placements and moves played.

    """

    def __init__(self, around: Around, fish: Sequence[int], seats: int, penguins: int) -> None:
        self.around = around
        self.fish = fish
        self.seats = seats
        self.penguins = penguins
        self.standing: dict[int, int] = {}
        self.melted: set[int] = set()
        self.collected = [0] * seats
        self.dropped: set[int] = set()
        self.turn: int | None = 0
        self.ply = 0

    @property
    def over(self) -> bool:
        """Whether nobody can place or move any more."""
        return self.turn is None

    def tiles_of(self, seat: int) -> list[int]:
        """The tiles under the penguins of a seat, ascending."""
        return sorted(tile for tile, owner in self.standing.items() if owner == seat)

    def is_free(self, tile: int | None) -> bool:
        """Whether a penguin could stand there: no water, not melted, nobody on it."""
        return tile is not None and tile not in self.melted and tile not in self.standing

    def in_reach(self, tile: int) -> set[int]:
        """The tiles that a penguin on a tile could go to."""
        found: set[int] = set()
        for side in range(len(self.around[tile])):
            before, here = tile, self.around[tile][side]
            while self.is_free(here):
                found.add(here)
                sides = self.around[here]
                entered = sides.index(before)
                before, here = here, sides[(entered + len(sides) // 2) % len(sides)]
        return found

    def still_places(self, seat: int) -> bool:
        """Whether a seat has penguins that are not on the board yet."""
        return seat not in self.dropped and len(self.tiles_of(seat)) < self.penguins

    def is_placing(self) -> bool:
        """Whether the game is still in its first phase."""
        return any(map(self.still_places, range(self.seats)))

    def moves_of(self, seat: int) -> set[Move]:
        """What a seat could do if it were its turn."""
        if seat in self.dropped:
            return set()
        if self.is_placing():
            if not self.still_places(seat):
                return set()
            return {v for v, count in enumerate(self.fish) if count == 1 and self.is_free(v)}
        return {(tile, to) for tile in self.tiles_of(seat) for to in self.in_reach(tile)}

    def legal_moves(self) -> set[Move]:
        """What the seat to move can do."""
        return set() if self.turn is None else self.moves_of(self.turn)

    def play(self, move: Move) -> None:
        """Play for the seat to move; `ValueError` if that is not legal."""
        if move not in self.legal_moves():
            raise ValueError(f"illegal move {move!r} for seat {self.turn}")
        if isinstance(move, tuple):
            source, move = move
            del self.standing[source]
            self.melted.add(source)
            self.collected[self.turn] += self.fish[source]
        self.standing[move] = self.turn
        self.ply += 1
        self._next_turn()

    def drop(self, seat: int) -> None:
        """Eliminate a seat; whoever's turn it is goes on, the seat after it if it was its own."""
        self.dropped.add(seat)
        if self.turn == seat:
            self._next_turn()

    def scores(self) -> list[float]:
        """The fish of each seat, those under its penguins included: nobody can take them away."""
        return [
            DROPPED_SCORE
            if seat in self.dropped
            else float(self.collected[seat] + sum(self.fish[v] for v in self.tiles_of(seat)))
            for seat in range(self.seats)
        ]

    def out(self) -> set[int]:
        """The seats that can do nothing now, and so never again once all penguins are placed."""
        return {seat for seat in range(self.seats) if not self.moves_of(seat)}

    def copy(self) -> "ReferencePenguins":
        """A game that goes on independently of this one."""
        other = copy.copy(self)
        other.standing, other.melted = dict(self.standing), set(self.melted)
        other.collected, other.dropped = list(self.collected), set(self.dropped)
        return other

    def _next_turn(self) -> None:
        """Give the turn to the next seat that can do something; end the game if none can."""
        for step in range(1, self.seats + 1):
            seat = (self.turn + step) % self.seats
            if self.moves_of(seat):
                self.turn = seat
                return
        self.turn = None
