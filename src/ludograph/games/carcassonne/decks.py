"""Decks: the tiles of a game by kinds, the two built-in decks, and decks as files and plain data.

A deck has a number of tiles of each kind. Their order is not part of it: the seed of a game
determines it.
The format of files is in `docs/carcassonne.md`, section Deck files.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Literal

import msgspec

from ludograph.documents import decoded, read_bytes, without_mark, write_bytes
from ludograph.errors import InvalidInput
from ludograph.games.carcassonne.tiles import TERRAIN_NAMES, Terrain, Tile

MOST_TILES = 10_000
LONGEST_NAME = 40


@dataclass(frozen=True)
class Kind:
    """A number of equal tiles with a name."""

    name: str
    tile: Tile
    count: int


@dataclass(frozen=True)
class Deck:
    """The first tile, which lies at (0, 0) from the start, and the kinds of tiles to deal."""

    first: Tile
    kinds: tuple[Kind, ...]
    """Two kinds may have equal tiles, or tiles that are equal after a turn."""
    name: str = field(default="", compare=False)
    """The name in titles: that of a built-in deck or of a file."""

    @property
    def size(self) -> int:
        """The number of tiles, the first one included."""
        return 1 + sum(kind.count for kind in self.kinds)

    def check(self) -> None:
        """Raise InvalidInput if a tile, name or count is invalid, or the size is out of range.

        The message begins with the field, named as in deck files: ``tiles[2].count``.
        """
        _check_tile("first", self.first)
        names: dict[str, int] = {}
        for index, kind in enumerate(self.kinds):
            place = f"tiles[{index}]"
            if not (kind.name.isprintable() and 0 < len(kind.name) <= LONGEST_NAME):
                raise InvalidInput(
                    f"{place}.name: expected 1 to {LONGEST_NAME} printable characters"
                )
            same = names.setdefault(kind.name, index)
            if same != index:
                raise InvalidInput(f"{place}.name: {kind.name!r} is already that of tiles[{same}]")
            if kind.count < 1:
                raise InvalidInput(f"{place}.count: expected at least 1, got {kind.count}")
            _check_tile(place, kind.tile)
        if not 2 <= self.size <= MOST_TILES:
            raise InvalidInput(
                f"tiles: a deck has 2 to {MOST_TILES} tiles with the first one, got {self.size}"
            )


def _check_tile(place: str, tile: Tile) -> None:
    try:
        tile.check()
    except InvalidInput as error:
        raise InvalidInput(f"{place}.{error}") from None


LETTERS = {"F": Terrain.FIELD, "R": Terrain.ROAD, "C": Terrain.CASTLE}


def tile(
    components: str, terrains: str, *, shield: int | None = None, monastery: bool = False
) -> Tile:
    """Return a tile from the digits of its components and a letter for the terrain of each.

    Parameters
    ----------
    components
        13 digits; spaces are ignored: ``"000 123 333 321 2"``.
    terrains
        The letters of the terrains of components 0, 1, 2, and so on: ``F`` for field, ``R`` for
        road, ``C`` for castle, as in ``"CFRF"``.
    shield
        A vertex of the castle that has a shield; None: there is no shield.
    monastery
        Whether a monastery stands in the middle.
    """
    numbers = tuple(map(int, components.replace(" ", "")))
    shields = () if shield is None else (shield,)
    letters = tuple(LETTERS[terrains[number]] for number in numbers)
    return Tile(numbers, letters, shields, monastery)


INIT = tile("000 123 333 321 2", "CFRF")
GREEN = tile("000 000 000 000 0", "F")
XROAD = tile("012 234 456 670 8", "FRFRFRFRR")
TINI = tile("000 012 333 210 1", "FRFC")


def course(size: int = 72) -> Deck:
    """Return the deck of the programming course: four tiles, repeated.

    Parameters
    ----------
    size
        The number of tiles, the first one included, from 2. The kinds INIT, GREEN, XROAD and TINI
        take turns, beginning with the first tile, an INIT: a deck of four has one tile of each.

    Raises
    ------
    InvalidInput
        If the size is out of range.
    """
    if not 2 <= size <= MOST_TILES:
        raise InvalidInput(f"carcassonne: a deck has 2 to {MOST_TILES} tiles, got {size}")
    four = (("INIT", INIT), ("GREEN", GREEN), ("XROAD", XROAD), ("TINI", TINI))
    counts = [(size + 3 - place) // 4 for place in range(4)]
    counts[0] -= 1
    return Deck(
        INIT,
        tuple(
            Kind(name, which, count)
            for (name, which), count in zip(four, counts, strict=True)
            if count
        ),
        name="course",
    )


def classic() -> Deck:
    """Return the 72 tiles of the board game's base set: 24 kinds, a castle with a road first.

    Notes
    -----
    A side is castle at all of its three vertices, or a road between fields, or all field, as on the
    four tiles of the course. The center belongs to a road that passes through it, else to a castle
    that joins several sides, else to the field. Where roads meet, they end, and the center is a
    road of one vertex, which gives no points. Around a monastery the center is field, too. Shields
    and monasteries count by the official rules only: by the course rules, five pairs of kinds have
    the same tiles, four of these pairs without a turn.
    """
    return Deck(CLASSIC_FIRST, CLASSIC, name="classic")


BUILT_IN: MappingProxyType[str, Callable[[], Deck]] = MappingProxyType(
    {"classic": classic, "course": course}
)
"""The functions that return the built-in decks, by name."""


CLASSIC_FIRST = tile("000 123 333 321 2", "CFRF")
"""The fourth tile of the kind ``castle-road``."""

CLASSIC = (
    Kind("monastery-road", tile("000 000 010 000 0", "FR", monastery=True), 2),
    Kind("monastery", tile("000 000 000 000 0", "F", monastery=True), 4),
    Kind("castle-full-shield", tile("000 000 000 000 0", "C", shield=0), 1),
    Kind("castle-road", tile("000 123 333 321 2", "CFRF"), 3),
    Kind("castle-side", tile("000 111 111 111 1", "CF"), 5),
    Kind("castle-through-shield", tile("000 111 222 111 1", "FCF", shield=3), 2),
    Kind("castle-through", tile("000 111 000 222 0", "CFF"), 1),
    Kind("castles-opposite", tile("000 111 000 222 0", "FCC"), 3),
    Kind("castles-adjacent", tile("000 111 222 222 2", "CCF"), 2),
    Kind("castle-road-right", tile("000 123 321 111 2", "CFRF"), 3),
    Kind("castle-road-left", tile("000 111 123 321 2", "CFRF"), 3),
    Kind("castle-fork", tile("000 123 345 561 7", "CFRFRFRR"), 3),
    Kind("castle-corner-shield", tile("000 111 111 000 0", "CF", shield=0), 2),
    Kind("castle-corner", tile("000 111 111 000 0", "CF"), 3),
    Kind("castle-corner-road-shield", tile("000 123 321 000 2", "CFRF", shield=0), 2),
    Kind("castle-corner-road", tile("000 123 321 000 2", "CFRF"), 3),
    Kind("castle-three-shield", tile("000 000 111 000 0", "CF", shield=0), 1),
    Kind("castle-three", tile("000 000 111 000 0", "CF"), 3),
    Kind("castle-three-road-shield", tile("000 000 123 000 0", "CFRF", shield=0), 2),
    Kind("castle-three-road", tile("000 000 123 000 0", "CFRF"), 1),
    Kind("road-straight", tile("012 222 210 000 1", "FRF"), 8),
    Kind("road-curve", tile("000 000 012 210 1", "FRF"), 9),
    Kind("road-fork", tile("000 012 234 450 6", "FRFRFRR"), 4),
    Kind("road-crossing", tile("012 234 456 670 8", "FRFRFRFRR"), 1),
)


FORMAT = "ludograph-deck"
VERSION = 1
MAX_BYTES = 2**24

_Int = Annotated[int, msgspec.Meta(ge=-(2**31), le=2**31 - 1)]


class _TileData(msgspec.Struct, forbid_unknown_fields=True):
    components: list[_Int]
    terrains: list[str]
    shields: list[_Int] = []
    monastery: bool = False


class _KindData(_TileData, kw_only=True):
    name: str
    count: _Int = 1


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


def _tile(data: _TileData, place: str) -> Tile:
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
