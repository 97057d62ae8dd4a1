"""The network: as its definition says, on boards of any size, and right more often than not."""

import json
from pathlib import Path

import numpy as np
import pytest

from ludograph import hex
from ludograph.games.hex.evaluation.network import CHANNELS, learned
from ludograph.games.hex.evaluation.patterns import make_patterns
from ludograph.games.hex.strategies import HexMcts
from ludograph.search.mcts.hints import JUDGEMENT, weigh
from tests.amounts import slow_but
from tests.games.hex.solving.boards import random_position
from tests.reference import hex_network

SOLVED = Path(__file__).parents[3] / "benchmarks" / "hex_solved.json"


def told(position):
    """Return the likelihood of each free vertex and what the seat to move can expect."""
    moves = np.array(position.legal_moves(), np.int32)
    out, rewards = np.empty(moves.size), np.empty(2)
    before = position.state.copy()
    knowledge = make_patterns(position.setup)
    assert weigh(position.setup, knowledge, position.state, moves, JUDGEMENT, out, rewards)
    assert np.array_equal(position.state, before)
    assert rewards.sum() == pytest.approx(1.0)
    return dict(zip(moves.tolist(), out.tolist(), strict=True)), rewards[position.turn]


def board_of(position):
    """Return the board as the color to move sees it."""
    size, color = position.size, position.color_to_move
    board = [[0] * size for _ in range(size)]
    for ply, move in enumerate(position.history):
        row, column = position.place(move)
        if color:
            row, column = column, row
        board[row][column] = 1 if ply % 2 == color else 2
    return board


@pytest.mark.slow
@pytest.mark.parametrize("size", [2, 3, 5, 8, 11])
def test_a_position_is_judged_as_the_definition_says(size):
    rng = np.random.default_rng(size)
    for count in {0, 1, size, size * size // 2, size * size - 1}:
        position = random_position(rng, size, False, count)
        likelihoods, worth = told(position)
        logits, logit = hex_network.judged(learned(), board_of(position))
        if position.color_to_move:
            logits = logits.T
        wanted = np.array([logits[position.place(move)] for move in likelihoods])
        wanted = np.exp(wanted - wanted.max())
        assert list(likelihoods.values()) == pytest.approx(
            (wanted / wanted.sum()).tolist(), abs=1e-4
        )
        assert worth == pytest.approx(1 / (1 + np.exp(-logit)), abs=1e-4)


@pytest.mark.slow
def test_proven_positions_are_mostly_judged_right():
    """Positions of games on 9 x 9 of which half are won; by chance half would be right."""
    right = []
    for known in json.loads(SOLVED.read_text()):
        if known["set"] != "earliest":
            continue
        position = hex.position(9, pie=False)
        for move in known["moves"].split():
            position.play(position.parse(move))
        right.append((told(position)[1] > 0.5) == (known["score"] == 1.0))
    assert len(right) >= 200
    assert np.mean(right) > 0.85


def test_layers_are_of_one_piece():
    layers = learned()
    assert layers.body.shape[1:] == (7, CHANNELS, CHANNELS)
    assert layers.stones.shape == (3, 19, CHANNELS)
    assert layers.hidden.shape == (2 * layers.gather.shape[1], layers.worth.size - 1)
    assert all(np.isfinite(field).all() for field in layers)


@pytest.mark.slow
@pytest.mark.parametrize("network", slow_but(["on"], ["on", "off"]))
def test_a_search_finds_who_wins_with_the_network_and_without(network):
    position = hex.position(3, pie=False)
    position.play(position.parse("a1"))  # loses
    player = HexMcts(1, sims=3000, connections="off", solver="off", network=network)
    player.choose(position)
    assert player.found is not None
    assert player.found.proven
    assert player.found.low.max() == 1.0
