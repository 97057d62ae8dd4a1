"""Options of a game that mean nothing, or do not fit together, get one sentence that names them."""

from __future__ import annotations

from typing import Any

import networkx as nx
import pytest

from ludograph import InvalidInput, boards
from ludograph.games.carcassonne.decks import INIT, Deck
from ludograph.games.registry import OURS, game

SQUARE, NINE = boards.square(4), boards.square(3)
PATH = boards.from_edges(9, [(v, v + 1) for v in range(8)], name="path")
RING = boards.from_networkx(nx.cycle_graph(4)).with_marks({"black": [0, 2], "white": [1, 3]})
HALF = [1] * 8 + [2] * 8

OFFICIAL = {"rules": "official"}

WRONG: dict[str, dict[str, list[dict[str, Any]]]] = {
    "amazons": {
        "11 to 1290 tiles, 'square 3x3' has 9": [{"board": NINE, "queens": 5}],
        "at most 1290 vertices, got <Board 'square 36x36': 1296 vertices": [
            {"board": boards.square(36), "queens": 4}
        ],
        "no straight lines; planar:FILE": [{"board": PATH, "queens": 1}],
        "queens must be": [{"board": NINE, "queens": 0}],
    },
    "carcassonne": {
        "whole number": [{"seats": "2"}, {"meeples": 1.0}, {"seats": True}],
        "seats must be a whole number from 2 to 64": [{"seats": 1}, {"seats": 65}],
        "meeples must be a whole number from 1 to 10000": [{"meeples": 0}, {"meeples": 10**6}],
        "true or false": [{"discard": 1}],
        "mode must be 0 NO_MEEPLE": [{"mode": mode} for mode in ("x", 3, True, None, [])],
        "deck must be classic, course": [{"deck": deck} for deck in ("chess", None, [])],
        "a deck has 2 to 10000 tiles": [{"deck": Deck(INIT, ())}],
        r"\bseats\b.*\b2 to 5\b.* 6$": [OFFICIAL | {"seats": 6}],
        r"\bmode\b.*\bFINITE_MEEPLE, not INFINITE": [OFFICIAL | {"mode": "infinite"}],
        r"\btile\b": [OFFICIAL | {"discard": False}],
    },
    "flood": {
        "whole number": [{"colors": "six"}, {"colors": 6.0}, {"seed": "x"}, {"seats": True}],
        "2 to 32": [{"colors": 1}, {"colors": 33}],
        "do not fit": [{"seats": 17}],
        "from 1 to 64": [{"seats": 0}],
        "as many colors": [{"seats": 4, "colors": 3}],
        "vertex 999": [{"starts": [0, 999]}],
        "vertex -1": [{"starts": [0, -1]}],
        "name a vertex twice": [{"starts": [3, 3]}],
        "one per seat": [{"starts": [0, 1, 2]}, {"starts": [0.5, 1.5]}],
        "coloring must be one of": [{"coloring": "stripes"}, {"coloring": 4}],
        "has color 9": [{"coloring": [9] * 16}],
        "16 vertices": [{"coloring": [0, 1]}],
        "one color per vertex": [{"coloring": [0.5] * 16}],
        "different colors": [{"coloring": [0] * 16}],
        "forbidden": [{"forbidden": 6}, {"forbidden": -1}, {"forbidden": [{1}, {1, 2}]}],
        "variant": [{"variant": "chess"}],
        "capture": [{"seats": 1, "variant": "capture"}],
    },
    "hex": {
        r"\b1 to \d+, .* 0$": [{"board": 0}],
        "all vertices": [{"board": RING}],
        r"'black'.*'hexagonal:5'": [{"board": boards.hexagonal(5)}],
        **{
            named: [{"board": NINE.with_marks({"black": black, "white": white})}]
            for named, black, white in (
                (r"\bvertex 2 .*\bblack and white\b", [0, 2], [2, 6]),
                (r"\bvertices 0 2 .*\bblack and white\b", [0, 2], [0, 2]),
                (r"\bblack border .* 1 connected chain,", [0, 1], [3, 5]),
                (r"\bwhite border .* 3 connected chains", [0, 8], [2, 4, 6]),
                (r"\bblack border .* 0 connected chains", [], [3, 5]),
            )
        },
        "'white'": [{"board": NINE.with_marks({"black": [0, 2]})}],
        "'black'": [{"board": NINE}],
    },
    "penguins": {
        "whole number": [{"seats": "2"}, {"penguins": 1.0}, {"seed": None}, {"seats": True}],
        "seats must be a whole number from 2 to 64": [{"seats": 1}, {"seats": 65}],
        "from 1 to 1000000": [{"penguins": 0}],
        "do not fit on 16 tiles": [{"seats": 3, "penguins": 6}],
        "fish are given for 3 tiles": [{"fish": [1, 2, 3]}, {"fish": "1,2,3"}],
        "tile 3 has 4 fish": [{"fish": [1, 1, 1, 4] * 4}],
        "tile 0 has 0 fish": [{"fish": [0, 1, 1, 1] * 4}],
        "7 of 16 tiles have one fish": [{"fish": [2, *HALF[1:]]}],
        "8 tiles have one fish, 9 penguins": [{"fish": HALF, "seats": 3, "penguins": 3}],
        "must be whole numbers": [{"fish": [1.0] * 16}, {"fish": [[1], [1, 2]]}],
        "'path'": [{"board": PATH, "penguins": 1}],
        "tile 0 has 3 sides": [{"board": boards.triangular(4)}],
    },
}
USUAL = {"flood": {"board": SQUARE}, "penguins": {"board": SQUARE}}


@pytest.mark.every_case
@pytest.mark.parametrize("name", OURS)
def test_a_wrong_option_gets_one_sentence(name: str) -> None:
    for named, many in WRONG[name].items():
        for options in many:
            with pytest.raises(InvalidInput, match=named) as error:
                game(name).position(**{**USUAL.get(name, {}), **options})
            assert str(error.value).startswith(f"{name}: "), options
            assert "\n" not in str(error.value)


@pytest.mark.every_case
@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("carcassonne", {"mode": 7}),
        ("carcassonne", {"deck": []}),
        ("hex", {"pie": 1}),
        ("hex", {"black": "x"}),
        ("penguins", {"fish": [9] * 16}),
    ],
)
def test_what_a_record_of_another_program_holds_is_checked_alike(name: str, changed: dict) -> None:
    start = next(iter(game(name).samples()))
    data = start.game.describe(start)
    assert changed.keys() <= data.keys()
    with pytest.raises(InvalidInput, match=rf"^{name}: .*\b{next(iter(changed))}\b"):
        start.game.restore(start.board, data | changed)
