"""What records of format 1 say of a setup is read for good, and written in the same words."""

import json
from pathlib import Path

import pytest

from ludograph import amazons, carcassonne, flood, hex, penguins
from ludograph.errors import InvalidInput
from ludograph.games.carcassonne.decks import course

SETUPS = json.loads(Path(__file__).with_name("setups.json").read_text())
STARTS = {
    "flood": lambda: flood.position("square:3", colors=3, seats=2, forbidden=1, seed=1),
    "flood, capture": lambda: flood.position(
        "torus:3", colors=4, seats=3, variant="capture", coloring="random", seed=5
    ),
    "hex": lambda: hex.position(2),
    "penguins": lambda: penguins.position("full-hexa:4x2", penguins=1, seats=3, seed=2),
    "carcassonne": lambda: carcassonne.position(
        deck=course(2), mode="finite", meeples=3, discard=True, seats=3
    ),
    "carcassonne, no meeple": lambda: carcassonne.position(deck=course(2), discard=False),
    "amazons": lambda: amazons.position("square:4", queens=2),
}


@pytest.mark.every_case
@pytest.mark.parametrize("name", SETUPS)
def test_setups_are_read(name: str) -> None:
    start = STARTS[name]()
    assert start.game.restore(start.board, SETUPS[name]) == start


@pytest.mark.parametrize("name", SETUPS)
def test_they_are_written_in_the_same_words(name: str) -> None:
    start = STARTS[name]()
    written = start.game.describe(start)
    assert json.loads(json.dumps(written)) == SETUPS[name]


@pytest.mark.parametrize("name", SETUPS)
def test_what_is_missing_is_named(name: str) -> None:
    start = STARTS[name]()
    optional = {"meeples"} if name == "carcassonne, no meeple" else set()
    for key in SETUPS[name].keys() - optional:
        rest = {other: value for other, value in SETUPS[name].items() if other != key}
        with pytest.raises(InvalidInput, match=f"^{start.game.name}: .*'{key}'"):
            start.game.restore(start.board, rest)


@pytest.mark.parametrize("name", SETUPS)
@pytest.mark.parametrize("wrong", [None, -1, 0.5, "x", [[]], [0.5], {}, True])
def test_what_is_of_another_kind_is_told_by_its_name(name: str, wrong: object) -> None:
    start = STARTS[name]()
    for key, value in SETUPS[name].items():
        if type(wrong) is not type(value) or wrong == [0.5]:
            with pytest.raises(InvalidInput, match=f"{start.game.name}: .*{key}"):
                start.game.restore(start.board, {**SETUPS[name], key: wrong})
