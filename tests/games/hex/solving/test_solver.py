"""What is proven is true: known maps, and every means used alone against a plain search."""

import numpy as np
import pytest

from ludograph.errors import InvalidInput
from ludograph.games.hex.setup import BLACK, WHITE
from ludograph.games.hex.solving import HexSolver, solve_openings
from ludograph.games.hex.solving.workspace import (
    CONNECTIONS,
    DOMINATED,
    EVERYTHING,
    INFERIOR,
    MUST_PLAY,
    REVERSIBLE,
)
from ludograph.rules import interpreted
from tests.games.hex.solving.boards import random_stones

pytestmark = pytest.mark.slow

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
    *(INFERIOR, CONNECTIONS, MUST_PLAY, REVERSIBLE, INFERIOR | DOMINATED),
    *(
        INFERIOR | CONNECTIONS,
        MUST_PLAY | CONNECTIONS,
        INFERIOR | MUST_PLAY,
        MUST_PLAY | REVERSIBLE,
        INFERIOR | MUST_PLAY | DOMINATED,
    ),
    EVERYTHING,
]


@pytest.mark.parametrize("n", MAPS)
def test_maps_of_the_page(n):
    found = solve_openings(HexSolver(n))
    assert "/".join(found.rows) == MAPS[n]
    assert found.complete


def test_how_many_openings_are_decided_is_told():
    told = []
    solve_openings(HexSolver(4), told.append)
    counts = [int(text.removesuffix(" of 16 openings")) for text in told]
    assert counts[0] == 0
    assert counts == sorted(set(counts))


@pytest.mark.parametrize("means", [0, *MEANS])
def test_every_means_alone_finds_the_same_maps(means):
    for n in (1, 2, 3):
        assert "/".join(solve_openings(HexSolver(n, techniques=means)).rows) == MAPS[n]


@pytest.mark.parametrize(
    "means",
    [
        *(CONNECTIONS, INFERIOR | CONNECTIONS),
        *(MUST_PLAY | CONNECTIONS, INFERIOR | MUST_PLAY),
    ],
)
def test_larger_maps_with_fewer_means(means):
    assert "/".join(solve_openings(HexSolver(4, techniques=means)).rows) == MAPS[4]
    if means & CONNECTIONS:
        assert "/".join(solve_openings(HexSolver(5, techniques=means)).rows) == MAPS[5]


@pytest.mark.parametrize("n", [2, 3, pytest.param(4, marks=pytest.mark.slow)])
def test_every_means_finds_the_same_winner(n):
    plain = HexSolver(n, techniques=0)
    solvers = [HexSolver(n, techniques=means) for means in MEANS]
    rng = np.random.default_rng(n)
    for _ in range(300):
        stones = random_stones(rng, n, None if n < 4 else int(rng.integers(3, 16)))
        winner = plain.solve(*stones).winner
        assert [solver.solve(*stones).winner for solver in solvers] == [winner] * len(solvers)


def test_ends_of_games_on_a_board_that_fills_its_word():
    plain, solver = HexSolver(8, techniques=0), HexSolver(8)
    rng = np.random.default_rng(8)
    for _ in range(200):
        stones = random_stones(rng, 8, int(rng.integers(54, 65)))
        found = solver.solve(*stones)
        assert plain.solve(*stones).winner == found.winner
        free = (1 << 64) - 1 & ~(stones[0] | stones[1])
        assert found.carrier & ~free == 0


def test_any_numbers_of_stones():
    plain, solver = HexSolver(3, techniques=0), HexSolver(3)
    rng = np.random.default_rng(1)
    for colors in rng.integers(0, 3, (500, 9)).tolist():
        black, white = (
            sum(1 << cell for cell, color in enumerate(colors) if color == one) for one in (1, 2)
        )
        for color in (BLACK, WHITE):
            assert (
                solver.solve(black, white, color).winner == plain.solve(black, white, color).winner
            )


@pytest.mark.parametrize(
    "means",
    [
        MUST_PLAY,
        INFERIOR | MUST_PLAY,
        CONNECTIONS | MUST_PLAY,
        REVERSIBLE | MUST_PLAY,
        INFERIOR | MUST_PLAY | DOMINATED,
        EVERYTHING,
    ],
)
@pytest.mark.parametrize("n", [3, 4, 5])
def test_the_winner_needs_only_the_carrier(n, means):
    solver = HexSolver(n, techniques=EVERYTHING if n == 5 else means)
    judge = HexSolver(n, techniques=0 if n == 3 else CONNECTIONS)
    rng = np.random.default_rng(n)
    for _ in range(200):
        black, white, color = random_stones(rng, n)
        found = solver.solve(black, white, color)
        free = (1 << n * n) - 1 & ~(black | white)
        assert found.carrier & ~free == 0
        rest = free & ~found.carrier
        if found.winner == BLACK:
            white |= rest
        else:
            black |= rest
        assert judge.solve(black, white, color).winner == found.winner


def test_colors_are_alike():
    """Reflecting the board exchanges the colors."""
    solver = HexSolver(4)
    rng = np.random.default_rng(4)

    def reflected(stones):
        return sum(1 << (cell % 4 * 4 + cell // 4) for cell in range(16) if stones >> cell & 1)

    for _ in range(200):
        black, white, color = random_stones(rng, 4)
        other = solver.solve(reflected(white), reflected(black), 1 - color)
        assert other.winner == 1 - solver.solve(black, white, color).winner


def test_plain_python_does_the_same():
    rng = np.random.default_rng(5)
    questions = [random_stones(rng, 3) for _ in range(20)]
    fast = HexSolver(3, table_bits=10)
    expected = [fast.solve(*question) for question in questions]
    with interpreted():
        slow = HexSolver(3, table_bits=10)
        assert [slow.solve(*question) for question in questions] == expected
    assert slow.nodes == fast.nodes


def test_a_small_table_forgets_but_does_not_err():
    assert "/".join(solve_openings(HexSolver(5, table_bits=3)).rows) == MAPS[5]


def test_when_the_time_is_over():
    solver = HexSolver(8, time=0.01)
    assert solver.solve(1, 0, WHITE) is None
    found = solve_openings(solver)
    assert not found.complete
    assert set("".join(found.rows)) == {"?"}


@pytest.mark.parametrize("n", [0, 17, -1])
def test_boards_whose_cells_are_no_set(n):
    with pytest.raises(InvalidInput, match="size 1 to 16"):
        HexSolver(n)
