"""What the solver knows to be won, Monte-Carlo tree search wins."""

import numpy as np
import pytest

from ludograph.games.hex.solving import HexSolver, solve_position
from ludograph.games.hex.strategies import STRATEGIES
from ludograph.search.proof import WIN
from tests.games.hex.solving.boards import random_position, wins_by

POSITIONS = 60


def won_positions(n):
    """Positions that the side to move wins, by half of its moves at most."""
    rng, solver = np.random.default_rng(n), HexSolver(n)
    found = 0
    while found < POSITIONS:
        position = random_position(rng, n, False, int(rng.integers(0, n * n - 3)))
        if solve_position(position, solver=solver).value != WIN:
            continue
        keep = {move for move in position.legal_moves() if wins_by(position, move, solver)}
        assert keep
        if 2 * len(keep) <= len(position.legal_moves()):
            found += 1
            yield position, keep


def misses(n, sims, **options):
    """How often a search of so many simulations gives a win away."""
    return sum(
        STRATEGIES["mcts"].create({"sims": str(sims), **options}, seed).choose(position) not in keep
        for seed, (position, keep) in enumerate(won_positions(n))
    )


@pytest.mark.slow
@pytest.mark.parametrize(("n", "sims"), [(3, 4_000), (4, 20_000)])
def test_no_win_is_given_away(n, sims):
    assert misses(n, sims) == 0


@pytest.mark.slow
def test_on_five_by_five_hardly_a_win_is_given_away():
    assert misses(5, 20_000) <= 2


@pytest.mark.slow
def test_the_positions_are_no_gift():
    assert misses(4, 10, connections="off", network="off") >= 5
    assert misses(4, 10) == 0
