"""Moves are numbered without those of chance; plies count both."""

import pytest

from ludograph import make
from ludograph.games.pictures import heading
from ludograph.games.registry import game, names
from ludograph.rules import random_state


@pytest.mark.parametrize("name", names())
def test_moves_are_the_plies_without_those_of_chance(name: str) -> None:
    for start in game(name).samples():
        position, rng, moves = start.copy(), random_state(3), start.move_count
        assert moves == start.ply
        while not position.is_over:
            moves += not position.is_chance
            position.play_random(rng)
            assert position.move_count == position.copy().move_count == moves


def test_texts_have_both_numbers_where_chance_has_played() -> None:
    position, rng = make("carcassonne", deck="course:8", rules="course"), random_state(1)
    assert heading(position).endswith("the start")
    position.play_random(rng)
    assert position.ply_text(coming=True) == "ply 2 (move 1)"
    assert heading(position).endswith("the start")
    assert "at ply 2 (move 1)" in position.why_not(0)
    position.play_random(rng)
    assert position.ply_text() == "ply 2 (move 1)"
    assert "chance at ply 3;" in position.why_not(position.history[-1])
    assert heading(position).endswith("after 1 move")
    hexes = make("hex", size=3)
    hexes.play("a1")
    assert hexes.ply_text() == "ply 1"


def test_all_plies_count_where_it_is_unknown_which_were_those_of_chance() -> None:
    position, rng = make("carcassonne", deck="course:8", rules="course"), random_state(1)
    for _ in range(3):
        position.play_random(rng)
    assert position.move_count == 1
    position.state = position.state.copy()
    assert position.move_count == position.ply == 3
    position.play_random(rng)
    assert position.move_count == position.ply == 4
