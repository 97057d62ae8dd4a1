"""Penguins passes the suite that every game must pass, on all tilings."""

import pytest

from ludograph import boards, penguins
from ludograph.conformance import check_game
from tests.amounts import few, slow_but
from tests.games.penguins.boards import TILINGS, tangle

pytestmark = pytest.mark.usefixtures("plain_in_make_test")


@pytest.mark.slow
@pytest.mark.parametrize("seats", slow_but([3], [2, 3]))
@pytest.mark.parametrize("tiling", TILINGS)
def test_every_tiling(tiling: str, seats: int) -> None:
    board = penguins.board(tiling, 5, 4)
    check_game(lambda seed: penguins.position(board, seats=seats, penguins=2, seed=seed), games=2)


@pytest.mark.slow
def test_the_usual_board() -> None:
    check_game(lambda seed: penguins.position(seed=seed), games=1)


@pytest.mark.slow
def test_many_seats() -> None:
    board = penguins.board("penrose", 6)
    check_game(lambda seed: penguins.position(board, seats=6, penguins=1, seed=seed), games=2)


@pytest.mark.parametrize("size", [2, 3, 5])
def test_where_two_ways_lead_to_a_tile(size: int) -> None:
    board = boards.torus(size)
    check_game(lambda seed: penguins.position(board, penguins=1, seed=seed), games=2)


@pytest.mark.slow
def test_lines_that_cross_themselves() -> None:
    check_game(
        lambda seed: penguins.position(tangle(seed), penguins=1, seed=seed), games=few(4, 20)
    )
