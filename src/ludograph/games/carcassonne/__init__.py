"""Carcassonne: lay tiles so that they fit, and close castles, roads and fields."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ludograph.games.carcassonne.deck_files import read_deck, write_deck
    from ludograph.games.carcassonne.decks import Deck, Kind, classic, course
    from ludograph.games.carcassonne.game import Carcassonne, carcassonne
    from ludograph.games.carcassonne.notation import Placement
    from ludograph.games.carcassonne.position import CarcassonnePosition, PlacedTile
    from ludograph.games.carcassonne.tiles import Terrain, Tile

_HOMES = {
    "Carcassonne": "game",
    "CarcassonnePosition": "position",
    "Deck": "decks",
    "Kind": "decks",
    "PlacedTile": "position",
    "Placement": "notation",
    "Terrain": "tiles",
    "Tile": "tiles",
    "carcassonne": "game",
    "classic": "decks",
    "course": "decks",
    "read_deck": "deck_files",
    "write_deck": "deck_files",
}

__all__ = [
    "Carcassonne",
    "CarcassonnePosition",
    "Deck",
    "Kind",
    "PlacedTile",
    "Placement",
    "Terrain",
    "Tile",
    "carcassonne",
    "classic",
    "course",
    "read_deck",
    "write_deck",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
