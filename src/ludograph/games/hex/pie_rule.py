"""Openings under the pie rule: the best one, a fair one to propose, the decision to swap.

On usual boards of usual sizes it is known what each first move is worth (``openings.values``). On
all others, how much a vertex is worth shows on boards filled by tossing coins: how much more often
black has joined its borders where the vertex is black than where it is white (compare Coulom:
"Criticality: a Monte-Carlo heuristic for Go programs", 2009). Who takes a stone gives away the
move, of which the next move gives back a part: an opening is even when it is worth a certain part
of the best one.
"""

from __future__ import annotations

import functools

import numpy as np
import numpy.typing as npt

from ludograph.games.hex.openings.values import opening_values
from ludograph.games.hex.playouts import crosses
from ludograph.games.hex.position import HexPosition
from ludograph.games.hex.rules import CELLS, STONE, parents_at
from ludograph.games.hex.setup import BLACK, EXACTLY_ONE, WHITE, HexSetup
from ludograph.rules import (
    Rng,
    State,
    compiled,
    copy,
    info,
    random_bits,
    random_state,
    start,
)
from ludograph.rules.kernels.bits import signed

FAIR = 0.5
"""What an even position is worth: half of the games."""

EVEN = 0.6
"""The worth of an even opening, in that of the best one: it fits the solved 5 x 5 map best."""

TOP = np.uint64(63)

WORK = 4_000_000
"""Vertices that are filled in all games together: some hundredths of a second."""


def proposes(position: HexPosition) -> bool:
    """Tell whether the seat to move chooses an opening that the other may take."""
    return position.ply == 0 and position.pie


def propose(position: HexPosition) -> int:
    """Return the opening that is nearest to even, the first of several.

    Where all are decided, it is the one nearest to even in random games.
    """
    known, worth = opening_values(position), openings(position)
    return min(
        worth, key=lambda vertex: (abs(known.get(vertex, FAIR) - FAIR), abs(worth[vertex] - EVEN))
    )


def known_answer(position: HexPosition) -> tuple[int, float] | None:
    """Return the first move to keep, or the swap where it pays, and its worth; None if unknown.

    Of several first moves that are worth the same it is the best one in random games.
    """
    known = opening_values(position)
    if not known:
        return None
    if position.may_swap and worth_taking(position):
        return position.swap, known[_opening(position)]
    if position.ply or position.pie:
        return None
    worth = openings(position)
    best = max(known, key=lambda vertex: (known[vertex], worth[vertex]))
    return best, known[best]


def worth_taking(position: HexPosition) -> bool:
    """Tell whether black's only stone is worth more than to be on the move."""
    known, vertex = opening_values(position), _opening(position)
    return known[vertex] > FAIR if known else openings(position)[vertex] > EVEN


def _opening(position: HexPosition) -> int:
    free = position.setup.free
    (place,) = np.flatnonzero(position.stones[free] == BLACK)
    return int(free[place])


def openings(position: HexPosition) -> dict[int, float]:
    """Return the worth of a stone on each vertex of the empty board, that of the best being 1."""
    setup = position.setup
    key = (setup.neighbors.tobytes(), setup.touches.tobytes())
    return _remembered(_Board(key, setup))


class _Board:
    """A setup that is recognized by its graph."""

    def __init__(self, key: tuple[bytes, bytes], setup: HexSetup) -> None:
        self.key, self.setup = key, setup

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Board) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


@functools.lru_cache(maxsize=4)
def _remembered(board: _Board) -> dict[int, float]:
    setup = board.setup
    empty = np.zeros(info(setup).state_size, np.int32)
    start(setup, empty)
    wins = np.zeros((2, setup.touches.size))
    counts = np.zeros((2, setup.touches.size))
    games = max(200, WORK // setup.free.size)
    count_wins(setup, empty, empty.copy(), random_state(0), games, wins, counts)
    shares = wins / np.maximum(counts, 1.0)
    worth = (shares[BLACK] - shares[WHITE])[setup.free]
    best = max(float(worth.max()), 1e-9)
    return dict(zip(setup.free.tolist(), (worth / best).tolist(), strict=True))


@compiled
def count_wins(
    setup: HexSetup,
    empty: State,
    state: State,
    rng: Rng,
    games: int,
    wins: npt.NDArray[np.float64],
    counts: npt.NDArray[np.float64],
) -> None:
    """Fill the board so often; count per color and vertex how often it is there and black wins.

    Parameters
    ----------
    state
        ``int32[state_size]``: scratch.
    wins, counts
        ``float64[2, n]``, added to; a draw is half a win.
    """
    parents = parents_at(setup)
    for _ in range(games):
        copy(empty, state)
        # The search for the winner rubs out stones: the parents, not in use, keep the colors.
        for place in range(setup.free.size):
            vertex = setup.free[place]
            color = signed(random_bits(rng) >> TOP)
            counts[color, vertex] += 1.0
            state[CELLS + vertex] = STONE - color
            state[parents + vertex] = color
        black = crosses(setup, state, BLACK)
        white = not black if setup.joined == EXACTLY_ONE else crosses(setup, state, WHITE)
        if black or not white:
            share = 0.5 if black == white else 1.0
            for place in range(setup.free.size):
                vertex = setup.free[place]
                wins[state[parents + vertex], vertex] += share


def opening_answer(position: HexPosition) -> int | None:
    """Return the opening to propose, or the swap where it pays; None: play on."""
    if proposes(position):
        return propose(position)
    if position.may_swap and worth_taking(position):
        return position.swap
    return None


def prepare_opening(position: HexPosition) -> None:
    """Find out what :func:`opening_answer` will want to know."""
    if proposes(position) or position.may_swap:
        openings(position)
