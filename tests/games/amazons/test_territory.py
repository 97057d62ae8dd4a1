"""Territories of Amazons, and what positions are worth, are those of the slow definition."""

import math

import numpy as np
import pytest

from ludograph import rules
from ludograph.games.amazons.evaluation import DECAY, KINGS, MOVE, MOVE_CONTESTED, QUEENS
from ludograph.games.amazons.territory import territory
from tests.amounts import slow_but
from tests.games.amazons.boards import BOARDS, begin
from tests.games.twins import twin

QUICK = ("square 10",)


def log_odds(slow):
    """The log odds of seat 0 as `docs/amazons.md` and the constants tell them."""
    counts, tiles = slow.territory(), len(slow.lines)
    contested = counts["contested"] / tiles
    lead = (QUEENS * counts["queens"] + KINGS * counts["kings"]) / tiles
    turn = MOVE + MOVE_CONTESTED * contested
    return lead * math.exp(-DECAY * contested) + (turn if slow.turn == 0 else -turn)


@pytest.mark.usefixtures("plain_in_make_test")
@pytest.mark.parametrize("name", slow_but(QUICK, BOARDS))
def test_territories_agree(name):
    position, out = begin(name), np.zeros(2)
    slow, rng = twin(position), rules.random_state(1)
    while not position.is_over:
        counts = territory(position.setup, position.state)
        assert counts._asdict() == slow.game.territory()
        rules.evaluate(position.setup, position.state, out)
        assert out[0] == pytest.approx(1 / (1 + math.exp(-log_odds(slow.game))))
        assert out.sum() == pytest.approx(1.0)
        slow.play(position.play_random(rng))
