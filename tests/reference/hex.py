"""Hex, written a second time from the page `docs/hex.md`: slow, obvious, on sets and lists.

Nothing is remembered between moves that can be found again on the board: after each move the
components of a color are searched anew. Where the page leaves a detail open, the docstrings
below settle it.
"""

import copy
import math
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise

import numpy as np

Adjacency = list[list[int]]
Board = tuple[Adjacency, set[int], set[int]]
"""The neighbors of each vertex, ascending, and the borders of black and white."""

FREE, BLACK, WHITE = -1, 0, 1
SWAP = "swap"
Move = int | str


class ReferenceHex:
    """One game of Hex on any graph.

    Args:
        adjacency: the neighbors of each vertex.
        black: the vertices that black owns from the start.
        white: the vertices that white owns from the start.
        swap: whether the pie rule is on.

    Attributes:
        owner: of each vertex, `FREE`, `BLACK` or `WHITE`.
        turn: the seat to move, `None` when the game is over.
        ply: moves played, the swap included.
        over: whether the game has ended: at once at a win, the opening stone's included, or
            when no vertex is free. Borders that are joined already end it before it starts.

    """

    def __init__(
        self, adjacency: Adjacency, black: Iterable[int], white: Iterable[int], swap: bool = True
    ) -> None:
        self.adjacency = adjacency
        self.borders = [set(black), set(white)]
        if self.borders[BLACK] & self.borders[WHITE]:
            raise ValueError("a vertex is on the borders of both colors")
        self.owner = [FREE] * len(adjacency)
        for color, border in enumerate(self.borders):
            for v in border:
                self.owner[v] = color
        self.swap = swap
        self.swapped = False
        self.ply = 0
        self.turn: int | None = 0
        self.over = False
        self._end_if_over()

    def color_of(self, seat: int) -> int:
        """The color that a seat plays; until somebody swaps, seat 0 is black."""
        return 1 - seat if self.swapped else seat

    def legal_moves(self) -> list[Move]:
        """The free vertices, ascending, then `"swap"` in reply to the opening stone."""
        if self.over:
            return []
        free: list[Move] = [v for v, owner in enumerate(self.owner) if owner == FREE]
        return [*free, SWAP] if self.swap and self.ply == 1 else free

    def play(self, move: Move) -> None:
        """Play on a vertex or swap, for the seat to move; `ValueError` if that is not legal."""
        if move not in self.legal_moves():
            raise ValueError(f"illegal move {move!r} for seat {self.turn}")
        if move == SWAP:
            self.swapped = True
        else:
            self.owner[move] = self.color_of(self.turn)
        self.ply += 1
        self.turn = 1 - self.turn
        self._end_if_over()

    def winner(self) -> int | None:
        """The color whose border vertices are all in one component of its color, if any."""
        for color in (BLACK, WHITE):
            own = {v for v, owner in enumerate(self.owner) if owner == color}
            joined = [c for c in components(self.adjacency, own) if c & self.borders[color]]
            if len(joined) == 1:
                return color
        return None

    def scores(self) -> list[float]:
        """One score per seat: 1 and 0 after a win, otherwise (also after a draw) 0.5 each."""
        winner = self.winner()
        if winner is None:
            return [0.5, 0.5]
        return [1.0 if self.color_of(seat) == winner else 0.0 for seat in (0, 1)]

    def copy(self) -> "ReferenceHex":
        """A game that goes on independently of this one."""
        other = copy.copy(self)
        other.owner = list(self.owner)
        return other

    def _end_if_over(self) -> None:
        if self.winner() is not None or FREE not in self.owner:
            self.over = True
            self.turn = None


def components(adjacency: Adjacency, vertices: Collection[int]) -> list[set[int]]:
    """The connected components of a set of vertices, ordered by their smallest vertex."""
    found: list[set[int]] = []
    for start in sorted(vertices):
        if any(start in component for component in found):
            continue
        component = {start}
        waiting = [start]
        while waiting:
            for w in adjacency[waiting.pop()]:
                if w in vertices and w not in component:
                    component.add(w)
                    waiting.append(w)
        found.append(component)
    return found


def hexagonal(m: int) -> Board:
    """Hexagonal cells: m + 1 rows and columns, six neighbors inside."""
    return _grid(m, [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)])


def square(m: int) -> Board:
    """Square cells: m + 1 rows and columns, four neighbors inside."""
    return _grid(m, [(-1, 0), (0, -1), (0, 1), (1, 0)])


def _grid(m: int, steps: Sequence[tuple[int, int]]) -> Board:
    _check_width(m)
    width = m + 1
    adjacency = [
        sorted(
            (row + r) * width + column + c
            for r, c in steps
            if 0 <= row + r < width and 0 <= column + c < width
        )
        for row in range(width)
        for column in range(width)
    ]
    top = set(range(m))
    bottom = {m * width + column for column in range(1, width)}
    right = {row * width + m for row in range(m)}
    left = {row * width for row in range(1, width)}
    return adjacency, top | bottom, right | left


def triangular(m: int) -> Board:
    """Triangular cells: a hexagon of side m cut into 6m² triangles, numbered row by row."""
    _check_width(m)
    sizes = [
        *[2 * (r + 1) for r in range(m)],
        *[2 * m for _ in range(m, 3 * m - 1)],
        *[2 * (4 * m - 1 - r) for r in range(3 * m - 1, 4 * m - 1)],
    ]
    middle = range(m, 3 * m - 1)
    rows = []  # of vertex numbers
    for size in sizes:
        first = rows[-1][-1] + 1 if rows else 0
        rows.append(list(range(first, first + size)))

    edges = []
    for r, row in enumerate(rows):
        first = 1 if r in middle and (r - m) % 2 == 0 else 0
        edges += [(row[j], row[j + 1]) for j in range(first, len(row) - 1, 2)]
    for upper, lower in pairwise(rows):
        shift = (len(lower) - len(upper)) // 2
        edges += [
            (v, lower[j + shift]) for j, v in enumerate(upper) if j + shift in range(len(lower))
        ]
    adjacency: Adjacency = [[] for _ in range(6 * m * m)]
    for v, w in edges:
        adjacency[v].append(w)
        adjacency[w].append(v)

    black = {v for r in range(m) for v in rows[r][:2]}
    black |= {v for r in range(1, m // 2) for v in rows[r][-2:]}
    white = {rows[m // 2][-1]}
    white |= {v for r in range(m // 2 + 1, m) for v in rows[r][-2:]}
    white |= {v for r in middle for v in (rows[r][0], rows[r][-1])}
    return [sorted(near) for near in adjacency], _with_turned(black, m), _with_turned(white, m)


def _with_turned(vertices: set[int], m: int) -> set[int]:
    """The vertices, and where they go when the triangular board is turned by 180°."""
    return vertices | {6 * m * m - 1 - v for v in vertices}


def _check_width(m: int) -> None:
    if m < 2:
        raise ValueError(f"the width must be at least 2, not {m}")


# --- the circuit --------------------------------------------------------------------------


def circuit(game: ReferenceHex, color: int) -> tuple[float, dict[int, float]]:
    """The conductance between a color's borders, and the current through each free vertex.

    Free vertices have a resistance of 1, own stones and borders of 0, the opponent's stones let
    nothing through; two neighbors are joined by a wire of the sum of theirs. What own stones join
    is one node, each border chain is one too, met by a single wire of each free vertex next to it.
    Where no current runs, or no bound holds it, all currents are 0.
    """
    own = {v for v, owner in enumerate(game.owner) if owner == color}
    source, sink = components(game.adjacency, game.borders[color])
    node = {v: ("group", i) for i, c in enumerate(components(game.adjacency, own)) for v in c}
    node |= {v: ("free", v) for v, owner in enumerate(game.owner) if owner == FREE}
    start, end = node[min(source)], node[min(sink)]
    if start == end:
        return math.inf, {}
    wires: list[tuple[tuple[str, int], tuple[str, int], float]] = []
    for v in (v for v, owner in enumerate(game.owner) if owner == FREE):
        around = set(game.adjacency[v])
        stones = around & own - source - sink
        free = {w for w in around if game.owner[w] == FREE}
        wires += [(node[v], node[w], 1 / 2) for w in free if v < w]
        wires += [(node[v], node[w], 1.0) for w in stones]
        wires += [(node[v], node[min(chain)], 1.0) for chain in (source, sink) if around & chain]
    reached = {start}
    while grown := {b for one, other, _ in wires for b in (one, other) if {one, other} & reached}:
        if grown <= reached:
            break
        reached |= grown
    if end not in reached:
        return 0.0, {}
    place = {name: i for i, name in enumerate(sorted(reached))}
    matrix = np.zeros((len(place), len(place)))
    for one, other, conductance in wires:
        if one in reached:
            a, b = place[one], place[other]
            matrix[[a, b], [a, b]] += conductance
            matrix[[a, b], [b, a]] -= conductance
    fixed = np.zeros(len(place))
    for name, voltage in ((start, 1.0), (end, 0.0)):
        matrix[place[name]] = 0.0
        matrix[place[name], place[name]] = 1.0
        fixed[place[name]] = voltage
    potential = dict(zip(place, np.linalg.solve(matrix, fixed).tolist(), strict=True))
    whole = 0.0
    through: dict[int, float] = {}
    for one, other, conductance in wires:
        if one in reached:
            current = conductance * abs(potential[one] - potential[other])
            whole += current if start in (one, other) else 0.0
            for kind, v in (one, other):
                if kind == "free":
                    through[v] = through.get(v, 0.0) + current / 2
    return whole, through
