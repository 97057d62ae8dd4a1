"""Searches with an evaluator: they are those of a slow reference, and each is its game's alone."""

import numpy as np
import pytest

import ludograph
from ludograph import rules
from ludograph.rules import random_state
from ludograph.rules.observer import Observer
from ludograph.search import BatchedSearch
from tests.reference.batched_search import search_gumbel
from tests.search.batched.evaluators import linear, uniform

pytestmark = pytest.mark.slow

GAMES = {
    "hex": {"board": 3},
    "flood": {"board": 4, "seats": 3},
    "penguins": {"board": "full-tetra:4"},
    "amazons": {"board": 4, "queens": 1},
    "carcassonne": {},
}


def started(game, plies, seed, **options):
    """Return a position after some random plies, in which a seat is to move."""
    position = ludograph.make(game, **options)
    rng = random_state(seed)
    while not position.is_over and (position.ply < plies or position.is_chance):
        position.play_random(rng)
    return position


def judge_with(evaluate, position):
    """Return an evaluator of one position: logits of its legal moves, and the values by seat."""
    observer = Observer(position.setup, 1)
    observer.observe(position.setup, position.state[None, :], 0)
    policy, values = evaluate(observer.arrays)
    moves = position.legal_moves()
    actions = moves if observer.by_code else range(len(moves))
    logits = [float(np.float32(policy[0, action])) for action in actions]
    if values.ndim == 1:
        values = np.stack([values, -values], axis=1)
    seats = position.seats
    return logits, [float(values[0, (seat - position.turn) % seats]) for seat in range(seats)]


def judging(judgement, seats):
    """Return an evaluator by its name."""
    if judgement == "linear":
        return linear(seats)

    def evaluate(observations):
        policy, values = uniform(observations)
        return policy, values if seats == 2 else np.repeat(values[:, None], seats, axis=1)

    return evaluate


@pytest.mark.parametrize("game", ["flood", "carcassonne"])
def test_with_three_seats_or_chance_the_kernels_as_plain_python_find_the_same(game) -> None:
    with rules.interpreted():
        position = started(game, 3, 3, **GAMES[game])
        evaluate = linear(position.seats)
        found = BatchedSearch(evaluate, simulations=16).search([position], seeds=[7])
        root, best, _ = search_gumbel(
            position, lambda leaf: judge_with(evaluate, leaf), 16, 16, random_state(7)
        )
    visits = sorted(child.visits for child in root.children.values() if child.visits)
    assert sorted(found.visits[found.visits > 0].tolist()) == visits
    assert found.moves[0] == best
    assert found.values[0] == pytest.approx(root.value)


def test_games_draw_on_from_search_to_search() -> None:
    positions = [ludograph.make("hex", board=3)] * 3
    options = {"simulations": 10, "seed": 4}
    some, others = (BatchedSearch(uniform, **options) for _ in range(2))
    first, second = some.search(positions), some.search(positions)
    assert len({row.tobytes() for row in first.visits}) > 1
    assert (first.visits != second.visits).any()
    np.testing.assert_array_equal(first.visits, others.search(positions).visits)
    np.testing.assert_array_equal(second.visits, others.search(positions).visits)


def test_a_game_that_is_over_gets_no_move_and_the_others_get_theirs() -> None:
    over, running = started("hex", 99, 1, board=3), ludograph.make("hex", board=3)
    seen = []

    def evaluate(observations):
        seen.append(len(observations["vertices"]))
        return uniform(observations)

    search = BatchedSearch(evaluate, simulations=5)
    found = search.search([over, running, over])
    assert set(seen) == {1}
    assert len(seen) == 6
    assert found.moves[[0, 2]].tolist() == found.actions[[0, 2]].tolist() == [-1, -1]
    assert found.visits.sum(axis=1).tolist() == [0, 5, 0]
    assert np.isnan(found.values[[0, 2]]).all()
    assert search.search([over]).moves.tolist() == [-1]


def test_each_row_that_is_judged_is_a_position_with_a_seat_to_move() -> None:
    position = started("hex", 7, 2, board=3)
    seen = []

    def evaluate(observations):
        seen.append(observations["action_mask"].sum(axis=1).min())
        return uniform(observations)

    BatchedSearch(evaluate, simulations=200).search([position] * 2)
    assert min(seen) >= 1


def test_positions_of_different_setups_are_searched_together() -> None:
    positions = [ludograph.make("hex", board=3, pie=bool(row % 2)) for row in range(5)]
    found = BatchedSearch(linear(2), simulations=25).search(positions, seeds=range(5))
    for row, position in enumerate(positions):
        alone = BatchedSearch(linear(2), simulations=25).search([position], seeds=[row])
        np.testing.assert_array_equal(found.visits[row], alone.visits[0])


@pytest.mark.usefixtures("plain_in_make_test")
def test_a_lone_seat_gets_the_best_score() -> None:
    position = started("flood", 0, 0, board=3, seats=1, colors=3)
    found = BatchedSearch(uniform, simulations=400).search([position])
    before = rules.info(position.setup).lowest_score
    assert found.values[0] > before
    assert np.nanmax(found.q[0]) == found.q[0, found.actions[0]]
