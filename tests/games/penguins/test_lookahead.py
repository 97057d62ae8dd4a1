"""Leads after the best reply agree with trying all replies."""

import numpy as np
import pytest

from ludograph import penguins, rules
from ludograph.games.penguins.greedy import leads_after_reply
from tests.games.penguins.boards import BOARDS
from tests.games.penguins.territories import lead_of_territories

pytestmark = pytest.mark.slow


def test_leads_are_those_after_the_best_reply() -> None:
    position = penguins.position(BOARDS["full-hexa 5x6"], penguins=2, seed=3)
    rng = rules.random_state(3)
    for _ in range(8):
        position.play_random(rng)
    moves = np.array(position.legal_moves(), np.int32)
    leads = leads_after_reply(position.setup, position.state, moves)
    seat = position.turn
    for move, lead in zip(moves.tolist(), leads, strict=True):
        after = position.copy()
        after.play(move)
        worst = np.inf
        for reply in after.legal_moves():
            later = after.copy()
            later.play(reply)
            worst = min(worst, lead_of_territories(later, seat))
        assert lead == worst
