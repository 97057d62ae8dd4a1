"""Numbers of lines of play: the fast rules, the slow references and OpenSpiel count the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from ludograph import amazons, boards, carcassonne, flood, hex, penguins
from ludograph.games import Position
from ludograph.games.carcassonne.decks import course
from tests import openspiel
from tests.games.carcassonne import test_reference as carcassonne_reference
from tests.games.flood import test_reference as flood_reference
from tests.games.hex import test_reference as hex_reference
from tests.games.penguins import test_reference as penguins_reference
from tests.perft import ByOpenSpiel, ByReference, ByRules, perft
from tests.reference.amazons import ReferenceAmazons, grid_lines


class Case(NamedTuple):
    """A start, and how many lines of play there are of 0, 1, ... plies.

    Attributes
    ----------
    twin
        Makes the same start for the slow reference.
    slowly
        How many plies deep the reference counts; the rules count all.
    openspiel
        The game as OpenSpiel calls it, if it has it, and how deep it counts.
    """

    make: Callable[[], Position]
    twin: Callable[[Position], Any]
    counts: list[int]
    slowly: int
    openspiel: tuple[str, int] = ("", 0)


def flood_case(counts: list[int], slowly: int, board: str, **options: Any) -> Case:
    return Case(lambda: flood.position(board, **options), flood_reference.twin, counts, slowly)


def hex_case(counts: list[int], slowly: int, size: int, pie: bool, deep: int = 0) -> Case:
    return Case(
        lambda: hex.position(size, pie=pie),
        lambda position: hex_reference.twin(position, pie),
        counts,
        slowly,
        (f"hex(board_size={size})" if deep else "", deep),
    )


def penguins_case(counts: list[int], slowly: int, tiling: str, seats: int = 2) -> Case:
    fish = [1, 2, 1, 3, 1, 1, 2, 1, 1, 1, 3, 2]
    board = penguins.board(tiling, 4, 3)
    return Case(
        lambda: penguins.position(board, seats=seats, penguins=1, fish=fish),
        penguins_reference.twin,
        counts,
        slowly,
    )


def carcassonne_case(counts: list[int], slowly: int, mode: str, **options: Any) -> Case:
    return Case(
        lambda: carcassonne.position(
            **{"deck": course(4), "mode": mode, "discard": False, **options}
        ),
        carcassonne_reference.twin,
        counts,
        slowly,
    )


def amazons_case(counts: list[int], slowly: int, size: int, queens: int = 4, deep: int = 0) -> Case:
    def twin(position: Position) -> ReferenceAmazons:
        starts = position.setup.starts.tolist()
        return ReferenceAmazons(grid_lines(size, size), [set(starts[0::2]), set(starts[1::2])])

    return Case(
        lambda: amazons.position(boards.square(size), queens=queens),
        twin,
        counts,
        slowly,
        (f"amazons(board_size={size})" if deep else "", deep),
    )


CASES = {
    "flood square 4": flood_case([1, 3, 6, 15, 33, 81, 171, 347], 7, "square:4", colors=4),
    "flood torus 4, 3 seats": flood_case(
        [1, 3, 9, 13, 29, 53, 67, 116], 7, "torus:4", colors=5, seats=3, coloring="random", seed=1
    ),
    "flood hatched 6, capture": flood_case(
        [1, 3, 9, 30, 106, 405, 1554, 5919], 6, "hatched:6", colors=6, variant="capture", seed=2
    ),
    "flood donut 6, forbidden": flood_case(
        [1, 3, 9, 24, 57, 137, 293, 662],
        7,
        "donut:6",
        colors=6,
        forbidden=2,
        coloring="random",
        seed=3,
    ),
    "flood square 4, alone": flood_case([1, 2, 3, 4, 2, 0, 0], 6, "square:4", colors=3, seats=1),
    "hex 3": hex_case([1, 9, 72, 504, 3024, 15120, 54720], 3, 3, pie=False, deep=4),
    "hex 3, swap": hex_case([1, 9, 81, 576, 3528], 3, 3, pie=True),
    "hex 4": hex_case([1, 16, 240, 3360, 43680], 2, 4, pie=False, deep=3),
    "penguins full-tetra": penguins_case([1, 7, 42, 183, 730, 2061, 5179], 5, "full-tetra"),
    "penguins full-hexa": penguins_case([1, 7, 42, 239, 1190, 4289], 4, "full-hexa"),
    "penguins full-hexa, 3 seats": penguins_case([1, 7, 42, 210, 1013, 4193], 4, "full-hexa", 3),
    "penguins octo-tetra": penguins_case([1, 7, 42, 248, 1234, 4633], 4, "octo-tetra"),
    "penguins dodeca-hexa-tetra": penguins_case([1, 7, 42, 161, 504, 1838], 5, "dodeca-hexa-tetra"),
    "penguins penrose": penguins_case([1, 7, 42, 146, 477, 1001], 5, "penrose"),
    "carcassonne no-meeple": carcassonne_case([1, 3, 9, 18, 58, 58, 140, 0], 7, "no-meeple"),
    "carcassonne finite": carcassonne_case([1, 3, 52, 104, 1952], 3, "finite", meeples=1),
    "carcassonne infinite, discard, 3 seats": carcassonne_case(
        [1, 3, 52, 104, 1957], 3, "infinite", discard=True, seats=3
    ),
    "amazons 4, one queen": amazons_case([1, 72, 3977, 180_576], 2, 4, queens=1),
    "amazons 4": amazons_case([1, 88, 4336], 2, 4),
    "amazons 6": amazons_case([1, 544, 238_532], 1, 6, deep=2),
    "amazons 8": amazons_case([1, 1232, 1_331_198], 1, 8, deep=1),
    "amazons 10": amazons_case([1, 2176, 4_307_152], 1, 10, deep=1),
}


@pytest.mark.parametrize("name", CASES)
def test_the_rules_count(name: str) -> None:
    case = CASES[name]
    assert perft(ByRules(), case.make(), len(case.counts) - 1) == case.counts


@pytest.mark.parametrize("name", CASES)
def test_the_reference_counts_the_same(name: str) -> None:
    case = CASES[name]
    slow = case.twin(case.make())
    assert perft(ByReference(), slow, case.slowly) == case.counts[: case.slowly + 1]


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.openspiel[1]])
def test_openspiel_counts_the_same(name: str) -> None:
    called, deep = CASES[name].openspiel
    state = openspiel.part("pyspiel").load_game(called).new_initial_state()
    assert perft(ByOpenSpiel(), state, deep) == CASES[name].counts[: deep + 1]
