"""Proofs with a tree above the solver have its results, whatever the values that guide them."""

import numpy as np
import pytest

from ludograph import hex
from ludograph.games.hex.answers import monte_carlo_advice
from ludograph.games.hex.setup import BLACK, WHITE
from ludograph.games.hex.solving import HexSolver
from ludograph.games.hex.solving.openings import WINS, Openings
from ludograph.games.hex.solving.proof_tree import LEAST, ProofTree, winning_chances
from tests.games.hex.solving.test_solver import MAPS

pytestmark = pytest.mark.slow

FEW = (1, 2, 5)
"""So few positions at each attempt that small boards need a tree, too."""


def no_advice(moves):
    return {}


def wrong_advice(moves):
    """Values that have nothing to do with the game."""
    rng = np.random.default_rng(list(moves))
    return {cell: (int(rng.integers(1000)), float(rng.random())) for cell in range(40)}


def tree(n, cell, advice=no_advice):
    return ProofTree(HexSolver(n), advice, cell, attempts=FEW)


@pytest.mark.parametrize("advice", [no_advice, wrong_advice])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, pytest.param(6, marks=pytest.mark.slow)])
def test_maps_are_those_of_the_solver_alone(n, advice):
    expected = MAPS[n].replace("/", "")
    for cell in range(n * n):
        verdict = tree(n, cell, advice).solve(alone=1)
        assert (verdict.winner == BLACK) == (expected[cell] == WINS), cell


def test_there_is_a_tree_in_these_tests():
    proof = tree(6, 14)
    calls = []
    proof.advice = lambda moves: calls.append(moves) or {}
    proof.solve(alone=1)
    assert calls[0] == (14,)
    assert len(calls) > 2
    assert len({len(moves) for moves in calls}) > 1


@pytest.mark.parametrize("cell", [0, 2, 5, 8, 12, 18])
def test_the_winner_needs_no_cells_outside_of_the_carrier(cell):
    verdict = tree(5, cell).solve(alone=1)
    assert not verdict.carrier >> cell & 1
    rest = ((1 << 25) - 1) & ~verdict.carrier & ~(1 << cell)
    stones = [1 << cell, 0]
    stones[1 - verdict.winner] |= rest
    assert HexSolver(5).solve(*stones, WHITE).winner == verdict.winner


def test_monte_carlo_search_guides_a_proof():
    advice = monte_carlo_advice(hex.position(5, pie=False), simulations=200)
    found = advice((12,))
    assert 12 not in found
    assert all(visits > 0 and 0 <= value <= 1 for visits, value in found.values())
    assert tree(5, 12, advice).solve(alone=1).winner == BLACK
    assert tree(5, 0, advice).solve(alone=1).winner == WHITE


def test_the_time_may_be_too_short():
    proof = tree(6, 0)
    proof.solver.deadline = 0.0
    assert proof.solve() is None


def test_openings_of_large_boards_ask_for_advice():
    asked = []
    openings = Openings(
        8, HexSolver(8, table_bits=16), advice=lambda moves: asked.append(moves) or {}
    )
    openings.solver.deadline = 0.0
    assert openings.solve("a1", 0.0) is None
    assert Openings(7, advice=no_advice).advice is None
    openings.prepare()
    assert asked == [openings.cells[:1]]


def test_values_with_few_visits_count_less():
    many, few, none = winning_chances({1: (1000, 0.9), 2: (1, 0.9)}, [1, 2, 3])
    assert many > few > none >= LEAST
