"""The reference of Flood against positions worked out by hand."""

import random

import pytest

from tests.reference.flood import (
    PASS,
    ReferenceFlood,
    donut,
    hatched,
    regions,
    square,
    torus,
)
from tests.reference.flood_solo import solve

SUBJECT_GRAPH = [[1, 2], [0, 3], [0, 3], [1, 2]]  # the example of the subject
BLUE, RED, GREEN = range(3)
STAR = [[1, 2, 3], [0], [0], [0]]


def path(n):
    return [[w for w in (v - 1, v + 1) if 0 <= w < n] for v in range(n)]


def game_on_path(colors, starts=None, **options):
    return ReferenceFlood(path(len(colors)), colors, starts or [0, len(colors) - 1], **options)


# --- boards -------------------------------------------------------------------------------


def test_square_of_3():
    assert square(3) == (
        [[1, 3], [0, 2, 4], [1, 5], [0, 4, 6], [1, 3, 5, 7], [2, 4, 8], [3, 7], [4, 6, 8], [5, 7]],
        [0, 8],
    )


def test_donut_of_3_is_a_ring():
    assert donut(3) == (
        [[1, 3], [0, 2], [1, 4], [0, 5], [2, 7], [3, 6], [5, 7], [4, 6]],
        [0, 7],
    )


def test_hatched_of_3_is_an_h():
    # 0 . 1
    # 2 3 4
    # 5 . 6
    assert hatched(3) == ([[2], [4], [0, 3, 5], [2, 4], [1, 3, 6], [2], [4]], [0, 6])


def test_torus_of_3():
    adjacency, starts = torus(3)
    assert adjacency[0] == [1, 2, 3, 6]
    assert all(len(neighbors) == 4 for neighbors in adjacency)
    assert starts == [0, 4]


def test_narrow_tori_have_no_loop_and_no_double_edge():
    assert torus(1) == ([[]], [0, 0])
    assert torus(2) == ([[1, 2], [0, 3], [0, 3], [1, 2]], [0, 3])


def test_regions():
    assert regions(path(5), [1, 1, 0, 1, 1]) == [{0, 1}, {2}, {3, 4}]


# --- two seats ----------------------------------------------------------------------------


def test_example_of_the_subject():
    game = ReferenceFlood(SUBJECT_GRAPH, [RED, BLUE, BLUE, GREEN], [0, 3])
    assert (game.turn, game.ply, game.over) == (0, 0, False)
    assert game.zone(0) == {0}
    assert game.zone(1) == {3}
    assert game.legal_moves() == [BLUE, PASS]
    game.play(BLUE)
    assert (game.turn, game.ply) == (1, 1)
    assert game.zone(0) == {0, 1, 2}
    assert game.scores() == [3, 1]
    assert game.legal_moves() == [PASS]  # BLUE is the color of a zone that touches
    game.play(PASS)
    assert game.legal_moves() == [PASS]
    game.play(PASS)
    assert (game.turn, game.ply, game.over) == (None, 3, True)
    assert game.legal_moves() == []
    assert game.scores() == [3, 1]


def test_color_of_an_opponent_that_does_not_touch_is_legal():
    game = game_on_path([0, 2, 1, 2])
    assert game.legal_moves() == [2, PASS]
    game.play(2)
    assert game.zone(0) == {0, 1}
    assert game.zone(1) == {3}
    assert game.legal_moves() == [1, PASS]


def test_touching_is_judged_before_the_move():
    game = game_on_path([0, 1, 2])  # 1 is free for both, and touches both
    game.play(1)
    assert game.legal_moves() == [PASS]
    game.play(PASS)
    assert game.legal_moves() == [PASS]  # 2 would capture


def test_free_vertices_do_not_make_a_capture_legal():
    game = ReferenceFlood(STAR, [0, 1, 1, 2], [0, 1])  # vertex 2 is free and has seat 1's color
    assert game.legal_moves() == [2, PASS]


def test_zone_takes_whole_regions():
    game = game_on_path([0, 1, 1, 1, 0, 2])
    game.play(1)
    assert game.zone(0) == {0, 1, 2, 3}
    game.play(0)
    assert game.zone(1) == {4, 5}
    assert game.scores() == [4, 2]


def test_forbidden_colors():
    game = ReferenceFlood(STAR, [0, 1, 2, 3], [0, 1], forbidden=[{2}, {0}])
    assert game.legal_moves() == [3, PASS]
    game.play(3)
    assert game.legal_moves() == [PASS]


def test_only_passes_in_a_row_end_the_game():
    game = game_on_path([0, 1, 2, 3])
    game.play(PASS)
    game.play(2)
    game.play(PASS)
    assert not game.over
    game.play(PASS)
    assert game.over
    assert game.ply == 4


# --- more seats, and the variant ----------------------------------------------------------


def test_three_seats_move_in_order_and_three_passes_end():
    game = game_on_path([0, 3, 1, 3, 2], [0, 2, 4])
    turns = []
    for move in [3, PASS, 3, PASS, PASS, PASS]:
        turns.append(game.turn)
        game.play(move)
    assert turns == [0, 1, 2, 0, 1, 2]
    assert game.over
    assert game.scores() == [2, 1, 2]


def test_capture_wins_at_once():
    game = game_on_path([0, 1], variant="capture")
    assert game.legal_moves() == [1, PASS]
    game.play(1)
    assert (game.over, game.turn, game.ply) == (True, None, 1)
    assert game.scores() == [2, 0]
    assert game.legal_moves() == []


def test_capture_of_a_forbidden_color_is_illegal():
    game = game_on_path([0, 1], variant="capture", forbidden=[{1}, {0}])
    assert game.legal_moves() == [PASS]


def test_capture_needs_touch():
    game = game_on_path([0, 1, 2], variant="capture")
    assert game.legal_moves() == [1, PASS]
    game.play(1)
    assert not game.over
    assert game.legal_moves() == [1, PASS]
    game.play(1)
    assert game.scores() == [0, 3]


def test_capture_spares_the_others():
    game = ReferenceFlood(STAR, [0, 1, 2, 1], [0, 1, 2], variant="capture")
    game.play(1)
    assert game.scores() == [4, 0, 1]


def test_capture_of_two_at_once():
    game = ReferenceFlood(STAR, [0, 1, 1, 2], [0, 1, 2], variant="capture")
    game.play(1)
    assert game.scores() == [4, 0, 0]


def test_dropped_seat_to_move_is_skipped_and_stays_an_obstacle():
    game = ReferenceFlood(STAR, [0, 1, 2, 3], [0, 1, 2])
    game.drop(0)
    assert (game.turn, game.ply, game.over) == (1, 0, False)
    assert game.legal_moves() == [PASS]  # seat 0's color is still protected
    assert game.scores() == [1, 1, 1]
    game.play(PASS)
    game.play(PASS)
    assert game.over
    assert game.scores() == [-1, 1, 1]


def test_dropped_seat_is_skipped_later():
    game = ReferenceFlood(STAR, [0, 1, 2, 3], [0, 1, 2])
    game.drop(1)
    assert game.turn == 0
    game.play(3)
    assert game.turn == 2
    game.play(PASS)
    assert game.turn == 0


def test_passes_of_the_remaining_seats_are_kept():
    game = ReferenceFlood(STAR, [0, 1, 2, 3], [0, 1, 2])
    game.play(PASS)
    game.play(PASS)
    game.drop(2)
    assert game.over


def test_passes_of_the_dropped_seat_do_not_count():
    game = ReferenceFlood(STAR, [0, 1, 2, 3], [0, 1, 2])
    game.play(PASS)
    game.play(PASS)
    game.drop(0)
    assert (game.over, game.turn) == (False, 2)
    game.play(PASS)
    assert game.over


def test_last_remaining_seat_ends_the_game():
    game = ReferenceFlood(STAR, [0, 1, 2, 3], [0, 1, 2])
    game.drop(0)
    game.drop(2)
    assert (game.over, game.turn) == (True, None)
    assert game.scores() == [-1, 1, -1]
    with pytest.raises(ValueError, match="dropped"):
        game.drop(1)


def test_dropped_seat_cannot_be_captured():
    game = ReferenceFlood(STAR, [0, 1, 2, 3], [0, 1, 2], variant="capture")
    game.drop(1)
    assert game.legal_moves() == [2, 3, PASS]


# --- solo ---------------------------------------------------------------------------------


def test_solo_game():
    game = game_on_path([0, 1, 0], [0])
    assert game.legal_moves() == [1]
    game.play(1)
    assert game.scores() == [-1]
    game.play(0)
    assert game.over
    assert game.scores() == [-2]


def test_solo_on_one_color_is_over_before_it_starts():
    game = game_on_path([1, 1, 1], [1])
    assert (game.over, game.legal_moves(), game.scores()) == (True, [], [0])


def test_solo_stuck_scores_below_every_finished_game():
    game = game_on_path([0, 1, 1, 2], [0], forbidden=[{2}])
    game.play(1)
    assert game.over
    assert game.scores() == [-4]  # three regions at the start


def test_solver_says_when_it_is_impossible():
    assert solve(path(3), [0, 1, 2], 0, forbidden={2}) is None
    assert solve(path(3), [0, 1, 2], 0, forbidden={0}) == (2, [1, 2])


def fewest_moves(game):
    """The optimum by trying everything on the reference."""
    if game.over:
        return -game.scores()[0]
    results = []
    for move in game.legal_moves():
        other = game.copy()
        other.play(move)
        results.append(fewest_moves(other))
    return min(results)


@pytest.mark.parametrize("seed", range(10))
def test_solver_agrees_with_trying_everything(seed):
    random_source = random.Random(seed)
    adjacency, _ = square(3)
    colors = [random_source.randrange(3) for _ in adjacency]
    start = random_source.randrange(9)
    count, moves = solve(adjacency, colors, start)
    game = ReferenceFlood(adjacency, colors, [start])
    assert fewest_moves(game) == count
    for move in moves:
        game.play(move)
    assert game.over
    assert game.scores() == [-count]
