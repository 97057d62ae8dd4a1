"""Openings under the pie rule: the best opening, a fair one to propose, the decision to swap.

On the usual boards of common sizes the value of each first move is known: ``opening_values.json``,
by ``scripts/hex-opening-values``. Up to 7 x 7 all values are proven; on larger boards the values of
0 and 100 percent are proven. On other boards random full boards, with a tossed coin for each
vertex, give a vertex its *criticality*: black's share of wins with the vertex black, minus its
share with the vertex white (compare Coulom: "Criticality: a Monte-Carlo heuristic for Go programs",
2009), divided by that of the best vertex. A player who swaps gets the stone, but the opponent moves
next; so an opening is even if its criticality is a certain part of the best one, ``EVEN``.

``near_even.json`` has openings of several stones, after which both sides win about equally often,
with black's share of the wins: ``scripts/near-even-openings`` has found them by games of our own
search against itself.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import numpy as np
import numpy.typing as npt

from ludograph.errors import InvalidInput
from ludograph.games.hex.playouts import crosses
from ludograph.games.hex.position import HexPosition
from ludograph.games.hex.rules import CELLS, STONE, parents_at
from ludograph.games.hex.setup import BLACK, EXACTLY_ONE, WHITE, HexSetup
from ludograph.rules import Rng, State, compiled, copy, info, random_bits, random_state, start
from ludograph.rules.kernels.bits import signed

FAIR = 0.5
"""The value of an even position: half of the games."""

EVEN = 0.6
"""The criticality of an even opening, chosen to fit the solved map of 5 x 5 openings best."""

TOP = np.uint64(63)

WORK = 4_000_000
"""The vertices filled in all random games together, which take some hundredths of a second."""


def proposes(position: HexPosition) -> bool:
    """Tell whether the seat to move chooses an opening that the other seat may take."""
    return position.ply == 0 and position.pie


def propose(position: HexPosition) -> int:
    """Return the opening that is nearest to even, the first of equal ones.

    If all openings are equally near by their known values, or if these are unknown, random games
    decide.
    """
    known, criticality = opening_values(position), openings(position)
    return min(
        criticality,
        key=lambda vertex: (abs(known.get(vertex, FAIR) - FAIR), abs(criticality[vertex] - EVEN)),
    )


def known_answer(position: HexPosition) -> tuple[int, float] | None:
    """Return a first move or a swap that is known to be best, and its value; otherwise None.

    The value is the chance to win. It is the best first move without the pie rule, by random games
    among equal ones; or the swap, if the opening is better than even.
    """
    known = opening_values(position)
    if not known:
        return None
    if position.may_swap and should_swap(position):
        return position.swap, known[_opening(position)]
    if position.ply or position.pie:
        return None
    criticality = openings(position)
    best = max(known, key=lambda vertex: (known[vertex], criticality[vertex]))
    return best, known[best]


def should_swap(position: HexPosition) -> bool:
    """Tell whether a swap is better than an answer to black's only stone."""
    known, vertex = opening_values(position), _opening(position)
    return known[vertex] > FAIR if known else openings(position)[vertex] > EVEN


def _opening(position: HexPosition) -> int:
    free = position.setup.free
    (place,) = np.flatnonzero(position.stones[free] == BLACK)
    return int(free[place])


def openings(position: HexPosition) -> dict[int, float]:
    """Return the criticality of each vertex of the empty board; that of the best vertex is 1."""
    setup = position.setup
    key = (setup.neighbors.tobytes(), setup.touches.tobytes())
    return _remembered(_Board(key, setup))


class _Board:
    """A setup as a key of a cache: setups with equal graphs are equal."""

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
    criticality = (shares[BLACK] - shares[WHITE])[setup.free]
    best = max(float(criticality.max()), 1e-9)
    return dict(zip(setup.free.tolist(), (criticality / best).tolist(), strict=True))


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
    """Fill the board at random ``games`` times, and count black's wins by color of each vertex.

    Parameters
    ----------
    empty
        The state of the empty board.
    state
        Working memory, ``int32[state_size]``.
    wins, counts
        ``float64[2, n]``: the call adds the games in which a vertex has a color to ``counts``, and
        black's wins among them to ``wins``; a draw is half a win.
    """
    parents = parents_at(setup)
    for _ in range(games):
        copy(empty, state)
        # The search for the winner changes the cells, so the unused parents store the colors.
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
    """Return the opening to propose, or the swap if it is better than an answer; otherwise None."""
    if proposes(position):
        return propose(position)
    if position.may_swap and should_swap(position):
        return position.swap
    return None


def prepare_opening(position: HexPosition) -> None:
    """Compute the criticality if :func:`opening_answer` needs it, before clocks start."""
    if proposes(position) or position.may_swap:
        openings(position)


@cache
def opening_shares() -> dict[int, list[float]]:
    """Return black's chances to win after each first move, 0 to 1, by the size of the board.

    The moves are in the order of the rows, and in each row from column a.
    """
    text = (files(__package__) / "opening_values.json").read_text(encoding="utf-8")
    return {
        int(size): [percent / 100 for row in rows for percent in row]
        for size, rows in json.loads(text).items()
    }


def opening_values(position: HexPosition) -> Mapping[int, float]:
    """Return black's chances to win by the vertex of its first stone.

    The result is empty for boards without known values.
    """
    values = opening_shares().get(position.size) if position.is_standard else None
    free = position.setup.free
    if values is None or len(values) != free.size:
        return {}
    return dict(zip(free.tolist(), values, strict=True))


@cache
def near_even_shares() -> dict[int, dict[str, float]]:
    """Return the openings by the size of the board, with black's share of the wins."""
    text = (files(__package__) / "near_even.json").read_text(encoding="utf-8")
    return {int(size): shares for size, shares in json.loads(text).items()}


def near_even(position: HexPosition) -> list[str]:
    """Return the openings of a board as texts of moves.

    Raises
    ------
    InvalidInput
        If there are no openings for the board.
    """
    found = near_even_shares().get(position.size) if position.is_standard else None
    if not found:
        sizes = ", ".join(map(str, sorted(near_even_shares())))
        raise InvalidInput(
            f"hex: near-even openings are for hexagonal boards of {sizes} cells in a row, this "
            f"board is {position.board.name!r}"
        )
    return list(found)
