"""What searches know of a position of Flood is true: every line of play to its end says so."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest

from ludograph import boards, flood, rules
from ludograph.rules import OVER
from ludograph.search import proof
from ludograph.search.hints import score_bounds_at
from ludograph.search.proof.game import proof_numbers
from tests.amounts import few
from tests.search import brute_force


def bounds_of(position):
    """Return whether bounds are known, and both bounds of each seat."""
    low, high = np.zeros(position.seats), np.zeros(position.seats)
    known = score_bounds_at(position.setup, position.state, low, high)
    return known, low, high


def every_end(setup):
    """Return a function that gives the least and the greatest final score of each seat."""

    @cache
    def look(data):
        state = np.frombuffer(data, np.int32).copy()
        if state[rules.TURN] == OVER:
            scores = np.zeros(rules.info(setup).seats)
            rules.scores(setup, state, scores)
            return scores, scores
        ends = [
            look(brute_force.after(setup, state, move).tobytes())
            for move in brute_force.moves_of(setup, state)
        ]
        return np.min([low for low, _ in ends], 0), np.max([high for _, high in ends], 0)

    return lambda state: look(state.tobytes())


OPTIONS = [
    {"seats": 2, "colors": 4},
    {"seats": 2, "colors": 4, "forbidden": 1},
    {"seats": 3, "colors": 4},
    {"seats": 4, "colors": 5, "coloring": "blocks"},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_every_line_of_a_small_game_ends_within_the_bounds(options) -> None:
    rng = random.Random(1)
    tight = 0
    for seed in range(few(3, 30)):
        position = flood.position(boards.square(3, 2), seed=seed, **options)
        ends = every_end(position.setup)
        while not position.is_over:
            known, low, high = bounds_of(position)
            least, greatest = ends(position.state)
            assert known
            assert (low <= least).all()
            assert (greatest <= high).all()
            tight += int((high == greatest).any())
            position.play(rng.choice(position.legal_moves()[:2]))
    assert tight > 0


def test_random_games_with_dropped_seats_end_within_the_bounds() -> None:
    rng = random.Random(2)
    for seed in range(few(60, 600)):
        seats = rng.randint(3, 5)
        position = flood.position(boards.square(5), colors=6, seats=seats, seed=seed)
        for seat in rng.sample(range(seats), rng.randint(1, seats - 2)):
            position.drop(seat)
        claimed = []
        while not position.is_over:
            claimed.append(bounds_of(position))
            position.play(rng.choice(position.legal_moves()))
        scores = np.array(position.scores())
        assert -1.0 in scores
        for known, low, high in claimed:
            assert known
            assert (low <= scores).all()
            assert (scores <= high).all()


@pytest.mark.parametrize("options", [{"seats": 1}, {"seats": 2, "variant": "capture"}], ids=str)
def test_nothing_is_claimed_alone_or_where_captures_win(options) -> None:
    position = flood.position(boards.square(4), colors=4, **options)
    assert not bounds_of(position)[0]


def test_proof_numbers_count_the_vertices_to_more_than_half() -> None:
    position = flood.position(boards.square(4), colors=4, seed=1)
    out = np.zeros(2)
    while not position.is_over:
        proof_numbers(position.setup, position.state, out)
        sizes = [position.zone(seat).size for seat in (0, 1)]
        assert out.tolist() == [max(1, 9 - size) for size in sizes]
        position.play(position.legal_moves()[0])


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["standard", "capture"])
def test_small_games_are_proven_as_every_line_says(variant) -> None:
    seen = set()
    for seed in range(few(12, 60)):
        position = flood.position(boards.square(3), colors=4, seed=seed, variant=variant)
        found = proof.solve(position.setup, position.state, table_bits=10)
        assert found.value == np.sign(brute_force.value(position.setup, position.state))
        seen.add(found.verdict)
    assert {"win", "loss"} <= seen
