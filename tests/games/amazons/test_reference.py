"""The fast rules and the slow reference play the same games, and see the same territories."""

import math
import random

import numpy as np
import pytest

from ludograph import rules
from ludograph.games.amazons.evaluation import DECAY, KINGS, MOVE, MOVE_CONTESTED, QUEENS
from ludograph.games.amazons.territory import territory
from tests.amounts import slow_but
from tests.games.amazons.boards import BOARDS, begin, code_of

GAMES = 6

QUICK = [name for name in BOARDS if name != "square 13x10"]  # alone in needing sets of four words


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


def log_odds(slow):
    """The log odds of seat 0 as `docs/amazons.md` and the constants tell them."""
    counts, tiles = slow.territory(), len(slow.lines)
    contested = counts["contested"] / tiles
    lead = (QUEENS * counts["queens"] + KINGS * counts["kings"]) / tiles
    turn = MOVE + MOVE_CONTESTED * contested
    return lead * math.exp(-DECAY * contested) + (turn if slow.turn == 0 else -turn)


@pytest.mark.parametrize("name", slow_but(QUICK, BOARDS))
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


@pytest.mark.usefixtures("plain_in_make_test")
@pytest.mark.parametrize("name", slow_but(QUICK, BOARDS))
def test_territories_agree(name):
    rng = random.Random(1)
    position, slow = begin(name)
    out = np.zeros(2)
    while not position.is_over:
        counts = territory(position.setup, position.state)
        assert counts._asdict() == slow.territory()
        rules.evaluate(position.setup, position.state, out)
        assert out[0] == pytest.approx(1 / (1 + math.exp(-log_odds(slow))))
        assert out.sum() == pytest.approx(1.0)
        move = rng.choice(sorted(slow.legal_moves()))
        slow.play(move)
        rules.play(position.setup, position.state, code_of(position, move))
