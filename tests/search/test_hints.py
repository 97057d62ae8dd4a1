"""What a game tells to searches: an end that is proven, and how to judge a leaf."""

import pytest

from ludograph.search import alphabeta, mcts, proof
from tests.search import brute_force
from tests.toys.known_nim import known_nim
from tests.toys.nim import nim


@pytest.mark.slow
@pytest.mark.parametrize("heaps", [[3, 2], [5, 4], [2, 3, 4], [6, 1]])
def test_a_proven_end_has_the_value_of_the_search_it_saves(heaps) -> None:
    plain, known = nim(heaps), known_nim(heaps)
    state = brute_force.fresh(plain)
    one, other = alphabeta.search(plain, state), alphabeta.search(known, state)
    assert other.exact
    assert other.value == one.value == brute_force.value(plain, state)
    assert other.nodes < one.nodes
    assert known.asked[0] > 0


@pytest.mark.slow
@pytest.mark.parametrize("heaps", [[5, 4], [2, 3, 4], [6, 1]])
def test_a_proven_end_saves_a_proof_the_rest(heaps) -> None:
    plain, known = nim(heaps), known_nim(heaps)
    state = brute_force.fresh(plain)
    one, other = proof.solve(plain, state), proof.solve(known, state)
    assert other.value == one.value
    assert other.nodes < one.nodes


@pytest.mark.slow
@pytest.mark.parametrize("heaps", [[3, 2], [5, 2], [6, 1]])
def test_monte_carlo_search_stops_where_the_end_is_proven(heaps) -> None:
    known = known_nim(heaps)
    state = brute_force.fresh(known)
    mcts.search(known, state, sims=1)  # before the first search, hints are checked
    known.asked[:] = 0
    result = mcts.search(known, state, sims=600)
    after = brute_force.after(known, state, result.move)
    assert brute_force.value(known, after, 0) > 0
    settled, judged = known.asked.tolist()
    assert result.proven
    assert 0 < settled < result.simulations < 600
    assert settled + judged <= result.simulations  # what is proven is neither asked nor judged
