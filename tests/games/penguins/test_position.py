"""What is read from a position of Penguins; the reference tells most of it, see ``twins.py``."""

import pytest

from ludograph import boards, penguins, rules
from tests.games.penguins.boards import BOARDS


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


@pytest.mark.parametrize("name", BOARDS)
def test_a_path_leads_over_free_tiles(name: str) -> None:
    board = BOARDS[name]
    for seed in range(3):
        position = penguins.position(board, seats=3, penguins=2, seed=seed)
        rng = rules.random_state(seed)
        while not position.is_over:
            seat, before = position.turn, position.copy()
            path = position.path(position.play_random(rng))
            assert path == position.path(position.last_move)
            assert position.owner(path[-1]) == seat
            assert len(path) == 1 or before.owner(path[0]) == seat
            assert all(before.is_free(tile) for tile in path[1:])
