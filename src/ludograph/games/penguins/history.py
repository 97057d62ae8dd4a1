"""What has happened in a game, as C players are told: who went from where to where.

The host of a C player gets bare codes of moves. This module turns them into entries and answers
into codes. It knows how the board is laid out and in which order the seats take turns, but not what
is legal: that is the referee's to judge.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

NO_TILE = -1


class Entry(NamedTuple):
    """What a player did, or answers; a placement has no source."""

    player: int
    src: int
    dst: int

    def __str__(self) -> str:
        src, dst = ("NO_TILE" if tile == NO_TILE else str(tile) for tile in self[1:])
        return f"{{{self.player}, {src}, {dst}}}"


class Lines:
    """The straight lines over a board, and the codes of the moves along them.

    Parameters
    ----------
    data
        ``offsets``, ``neighbors``, ``ahead`` and ``shift``, lists and a number: the sides of all
        tiles with `NO_TILE` for the water, and the rest as in ``PenguinsSetup``.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.offsets: Sequence[int] = data["offsets"]
        self.neighbors: Sequence[int] = data["neighbors"]
        self.ahead: Sequence[int] = data["ahead"]
        self.shift: int = data["shift"]
        self.tiles = len(self.offsets) - 1

    def ends(self, code: int) -> tuple[int, int]:
        """Return where a move begins and where it ends."""
        first = (code - self.tiles) >> self.shift
        slot = first
        for _ in range((code - self.tiles) & ((1 << self.shift) - 1)):
            slot = self.ahead[slot]
        return bisect_right(self.offsets, first) - 1, self.neighbors[slot]

    def code(self, src: int, dst: int, taken: set[int]) -> int | None:
        """Return the code of a move, or None if no straight line leads there.

        Where several lines do, as on a torus, it is the first (in the order of the sides) on which
        no tile is taken, or the first of all.
        """
        found = None
        for code, line in self._ways(src, dst):
            if taken.isdisjoint(line):
                return code
            found = code if found is None else found
        return found

    def _ways(self, src: int, dst: int) -> Iterator[tuple[int, list[int]]]:
        """Yield every move that leads from one tile to another, with the tiles it steps on."""
        for first in range(self.offsets[src], self.offsets[src + 1]):
            line: list[int] = []
            slot, tile = first, self.neighbors[first]
            while tile not in (NO_TILE, src):
                line.append(tile)
                if tile == dst:
                    yield self.tiles + (first << self.shift) + len(line) - 1, line
                    break
                slot = self.ahead[slot]
                tile = self.neighbors[slot]


class History:
    """Everything that has happened, from codes and the order of the seats.

    A seat that the game passes over while penguins move has no move left; the codes do not tell,
    but the player that moves instead does. C players are not told of it, nor of a seat that the
    referee has dropped: in the course's interface every entry has a tile to go to.

    Attributes
    ----------
    out
        Of every seat: whether it has no turn any more.
    news
        The placements and moves since they were last cleared.
    taken
        Tiles that are not free: penguins stand there, or stood there.
    """

    def __init__(self, lines: Lines, seats: int, penguins: int) -> None:
        self.lines = lines
        self.waiting = [penguins] * seats  # penguins to place
        self.out = [False] * seats
        self.owners: dict[int, int] = {}  # the seat of the penguin on a tile
        self.taken: set[int] = set()
        self.last = seats - 1  # the seat that has placed or moved last
        self.news: list[Entry] = []

    @property
    def placing(self) -> bool:
        """Whether penguins are still being placed."""
        return any(waiting and not out for waiting, out in zip(self.waiting, self.out, strict=True))

    def follow(self, codes: list[int]) -> None:
        """Take in moves, and the seats that the referee has dropped: ``-1 - seat``."""
        for code in codes:
            if code < 0:
                self._dropped(-1 - code)
            elif code < self.lines.tiles:
                self._placed(code)
            else:
                self._moved(*self.lines.ends(code))

    def turn_of(self, seat: int) -> None:
        """Take in that it is a seat's turn."""
        if not self.placing:
            for other in self._after_last():
                if other == seat:
                    return
                self.out[other] = True

    def _dropped(self, seat: int) -> None:
        self.turn_of(seat)
        self.out[seat] = True

    def _placed(self, tile: int) -> None:
        seat = next(seat for seat in self._after_last() if not self.out[seat])
        self.waiting[seat] -= 1
        self._stands(seat, NO_TILE, tile)

    def _moved(self, src: int, dst: int) -> None:
        seat = self.owners.pop(src)
        self.turn_of(seat)
        self._stands(seat, src, dst)

    def _stands(self, seat: int, src: int, dst: int) -> None:
        self.owners[dst] = seat
        self.taken.add(dst)
        self.last = seat
        self.news.append(Entry(seat, src, dst))

    def _after_last(self) -> Iterator[int]:
        """Yield all seats in turn, the one that has placed or moved last at the end."""
        seats = len(self.out)
        for step in range(1, seats + 1):
            yield (self.last + step) % seats
