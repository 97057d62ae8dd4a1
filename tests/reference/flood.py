"""Flood, written a second time from the page `docs/flood.md`: slow, obvious, on sets and lists.

Nothing is remembered between moves that can be found again on the board: a zone is searched
anew each time it is asked for. Where the page leaves a detail open, the docstrings below settle it.
"""

import copy
from collections.abc import Iterable, Sequence

Adjacency = list[list[int]]
PASS = None


class ReferenceFlood:
    """One game of Flood on any connected graph, with any number of seats.

    Args:
        adjacency: the neighbors of each vertex.
        colors: the color of each vertex; zones of different seats must not be one component.
        starts: the start vertex of each seat; one start means the solo game.
        forbidden: the colors that each seat may not play (nothing, by default).
        variant: `"standard"`, or `"capture"` (a touching opponent's color can be taken, and wins).

    Attributes:
        turn: the seat to move, `None` when the game is over.
        ply: moves played, passes included.
        over: whether the game has ended.

    """

    def __init__(
        self,
        adjacency: Adjacency,
        colors: Sequence[int],
        starts: Sequence[int],
        forbidden: Sequence[Iterable[int]] | None = None,
        variant: str = "standard",
    ) -> None:
        if variant not in ("standard", "capture"):
            raise ValueError(f"unknown variant {variant!r}")
        self.adjacency = adjacency
        self.colors = list(colors)
        self.starts = list(starts)
        self.seats = range(len(starts))
        self.solo = len(starts) == 1
        self.forbidden = [set(f) for f in forbidden] if forbidden else [set() for _ in starts]
        self.variant = variant
        self.bound = len(regions(adjacency, self.colors))
        self.ply = 0
        self.passed: set[int] = set()  # seats that passed since the last color was played
        self.dropped: set[int] = set()
        self.winner: int | None = None  # by a capture, never otherwise
        self.captured: set[int] = set()
        self.turn: int | None = 0
        self.over = False
        self._end_if_over()

    def zone(self, seat: int) -> set[int]:
        """The vertices that a seat controls: its start's component of one color."""
        return component(self.adjacency, self.colors, self.starts[seat])

    def legal_moves(self) -> list[int | None]:
        """The colors that may be played, ascending, then `None` for the pass (never in solo)."""
        if self.over:
            return []
        colors = [c for c in sorted(set(self.colors)) if self._is_legal(c)]
        return colors if self.solo else [*colors, PASS]

    def play(self, move: int | None) -> None:
        """Play a color or pass, for the seat to move; `ValueError` if that is not legal."""
        if move not in self.legal_moves():
            raise ValueError(f"illegal move {move!r} for seat {self.turn}")
        seat = self.turn
        if move is PASS:
            self.passed.add(seat)
        else:
            self.passed.clear()
            self.captured = self._touching(move)
            if self.captured:
                self.winner = seat
            for vertex in self.zone(seat):
                self.colors[vertex] = move
        self.ply += 1
        self.turn = self._next_seat()
        self._end_if_over()

    def drop(self, seat: int) -> None:
        """Eliminate a seat: it never moves again, and its zone stays, its color protected.

        The passes of the seats that remain still count, those of the dropped seat do not;
        so the game may end here. `ply` does not change.
        """
        if self.over or self.solo or seat in self.dropped:
            raise ValueError(f"seat {seat} cannot be dropped")
        self.dropped.add(seat)
        if self.turn == seat:
            self.turn = self._next_seat()
        self._end_if_over()

    def scores(self) -> list[float]:
        """One score per seat, at any time.

        Solo: minus the number of moves; stuck short of one color, minus (regions at the start + 1).
        Otherwise the size of each zone. Once over, a dropped seat counts -1, and after a capture
        the winner has every vertex and those it captured none.
        """
        if self.solo:
            return [float(-(self.bound + 1) if self._is_stuck() else -self.ply)]
        scores = [float(len(self.zone(seat))) for seat in self.seats]
        if self.winner is not None:
            scores[self.winner] = float(len(self.colors))
        for seat in self.captured:
            scores[seat] = 0.0
        for seat in self.dropped:
            if self.over:
                scores[seat] = -1.0
        return scores

    def copy(self) -> "ReferenceFlood":
        """A game that goes on independently of this one."""
        other = copy.copy(self)
        other.colors = list(self.colors)
        other.passed = set(self.passed)
        other.dropped = set(self.dropped)
        other.captured = set(self.captured)
        return other

    def _is_legal(self, color: int) -> bool:
        if color in self.forbidden[self.turn]:
            return False
        owners = self._touching(color)
        if owners:  # a dropped seat's color is protected in both variants
            return self.variant == "capture" and not owners & self.dropped
        return any(self.colors[v] == color for v in self._border(self.turn))

    def _border(self, seat: int) -> set[int]:
        """The vertices outside a seat's zone that are adjacent to it."""
        zone = self.zone(seat)
        return {w for v in zone for w in self.adjacency[v]} - zone

    def _touching(self, color: int) -> set[int]:
        """The opponents of the seat to move that have this color and whose zone touches its own."""
        border = self._border(self.turn)
        return {
            seat
            for seat in self.seats
            if seat != self.turn
            and self.colors[self.starts[seat]] == color
            and self.zone(seat) & border
        }

    def _next_seat(self) -> int:
        """The next seat in order that is not dropped (one always remains)."""
        seat = (self.turn + 1) % len(self.starts)
        while seat in self.dropped:
            seat = (seat + 1) % len(self.starts)
        return seat

    def _is_stuck(self) -> bool:
        return self.over and len(set(self.colors)) > 1

    def _end_if_over(self) -> None:
        if self.solo:
            over = not self.legal_moves()  # one color everywhere, or all colors around forbidden
        else:
            remaining = set(self.seats) - self.dropped
            over = self.winner is not None or len(remaining) == 1 or remaining <= self.passed
        if over:
            self.over = True
            self.turn = None


def component(adjacency: Adjacency, colors: Sequence[int], start: int) -> set[int]:
    """The connected vertices of one color around `start`, itself included."""
    found = {start}
    waiting = [start]
    while waiting:
        for w in adjacency[waiting.pop()]:
            if w not in found and colors[w] == colors[start]:
                found.add(w)
                waiting.append(w)
    return found


def regions(adjacency: Adjacency, colors: Sequence[int]) -> list[set[int]]:
    """The monochromatic connected components, ordered by their smallest vertex."""
    found: list[set[int]] = []
    for v in range(len(adjacency)):
        if not any(v in region for region in found):
            found.append(component(adjacency, colors, v))
    return found
