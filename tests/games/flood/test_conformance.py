"""Flood passes the suite that every game must pass, on all boards and in all its forms."""

import itertools

import networkx as nx
import pytest

from ludograph import boards, flood
from ludograph.conformance import check_game
from ludograph.rules import interpreted
from tests.amounts import few, slow_but

pytestmark = pytest.mark.usefixtures("plain_in_make_test")

COLORINGS = ["cyclic", "random", "blocks", "balanced"]
BOARDS = {
    "square": boards.square(5),
    "oblong": boards.square(7, 3),
    "donut": boards.donut(6),
    "hatched": boards.hatched(6),
    "torus": boards.torus(5),
    "hexagonal": boards.hexagonal(5),
    "path": boards.from_networkx(nx.path_graph(9)),
    "complete": boards.from_networkx(nx.complete_graph(7)),
    "tree": boards.from_networkx(nx.balanced_tree(2, 3)),
}


@pytest.mark.parametrize(
    ("name", "coloring"),
    slow_but(
        [("square", coloring) for coloring in COLORINGS] + [(name, "random") for name in BOARDS],
        itertools.product(BOARDS, COLORINGS),
    ),
)
def test_two_seats_on_every_board_and_coloring(name: str, coloring: str) -> None:
    def make(seed: int):
        return flood.position(BOARDS[name], colors=4, coloring=coloring, seed=seed)

    check_game(make, games=few(2, 4))


@pytest.mark.parametrize("seats", slow_but([1, 3, 6], [1, 2, 3, 4, 6]))
@pytest.mark.parametrize("variant", ["standard", "capture"])
@pytest.mark.parametrize("forbidden", slow_but([0, 3], [0, 1, 3]))
def test_every_number_of_seats(seats: int, variant: str, forbidden: int) -> None:
    if seats == 1 and variant == "capture":
        with pytest.raises(ValueError, match="capture"):
            flood.position(BOARDS["square"], seats=1, variant="capture")
        return

    def make(seed: int):
        return flood.position(
            BOARDS["square"], colors=7, seats=seats, variant=variant, forbidden=forbidden, seed=seed
        )

    check_game(make, games=few(2, 4))


@pytest.mark.parametrize("colors", [2, 3, 8, 31, 32])
def test_every_number_of_colors(colors: int) -> None:
    check_game(
        lambda seed: flood.position(BOARDS["torus"], colors=colors, seed=seed), games=few(2, 3)
    )


@pytest.mark.slow
def test_plain_python_has_a_bit_for_every_color() -> None:
    with interpreted():
        check_game(lambda seed: flood.position(BOARDS["torus"], colors=32, seed=seed), games=1)


@pytest.mark.slow
def test_sixteen_seats() -> None:
    check_game(
        lambda seed: flood.position(boards.square(8), colors=17, seats=16, seed=seed), games=2
    )
