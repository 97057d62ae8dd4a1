"""Amazons passes the suite that every game must pass, on all tilings."""

import pytest

from ludograph import amazons
from ludograph.conformance import check_game
from tests.amounts import slow_but
from tests.games.amazons.boards import BOARDS, begin

pytestmark = pytest.mark.usefixtures("plain_in_make_test")

QUICK = ("torus 2x3",)
SMALL = [name for name in BOARDS if name != "square 10"]


@pytest.mark.parametrize("name", slow_but(QUICK, SMALL))
def test_every_board(name):
    check_game(lambda _: begin(name)[0], games=1)


@pytest.mark.slow
def test_the_declared_families():
    families = amazons.declaration.options[0].type.families
    for family in families:
        board = f"{family}:{6 if family in ('donut', 'hatched') else 4}"  # multiples of 3
        check_game(lambda seed, board=board: amazons.position(board, queens=1, seed=seed), games=1)
