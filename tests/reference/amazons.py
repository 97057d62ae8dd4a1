"""Amazons, written a second time from the page `docs/amazons.md`: slow, obvious, on sets.

Lines on squares are found from coordinates here, not from sides.
"""

from collections.abc import Sequence

Lines = Sequence[Sequence[Sequence[int]]]
"""For each tile its straight lines on the empty board, nearest tiles first."""

Move = tuple[int, int, int]
"""From, to, arrow."""


def grid_lines(width: int, height: int, *, wrap: bool = False, holes: Sequence[int] = ()) -> Lines:
    """The eight lines out of each square of a grid whose cells are numbered row by row.

    Args:
        wrap: whether the grid goes on at the opposite border.
        holes: cells that are not there; the others are numbered without them.

    """
    cells = [cell for cell in range(width * height) if cell not in holes]
    numbers = {cell: number for number, cell in enumerate(cells)}
    steps = [(dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if (dy, dx) != (0, 0)]
    found = []
    for cell in cells:
        lines = []
        for dy, dx in steps:
            line, (y, x) = [], divmod(cell, width)
            while True:
                y, x = y + dy, x + dx
                if wrap:
                    y, x = y % height, x % width
                here = y * width + x
                if not (0 <= y < height and 0 <= x < width) or here not in numbers or here == cell:
                    break
                line.append(numbers[here])
            lines.append(line)
        found.append(lines)
    return found


class ReferenceAmazons:
    """One game of Amazons.

    Args:
        lines: the straight lines of the board.
        queens: the tiles of each seat's queens.

    Attributes:
        arrows: the tiles that arrows block.
        turn: the seat to move; who cannot move has lost.

    """

    def __init__(self, lines: Lines, queens: Sequence[set[int]]) -> None:
        self.lines = lines
        self.queens = [set(tiles) for tiles in queens]
        self.arrows: set[int] = set()
        self.turn = 0

    def in_reach(self, tile: int, lifted: int) -> set[int]:
        """Where a queen or an arrow can go from a tile, a queen being lifted from its own."""
        blocked = (self.arrows | self.queens[0] | self.queens[1]) - {lifted}
        found = set()
        for line in self.lines[tile]:
            for here in line:
                if here in blocked:
                    break
                found.add(here)
        return found

    def legal_moves(self) -> set[Move]:
        """All slides with all shots after them."""
        return {
            (source, target, arrow)
            for source in self.queens[self.turn]
            for target in self.in_reach(source, source)
            for arrow in self.in_reach(target, source)
        }

    @property
    def winner(self) -> int | None:
        """Who has won: the other one if the seat to move cannot."""
        return None if self.legal_moves() else 1 - self.turn

    def play(self, move: Move) -> None:
        """Play a legal move."""
        source, target, arrow = move
        self.queens[self.turn].remove(source)
        self.queens[self.turn].add(target)
        self.arrows.add(arrow)
        self.turn = 1 - self.turn

    def distances(self, seat: int, *, far: bool) -> dict[int, int]:
        """How many moves a seat needs to each tile, as queens move (``far``) or as kings do."""
        blocked = self.arrows | self.queens[0] | self.queens[1]
        found, border, steps = {}, set(self.queens[seat]), 0
        while border:
            steps += 1
            near = {
                here
                for tile in border
                for here in (
                    self.in_reach(tile, tile)
                    if far
                    else {line[0] for line in self.lines[tile] if line}
                )
            }
            border = near - found.keys() - blocked
            found |= dict.fromkeys(border, steps)
        return found

    def territory(self) -> dict[str, float]:
        """Leads of seat 0 in tiles that it reaches first, and how much both contest the tiles."""
        taken = self.arrows | self.queens[0] | self.queens[1]
        free = set(range(len(self.lines))) - taken
        beyond = len(self.lines)
        leads = []
        for far in (True, False):
            own, other = (self.distances(seat, far=far) for seat in range(2))
            gaps = {tile: other.get(tile, beyond) - own.get(tile, beyond) for tile in free}
            leads.append(sum((gap > 0) - (gap < 0) for gap in gaps.values()))
            if far:
                both = [abs(gaps[tile]) for tile in own.keys() & other.keys()]
        contested = sum(0.5**gap for gap in both if gap <= 2)
        return {"queens": leads[0], "kings": leads[1], "contested": contested}
