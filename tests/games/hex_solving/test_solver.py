"""What is proven is true: known maps, and every means used alone against a plain search."""

import numpy as np
import pytest

from ludograph.errors import InvalidInput
from ludograph.games.hex.setup import BLACK, WHITE
from ludograph.games.hex.solving import HexSolver, solve_openings
from ludograph.games.hex.solving.room import CONNECT, EVERYTHING, FILL, FOLD, NARROW, PRUNE
from ludograph.rules import interpreted
from tests.games.hex_solving.boards import random_stones

MAPS = {
    1: "W",
    2: "LW/WL",
    3: "LLW/WWW/WLL",
    4: "LLLW/LLWL/LWLL/WLLL",
    5: "LLLLW/LWWWW/LWWWL/WWWWL/WLLLL",
    6: "LLLLLW/LWWWWW/WWWWWW/WWWWWW/WWWWWL/WLLLLL",
}
"""`docs/hex.md`, section Known values."""

MEANS = [
    *(FILL, CONNECT, NARROW, FOLD, PRUNE),
    *(FILL | CONNECT, NARROW | CONNECT, FILL | NARROW, NARROW | PRUNE),
    EVERYTHING,
]


@pytest.mark.parametrize("n", MAPS)
def test_maps_of_the_page(n):
    found = solve_openings(HexSolver(n))
    assert "/".join(found.rows) == MAPS[n]
    assert found.complete


@pytest.mark.parametrize("flags", [0, *MEANS])
def test_every_means_alone_finds_the_same_maps(flags):
    for n in (1, 2, 3):
        assert "/".join(solve_openings(HexSolver(n, flags=flags)).rows) == MAPS[n]


@pytest.mark.parametrize("flags", [CONNECT, FILL | CONNECT, NARROW | CONNECT, FILL | NARROW])
def test_larger_maps_with_fewer_means(flags):
    assert "/".join(solve_openings(HexSolver(4, flags=flags)).rows) == MAPS[4]
    if flags & CONNECT:
        assert "/".join(solve_openings(HexSolver(5, flags=flags)).rows) == MAPS[5]


@pytest.mark.parametrize("n", [2, 3, 4])
def test_every_means_finds_the_same_winner(n):
    plain = HexSolver(n, flags=0)
    solvers = [HexSolver(n, flags=flags) for flags in MEANS]
    rng = np.random.default_rng(n)
    for _ in range(300):
        stones = random_stones(rng, n, None if n < 4 else int(rng.integers(3, 16)))
        winner = plain.ask(*stones).winner
        assert [solver.ask(*stones).winner for solver in solvers] == [winner] * len(solvers)


def test_any_numbers_of_stones():
    plain, solver = HexSolver(3, flags=0), HexSolver(3)
    rng = np.random.default_rng(1)
    for colors in rng.integers(0, 3, (500, 9)).tolist():
        black, white = (
            sum(1 << cell for cell, color in enumerate(colors) if color == one) for one in (1, 2)
        )
        for color in (BLACK, WHITE):
            assert solver.ask(black, white, color).winner == plain.ask(black, white, color).winner


@pytest.mark.parametrize(
    "flags", [NARROW, FILL | NARROW, CONNECT | NARROW, PRUNE | NARROW, EVERYTHING]
)
@pytest.mark.parametrize("n", [3, 4, 5])
def test_the_winner_needs_only_the_carrier(n, flags):
    solver = HexSolver(n, flags=EVERYTHING if n == 5 else flags)
    judge = HexSolver(n, flags=0 if n == 3 else CONNECT)
    rng = np.random.default_rng(n)
    for _ in range(200):
        black, white, color = random_stones(rng, n)
        found = solver.ask(black, white, color)
        free = (1 << n * n) - 1 & ~(black | white)
        assert found.carrier & ~free == 0
        rest = free & ~found.carrier
        if found.winner == BLACK:
            white |= rest
        else:
            black |= rest
        assert judge.ask(black, white, color).winner == found.winner


def test_colors_are_alike():
    """Reflecting the board exchanges the colors."""
    solver = HexSolver(4)
    rng = np.random.default_rng(4)

    def reflected(stones):
        return sum(1 << (cell % 4 * 4 + cell // 4) for cell in range(16) if stones >> cell & 1)

    for _ in range(200):
        black, white, color = random_stones(rng, 4)
        other = solver.ask(reflected(white), reflected(black), 1 - color)
        assert other.winner == 1 - solver.ask(black, white, color).winner


def test_plain_python_does_the_same():
    rng = np.random.default_rng(5)
    questions = [random_stones(rng, 3) for _ in range(20)]
    fast = HexSolver(3, memory_bits=10)
    expected = [fast.ask(*question) for question in questions]
    with interpreted():
        slow = HexSolver(3, memory_bits=10)
        assert [slow.ask(*question) for question in questions] == expected
    assert slow.nodes == fast.nodes


def test_a_small_memory_forgets_but_does_not_err():
    assert "/".join(solve_openings(HexSolver(5, memory_bits=3)).rows) == MAPS[5]


def test_when_the_time_is_over():
    solver = HexSolver(7, time=0.01)
    assert solver.ask(1, 0, WHITE) is None
    found = solve_openings(solver)
    assert not found.complete
    assert set("".join(found.rows)) == {"?"}


@pytest.mark.parametrize("n", [0, 8, -1])
def test_boards_that_are_no_word(n):
    with pytest.raises(InvalidInput, match="size 1 to 7"):
        HexSolver(n)
