"""What people read from a position of Amazons."""

from ludograph import amazons


def test_queens_stand_as_ever():
    position = amazons.position()
    names = {cell: index for index, cell in enumerate(cells())}
    assert position.queens(0) == sorted(names[cell] for cell in ("a4", "d1", "g1", "j4"))
    assert position.queens(1) == sorted(names[cell] for cell in ("a7", "d10", "g10", "j7"))
    assert position.arrows == []
    assert position.last_move == ()


def test_a_move_is_a_queen_and_an_arrow():
    position = amazons.position()
    position.play("d1-d7/g7")
    source, target, arrow = position.last_move
    assert [cells()[tile] for tile in position.last_move] == ["d1", "d7", "g7"]
    assert source not in position.queens(0)
    assert target in position.queens(0)
    assert position.arrows == [arrow]
    tiles = position.tiles.tolist()
    assert (tiles[source], tiles[target], tiles[arrow]) == (0, 1, -1)
    assert tiles.count(1) == tiles.count(2) == 4


def cells():
    """The names of the tiles of the usual board, row by row from above."""
    return [f"{column}{row}" for row in range(10, 0, -1) for column in "abcdefghij"]
