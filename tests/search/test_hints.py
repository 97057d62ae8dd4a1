"""What a game tells to searches: an end that is proven, and how to judge a leaf."""

from typing import NamedTuple

import pytest

from ludograph import rules
from ludograph.conformance import ConformanceError, check_rules
from ludograph.rules import implements, register
from ludograph.search import alphabeta, mcts, proof
from ludograph.search.hints import proven_scores
from tests.search import brute_force
from tests.toys.known_nim import KnownNim, known_nim
from tests.toys.nim import nim


@pytest.mark.parametrize("heaps", [[3, 2], [5, 4], [2, 3, 4], [6, 1]])
def test_a_proven_end_has_the_value_of_the_search_it_saves(heaps) -> None:
    plain, known = nim(heaps), known_nim(heaps)
    state = brute_force.fresh(plain)
    one, other = alphabeta.search(plain, state), alphabeta.search(known, state)
    assert other.exact
    assert other.value == one.value == brute_force.value(plain, state)
    assert other.nodes < one.nodes
    assert known.asked[0] > 0


@pytest.mark.parametrize("heaps", [[5, 4], [2, 3, 4], [6, 1]])
def test_a_proven_end_saves_a_proof_the_rest(heaps) -> None:
    plain, known = nim(heaps), known_nim(heaps)
    state = brute_force.fresh(plain)
    one, other = proof.solve(plain, state), proof.solve(known, state)
    assert other.value == one.value
    assert other.nodes < one.nodes


@pytest.mark.parametrize("heaps", [[3, 2], [5, 2], [6, 1]])
def test_monte_carlo_search_stops_where_the_end_is_proven(heaps) -> None:
    known = known_nim(heaps)
    state = brute_force.fresh(known)
    result = mcts.search(known, state, sims=600)
    after = brute_force.after(known, state, result.move)
    assert brute_force.value(known, after, 0) > 0
    settled, judged = known.asked.tolist()
    assert result.proven
    assert 0 < settled < result.simulations < 600
    assert settled + judged <= result.simulations  # what is proven is neither asked nor judged


def test_the_suite_knows_a_wrong_proof() -> None:
    check_rules(known_nim([2, 2]), games=2)

    class Boaster(KnownNim):
        pass

    for rule in (
        "state_size", "seat_count", "move_capacity", "ply_bound", "score_bounds", "start",
        "legal_moves", "play", "scores",
    ):  # fmt: skip
        implements(getattr(rules, rule), Boaster)(getattr(rules, rule).kernels[KnownNim].python)

    @implements(proven_scores, Boaster)
    def boaster_proven_scores(setup, state, out):
        out[0], out[1] = 7.0, 0.0
        return True

    register(Boaster, boaster_proven_scores)
    with pytest.raises(ConformanceError, match="proven scores"):
        check_rules(Boaster(*known_nim([2, 2])), games=1)


def test_the_suite_knows_a_search_that_plays_another_game() -> None:
    class Backward(NamedTuple):
        nim: KnownNim

    @implements(rules.legal_moves, Backward)
    def backward_legal_moves(setup, state, out):
        count = rules.legal_moves(setup.nim, state, out)
        for index in range(count // 2):
            out[index], out[count - 1 - index] = out[count - 1 - index], out[index]
        return count

    Backward.__annotations__["nim"] = KnownNim
    register(Backward, otherwise="nim")
    known = known_nim([2, 2])
    with pytest.raises(ConformanceError, match="the moves of a search are"):
        check_rules(known, games=1, search_setup=Backward(known))
