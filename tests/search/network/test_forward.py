"""The forward pass in machine code and by its formulas; a network in a batched search."""

from __future__ import annotations

import numpy as np
import pytest

from ludograph import amazons, boards, carcassonne, flood, hex, penguins, search
from ludograph.errors import InvalidInput
from ludograph.rules import random_state
from ludograph.rules.observer import Observer, sizes_of
from ludograph.search.network import (
    Layers,
    NetworkEvaluator,
    NetworkShape,
    place_network,
    random_layers,
)
from tests.reference.graph_network import outputs

STARTS = {
    "hex": lambda: hex.position(4),
    "flood": lambda: flood.position(boards.hatched(6), colors=4, seats=3, seed=2),
    "penguins": lambda: penguins.position(seed=3),
}
SLOW_STARTS = {
    "amazons": lambda: amazons.position(6),
    "carcassonne": lambda: carcassonne.position(seed=1),
}


def shape_for(position, **sizes):
    seen = sizes_of(position.setup)
    features = (seen.vertex_features, seen.game_features, seen.kinds)
    return NetworkShape(*features, seats=position.seats, **sizes)


def layers_of(shape, seed=1):
    """Return layers in which every number counts."""
    rng = np.random.default_rng(seed)
    layers = random_layers(shape, seed)
    filled = (
        layer if layer.any() else rng.standard_normal(layer.shape).astype(np.float32) * 0.1
        for layer in layers
    )
    return Layers(*filled)


def related(position, names):
    board = position.board
    n = sizes_of(position.setup).vertices
    if board is None or board.n != n:
        return [[[] for _ in range(n)] for _ in names]
    found = {"neighbors": lambda v: board.neighbors_of(v).tolist()}
    if board.sides is not None:
        sides = np.diff(board.sides.offsets)
        found["lines"] = lambda v: sorted(
            {w for side in range(sides[v]) for w in board.line(v, side)}
        )
    return [[found[name](v) for v in range(n)] for name in names]


def check(position, rng, slots, relations=("neighbors",)):
    shape = shape_for(position, slots=slots, channels=16, layers=3, hidden=8, relations=relations)
    layers = layers_of(shape)
    evaluate = NetworkEvaluator(shape, layers, position.setup, position.board, threads=2)
    observer = Observer(position.setup, 2, touches=True)
    dice = random_state(slots)
    for _ in range(12):
        while not position.is_over and position.is_chance:
            position.play_random(dice)
        if position.is_over:
            return
        other = position.copy()
        observer.observe(position.setup, np.array([position.state, other.state]), 0)
        seen = observer.arrays
        policy, values = evaluate(seen)
        count = int(observer.counts[0])
        ends = [0, *seen["ends"][0, :count].tolist()]
        moves = [
            (kind, seen["touched"][0, first:end].tolist())
            for kind, first, end in zip(
                seen["kinds"][0, :count].tolist(), ends, ends[1:], strict=False
            )
        ]
        logits, wanted = outputs(
            layers, related(position, relations), seen["vertices"][0], seen["game"][0], moves
        )
        places = seen["moves"][0, :count] if observer.by_code else np.arange(count)
        np.testing.assert_allclose(policy[0, places], logits, rtol=1e-4, atol=1e-4)
        np.testing.assert_allclose(values[0], wanted, rtol=1e-4, atol=1e-4)
        np.testing.assert_array_equal(policy[0], policy[1])
        position.play(int(rng.choice(seen["moves"][0, :count])))


@pytest.mark.slow
@pytest.mark.parametrize("slots", [1, 2, 3])
@pytest.mark.parametrize("game", STARTS)
def test_logits_and_values_are_those_of_the_formulas(game, slots) -> None:
    check(STARTS[game](), np.random.default_rng(slots), slots)


@pytest.mark.slow
@pytest.mark.parametrize("game", SLOW_STARTS)
def test_logits_and_values_of_other_games_are_those_of_the_formulas(game) -> None:
    check(SLOW_STARTS[game](), np.random.default_rng(1), 3)


@pytest.mark.slow
def test_vertices_are_related_by_straight_lines() -> None:
    check(penguins.position(seed=3), np.random.default_rng(1), 2, ("neighbors", "lines"))


@pytest.mark.slow
def test_a_batched_search_asks_a_network() -> None:
    position = hex.position(3)
    shape = shape_for(position)
    evaluate = NetworkEvaluator(shape, layers_of(shape), position.setup, position.board)
    found = search.BatchedSearch(evaluate, simulations=30, touches=True).search([position] * 2)
    assert (found.visits.sum(axis=1) == 30).all()
    assert (found.values != 0.0).all()


def test_a_network_of_other_sizes_is_refused() -> None:
    position = hex.position(3)
    shape = shape_for(flood.position(3))
    with pytest.raises(InvalidInput, match=r"\bvertex\b.* 7$"):
        place_network(shape, random_layers(shape, 1), position.setup, position.board)
    ring = flood.position(boards.from_edges(4, [(0, 1), (1, 2), (2, 3), (3, 0)]), colors=3)
    shape = shape_for(ring, relations=("neighbors", "lines"))
    with pytest.raises(InvalidInput, match="lines"):
        place_network(shape, random_layers(shape, 1), ring.setup, ring.board)
