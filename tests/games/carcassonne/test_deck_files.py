"""Deck files: what is written is read again, and what is wrong is said."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ludograph.errors import InvalidInput
from ludograph.games.carcassonne.decks import (
    GREEN,
    INIT,
    Deck,
    Kind,
    classic,
    course,
    from_data,
    read_deck,
    to_data,
    to_json,
    write_deck,
)
from tests.games.carcassonne.tiles import decks

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "carcassonne.md").read_text()
GOOD = to_data(course(5))


@pytest.mark.parametrize("deck", [classic(), course(2), course(50)], ids=["classic", "2", "50"])
def test_built_in_decks_come_back(deck: Deck, tmp_path: Path) -> None:
    file = tmp_path / "deck.json"
    write_deck(deck, file)
    assert read_deck(file) == deck
    assert read_deck(str(file)) == deck
    assert len(file.read_text().splitlines()) == 4 + len(deck.kinds)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(deck=decks())
def test_any_deck_comes_back(deck: Deck) -> None:
    deck.check()
    assert json.loads(to_json(deck)) == to_data(deck)
    again = from_data(to_data(deck))
    assert again == deck
    assert again.first.components == deck.first.components
    assert [kind.tile.components for kind in again.kinds] == [
        kind.tile.components for kind in deck.kinds
    ]


def test_the_file_in_the_documents() -> None:
    shown = re.search(r"^```json\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    assert shown is not None
    deck = from_data(json.loads(shown.group(1)))
    assert deck == Deck(INIT, (Kind("meadow", GREEN, 4),))


def test_what_may_be_left_out() -> None:
    tile = {"components": [0] * 13, "terrains": ["field"] * 13}
    deck = from_data({"first": tile, "tiles": [{"name": "field", **tile}]})
    assert deck.size == 2


def changed(**changes: object) -> dict:
    return {**GOOD, **changes}


def changed_tile(**changes: object) -> dict:
    first, *others = GOOD["tiles"]
    return {**GOOD, "tiles": [first, {**others[0], **changes}, *others[1:]]}


def without(key: str) -> dict:
    return {name: value for name, value in GOOD.items() if name != key}


FAULTS = [
    ([], "`object`, got `array`"),
    (changed(format="ludograph-board"), "format: "),
    (changed(version=2), "version: "),
    (changed(version=2, tiles=0), "version: "),
    (changed(cards=[]), "`cards`"),
    (without("first"), "`first`"),
    (without("tiles"), "`tiles`"),
    (changed(tiles=[]), "tiles: "),
    (changed(first=7), "first: "),
    (changed_tile(count=0), "tiles[1].count: "),
    (changed_tile(count="2"), "tiles[1].count: "),
    (changed_tile(count=10000), "tiles: "),
    (changed_tile(name=GOOD["tiles"][0]["name"]), "tiles[1].name: 'INIT' "),
    (changed_tile(name=""), "tiles[1].name: "),
    (changed_tile(color="red"), "tiles[1]: "),
    (changed_tile(components=[0] * 12), "tiles[1].components: "),
    (changed_tile(components=[0] * 12 + [13]), "tiles[1].components[12]: "),
    (changed_tile(components=[0] * 12 + [1.5]), "tiles[1].components[12]: "),
    (changed_tile(components=[10**30] * 13), "tiles[1].components[0]: "),
    (changed_tile(terrains=["field"] * 14), "tiles[1].terrains: "),
    (changed_tile(terrains=["field"] * 12 + ["lake"]), "tiles[1].terrains[12]: "),
    (changed_tile(terrains=["field"] * 12 + ["road"]), "tiles[1].terrains[12]: "),
]


@pytest.mark.parametrize(("data", "named"), FAULTS, ids=[str(n) for n in range(len(FAULTS))])
def test_faults_are_named(data: object, named: str, tmp_path: Path) -> None:
    file = tmp_path / "deck.json"
    file.write_text(json.dumps(data))
    with pytest.raises(InvalidInput) as error:
        read_deck(file)
    assert str(error.value).startswith(f"{file}: ")
    assert named in str(error.value)
    assert "\n" not in str(error.value)
    if isinstance(data, dict):
        with pytest.raises(InvalidInput, match=rf"^setup: .*{re.escape(named)}"):
            from_data(data, "setup")


@pytest.mark.parametrize(
    ("content", "named"),
    [
        (b"", "truncated"),
        (b"tiles", "JSON"),
        (b"\xfe", "JSON"),
        (b"\xff\xfe", "UTF-16"),
        (b"[" * 100_000, "`object`, got `array`"),
        (b'{"first":' * 100_000, "first: .*`first`"),
    ],
)
def test_what_is_no_json(content: bytes, named: str, tmp_path: Path) -> None:
    file = tmp_path / "deck.json"
    file.write_bytes(content)
    with pytest.raises(InvalidInput, match=rf"^{re.escape(str(file))}: .*{named}"):
        read_deck(file)


@given(content=st.binary(max_size=60))
def test_any_bytes_give_a_sentence(content: bytes, tmp_path_factory) -> None:
    file = tmp_path_factory.getbasetemp() / "any.json"
    file.write_bytes(content)
    with pytest.raises(InvalidInput, match=r"any\.json: "):
        read_deck(file)


def test_files_that_are_not_there(tmp_path: Path) -> None:
    for path in (tmp_path / "none.json", tmp_path):
        with pytest.raises(InvalidInput, match=f"^{re.escape(str(path))}: "):
            read_deck(path)
    with pytest.raises(InvalidInput):
        read_deck("a\0b")
    path = tmp_path / "none" / "deck.json"
    with pytest.raises(InvalidInput, match=f"^{re.escape(str(path))}: "):
        write_deck(course(4), path)
