"""The network that learns says what the network that plays says."""

from __future__ import annotations

import jax
import numpy as np
import pytest

from ludograph import amazons, boards, carcassonne, flood, hex, penguins
from ludograph.errors import InvalidInput
from ludograph.learning.learner import surfaces_of
from ludograph.learning.model import exported, first_parameters, losses, outputs, rectified
from ludograph.learning.samples import BatchCapacity, batch_of, indexed
from ludograph.learning.selfplay import observed
from ludograph.rules import random_state
from ludograph.rules.observer import Observer, sizes_of
from ludograph.search.network import NetworkEvaluator, NetworkShape
from tests.search.network.test_forward import layers_of, shape_for

pytestmark = pytest.mark.slow


def positions(start, count, seed):
    """Return positions of a random game, in which a seat is to move."""
    position, dice, found = start.copy(), random_state(seed), []
    while len(found) < count:
        if position.is_over:
            position = start.copy()
        if not position.is_chance:
            found.append(position.copy())
        position.play_random(dice)
    return found


def samples_of(found, shape):
    """Return positions as samples without targets that matter."""
    states = np.array([position.state for position in found], np.int32)
    sizes = sizes_of(found[0].setup)
    finals = np.zeros((1, sizes.vertices, sizes.vertex_features), np.float32)
    values = np.zeros((len(found), shape.values), np.float32)
    none = np.zeros(len(found), np.int32)
    return observed(found[0].setup, states, [None] * len(found), values, none, finals)


def check(starts, **sizes):
    shape = shape_for(starts[0], channels=16, layers=2, hidden=8, **sizes)
    parameters = {**first_parameters(shape, 1), **layers_of(shape)._asdict()}
    layers = exported(shape, parameters)
    surfaces, count = surfaces_of(shape, starts), 5
    found = [positions(start, count, number) for number, start in enumerate(starts)]
    parts = [
        (surface, indexed(samples_of(each, shape)), np.arange(count))
        for surface, each in zip(surfaces, found, strict=True)
    ]
    seen, _ = batch_of(parts, shape.slots, BatchCapacity())
    said = outputs(parameters, seen)
    first = 0
    for board, (start, own) in enumerate(zip(starts, found, strict=True)):
        observer = Observer(start.setup, count, touches=True)
        observer.observe(start.setup, np.array([each.state for each in own], np.int32), 0)
        policy, values = NetworkEvaluator(shape, layers, start.setup, start.board)(observer.arrays)
        for row in range(count):
            moves = observer.counts[row]
            places = observer.arrays["moves"][row, :moves] if observer.by_code else range(moves)
            np.testing.assert_allclose(
                said.logits[first : first + moves], policy[row, places], rtol=1e-4, atol=1e-4
            )
            np.testing.assert_allclose(
                said.values[board * count + row],
                values[row, : shape.values],
                rtol=1e-4,
                atol=1e-4,
            )
            first += moves


def test_boards_of_two_sizes_in_one_batch() -> None:
    check([hex.position(3), hex.position(4)])


def test_units_that_are_zero_still_learn() -> None:
    numbers = np.array([-2.0, 3.0], np.float32)
    np.testing.assert_array_equal(rectified(numbers), [0.0, 3.0])
    slopes = jax.grad(lambda each: rectified(each).sum())(numbers)
    np.testing.assert_allclose(slopes, [0.1, 1.0])


@pytest.mark.parametrize("slots", [1, 2, 3])
def test_other_games(slots) -> None:
    check([flood.position(boards.hatched(6), colors=4, seats=3, seed=2)], slots=slots)
    check([penguins.position(seed=3)], slots=slots, relations=("neighbors", "lines"))


def test_games_with_many_moves() -> None:
    check([amazons.position(6)], slots=3)
    check([carcassonne.position(seed=1)], slots=3)


def test_losses_vanish_where_the_network_says_the_targets() -> None:
    start = hex.position(3)
    shape = shape_for(start, channels=16, layers=1, hidden=8)
    assert isinstance(shape, NetworkShape)
    samples = samples_of(positions(start, 4, 1), shape)
    surface = surfaces_of(shape, [start])[0]
    seen, targets = batch_of([(surface, indexed(samples), np.arange(4))], 1, BatchCapacity())
    parameters = {**first_parameters(shape, 1), **layers_of(shape)._asdict()}
    said = outputs(parameters, seen)
    odds = np.exp(np.array(said.logits))
    moves = int(samples.counts.sum())
    odds[moves:] = 0.0
    totals = np.bincount(seen.owners[:moves], odds[:moves])
    odds[:moves] /= totals[seen.owners[:moves]]
    right = targets._replace(policy=odds, weights=np.ones(4), values=np.array(said.values))
    found = losses(said, seen, right)
    assert abs(float(found.policy)) < 1e-5
    assert float(found.value) == 0.0
    first = np.zeros_like(odds)
    first[np.append(0, np.cumsum(samples.counts)[:-1])] = 1.0
    sure = float(losses(said, seen, right._replace(policy=first)).policy)
    assert sure == pytest.approx(-np.log(odds[first > 0]).mean(), rel=1e-4)


def test_numbers_that_no_file_holds_ask_for_a_lower_rate() -> None:
    shape = shape_for(hex.position(3), channels=16, layers=1, hidden=8)
    parameters = first_parameters(shape, 1)
    parameters["hidden"] = parameters["hidden"] * np.nan
    with pytest.raises(InvalidInput, match=r"\brate\b.*\bhidden\b"):
        exported(shape, parameters)
