"""Each reason of a proof by itself, against full boards and plain searches."""

import numpy as np
import pytest

from ludograph.games.hex.setup import BLACK, WHITE
from ludograph.games.hex.solving import HexSolver
from ludograph.games.hex.solving.expansion import evaluate_child, leave_out_reversible
from ludograph.games.hex.solving.grid import OUTSIDE, fill_in, make_grid, ring_code
from ludograph.games.hex.solving.workspace import make_workspace
from ludograph.rules.kernels.sets import as_int, from_int, full
from tests.amounts import few
from tests.games.hex.solving.boards import cells, random_stones

EVERYTHING = full(from_int(0, 1))


@pytest.mark.parametrize("n", [1, 2, 5, 8, 11])
def test_rings_go_around(n):
    grid = make_grid(n)
    for cell in range(n * n):
        ring = grid.ring[cell].tolist()
        assert cells(as_int(grid.near[cell])) == sorted(set(ring) - {OUTSIDE})
        for place, other in enumerate(ring):
            after = ring[(place + 1) % 6]
            if other != OUTSIDE:
                assert cell in grid.ring[other]
                assert after in grid.ring[other]


@pytest.mark.parametrize("n", [1, 2, 5, 8, 11])
def test_every_place_off_the_board_is_a_border(n):
    grid = make_grid(n)
    for color in (BLACK, WHITE):
        for side in (0, 1):
            assert len(cells(as_int(grid.sides[color, side]))) == n
    touching = [cell for cell in range(n * n) if OUTSIDE in grid.ring[cell]]
    assert touching == [cell for cell in range(n * n) if not as_int(grid.inner) >> cell & 1]
    assert all(grid.rim[cell] > 0 for cell in touching)


def sets(stones):
    """Stones as sets. What a kernel hands out are Python's numbers, no longer words: again so."""
    return [from_int(one, 1) for one in stones]


@pytest.mark.slow
def test_the_color_of_dead_cells_never_matters():
    """However the rest of the board is filled, the winner is the same with either color."""
    n, found = 4, 0
    grid = make_grid(n)
    judge = HexSolver(n, techniques=0)
    rng = np.random.default_rng(2)
    everything = (1 << n * n) - 1
    while found < few(40, 200):
        black, white, _ = random_stones(rng, n)
        for cell in cells(everything & ~(black | white)):
            if not grid.dead[ring_code(grid, cell, *sets((black, white)))]:
                continue
            found += 1
            for _ in range(10):
                more = int(rng.integers(0, 1 << n * n)) & ~(black | white | 1 << cell)
                full, rest = black | more, everything & ~(black | more | 1 << cell)
                assert (
                    judge.solve(full | 1 << cell, rest, BLACK).winner
                    == judge.solve(full, rest | 1 << cell, BLACK).winner
                )


@pytest.mark.slow
@pytest.mark.parametrize("n", [3, 4])
def test_filling_in_does_not_change_the_winner(n):
    grid = make_grid(n)
    judge = HexSolver(n, techniques=0)
    rng = np.random.default_rng(n)
    changed = 0
    for _ in range(400):
        black, white, color = random_stones(rng, n, None if n == 3 else int(rng.integers(3, 16)))
        filled = fill_in(grid, *sets((black, white)), EVERYTHING)
        stones = [as_int(one) for one in filled[:2]]
        assert stones[0] & stones[1] == 0
        assert black & ~stones[0] == white & ~stones[1] == 0
        changed += (stones[0], stones[1]) != (black, white)
        assert (
            judge.solve(stones[0], stones[1], color).winner
            == judge.solve(black, white, color).winner
        )
    assert changed > 100


@pytest.mark.slow
@pytest.mark.parametrize("n", [3, 4, 5])
def test_filling_in_goes_on_from_the_last_move(n):
    """Nothing is left to fill in where only the cells around the new stone were looked at."""
    grid = make_grid(n)
    rng = np.random.default_rng(n)
    changed = 0
    for _ in range(100):
        stones = sets(random_stones(rng, n, int(rng.integers(0, n * n // 2)))[:2])
        black, white = (as_int(one) for one in fill_in(grid, *stones, EVERYTHING)[:2])
        for cell in cells(~(black | white) & (1 << n * n) - 1):
            after = (black | 1 << cell, white)
            filled = fill_in(grid, *sets(after), tuple(grid.near[cell]))
            changed += filled[:2] != tuple(sets(after))
            again = fill_in(grid, *sets(as_int(one) for one in filled[:2]), EVERYTHING)
            assert again[:2] == filled[:2]
    assert changed


def left_out(prune, color, least):
    """Of random positions that a color wins by a move only: some move that is left wins."""
    n, pruned = 4, 0
    grid = make_grid(n)
    judge = HexSolver(n, techniques=0)
    rng = np.random.default_rng(color)
    for _ in range(400):
        stones = random_stones(rng, n, int(rng.integers(5, 14)))[:2]
        free = (1 << n * n) - 1 & ~(stones[0] | stones[1])
        if judge.solve(*stones, color).winner != color:
            continue
        if judge.solve(*stones, 1 - color).winner == color:
            continue  # it wins without a move
        rest = free & ~prune(grid, stones, free)
        pruned += rest != free
        winning = 0
        for cell in cells(rest):
            after = list(stones)
            after[color] |= 1 << cell
            winning += judge.solve(*after, 1 - color).winner == color
        assert winning
    assert pruned > least


@pytest.mark.slow
@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_moves_that_an_answer_kills_are_not_needed_to_win(color):
    level = make_workspace(1, 1, 4).levels[0]

    def reversible(grid, stones, free):
        level.stones[:] = sets(stones)
        level.must_play, level.carriers = free, 0
        leave_out_reversible(grid, level, 1 - color)
        return free & ~as_int(level.must_play)

    left_out(reversible, color, 20)


@pytest.mark.slow
@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_moves_that_another_fills_in_are_not_needed_to_win(color):
    workspace = make_workspace(1, 1, 4)

    def dominated(grid, stones, free):
        by_another = 0
        for cell in cells(free):
            if not by_another >> cell & 1:
                after = list(stones)
                after[color] |= 1 << cell
                filled = evaluate_child(grid, workspace, *sets(after), cell, 1 - color)[3]
                by_another |= as_int(filled)
        return by_another

    left_out(dominated, color, 20)
