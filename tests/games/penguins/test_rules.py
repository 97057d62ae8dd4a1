"""What is true of every game of Penguins."""

import numpy as np
import pytest

from ludograph import InvalidInput, boards, penguins, rules
from ludograph.games.penguins.setup import draw_fish, make_setup
from tests.games.penguins.boards import BOARDS, tangle

SURFACES = {
    **BOARDS,
    **{f"tangle {seed}": tangle(seed) for seed in range(20)},
    "hexagonal": boards.hexagonal(5, 4),
    "hatched": boards.hatched(9),
    **{f"torus {w}x{h}": boards.torus(w, h) for w, h in ((2, 3), (4, 4), (7, 2), (5, 6))},
}


def test_equal_scores_are_a_draw(wording) -> None:
    position = penguins.position(boards.square(2), penguins=1, fish=[1, 1, 1, 1])
    for text in ("0", "1", "0-2", "1-3"):
        position.play(text)
    assert position.is_over
    outcome = position.outcome()
    assert (outcome.winner, outcome.winners) == (None, (0, 1))
    assert [penguins.presentation.result(position, outcome, ["x", "y"])] == wording


@pytest.mark.parametrize("name", SURFACES)
def test_legal_moves_are_the_lines_of_the_board(name: str) -> None:
    board = SURFACES[name]
    lines = {
        (v, side): board.line(v, side)
        for v in range(board.n)
        for side in range(board.sides.count(v))
    }
    total = int(penguins.position(board, penguins=1).setup.fish.sum())
    for seed in range(4):
        position = penguins.position(board, penguins=1 + seed % 2 * (board.n > 12), seed=seed)
        setup, rng = position.setup, rules.random_state(seed)
        total = int(setup.fish.sum())
        while not position.is_over:
            free = {tile for tile in range(board.n) if position.is_free(tile)}
            assert len(free) == board.n - position.ply  # each ply takes one tile away
            assert sum(position.scores()) + setup.fish[sorted(free)].sum() == total
            if position.ply >= setup.owners.size:
                expected = []
                for v in position.penguins(position.turn):
                    for side in range(board.sides.count(v)):
                        for tile in lines[v, side]:
                            if tile not in free:
                                break
                            expected.append((v, tile))
                texts = [position.text(move) for move in position.legal_moves()]
                ways = [tuple(map(int, text.split("/")[0].split("-"))) for text in texts]
                assert sorted(ways) == sorted(expected)
            position.play_random(rng)
        assert rules.legal_moves(setup, position.state, np.zeros(setup.capacity, np.int32)) == 0


@pytest.mark.parametrize("n", [4, 9, 60, 61])
def test_fish(n: int) -> None:
    for seed in range(20):
        fish = draw_fish(n, 4, seed)
        assert np.array_equal(fish, draw_fish(n, 4, seed))
        counts = np.bincount(fish, minlength=4)
        assert counts[0] == 0
        assert counts[1] == max((n + 1) // 2, 4)
        assert counts[1:].sum() == n
    if n > 9:
        assert not np.array_equal(fish, draw_fish(n, 4, 0))
        assert np.bincount(draw_fish(60, 8, 1)).tolist() == [0, 30, 20, 10]  # the printed game
    assert (draw_fish(n, n, 0) == 1).all()


def test_a_board_with_room_for_just_its_penguins() -> None:
    position = penguins.position(boards.square(3, 2), seats=3, penguins=2, seed=1)
    rng = rules.random_state(1)
    while not position.is_over:
        position.play_random(rng)
    assert (position.ply, position.scores()) == (6, (2.0, 2.0, 2.0))


def test_a_board_too_large_for_move_codes() -> None:
    board = boards.square(20_000, 2)
    with pytest.raises(InvalidInput, match="too large"):
        make_setup(board, np.ones(board.n, np.int32), 2, 1)
