"""What is known of first moves: as the solver proves, and used by all strategies."""

import pytest

from ludograph import hex
from ludograph.games.hex.evaluation.openings import (
    known_answer,
    opening_answer,
    opening_shares,
    opening_values,
    propose,
    should_swap,
)
from ludograph.games.hex.setup import BLACK, WHITE
from ludograph.games.hex.solving import HexSolver, solve_openings
from ludograph.games.hex.strategies import STRATEGIES


def after(size, opening, **options):
    position = hex.position(size, **options)
    position.play(opening)
    return position


@pytest.mark.parametrize("size", [3, 4, 5])
def test_small_boards_are_as_the_solver_proves(size):
    rows = "".join(solve_openings(HexSolver(size)).rows)
    assert [value == 1.0 for value in opening_shares()[size]] == [letter == "W" for letter in rows]
    position = hex.position(size, pie=False)
    for vertex, letter in zip(position.legal_moves(), rows, strict=True):
        opened = after(size, position.text(vertex))
        assert should_swap(opened) == (letter == "W")
        assert (opening_answer(opened) == opened.swap) == (letter == "W")


@pytest.mark.parametrize("size", sorted(opening_shares()))
def test_turning_the_board_changes_nothing(size):
    values = opening_shares()[size]
    assert len(values) == size**2
    assert all(0 <= value <= 1 for value in values)
    if size <= 7:
        assert set(values) <= {0.0, 1.0}
    assert values == values[::-1]


@pytest.mark.parametrize("size", sorted(opening_shares()))
def test_the_best_opening_is_kept_and_an_even_one_proposed(size):
    values = opening_values(hex.position(size))
    kept = hex.position(size, pie=False)
    best, value = known_answer(kept)
    assert value == values[best] == max(values.values())
    offered = hex.position(size)
    distance = abs(values[propose(offered)] - 0.5)
    assert distance == min(abs(value - 0.5) for value in values.values())
    kept.push(best)
    assert known_answer(kept) is None


def test_of_other_boards_nothing_is_known():
    for position in (hex.position("triangular:5"), hex.position("square:3", pie=False)):
        assert opening_values(position) == {}
        assert known_answer(position) is None
    assert opening_values(hex.position(14)) == {}


@pytest.mark.slow
def test_monte_carlo_search_takes_what_is_known_to_win_and_says_so():
    for opening, swaps in (("a2", False), ("e1", True), ("b1", False), ("b2", True)):
        player, position = STRATEGIES["mcts"].create({"sims": "50"}, 0), after(5, opening)
        move = player.choose(position)
        assert (move == position.swap) == swaps
        if swaps:
            found = player.thoughts()
            assert (found.value, found.proven, found.line) == (1.0, True, (position.swap,))


def test_monte_carlo_search_begins_with_a_winning_opening():
    player, position = STRATEGIES["mcts"].create({"sims": "50"}, 0), hex.position(6, pie=False)
    cell = list(position.setup.free).index(player.choose(position))
    assert HexSolver(6).solve(1 << cell, 0, WHITE).winner == BLACK
