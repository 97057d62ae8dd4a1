"""Moves that searches leave out are no better than those that they look at."""

import numpy as np
import pytest

from ludograph import penguins, rules
from ludograph.games.penguins.eat import solve_endgame
from ludograph.games.penguins.isolated import isolated_regions
from ludograph.search import alphabeta
from ludograph.search.hints import candidates
from ludograph.search.searched import OWN
from tests.amounts import few
from tests.games.penguins.boards import TILINGS

pytestmark = pytest.mark.usefixtures("plain_in_make_test")


def moves_searched(position) -> list[int]:
    setup = penguins.search_view(position, OWN).setup
    moves = np.zeros(rules.info(setup).move_capacity, np.int32)
    return moves[: candidates(setup, position.state, moves)].tolist()


def value_of(position, moves: list[int]) -> float:
    """The value of the best of some moves, searched to the end on the plain rules."""
    values = []
    for move in moves:
        after = position.copy()
        after.play(move)
        if after.is_over:
            value = after.scores()[0] - after.scores()[1]
        else:
            value = margin_of(after)
            value = value if after.turn == 0 else -value
        values.append(value if position.turn == 0 else -value)
    return max(values)


def margin_of(position) -> float:
    value = alphabeta.search(position.setup, position.state).value
    return value - np.copysign(1e6, value) if abs(value) > 5e5 else value


@pytest.mark.slow
@pytest.mark.parametrize("tiling", TILINGS)
def test_a_best_move_is_among_those_searched(tiling: str) -> None:
    fewer = 0
    for seed in range(few(10, 60)):
        position = penguins.position(penguins.board(tiling, 5, 5), penguins=2, seed=seed)
        rng = rules.random_state(seed)
        while not position.is_over and position.ply < 11:
            position.play_random(rng)
        while not position.is_over:
            legal, searched = position.legal_moves(), moves_searched(position)
            assert set(searched) <= set(legal)
            if len(searched) < len(legal):
                fewer += 1
                assert value_of(position, searched) == value_of(position, legal)
            position.play_random(rng)
    assert fewer > 0


@pytest.mark.slow
def test_only_islands_that_are_eaten_whole_are_left_out() -> None:
    whole = partly = 0
    for seed in range(few(12, 60)):
        position = penguins.position(penguins.board("penrose", 6, 6), penguins=3, seed=seed)
        rng = rules.random_state(seed)
        while not position.is_over:
            regions, contested = isolated_regions(position.setup, position.state, position.turn)
            if not position.is_placing and contested:
                left_out = set()
                for region in regions:
                    tiles, free = np.array(region.tiles, np.int32), np.array(region.free, np.int32)
                    most, _, proven = solve_endgame(position.setup, tiles, free, rng.copy(), None)
                    assert proven
                    if most == sum(position.fish(tile) for tile in region.free):
                        left_out |= set(region.tiles)
                        whole += 1
                    else:
                        partly += 1
                searched = moves_searched(position)
                legal = position.legal_moves()
                others = [move for move in legal if position.path(move)[0] not in left_out]
                assert searched[: len(others)] == others
                assert len(searched) == len(others) + bool(left_out)
            position.play_random(rng)
    assert whole > few(10, 50)
    assert partly > few(2, 20)


def test_a_seat_with_nothing_but_islands_has_one_move() -> None:
    position = penguins.position(penguins.board("full-hexa", 6, 6), penguins=1, seats=3, seed=1)
    rng = rules.random_state(1)
    seen = 0
    while not position.is_over:
        if not position.is_placing:
            _, contested = isolated_regions(position.setup, position.state, position.turn or 0)
            if not contested:
                assert len(moves_searched(position)) == 1
                seen += 1
        position.play_random(rng)
    assert seen > 0
