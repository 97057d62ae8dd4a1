"""Chance nodes pruned by probes have the values that whole searches find."""

from importlib import import_module

import numpy as np
import pytest

from ludograph import carcassonne, rules
from ludograph.games.carcassonne.decks import course
from ludograph.rules import CHANCE, OVER, TURN
from ludograph.search import alphabeta
from tests.amounts import few
from tests.search import brute_force
from tests.toys.dice import Dice, dice

MODULE = import_module("ludograph.search.alphabeta.search")  # the package names a function so


def value_to(setup, state, seat: int, depth: int) -> float:
    """The value of looking so many plies ahead, every line to its end."""
    if state[TURN] == OVER:
        return brute_force.final(setup, state, seat)
    if depth == 0:
        out = np.zeros(rules.info(setup).seats)
        rules.evaluate(setup, state, out)
        return out[seat] - np.delete(out, seat).max()
    values = [
        value_to(setup, brute_force.after(setup, state, move), seat, depth - 1)
        for move in brute_force.moves_of(setup, state)
    ]
    if state[TURN] == CHANCE:
        return float(np.dot(brute_force.chances_of(setup, state), values))
    return max(values) if state[TURN] == seat else min(values)


def loaded(seed: int, rounds: int) -> Dice:
    rng = np.random.default_rng(seed)
    chances = rng.random(4) + 0.05
    return dice(rounds)._replace(
        faces=rng.integers(0, 9, 4).astype(np.int32), chances=chances / chances.sum()
    )


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("depth", [3, 4, 5, 6, 7])
def test_values_are_those_of_whole_searches(depth: int) -> None:
    for seed in range(few(3, 8)):
        setup = loaded(seed, 4)
        state = brute_force.random_state_of(setup, np.random.default_rng(seed), seed % 3)
        found = alphabeta.search(setup, state, depth=depth)
        wanted = value_to(setup, state, int(state[TURN]), found.depth)
        assert found.value == pytest.approx(wanted, rel=1e-12, abs=1e-9)


@pytest.mark.slow
def test_ends_are_proven_as_without_probes() -> None:
    for seed in range(few(2, 6)):
        setup = loaded(seed, 4)
        state = brute_force.fresh(setup)
        probed = alphabeta.search(setup, state)
        assert probed.exact
        with rules.interpreted():  # one position after the other: calls of machine code are slower
            value = brute_force.value(setup, state)
        assert probed.value == pytest.approx(value, rel=1e-9, abs=1e-6)


@pytest.mark.slow
@pytest.mark.usefixtures("interpreted")
def test_probes_save_positions(monkeypatch) -> None:
    nodes = {4: 0, 1000: 0}
    for seed in range(3):
        position = carcassonne.position(deck=course(9))
        rng = rules.random_state(seed)
        while position.ply < 7:
            position.play_random(rng)
        values = []
        for depth in nodes:
            monkeypatch.setattr(MODULE, "PROBE_DEPTH", depth)
            found = alphabeta.search(position.setup, position.state, depth=5)
            values.append(found.value)
            nodes[depth] += found.nodes
        assert values[0] == pytest.approx(values[1], rel=1e-12, abs=1e-9)
    assert nodes[4] < 0.8 * nodes[1000]
