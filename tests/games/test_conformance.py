"""All games pass the suite that every game must pass, on all kinds of boards and in all forms."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import networkx as nx
import pytest

from ludograph import amazons, boards, carcassonne, flood, hex, penguins
from ludograph.conformance import check_game
from ludograph.games import AnyGame, Position
from ludograph.games.carcassonne.decks import CLASSIC, Deck, Kind, course
from ludograph.games.hex import hex_board
from ludograph.games.registry import OURS
from ludograph.rules import interpreted
from tests.amounts import few
from tests.games.amazons.boards import BOARDS as AMAZONS
from tests.games.amazons.boards import begin
from tests.games.hex.boards import grid_between_borders
from tests.games.hex.boards import tangle as hex_tangle
from tests.games.penguins.boards import TILINGS, tangle
from tests.games.test_references import quickly

pytestmark = [pytest.mark.every_case, pytest.mark.usefixtures("plain_in_make_test")]


class Case(NamedTuple):
    """Starts by their seed, how many games are played, and how many also as plain Python."""

    make: Callable[[int], Position]
    games: int = 1
    interpreted: int = 1


def of(game: AnyGame, games: int = 1, **options: Any) -> Case:
    return Case(lambda seed: game.position(**options, seed=seed), games)


def cases_of_amazons() -> Iterator[tuple[str, Case]]:
    for name in AMAZONS:
        if name != "square 10":
            yield name, Case(lambda _, name=name: begin(name))
    for family in amazons.declaration.options[0].type.offered:
        size = 6 if family in ("donut", "hatched") else 4  # multiples of 3
        yield family, of(amazons, board=f"{family}:{size}", queens=1)


def cases_of_carcassonne() -> Iterator[tuple[str, Case]]:
    def varied(games: int, plainly: int, **options: Any) -> Case:
        start = partial(carcassonne.position, **options)
        make = lambda seed: start(seats=2 + seed % 3, meeples=1 + seed % 2)  # noqa: E731
        return Case(make, games, plainly)

    yield "smallest deck", of(carcassonne, deck=course(2), mode="finite")
    for mode in ("no-meeple", "infinite", "finite"):
        yield f"classic, {mode}", varied(2, 0, mode=mode)
        for discard in (False, True):
            options = {"deck": course(16), "mode": mode, "discard": discard}
            yield f"course, {mode}, discard {discard}", varied(few(2, 6), few(1, 2), **options)
    tiles = {kind.name: kind.tile for kind in CLASSIC}
    names = ("monastery-road", "castle-corner-shield", "castle-side", "castles-adjacent")
    some = Deck(tiles["castle-road"], tuple(Kind(name, tiles[name], 4) for name in names))
    for name, deck, games in (("shields", some, few(2, 6)), ("whole deck", "classic", 2)):
        start = partial(carcassonne.position, deck=deck, rules="official")
        make = lambda seed, start=start: start(seats=2 + seed % 4)  # noqa: E731
        yield f"official, {name}", Case(make, games)


def cases_of_flood() -> Iterator[tuple[str, Case]]:
    surfaces = {
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
    again = few(2, 4)
    for name, board in surfaces.items():
        for coloring in ("cyclic", "random", "blocks", "balanced"):
            yield f"{name}, {coloring}", of(flood, again, board=board, colors=4, coloring=coloring)
    for seats, variant in itertools.product((1, 2, 3, 4, 6), ("standard", "capture")):
        for forbidden in (0, 1, 3) if seats > 1 or variant == "standard" else ():
            options = {"board": surfaces["square"], "colors": 7, "seats": seats}
            case = of(flood, again, **options, variant=variant, forbidden=forbidden)
            yield f"{seats} seats, {variant}, {forbidden} forbidden", case
    for colors in (2, 3, 8, 31, 32):
        yield f"{colors} colors", of(flood, few(2, 3), board=surfaces["torus"], colors=colors)
    yield "16 seats", of(flood, 2, board=boards.square(8), colors=17, seats=16)


def cases_of_hex() -> Iterator[tuple[str, Case]]:
    for kind, m, pie in itertools.product("hct", (2, 3, 4, 7), (True, False)):
        board = hex_board(5 if (kind, m) == ("t", 7) else m, kind)  # a side of 7 has 294 triangles
        yield f"{kind} {m}, pie {pie}", of(hex, few(2, 3), board=board, pie=pie)
    yield "usual", of(hex)
    for pie in (True, False):
        yield f"grid, pie {pie}", of(hex, few(1, 3), board=grid_between_borders(6, 4), pie=pie)
        make = lambda seed, pie=pie: hex.position(hex_tangle(seed), pie=pie)  # noqa: E731
        yield f"tangle, pie {pie}", Case(make, few(2, 6))


def cases_of_penguins() -> Iterator[tuple[str, Case]]:
    for tiling, seats in itertools.product(TILINGS, (2, 3)):
        board = penguins.board(tiling, 5, 4)
        yield f"{tiling}, {seats} seats", of(penguins, 2, board=board, seats=seats, penguins=2)
    yield "usual", of(penguins)
    penrose = penguins.board("penrose", 6)
    yield "many seats", of(penguins, 2, board=penrose, seats=6, penguins=1)
    for size in (2, 3, 5):  # two ways lead to a tile
        yield f"torus {size}", of(penguins, 2, board=boards.torus(size), penguins=1)
    crossed = lambda seed: penguins.position(tangle(seed), penguins=1, seed=seed)  # noqa: E731
    yield "lines that cross themselves", Case(crossed, few(4, 20))


CASES = {
    f"{name}: {kind}": case
    for name, cases in {
        "amazons": cases_of_amazons(),
        "carcassonne": cases_of_carcassonne(),
        "flood": cases_of_flood(),
        "hex": cases_of_hex(),
        "penguins": cases_of_penguins(),
    }.items()
    for kind, case in cases
}
QUICK = (
    *("amazons: torus 2x3", "carcassonne: smallest deck", "flood: square, cyclic"),
    *("flood: 1 seats, standard, 0 forbidden", "flood: 3 seats, capture, 3 forbidden"),
    *("hex: h 2, pie False", "penguins: torus 2"),
)


def test_each_game_is_checked() -> None:
    assert {name.partition(":")[0] for name in QUICK} == set(OURS)


@pytest.mark.parametrize("name", quickly(CASES, QUICK))
def test_it_passes_the_suite(name: str) -> None:
    make, games, plainly = CASES[name]
    check_game(make, games=games, interpreted=plainly)


@pytest.mark.slow
def test_plain_python_has_a_bit_for_every_color() -> None:
    with interpreted():
        check_game(CASES["flood: 32 colors"].make, games=1)
