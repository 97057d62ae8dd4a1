"""A game by hand, and what is true of every game of Penguins."""

import numpy as np
import pytest

from ludograph import InvalidInput, boards, penguins, rules
from ludograph.games.penguins.setup import draw_fish, lay_out, make_setup
from tests.games.penguins.boards import BOARDS, tangle

SURFACES = {
    **BOARDS,
    **{f"tangle {seed}": tangle(seed) for seed in range(20)},
    "hexagonal": boards.hexagonal(5, 4),
    "hatched": boards.hatched(9),
    **{f"torus {w}x{h}": boards.torus(w, h) for w, h in ((2, 3), (4, 4), (7, 2), (5, 6))},
}


def small():
    """Two rows of four tiles, one penguin each."""
    return penguins.position(boards.square(4, 2), penguins=1, fish=[1, 1, 2, 3, 1, 1, 1, 2])


def play(position, *texts: str) -> None:
    for text in texts:
        position.play(text)


def test_a_game_by_hand() -> None:
    position = small()
    assert [position.text(move) for move in position.legal_moves()] == ["0", "1", "4", "5", "6"]
    play(position, "0", "4")
    assert [position.text(move) for move in position.legal_moves()] == ["0-1", "0-2", "0-3"]
    assert position.scores() == (1.0, 1.0)
    play(position, "0-3", "4-7", "3-2", "7-5", "2-6")
    assert [position.text(move) for move in position.legal_moves()] == ["5-1"]
    play(position, "5-1")
    assert position.is_over
    assert position.scores() == (7.0, 5.0)
    assert position.outcome().ranks == (1, 2)
    assert str(position) == "~ B ~ ~\n~ ~ A ~"
    sentence = penguins.presentation.result(position, position.outcome(), ["x", "y"])
    assert sentence == "x (seat 0, blue) wins, 7 fish to 5."


def test_who_cannot_move_is_out_and_the_others_go_on() -> None:
    position = small()
    play(position, "0", "1", "0-4")  # tile 0 is water now, 1 between water and 2
    play(position, "1-5")  # seat 0 sits in a corner of water and the other's penguin
    assert [position.turn, position.scores()] == [1, (2.0, 2.0)]
    play(position, "5-6", "6-2", "2-3", "3-7")
    assert position.is_over
    assert position.scores() == (2.0, 10.0)


def test_equal_scores_are_a_draw(wording) -> None:
    position = penguins.position(boards.square(2), penguins=1, fish=[1, 1, 1, 1])
    play(position, "0", "1", "0-2", "1-3")
    assert position.is_over
    outcome = position.outcome()
    assert (outcome.winner, outcome.winners) == (None, (0, 1))
    assert [penguins.presentation.result(position, outcome, ["x", "y"])] == wording


def test_a_dropped_seat_leaves_its_penguins_as_obstacles() -> None:
    position = penguins.position(boards.square(4), seats=3, penguins=1, fish=[1] * 16)
    play(position, "0", "3", "12")
    position.drop(1)
    assert position.turn == 0
    assert [position.text(move) for move in position.legal_moves()][:2] == ["0-1", "0-2"]
    play(position, "0-1")
    assert position.turn == 2
    assert position.scores() == (2.0, -1.0, 1.0)
    assert position.owner(3) == 1
    position.drop(2)
    assert position.turn == 0  # the last one plays on alone


def test_a_seat_dropped_while_placing_places_no_more() -> None:
    position = penguins.position(boards.square(4), seats=3, penguins=2, fish=[1] * 16)
    play(position, "0", "3")
    position.drop(2)
    assert position.turn == 0
    play(position, "1", "2")
    assert position.turn == 0
    assert position.text(position.legal_moves()[0]) == "0-4"


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


@pytest.mark.parametrize("name", SURFACES)
def test_lines_are_laid_out_one_after_another(name: str) -> None:
    board = SURFACES[name]
    sides = board.sides
    dry = sides.neighbors != boards.OUTSIDE
    across = np.where(dry, sides.offsets[sides.neighbors] + sides.entries, 0)
    lengths = lay_out(np.where(dry, sides.opposites()[across], 0), dry).lengths
    setup = penguins.position(board, penguins=1).setup
    offsets, tiles = boards.all_lines(sides)
    for slot, length in enumerate(np.diff(offsets)):
        way = setup.ways[slot]
        row = setup.along[way : way + length + 1]
        assert row[:-1].tolist() == tiles[offsets[slot] : offsets[slot + 1]].tolist()
        assert row[-1] in (board.n, setup.tiles[slot])  # the water, or back where it began
        before = np.append(setup.tiles[slot], row)  # each tile has the one before it at that side
        for last, tile, side in zip(before, row, setup.facing[way:], strict=False):
            assert tile == board.n or setup.beyond[setup.offsets[tile] + side] == last
        if "tangle" in name:  # a line may come back to its tile by another side, and ends there
            assert lengths[slot] >= length
        else:
            assert lengths[slot] == length


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
