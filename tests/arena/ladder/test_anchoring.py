"""Further anchors: found where a chain of games breaks off, one step at a time."""

import pytest

from ludograph.arena.ladder.pairing import further_anchor, steps_of
from ludograph.games.registry import declaration, names
from ludograph.players.spec import parse_player
from tests.arena.games import match

STEPS = ("random", "weak", "middle", "good", "best")


def test_a_player_below_all_anchors_but_the_weakest_gets_one_in_between():
    games = match("bot", "random", 8, 0, 8) + match("good", "bot", 9, 0, 0, first=20)
    assert further_anchor(games, STEPS, ["good", "random"], ["bot"]) is None  # too few of good
    games += match("good", "random", 9, 0, 0, first=40)
    assert further_anchor(games, STEPS, ["good", "random"], ["bot"]) == "middle"


def test_then_the_gap_that_remains_is_filled():
    games = match("bot", "random", 8, 0, 8) + match("good", "bot", 9, 0, 0, first=20)
    games += match("good", "middle", 9, 0, 3, first=40) + match("middle", "bot", 9, 0, 0, first=60)
    assert further_anchor(games, STEPS, ["good", "random", "middle"], ["bot"]) == "weak"
    joined = games + match("bot", "middle", 1, 0, 9, first=80)
    assert further_anchor(joined, STEPS, ["good", "random", "middle"], ["bot"]) is None


def test_a_player_above_all_anchors_gets_the_next_stronger_one():
    games = match("bot", "middle", 12, 0, 0) + match("middle", "random", 9, 0, 3, first=20)
    assert further_anchor(games, STEPS, ["middle", "random"], ["bot"]) == "good"


def test_none_is_added_while_nothing_is_known_or_nothing_is_left():
    assert further_anchor([], STEPS, ["good"], ["bot"]) is None
    few = match("good", "bot", 3, 0, 0)
    assert further_anchor(few, STEPS, ["good"], ["bot"]) is None
    games = match("bot", "best", 12, 0, 0)
    assert further_anchor(games, STEPS, ["best"], ["bot"]) is None


@pytest.mark.parametrize("name", names())
def test_steps_of_every_game_are_players_that_no_clock_changes(name):
    game = declaration(name)
    steps = steps_of(game)
    assert len(set(steps)) == len(steps) >= 4
    assert game.anchors[0] in steps
    for text in steps:
        spec = parse_player(text, game.game(), max(2, game.seats[0]))
        timed = "time" in {option.name for option in game.game().strategy(spec.target).options}
        assert not timed or spec.options.keys() & {"sims", "depth"}
