"""Built-in players that play a share of their moves at random: weaker forms of each."""

import pytest

from ludograph import play_match
from ludograph.errors import InvalidInput
from ludograph.games.registry import game, names
from tests.amounts import slow_but


def wins(one, other, games=20):
    """How many of some games of Hex the first player wins."""
    won = 0
    for seed in range(games):
        players = [one, other] if seed % 2 else [other, one]
        result = play_match(game("hex").position(board="hexagonal:5"), players, seed=seed)
        assert not result.faults
        won += result.outcome.ranks[players.index(one)] == 1
    return won


@pytest.mark.slow
def test_the_share_is_how_much_weaker_a_player_is():
    assert wins("connex", "connex:random=0.6") > 15
    assert wins("connex:random=0.3", "random") > 13


def test_its_moves_are_those_of_its_seed():
    start = game("hex").position(board="hexagonal:5")
    one, same, other = (
        play_match(start, ["connex:random=0.5"] * 2, seed=seed).position.history
        for seed in (1, 1, 2)
    )
    assert one == same != other


@pytest.mark.parametrize("name", slow_but(["flood"], names()))
def test_every_strategy_takes_it(name):
    rules = game(name)
    for each in ("random", *rules.declaration.anchors):
        text = f"{each}{',' if ':' in each else ':'}random=0.5"
        start = next(sample for sample in rules.samples() if sample.seats == 2)
        assert not play_match(start, [text, text]).faults


def test_a_share_above_one_is_refused():
    with pytest.raises(InvalidInput, match=r"\brandom\b.*'1\.5'"):
        game("flood").strategy("greedy").values({"random": "1.5"})
