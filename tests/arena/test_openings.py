"""First moves that ladders draw where the start is always the same."""

from ludograph.arena.tournament.openings import first_moves
from ludograph.games.registry import game


def test_near_even_stones_take_turns_with_all_others():
    start = game("hex").position(board="hexagonal:6")
    found = [start.text(move) for (move,) in first_moves(start)]
    near_even = set(start.game.solving.openings("near-even", start))
    assert set(found[::2]) == near_even
    assert set(found[1::2]).isdisjoint(near_even)
    assert len(set(found)) == 36


def test_a_board_without_a_suite_has_all_first_moves():
    start = game("hex").position(board="triangular:3")
    found = first_moves(start)
    assert sorted(found) == [(move,) for move in start.legal_moves()]


def test_a_game_whose_c_players_cannot_begin_behind_a_move_has_none():
    start = game("flood").position(board="square:6", coloring="cyclic")
    assert first_moves(start) == ()
