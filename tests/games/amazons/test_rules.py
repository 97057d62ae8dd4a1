"""What is true of Amazons: the start, transpositions, the end, random moves, searches."""

import pytest

from ludograph import amazons, boards, rules
from tests.games.amazons.boards import BOARDS, begin
from tests.perft import ByRules


@pytest.mark.usefixtures("plain_in_make_test")
@pytest.mark.parametrize("name", BOARDS)
def test_queens_start_on_tiles_of_their_own(name):
    starts = begin(name).setup.starts.tolist()
    assert len(set(starts)) == len(starts)


def test_the_end_and_the_middle_of_a_game_have_unequal_keys():
    turns, level = {}, [ByRules(begin("tangle 2"))]  # six tiles
    while level:
        for node in level:
            assert turns.setdefault(node.key(), node.position.turn) == node.position.turn
        level = [node.after(move) for node in level for move in node.moves()]
    assert len(set(turns.values())) == 3


def test_who_cannot_move_has_lost():
    position = amazons.position(boards.square(2), queens=1)
    rng = rules.random_state(1)
    while not position.is_over:
        position.play_random(rng)
    assert position.outcome().winner == (position.ply + 1) % 2
    assert f"wins after {position.ply} moves" in position.game.presentation.result(
        position, position.outcome(), ["one", "two"]
    )
