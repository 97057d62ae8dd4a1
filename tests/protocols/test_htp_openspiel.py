"""A front end that others wrote, OpenSpiel's for GTP engines, plays Hex with our engine."""

import random
import sys

import pytest

from tests import openspiel
from tests.amounts import slow_but

pytestmark = pytest.mark.slow

pyspiel = openspiel.part("pyspiel")
gtp = openspiel.part("open_spiel.python.bots.gtp")

ENGINE = [sys.executable, "-m", "ludograph", "htp", "--no-pie", "--strategy", "mcts:sims=200"]


@pytest.fixture(scope="module", params=slow_but([4], [4, 9]))
def table(request):
    """OpenSpiel's game, and its bot with our engine behind it."""
    game = pyspiel.load_game(f"hex(board_size={request.param})")
    bot = gtp.GTPBot(game, ENGINE)
    yield game, bot
    bot.close()


def test_who_it_is(table):
    _, bot = table
    assert bot.running
    assert bot.name == "ludograph"  # answers come in lower case
    assert "final_score" in bot.gtp_cmd("list_commands")
    with pytest.raises(gtp.CommandError, match="unknown command"):
        bot.gtp_cmd("dance")


@pytest.mark.parametrize("seat", [0, 1])
def test_whole_games(table, seat):
    game, bot = table
    rng = random.Random(seat)
    for _ in range(3):
        bot.restart()
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.current_player() == seat:
                action = bot.step(state)
                assert action in state.legal_actions()
            else:
                action = rng.choice(state.legal_actions())
                bot.inform_action(state, 1 - seat, action)
            state.apply_action(action)
        assert bot.gtp_cmd("final_score") == ("b+" if state.returns()[0] > 0 else "w+")
        assert state.returns()[seat] == 1.0  # a search against random moves
