"""The reference of Hex against positions worked out by hand."""

import pytest

from tests.reference.hex import (
    BLACK,
    SWAP,
    WHITE,
    ReferenceHex,
    components,
    hexagonal,
    square,
    triangular,
)

BOARDS = [hexagonal, square, triangular]
WIDTHS = range(2, 11)

# A line: black 0, free 1 2, black 3; a second one below it: white 4, free 5, white 6.
TWO_LINES = [[1], [0, 2], [1, 3], [2], [5], [4, 6], [5]], {0, 3}, {4, 6}

# Vertex 2 alone could join black 0 and 1; vertex 5 joins nothing.
STAR = [[2], [2], [0, 1], [], [], []], {0, 1}, {3, 4}


# --- boards -------------------------------------------------------------------------------


def test_hexagonal_of_2():
    #  0 1 2
    #   3 4 5
    #    6 7 8
    adjacency, black, white = hexagonal(2)
    assert adjacency == [
        [1, 3],
        [0, 2, 3, 4],
        [1, 4, 5],
        [0, 1, 4, 6],
        [1, 2, 3, 5, 6, 7],
        [2, 4, 7, 8],
        [3, 4, 7],
        [4, 5, 6, 8],
        [5, 7],
    ]
    assert (black, white) == ({0, 1, 7, 8}, {2, 3, 5, 6})


def test_triangular_of_2():
    # 0-1, 2-3 4-5, 6 7-8 9, 10-11 12-13, 14 15-16 17, 18-19 20-21, 22-23
    adjacency, black, white = triangular(2)
    pairs = {(0, 1), (2, 3), (4, 5), (7, 8), (10, 11), (12, 13), (15, 16), (18, 19), (20, 21)}
    between = {(0, 3), (1, 4), (19, 22), (20, 23)}
    between |= {(v, v + 4) for v in range(2, 18)}
    assert edges(adjacency) == pairs | {(22, 23)} | between
    assert black == {0, 1, 2, 3, 20, 21, 22, 23}
    assert white == {5, 6, 9, 10, 13, 14, 17, 18}


@pytest.mark.parametrize("m", WIDTHS)
def test_triangular_is_a_hexagon_cut_into_triangles(m):
    corners = {}  # of each triangle, by the height and the place of its center
    for x, y in lattice_points(m):
        for triangle in ([(x, y), (x, y + 1), (x + 1, y)], [(x, y), (x, y + 1), (x - 1, y + 1)]):
            if lattice_points(m).issuperset(triangle):
                height = sum(2 * y + x for x, y in triangle)
                corners[height, sum(x for x, _ in triangle)] = set(triangle)
    triangles = [corners[center] for center in sorted(corners)]
    adjacency, _, _ = triangular(m)
    assert [
        [w for w, other in enumerate(triangles) if len(triangle & other) == 2]
        for triangle in triangles
    ] == adjacency


def lattice_points(m):
    """The points of a triangular lattice inside a hexagon of side m with two vertical sides."""
    side = range(-m, m + 1)
    return {(x, y) for x in side for y in side if -m <= x + y <= m}


@pytest.mark.parametrize("m", WIDTHS)
@pytest.mark.parametrize("board", BOARDS)
def test_every_board(board, m):
    adjacency, black, white = board(m)
    everything = set(range(len(adjacency)))
    assert all(near == sorted(set(near) - {v}) for v, near in enumerate(adjacency))
    assert all(v in adjacency[w] for v, w in edges(adjacency))
    assert len(components(adjacency, everything)) == 1
    assert not black & white
    assert len(components(adjacency, black)) == len(components(adjacency, white)) == 2
    for border in (black, white):  # all three boards are symmetric under a turn by 180°
        assert border == {len(adjacency) - 1 - v for v in border}


def edges(adjacency):
    return {(v, w) for v, near in enumerate(adjacency) for w in near if v < w}


# --- a game -------------------------------------------------------------------------------


def test_accepted_opening():
    game = ReferenceHex(*hexagonal(3))  # free: 5 6 / 9 10
    assert (game.turn, game.ply, game.over) == (0, 0, False)
    assert game.legal_moves() == [5, 6, 9, 10]
    game.play(5)
    assert (game.owner[5], game.turn) == (BLACK, 1)
    assert game.legal_moves() == [6, 9, 10, SWAP]
    game.play(10)
    assert (game.owner[10], game.turn) == (WHITE, 0)
    assert [game.color_of(0), game.color_of(1)] == [BLACK, WHITE]
    assert game.legal_moves() == [6, 9]
    assert game.scores() == [0.5, 0.5]
    game.play(9)
    assert (game.over, game.turn, game.ply) == (True, None, 3)
    assert game.winner() == BLACK
    assert game.scores() == [1.0, 0.0]
    assert game.legal_moves() == []


def test_refused_opening():
    game = ReferenceHex(*hexagonal(3))
    game.play(6)
    game.play(SWAP)
    assert (game.owner[6], game.turn, game.ply) == (BLACK, 0, 2)
    assert [game.color_of(0), game.color_of(1)] == [WHITE, BLACK]
    assert game.legal_moves() == [5, 9, 10]
    game.play(10)
    assert (game.owner[10], game.turn) == (WHITE, 1)
    game.play(9)
    assert game.winner() == BLACK
    assert game.scores() == [0.0, 1.0]


def test_without_the_pie_rule():
    game = ReferenceHex(*hexagonal(3), swap=False)
    game.play(6)
    assert game.legal_moves() == [5, 9, 10]
    with pytest.raises(ValueError, match="illegal"):
        game.play(SWAP)


def test_white_can_win():
    game = ReferenceHex(*hexagonal(3))
    for move in [5, 10, 6, 9]:
        assert not game.over
        game.play(move)
    assert game.winner() == WHITE
    assert game.scores() == [0.0, 1.0]


def test_opening_that_wins_ends_the_game():
    game = ReferenceHex(*STAR)
    game.play(2)
    assert (game.over, game.scores(), game.legal_moves()) == (True, [1.0, 0.0], [])


def test_full_board_is_a_draw():
    game = ReferenceHex(*TWO_LINES, swap=False)
    for move in [1, 2, 5]:
        assert not game.over
        game.play(move)
    assert (game.over, game.turn, game.winner()) == (True, None, None)
    assert game.scores() == [0.5, 0.5]


def test_win_on_the_last_vertex_is_no_draw():
    game = ReferenceHex(*TWO_LINES, swap=False)
    for move in [1, 5]:
        game.play(move)
    assert game.winner() == WHITE
    assert game.scores() == [0.0, 1.0]
