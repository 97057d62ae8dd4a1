"""What is read from a position of Penguins, in a game by hand and in random ones."""

import pytest

from ludograph import boards, penguins, rules
from ludograph.games.penguins import PenguinsPosition
from tests.games.penguins.boards import BOARDS


def small(*texts: str) -> PenguinsPosition:
    """Two rows of four tiles, one penguin each, after some moves."""
    position = penguins.position(boards.square(4, 2), penguins=1, fish=[1, 1, 2, 3, 1, 1, 1, 2])
    for text in texts:
        position.play(text)
    return position


def test_a_game_by_hand() -> None:
    position = small()
    assert position.is_placing
    assert position.last_move is None
    assert [position.unplaced(seat) for seat in (0, 1)] == [1, 1]
    assert position.penguins(0) == []
    assert [position.fish(tile) for tile in range(8)] == [1, 1, 2, 3, 1, 1, 1, 2]
    position = small("0", "4", "0-3")
    assert not position.is_placing
    assert [position.penguins(seat) for seat in (0, 1)] == [[3], [4]]
    assert [position.eaten(seat) for seat in (0, 1)] == [4, 1]
    assert [position.owner(tile) for tile in (0, 1, 3, 4)] == [None, None, 0, 1]
    assert [position.fish(tile) for tile in (0, 1, 3, 4)] == [0, 1, 3, 1]
    assert [position.is_free(tile) for tile in (0, 1, 3, 4)] == [False, True, False, False]
    assert position.path(position.last_move) == [0, 1, 2, 3]
    assert position.all_fish.tolist() == [0, 1, 2, 3, 1, 1, 1, 2]
    assert position.all_owners.tolist() == [-1, -1, -1, 0, 1, -1, -1, -1]


def test_a_placement_has_one_tile() -> None:
    position = small("0")
    assert position.path(position.last_move) == [0]


@pytest.mark.parametrize("seed", range(3))
def test_who_is_stuck_does_not_come_to_move_any_more(seed) -> None:
    position = penguins.position(boards.full_hexa(4), seats=3, penguins=1, seed=seed)
    rng = rules.random_state(seed, 1)
    stuck: set[int] = set()
    seen = 0
    while not position.is_over:
        now = {
            seat for seat in range(3) if position.game.presentation.seat_facts(position, seat).stuck
        }
        assert stuck <= now
        assert position.turn not in now
        stuck, seen = now, max(seen, len(now))
        position.play_random(rng)
    assert seen
    assert not any(position.game.presentation.seat_facts(position, seat).stuck for seat in range(3))


def test_who_was_eliminated_keeps_penguins_and_fish() -> None:
    position = penguins.position(boards.square(4), seats=3, penguins=1, fish=[1] * 16)
    for text in ("0", "3", "12"):
        position.play(text)
    position.drop(1)
    assert [position.is_eliminated(seat) for seat in range(3)] == [False, True, False]
    assert (position.penguins(1), position.owner(3), position.eaten(1)) == ([3], 1, 1)


@pytest.mark.parametrize("name", BOARDS)
def test_a_path_leads_over_free_tiles(name: str) -> None:
    board = BOARDS[name]
    for seed in range(3):
        position = penguins.position(board, seats=3, penguins=2, seed=seed)
        rng = rules.random_state(seed)
        while not position.is_over:
            seat, before = position.turn, position.copy()
            path = position.path(position.play_random(rng))
            assert position.owner(path[-1]) == seat
            assert len(path) == 1 or before.owner(path[0]) == seat
            assert all(before.is_free(tile) for tile in path[1:])
