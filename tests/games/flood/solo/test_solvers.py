"""The solo solvers against a slow breadth-first search, and through the rules."""

import tracemalloc

import pytest

from ludograph import boards
from ludograph.errors import InvalidInput
from ludograph.games.flood import flood
from ludograph.games.flood.solo import solve_beam, solve_optimal
from ludograph.rules import interpreted, random_state
from tests.games.flood.solo.boards import (
    BOARDS,
    advance,
    optimum,
    position_on,
    replay,
    root_bound,
)

pytestmark = pytest.mark.slow

SEEDS = range(40)


def results(solution):
    return solution.moves, solution.solves, solution.proven, solution.lower_bound


def check_solution(position, solution, best):
    """What is true of any solution, and of the bounds around it."""
    assert solution.solves
    end = replay(position, solution.moves)
    assert end.is_over
    assert end.scores() == (-(position.ply + len(solution.moves)),)
    assert solution.lower_bound <= best <= len(solution.moves)
    assert root_bound(position) <= best
    if solution.proven:
        assert solution.lower_bound == len(solution.moves) == best


@pytest.mark.parametrize("family", BOARDS)
@pytest.mark.parametrize("seed", SEEDS)
def test_from_the_start(family, seed):
    position = position_on(family, seed)
    best = optimum(position)
    shortest = solve_optimal(position.setup, position.state)
    assert shortest.proven
    check_solution(position, shortest, best)
    check_solution(position, solve_beam(position.setup, position.state, width=1), best)
    check_solution(position, solve_beam(position.setup, position.state, width=20), best)


@pytest.mark.parametrize("family", BOARDS)
@pytest.mark.parametrize("seed", range(20))
def test_with_forbidden_colors(family, seed):
    position = position_on(family, seed, forbidden=1, colors=3 + seed % 2)
    best = optimum(position)
    for solution in (
        solve_optimal(position.setup, position.state),
        solve_beam(position.setup, position.state),
    ):
        if best is None:
            assert results(solution) == ((), False, True, 0)
        else:
            check_solution(position, solution, best)


def test_a_forbidden_color_that_is_nowhere_else_does_not_matter():
    position = flood.position(
        boards.square(3, 2), colors=4, coloring=[3, 0, 1, 1, 2, 0], seats=1, forbidden=[{3}]
    )
    solution = solve_optimal(position.setup, position.state)
    assert solution.proven
    check_solution(position, solution, optimum(position))


@pytest.mark.parametrize("family", BOARDS)
@pytest.mark.parametrize("seed", range(20))
def test_from_the_middle_of_a_game(family, seed):
    position = advance(position_on(family, seed), 1 + seed % 5, random_state(seed))
    best = optimum(position)
    shortest = solve_optimal(position.setup, position.state)
    assert shortest.proven
    check_solution(position, shortest, best)
    check_solution(position, solve_beam(position.setup, position.state, width=5), best)


def test_a_finished_game_needs_no_move():
    position = flood.position(boards.square(3), colors=3, coloring=[1] * 9, seats=1)
    assert position.is_over
    for solve in (solve_optimal, solve_beam):
        assert results(solve(position.setup, position.state)) == ((), True, True, 0)


def test_a_path_of_all_32_colors_twice():
    path = boards.from_edges(64, [(v, v + 1) for v in range(63)])
    position = flood.position(path, colors=32, coloring="cyclic", seats=1, starts=[0])
    solution = solve_optimal(position.setup, position.state)
    assert solution.proven
    assert solution.moves == tuple(v % 32 for v in range(1, 64))


@pytest.mark.parametrize(("width", "colors"), [(10, 6), (9, 20), (20, 6), (28, 3)])
def test_boards_of_one_block_and_of_many_give_moves_that_solve(width, colors):
    position = flood.position(boards.square(width), colors=colors, seats=1, seed=width)
    shortest = solve_optimal(position.setup, position.state, seconds=20)
    beam = solve_beam(position.setup, position.state, width=30)
    assert shortest.proven
    check_solution(position, shortest, len(shortest.moves))
    check_solution(position, beam, len(shortest.moves))


def test_the_same_position_gives_the_same_solution():
    position = flood.position(boards.square(12), colors=6, seats=1, seed=3)
    for solve in (solve_optimal, solve_beam):
        first, second = (solve(position.setup, position.state) for _ in range(2))
        assert results(first) == results(second)
        assert first.nodes == second.nodes


def test_interpreted_kernels_do_what_the_compiled_ones_do():
    for seed in range(3):
        position = flood.position(boards.square(6), colors=4, seats=1, seed=seed)
        compiled = [solve(position.setup, position.state) for solve in (solve_optimal, solve_beam)]
        with interpreted():
            plain = [solve(position.setup, position.state) for solve in (solve_optimal, solve_beam)]
        for a, b in zip(compiled, plain, strict=True):
            assert (results(a), a.nodes) == (results(b), b.nodes)


# --- when time or memory end first --------------------------------------------------------


def test_in_less_memory_it_finds_the_same_length():
    for seed in range(5):
        position = flood.position(boards.square(11), colors=6, seats=1, seed=seed)
        usual = solve_optimal(position.setup, position.state)
        little = solve_optimal(position.setup, position.state, memory=50_000)
        assert usual.proven
        assert little.proven
        assert len(usual.moves) == len(little.moves)


def test_it_stays_within_its_memory():
    position = flood.position(boards.square(24), colors=6, seats=1, seed=1)
    solve_optimal(position.setup, position.state, seconds=0.01)  # compiles
    memory = 4 << 20
    tracemalloc.start()
    solution = solve_optimal(position.setup, position.state, memory=memory)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    check_solution(position, solution, len(solution.moves))
    assert peak < memory


def test_without_memory_it_returns_a_good_solution_and_says_so():
    position = flood.position(boards.square(14), colors=8, seats=1, seed=1)
    proven = solve_optimal(position.setup, position.state)
    solution = solve_optimal(position.setup, position.state, memory=0)
    check_solution(position, solution, len(proven.moves))
    assert not solution.proven
    assert solution.lower_bound == root_bound(position)


def test_without_time_it_returns_the_best_known_and_says_so():
    position = flood.position(boards.square(60), colors=8, seats=1, seed=1)
    solve_optimal(position.setup, position.state, seconds=0.01)  # compiles
    solution = solve_optimal(position.setup, position.state, seconds=0.3)
    assert not solution.proven
    assert solution.lower_bound < len(solution.moves)
    assert solution.seconds < 20
    assert replay(position, solution.moves).is_over


def test_a_beam_out_of_time_still_ends():
    position = flood.position(boards.square(30), colors=6, seats=1, seed=1)
    solution = solve_beam(position.setup, position.state, width=2000, seconds=0.01)
    assert replay(position, solution.moves).is_over


# --- what they refuse ---------------------------------------------------------------------


def test_a_game_of_two_is_refused():
    position = flood.position(boards.square(5), colors=4, seats=2)
    for solve in (solve_optimal, solve_beam):
        with pytest.raises(InvalidInput, match="one seat, not 2"):
            solve(position.setup, position.state)


def test_a_beam_too_wide_for_the_memory_is_refused():
    position = flood.position(boards.square(40), colors=6, seats=1)
    for width in (0, 10_000_000):
        with pytest.raises(InvalidInput, match=rf"\b{width}\b.* MiB"):
            solve_beam(position.setup, position.state, width=width)
