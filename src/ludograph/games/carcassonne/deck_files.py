"""Decks as files and as plain data (`docs/carcassonne.md`, section Deck files)."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from ludograph.documents import decoded, read_bytes, without_mark, write_bytes
from ludograph.errors import InvalidInput
from ludograph.games.carcassonne.decks import Deck, Kind
from ludograph.games.carcassonne.tiles import TERRAIN_NAMES, Tile

FORMAT = "ludograph-deck"
VERSION = 1
MAX_BYTES = 2**24

_Int = Annotated[int, msgspec.Meta(ge=-(2**31), le=2**31 - 1)]


class _TileData(msgspec.Struct, forbid_unknown_fields=True):
    components: list[_Int]
    terrains: list[str]
    shields: list[_Int] = []
    monastery: bool = False


class _KindData(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    components: list[_Int]
    terrains: list[str]
    count: _Int = 1
    shields: list[_Int] = []
    monastery: bool = False


class _DeckData(msgspec.Struct, forbid_unknown_fields=True):
    first: _TileData
    tiles: list[_KindData]
    format: Literal["ludograph-deck"] = "ludograph-deck"
    version: Literal[1] = 1


def read_deck(path: str | os.PathLike[str]) -> Deck:
    """Return the deck in a ``.json`` file.

    Raises
    ------
    InvalidInput
        If there is no such file, or it has no valid deck; the message names file and field.
    """
    file = Path(path)
    data = read_bytes(file, "deck", MAX_BYTES)
    try:
        text = without_mark(data)
        deck = _deck(lambda kind: msgspec.json.decode(text, type=kind))
    except InvalidInput as error:
        raise InvalidInput(f"{file}: {error}") from None
    return dataclasses.replace(deck, name=file.name)


def write_deck(deck: Deck, path: str | os.PathLike[str]) -> None:
    """Write a deck to a file; `read_deck` returns the same deck from it.

    Raises
    ------
    InvalidInput
        If the file cannot be written.
    """
    write_bytes(Path(path), to_json(deck))


def to_json(deck: Deck) -> bytes:
    """Return the contents of a deck file: one line for each kind of tiles."""
    data = to_data(deck)
    first, *tiles = (
        msgspec.json.encode(entry).decode() for entry in (data["first"], *data["tiles"])
    )
    lines = [
        f'{{"format":"{FORMAT}","version":{VERSION},',
        f'"first":{first},',
        '"tiles":[',
        *(line + "," for line in tiles[:-1]),
        *tiles[-1:],
        "]}",
    ]
    return "".join(line + "\n" for line in lines).encode()


def to_data(deck: Deck) -> dict[str, Any]:
    """Return a deck as a dictionary of plain lists, numbers and texts, without loss."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "first": _tile_data(deck.first),
        "tiles": [
            {"name": kind.name, "count": kind.count, **_tile_data(kind.tile)} for kind in deck.kinds
        ],
    }


def from_data(data: Mapping[str, Any], source: str = "deck") -> Deck:
    """Return the deck of a dictionary, as `to_data` returns it.

    Parameters
    ----------
    data
        The dictionary; format, version and counts may be missing.
    source
        The name of its source, for errors.

    Raises
    ------
    InvalidInput
        If it is no valid deck; the message names source and field.
    """
    try:
        return _deck(lambda kind: msgspec.convert(data, type=kind))
    except InvalidInput as error:
        raise InvalidInput(f"{source}: {error}") from None


def _tile_data(tile: Tile) -> dict[str, Any]:
    return {
        "components": list(tile.components),
        "terrains": [TERRAIN_NAMES[terrain] for terrain in tile.terrains],
        **({"shields": list(tile.shields)} if tile.shields else {}),
        **({"monastery": True} if tile.monastery else {}),
    }


def _tile(data: _TileData | _KindData, place: str) -> Tile:
    for vertex, name in enumerate(data.terrains):
        if name not in TERRAIN_NAMES:
            raise InvalidInput(
                f"{place}.terrains[{vertex}]: no terrain {name[:40]!r}; "
                f"there are {', '.join(TERRAIN_NAMES)}"
            )
    terrains = tuple(map(TERRAIN_NAMES.index, data.terrains))
    return Tile(tuple(data.components), terrains, tuple(data.shields), data.monastery)


def _deck(decode: Callable[[Any], Any]) -> Deck:
    data = decoded(decode, _DeckData, FORMAT, VERSION)
    kinds = tuple(
        Kind(entry.name, _tile(entry, f"tiles[{index}]"), entry.count)
        for index, entry in enumerate(data.tiles)
    )
    deck = Deck(_tile(data.first, "first"), kinds)
    deck.check()
    return deck
