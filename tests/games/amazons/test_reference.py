"""The fast rules and the slow reference play the same games, and see the same territories."""

import random

import numpy as np
import pytest

from ludograph import rules
from ludograph.games.amazons.evaluation import KINGS, SCALE, TEMPO
from tests.games.amazons.boards import BOARDS, begin, code_of

GAMES = 6


def compare(position, slow):
    """Moves, cells, whose turn it is, who has won."""
    legal = position.legal_moves()
    expected = slow.legal_moves()
    assert sorted(legal) == sorted(code_of(position, move) for move in expected)
    assert set(position.arrows) == slow.arrows
    for seat in range(2):
        assert set(position.queens(seat)) == slow.queens[seat]
    assert position.is_over == (not expected)
    assert position.turn == (slow.turn if expected else None)
    winner = slow.winner
    scores = (0.5, 0.5) if winner is None else (float(winner == 0), float(winner == 1))
    assert position.scores() == scores


def lead(slow):
    """The lead of seat 0 as `docs/amazons.md` tells it."""
    taken = slow.arrows | slow.queens[0] | slow.queens[1]
    free = [tile for tile in range(len(slow.lines)) if tile not in taken]
    tempo = TEMPO if slow.turn == 0 else -TEMPO
    far = [slow.distances(seat, far=True) for seat in range(2)]
    near = [slow.distances(seat, far=False) for seat in range(2)]

    def balance(first, second):
        total = 0.0
        for tile in free:
            own, other = first.get(tile, np.inf), second.get(tile, np.inf)
            total += tempo * np.isfinite(own) if own == other else np.sign(other - own)
        return total

    both = [abs(far[0][tile] - far[1][tile]) for tile in free if tile in far[0] and tile in far[1]]
    weight = KINGS * sum(0.5**gap for gap in both) / len(slow.lines)
    return (1 - weight) * balance(*far) + weight * balance(*near)


@pytest.mark.parametrize("name", BOARDS)
def test_random_games_agree(name):
    for seed in range(GAMES):
        rng = random.Random(seed)
        position, slow = begin(name)
        compare(position, slow)
        while not position.is_over:
            move = rng.choice(sorted(slow.legal_moves()))
            slow.play(move)
            rules.play(position.setup, position.state, code_of(position, move))
            if position.ply % (1 if position.board.n < 50 else 5) == 0 or position.is_over:
                compare(position, slow)


@pytest.mark.parametrize("name", BOARDS)
def test_territories_agree(name):
    rng = random.Random(1)
    position, slow = begin(name)
    out = np.zeros(2)
    while not position.is_over:
        expected = lead(slow)
        rules.evaluate(position.setup, position.state, out)
        assert out[0] == pytest.approx(0.5 + 0.5 * expected / (SCALE + abs(expected)))
        assert out.sum() == pytest.approx(1.0)
        move = rng.choice(sorted(slow.legal_moves()))
        slow.play(move)
        rules.play(position.setup, position.state, code_of(position, move))
